"""What a seat is shown: places on the drawing, cards in words, the rules of the moment."""

import json

import pytest

from saboteur_env import Game
from saboteur_env.render.drawing.board import cell_box
from saboteur_env.render.drawing.dwarfs import row_box
from saboteur_env.render.scene import scene_of
from saboteur_env.table.shown.guide import guide
from saboteur_env.table.shown.state import Seating, seat_state
from saboteur_env.table.shown.targets import moves_of, with_room

SEATING = Seating(0, True, ("person",) * 3, ("person",) * 3, (True,) * 3, None)


def game_with(hand, broken=((), (), ()), **more):
    """Three dwarfs, of whom the first is to move with this hand."""
    data = json.loads(Game(3, seed=1, options={"first_seat": 0}).to_json())
    cards = sorted([*data["deck"], *(card for held in data["hands"] for card in held)])
    for card in [*hand, *(f"break:{tool}" for tools in broken for tool in tools)]:
        cards.remove(card)
    others = [cards.pop() for _ in range(12)]
    data |= {"hands": [list(hand), others[:6], others[6:]], "deck": cards, "broken": [list(tools) for tools in broken]}
    return Game.from_json(json.dumps(data | more))


HAND = ["NES", "NES", "break:cart", "repair:pickaxe+lantern", "map", "rockfall"]


def uses(view):
    cards, _ = moves_of(view, with_room(scene_of(view), view))
    return {card["card"]: {use["move"]: use for use in card["uses"]} for card in cards}


def test_every_legal_move_is_one_use_of_one_card():
    view = game_with(HAND).view(0)
    cards, choices = moves_of(view, with_room(scene_of(view), view))
    assert sorted(use["move"] for card in cards for use in card["uses"]) == view.legal_moves()
    assert choices == []
    assert [(card["card"], card["copies"]) for card in cards][:2] == [("NES", 2), ("break:cart", 1)]
    assert cards[0]["orientations"] == ["NES", "NSW"]
    assert cards[0]["words"] == "tunnel NES"


def test_places_are_those_of_the_drawing():
    view = game_with(HAND).view(0)
    scene, result = with_room(scene_of(view), view), uses(view)
    assert result["NES"]["NES@0,1"]["box"] == [round(side, 1) for side in cell_box(scene, (0, 1))]
    assert result["map"]["map:2"]["box"] == [round(side, 1) for side in cell_box(scene, (8, 2))]
    assert result["break:cart"]["break:cart:2"]["box"] == [round(side, 1) for side in row_box(2, 3)]
    assert result["break:cart"]["break:cart:2"]["panel"] == "dwarfs"
    assert result["map"]["discard:map"]["box"] == []


def test_two_moves_at_one_seat_share_its_row():
    view = game_with(HAND, broken=[["pickaxe", "lantern"], ["lantern"], []]).view(0)
    repairs = uses(view)["repair:pickaxe+lantern"]
    x, y, width, height = row_box(0, 3)
    both = [repairs[f"repair:pickaxe+lantern:{tool}:0"]["box"] for tool in ("lantern", "pickaxe")]
    assert both == [[x, y, width / 2, height], [x + width / 2, y, width / 2, height]]
    assert repairs["repair:pickaxe+lantern:lantern:1"]["box"] == list(row_box(1, 3))


def test_a_seat_that_waits_has_no_uses_and_is_told_whose_turn_it_is():
    state = seat_state(game_with(HAND).view(1), SEATING)
    assert all(card["uses"] == [] for card in state["hand"])
    assert state["guide"][1].startswith("Dwarf 0 is to move")


@pytest.mark.parametrize(
    ("broken", "words"),
    [(["pickaxe"], "Your pickaxe is broken"), (["pickaxe", "cart"], "Your pickaxe and cart are broken")],
)
def test_a_broken_tool_is_explained_while_it_matters(broken, words):
    assert any(words in line for line in guide(game_with(HAND, broken=[broken, [], []]).view(0)))
    assert len(guide(game_with(HAND).view(0))) == 2


def test_after_the_round_it_is_told_who_has_won_and_what_comes():
    game = Game(3, seed=1)
    while not game.round_over:
        game.play(next(move for move in game.legal_moves() if move.startswith("discard") or move == "pass"))
    first, rest = guide(game.view(0))
    assert first.startswith("The treasure was not found")
    assert "dealt again" in rest


def test_before_the_match_nothing_of_the_cards_is_sent():
    waiting = Seating(0, False, ("person",) * 3, ("person",) * 3, (True, False, True), None)
    assert set(seat_state(game_with(HAND).view(0), waiting)) == {"kind", "seat", "phase", *vars(waiting)}
