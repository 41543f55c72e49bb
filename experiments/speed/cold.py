"""What a new user waits for: how long each door compiles its kernels where none are kept yet.

The doors are opened in their order in one process, because each needs kernels of those before it. With an empty cache
that is what `saboteur-env bench --cold` shows; with the user's own it is what `saboteur-env warm` does ahead. Run as
``python -m saboteur_env.experiments.speed.cold``, this module prints a line of JSON for each door.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from numba.core import event

import saboteur_env
from saboteur_env.agents.registry import make_agent
from saboteur_env.core.extras import MissingExtra

SEATED = 5


class Opened(NamedTuple):
    """A door that was opened: its name, the seconds that took, and how many kernels were compiled meanwhile.

    A door whose libraries are missing has no seconds (NaN).
    """

    door: str
    seconds: float
    kernels: int


def _first_move() -> None:
    game = saboteur_env.Game(SEATED, seed=0)
    game.play(game.legal_moves()[0])


def _env() -> None:
    env = saboteur_env.env(players=SEATED)
    env.reset(seed=0)
    observation = env.last()[0]
    assert observation is not None
    env.step(int(observation["action_mask"].argmax()))


def _make_vec() -> None:
    vec = saboteur_env.make_vec(64, SEATED, 0)
    vec.step(vec.sample(0))


def _solo() -> None:
    env = gymnasium.make("saboteur_env/Solo-v0", players=SEATED)
    _, info = env.reset(seed=0)
    env.step(int(np.flatnonzero(info["action_mask"])[0]))


def _search() -> None:
    game = saboteur_env.Game(SEATED, seed=0)
    make_agent("search:iterations=2").act(game.view(game.seat), 0)


def _training_step() -> None:
    from saboteur_env.experiments.training.build import device_of, make_learner
    from saboteur_env.experiments.training.config import load_config

    learner = make_learner(load_config("default", [f"players=[{SEATED}]", "games=8"]), 0, device_of("cpu"))
    learner.collect()


DOORS: dict[str, Callable[[], None]] = {
    "the first move": _first_move,
    "env": _env,
    "make_vec": _make_vec,
    "Solo": _solo,
    "the first search": _search,
    "the first training step": _training_step,
}


class _Count(event.Listener):
    """Counts the kernels that numba compiles."""

    compiled = 0

    def on_start(self, event: Any) -> None:
        self.compiled += 1

    def on_end(self, event: Any) -> None:
        pass


def open_doors() -> Iterator[Opened]:
    """Open all doors of this process, each as soon as the one before it was taken."""
    count = _Count()
    with event.install_listener("numba:compile", count):
        for name, door in DOORS.items():
            before, began = count.compiled, time.perf_counter()
            try:
                door()
                seconds = time.perf_counter() - began
            except MissingExtra:
                seconds = float("nan")
            yield Opened(name, seconds, count.compiled - before)


def open_cold() -> Iterator[Opened]:
    """Open all doors in a process of their own, with an empty cache.

    Raises: RuntimeError with what the process said, where it fails.
    """
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("w+") as said:
        command = [sys.executable, "-m", __name__]
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, text=True, env=environment) as process:
            assert process.stdout is not None
            for line in process.stdout:
                yield Opened(*json.loads(line))
        if process.returncode:
            said.seek(0)
            raise RuntimeError(f"the doors could not be opened:\n{said.read()}")


if __name__ == "__main__":
    for opened in open_doors():
        print(json.dumps(opened), flush=True)
