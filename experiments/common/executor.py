"""Run units of work in parallel, by processes on this machine or by actors of Ray, and return their results.

The kind and the number of workers change only the order of the results. If a worker dies, a new one gets its unit.
"""

from __future__ import annotations

import os
import signal
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from multiprocessing import current_process, get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from threading import current_thread, main_thread
from traceback import format_exc, walk_tb
from typing import Any, Protocol, TypeVar

from saboteur_env.core.extras import extra

from .statistics import Row

Unit = TypeVar("Unit")
Result = TypeVar("Result")
Work = Callable[[Any], Any]

ATTEMPTS = 3
LATE_ATTEMPTS = 10  # to join a Ray that is slow to start, each of some ten seconds


class WorkerDied(RuntimeError):
    """A worker was killed during a unit, or before it began one."""


UNGUARDED = (
    "a worker ended before it had begun. Workers are processes that import the program's main module: a program "
    "begins its work below `if __name__ == '__main__':`, and is a file. With workers=1 it needs neither"
)


def run(
    units: Iterable[Unit], work: Callable[[Unit], Result], workers: int | None = None, ray: str | None = None
) -> Iterator[tuple[Unit, Result]]:
    """Process all units, and yield each with its result as soon as it is done.

    Args:
        units: hashable, and fit to be sent to another process.
        work: a function of a module, or a partial of one; what it raises is raised here.
        workers: all cores where missing; 1 works in this process.
        ray: None for processes; `local` for a Ray on this machine, or the address of a cluster (extra `scale`).

    Raises: WorkerDied that names the unit at which three workers died, or says why none can begin; MissingExtra where
        Ray is missing.
    """
    if workers == 1 and ray is None:
        yield from ((unit, work(unit)) for unit in units)
        return
    crew = _Processes(work, workers) if ray is None else _Actors(work, workers, ray)
    try:
        yield from _share_out(deque(units), crew)
    finally:
        crew.dismiss()


class _Worker(Protocol):
    def give(self, unit: Any) -> None:
        """Begin with a unit."""

    def take(self) -> Any:
        """The result of the unit. Raises: WorkerDied."""


class _Crew(Protocol):
    size: int

    def hire(self) -> Any:
        """One more worker."""

    def first_done(self, busy: Iterable[Any]) -> Any:
        """A worker that has a result, or has died."""

    def dismiss(self) -> None:
        """End all workers, at once."""


def _share_out(waiting: deque[Any], crew: _Crew) -> Iterator[tuple[Any, Any]]:
    idle: list[_Worker] = [crew.hire() for _ in range(min(crew.size, len(waiting)))]
    busy: dict[_Worker, Any] = {}
    deaths: Counter[Any] = Counter()
    while waiting or busy:
        while waiting and idle:
            worker = idle.pop()
            busy[worker] = waiting.popleft()
            worker.give(busy[worker])
        worker = crew.first_done(busy)
        unit = busy.pop(worker)
        try:
            result = worker.take()
        except WorkerDied as died:
            if died.args == (UNGUARDED,):
                raise
            deaths[unit] += 1
            if deaths[unit] == ATTEMPTS:
                raise WorkerDied(f"{ATTEMPTS} workers died, one after the other, at {unit}") from None
            waiting.appendleft(unit)
            idle.append(crew.hire())
            continue
        idle.append(worker)
        yield unit, result


class _Processes:
    """Processes of this machine, spawned: a fork would copy the threads of libraries in the middle of their work."""

    def __init__(self, work: Work, workers: int | None) -> None:
        self.size, self._work = workers or os.cpu_count() or 1, work
        self._hired: list[_Process] = []

    def hire(self) -> _Process:
        self._hired.append(_Process(self._work))
        return self._hired[-1]

    def first_done(self, busy: Iterable[_Process]) -> _Process:
        of: dict[Any, _Process] = {worker.pipe: worker for worker in busy}
        worker = of[wait(of)[0]]
        while worker.begins():
            worker = of[wait(of)[0]]
        return worker

    def dismiss(self) -> None:
        for worker in self._hired:
            worker.process.terminate()
        for worker in self._hired:
            worker.process.join()


class _Process:
    def __init__(self, work: Work) -> None:
        self.pipe, there = get_context("spawn").Pipe()
        self.process = get_context("spawn").Process(target=_serve, args=(there, work), daemon=True)
        self._began = False
        if getattr(current_process(), "_inheriting", False):
            raise SystemExit(1)  # the main module of a worker: the process that started it says what is wrong
        with _interrupts_held_back():
            self.process.start()
        there.close()

    def give(self, unit: Any) -> None:
        with suppress(OSError):  # dead already: `take` will tell
            self.pipe.send(unit)

    def begins(self) -> bool:
        """Whether its first message only says that it begins."""
        with suppress(EOFError, OSError):  # dead already: `take` will tell
            if not self._began:
                self._began = self.pipe.recv()
                return True
        return False

    def take(self) -> Any:
        try:
            result, error, trace = self.pipe.recv()
        except (EOFError, OSError):
            raise WorkerDied("" if self._began else UNGUARDED) from None
        if error:
            raise error from RuntimeError(trace)
        return result


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    # A process inherits the mask: Ctrl-C does not reach a worker that has not come to ignore it yet. It can still reach
    # another thread of ours, and would interrupt this one when the worker has not been told everything: it comes later.
    if os.name != "posix":
        yield
        return
    resource_tracker.ensure_running()  # the first worker would start it, and that lets interrupts through again
    came: list[int] = []
    handler = signal.getsignal(signal.SIGINT) if current_thread() is main_thread() else None
    if handler is not None:
        signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if handler is not None:
            signal.signal(signal.SIGINT, handler)
    if came:
        signal.raise_signal(signal.SIGINT)


