"""Let contestants play in turn on one core, by the clock."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from .cases import Contestant, Play

PORTION = 0.01  # seconds between two looks at the clock


@dataclass(frozen=True)
class Lap:
    """Decisions made in some seconds; CPU seconds are those of all threads of the process."""

    decisions: int
    seconds: float
    cpu: float

    @property
    def speed(self) -> float:
        """Decisions a second."""
        return self.decisions / self.seconds

    @property
    def cost(self) -> float:
        """CPU seconds a million decisions: what other programs on the core hardly change."""
        return 1e6 * self.cpu / self.decisions


@dataclass
class Runner:
    """A contestant made ready: the size chosen, what plays it, and its laps so far."""

    contestant: Contestant
    size: int
    play: Play
    portion: int
    laps: list[Lap] = field(default_factory=list)

    def run(self, seconds: float) -> Lap:
        """Play for about so long."""
        decisions, cpu, began = 0, time.process_time(), time.perf_counter()
        while (took := time.perf_counter() - began) < seconds:
            decisions += self.play(self.portion)
        return Lap(decisions, took, time.process_time() - cpu)


@dataclass(frozen=True)
class Missing:
    """A contestant that could not be measured, and why."""

    contestant: Contestant
    reason: str


@dataclass
class Race:
    """What came of a race. `stopped` tells that it was interrupted; the laps run by then are there."""

    core: str
    seconds: float
    runs: int
    runners: list[Runner] = field(default_factory=list)
    missing: list[Missing] = field(default_factory=list)
    stopped: bool = False


def race(
    contestants: Sequence[Contestant],
    seconds: float = 5.0,
    runs: int = 7,
    tick: Callable[[str], object] = lambda what: None,
) -> Race:
    """Let the contestants play in turn, lap by lap, so that a drift of the machine meets all alike.

    Args:
        seconds: for each contestant, all its laps together; choosing the batch size comes on top.
        runs: laps of each.
        tick: called with what comes next, `len(contestants) * (runs + 1)` times if nobody drops out.

    A contestant whose library is missing or fails, before or in the race, is named in `missing`.
    """
    with one_core() as core, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # those of other libraries
        found = Race(core, seconds, runs)
        try:
            _prepare_all(found, contestants, tick)
            for _ in range(runs):
                _run_all(found, tick)
        except KeyboardInterrupt:
            found.stopped = True
    found.runners = [runner for runner in found.runners if runner.laps]
    return found


def _prepare_all(found: Race, contestants: Sequence[Contestant], tick: Callable[[str], object]) -> None:
    for contestant in contestants:
        tick(contestant.name)
        try:
            found.runners.append(prepare(contestant))
        except Exception as error:  # whatever breaks in one library, the figures of the others are kept
            found.missing.append(Missing(contestant, _reason(error)))


def _run_all(found: Race, tick: Callable[[str], object]) -> None:
    for runner in list(found.runners):
        tick(runner.contestant.name)
        try:
            runner.laps.append(runner.run(found.seconds / found.runs))
        except Exception as error:
            found.runners.remove(runner)
            found.missing.append(Missing(runner.contestant, _reason(error)))


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0].rstrip(": ")


def prepare(contestant: Contestant, trial: float = 0.15) -> Runner:
    """Warm a contestant up at each of its sizes and keep the fastest, by CPU time in two trials of so many seconds."""
    best: tuple[float, Runner] | None = None
    for size in contestant.sizes:
        play = contestant.prepare(size)
        runner = Runner(contestant, size, play, _portion(play))
        if len(contestant.sizes) == 1:
            return runner
        cost = min(runner.run(trial).cost for _ in range(2))
        if best is None or cost < best[0]:
            best = cost, runner
    if best is None:
        raise ValueError(f"{contestant.name}: sizes is empty; give at least one")
    return best[1]


def _portion(play: Play) -> int:
    # Decisions that take about PORTION; the first compiles.
    decisions = play(1)
    while True:
        began = time.perf_counter()
        made = play(decisions)
        if time.perf_counter() - began >= PORTION:
            return made
        decisions = 2 * made


@contextmanager
def one_core() -> Iterator[str]:
    """Hold this thread, and those it starts, on one core; yields which in words, where the system can do it."""
    if not hasattr(os, "sched_setaffinity"):
        yield "any core: this system cannot hold a process on one"
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield f"core {max(before)} alone, all threads"
    finally:
        os.sched_setaffinity(0, before)
