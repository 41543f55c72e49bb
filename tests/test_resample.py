"""A game made from a view cannot be told from the real one, and all that it could be come up evenly.

What is likely is worked out apart from the engine's resampling: the deals of small decks are all played
again, and gold is paid by hand from every deck.
"""

import random
from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest
from scipy.stats import chisquare

from saboteur_env import Game
from saboteur_env.engine import chance
from saboteur_env.engine.cards import (
    FIRST_BREAK,
    FIRST_REPAIR,
    GOLD_COPIES,
    KIND_OF_LIE,
    KINDS,
    MAP,
    ROCKFALL,
    STONE_NE,
    STONE_NW,
    TREASURE,
    UNKNOWN,
)
from saboteur_env.engine.deal import start_match
from saboteur_env.engine.editions import Rules
from saboteur_env.engine.gold import pay, take
from saboteur_env.engine.gold_history import TRIES, guess_gold
from saboteur_env.engine.jit import ONE, ZERO, kernel
from saboteur_env.engine.legal import MAX_MOVES, legal_moves
from saboteur_env.engine.memory import copy_record
from saboteur_env.engine.moves import BREAK, DISCARD, LAY, READ, REPAIR, ROCK, card_of, move, move_of, seat_of, verb_of
from saboteur_env.engine.play import next_round_unchecked, play_unchecked
from saboteur_env.engine.resample import resample, resampled
from saboteur_env.engine.state import CHOOSE_GOAL, CHOOSE_GOLD, CHOOSE_TURN, MINERS, SABOTEURS, blank
from saboteur_env.engine.view import View
from tests.lockstep import table
from tests.positions import GOLD, played, position

P_VALUE = 1e-5  # there are some two hundred of these tests, with fixed seeds
DRAWS = 4000


# Kernels that do in bulk what the tests need.


@kernel
def step(games, moves, stream, eager):
    """Play a random move, or deal the next round; `eager` of 100 times a path card where there is one."""
    game = games[0]
    public = game.public
    if public.over:
        next_round_unchecked(game)
        return
    size = legal_moves(public, game.private[public.seat], moves)
    lays = 0
    while lays < size and verb_of(np.int64(moves[lays])) == LAY:
        lays += 1
    lot, counter = chance.below(stream, ZERO, 100)
    pick = chance.below(stream, counter, lays if lays > 0 and lot < eager else size)[0]
    play_unchecked(game, np.int64(moves[pick]))


@kernel
def play_out(games, moves, stream):
    """Play the match to its end."""
    public = games[0].public
    while not (public.over and public.round_number == public.rules.rounds):
        step(games, moves, stream, 50)
        stream += ONE


@kernel
def resample_often(games, seat, samples, stream):
    """Fill all games of `samples` from one view."""
    for i in range(len(samples)):
        resample(games[0].public, games[0].private[seat], seat, samples[i], stream + np.uint64(i))


@kernel
def begin(games, seed):
    start_match(games[0], seed)


@kernel
def play(games, number):
    play_unchecked(games[0], number)


@kernel
def end_round(games):
    pay(games[0])


@kernel
def next_round(games):
    next_round_unchecked(games[0])


@kernel
def count_failures(games, seat, scratch, stream):
    public = games[0].public
    copy_record(scratch[0].public, public)
    return guess_gold(scratch[0], public, games[0].private[seat], seat, stream)


def table_of(rules):
    """A game with these settings, not yet dealt."""
    games = blank()
    rules.write(games[0].public.rules)
    return games


def samples_of(games, seat, number=DRAWS, seed=1):
    samples = blank(number)
    resample_often(games, seat, samples, np.uint64(seed))
    return samples


