"""What a seed deals."""

import json
import subprocess
import sys
from collections import Counter
from math import comb

import pytest
from scipy.stats import chi2

from saboteur_env import Game, game_seed
from saboteur_env.engine.cards import PRINTED_DECK
from saboteur_env.engine.editions import ROLE_TABLES
from tests.support.matches import finished_round, match
from tests.support.positions import data_of


def test_the_next_round_is_dealt_only_after_one_is_over_and_not_after_the_last():
    game = Game(players=3, seed=1)
    with pytest.raises(ValueError, match="round 1 is not over yet"):
        game.next_round()
    game = finished_round()
    game.next_round()
    assert (game.round, game.round_over, game.winner) == (2, False, None)
    last = finished_round(rounds=1)
    before = last.copy()
    assert last.over
    with pytest.raises(ValueError, match="the match is over after 1 rounds"):
        last.next_round()
    assert last == before


ELSEWHERE = """
from tests.support.matches import match
print(match(17, players=6, edition="uk", options={"draft": True}).to_json())
"""


def test_the_same_seed_is_the_same_match_in_another_process():
    here = match(17, players=6, edition="uk", options={"draft": True}).to_json()
    run = subprocess.run([sys.executable, "-c", ELSEWHERE], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == here


def test_a_seed_is_drawn_where_none_is_given():
    assert Game(players=3) != Game(players=3)


@pytest.mark.parametrize("name", ["deck", "hands"])
def test_different_rounds_are_dealt_differently(name):
    game, dealt = Game(players=3, seed=5), []
    while True:
        dealt.append(str(data_of(game)[name]))
        while not game.round_over:
            game.play(next(move for move in game.legal_moves() if move.startswith("discard")))
        if game.over:
            break
        game.next_round()
    assert len(set(dealt)) == 3


def test_a_round_is_dealt_alike_however_the_one_before_was_played():
    quick, slow = match(9, rounds=2), Game(players=4, seed=9, rounds=2)
    while not slow.round_over:
        slow.play(slow.legal_moves()[-1])
    slow.next_round()
    first = json.loads(quick.transcript())["rounds"][1]["deal"]
    for name in ("roles", "role_aside", "hands", "deck", "goals"):
        assert data_of(slow)[name] == first[name]


def test_seeds_of_a_batch_are_all_different():
    seeds = {game_seed(seed, index, episode) for seed in range(5) for index in range(40) for episode in range(5)}
    assert len(seeds) == 1000
    assert all(0 <= seed < 2**64 for seed in seeds)
    assert game_seed(3, 7) == game_seed(3, 7, episode=0)
    assert Game(players=3, seed=game_seed(2**64 - 1, 0)).round == 1


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_of_a_batch_that_is_none_is_refused(seed):
    with pytest.raises(ValueError, match="seed must be a whole number"):
        game_seed(seed, 0)


SABOTEURS = [(roles, players) for roles in ("aside", "persian") for players in range(3, 11)]


@pytest.mark.parametrize(("roles", "players"), SABOTEURS)
def test_roles_are_dealt_as_from_a_shuffled_pool(roles, players):
    saboteurs, miners = ROLE_TABLES[roles][players]
    games, seats, counts = 150, Counter(), Counter()
    for seed in range(games):
        data = data_of(Game(players=players, seed=seed, options={"roles": roles}))
        assert Counter([*data["roles"], data["role_aside"]])["saboteur"] == saboteurs
        at_table = [seat for seat, role in enumerate(data["roles"]) if role == "saboteur"]
        counts[len(at_table)] += 1
        seats.update(at_table)
    pool = saboteurs + miners
    expected = {
        number: games * comb(saboteurs, number) * comb(miners, players - number) / comb(pool, players)
        for number in range(saboteurs + 1)
        if 0 <= players - number <= miners
    }
    assert set(counts) <= set(expected)
    assert_like(counts, expected)
    assert_like(seats, dict.fromkeys(range(players), games * saboteurs / pool))


def assert_like(counts, expected):
    """Counts that chance would give: a chi-square that is passed but once in a million times."""
    distance = sum((counts[thing] - wanted) ** 2 / wanted for thing, wanted in expected.items())
    assert distance <= chi2.isf(1e-6, max(1, len(expected) - 1)), f"{dict(counts)} and not about {expected}"


ASIDE = {3: (1, 3), 4: (1, 4), 5: (2, 4), 6: (2, 5), 7: (3, 5), 8: (3, 6), 9: (3, 7), 10: (4, 7)}


@pytest.mark.parametrize(("players", "pool"), ASIDE.items())
def test_the_pool_of_roles_is_that_of_the_rules(players, pool):
    data = data_of(Game(players=players, seed=1))
    everybody = Counter([*data["roles"], data["role_aside"]])
    assert (everybody["saboteur"], everybody["miner"]) == pool


@pytest.mark.parametrize(
    ("players", "pool"), [(5, (2, 3)), (6, (2, 4)), (7, (3, 4)), (8, (3, 5)), (9, (3, 6)), (10, (4, 6))]
)
def test_the_persian_pool_leaves_nobody_aside(players, pool):
    data = data_of(Game(players=players, edition="fa", seed=1))
    everybody = Counter(data["roles"])
    assert (everybody["saboteur"], everybody["miner"], data["role_aside"]) == (*pool, None)


@pytest.mark.parametrize("players", [3, 5, 10])
def test_the_first_seat_is_drawn_evenly_or_as_set(players):
    seats = Counter(Game(players=players, seed=seed).seat for seed in range(600))
    assert_like(seats, dict.fromkeys(range(players), 600 / players))
    for seat in range(players):
        game = Game(players=players, seed=1, options={"first_seat": seat})
        assert (game.seat, data_of(game)["first_seat"]) == (seat, seat)


def test_the_treasure_and_the_first_card_are_dealt_evenly():
    goals, cards = Counter(), Counter()
    for seed in range(900):
        data = data_of(Game(players=3, seed=seed))
        goals[[goal["face"] for goal in data["goals"]].index("treasure")] += 1
        cards[data["deck"][0]] += 1
    assert_like(goals, dict.fromkeys(range(3), 300))
    assert_like(cards, {card: 900 * copies / 67 for card, copies in PRINTED_DECK.items()})
