"""Gold in games made from a view is as likely as it is dealt: paid by hand from every deck, card by card.

Worked out apart from the engine, out of the rules' words.
"""

import random
from collections import Counter
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest

from saboteur_env import Game
from saboteur_env.core.compiled.jit import ONE, kernel
from saboteur_env.engine.cards import GOLD_COPIES
from saboteur_env.engine.editions import Rules
from saboteur_env.engine.gold import pay, take
from saboteur_env.engine.state import CHOOSE_GOLD, MINERS, SABOTEURS, blank
from saboteur_env.game.view import View
from saboteur_env.inference.gold_history import TRIES
from saboteur_env.inference.resample import resampled
from tests.support.positions import GOLD, position
from tests.support.samples import assert_even, begin, count_failures, next_round, samples_of, table_of


@kernel
def end_round(games):
    pay(games[0])


class Unpaid(Exception):
    """This deck does not lead to what the seat knows."""


class Tape:
    """The gold cards of a deck as they are first seen; `More` where the tape ends."""

    class More(Exception):
        pass

    def __init__(self, values, own_before):
        self.values, self.place, self.chance = values, 0, 1.0
        self.left = [copies - own_before.count(value) for value, copies in enumerate(GOLD_COPIES, 1)]

    def next(self):
        if self.place == len(self.values):
            raise Tape.More
        value = self.values[self.place]
        self.chance *= self.left[value - 1] / sum(self.left)
        self.left[value - 1] -= 1
        self.place += 1
        return value


def decks(pay_all, own_before):
    """What comes of every deck that fits, with its chance; decks rarer than 1e-7 are left out."""
    expected, tapes = Counter(), [()]
    while tapes:
        values = tapes.pop()
        tape = Tape(values, own_before)
        try:
            outcome = pay_all(tape)
        except Unpaid:
            continue
        except Tape.More:
            if tape.chance > 1e-7:
                tapes += [(*values, value) for value in (1, 2, 3) if tape.left[value - 1]]
            continue
        expected[outcome] += tape.chance
    return expected


def plain(record, *names):
    """Fields of a record as Python's own numbers and lists, which are read faster."""
    return SimpleNamespace(**{name: record[name].tolist() for name in names})


