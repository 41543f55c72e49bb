"""The data of a picture. A drawing receives a `Scene` and nothing else, so it cannot read a game.

`scene_of_view` contains what one seat may know; `scene_of_game` contains everything.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..engine.state import CHOOSE_CLAIM, CHOOSE_GOAL, CHOOSE_GOLD, CHOOSE_TURN, NO_CHOICE, WINNERS
from ..game.game import Game
from ..game.notation import Coord, Map
from ..game.view import View

Move = tuple[int, str]
"""A seat and its move, as `View.record` lists them."""

FRAME = (0, -2, 8, 2)


@dataclass(frozen=True)
class Goal:
    """A goal: its face where known, and how it lies, 0 while it is face down."""

    place: Coord
    face: str | None
    orientation: int


@dataclass(frozen=True)
class Dwarf:
    """What is known of one seat.

    Attributes:
        role, hand, gold: None where these eyes may not know.
        maps: the goals this seat has looked at, which all have seen it do.
        nuggets: the sum of the gold where known.
        beliefs: for each observer that says so, its probability that this seat is a saboteur.
    """

    seat: int
    role: str | None
    hand: tuple[str, ...] | None
    hand_size: int
    broken: tuple[str, ...]
    maps: tuple[int, ...]
    gold_cards: int
    gold: tuple[int, ...] | None
    nuggets: int | None
    beliefs: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True)
class Choice:
    """A choice in the middle of a turn: the goals it is about, or the gold on offer where these eyes see it."""

    words: str
    goals: tuple[int, ...] = ()


@dataclass(frozen=True)
class Scene:
    """All that a picture shows.

    Attributes:
        eyes: the seat that looks, None for one who sees all.
        turn: the seat to move, None once the round is over.
        past: who won the rounds before this one.
        last: the last move, as far as these eyes know it.
        extent: the cells shown: west, north, east, south.
    """

    eyes: int | None
    edition: str
    round: int
    rounds: int
    turn: int | None
    winner: str | None
    past: tuple[str, ...]
    deck_size: int
    tunnels: tuple[tuple[Coord, int], ...]
    goals: tuple[Goal, ...]
    dwarfs: tuple[Dwarf, ...]
    choice: Choice | None
    last: Move | None
    extent: tuple[int, int, int, int]

    @property
    def mine(self) -> Map:
        """The mine as all see it."""
        return Map(dict(self.tunnels), {goal.place: goal.orientation for goal in self.goals})

    @property
    def over(self) -> bool:
        """Whether the last round is over."""
        return self.turn is None and self.round == self.rounds


def scene_of(source: View | Game, last_move: Move | None = None) -> Scene:
    """The scene of a view or, with all secrets, of a game.

    Args:
        last_move: a seat and its move to point out instead of the last one of this round.

    Raises: TypeError for anything else.
    """
    if isinstance(source, View):
        return scene_of_view(source, last_move)
    if isinstance(source, Game):
        return scene_of_game(source, last_move)
    raise TypeError(f"a picture shows a View or a Game, not {type(source).__name__}")


def scene_of_view(view: View, last_move: Move | None = None) -> Scene:
    """What one seat may see; a card that another seat laid face down stays hidden in `last_move` too."""
    roles: Sequence[str | None] = view.roles or [
        view.role if seat == view.seat else None for seat in range(view.rules.players)
    ]
    private = {view.seat: view}
    last = _cut(last_move, view.seat) if last_move else _last(view)
    return _scene(view, roles, private, view.faces, last, view.seat)


def scene_of_game(game: Game, last_move: Move | None = None) -> Scene:
    """Everything: all roles, hands, gold and faces."""
    views = {seat: game.view(seat) for seat in range(game.rules.players)}
    public = views[0]
    faces = [goal["face"] for goal in json.loads(game.to_json())["goals"]]
    told = _last(public)
    last = last_move or (_last(views[told[0]]) if told else None)
    return _scene(public, [view.role for view in views.values()], views, faces, last, None)


def with_beliefs(scene: Scene, beliefs: Mapping[int, Sequence[float | None]]) -> Scene:
    """A scene with what each observer believes: for each seat the probability that it is a saboteur, or None."""
    dwarfs = [
        replace(
            dwarf,
            beliefs=tuple(
                (observer, probability)
                for observer, said in sorted(beliefs.items())
                if observer != dwarf.seat and (probability := said[dwarf.seat]) is not None
            ),
        )
        for dwarf in scene.dwarfs
    ]
    return replace(scene, dwarfs=tuple(dwarfs))


def _scene(
    view: View,
    roles: Sequence[str | None],
    known: Mapping[int, View],
    faces: Sequence[str | None],
    last: Move | None,
    eyes: int | None,
) -> Scene:
    public, rules, mine = view.public, view.rules, view.mine
    return Scene(
        eyes=eyes,
        edition=rules.edition,
        round=int(public.round_number),
        rounds=rules.rounds,
        turn=None if public.over else view.turn,
        winner=view.winner,
        past=_past(public),
        deck_size=view.deck_size,
        tunnels=tuple(sorted(mine.tunnels.items(), key=lambda laid: (laid[0][1], laid[0][0]))),
        goals=tuple(
            Goal(coord, face, orientation) for (coord, orientation), face in zip(mine.goals.items(), faces, strict=True)
        ),
        dwarfs=_dwarfs(view, roles, known),
        choice=_choice(public, known.get(view.turn)),
        last=last,
        extent=extent_of(mine),
    )


def _past(public: Any) -> tuple[str, ...]:
    return tuple(WINNERS[past.winner] or "" for past in public.past[: public.round_number - 1])


def _dwarfs(view: View, roles: Sequence[str | None], known: Mapping[int, View]) -> tuple[Dwarf, ...]:
    ended = bool(view.public.over) and view.public.round_number == view.rules.rounds
    sizes, broken, gold = view.hand_sizes, view.broken, view.gold_counts
    return tuple(
        Dwarf(
            seat=seat,
            role=roles[seat],
            hand=tuple(known[seat].hand) if seat in known else None,
            hand_size=sizes[seat],
            broken=tuple(broken[seat]),
            maps=_bits(view.public.maps[seat]),
            gold_cards=gold[seat],
            gold=tuple(known[seat].gold) if seat in known else None,
            nuggets=_nuggets(view, known.get(seat), seat, ended),
        )
        for seat in range(view.rules.players)
    )


def _nuggets(view: View, private: View | None, seat: int, ended: bool) -> int | None:
    if private is not None:
        return sum(private.gold)
    return int(view.public.nuggets[seat]) if ended else None


def _choice(public: Any, mover: View | None) -> Choice | None:
    goals = _bits(public.choice_goals)
    if public.over or public.choice == NO_CHOICE:
        return None
    if public.choice == CHOOSE_TURN:
        return Choice(f"chooses how goal {goals[0]} lies", goals)
    if public.choice == CHOOSE_GOAL:
        return Choice("chooses the goal to reveal: " + " or ".join(map(str, goals)), goals)
    if public.choice == CHOOSE_CLAIM:
        return Choice(f"says what goal {goals[0]} is, or nothing", goals)
    assert public.choice == CHOOSE_GOLD
    offer = f" from {', '.join(map(str, mover.offers[-1]))}" if mover else ""
    return Choice(f"takes a gold card{offer}")


def _bits(number: int) -> tuple[int, ...]:
    return tuple(bit for bit in range(3) if int(number) >> bit & 1)


def _last(view: View) -> Move | None:
    return view.record[-1] if view.public.event_count else None


def _cut(move: Move, seat: int) -> Move:
    head = move[1].partition(":")[0]
    return (move[0], head) if head in ("discard", "take") and move[0] != seat else move


def extent_of(mine: Map) -> tuple[int, int, int, int]:
    """The cells to show, west, north, east, south: the 5 x 9 layout and all that lies outside it."""
    columns, rows = zip(*mine.tunnels, *mine.goals, FRAME[:2], FRAME[2:], strict=True)
    return min(columns), min(rows), max(columns), max(rows)
