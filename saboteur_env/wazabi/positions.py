"""Whole positions as JSON, secrets included, written and read (docs/wazabi.md, section 7, has the format)."""

from __future__ import annotations

import json
import secrets
from typing import Any

import numpy as np

from ..core.schema import raise_if_any, read_json, validation_errors
from .engine.cards import FACES, KINDS
from .engine.moves import PASS, VERBS
from .engine.rules import Rules
from .engine.state import Games, blank
from .faults import FORMAT, HEAD, faults, shape_of
from .view import names_of

_NUMBERS = ("turns", "shuffles", "picks", "first_seat", "seat", "mover", "due")
_LISTS = ("dice", "misses", "points")


def position_of(games: Games, rules: Rules) -> dict[str, Any]:
    """The position of the first game of an array, as plain data."""
    game, players = games[0], rules.players
    public, secret = game.public, game.secret
    return {
        "format": FORMAT,
        "deck": rules.deck_named(),
        "options": rules.options(),
        "players": players,
        "games": rules.games,
        "game": int(public.game_number),
        **{name: int(public[name]) for name in _NUMBERS},
        "clockwise": bool(public.direction > 0),
        "choice": None if public.over else VERBS[public.choice],
        "rolled": dict(zip(FACES, public.rolled.tolist(), strict=True)),
        "card": KINDS[public.card] if public.card >= 0 else None,
        "keepers": [seat for seat in range(players) if int(public.keepers) >> seat & 1],
        **{name: public[name][:players].tolist() for name in _LISTS},
        "places": public.place[:players].tolist(),
        "hands": [names_of(hand) for hand in secret.hands[:players]],
        "pile": [KINDS[kind] for kind in secret.pile[: public.pile_count][::-1]],
        "discards": names_of(public.discards),
        "known": [[names_of(hand) for hand in game.private[seat].known[:players]] for seat in range(players)],
        "sure": public.sure[:players, :players].tolist(),
        "chance": str(secret.seed),
    }


def to_json(games: Games, rules: Rules) -> str:
    """The position of the first game of an array, as text."""
    return json.dumps(position_of(games, rules))


def from_json(text: str | bytes, seed: int | None = None) -> tuple[Games, Rules]:
    """Read a position.

    Args:
        seed: fresh chance; without it the stored one, or one drawn by the system.

    Raises: ValueError that names every fault; nothing is half loaded.
    """
    data = read_json(text, "position")
    raise_if_any(validation_errors(data, HEAD), "position")
    try:
        rules = Rules.make(data["players"], data["deck"], data["games"], data["options"])
    except ValueError as error:
        raise ValueError(f"bad position: {error}") from None
    raise_if_any(validation_errors(data, shape_of(rules)), "position")
    data = _with_minds(data)
    raise_if_any(faults(data, rules), "position")
    games = _filled(data, rules)
    games[0].secret.seed = np.uint64(int(data.get("chance", secrets.randbits(64))) if seed is None else seed)
    return games, rules


def _with_minds(data: dict[str, Any]) -> dict[str, Any]:
    # Without word of it every seat knows its own hand alone.
    hands, seats = data["hands"], range(data["players"])
    known = data.get("known") or [[hands[seat] if seat == who else [] for seat in seats] for who in seats]
    sure = data.get("sure") or [[len(hands[seat]) if seat == who else 0 for seat in seats] for who in seats]
    return {**data, "known": known, "sure": sure}


def _filled(data: dict[str, Any], rules: Rules) -> Games:
    games, players = blank(), rules.players
    game = games[0]
    public, secret = game.public, game.secret
    rules.write(public.rules)
    for name in _NUMBERS:
        public[name] = data[name]
    for name in _LISTS:
        public[name][:players] = data[name]
    public.place[:players] = data["places"]
    public.game_number = data["game"]
    public.direction = 1 if data["clockwise"] else -1
    public.over = data["choice"] is None
    public.choice = PASS if data["choice"] is None else VERBS.index(data["choice"])
    public.winner = data["places"].index(1) if 1 in data["places"] else -1
    public.rolled[:] = [data["rolled"][face] for face in FACES]
    public.card = -1 if data["card"] is None else KINDS.index(data["card"])
    public.keepers = sum(1 << seat for seat in data["keepers"])
    public.finished = sum(index > 0 and dice == 0 for index, dice in zip(data["places"], data["dice"], strict=True))
    public.hand_count[:players] = [len(hand) for hand in data["hands"]]
    public.sure[:players, :players] = data["sure"]
    public.pile_count = len(data["pile"])
    public.discards[:] = _counted(data["discards"])
    secret.pile[: public.pile_count] = [KINDS.index(name) for name in reversed(data["pile"])]
    for seat in range(players):
        secret.hands[seat] = _counted(data["hands"][seat])
        game.private[seat].known[:players] = [_counted(names) for names in data["known"][seat]]
    return games


def _counted(names: list[str]) -> list[int]:
    return [names.count(name) for name in KINDS]