def assert_even(seen, expected, what):
    """The counts of `seen` are what the weights of `expected` make likely; rare ones are pooled."""
    assert not set(seen) - set(expected), f"{what}: impossible {set(seen) - set(expected)}"
    total, whole = sum(seen.values()), sum(expected.values())
    rows = sorted((weight / whole * total, seen[key]) for key, weight in expected.items())
    while len(rows) > 1 and rows[0][0] < 8:
        (one, first), (other, second), *rest = rows
        rows = sorted([(one + other, first + second), *rest])
    if len(rows) > 1:
        wanted, found = zip(*rows, strict=True)
        result = chisquare(found, np.array(wanted) * total / sum(wanted))
        assert result.pvalue > P_VALUE, f"{what}: p = {result.pvalue:.2g}, {rows}"


# Whatever happened, the view stays as it is and the game goes on.


def wander(rng, number):
    """Points of random matches at all kinds of tables, more of the rare choices: games and their rules."""
    moves = np.empty(MAX_MOVES, np.int32)
    while number > 0:
        settings = table(rng)
        try:
            rules = Rules.make(**settings)
        except ValueError:
            continue
        games, eager = table_of(rules), rng.choice([0, 60, 95, 95])
        begin(games, np.uint64(rng.getrandbits(64)))
        public = games[0].public
        while number > 0:
            stone = public.choice in (CHOOSE_TURN, CHOOSE_GOAL)
            wanted = 1 if stone else 0.5 if public.choice or public.over else 0.03
            if rng.random() < wanted:
                number -= 1
                yield games, rules
            if public.over and public.round_number == rules.rounds:
                break
            step(games, moves, np.uint64(rng.getrandbits(64)), eager)


def is_the_end(view):
    """Whether the match is over, so that all sums of gold are known."""
    return bool(view.public.over) and int(view.public.round_number) == view.rules.rounds


@pytest.fixture(scope="module")
def points():
    """Views in the thousands: each with a game made from it."""
    rng = random.Random(5)
    found = []
    for games, rules in wander(rng, 700):
        for seat in range(rules.players):
            view = View.of(games, rules, seat)
            made = resampled(view.public, view.own, seat, rng.getrandbits(64))
            found.append((view, made, games.copy() if seat == 0 else None))
    return found


def test_the_points_are_of_all_kinds(points):
    assert len(points) > 3000
    kinds = Counter()
    for view, _, _ in points:
        kinds["choice", int(view.public.choice)] += 1
        kinds["later round"] += int(view.public.round_number) > 1
        kinds["gold"] += int(view.public.gold_count) > 0
        kinds["won", int(view.public.winner)] += 1
        kinds["hidden cards"] += bool(view.public.hidden.any())
        kinds["the end"] += is_the_end(view)
    assert all(kinds["choice", choice] for choice in range(4)), kinds
    assert all(kinds["won", winner] for winner in range(4)), kinds
    assert min(kinds.values()) > 5, kinds


def test_the_view_stays_the_same(points):
    for view, made, _ in points:
        assert View.of(made, view.rules, view.seat) == view


def test_what_is_made_is_a_position_that_reloads_the_same(points):
    for view, made, _ in points[::5]:
        game = Game._of(made, view.rules)
        again = Game.from_json(game.to_json())
        assert again == game or is_the_end(view), (again.to_json(), game.to_json())


def test_what_is_made_goes_on_to_the_end(points):
    moves = np.empty(MAX_MOVES, np.int32)
    for view, made, _ in points:
        games = made.copy()
        play_out(games, moves, np.uint64(view.seat))
        public, players = games[0].public, view.rules.players
        taken = Counter(int(entry) & 3 for own in games[0].private for entry in own.gold[: own.gold_count])
        taken += Counter(games[0].secret.gold_deck[: public.gold_left].tolist())
        assert taken == Counter(dict(enumerate(GOLD_COPIES, 1)))
        sums = [sum(int(entry) & 3 for entry in own.gold) for own in games[0].private]
        assert public.nuggets[:players].tolist() == sums[:players]


def test_nothing_is_taken_from_secrets(points):
    for view, made, games in points[::3]:
        if games is not None:
            assert View.of(games, view.rules, 0) == View.of(made, view.rules, 0)
            one, other = samples_of(games, 0, 2), samples_of(made, 0, 2)
            assert one.tobytes() == other.tobytes()


