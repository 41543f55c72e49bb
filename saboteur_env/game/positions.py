"""Whole positions as JSON, secrets included, written and read (docs/positions.md has the format).

Reading collects every fault it finds in three steps: the shape of the data, what cards, tools, hands
and gold say, and what the mine says of the goals (faults.py). Only then a game is made.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..core.schema import raise_if_any, read_json, validation_errors
from ..engine.cards import (
    FACE_ORIENTATION,
    FACES,
    KIND_OF_ORIENTATION,
    KINDS,
    ORIENTATION_OF_KIND,
    ROLES,
    SIDES,
    UNKNOWN,
)
from ..engine.editions import Rules
from ..engine.state import ASIDE, CHOOSE_CLAIM, CHOOSE_GOLD, CHOOSE_TURN, NO_CHOICE, WINNERS, Games, Public, Secret
from .build import record_from_position
from .faults import faults, goal_faults
from .messages import Message
from .position_schema import FORMAT, POSITION_SCHEMA
from .record_faults import replay_faults
from .view import View, mine_of, record_of


def position_of(games: Games, rules: Rules, messages: Iterable[Message] = ()) -> dict[str, Any]:
    """The position of the first game of an array, as plain data.

    Args:
        messages: of this round; written where the rules have any.
    """
    game, players = games[0], rules.players
    public, secret = game.public, game.secret
    views = [View(rules, public, game.private[seat], seat) for seat in range(players)]
    mine = mine_of(public)
    return {
        "format": FORMAT,
        "edition": rules.edition,
        "options": rules.options(),
        "players": players,
        "round": int(public.round_number),
        "rounds": rules.rounds,
        "first_seat": int(public.first_seat),
        "seat": int(public.seat),
        "last_seat": int(public.last_seat),
        "passes": int(public.passes),
        "roles": [view.role for view in views],
        "role_aside": ROLES[secret.aside] if secret.aside >= 0 else None,
        "hands": [view.hand for view in views],
        "deck": [KINDS[kind] for kind in secret.deck[: public.deck_count][::-1]],
        "discards": _discards(public, views),
        "goals": [_goal(public, secret, goal, mine.goals[coord]) for goal, coord in enumerate(rules.goal_cells)],
        "tunnels": [_tunnel(coord, orientation) for coord, orientation in mine.tunnels.items()],
        "broken": views[0].broken,
        "maps": [[goal for goal in range(3) if int(public.maps[seat]) >> goal & 1] for seat in range(players)],
        "gold": [view.gold for view in views],
        "gold_deck": secret.gold_deck[: public.gold_left].tolist(),
        "shortfall": public.shortfall[:players].tolist(),
        "record": [list(entry) for entry in record_of(public, {view.seat: view.private for view in views})],
        **({"messages": [list(message) for message in messages]} if rules.talks_freely else {}),
        "past": _past(public, views),
        "pending": _pending(public, views),
        "winner": WINNERS[public.winner],
        "forgotten": _forgotten(public, rules.players),
        "short": _short(public, rules.rounds),
        "chance": str(secret.seed),
    }


def to_json(games: Games, rules: Rules, messages: Iterable[Message] = ()) -> str:
    """The position of the first game of an array, as text."""
    return json.dumps(position_of(games, rules, messages))


def _discards(public: Public, views: list[View]) -> list[dict[str, Any]]:
    hidden = [{"card": card, "by": view.seat} for view in views for card in view.discards]
    return hidden + [{"card": KINDS[kind]} for kind, copies in enumerate(public.played) for _ in range(copies)]


def _goal(public: Public, secret: Secret, goal: int, orientation: int) -> dict[str, Any]:
    face = int(secret.face[goal])
    return {
        "face": FACES[face],
        "open": bool(public.goal_face[goal] != UNKNOWN),
        "turned": orientation not in (0, FACE_ORIENTATION[face]),
    }


def _tunnel(coord: tuple[int, int], orientation: int) -> dict[str, Any]:
    kind = KIND_OF_ORIENTATION[orientation]
    return {"card": KINDS[kind], "turned": bool(orientation != ORIENTATION_OF_KIND[kind]), "at": list(coord)}


def _past(public: Public, views: list[View]) -> list[dict[str, Any]]:
    picks = _picks(public, views)
    return [
        _past_round(public, views, index, picks)
        for index in range(public.round_number - 1)
        if public.past[index].winner
    ]


def _short(public: Any, rounds: int) -> list[list[int]]:
    # Round, seat and nuggets, wherever a seat was paid less than was due.
    return [
        [i + 1, seat, int(short)] for i in range(rounds) for seat, short in enumerate(public.past[i].shortfall) if short
    ]


def _forgotten(public: Public, players: int) -> list[int]:
    # How many of each seat's gold cards come from rounds that are not remembered.
    size = int(public.gold_count)
    return np.bincount(public.gold_seat[:size][public.gold_round[:size] == 0], minlength=players).tolist()


def _past_round(public: Public, views: list[View], index: int, picks: list[tuple[int, int, int]]) -> dict[str, Any]:
    past, roles = public.past[index], int(public.past[index].roles)
    aside = ROLES[roles >> ASIDE & 1] if views[0].rules.one_aside else None
    return {
        "winner": WINNERS[past.winner],
        "roles": [ROLES[roles >> view.seat & 1] for view in views],
        "role_aside": aside,
        "first_seat": int(past.first_seat),
        "last_seat": int(past.last_seat),
        "gold": [[seat, value] for number, seat, value in picks if number == index + 1],
    }


def _picks(public: Public, views: list[View]) -> list[tuple[int, int, int]]:
    # Round, seat and value of every gold card, in the order taken.
    private = [iter(view.gold) for view in views]
    seats = public.gold_seat[: public.gold_count].tolist()
    return [(int(number), seat, next(private[seat])) for number, seat in zip(public.gold_round, seats, strict=False)]


def _pending(public: Public, views: list[View]) -> dict[str, Any] | None:
    if public.choice == NO_CHOICE:
        return None
    if public.choice == CHOOSE_GOLD:
        return {"gold": views[public.seat].offers[-1]}
    goals = [goal for goal in range(3) if int(public.choice_goals) >> goal & 1]
    if public.choice == CHOOSE_CLAIM:
        return {"claim": goals[0]}
    chosen = {"stone": goals[0]} if public.choice == CHOOSE_TURN else {"goals": goals}
    before = [[bit // 4, SIDES[bit % 4]] for bit in range(12) if int(public.before) >> bit & 1]
    return {**chosen, "before": before, "declined": [goal for goal in range(3) if int(public.declined) >> goal & 1]}


def from_json(text: str | bytes, seed: int | None = None) -> tuple[Games, Rules, list[Message]]:
    """Read a position as text. See `from_data`."""
    return from_data(read_json(text, "position"), seed)


def from_data(data: Any, seed: int | None = None) -> tuple[Games, Rules, list[Message]]:
    """Read a position as `position_of` gives it: the record, the rules, the messages of the round.

    Args:
        seed: fresh chance for the rounds to come; without it the stored one, or one drawn by the system.

    Raises: ValueError that names every fault; nothing is half loaded.
    """
    raise_if_any(validation_errors(data, POSITION_SCHEMA), "position")
    try:
        rules = Rules.make(data["players"], data["edition"], data["rounds"], data["options"])
    except ValueError as error:
        raise ValueError(f"bad position: {error}") from None
    raise_if_any(faults(data, rules), "position")
    games = record_from_position(data, rules)
    raise_if_any(goal_faults(games, rules, data) + replay_faults(games, data), "position")
    chance = int(data.get("chance", secrets.randbits(64))) if seed is None else seed
    games[0].secret.seed = np.uint64(chance)
    return games, rules, [Message(*message) for message in data.get("messages", [])]
