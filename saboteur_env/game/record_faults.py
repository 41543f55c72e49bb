"""All faults of the record of a round, in words.

A record that begins with the round is played again from public information, and must lead to the position. A record
that begins later is checked as far as possible. The position must agree with its last move on each cell and tool, and
its cards must lie open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..core.compiled.jit import kernel
from ..engine.bitboard import REACH, cell_at, coord_of
from ..engine.cards import FIRST_BREAK, FIRST_REPAIR, KIND_OF_ORIENTATION, KINDS, MAP, ROCKFALL, TOOLS
from ..engine.editions import MAX_CHOICE_EVENTS, MAX_WORDS, Rules
from ..engine.legal import MAX_MOVES, legal_moves
from ..engine.moves import (
    ACCUSE,
    BREAK,
    CLAIM,
    DISCARD,
    LAY,
    PASS,
    READ,
    REPAIR,
    REVEAL,
    ROCK,
    TAKE,
    TURN,
    VOUCH,
    card_of,
    move,
    move_of,
    parse,
    seat_of,
    target_of,
    text_of,
    verb_of,
)
from ..engine.state import MAX_EVENTS, NO_CHOICE, Games, blank
from ..inference.resample import count_unseen
from ..inference.rewind import begins_with_round, replay, rewind
from .build import Data, orientation_of_tunnel

Moves = list[tuple[int, int]]  # seat, number of the move

# What a record that begins with the round leads to, under its names in a position.
_LEADS_TO = {
    "board": "tunnels",
    "seat": "seat",
    "last_seat": "last_seat",
    "passes": "passes",
    "winner": "winner",
    "deck_count": "deck",
    "hand_count": "hands",
    "broken": "broken",
    "hidden": "discards",
    "played": "discards",
    "choice": "pending",
    "choice_goals": "pending",
    "declined": "pending",
    "before": "pending",
}
_OF_DRAFTS = ("seat", "choice")  # the gold is not taken again


def record_faults(data: Data, rules: Rules) -> Iterator[str]:
    """The faults that show before a game is made. Requires: the data has the right shape and sizes."""
    record = data.get("record", [])
    turns = rules.players * max(map(len, data["hands"])) + len(data["deck"])
    possible = MAX_EVENTS - MAX_CHOICE_EVENTS - _words_to_come(data, rules)
    if len(record) + turns > possible:
        yield f"a record of {len(record)} moves with up to {turns} turns to come; {possible} are possible"
    moves: Moves = []
    for i, (seat, text) in enumerate(record):
        try:
            moves.append((seat, parse(text)))
        except ValueError as error:
            yield f"record[{i}]: {error}"
    yield from _names(moves, rules)
    yield from _words(moves, data, rules)
    yield from _discards(moves, data)
    yield from _takes(moves, data, rules)
    used = sum(rules.deck) - len(data["deck"]) - sum(map(len, data["hands"]))
    recorded = sum(verb_of(number) < PASS for _, number in moves)
    if recorded > used:
        yield f"record tells of {recorded} cards used, but only {used} have left deck and hands"
    if recorded < used or (moves and moves[0][0] != data["first_seat"]):
        for check in (_things, _cards, _knowledge):
            yield from check(moves, data, rules)


def _words_to_come(data: Data, rules: Rules) -> int:
    if not rules.talks:
        return 0
    cards = [*data["deck"], *(card for hand in data["hands"] for card in hand)]
    said = sum(text.startswith(("accuse:", "vouch:")) for _, text in data.get("record", []))
    return cards.count("map") + MAX_WORDS * rules.players - said + 1  # and a claim that is to be made now


def _words(moves: Moves, data: Data, rules: Rules) -> Iterator[str]:
    # Rules 9: a claim follows the map it speaks of; a word is said once a turn, before the card, of another seat.
    said: Counter[int] = Counter()
    for (before, earlier), (seat, number) in zip([(-1, -1), *moves], moves, strict=False):
        verb, target = verb_of(number), target_of(number)
        first = earlier < 0  # the record may begin after the move that comes before
        if verb >= CLAIM and not rules.talks:
            yield f"record: {text_of(number)} of seat {seat}, but nobody talks"
        elif verb == CLAIM and not (first or (before, earlier) == (seat, move(READ, 0, target))):
            yield f"record: {text_of(number)} of seat {seat} does not follow its map"
        elif verb >= ACCUSE:
            said[seat] += 1
            if target == seat or said[seat] > MAX_WORDS or (not first and verb_of(earlier) >= ACCUSE):
                yield f"record: {text_of(number)} of seat {seat} was not possible then"
    goal = (data["pending"] or {}).get("claim")
    if goal is not None and moves and moves[-1] != (data["seat"], move(READ, 0, goal)):
        yield f"record: seat {data['seat']} is to claim something about goal {goal}, but has not just looked at it"


def _names(moves: Moves, rules: Rules) -> Iterator[str]:
    there = dict.fromkeys((BREAK, REPAIR, ACCUSE, VOUCH), rules.players)
    there |= dict.fromkeys((READ, REVEAL, CLAIM), len(rules.goal_cells))
    taken = {(0, 0), *rules.goal_cells}
    for seat, number in moves:
        verb, target = verb_of(number), target_of(number)
        if target >= there.get(verb, target + 1):
            yield f"record: {text_of(number)} of seat {seat} names one of {there[verb]} that there are not"
        if verb in (LAY, ROCK) and (coord_of(target) in taken or max(map(abs, coord_of(target))) > REACH):
            yield f"record: {text_of(number)} of seat {seat} names a cell where no tunnel can lie"


def _discards(moves: Moves, data: Data) -> Iterator[str]:
    laid = Counter((discard.get("by"), discard["card"]) for discard in data["discards"])
    recorded = Counter((seat, KINDS[card_of(number)]) for seat, number in moves if verb_of(number) == DISCARD)
    yield from (f"record tells that seat {seat} laid down {card}, discards do not" for seat, card in recorded - laid)


def _takes(moves: Moves, data: Data, rules: Rules) -> Iterator[str]:
    takes: dict[int, list[int]] = {}
    for seat, number in moves:
        if verb_of(number) == TAKE:
            takes.setdefault(seat, []).append(card_of(number))
        elif takes:
            yield f"record: {text_of(number)} of seat {seat} comes after gold was taken"
    if takes and not (rules.draft and data["winner"] == "miners"):
        yield "record tells of gold taken, but there is no draft"
    for seat, values in takes.items():
        if data["gold"][seat][-len(values) :] != values:
            yield f"record tells of {len(values)} gold cards of seat {seat}, gold does not"


def _things(moves: Moves, data: Data, rules: Rules) -> Iterator[str]:
    # The last word on each cell and each tool: a lie or 0, broken or not.
    now: dict[Any, int] = {(LAY, cell_at(*tunnel["at"])): orientation_of_tunnel(tunnel) for tunnel in data["tunnels"]}
    now |= {(TOOLS.index(tool), seat): 1 for seat, tools in enumerate(data["broken"]) for tool in tools}
    last: dict[Any, tuple[int, int]] = {}
    for _, number in moves:
        verb, card, target = verb_of(number), card_of(number), target_of(number)
        changes = {LAY: (LAY, card), ROCK: (LAY, 0), BREAK: (card, 1), REPAIR: (card >> 3, 0)}
        if verb in changes:
            thing, value = changes[verb]
            before, _ = last.get((thing, target), (not value, 0))
            if bool(before) == bool(value):
                yield f"record: {text_of(number)} cannot come after {text_of(last[thing, target][1])}"
            last[thing, target] = value, number
    for thing, (value, number) in last.items():
        if now.get(thing, 0) != value:
            yield f"record tells of {text_of(number)}, which does not show any more"


def _cards(moves: Moves, data: Data, rules: Rules) -> Iterator[str]:
    there = Counter(discard["card"] for discard in data["discards"] if "by" not in discard)
    there.update(tunnel["card"] for tunnel in data["tunnels"])
    there.update(f"break:{tool}" for tools in data["broken"] for tool in tools)
    used = Counter(KINDS[_kind_used(number)] for _, number in moves if verb_of(number) < DISCARD)
    for card in used - there:
        yield f"record tells of {used[card]} cards {card!r} used, but {there[card]} lie open"


def _kind_used(number: int) -> int:
    verb, card = verb_of(number), card_of(number)
    if verb == LAY:
        return int(KIND_OF_ORIENTATION[card])
    return {BREAK: FIRST_BREAK + card, REPAIR: FIRST_REPAIR + (card & 7), ROCK: ROCKFALL, READ: MAP}[verb]


def _knowledge(moves: Moves, data: Data, rules: Rules) -> Iterator[str]:
    for seat, number in moves:
        verb, target, text = verb_of(number), target_of(number), text_of(number)
        if verb == READ and target not in data["maps"][seat]:
            yield f"record tells of {text} of seat {seat}, maps do not"
        if verb == PASS and (data["deck"] or data["hands"][seat]):
            yield f"record tells of a pass of seat {seat}, but there are cards"
        if verb == BREAK and target == seat and not rules.break_self:
            yield f"record: seat {seat} breaks a tool of its own ({text}), which break_self forbids"
        if verb == TURN and rules.stone != "chooser":
            yield f"record: {text} of seat {seat}, but nobody chooses how a stone lies"
        if verb == REVEAL and (rules.goals != "one" or not data["goals"][target]["open"]):
            yield f"record: {text} of seat {seat}, but this goal was not revealed so"


def replay_faults(games: Games, data: Data) -> list[str]:
    """The faults of a record that begins with the round, which is played again."""
    public, again = games[0].public, blank()
    if not public.event_count or not begins_with_round(public):
        return []  # what tells of nothing leads anywhere
    played = _play_again(games, again, np.empty(len(KINDS), np.int64), np.empty(MAX_MOVES, np.int32))
    if played < public.event_count:
        seat, text = data["record"][played]
        return [f"record[{played}]: {text} of seat {seat} was not possible then"]
    kept = _OF_DRAFTS if public.winner else ()
    wrong = [name for name in _LEADS_TO if name not in kept and not np.array_equal(public[name], again[0].public[name])]
    names = dict.fromkeys(_LEADS_TO[name] for name in wrong)
    return [f"record leads to something else in {', '.join(names)}"] if wrong else []


@kernel
def _play_again(games: Games, again: Games, unseen: Any, moves: Any) -> int:
    """Play the record of a round from its beginning; return how many of its events were possible, one after another."""
    public, game = games[0].public, again[0]
    rewind(public, game)
    for i in range(public.event_count):
        event = np.int64(public.events[i])
        if game.public.winner:
            if verb_of(move_of(event)) != TAKE:
                return i
        elif seat_of(event) != game.public.seat or not _could(game, move_of(event), unseen, moves):
            return i
        replay(game, event)
    return np.int64(public.event_count)


@kernel
def _could(game: Any, number: int, unseen: Any, moves: Any) -> bool:
    # With all unseen cards in hand.
    public, verb = game.public, verb_of(number)
    private, holds = game.private[public.seat], public.hand_count[public.seat] > 0
    if public.choice == NO_CHOICE and verb <= PASS and (verb in (DISCARD, PASS) or not holds):
        return holds == (verb == DISCARD) and verb in (DISCARD, PASS)
    count_unseen(public, unseen)
    private.kinds = 0
    for kind in range(len(KINDS)):
        private.kinds |= np.int64(unseen[kind] > 0) << kind
    for i in range(legal_moves(public, private, moves)):
        if moves[i] == number:
            return True
    return False
