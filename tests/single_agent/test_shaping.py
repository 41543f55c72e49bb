"""Shaping and rewards of one's own where many games are stepped: what the AEC environment pays, seat by seat."""

from dataclasses import replace

import numpy as np
import pytest

from saboteur_env import env, game_seed, make_vec
from saboteur_env.engine.state import MINERS
from saboteur_env.single_agent.gym_env import SingleAgentEnv
from saboteur_env.single_agent.gym_vec import GymVec
from tests.environment.test_rewards import potential_of

NEAR = {"goal_cells": [[2, -1], [2, 0], [2, 1]]}


def aec_of(vec, i):
    """The environment that stands where the episode of a game began."""
    made = env(settings=replace(vec.settings, players=int(vec.players[i])))
    made.reset(seed=game_seed(vec.seed, i, int(vec.episode[i])))
    return made


@pytest.mark.parametrize(
    "settings",
    [
        {"players": 3, "rounds": 2, "shaping": "public", "options": NEAR},
        {"players": 4, "rounds": 1, "shaping": "treasure", "gamma": 0.5, "reward": "nuggets", "options": NEAR},
        {"players": 5, "rounds": 1, "shaping": "treasure", "gamma": 0.0, "edition": "ru"},
    ],
)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_batch_pays_every_seat_what_the_environment_pays(settings, threads):
    vec = make_vec(
        4, settings["players"], 3, threads, history=0, **{k: v for k, v in settings.items() if k != "players"}
    )
    twins, players, ends, shaped = [aec_of(vec, i) for i in range(4)], settings["players"], 0, 0
    for step in range(130):
        actions = vec.sample(step)
        vec.step(actions)
        for i, made in enumerate(twins):
            made.step(int(actions[i]))
            assert vec.reward[i, :players] == pytest.approx(list(made.rewards.values()), abs=1e-6), (step, i)
            shaped += any(0 < abs(reward) < 0.5 for reward in made.rewards.values())
        for i in np.flatnonzero(vec.ended):
            twins[i], ends = aec_of(vec, i), ends + 1
    assert ends > 1
    assert shaped > 10 or settings.get("gamma") == 0


def test_the_potential_is_that_of_each_seat_at_its_last_decision():
    vec, plain = (make_vec(3, 3, 5, shaping=shaping, rounds=1) for shaping in ("public", None))
    wanted = np.full((3, 10), np.nan)
    for step in range(12):
        for i in range(3):
            seat = int(vec.seat[i])
            wanted[i, seat] = potential_of(vec.game(i), seat, "public")
        assert vec.potential == pytest.approx(wanted, nan_ok=True)
        actions = vec.sample(step)
        vec.step(actions)
        plain.step(actions)
    assert np.isnan(plain.potential).all()


def test_a_batch_goes_on_from_what_was_kept_and_pays_nothing_twice():
    vec, again = (make_vec(3, 3, 5, shaping="public") for _ in range(2))
    for step in range(7):
        vec.step(vec.sample(step))
    again.restore(vec.records.copy(), vec.results.copy())
    assert np.array_equal(again.reward, vec.reward)
    for step in range(7):
        for item in (vec, again):
            item.step(item.sample(step))
        assert np.array_equal(again.reward, vec.reward)


@pytest.mark.parametrize("make", [SingleAgentEnv, GymVec])
def test_a_penalty_is_not_shaped(make):
    made = make(players=3, illegal="penalty", shaping="public")
    made.reset(seed=1)
    made.step(made.games.vec.sample(1)[0] if make is SingleAgentEnv else made.games.vec.sample(1))
    _, reward, over, *_ = made.step(-1 if make is SingleAgentEnv else [-1])
    assert (np.all(reward == -1), np.all(over)) == (True, True)


def test_a_penalty_in_one_game_leaves_the_shaping_of_the_others():
    made, clean = (GymVec(4, 3, illegal=illegal, shaping="public", gamma=0.5) for illegal in ("penalty", "raise"))
    for vector in (made, clean):
        vector.reset(seed=1)
        vector.step(vector.games.vec.sample(0))
    actions = clean.games.vec.sample(1)
    _, wanted, *_ = clean.step(actions)
    _, paid, *_ = made.step(np.where([0, 0, 1, 0], -1, actions))
    assert paid.tolist() == [*wanted[:2], -1, wanted[3]]
    assert wanted.all()


def miners_won(vec):
    """Two for all learners where the miners found the treasure, less a cent for each decision."""
    return np.where(vec.winner == MINERS, 2.0, 0.0) - 0.01


def test_a_reward_of_ones_own():
    made, usual = (GymVec(8, 3, rounds=1, reward_fn=fn) for fn in (miners_won, None))
    made.reset(seed=1)
    usual.reset(seed=1)
    seen = set()
    for step in range(40):
        actions = made.games.vec.sample(step)
        _, paid, over, _, infos = made.step(actions)
        usual.step(actions)
        won = over & (infos.get("final_info", {}).get("winner", np.zeros(8)) == MINERS)
        assert paid == pytest.approx(np.where(won, 1.99, -0.01))
        seen.update(paid.tolist())
    assert len(seen) == 2


def test_a_reward_of_ones_own_is_one_number_for_each_game():
    made = GymVec(3, 3, reward_fn=lambda vec: vec.reward)
    made.reset(seed=1)
    with pytest.raises(ValueError, match=r"reward_fn must give 3 numbers, one for each game, not \(3, 10\)"):
        made.step(made.games.vec.sample(0))


def test_a_reward_of_ones_own_at_the_other_doors():
    solo = SingleAgentEnv(3, reward_fn=lambda vec: [0.25])
    solo.reset(seed=1)
    assert solo.step(solo.games.vec.sample(0)[0])[1] == 0.25
    pytest.importorskip("sb3_contrib", reason="needs the extra sb3")
    from saboteur_env.single_agent.sb3 import SaboteurVecEnv

    columns = SaboteurVecEnv(2, 3, seed=1, reward_fn=lambda vec: [0.25, 0.5], shaping="public")
    columns.reset()
    columns.step(columns.games.vec.sample(0))
    assert columns.returns.tolist() == [0.25, 0.5]
