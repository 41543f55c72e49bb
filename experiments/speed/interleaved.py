"""Time benchmark cases in turn on one core."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from .cases import Case, Play

PORTION = 0.01  # seconds between two looks at the clock


@dataclass(frozen=True)
class Sample:
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
        """CPU seconds per million decisions; other programs on the core hardly affect them."""
        return 1e6 * self.cpu / self.decisions


@dataclass
class Timing:
    """A prepared case: the chosen size, its play function, and its laps so far."""

    contestant: Case
    size: int
    play: Play
    portion: int
    laps: list[Sample] = field(default_factory=list)

    def run(self, seconds: float) -> Sample:
        """Play for about this many seconds."""
        decisions, cpu, began = 0, time.process_time(), time.perf_counter()
        while (took := time.perf_counter() - began) < seconds:
            decisions += self.play(self.portion)
        return Sample(decisions, took, time.process_time() - cpu)


@dataclass(frozen=True)
class Missing:
    """A case that could not be measured, and the reason."""

    contestant: Case
    reason: str


@dataclass
class Comparison:
    """The result of a comparison. `stopped` says that it was interrupted; it then holds the laps until the stop."""

    core: str
    seconds: float
    runs: int
    runners: list[Timing] = field(default_factory=list)
    missing: list[Missing] = field(default_factory=list)
    stopped: bool = False


def interleave(
    cases: Sequence[Case],
    seconds: float = 5.0,
    runs: int = 7,
    progress: Callable[[str], object] = lambda what: None,
) -> Comparison:
    """Let the cases play in turn, lap by lap, so that a drift of the machine affects all equally.

    Args:
        seconds: for each case, all its laps together; choosing the batch size takes extra time.
        runs: laps of each.
        progress: called with what comes next, `len(contestants) * (runs + 1)` times if no case fails.

    A case whose library is missing or fails, before or during the laps, is listed in `missing`.
    """
    with one_core() as core, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # those of other libraries
        result = Comparison(core, seconds, runs)
        try:
            _prepare_all(result, cases, progress)
            for _ in range(runs):
                _run_all(result, progress)
        except KeyboardInterrupt:
            result.stopped = True
    result.runners = [timing for timing in result.runners if timing.laps]
    return result


def _prepare_all(result: Comparison, cases: Sequence[Case], progress: Callable[[str], object]) -> None:
    for case in cases:
        progress(case.name)
        try:
            result.runners.append(prepare(case))
        except Exception as error:  # whatever breaks in one library, the figures of the others are kept
            result.missing.append(Missing(case, _reason(error)))


def _run_all(result: Comparison, progress: Callable[[str], object]) -> None:
    for timing in list(result.runners):
        progress(timing.contestant.name)
        try:
            timing.laps.append(timing.run(result.seconds / result.runs))
        except Exception as error:
            result.runners.remove(timing)
            result.missing.append(Missing(timing.contestant, _reason(error)))


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0].rstrip(": ")


def prepare(case: Case, trial: float = 0.15) -> Timing:
    """Warm up a case at each of its sizes and keep the fastest, by CPU time in two trials of so many seconds."""
    best: tuple[float, Timing] | None = None
    for size in case.sizes:
        play = case.prepare(size)
        timing = Timing(case, size, play, _portion(play))
        if len(case.sizes) == 1:
            return timing
        cost = min(timing.run(trial).cost for _ in range(2))
        if best is None or cost < best[0]:
            best = cost, timing
    if best is None:
        raise ValueError(f"{case.name}: sizes is empty; give at least one")
    return best[1]


def _portion(play: Play) -> int:
    # Decisions that take about PORTION; the first compiles.
    decisions = play(1)
    while True:
        began = time.perf_counter()
        result = play(decisions)
        if time.perf_counter() - began >= PORTION:
            return result
        decisions = 2 * result


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
