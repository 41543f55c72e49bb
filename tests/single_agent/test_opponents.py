"""Opponents of any kind at every door: who plays is who was named, and nobody can see who that is."""

import pickle
from time import sleep

import gymnasium
import numpy as np
import pytest
from scipy.stats import chisquare

from saboteur_env import Game, make_vec
from saboteur_env.agents import ScriptedAgent, TimeLimit
from saboteur_env.agents.scripted.presets import number_of
from saboteur_env.core.errors import OpponentError
from saboteur_env.engine.cards import MINER, SABOTEUR
from saboteur_env.single_agent.base import SingleAgentBatch
from saboteur_env.single_agent.gym_env import SingleAgentEnv
from saboteur_env.single_agent.gym_vec import GymVec

RANDOM, SCRIPTED = (-1 - number_of(name) for name in ("random", "scripted"))
COUNTS = [3, 4, 5, 10]


class InPython:
    """The scripted dwarf, asked game by game."""

    def __init__(self, name="scripted"):
        self.agent = ScriptedAgent(name)

    def act(self, view, seed):
        return self.agent.act(view, seed)


def last(view):
    """Plays the last legal move."""
    return view.legal_moves()[-1]


def batch(opponents, players=COUNTS, seed=1, **keywords):
    games = len(players) if isinstance(players, list) else 4
    return SingleAgentBatch(games, players, opponents, seed, **{"rounds": 2, **keywords})


def play(*batches, steps=60):
    """Take the same actions in all, and check that nothing which they show tells them apart."""
    first, *others = batches
    for step in range(steps):
        for other in others:
            for name in ("observation", "mask", "reward", "ended", "role"):
                assert np.array_equal(getattr(first, name), getattr(other, name)), (step, name)
            for (i, seen, info), (j, also_seen, also_info) in zip(first.ends(), other.ends(), strict=True):
                assert i == j
                assert np.array_equal(seen, also_seen)
                assert all(np.array_equal(info[name], also_info[name]) for name in info)
        actions = first.vec.sample(step)
        for each in batches:
            each.step(actions)
    return first.vec.episode


@pytest.mark.parametrize("learner", [0, 2, "miner", "saboteur", "miners", "saboteurs"])
def test_nothing_tells_who_plays_in_kernels_and_who_in_python(learner):
    assert play(*(batch(who, learner=learner, rounds=1) for who in ("scripted", InPython))).any()


@pytest.mark.parametrize("keywords", [{"shaping": "public", "gamma": 0.9}, {"reward": "nuggets"}])
def test_rewards_are_those_among_kernels(keywords):
    play(batch("scripted", **keywords), batch(InPython(), threads=2, **keywords))


def test_a_mixture_gives_the_shares_asked_for_and_repeats_with_the_seed():
    mixture = [("scripted", 1), ("random", 2), (last, 1)]
    vec = make_vec(2000, players=3, seed=4, observations=False, mask=None, rounds=1)
    vec.control([0, mixture, mixture])
    vec.reset()
    kept = vec.playing.copy()
    _, counts = np.unique(kept[:, 1], return_counts=True)
    assert len(counts) == 3
    assert chisquare(sorted(counts), [500, 500, 1000]).pvalue > 0.001
    pairs = np.unique(kept[:, 1:3], axis=0)
    assert len(pairs) == 9  # a mixture for each seat draws for itself
    vec.reset()
    assert np.array_equal(vec.playing, kept)
    vec.reset(5)
    assert not np.array_equal(vec.playing, kept)


def test_a_mixture_for_all_draws_one_opponent_for_the_round():
    games = batch([("scripted", 1), ("random", 1)], [5] * 40)
    others = games.vec.playing[:, 1:5]
    assert (others == others[:, :1]).all()
    assert set(others[:, 0].tolist()) == {RANDOM, SCRIPTED}


def test_a_mixture_shows_no_more_than_its_members_would():
    mixed = batch([("scripted", 1), (InPython, 1)], [5] * 6)
    assert len(np.unique(mixed.vec.playing[:, 1])) == 2
    play(mixed, batch("scripted", [5] * 6))


