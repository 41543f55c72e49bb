"""The state of a table as it is sent: to a seat from its view only, to onlookers with all cards open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...game.game import Game
from ...game.view import View
from ...render.drawing.board import BOX, mine_layers
from ...render.drawing.dwarfs import box_of, dwarf_layers
from ...render.scene import Scene, scene_of, with_beliefs
from ...render.text import headline, known_goals
from ...render.words import champions_of, past_of, state_of, words_of
from .guide import guide
from .targets import moves_of, with_room

State = dict[str, Any]


@dataclass(frozen=True)
class Seating:
    """The public information of a table, other than the game.

    Attributes:
        number: of events so far: the number of the next one.
        seats: who should sit in each seat, `person` or the name of a dwarf.
        sitting: who plays it now.
        here: for each seat whether somebody is connected, or a dwarf plays it.
        deadline: seconds left for the move of a person, None without a clock.
        trouble: why the table stands still, empty where it does not.
    """

    number: int
    started: bool
    seats: tuple[str, ...]
    sitting: tuple[str, ...]
    here: tuple[bool, ...]
    advised: int | None
    deadline: float | None = None
    trouble: str = ""


def seat_state(view: View, seating: Seating) -> State:
    """The state that is sent to a seat. Before the match begins it contains no cards."""
    waiting: State = {"kind": "state", "seat": view.seat, "phase": "waiting", **vars(seating)}
    if not seating.started:
        return waiting
    scene = with_room(scene_of(view), view)
    hand, choices = moves_of(view, scene)
    return {
        **waiting,
        **_drawn(scene, view),
        "role": view.role,
        "gold": view.gold,
        "hand": hand,
        "choices": choices,
        "guide": guide(view),
    }


def watch_state(game: Game, seating: Seating, beliefs: dict[int, list[float | None]]) -> State:
    """The state that is sent to those who see all cards.

    Args:
        beliefs: of each dwarf that reports them, about each seat.
    """
    waiting: State = {"kind": "state", "seat": None, "phase": "waiting", **vars(seating)}
    if not seating.started:
        return waiting
    return {**waiting, **_drawn(with_beliefs(scene_of(game), beliefs), game.view(game.seat)), "guide": []}


def _drawn(scene: Scene, view: View) -> State:
    return {
        "phase": "match over" if scene.over else "round over" if scene.turn is None else "play",
        "turn": scene.turn,
        "round": scene.round,
        "rounds": scene.rounds,
        "headline": headline(scene),
        "state": "; ".join(filter(None, (state_of(scene), champions_of(scene)))),
        "past": past_of(scene),
        "goals": known_goals(scene),
        "last": words_of(scene.last) if scene.last else "",
        "mine": {"box": BOX, "layers": ["".join(layer) for layer in mine_layers(scene)]},
        "dwarfs": {"box": box_of(len(scene.dwarfs)), "layers": ["".join(layer) for layer in dwarf_layers(scene)]},
        "record": [words_of(move) for move in view.record],
        "messages": [[seat, text] for _, seat, text in view.messages] if view.rules.talks_freely else None,
    }
