"""A game made from a view cannot be told from the real one, and all that it could be come up evenly.

What is likely is worked out apart from the engine's resampling: the deals of small decks are all played again. Gold is
in test_resample_gold.py.
"""

import random
from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest

from saboteur_env import Game
from saboteur_env.core.compiled.jit import ONE, kernel
from saboteur_env.engine.cards import GOLD_COPIES, STONE_NE, STONE_NW, TREASURE, UNKNOWN
from saboteur_env.engine.editions import Rules
from saboteur_env.engine.legal import MAX_MOVES
from saboteur_env.engine.state import blank
from saboteur_env.game.view import View
from saboteur_env.inference.gold_history import TRIES
from saboteur_env.inference.resample import resample, resampled
from tests.support.positions import played, position
from tests.support.samples import assert_even, begin, count_failures, samples_of, step, table_of, wander

# Kernels that do in bulk what the tests need.


@kernel
def play_out(games, moves, stream):
    """Play the match to its end."""
    public = games[0].public
    while not (public.over and public.round_number == public.rules.rounds):
        step(games, moves, stream, 50)
        stream += ONE


# Whatever happened, the view stays as it is and the game goes on.


def is_the_end(view):
    """Whether the match is over, so that all sums of gold are known."""
    return bool(view.public.over) and int(view.public.round_number) == view.rules.rounds


@pytest.fixture(scope="module")
def points():
    """Views in the thousands: each with a game made from it."""
    rng = random.Random(5)
    result = []
    for games, rules in wander(rng, 700):
        for seat in range(rules.players):
            view = View.of(games, rules, seat)
            made = resampled(view.info_state, rng.getrandbits(64))
            result.append((view, made, games.copy() if seat == 0 else None))
    return result


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
        taken = Counter(int(entry) & 3 for private in games[0].private for entry in private.gold[: private.gold_count])
        taken += Counter(games[0].secret.gold_deck[: public.gold_left].tolist())
        assert taken == Counter(dict(enumerate(GOLD_COPIES, 1)))
        sums = [sum(int(entry) & 3 for entry in private.gold) for private in games[0].private]
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
        resample(view.info_state, used[0], np.uint64(3))
        fresh = resampled(view.info_state, 3)
        assert used.tobytes() == fresh.tobytes()
        used = made.copy()


def test_seeds_differ_and_are_kept():
    view = Game(players=5, seed=3).view(1)
    made = [resampled(view.info_state, seed).tobytes() for seed in (3, 3, 4)]
    assert made[0] == made[1] != made[2]


def test_the_gold_of_three_rounds_is_exact(points):
    scratch = blank()
    for view, made, _ in points:
        if view.rules.rounds <= 3 and not is_the_end(view):
            assert count_failures(made, view.seat, scratch, np.uint64(1)) < TRIES


# Roles and goals.


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
        saboteurs = rules.role_table[0] - int(view.private.role)
        expected, result = Counter(), Counter()
        for chosen in combinations(range(players - 1 + aside), saboteurs):
            expected[chosen] += 1
        samples = samples_of(games, seed)
        columns = [samples["private"]["role"][:, others_of(view)], samples["secret"]["aside"][:, None][:, :aside]]
        for roles in np.hstack(columns).tolist():
            result[tuple(i for i, role in enumerate(roles) if role == 1)] += 1
        assert_even(result, expected, f"{players}, {edition}, seat {seed}")


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
