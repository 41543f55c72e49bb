"""What a new user waits for: how long each door compiles its kernels where none are kept yet.

Most doors need the kernels of another one. `saboteur-env bench --cold` opens them one after the other in one process,
with an empty cache, and then compiles what they call only later. `saboteur-env warm` opens them ahead, with all of
that, in two processes side by side, with the user's own cache. This module, run as
``python -m saboteur_env.experiments.speed.cold``, prints a line of JSON for each door.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from functools import partial
from multiprocessing import get_context
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from numba.core import event

import saboteur_env
from saboteur_env.agents.beliefs.filter import Belief
from saboteur_env.agents.registry import make_agent
from saboteur_env.core.compiled.separate import fill_slots
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


def _act(agent: str) -> None:
    game = saboteur_env.Game(SEATED, seed=0)
    make_agent(agent).act(game.view(game.seat), 0)


def _belief() -> None:
    game = saboteur_env.Game(SEATED, seed=0)
    Belief().of(game.view(game.seat))


def _training_step() -> None:
    from saboteur_env.experiments.training.build import device_of, make_learner
    from saboteur_env.experiments.training.config import load_config

    learner = make_learner(load_config("default", [f"players=[{SEATED}]", "games=8"]), 0, device_of("cpu"))
    learner.collect()


class Door(NamedTuple):
    """Something that a user begins with.

    Attributes:
        open: does it.
        after: the doors whose kernels it needs.
    """

    open: Callable[[], object]
    after: tuple[str, ...] = ()


DOORS = {
    "the first move": Door(_first_move),
    "a scripted dwarf": Door(partial(_act, "scripted"), ("the first move",)),
    "a belief": Door(_belief, ("the first move",)),
    "the first search": Door(partial(_act, "search:iterations=2"), ("a scripted dwarf", "a belief")),
    "env": Door(_env, ("the first move",)),
    "make_vec": Door(_make_vec, ("env",)),
    "Solo": Door(_solo, ("make_vec", "a scripted dwarf")),
    "the first training step": Door(_training_step, ("Solo",)),
}
LATER = "what these call later"  # the end of a round, say


class _Count(event.Listener):
    """Counts the kernels that numba compiles."""

    compiled = 0

    def on_start(self, event: Any) -> None:
        self.compiled += 1

    def on_end(self, event: Any) -> None:
        pass


def open_door(name: str, door: Door) -> Opened:
    """Open a door in this process."""
    count, began = _Count(), time.perf_counter()
    with event.install_listener("numba:compile", count):
        try:
            door.open()
        except MissingExtra:
            began = float("nan")
    return Opened(name, time.perf_counter() - began, count.compiled)


def open_wide(name: str, door: Door) -> Opened:
    """Open a door in this process, and compile what it may call later."""
    opened = open_door(name, door)
    later = open_door(LATER, Door(fill_slots))
    return Opened(name, opened.seconds + later.seconds, opened.kernels + later.kernels)


def open_side_by_side(doors: Mapping[str, Door] = DOORS) -> Iterator[Opened]:
    """Open all doors wide in two processes, each when those that it needs are open.

    Args:
        doors: by their names; functions of modules, which the processes import.
    """
    left, opened, running = dict(doors), set[str](), set[Future[Opened]]()
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        while left or running:
            ready = [name for name, door in left.items() if opened.issuperset(door.after)]
            running |= {pool.submit(open_wide, name, left.pop(name)) for name in ready}
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                opened.add(future.result().door)
                yield future.result()


def open_cold() -> Iterator[Opened]:
    """Open all doors in a process of their own, with an empty cache; compile what they call later at the end.

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
    for name, door in [*DOORS.items(), (LATER, Door(fill_slots))]:
        print(json.dumps(open_door(name, door)), flush=True)
