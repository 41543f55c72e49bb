"""The errors that more than one game or folder raises."""

from __future__ import annotations


class IllegalMove(ValueError):
    """A move that is not legal now, or a text that is no move. The game is as it was."""


class OpponentError(ValueError):
    """An opponent raised an error, took too long, or answered with an illegal move. The games are as they were.

    Attributes:
        opponent: its name.
        seat: the seat that it plays.
        move: what it answered; None where it gave no answer.
        transcript: the match up to here, secrets included, for `Game.replay`.
    """

    def __init__(self, opponent: str, seat: int, move: object, where: str, transcript: str, why: str) -> None:
        super().__init__(f"opponent {opponent}, seat {seat} {where}: {why}; the error's `transcript` keeps the match")
        self.opponent, self.seat, self.move, self.transcript = opponent, seat, move, transcript