@pytest.mark.parametrize(("learner", "role"), [("miners", MINER), ("saboteurs", SABOTEUR)])
def test_a_team_is_all_seats_of_its_role(learner, role):
    games = batch("scripted", [5, 7, 10], learner=learner)
    for step in range(80):
        for i, players in enumerate([5, 7, 10]):
            roles = games.vec.records[i]["private"]["role"][:players]
            assert np.array_equal(games.vec.playing[i, :players] == 0, roles == role)
        assert (games.role == role).all()
        games.step(games.vec.sample(step))


@pytest.mark.parametrize(("learner", "role"), [("miner", MINER), ("saboteur", SABOTEUR)])
def test_a_role_is_one_seat_of_it_and_that_seat_changes(learner, role):
    games, seats = batch("random", [5] * 30, learner=learner), set()
    for step in range(40):
        assert ((games.vec.playing[:, :5] == 0).sum(1) == 1).all()
        assert (games.role == role).all()
        seats |= set(games.vec.seat.tolist())
        games.step(games.vec.sample(step))
    assert seats == set(range(5))


def test_the_last_info_tells_the_role_the_roles_and_the_winner_of_a_team():
    games, ends = batch("random", 4, learner="saboteurs", rounds=1, reward="side"), 0
    for step in range(80):
        games.step(games.vec.sample(step))
        for i, _, info in games.ends():
            ends += 1
            sides = set(info["roles"][:4].tolist())
            assert info["role"] == (SABOTEUR if SABOTEUR in sides else MINER)
            won = info["winner"] == (1 if info["role"] == MINER else 2)
            assert games.reward[i] == (1 if won else -1)
    assert ends > 3


def test_opponents_by_role_sit_where_their_role_is_dealt():
    games = batch({"miners": "random", "saboteurs": "scripted"}, [5] * 8)
    roles, playing = games.vec.records["private"]["role"][:, 1:5], games.vec.playing[:, 1:5]
    assert np.array_equal(playing, np.where(roles == SABOTEUR, SCRIPTED, RANDOM))


def test_opponents_by_seat_sit_clockwise_from_the_learner():
    games = batch(["random", "scripted"], [3, 3], learner=2)
    assert games.vec.playing[:, :3].tolist() == [[RANDOM, SCRIPTED, 0]] * 2


@pytest.mark.parametrize("make", [SingleAgentEnv, GymVec])
def test_opponents_are_swapped_in_one_call_and_finish_their_rounds(make):
    env = make(players=3, opponents="random", rounds=2)
    env.reset(seed=1)
    env.set_opponents(last)
    assert env.games.vec.playing[0, :3].tolist() == [0, RANDOM, RANDOM]
    while not env.games.vec.round_over[0]:
        env.step(env.games.vec.sample(3)[0] if make is SingleAgentEnv else env.games.vec.sample(3))
    assert len({*env.games.vec.playing[0, :3].tolist()} - {0, RANDOM}) == 1


def test_opponents_may_be_swapped_any_number_of_times():
    games = batch("random", 3, rounds=1)
    for step in range(150):
        games.set_opponents([(lambda view: view.legal_moves()[0], 1), ("random", step)])
        games.step(games.vec.sample(step))


def test_gymnasium_makes_environments_with_opponents_of_your_own():
    env = gymnasium.make_vec("saboteur_env/Solo-v0", num_envs=2, players=3, opponents=last)
    env.reset(seed=1)
    assert "opponents: last" in repr(env.unwrapped)


def test_a_pickle_takes_its_opponents_along():
    games = batch({"miners": InPython, "saboteurs": [("random", 1), (InPython(), 1)]})
    again = pickle.loads(pickle.dumps(games))
    play(games, again)


def test_policies_outside_and_opponents_inside_share_a_batch():
    vec = make_vec(4, players=5, seed=1)
    vec.control({"miners": 1, "saboteurs": [0, "random", last, "scripted", 2]})
    vec.reset()
    for step in range(60):
        assert set(vec.playing[np.arange(4), vec.seat].tolist()) <= {0, 1, 2}
        vec.step(vec.sample(step))


