"""Pixels: every card is open where its name says; letters, a window, and what is said where an extra is missing."""

import sys
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from scipy.ndimage import label

from saboteur_env import Game
from saboteur_env.engine.cards import KIND_OF_ORIENTATION, KINDS, ORIENTATIONS, SIDES, orientation_name
from saboteur_env.render import Window, draw, to_array
from saboteur_env.render.drawing.symbols import CARD_WIDTH, FLOOR, definitions, names, use

LYING = [orientation_name(orientation) for orientation in range(ORIENTATIONS) if KIND_OF_ORIENTATION[orientation] >= 0]


def floor_of(name):
    """Where a card shows the floor of a tunnel: bool[168, 120]."""
    svg = use(name, 0, 0)
    card = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 84">{definitions([svg])}{svg}</svg>'
    floor = tuple(int(FLOOR[i : i + 2], 16) for i in (1, 3, 5))
    return np.all(to_array(card, 2 * CARD_WIDTH) == floor, axis=2)


def at_sides(array):
    return dict(zip(SIDES, (array[2, 60], array[84, -3], array[-3, 60], array[84, 2]), strict=True))


@pytest.mark.parametrize("name", LYING)
def test_every_card_is_open_where_its_name_says_and_joined_unless_a_dead_end(name):
    pytest.importorskip("resvg_py")
    pytest.importorskip("PIL")
    sides = name.removeprefix("x")
    floor = floor_of(name)
    pieces, count = label(floor)
    assert "".join(side for side, is_open in at_sides(floor).items() if is_open) == sides
    assert count == (1 if sides == name else len(sides)) == len({at_sides(pieces)[side] for side in sides})
    assert floor[84, 60] == (sides == name)


def test_there_is_a_picture_of_every_card():
    assert len(LYING) == 26 and {name.removeprefix("stone:") for name in names().values()} >= {*LYING, *KINDS}
    for name in names().values():
        ElementTree.fromstring(definitions([use(name, 0, 0)]))


def test_letters_are_drawn_without_fonts_of_the_system():
    pytest.importorskip("resvg_py")
    pytest.importorskip("PIL")
    page = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 20" font-family="{}"><text y="15">dwarf 7</text></svg>'
    )
    plain, drawn = to_array(page.format("None Such")), to_array(page.format("DejaVu Sans, Verdana"))
    assert plain.min() == 255 and drawn.min() < 100


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(ImportError, match=r'resvg_py is not installed: pip install "saboteur-env\[render\]"'):
        to_array(draw(Game(players=3, seed=1)))
    with pytest.raises(ImportError, match=r'pygame is not installed: pip install "saboteur-env\[render\]"'):
        Window()


def test_window(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pytest.importorskip("resvg_py")
    pytest.importorskip("PIL")
    pytest.importorskip("pygame")
    import pygame

    window = Window(width=300)
    assert not window.is_open
    assert window.show(draw(Game(players=3, seed=1))) and window.is_open
    assert pygame.surfarray.array3d(pygame.display.get_surface()).shape == (300, 177, 3)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    assert not window.stay() and not window.is_open
    window.close()