def _serve(pipe: Connection, work: Work) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that asked
    with suppress(EOFError, OSError):  # it is gone, and so are its wishes
        pipe.send(True)
        while True:
            unit = pipe.recv()
            try:
                answer: Any = work(unit), None, ""
            except Exception as error:
                answer = None, error, format_exc()
            pipe.send(answer)


class _Actors:
    """Actors of a Ray cluster; a Ray that runs already is joined and left running."""

    def __init__(self, work: Work, workers: int | None, address: str) -> None:
        with extra("scale"):
            import ray
        self._ray: Any = ray
        self._ours = not self._ray.is_initialized()
        if self._ours:
            self._end = _start_ray(ray, workers, address)
        self.size = workers or max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        self._make = ray.remote(num_cpus=1)(_Served)
        self._work = work

    def hire(self) -> _Actor:
        return _Actor(self._ray, self._make.remote(self._work))

    def first_done(self, busy: Iterable[_Actor]) -> _Actor:
        of: dict[Any, _Actor] = {worker.answer: worker for worker in busy}
        return of[self._ray.wait(list(of), num_returns=1)[0][0]]

    def dismiss(self) -> None:
        if self._ours:
            self._end()


def _start_ray(ray: Any, workers: int | None, address: str) -> Callable[[], object]:
    """Start or join a Ray; what is returned ends what was started."""
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
    end: Callable[[], object] = ray.shutdown
    if address != "local":
        ray.init(address, **quiet)
        return end
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        ray.init("local", num_cpus=workers, include_dashboard=False, **quiet)
    except Exception as error:  # of no kind of its own, where a busy machine is slower than Ray's fixed half minute
        late = _started(error)
        if late is None:
            raise
        end = _join(ray, late, quiet)
    return end


def _started(error: Exception) -> Any:
    # Ray forgets the processes of a start that failed; only the frames of the error still know them.
    nodes = [frame.f_locals.get("self") for frame, _ in walk_tb(error.__traceback__)]
    return next((node for node in nodes if hasattr(node, "kill_all_processes")), None)


def _join(ray: Any, late: Any, quiet: dict[str, Any]) -> Callable[[], object]:
    # The processes go on starting. A second start would begin from nothing, on the same busy machine.
    def end() -> None:
        ray.shutdown()
        late.kill_all_processes(check_alive=False, wait=True)

    for left in reversed(range(LATE_ATTEMPTS)):
        try:
            ray.shutdown()
            ray.init(late.gcs_address, **quiet)
            break
        except Exception:
            if not left:
                end()
                raise
    return end


class _Served:
    def __init__(self, work: Work) -> None:
        self._work = work

    def do(self, unit: Any) -> Any:
        return self._work(unit)


class _Actor:
    def __init__(self, ray: Any, actor: Any) -> None:
        self._ray, self._actor = ray, actor
        self.answer: Any = None

    def give(self, unit: Any) -> None:
        self.answer = self._actor.do.remote(unit)

    def take(self) -> Any:
        try:
            return self._ray.get(self.answer)
        except self._ray.exceptions.RayActorError:
            raise WorkerDied from None
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause from error


def in_threads(
    parts: Sequence[Callable[[], list[Row]]], workers: int | None, progress: Callable[[int], object]
) -> list[Row]:
    """The rows of all parts of a study, in order, each part called in one of the threads.

    Raises: what a part raises; Interrupted, with the rows of the finished parts, on Ctrl-C.
    """
    finished: dict[int, list[Row]] = {}
    pool = ThreadPoolExecutor(workers or os.cpu_count())
    waiting: dict[Future[Any], int] = {pool.submit(part): number for number, part in enumerate(parts)}
    try:
        for done in as_completed(waiting):
            finished[waiting[done]] = done.result()
            progress(len(done.result()))
    except KeyboardInterrupt:
        raise Interrupted(_in_order(finished)) from None
    finally:
        pool.shutdown(cancel_futures=True)
    return _in_order(finished)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C in the middle of a study; `rows` has what was finished by then."""

    def __init__(self, rows: list[Row]) -> None:
        super().__init__(f"interrupted after {len(rows)} rows")
        self.rows = rows


def _in_order(finished: dict[int, list[Row]]) -> list[Row]:
    return [row for number in sorted(finished) for row in finished[number]]
