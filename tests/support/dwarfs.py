"""Agents made in Python, for tournaments."""

import os
import signal
from pathlib import Path


class First:
    """Plays the first of the legal moves; thinks that everybody else is a saboteur, as surely as it is told."""

    def __init__(self, suspicion="0.5"):
        self.suspicion = float(suspicion)

    def act(self, view, seed):
        return view.legal_moves()[0]

    def probabilities(self, view):
        return {self.act(view, 0): 1.0}

    def beliefs(self, view):
        return [None if seat == view.seat else self.suspicion for seat in range(view.rules.players)]


class Cheat(First):
    """Plays a map of goal 2 whether it holds one or not."""

    def act(self, view, seed):
        return "map:2"


class Deadly(First):
    """Kills the process in which it plays, as often as it is told, and keeps count in a file."""

    def __init__(self, argument):
        times, self.count = argument.split("@")
        self.times = int(times)

    def act(self, view, seed):
        deaths = Path(self.count)
        if len(deaths.read_text()) < self.times:
            deaths.write_text(deaths.read_text() + "x")
            os.kill(os.getpid(), signal.SIGKILL)
        return super().act(view, seed)


class Silent:
    """Plays, and does not tell what it thinks."""

    def act(self, view, seed):
        return view.legal_moves()[-1]


class Idle:
    """No agent."""


class Scribbler(First):
    """Keeps what it works with, as agents do that are for one thread: it plays the last of the legal moves."""

    def act(self, view, seed):
        self.moves = []
        for move in view.legal_moves():
            self.moves.append(move)
            sum(range(50))
        return self.moves.pop()
