"""The threads of a batch."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait


class Threads:
    """Threads that work side by side; the one that calls is the first of them.

    Args:
        count: how many. The others start when they are first needed.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._pool: tuple[int, ThreadPoolExecutor] | None = None

    def __reduce__(self) -> tuple[type[Threads], tuple[int]]:
        return Threads, (self._count,)  # a copy starts its own

    def run(self, work: Callable[[int], object]) -> None:
        """Call `work` with the number of each thread, in that thread, and wait for all.

        Raises: what the first of those raised that failed.
        """
        others = [self._workers.submit(work, number) for number in range(1, self._count)]
        try:
            work(0)
        finally:
            wait(others)
        for task in others:
            task.result()

    @property
    def _workers(self) -> ThreadPoolExecutor:
        # A forked process inherits the pool but not its threads, and would wait for them for ever.
        if self._pool is None or self._pool[0] != os.getpid():
            self._pool = os.getpid(), ThreadPoolExecutor(self._count - 1)
        return self._pool[1]

    def close(self) -> None:
        """End the threads. A later call starts new ones."""
        if self._pool is not None and self._pool[0] == os.getpid():
            self._pool[1].shutdown()
        self._pool = None


def even_parts(count: int, parts: int) -> list[tuple[int, int]]:
    """Where each of some even parts of `count` things begins and ends; some are empty where things are few."""
    return [(count * i // parts, count * (i + 1) // parts) for i in range(parts)]
