"""Infos: the same keys, types and shapes at every decision and at the end, at every door; nothing is told early."""

import gymnasium
import numpy as np
import pytest

from saboteur_env import Game, env, game_seed, wazabi_env
from saboteur_env.engine.state import WINNERS
from saboteur_env.single_agent.gym_env import SingleAgentEnv
from saboteur_env.single_agent.gym_vec import GymVec
from tests.support.positions import data_of

ROLES = ["miner", "saboteur"]
FORM = {
    "action_mask": (np.dtype(np.int8), (5426,)),
    "role": int,
    "winner": int,
    "roles": (np.dtype(np.int8), (10,)),
    "nuggets": (np.dtype(np.int8), (10,)),
    "length": int,
    "illegal": bool,
}
UNMASKED = {name: kind for name, kind in FORM.items() if name != "action_mask"}
WAZABI = {
    "winner": int,
    "winners": (np.dtype(np.int8), (6,)),
    "places": (np.dtype(np.int8), (6,)),
    "points": (np.dtype(np.int64), (6,)),
    "length": int,
    "illegal": bool,
}


def form(info):
    """Type and shape of every value."""
    return {
        name: (value.dtype, value.shape) if isinstance(value, np.ndarray) else type(value)
        for name, value in info.items()
    }


def tells_nothing(info):
    """Whether all that is public at the end alone has its neutral number."""
    hidden = (info["winner"], info["length"], info["illegal"]) == (0, 0, False)
    return hidden and (info["roles"] == -1).all() and not info["nuggets"].any()


def tells(info, game, seat):
    """Whether an info says how a game ended."""
    data, players = data_of(game), game.rules.players
    return (
        WINNERS[info["winner"]] == game.winner
        and [ROLES[role] for role in info["roles"][:players]] == data["roles"]
        and info["roles"][players:].tolist() == [-1] * (10 - players)
        and info["nuggets"][:players].tolist() == game.nuggets
        and ROLES[info["role"]] == data["roles"][seat]
    )


@pytest.mark.parametrize("mask_in", ["observation", "info"])
@pytest.mark.parametrize("rounds", [1, 2])
def test_every_agent_of_the_aec_environment(mask_in, rounds):
    made, wanted = env(players=4, rounds=rounds, mask_in=mask_in), FORM if mask_in == "info" else UNMASKED
    made.reset(seed=3)
    rng, length, kept = np.random.default_rng(3), 0, []
    while not made.terminations["dwarf_0"]:
        roles = data_of(made.game)["roles"]
        for seat, info in enumerate(made.infos.values()):
            assert form(info) == wanted
            assert tells_nothing(info)
            assert ROLES[info["role"]] == roles[seat]
        kept.append((made.infos["dwarf_0"], dict(made.infos["dwarf_0"])))
        seen, info = made.last()[0], made.last()[4]
        mask = info["action_mask"] if mask_in == "info" else seen["action_mask"]
        made.step(int(rng.choice(np.flatnonzero(mask))))
        length += 1
    for seat, info in enumerate(made.infos.values()):
        assert form(info) == wanted
        assert tells(info, made.game, seat)
        assert info["length"] == length
    assert not made.infos["dwarf_1"].get("action_mask", np.zeros(1)).any()
    assert all(np.array_equal(now[name], then[name]) for now, then in kept for name in then), "an info was written over"


def test_the_single_learner_and_results_by_its_role():
    won = {0: [], 1: []}
    solo = SingleAgentEnv(3, rounds=1)
    for match in range(12):
        _, info = solo.reset(seed=5 if match == 0 else None)
        deal, steps, over = Game(3, seed=game_seed(5, 0, match), rounds=1), 0, False
        while not over:
            assert form(info) == FORM
            assert tells_nothing(info)
            assert ROLES[info["role"]] == deal.view(0).role
            _, reward, over, _, info = solo.step(int(np.flatnonzero(info["action_mask"])[0]))
            steps += 1
        assert form(info) == FORM
        assert not info["action_mask"].any()
        assert info["length"] == steps
        assert [ROLES[role] for role in info["roles"][:3]] == [deal.view(seat).role for seat in range(3)]
        won[info["role"]].append(reward)
        assert (reward > 0) == (info["winner"] == 1 + info["role"])
    assert min(map(len, won.values())) > 0


def leaves(infos):
    """All arrays of the infos of a vector, but the last observations, which Gymnasium keeps as objects."""
    for name, value in infos.items():
        if isinstance(value, dict):
            yield from leaves(value)
        elif name not in ("final_obs", "_final_obs", "_final_info"):
            yield name, value


