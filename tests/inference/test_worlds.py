"""The worlds that fit a view are those of a slow count, as likely as `resample` makes them; one is given, and holds."""

import random
from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest

from saboteur_env import Game
from saboteur_env.engine.cards import ROLES, STONE_NE, STONE_NW, TREASURE, UNKNOWN
from saboteur_env.game.view import View
from saboteur_env.inference.resample import resampled
from saboteur_env.inference.worlds import MAX_WORLDS, list_worlds, roles_in, treasure_in
from tests.inference.test_resample import TWO_REACHED, goals_in
from tests.support.positions import played, position
from tests.support.samples import assert_even, samples_of, wander


def worlds_of(view):
    """The worlds that fit a view: pairs of the saboteurs' bits and the treasure."""
    worlds = np.empty(MAX_WORLDS, np.int16)
    result = worlds[: list_worlds(view.info_state, worlds)].tolist()
    assert len(set(result)) == len(result)
    return [(roles_in(world), treasure_in(world)) for world in result]


def world_of(sample):
    """The world of a game's record."""
    roles = sum(int(private.role) << seat for seat, private in enumerate(sample.private[: sample.public.rules.players]))
    return roles | max(int(sample.secret.aside), 0) << 10, sample.secret.face.tolist().index(TREASURE)


def counted(view):
    """The same by sets and permutations: how many deals of roles and goals lead to each world."""
    rules, public, private = view.rules, view.public, view.private
    cards = [*range(rules.players), 10][: sum(rules.role_table)]
    pool = [sum(1 << card for card in chosen) for chosen in combinations(cards, rules.role_table[0])]
    roles = [int(public.roles)] if public.winner else [bits for bits in pool if bits >> view.seat & 1 == private.role]
    known = np.maximum(private.face, public.goal_face)[: len(rules.goal_cells)].tolist()
    faces = permutations(range(1, len(known) + 1))
    fit = [shown for shown in faces if all(face in (UNKNOWN, item) for face, item in zip(known, shown, strict=True))]
    return Counter((bits, shown.index(TREASURE)) for bits in roles for shown in fit)


def test_the_worlds_are_those_of_a_slow_count():
    kinds = Counter()
    for games, rules in wander(random.Random(3), 300):
        if games[0].public.choice:
            continue  # a stone that waits says more: tested below
        for seat in range(rules.players):
            view = View.of(games, rules, seat)
            assert Counter(worlds_of(view)).keys() == counted(view).keys()
            kinds["won", bool(view.public.winner)] += 1
            kinds["read", bool(view.private.face.any())] += 1
            kinds["aside", rules.one_aside] += 1
    assert min(kinds.values()) > 20 and len(kinds) == 6, kinds


@pytest.mark.parametrize(("players", "edition", "number"), [(10, "lv", 990), (3, "lv", 12), (10, "fa", 630)])
def test_so_many_worlds_are_dealt(players, edition, number):
    game = position(players=players, edition=edition)
    views = [game.view(seat) for seat in range(players)]
    one_of_each = {view.role: worlds_of(view) for view in views}
    assert sum(map(len, one_of_each.values())) == number


@pytest.mark.parametrize("players", [3, 5, 8])
def test_resample_comes_up_evenly_over_the_worlds(players):
    game = Game(players, seed=players)
    view = game.view(1)
    result = Counter(map(world_of, samples_of(game.records, 1, 8000)))
    assert_even(result, Counter(worlds_of(view)), f"{players} players")


def test_a_goal_reached_along_with_a_stone_that_waits_is_not_the_treasure():
    game = position(TWO_REACHED, [["NES"]], faces=["stone:NE", "treasure", "stone:NW"])
    before = {treasure for _, treasure in worlds_of(game.view(0))}
    after = {treasure for _, treasure in worlds_of(played(game, "NSW@2,0").view(0))}
    assert (before, after) == ({0, 1, 2}, {1})


def test_a_world_that_is_given_holds_and_all_else_is_as_it_was():
    rng = random.Random(8)
    for games, rules in wander(rng, 100):
        seat = rng.randrange(rules.players)
        view, seed = View.of(games, rules, seat), rng.getrandbits(64)
        free = resampled(view.info_state, seed)
        for world in rng.sample(worlds_of(view), 1):
            made = resampled(view.info_state, seed, *world)
            assert View.of(made, rules, seat) == view
            assert world_of(made[0]) == world
            for name in ("hand", "discards", "gold"):
                assert np.array_equal(made["private"][name], free["private"][name])
            for name in ("deck", "gold_deck", "seed"):
                assert np.array_equal(made["secret"][name], free["secret"][name])


def test_the_stones_of_a_given_treasure_are_even():
    view = Game(5, seed=2).view(0)
    made = np.concatenate([resampled(view.info_state, seed, treasure=1) for seed in range(2000)])
    assert_even(goals_in(made), {(STONE_NE, TREASURE, STONE_NW): 1, (STONE_NW, TREASURE, STONE_NE): 1}, "stones")


def test_roles_and_a_treasure_are_given_by_name():
    view = Game(5, seed=7).view(2)
    roles = [ROLES[0]] * 5
    roles[2] = view.role
    roles[3 if view.role == "miner" else 0] = "saboteur"
    game = view.resample(4, roles=roles, treasure=1)
    assert game.view(2) == view
    assert [game.view(seat).role for seat in range(5)] == roles
    assert world_of(game.records[0])[1] == 1
    assert view.resample(4) == view.resample(4, roles=None, treasure=None)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"roles": ["miner"] * 4}, "for each of 5 seats"),
        ({"roles": ["miner"] * 4 + ["elf"]}, "one of miner, saboteur"),
        ({"roles": "miner"}, "for each of 5 seats"),
        ({"roles": ["saboteur", "saboteur", "miner", "saboteur", "miner"]}, "3 saboteurs at the table; 2 are among"),
        ({"roles": ["miner"] * 5}, "0 saboteurs at the table; 2 are among"),
        ({"roles": ["miner", "miner", "saboteur", "saboteur", "miner"]}, "seat 2 is a miner and knows it"),
        ({"treasure": 3}, r"may lie at \[0, 1, 2\] as far as the seat knows, not at 3"),
        ({"treasure": True}, "not at True"),
    ],
)
def test_what_a_seat_knows_to_be_otherwise_is_refused(given, said):
    view = position(roles=["miner", "saboteur", "miner", "miner", "miner"], players=5).view(2)
    with pytest.raises(ValueError, match=said):
        view.resample(1, **given)


def test_a_goal_that_was_read_settles_the_treasure():
    game = position(faces=["stone:NE", "treasure", "stone:NW"], maps=[[0], [1], []])
    for seat, possible in enumerate([r"\[1, 2\]", r"\[1\]", r"\[0, 1, 2\]"]):
        with pytest.raises(ValueError, match=possible):
            game.view(seat).resample(1, treasure=9)


def test_roles_are_known_once_the_round_has_a_winner():
    roles = ["miner", "miner", "saboteur"]
    game = position(TWO_REACHED, [["NES"]], faces=["treasure", "stone:NW", "stone:NE"], roles=roles)
    view = played(game, "NSW@2,0").view(0)
    assert view.resample(1, roles=roles).view(0) == view
    with pytest.raises(ValueError, match="the round has a winner"):
        view.resample(1, roles=["miner", "saboteur", "miner"])