class ByHand:
    """The payments of a match as `view` tells them, out of the rules' words (6.1, 6.2)."""

    def __init__(self, view):
        names = ("seat", "round_number", "choice", "gold_left", "over", "nuggets")
        self.public, self.seat, self.players = plain(view.public, *names), view.seat, view.rules.players
        self.past = [plain(past, "winner", "roles", "last_seat", "shortfall") for past in view.public.past]
        self.draft, self.rounds = view.rules.draft, view.rules.rounds
        taken = view.public.gold_count
        self.picks = list(
            zip(view.public.gold_round[:taken].tolist(), view.public.gold_seat[:taken].tolist(), strict=True)
        )
        forgotten = sum(seat == view.seat for number, seat in self.picks if number == 0)
        self.private, self.offers = view.gold[forgotten:], view.offers[forgotten:]
        self.own_before = view.gold[:forgotten]
        self.size = sum(GOLD_COPIES) - sum(number == 0 for number, _ in self.picks)
        self.look = min(2 if self.size < 9 else 1, self.public.gold_left)

    def pay_all(self, tape):
        """The values of all picks, and the top of the deck then."""
        self.tape, self.deck, self.values = tape, [None] * self.size, []
        self.mine, self.seen = list(self.private), [sorted(offer) for offer in self.offers]
        for number in range(1, self.public.round_number + 1):
            takers = [seat for other, seat in self.picks if other == number]
            winner = self.past[number - 1].winner
            if number == self.public.round_number and self.public.choice == CHOOSE_GOLD:
                self.miners(takers, sum(GOLD_COPIES) - len(self.picks) - self.public.gold_left)
            elif winner == MINERS and takers:
                self.miners(takers, 0)
            elif winner == MINERS:
                cards = min(9, self.players, len(self.deck))
                self.deck = self.deck[cards:] + self.deck[:cards]
            elif winner == SABOTEURS:
                self.saboteurs(self.past[number - 1], takers)
        if self.public.over and self.public.round_number == self.rounds:
            sums = Counter()
            for (_, seat), value in zip(self.picks, self.values, strict=True):
                sums[seat] += value
            self.check(all(sums[seat] == self.public.nuggets[seat] for seat in range(self.players)))
        return tuple(self.values), tuple(self.draw() for _ in range(self.look))

    def check(self, fits):
        if not fits:
            raise Unpaid

    def draw(self):
        card = self.deck.pop(0)
        return self.tape.next() if card is None else card

    def give(self, seat, value):
        self.values.append(value)
        if seat == self.seat:
            self.check(self.mine.pop(0) == value)

    def miners(self, takers, waiting):
        cards = [self.draw() for _ in range(len(takers) + waiting)]
        cards = cards if self.draft else sorted(cards, reverse=True)
        for i, seat in enumerate(takers):
            if self.draft and seat == self.seat:
                self.check(sorted(cards[i:]) == self.seen.pop(0))
            self.give(seat, cards[i])
        if waiting and self.public.seat == self.seat:
            self.check(sorted(cards[len(takers) :]) == self.seen.pop(0))

    def saboteurs(self, past, takers):
        roles = [past.roles >> seat & 1 for seat in range(self.players)]
        due = {1: 4, 2: 3, 3: 3}.get(sum(roles), 2)
        for step in range(1, self.players + 1):
            seat = (past.last_seat + step) % self.players
            if roles[seat]:
                cards = self.exactly(due)
                self.check(len(cards) == takers.count(seat))
                self.check(sum(cards) == due - past.shortfall[seat])
                for value in cards:
                    self.give(seat, value)
                    self.seen = self.seen[seat == self.seat :]

    def exactly(self, due):
        taken, passed = [], 0
        while sum(taken) < due and passed < len(self.deck):
            card = self.draw()
            if card <= due - sum(taken):
                taken.append(card)
                passed = 0
            else:
                self.deck.append(card)
                passed += 1
        if sum(taken) == due:
            return taken
        self.deck += taken
        sets = {chosen for size in range(5) for chosen in combinations(range(len(self.deck)), size)}
        worth = {chosen: [self.deck[coord] for coord in chosen] for chosen in sets}
        best = max(
            (chosen for chosen in sets if sum(worth[chosen]) <= due),
            key=lambda chosen: (sum(worth[chosen]), -len(chosen), worth[chosen].count(3), [-coord for coord in chosen]),
        )
        self.deck = [card for coord, card in enumerate(self.deck) if coord not in best]
        return worth[best]


def paid(games, rules, winners, seed, barred=()):
    """A match in which the rounds are won like this, up to a draft's middle where the last one is `drafting`."""
    rng, public = random.Random(seed), games[0].public
    for i, winner in enumerate(winners):
        if i:
            next_round(games)
        roles = [int(games[0].private[seat].role) for seat in range(rules.players)]
        if winner == "saboteurs" and not any(roles):
            coord = rng.randrange(rules.players)
            games[0].private[coord].role, games[0].secret.aside = 1, 0
            roles[coord] = 1
        public.roles = sum(role << seat for seat, role in enumerate(roles)) | max(0, int(games[0].secret.aside)) << 10
        public.last_seat = rng.randrange(rules.players)
        public.winner = SABOTEURS if winner == "saboteurs" else MINERS
        for seat in range(rules.players):
            public.broken[seat] = i in barred
        end_round(games)
        picks = 1 if winner == "drafting" else 99
        while public.choice == CHOOSE_GOLD and picks:
            private = games[0].private[public.seat]
            offer = View.of(games, rules, int(public.seat)).offers[-1]
            assert private.gold[private.gold_count] & 3 == 0
            take_card(games, rng.choice(offer))
            picks -= 1
    if public.over and public.round_number < rules.rounds:
        next_round(games)
    return games


@kernel
def take_card(games, value):
    take(games[0], value)


