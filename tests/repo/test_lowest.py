"""What hangs most on the versions of other packages; CI runs it with the lowest ones that pyproject.toml allows.

Help by Typer and rich, statistics by Gymnasium, a match by PettingZoo, kernels by numba and NumPy, intervals by SciPy.
"""

import numpy as np
import pytest
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from typer.testing import CliRunner

import saboteur_env
from saboteur_env.cli import app
from saboteur_env.experiments.common.statistics import wilson
from saboteur_env.single_agent.gym_vec import GymVec

COMMANDS = ["win-rates", "tournament", "bench", "watch", "replay", "train", "tables"]


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS)])
def test_help(command):
    answer = CliRunner().invoke(app, [*command, "--help"])
    assert answer.exit_code == 0, answer.exception
    assert "Usage" in answer.output


def test_tables():
    answer = CliRunner().invoke(app, ["tables"])
    assert answer.exit_code == 0, answer.exception
    assert "Observation, version" in answer.output


def test_win_rates(tmp_path):
    answer = CliRunner().invoke(app, ["win-rates", "--players", "3", "--matches", "2", "--out", str(tmp_path)])
    assert answer.exit_code == 0, answer.exception
    assert (tmp_path / "win_rates.csv").is_file()


def test_statistics_of_gymnasium_count_every_step_of_an_episode():
    env, rng = RecordEpisodeStatistics(GymVec(4, 3, "random", rounds=1)), np.random.default_rng(0)
    env.reset(seed=1)
    steps, returns, told, counted = np.zeros(4, int), np.zeros(4), [], []
    while len(counted) < 12:
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in env.unwrapped.action_masks()])
        _, reward, terminated, _, infos = env.step(actions)
        steps, returns = steps + 1, returns + reward
        for game in np.flatnonzero(terminated):
            told.append((infos["episode"]["l"][game], infos["episode"]["r"][game]))
            counted.append((steps[game], returns[game]))
            steps[game], returns[game] = 0, 0
    assert told == counted


def test_a_match_of_the_environment():
    env = saboteur_env.env(players=3, rounds=1)
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        env.step(None if terminated or truncated else int(observation["action_mask"].argmax()))
        assert agent.startswith("dwarf_")
    assert not env.agents


def test_intervals():
    low, high = wilson(5, 10)
    assert round(low, 4) == 0.2366 and round(high, 4) == 0.7634
