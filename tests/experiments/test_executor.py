"""Work units: every one done once, by whom does not matter, and a killed worker's work is redone."""

import os
import signal
import subprocess
import sys
from collections import Counter
from functools import partial
from threading import Event, Thread

import pytest

from saboteur_env.core.extras import MissingExtra
from saboteur_env.experiments.common import executor
from saboteur_env.experiments.common.executor import WorkerDied, run
from tests.support.processes import PATIENCE

posix = pytest.mark.skipif(os.name != "posix", reason="sends SIGKILL")


def square(number):
    if number < 0:
        raise ValueError(f"{number} is below zero")
    return number * number


def die(folder, times, number):
    """Kill the worker at number 3, the first few times."""
    path = folder / "deaths"
    deaths = len(path.read_text()) if path.exists() else 0
    if number == 3 and deaths < times:
        path.write_text("x" * (deaths + 1))
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


@pytest.mark.parametrize("workers", [1, 2])
def test_every_unit_is_done_once(workers):
    assert sorted(run(range(20), square, workers)) == [(i, i * i) for i in range(20)]


def test_more_workers_than_units_and_no_units_are_fine():
    assert list(run([3], square, 4)) == [(3, 9)]
    assert list(run([], square, 4)) == []


def test_what_the_work_raises_is_raised_here_with_its_trace():
    with pytest.raises(ValueError, match="-1 is below zero") as raised:
        list(run([1, -1, 2], square, 2))
    assert "in square" in str(raised.value.__cause__)


@posix
def test_the_work_of_a_killed_worker_is_redone(tmp_path):
    done = Counter(run(range(8), partial(die, tmp_path, 2), 2))
    assert done == Counter((i, i * i) for i in range(8))
    assert (tmp_path / "deaths").read_text() == "xx"


@posix
def test_ctrl_c_waits_until_a_worker_knows_all_that_it_needs():
    began, ended, told = Event(), Event(), []
    other = Thread(target=lambda: began.set() or ended.wait())  # it takes the signal that this thread has masked
    other.start()
    began.wait()
    with pytest.raises(KeyboardInterrupt), executor._interrupts_held_back():
        os.kill(os.getpid(), signal.SIGINT)
        told += [f"part {part}" for part in range(1000)]
        other.join(0.1)
        told.append("all")
    ended.set()
    assert told[-1:] == ["all"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@posix
def test_a_unit_that_kills_every_worker_is_named(tmp_path):
    with pytest.raises(WorkerDied, match="3 workers died, one after the other, at 3"):
        list(run(range(8), partial(die, tmp_path, 99), 2))


UNGUARDED = """
from saboteur_env.experiments.common.executor import run
print(sorted(run(range(3), abs, 2)))
"""


def test_workers_of_a_program_without_a_guard_say_what_is_missing(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(UNGUARDED)
    ended = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=PATIENCE)
    assert "WorkerDied: a worker ended before it had begun" in ended.stderr
    assert "below `if __name__ == '__main__':`" in ended.stderr
    assert ended.stderr.count("Traceback") == 1, ended.stderr
    program.write_text(UNGUARDED.replace("print", "if __name__ == '__main__': print"))
    ended = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=PATIENCE)
    assert (ended.stdout, ended.stderr) == ("[(0, 0), (1, 1), (2, 2)]\n", "")


MASKED = """
import signal
from saboteur_env.experiments.common.executor import run

def held_back(unit):
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())

if __name__ == "__main__":
    print(sorted(run([1, 2], held_back, workers=2)))
"""


@pytest.mark.skipif(os.name != "posix", reason="signals are masked")
def test_no_worker_hears_ctrl_c_while_it_starts_not_even_the_first_of_a_process(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(MASKED)
    ended = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=PATIENCE)
    assert (ended.stdout, ended.stderr) == ("[(1, True), (2, True)]\n", "")


class SlowNode:
    """A node of Ray that has started processes, and does not hear from them in its time."""

    gcs_address = "here"

    def __init__(self, calls):
        self.calls = calls
        raise Exception("The current node timed out during startup.")

    def kill_all_processes(self, **_):
        self.calls.append("kill")


class SlowRay:
    """A Ray whose node does not start in its time, and that then cannot be joined so often."""

    def __init__(self, failures):
        self.failures, self.calls = failures, []

    def init(self, address, **_):
        self.calls.append(address)
        if address == "local":
            SlowNode(self.calls)
        if self.calls.count(address) <= self.failures:
            raise ConnectionError("no node is alive")

    def shutdown(self):
        self.calls.append("shutdown")


def test_a_ray_that_a_busy_machine_starts_too_slowly_is_joined_later_and_ended():
    ray = SlowRay(2)
    end = executor._start_ray(ray, 2, "local")
    assert ray.calls == ["local"] + ["shutdown", "here"] * 3
    ray.calls.clear()
    end()
    assert ray.calls == ["shutdown", "kill"]
    ray = SlowRay(99)
    with pytest.raises(ConnectionError, match="no node"):
        executor._start_ray(ray, 2, "local")
    assert ray.calls == ["local"] + ["shutdown", "here"] * executor.LATE_ATTEMPTS + ["shutdown", "kill"]


def test_without_ray_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match=r'ray is not installed: pip install "saboteur-env\[scale\]"'):
        list(run([1], square, ray="local"))
