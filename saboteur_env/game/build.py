"""A record made from the data of a position whose cards have been checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.compiled.jit import kernel
from ..engine.bitboard import cell_at
from ..engine.cards import (
    FACE_ORIENTATION,
    FACES,
    GOLD_VALUES,
    KIND,
    ORIENTATION_OF_KIND,
    ROLES,
    SIDES,
    TOOLS,
    turned,
)
from ..engine.deal import lay_start
from ..engine.editions import Rules
from ..engine.gold import pack_offer
from ..engine.moves import DISCARD, LAY, ROCK, card_of, hidden, parse, target_of, verb_of
from ..engine.state import (
    ASIDE,
    CHOOSE_CLAIM,
    CHOOSE_GOAL,
    CHOOSE_GOLD,
    CHOOSE_TURN,
    MINERS,
    RUNNING,
    WINNERS,
    Games,
    State,
    blank,
)
from ..engine.tunnels import put, survey

Data = dict[str, Any]
Pick = tuple[int, int, int]  # round (0: not remembered), seat, value


def record_from_position(data: Data, rules: Rules) -> Games:
    """One game, without its chance. Requires: the data has no faults of shape or cards (faults.py)."""
    games = blank()
    game = games[0]
    public, secret = game.public, game.secret
    rules.write(public.rules)
    public.round_number = data["round"]
    for name in ("first_seat", "seat", "last_seat", "passes"):
        public[name] = data[name]
    public.winner = WINNERS.index(data["winner"])
    public.over = bool(data["winner"]) and data["pending"] is None
    secret.aside = -1 if data["role_aside"] is None else ROLES.index(data["role_aside"])
    secret.face[: len(data["goals"])] = [FACES.index(goal["face"]) for goal in data["goals"]]
    public.deck_count = len(data["deck"])
    secret.deck[: public.deck_count] = [KIND[name] for name in reversed(data["deck"])]
    for card in [discard["card"] for discard in data["discards"] if "by" not in discard]:
        public.played[KIND[card]] += 1
    for seat in range(rules.players):
        _fill_seat(game, data, seat)
    _fill_mine(games, rules, data)
    _fill_record(game, data)
    _fill_ending(game, rules, data)
    _fill_gold(game, rules, data)
    _fill_pending(game, data["pending"])
    return games


def _fill_seat(game: State, data: Data, seat: int) -> None:
    public, private = game.public, game.private[seat]
    private.role = ROLES.index(data["roles"][seat])
    for name in data["hands"][seat]:
        private.hand[KIND[name]] += 1
        private.kinds |= 1 << KIND[name]
    public.hand_count[seat] = len(data["hands"][seat])
    public.broken[seat] = sum(1 << TOOLS.index(tool) for tool in data["broken"][seat])
    public.shortfall[seat] = data["shortfall"][seat]
    for goal in data["maps"][seat]:
        public.maps[seat] |= 1 << goal
        private.face[goal] = game.secret.face[goal]


def _fill_mine(games: Games, rules: Rules, data: Data) -> None:
    cards = [(cell_at(*tunnel["at"]), orientation_of_tunnel(tunnel)) for tunnel in data["tunnels"]]
    choosing = (data["pending"] or {}).get("stone", -1)
    for number, goal in enumerate(data["goals"]):
        if goal["open"] or number == choosing:
            games[0].public.goal_face[number] = FACES.index(goal["face"])
        if goal["open"] and number != choosing:
            orientation = int(FACE_ORIENTATION[FACES.index(goal["face"])])
            cards.append((cell_at(*rules.goal_cells[number]), turned(orientation) if goal["turned"] else orientation))
    _lay_out(games, np.array(cards, np.int64).reshape(-1, 2))


def orientation_of_tunnel(tunnel: Data) -> int:
    """How a tunnel of a position lies."""
    orientation = int(ORIENTATION_OF_KIND[KIND[tunnel["card"]]])
    return turned(orientation) if tunnel["turned"] else orientation


@kernel
def _lay_out(games: Games, cards: Any) -> None:
    public = games[0].public
    lay_start(public)
    for i in range(len(cards)):
        cell = cards[i, 0]
        put(public.board, cell, cards[i, 1])
        public.low = min(np.int64(public.low), cell >> 6)
        public.high = max(np.int64(public.high), cell >> 6)
    survey(public.board, np.int64(public.low), np.int64(public.high))


def _fill_record(game: State, data: Data) -> None:
    # What was laid face down before the record begins comes first.
    public = game.public
    recorded: dict[int, list[int]] = {seat: [] for seat in range(data["players"])}
    for seat, text in data.get("record", []):
        number = parse(text)
        if verb_of(number) == DISCARD:
            recorded[seat].append(card_of(number))
        if verb_of(number) in (LAY, ROCK):
            public.last_cell = target_of(number)
        public.events[public.event_count] = seat << 24 | hidden(number)
        public.event_count += 1
    for seat, last in recorded.items():
        all_of_seat = Counter(KIND[discard["card"]] for discard in data["discards"] if discard.get("by") == seat)
        cards = [*(all_of_seat - Counter(last)).elements(), *last]
        private = game.private[seat]
        private.discard_count = public.hidden[seat] = len(cards)
        private.discards[: len(cards)] = cards


def _fill_ending(game: State, rules: Rules, data: Data) -> None:
    public = game.public
    for number, past in numbered_past(data):
        entry = public.past[number - 1]
        entry.winner = WINNERS.index(past["winner"])
        entry.first_seat, entry.last_seat, entry.roles = past["first_seat"], past["last_seat"], role_bits(past)
    if public.winner != RUNNING:
        public.roles = role_bits(data)
    if public.over:
        entry = public.past[public.round_number - 1]
        entry.winner, entry.roles = public.winner, public.roles
        entry.first_seat, entry.last_seat = public.first_seat, public.last_seat
        if public.round_number == rules.rounds:
            public.nuggets[: rules.players] = [sum(values) for values in data["gold"]]
    for number, seat, nuggets in data.get("short", []):
        public.past[number - 1].shortfall[seat] = nuggets


def role_bits(data: Data) -> int:
    """The roles of a position or past round: a bit for each saboteur at the table and for the one aside."""
    bits = sum(1 << seat for seat, role in enumerate(data["roles"]) if role == "saboteur")
    return bits | (1 << ASIDE if data["role_aside"] == "saboteur" else 0)


def _fill_gold(game: State, rules: Rules, data: Data) -> None:
    public, secret = game.public, game.secret
    public.gold_left = len(data["gold_deck"])
    secret.gold_deck[: public.gold_left] = data["gold_deck"]
    picks = picks_of(data)
    offer = (data["pending"] or {}).get("gold", [])
    secret.offer[:] = [offer.count(value) for value in GOLD_VALUES]
    for index, (number, seat, value) in enumerate(picks):
        public.gold_round[index], public.gold_seat[index] = number, seat
        private = game.private[seat]
        seen = [other for later, _, other in picks[index:] if later == number] + (
            offer if number == public.round_number else []
        )
        drafted = rules.draft and number and public.past[number - 1].winner in (RUNNING, MINERS)
        private.gold[private.gold_count] = value | (pack_offer(*map(seen.count, GOLD_VALUES)) if drafted else 0)
        private.gold_count += 1
    public.gold_count = len(picks)


def picks_of(data: Data) -> list[Pick]:
    """All gold taken, in order: what is not remembered, what `past` tells, and what this round has paid so far."""
    recorded = [(number, seat, value) for number, past in numbered_past(data) for seat, value in past["gold"]]
    known = Counter(seat for _, seat, _ in recorded)
    early, late = [], []
    for seat, (values, start) in enumerate(zip(data["gold"], forgotten_of(data), strict=True)):
        assert start is not None, "gold has been checked"
        early += [(0, seat, value) for value in values[:start]]
        late += [(index, seat, value) for index, value in enumerate(values[start + known[seat] :])]
    late.sort(key=_order_of_pay(data, Counter(seat for _, seat, _ in late)))
    return early + recorded + [(data["round"], seat, value) for _, seat, value in late]


def _order_of_pay(data: Data, cards: Counter[int]) -> Callable[[Pick], tuple[int, ...]]:
    # As the record tells of a draft. Else miners take in turn, counter-clockwise from the finder, and saboteurs are
    # paid one after the other (6.1, 6.2).
    players, last = data["players"], data["last_seat"]
    takes = [seat for seat, text in data.get("record", []) if text.startswith("take:")]
    recorded = {(seat, -takes[index:].count(seat)): index for index, seat in enumerate(takes)}
    if data["winner"] == "miners":
        return lambda late: (recorded.get((late[1], late[0] - cards[late[1]]), -1), late[0], (last - late[1]) % players)
    return lambda late: ((late[1] - last - 1) % players, late[0])


def numbered_past(data: Data) -> list[tuple[int, Data]]:
    """The rounds that `past` tells of, with their numbers: the last ones before this round, or up to it."""
    past = data.get("past", [])
    last = data["round"] if len(past) == data["round"] else data["round"] - 1
    return list(enumerate(past, last - len(past) + 1))


def forgotten_of(data: Data) -> list[int | None]:
    """How many gold cards of each seat come from rounds that `past` does not tell of: they come first.

    Where the position does not say so itself, all that `past` does not tell is forgotten, or, once this round
    has a winner, has been paid in it. None where `past` tells of cards that the seat cannot have taken so.
    """
    recorded: list[list[int]] = [[] for _ in range(data["players"])]
    for _, past in numbered_past(data):
        for seat, value in past["gold"]:
            recorded[seat].append(value)
    known_past = "past" in data or data["round"] == 1
    paid = data["winner"] is not None and known_past and len(data.get("past", [])) < data["round"]
    return [_start(*item, paid) for item in zip(data["gold"], recorded, data.get("forgotten", recorded), strict=True)]


def _start(values: list[int], known: list[int], said: Any, paid: bool) -> int | None:
    last = len(values) - len(known)
    starts = range(last + 1) if paid else range(max(last, 0), last + 1)
    fitting = [start for start in starts if values[start : start + len(known)] == known]
    return said if said in fitting else next(iter(fitting), None)


def _fill_pending(game: State, pending: Data | None) -> None:
    public = game.public
    if pending is None:
        return
    if "gold" in pending:
        private = game.private[public.seat]
        public.choice = CHOOSE_GOLD
        private.gold[private.gold_count] = pack_offer(*map(pending["gold"].count, GOLD_VALUES))
        return
    if "claim" in pending:
        public.choice, public.choice_goals = CHOOSE_CLAIM, 1 << pending["claim"]
        return
    public.choice = CHOOSE_TURN if "stone" in pending else CHOOSE_GOAL
    public.choice_goals = sum(1 << goal for goal in pending.get("goals", [pending.get("stone")]))
    public.declined = sum(1 << goal for goal in set(pending["declined"]))
    public.before = sum(1 << 4 * goal + SIDES.index(side) for goal, side in {tuple(pair) for pair in pending["before"]})