def test_all_of_a_used_record_is_overwritten(points):
    used = blank()
    for view, made, _ in points[:600:3]:
        resample(view.public, view.own, view.seat, used[0], np.uint64(3))
        fresh = resampled(view.public, view.own, view.seat, 3)
        assert used.tobytes() == fresh.tobytes()
        used = made.copy()


def test_seeds_differ_and_are_kept():
    view = Game(players=5, seed=3).view(1)
    made = [resampled(view.public, view.own, 1, seed).tobytes() for seed in (3, 3, 4)]
    assert made[0] == made[1] != made[2]


def test_the_gold_of_three_rounds_is_exact(points):
    scratch = blank()
    for view, made, _ in points:
        if view.rules.rounds <= 3 and not is_the_end(view):
            assert count_failures(made, view.seat, scratch, np.uint64(1)) < TRIES


# Cards, roles and goals: all deals of small decks are played again.

DECKS = {
    "actions": {"NS": 1, "EW": 2, "map": 1, "break:cart": 1, "repair:cart": 1, "rockfall": 1, "xE": 1},
    "equal cards": {"EW": 3, "NES": 2, "map": 2, "break:cart": 1},
    "no deck left": {"EW": 2, "NEW": 1, "map": 1, "break:lantern": 1, "xE": 1},
}


def small_rules(deck, goals, edition="lv"):
    return Rules.make(
        3, edition, 1, {"deck": DECKS[deck], "hand_size": 2, "goal_cells": goals, "first_seat": 0, "break_self": True}
    )


def deal(rules, order, roles=None, faces=None):
    """A round with this deck, the next card last."""
    games = table_of(rules)
    begin(games, ONE)
    public, secret = games[0].public, games[0].secret
    secret.deck[: len(order)] = order
    public.deck_count = len(order)
    for seat in range(rules.players):
        own = games[0].private[seat]
        own.hand[:] = 0
        for _ in range(rules.hand_size):
            public.deck_count -= 1
            own.hand[secret.deck[public.deck_count]] += 1
            secret.deck[public.deck_count] = 0
        own.kinds = sum(1 << kind for kind in range(len(KINDS)) if own.hand[kind])
        public.hand_count[seat] = rules.hand_size
    if roles is not None:
        for seat in range(rules.players):
            games[0].private[seat].role = roles[seat]
        secret.aside = roles[rules.players]
        secret.face[: len(faces)] = faces
    return games


def moves_of(games):
    """The moves of the round with their seats, hidden cards included."""
    laid = [list(own.discards[: own.discard_count]) for own in games[0].private]
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
    for other in [move(DISCARD, kind, 0) for kind in range(len(KINDS))] if hidden else [number]:
        kind = kind_of(other)
        copies = 1 if kind is None else int(games[0].private[seat].hand[kind])
        if copies and games[0].public.seat == seat:
            after = games.copy()
            play(after, other)
            yield from ((game, copies * ways) for game, ways in replays(after, rest, viewer))


