"""The AEC environment copied, pickled and played in another process."""

import copy
import hashlib
import pickle
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from saboteur_env import env
from tests.support.aec import TABLES, began, face, walk

COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda made: pickle.loads(pickle.dumps(made)),
}


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("settings", [*TABLES, {"players": 3, "mask_in": "info", "shaping": "treasure", "gamma": 0.9}])
def test_a_copy_in_the_middle_goes_on_alike_and_alone(how, settings):
    made = began(8, **settings)
    for step in range(30):
        made.step(first_action(made, step))
    twin = COPIES[how](made)
    assert face(twin) == face(made)
    frozen, glimpses = face(made), []
    for step in range(30, 400):
        glimpses.append(go_on(twin, step))
    assert face(made) == frozen, "the copy is no copy"
    assert [go_on(made, step) for step in range(30, 400)] == glimpses
    assert face(made) == face(twin)


def go_on(made, step):
    """One step more, unless the match is over; tells where it led."""
    if not any(made.terminations.values()):
        made.step(first_action(made, step))
    return made.agent_selection, made.game.records.tobytes(), list(made.rewards.values())


def first_action(made, step):
    """A legal action that depends on the step alone."""
    observation, *_, info = made.last()
    legal = np.flatnonzero((info if made.settings.mask_in == "info" else observation)["action_mask"])
    return int(legal[step * 7 % len(legal)])


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("ended", [False, True])
def test_a_copy_before_the_first_reset_and_after_the_end(how, ended):
    made = env(players=3, rounds=1)
    if ended:
        made.reset(seed=1)
        walk(made, random.Random(1))
    twin = COPIES[how](made)
    twin.reset(seed=2)
    made.reset(seed=2)
    assert face(twin) == face(made)


def fingerprint():
    """A hash of everything shown in two matches."""
    digest = hashlib.sha256()
    for players in (3, 10):
        made, rng = began(11, players=players, rounds=1, reward="zero_sum", shaping="public"), random.Random(11)
        while not any(made.terminations.values()):
            walk(made, rng, 1)
            digest.update(repr(face(made)).encode())
    return digest.hexdigest()


def test_the_same_match_in_another_process():
    command = [sys.executable, "-c", "from tests.environment.test_aec_copies import fingerprint; print(fingerprint())"]
    root = Path(__file__).parents[2]
    other = subprocess.run(command, check=True, capture_output=True, text=True, cwd=root)
    assert other.stdout.strip() == fingerprint()


def test_interleaved_environments_do_not_disturb_each_other():
    seeds = (1, 2, 3)
    alone = [face(walk(began(seed, players=3 + seed), random.Random(seed), 60)) for seed in seeds]
    made = [(began(seed, players=3 + seed), random.Random(seed)) for seed in seeds]
    for _ in range(60):
        for item, rng in made:
            walk(item, rng, 1)
    assert [face(item) for item, _ in made] == alone
