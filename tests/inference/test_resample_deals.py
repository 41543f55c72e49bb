"""Hands, discards and the deck of a game made from a view: all that fit come up as often as they were dealt.

The deals of small decks are all played again, apart from the engine's resampling.
"""

import random
from collections import Counter
from functools import cache
from itertools import permutations

import numpy as np
import pytest

from saboteur_env.core.compiled.jit import ONE, kernel
from saboteur_env.engine.cards import FIRST_BREAK, FIRST_REPAIR, KIND_OF_ORIENTATION, KINDS, MAP, ROCKFALL
from saboteur_env.engine.editions import Rules
from saboteur_env.engine.legal import MAX_MOVES
from saboteur_env.engine.moves import (
    BREAK,
    DISCARD,
    LAY,
    READ,
    REPAIR,
    ROCK,
    card_of,
    move,
    move_of,
    seat_of,
    verb_of,
)
from saboteur_env.engine.play import play_unchecked
from saboteur_env.game.view import View
from tests.support.samples import assert_even, begin, samples_of, step, table_of


@kernel
def play(games, number):
    play_unchecked(games[0], number)


DECKS = {
    "actions": {"NS": 1, "EW": 2, "map": 1, "break:cart": 1, "repair:cart": 1, "rockfall": 1, "xE": 1},
    "equal cards": {"EW": 3, "NES": 2, "map": 2, "break:cart": 1},
    "no deck left": {"EW": 2, "NEW": 1, "map": 1, "break:lantern": 1, "xE": 1},
}


def small_rules(deck, goals, edition="lv"):
    return Rules.make(
        3, edition, 1, {"deck": DECKS[deck], "hand_size": 2, "goal_cells": goals, "first_seat": 0, "break_self": True}
    )


@cache
def begun(rules):
    games = table_of(rules)
    begin(games, ONE)
    return games


@kernel
def hand_out(games, order):
    game, left = games[0], len(order)
    game.secret.deck[:left] = order
    for seat in range(game.public.rules.players):
        private = game.private[seat]
        private.hand[:] = 0
        private.kinds = 0
        for _ in range(game.public.rules.hand_size):
            left -= 1
            kind = game.secret.deck[left]
            private.hand[kind] += 1
            private.kinds |= ONE << np.uint64(kind)
            game.secret.deck[left] = 0
        game.public.hand_count[seat] = game.public.rules.hand_size
    game.public.deck_count = left


def deal(rules, order, roles=None, faces=None):
    """A round with this deck, the next card last."""
    games = begun(rules).copy()
    hand_out(games, np.array(order))
    secret = games[0].secret
    if roles is not None:
        for seat in range(rules.players):
            games[0].private[seat].role = roles[seat]
        secret.aside = roles[rules.players]
        secret.face[: len(faces)] = faces
    return games


def moves_of(games):
    """The moves of the round with their seats, hidden cards included."""
    laid = [list(private.discards[: private.discard_count]) for private in games[0].private]
    told = []
    for event in games[0].public.events[: games[0].public.event_count].tolist():
        seat, number = seat_of(event), move_of(event)
        told.append((seat, move(DISCARD, int(laid[seat].pop(0)), 0) if verb_of(number) == DISCARD else number))
    return told


def replays(games, told, viewer):
    """All ways in which the round may have gone from this deal: pairs of a game and its weight.

    What others laid face down may have been any of their cards. Equal cards are different cards: who holds two
    of a kind has two ways to play it.
    """
    if not told:
        yield games, 1
        return
    (seat, number), *rest = told
    hidden = verb_of(number) == DISCARD and seat != viewer
    held = games[0].private[seat].hand.tolist()
    if games[0].public.seat != seat:
        return
    for other in [move(DISCARD, kind, 0) for kind in range(len(KINDS))] if hidden else [number]:
        kind = kind_of(other)
        copies = 1 if kind is None else held[kind]
        if copies:
            after = games.copy()
            play(after, other)
            yield from ((game, copies * ways) for game, ways in replays(after, rest, viewer))


@cache
def kind_of(number):
    """The card that a move takes from the hand, None for a pass or a choice."""
    verb, card = verb_of(number), card_of(number)
    return {
        LAY: int(KIND_OF_ORIENTATION[card]),
        BREAK: FIRST_BREAK + card,
        REPAIR: FIRST_REPAIR + (card & 7),
        ROCK: ROCKFALL,
        READ: MAP,
        DISCARD: card,
    }.get(verb)