def kind_of(number):
    """The card that a move takes from the hand, None for a pass or a choice."""
    verb, card = verb_of(number), card_of(number)
    return {
        LAY: int(KIND_OF_LIE[card]),
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
        view, expected, found = View.of(games, rules, seat), {}, {}
        for order in orders(cards, dealt[0].private[seat].hand, rules, seat):
            for game, weight in replays(deal(rules, order, roles, faces), moves_of(games), seat):
                if View.of(game, rules, seat) == view:
                    for name, mark in marks(game, seat):
                        expected.setdefault(name, Counter())[mark] += weight
        for sample in samples_of(games, seat).reshape(-1, 1):
            for name, mark in marks(sample, seat):
                found.setdefault(name, Counter())[mark] += 1
        for name in expected:
            assert_even(found[name], expected[name], f"{deck}, {turns} turns, seat {seat}, {name}")


def orders(cards, own, rules, seat):
    """All different orders of a deck, the next card last, that deal `seat` these cards first."""
    held = [kind for kind in range(len(KINDS)) for _ in range(own[kind])]
    left = Counter(cards) - Counter(held)
    place = len(cards) - rules.hand_size * (seat + 1)
    for rest in distinct(tuple(sorted(left.items()))):
        for mine in set(permutations(held)):
            yield (*rest[:place], *mine, *rest[place:])


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


def others_of(view):
    return [seat for seat in range(view.rules.players) if seat != view.seat]


@pytest.mark.parametrize("edition", ["lv", "fa"])
@pytest.mark.parametrize("players", range(3, 11))
def test_roles_are_as_likely_as_the_pool_makes_them(players, edition):
    rules = Rules.make(players, edition)
    for seed in range(2):
        games = table_of(rules)
        begin(games, np.uint64(seed))
        view, aside = View.of(games, rules, seed), rules.one_aside
        saboteurs = rules.role_table[0] - int(view.own.role)
        expected, found = Counter(), Counter()
        for chosen in combinations(range(players - 1 + aside), saboteurs):
            expected[chosen] += 1
        for sample in samples_of(games, seed):
            roles = [int(sample.private[seat].role) for seat in others_of(view)] + [int(sample.secret.aside)] * aside
            found[tuple(i for i, role in enumerate(roles) if role == 1)] += 1
        assert_even(found, expected, f"{players}, {edition}, seat {seed}")


TWO_REACHED = """
 . . . . .
   |
 . o ? . .
 | |
-S-o-. . ?
 |
 . . ? . .
"""


def goals_in(samples):
    return Counter(tuple(sample.secret.face.tolist()) for sample in samples)


def test_goals_are_any_that_fit_what_was_read_and_turned_up():
    game = position(TWO_REACHED, [["NES"]], faces=["stone:NE", "stone:NW", "treasure"], maps=[[], [0], [0, 1]])
    every = Counter(permutations((TREASURE, STONE_NE, STONE_NW)))
    for seat, known in enumerate([{}, {0: STONE_NE}, {0: STONE_NE, 1: STONE_NW}]):
        samples = samples_of(game._games, seat)
        fit = {faces: 1 for faces in every if all(faces[goal] == face for goal, face in known.items())}
        assert_even(goals_in(samples), fit, f"seat {seat}")
        for sample in samples[:100]:
            assert sample.private[2].face.tolist() == [*sample.secret.face[:2].tolist(), UNKNOWN]


def test_a_goal_reached_along_with_a_stone_that_waits_is_not_the_treasure():
    game = position(TWO_REACHED, [["NES"]], faces=["stone:NE", "treasure", "stone:NW"])
    game = played(game, "NSW@2,0")
    assert game.legal_moves() == ["turn:NE", "turn:SW"]
    for seat in range(3):
        assert set(goals_in(samples_of(game._games, seat, 200))) == {(STONE_NE, TREASURE, STONE_NW)}


def test_roles_and_goals_after_the_round():
    roles = ["miner", "miner", "saboteur"]
    game = position(TWO_REACHED, [["NES"]], faces=["stone:NE", "stone:NW", "treasure"], roles=roles)
    game = played(game, "NSW@2,0")
    assert game.winner == "miners"
    samples = samples_of(game._games, 1)
    assert {(*sample.private["role"][:3].tolist(), int(sample.secret.aside)) for sample in samples} == {(0, 0, 1, 0)}
    assert_even(goals_in(samples), {(STONE_NE, STONE_NW, TREASURE): 1, (STONE_NW, STONE_NE, TREASURE): 1}, "goals")


# Gold: paid by hand from every deck, card by card.


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


class ByHand:
    """The payments of a match as `view` tells them, out of the rules' words (6.1, 6.2)."""

    def __init__(self, view):
        self.public, self.seat, self.players = view.public, view.seat, view.rules.players
        self.draft, self.rounds = view.rules.draft, view.rules.rounds
        taken = view.public.gold_count
        self.picks = list(
            zip(view.public.gold_round[:taken].tolist(), view.public.gold_seat[:taken].tolist(), strict=True)
        )
        forgotten = sum(seat == view.seat for number, seat in self.picks if number == 0)
        self.own, self.offers = view.gold[forgotten:], view.offers[forgotten:]
        self.own_before = view.gold[:forgotten]
        self.size = sum(GOLD_COPIES) - sum(number == 0 for number, _ in self.picks)
        self.look = min(2 if self.size < 9 else 1, int(view.public.gold_left))

    def pay_all(self, tape):
        """The values of all picks, and the top of the deck then."""
        self.tape, self.deck, self.values = tape, [None] * self.size, []
        self.mine, self.seen = list(self.own), [sorted(offer) for offer in self.offers]
        for number in range(1, self.public.round_number + 1):
            takers = [seat for other, seat in self.picks if other == number]
            winner = self.public.past[number - 1].winner
            if number == self.public.round_number and self.public.choice == CHOOSE_GOLD:
                self.miners(takers, sum(GOLD_COPIES) - len(self.picks) - int(self.public.gold_left))
            elif winner == MINERS and takers:
                self.miners(takers, 0)
            elif winner == MINERS:
                cards = min(9, self.players, len(self.deck))
                self.deck = self.deck[cards:] + self.deck[:cards]
            elif winner == SABOTEURS:
                self.saboteurs(self.public.past[number - 1], takers)
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
        roles = [int(past.roles) >> seat & 1 for seat in range(self.players)]
        due = {1: 4, 2: 3, 3: 3}.get(sum(roles), 2)
        for step in range(1, self.players + 1):
            seat = (int(past.last_seat) + step) % self.players
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
        worth = {chosen: [self.deck[place] for place in chosen] for chosen in sets}
        best = max(
            (chosen for chosen in sets if sum(worth[chosen]) <= due),
            key=lambda chosen: (sum(worth[chosen]), -len(chosen), worth[chosen].count(3), [-place for place in chosen]),
        )
        self.deck = [card for place, card in enumerate(self.deck) if place not in best]
        return worth[best]


def paid(games, rules, winners, seed, barred=()):
    """A match in which the rounds are won like this, up to a draft's middle where the last one is `drafting`."""
    rng, public = random.Random(seed), games[0].public
    for i, winner in enumerate(winners):
        if i:
            next_round(games)
        roles = [int(games[0].private[seat].role) for seat in range(rules.players)]
        if winner == "saboteurs" and not any(roles):
            place = rng.randrange(rules.players)
            games[0].private[place].role, games[0].secret.aside = 1, 0
            roles[place] = 1
        public.roles = sum(role << seat for seat, role in enumerate(roles)) | max(0, int(games[0].secret.aside)) << 10
        public.last_seat = rng.randrange(rules.players)
        public.winner = SABOTEURS if winner == "saboteurs" else MINERS
        for seat in range(rules.players):
            public.broken[seat] = i in barred
        end_round(games)
        picks = 1 if winner == "drafting" else 99
        while public.choice == CHOOSE_GOLD and picks:
            own = games[0].private[public.seat]
            offer = View.of(games, rules, int(public.seat)).offers[-1]
            assert own.gold[own.gold_count] & 3 == 0
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
    found = Counter()
    for sample in samples_of(games, seat):
        cursor, values = Counter(), []
        for number, taker in by_hand.picks:
            value = int(sample.private[taker].gold[cursor[taker]]) & 3
            cursor[taker] += 1
            values += [value] if number else []
        found[tuple(values), tuple(sample.secret.gold_deck[: by_hand.look].tolist())] += 1
    assert_even(found, expected, what)
    assert_even(by_first(found), by_first(expected), f"{what}, values alone")


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
    made = resampled(view.public, view.own, 2, 1)
    assert Game.from_json(Game._of(made, game.rules).to_json()).view(2) == view