def assert_gold(games, rules, seat, what):
    view = View.of(games, rules, seat)
    by_hand = ByHand(view)
    expected = decks(by_hand.pay_all, by_hand.own_before)
    result = Counter()
    for sample in samples_of(games, seat):
        cursor, values = Counter(), []
        for number, taker in by_hand.picks:
            value = int(sample.private[taker].gold[cursor[taker]]) & 3
            cursor[taker] += 1
            values += [value] if number else []
        result[tuple(values), tuple(sample.secret.gold_deck[: by_hand.look].tolist())] += 1
    assert_even(result, expected, what)
    assert_even(by_first(result), by_first(expected), f"{what}, values alone")


def by_first(counts):
    alone = Counter()
    for (first, _), number in counts.items():
        alone[first] += number
    return alone


PAID = [
    (3, 3, {}, ["miners"]),
    (3, 3, {}, ["saboteurs"]),
    (4, 3, {}, ["miners"]),
    (3, 1, {}, ["miners"]),
    (3, 3, {"role_table": {"saboteurs": 2, "miners": 1}}, ["saboteurs"]),
    (3, 3, {}, ["miners", "saboteurs"]),
    (3, 3, {}, ["saboteurs", "miners"]),
    (3, 2, {}, ["saboteurs", "miners"]),
    (3, 3, {}, ["saboteurs", "saboteurs"]),
    (3, 3, {"draft": True}, ["miners"]),
    (3, 3, {"draft": True}, ["drafting"]),
    (4, 3, {"draft": True}, ["drafting"]),
    (3, 3, {"draft": True}, ["saboteurs", "drafting"]),
    (3, 2, {"draft": True}, ["miners", "miners"]),
]


@pytest.mark.parametrize(("players", "rounds", "options", "winners"), PAID)
def test_gold_that_fits_comes_up_as_likely_as_it_is_dealt(players, rounds, options, winners):
    rules = Rules.make(players, "lv", rounds, options)
    for seed in range(2):
        games = table_of(rules)
        begin(games, np.uint64(seed + 20))
        paid(games, rules, winners, seed)
        assert_gold(games, rules, seed, f"{winners}, {options}, seat {seed}")


FEW = [(4, ["saboteurs", "saboteurs"]), (5, ["miners", "saboteurs"]), (5, ["saboteurs", "miners"]), (3, ["saboteurs"])]


@pytest.mark.parametrize(("left", "winners"), FEW)
def test_a_deck_that_comes_round(left, winners):
    """Most of the gold was taken in rounds that nobody remembers."""
    for seed in range(2):
        rng = random.Random(seed)
        cards = rng.sample(GOLD, len(GOLD))
        taken = [cards[left::3], cards[left + 1 :: 3], cards[left + 2 :: 3]]
        game = position(gold=taken, gold_deck=cards[:left], round=2, rounds=9, roles=["miner", "miner", "saboteur"])
        games, rules = game._games, game.rules
        paid(games, rules, winners, seed)
        for seat in (1, 2):
            assert_gold(games, rules, seat, f"{left} cards, {winners}, seed {seed}, seat {seat}")


def test_cards_that_went_under_unseen():
    """Where every miner has a broken tool, the cards go back under the deck (6.4)."""
    rules = Rules.make(3, "fa", 9, {"broken_no_gold": True})
    games = table_of(rules)
    begin(games, np.uint64(4))
    paid(games, rules, ["miners", "saboteurs"], 1, barred=(0,))
    assert_gold(games, rules, 0, "one round without gold")


def test_a_past_that_breaks_the_rules_is_met_by_halves():
    """One saboteur, who is due four nuggets, was paid six: only the numbers of cards are kept."""
    roles = ["miner", "miner", "saboteur"]
    past = {"winner": "saboteurs", "roles": roles, "role_aside": "miner", "first_seat": 0, "last_seat": 1}
    past["gold"] = [[2, 3], [2, 3]]
    game = position(round=2, past=[past], gold=[[], [], [3, 3]], roles=roles, seat=0)
    view = game.view(2)
    assert count_failures(game._games, 2, blank(), ONE) >= 2 * TRIES
    made = resampled(view.info_state, 1)
    assert Game.from_json(Game._of(made, game.rules).to_json()).view(2) == view