def cheat(view):
    return "map:2" if view.rules.players > 3 else None


def fail(view):
    raise KeyError("lost")


class Slow:
    """Thinks for ever."""

    def act(self, view, seed):
        sleep(30)


@pytest.mark.parametrize(
    ("opponent", "players", "move", "said"),
    [
        (cheat, 4, "map:2", r"opponent cheat, seat \d of game \d, round 1: 'map:2' is not legal: .*transcript"),
        (cheat, 3, None, "IllegalMove: a move is a text"),
        (fail, 3, None, "KeyError: 'lost'"),
        (TimeLimit(Slow, 0.01), 3, None, "opponent Slow.*TimeoutError: no move within 0.01 seconds"),
    ],
    ids=["illegal", "none", "raises", "slow"],
)
def test_an_opponent_that_fails_is_named_and_the_match_is_kept(opponent, players, move, said):
    vec = make_vec(3, players=players, seed=2, rounds=1)
    vec.control([0, *[opponent] * (players - 1)])
    before = vec.records.tobytes(), vec.results.tobytes(), vec.observation.tobytes()
    with pytest.raises(OpponentError, match=said) as caught:
        vec.reset()
    assert (vec.records.tobytes(), vec.results.tobytes(), vec.observation.tobytes()) == before
    error = caught.value
    assert error.move == move
    assert Game.replay(error.transcript).seat == error.seat
    vec.control([0, *["random"] * (players - 1)])
    vec.reset()
    vec.step(vec.sample(1))


def test_the_transcript_of_a_failure_is_the_round_so_far():
    turns = iter(range(12))

    def tires(view):
        return view.legal_moves()[0] if next(turns, None) is not None else "pass"

    games = batch("random", [3], rounds=3)
    games.set_opponents(tires)
    with pytest.raises(OpponentError) as caught:
        play(games)
    game = Game.replay(caught.value.transcript)
    assert len(game.view(0).record) >= 12
    assert game.seat == caught.value.seat


@pytest.mark.parametrize(
    ("keywords", "said"),
    [
        ({"learner": 3}, "learner must be a seat from 0 to 2, or one of miner, saboteur, miners, saboteurs, not 3"),
        ({"learner": "king"}, "or one of miner"),
        ({"learner": "miners", "opponents": ["random"] * 4}, "opponents must be one, or one for each of the 1 seats"),
        ({"learner": "miner", "shaping": "public"}, "shaping is for a learner with a seat of its own, not for 'miner'"),
        ({"opponents": {"miners": "random"}}, "by role are a dict of miners and saboteurs, not of miners"),
        ({"opponents": [("random", -1), ("scripted", 1)]}, "weights of a mixture are numbers from 0"),
        ({"opponents": [("random", 0)]}, "not all of them 0"),
        ({"opponents": [([("random", 1)], 1)]}, "none of them a mixture"),
        ({"opponents": [("random", 1)] * 65}, "at most 64 opponents"),
        ({"opponents": "no_such_module.Agent"}, "cannot be loaded"),
        ({"opponents": "none.zip"}, "cannot load none.zip as a MaskablePPO|sb3"),
        ({"opponents": 3.5}, "there is no opponent 3.5; there are random.*a list of .opponent, weight. mixes them"),
    ],
)
def test_what_nobody_understands_is_refused_and_changes_nothing(keywords, said):
    with pytest.raises((ValueError, ImportError), match=said):
        batch(**{"opponents": "random", "players": [3, 5], **keywords})


def test_a_bad_swap_leaves_those_who_play():
    games = batch("scripted")
    before = games.vec.controller.copy()
    for bad in ("grumpy", [("random", 1), ("grumpy", 1)], ["random"]):
        with pytest.raises(ValueError, match=r"grumpy|one for each"):
            games.set_opponents(bad)
    assert np.array_equal(games.vec.controller, before)
    assert games.opponents == "scripted"
