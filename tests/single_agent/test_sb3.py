"""The door to stable-baselines3, and what MaskablePPO stores through it."""

import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest

from saboteur_env import Game, game_seed
from saboteur_env.environment.settings import Settings
from saboteur_env.single_agent.gym_env import SingleAgentEnv
from tests.twins.slow_columns import SlowColumns

pytest.importorskip("sb3_contrib", reason="needs the extra sb3")
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecMonitor

from saboteur_env.single_agent.sb3 import SaboteurVecEnv

WIDE = Settings(window="large", rounds=2, reward="nuggets", history=4)


def choose(env, step):
    """A random legal action for each learner."""
    return env.unwrapped.games.vec.sample(step)


def small_model(env, n_steps):
    return MaskablePPO(
        "MlpPolicy", env, n_steps=n_steps, batch_size=n_steps, n_epochs=1, seed=3, device="cpu",
        policy_kwargs={"net_arch": [4]},
    )  # fmt: skip


@pytest.mark.parametrize("players", [3, 5, 10])
def test_stable_baselines3_finds_no_fault(players):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(SingleAgentEnv(players, illegal="penalty"))


class Stored(BaseCallback):
    """Keeps copies of the rollout buffers, which training reorders in place."""

    def __init__(self):
        super().__init__()
        self.rollouts = []

    def _on_step(self):
        return True

    def _on_rollout_end(self):
        buffer = self.model.rollout_buffer
        names = ("observations", "action_masks", "actions", "rewards", "episode_starts")
        self.rollouts.append([getattr(buffer, name).copy() for name in names])


def test_ppo_stores_what_single_games_played_slowly_say():
    players, n_steps = [3, 5, 4, 10], 40
    env = SaboteurVecEnv(4, players, settings=WIDE)
    model, stored = small_model(env, n_steps), Stored()
    model.learn(2 * n_steps * len(players), callback=stored)
    slow = SlowColumns(players, 3, WIDE)
    starts = np.ones(len(players), bool)
    for observations, masks, actions, rewards, episode_starts in stored.rollouts:
        for step in range(n_steps):
            assert np.array_equal(observations[step], slow.observation)
            assert np.array_equal(masks[step], slow.mask)
            assert np.array_equal(episode_starts[step], starts)
            slow.step(actions[step, :, 0].astype(int))
            assert rewards[step] == pytest.approx(slow.reward)
            starts = slow.ended
    assert len(stored.rollouts) == 2
    assert min(slow.episode) > 0


def test_infos_of_ends():
    players = [3] * 10
    env, slow = SaboteurVecEnv(10, players, seed=4, settings=WIDE), SlowColumns(players, 4, WIDE)
    env.reset()
    returns, lengths, together, ends = np.zeros(10), np.zeros(10), 0, 0
    for step in range(90):
        actions = choose(env, step)
        _, reward, done, infos = env.step(actions)
        slow.step(actions)
        returns += slow.reward
        lengths += 1
        assert np.array_equal(done, slow.ended)
        assert reward == pytest.approx(slow.reward)
        for i, info in enumerate(infos):
            assert ("episode" in info) == done[i]
        for i in np.flatnonzero(done):
            assert np.array_equal(infos[i]["terminal_observation"], slow.final[i])
            assert infos[i]["TimeLimit.truncated"] is False
            assert infos[i]["winner"] == slow.how[i]["winner"]
            assert infos[i]["episode"]["r"] == pytest.approx(returns[i])
            assert infos[i]["episode"]["l"] == lengths[i]
            returns[i] = lengths[i] = 0
        infos[0]["kept"] = True  # no later info may show it
        together, ends = max(together, done.sum()), ends + done.sum()
    assert together > 1
    assert ends > 15


def test_a_monitor_counts_the_same_and_none_is_needed():
    env = VecMonitor(SaboteurVecEnv(6, 3, seed=1, rounds=1))
    env.reset()
    ended = 0
    for step in range(40):
        returns = env.episode_returns.copy()
        _, reward, done, infos = env.step(choose(env, step))
        for i in np.flatnonzero(done):
            assert infos[i]["episode"]["r"] == returns[i] + reward[i]
        ended += done.sum()
    assert ended > 6
    model = small_model(SaboteurVecEnv(6, 3, rounds=1), 16)
    model.learn(96)
    assert len(model.ep_info_buffer) > 0
    assert {abs(episode["r"]) for episode in model.ep_info_buffer} == {1.0}


