"""A line for whoever waits at a terminal while kernels are compiled."""

from __future__ import annotations

import sys
import time
from typing import Any

from numba.core import event

PATIENCE = 3.0  # seconds
NOTICE = "saboteur_env compiles its kernels, once for this machine and version (`saboteur-env warm` does it ahead) …"


class Notice(event.Listener):
    """Prints NOTICE once, when kernels have been compiled for longer than PATIENCE in all."""

    def __init__(self) -> None:
        self._nested, self._began, self._spent, self._said = 0, 0.0, 0.0, False

    def on_start(self, event: Any) -> None:
        """A compilation begins, maybe inside another."""
        if self._nested == 0:
            self._began = time.monotonic()
        self._nested += 1
        if self._spent + time.monotonic() - self._began > PATIENCE and not self._said:
            self._said = True
            print(NOTICE, file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        """A compilation ends."""
        self._nested -= 1
        if self._nested == 0:
            self._spent += time.monotonic() - self._began


def give_notice() -> None:
    """Print NOTICE when it is due, if the standard error is a terminal: not in notebooks and logs."""
    if sys.stderr is not None and sys.stderr.isatty():
        event.register("numba:compile", Notice())
