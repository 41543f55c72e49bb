"""A match by texts alone, in the manner of TextArena: observe, answer, until it is done."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from ..game.game import Game
from .answers import read_answer, split_message
from .prompt import PROMPT_SIZES, prompt

NO_END = {"winner": None, "roles": None}


class TextEnv:
    """Saboteur for those who read and write.

    Args:
        players, edition, rounds, options: as for `Game`.
        size: of the prompts (prompt.py).
        tries: after so many answers in a row that cannot be read, a move at random is played, counted and told.

    Raises: ValueError naming every impossible setting.
    """

    def __init__(
        self,
        players: int = 5,
        edition: str = "lv",
        rounds: int = 3,
        options: Mapping[str, Any] | None = None,
        size: str = "full",
        tries: int = 3,
    ) -> None:
        if size not in PROMPT_SIZES or tries < 1:
            raise ValueError(f"size: one of {', '.join(PROMPT_SIZES)}; tries: 1 or more; not {size!r} and {tries!r}")
        self._settings = players, edition, rounds, options
        self._size, self._tries = size, tries
        self._game: Game | None = None

    def reset(self, seed: int | None = None) -> None:
        """Deal a match."""
        players, edition, rounds, options = self._settings
        self._game = Game(players, edition, seed, rounds, options)
        self._lots, self._failed, self._told = random.Random(seed), 0, ""
        self._fallbacks = [0] * players

    @property
    def game(self) -> Game:
        """The match. Raises: RuntimeError before the first reset."""
        if self._game is None:
            raise RuntimeError("call reset() first")
        return self._game

    def get_observation(self) -> tuple[int, str]:
        """The seat to move and its prompt, with what was wrong with its last answer; after the match no prompt."""
        game = self.game
        return game.seat, "" if game.over else self._told + prompt(game.view(game.seat), self._size)

    def step(self, text: str) -> tuple[bool, dict[str, Any]]:
        """Take an answer of the seat to move.

        At a table of free talk an answer may hold a message (answers.py); it is said if the answer holds a move.

        Returns: whether the match is over, and `seat`, `move` (None: asked again), `said`, `why`, `fallback`; at the
            end of a round also its `winner` and the `roles` of all seats, None before.

        Raises: ValueError once the match is over.
        """
        game = self.game
        if game.over:
            raise ValueError("the match is over: reset the environment")
        seat, legal = game.seat, game.legal_moves()
        rest, said = split_message(text) if game.view(seat).may_say else (text, "")
        move, why = read_answer(rest, legal)
        told = said if move else ""
        if told:
            game.say(seat, told)
        self._failed = 0 if move else self._failed + 1
        fallback = self._failed == self._tries
        if fallback:
            move, self._failed = self._lots.choice(legal), 0
            self._fallbacks[seat] += 1
        self._told = "" if move else f"{why} Answer again.\n\n"
        ended = self._play(game, move) if move else NO_END
        return game.over, {"seat": seat, "move": move, "said": told, "why": why, "fallback": fallback, **ended}

    def close(self) -> tuple[dict[int, int], dict[int, dict[str, Any]]]:
        """The nuggets of each seat, and how often a move at random was played for it."""
        return dict(enumerate(self.game.nuggets)), {
            seat: {"fallbacks": count} for seat, count in enumerate(self._fallbacks)
        }

    def _play(self, game: Game, move: str) -> dict[str, Any]:
        game.play(move)
        if not game.round_over:
            return NO_END
        ended = {"winner": game.winner, "roles": game.view(0).roles}
        if not game.over:
            game.next_round()
        return ended