def test_columns_of_the_vector_hold_numbers():
    vector = GymVec(6, 3, rounds=1, illegal="penalty")
    _, infos = vector.reset(seed=1)
    first, ended = {(name, array.dtype, array.shape[1:]) for name, array in leaves(infos)}, 0
    for step in range(40):
        actions = vector.games.vec.sample(step)
        actions[step % 6] = -1 if step % 10 == 9 else actions[step % 6]
        before = infos["role"]
        _, reward, over, _, infos = vector.step(actions)
        assert {(name, array.dtype, array.shape[1:]) for name, array in leaves(infos)} == first
        for i in np.flatnonzero(over):
            told = {name: array[i] for name, array in leaves(infos["final_info"])}
            assert told["role"] == before[i]
            assert told["illegal"] == (actions[i] < 0)
            assert told["length"] > 0
            assert not told["action_mask"].any()
            if told["illegal"]:
                assert (told["winner"], told["roles"].max(), told["nuggets"].any()) == (0, -1, False)
            else:
                assert (reward[i] > 0) == (told["winner"] == 1 + told["role"])
        ended += over.sum()
    assert ended > 6


def test_the_mode_of_autoreset_is_an_attribute_as_in_gymnasiums_own_vectors():
    ours, theirs = (
        gymnasium.make_vec("saboteur_env/Solo-v0", num_envs=2, vectorization_mode=mode) for mode in (None, "sync")
    )
    assert isinstance(ours, GymVec)
    assert isinstance(ours.unwrapped.autoreset_mode, type(theirs.unwrapped.autoreset_mode))
    assert ours.autoreset_mode is gymnasium.vector.AutoresetMode.SAME_STEP


def test_the_mask_is_there_in_gymnasiums_own_vector_at_the_end():
    vector = gymnasium.make_vec("saboteur_env/Solo-v0", num_envs=2, vectorization_mode="sync", players=3, rounds=1)
    _, infos = vector.reset(seed=1)
    for _ in range(40):
        _, _, over, _, infos = vector.step(infos["action_mask"].argmax(1))
        assert infos["_action_mask"].all()
        if over.any():
            assert np.array_equal(infos["action_mask"].any(axis=1), ~over)
            return
    pytest.fail("no match ended")


def test_columns_of_stable_baselines3():
    pytest.importorskip("sb3_contrib", reason="needs the extra sb3")
    from saboteur_env.single_agent.sb3 import SaboteurVecEnv

    columns = SaboteurVecEnv(5, 3, seed=2, rounds=1)
    columns.reset()
    always, ended = {*FORM, "TimeLimit.truncated"}, 0
    for _ in range(30):
        masks = columns.env_method("action_masks")
        _, reward, done, infos = columns.step([int(mask.argmax()) for mask in masks])
        for i, info in enumerate(infos):
            assert {*info} == always | ({"terminal_observation", "episode"} if done[i] else set())
            assert form({name: info[name] for name in FORM}) == FORM
            assert tells_nothing(info) != done[i]
            assert info["action_mask"].any() != done[i]
            if done[i]:
                assert (reward[i] > 0) == (info["winner"] == 1 + info["role"])
                assert info["length"] == info["episode"]["l"]
        ended += done.sum()
    assert ended > 2


@pytest.mark.parametrize("settings", [{"players": 3}, {"players": 4, "games": 2, "options": {"teams": [0, 1, 0, 1]}}])
def test_every_player_of_wazabi(settings):
    made, rng, length = wazabi_env(**settings), np.random.default_rng(1), 0
    made.reset(seed=4)
    while not made.terminations["player_0"]:
        for info in made.infos.values():
            assert form(info) == WAZABI
            assert (info["winner"], info["length"], info["illegal"]) == (-1, 0, False)
            assert not (info["winners"].any() or info["places"].any() or info["points"].any())
        made.step(int(rng.choice(np.flatnonzero(made.last()[0]["action_mask"]))))
        length += 1
    game, players = made.game, settings["players"]
    for info in made.infos.values():
        assert form(info) == WAZABI
        assert (info["winner"], info["length"]) == (game.winner, length)
        assert np.flatnonzero(info["winners"]).tolist() == game.winners
        assert info["places"][:players].tolist() == game.places
        assert info["points"][:players].tolist() == game.points


def test_columns_of_a_batch_are_contiguous_and_what_learners_read_begins_with_a_cache_line():
    import pickle

    from saboteur_env import make_vec
    from saboteur_env.batch.kernels import RESULT_FIELDS

    made = make_vec(5, 3, 1)
    for vec in (made, pickle.loads(pickle.dumps(made))):
        for step in range(3):
            kept = {name: (getattr(vec, name), getattr(vec, name).copy()) for name in RESULT_FIELDS}
            vec.step(vec.sample(step))
            assert all(np.array_equal(column, then, equal_nan=True) for column, then in kept.values())
        for name in RESULT_FIELDS:
            column = getattr(vec, name)
            assert column.flags.c_contiguous and column.base is None
            assert np.array_equal(column, vec.results[name], equal_nan=True)
            assert np.from_dlpack(column).shape == column.shape
        for array in (vec.observation, vec.mask, vec.final_observation):
            assert array.ctypes.data % 64 == 0