def hand(games, seat):
    return tuple(games["private"]["hand"][0, seat].nonzero()[0].tolist()), games["private"]["hand"][0, seat].max()


def marks(games, seat):
    """What may differ between two games that `seat` cannot tell apart, each mark small enough to count."""
    private, secret, public = games[0].private, games[0].secret, games[0].public
    one, other = (seat + 1) % 3, (seat + 2) % 3
    yield "a hand", hand(games, one)
    yield "both hands", (hand(games, one)[0], hand(games, other)[0])
    yield "discards", tuple(tuple(private[who].discards[:8].tolist()) for who in (one, other))
    yield "next card and a hand", (int(secret.deck[max(0, public.deck_count - 1)]), hand(games, other))
    yield "last card and discards", (int(secret.deck[0]), tuple(private[one].discards[:2].tolist()))
    yield "the deck's ends", (int(secret.deck[0]), int(secret.deck[1]), int(secret.deck[max(0, public.deck_count - 1)]))


SCENES = [(deck, turns, [[3, 0]], 10) for deck in DECKS for turns in (0, 3, 5)]
SCENES += [("actions", 4, [[2, -1], [2, 1]], seed) for seed in (61, 205, 441)]


def mid_round(deck, turns, goals, seed):
    """The settings, a deal, and what became of it after some random turns."""
    rules, rng = small_rules(deck, goals), random.Random(turns + seed)
    cards = [kind for kind, copies in enumerate(rules.deck) for _ in range(copies)]
    dealt = deal(rules, rng.sample(cards, len(cards)))
    games, moves = dealt.copy(), np.empty(MAX_MOVES, np.int32)
    for _ in range(turns):
        step(games, moves, np.uint64(rng.getrandbits(64)), 20)
    return rules, dealt, games


@pytest.mark.parametrize(("deck", "turns", "goals", "seed"), SCENES)
def test_deals_that_fit_come_up_evenly(deck, turns, goals, seed):
    rules, dealt, games = mid_round(deck, turns, goals, seed)
    cards = [kind for kind, copies in enumerate(rules.deck) for _ in range(copies)]
    roles = [*(int(dealt[0].private[seat].role) for seat in range(3)), int(dealt[0].secret.aside)]
    faces = dealt[0].secret.face[: len(goals)].tolist()
    for seat in range(3):
        view, expected, result = View.of(games, rules, seat), {}, {}
        for order in orders(cards, dealt[0].private[seat].hand, rules, seat):
            for game, weight in replays(deal(rules, order, roles, faces), moves_of(games), seat):
                if View.of(game, rules, seat) == view:
                    for name, mark in marks(game, seat):
                        expected.setdefault(name, Counter())[mark] += weight
        for sample in samples_of(games, seat).reshape(-1, 1):
            for name, mark in marks(sample, seat):
                result.setdefault(name, Counter())[mark] += 1
        for name in expected:
            assert_even(result[name], expected[name], f"{deck}, {turns} turns, seat {seat}, {name}")


def orders(cards, private, rules, seat):
    """All different orders of a deck, the next card last, that deal `seat` these cards first."""
    held = [kind for kind in range(len(KINDS)) for _ in range(private[kind])]
    left = Counter(cards) - Counter(held)
    coord = len(cards) - rules.hand_size * (seat + 1)
    for rest in distinct(tuple(sorted(left.items()))):
        for mine in set(permutations(held)):
            yield (*rest[:coord], *mine, *rest[coord:])


def distinct(left):
    """All different orders of cards given as (card, copies)."""
    if not left:
        yield ()
    for i, (card, copies) in enumerate(left):
        rest = left[:i] + (((card, copies - 1),) if copies > 1 else ()) + left[i + 1 :]
        for order in distinct(rest):
            yield (card, *order)


def test_the_scenes_have_seen_every_kind_of_turn():
    seen = {verb_of(number) for scene in SCENES for _, number in moves_of(mid_round(*scene)[2])}
    assert seen >= {LAY, BREAK, REPAIR, ROCK, READ, DISCARD}