def test_masks_and_attributes_by_column():
    env = SaboteurVecEnv(3, [3, 5, 7], seed=2)
    env.reset()
    assert is_masking_supported(env)
    masks = get_action_masks(env)
    assert masks.dtype == bool
    assert np.array_equal(masks, env.games.vec.mask)
    assert np.array_equal(env.env_method("action_masks", indices=[2])[0], masks[2])
    kept = env.env_method("action_masks")
    env.step(choose(env, 1))
    assert np.array_equal(kept, masks)
    assert env.get_attr("game", 1)[0] == env.games.vec.game(1)
    assert env.get_attr("render_mode") == [None] * 3
    env.set_attr("level", 4, indices=[0, 2])
    assert env.has_attr("action_masks")
    assert not env.has_attr("level")
    assert env.get_attr("level", [0, 2]) == [4, 4]
    assert env.env_is_wrapped(Monitor, indices=[0, 1]) == [False, False]


def test_seeds():
    env = SaboteurVecEnv(3, 4, seed=2)
    seeds = env.seed(7)
    assert seeds == [game_seed(7, i) for i in range(3)]
    first = env.reset()
    for i, game in enumerate(env.get_attr("game")):
        assert game.view(0).role == Game(4, seed=seeds[i]).view(0).role
    assert not np.array_equal(env.reset(), first)
    env.seed(7)
    assert np.array_equal(env.reset(), first)
    assert np.array_equal(SaboteurVecEnv(3, 4, seed=7, threads=1).reset(), first)
    with pytest.raises(ValueError, match="a seed is"):
        env.seed(-1)


CHILD = """
import pickle, sys
env = pickle.load(sys.stdin.buffer)
steps = [env.step(env.games.vec.sample(step)) for step in range(30)]
sys.stdout.buffer.write(pickle.dumps(steps))
"""


def test_a_pickle_goes_on_equally_in_another_process():
    env = SaboteurVecEnv(4, [3, 3, 5, 8], seed=1, threads=2, rounds=1)
    env.reset()
    for step in range(7):
        env.step(choose(env, step))
    child = subprocess.run([sys.executable, "-c", CHILD], input=pickle.dumps(env), stdout=subprocess.PIPE, check=True)
    for step, there in enumerate(pickle.loads(child.stdout)):
        here = env.step(choose(env, step))
        assert all(map(np.array_equal, here[:3], there[:3]))
        assert [info.get("winner") for info in here[3]] == [info.get("winner") for info in there[3]]
        for i in np.flatnonzero(here[2]):
            assert here[3][i]["episode"]["l"] == there[3][i]["episode"]["l"]
    assert env.games.vec.episode.min() > 0


def test_a_closed_one_and_illegal_actions_say_so():
    env = SaboteurVecEnv(3, seed=1)
    env.reset()
    with pytest.raises(ValueError, match=r"1 \(action -1\)"):
        env.step(np.where([0, 1, 0], -1, choose(env, 1)))
    with pytest.raises(ValueError, match="3 whole numbers"):
        env.step(np.zeros((3, 1), int))
    env.set_options({"roles": ["miner"] * 5})
    with pytest.raises(ValueError, match="takes no options"):
        env.reset()
    env.set_options()
    env.close()
    with pytest.raises(RuntimeError, match="closed"):
        env.step(choose(env, 1))
    with pytest.raises(RuntimeError, match="closed"):
        env.reset()


def test_a_penalty_ends_a_column():
    env = SaboteurVecEnv(2, seed=1, illegal="penalty")
    seen = env.reset()
    _, reward, done, infos = env.step([-1, choose(env, 1)[1]])
    assert (reward[0], done.tolist()) == (-1, [True, False])
    assert np.array_equal(infos[0]["terminal_observation"], seen[0])
    assert infos[0]["illegal"]


def test_a_model_is_judged_by_its_tools():
    env = SaboteurVecEnv(4, 3, seed=1, rounds=1)
    returns, lengths = evaluate_policy(small_model(env, 8), env, 6, return_episode_rewards=True, warn=False)
    assert len(returns) == len(lengths) == 6
    assert set(returns) <= {1.0, -1.0}
