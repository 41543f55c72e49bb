"""From what users call an opponent to who plays it in a batch: the place where specs are understood."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from saboteur_env.batch.opponents import Player
from saboteur_env.core.compiled.jit import kernel
from saboteur_env.core.errors import OpponentError
from saboteur_env.core.schema import shown
from saboteur_env.engine.moves import parse
from saboteur_env.engine.state import to_move
from saboteur_env.game.illegal import explain_illegal
from saboteur_env.game.view import View

from ..base import Agent
from ..registry import label, resolve_agent
from ..scripted.agent import KernelAgent
from ..scripted.policy import WORKSPACE
from ..scripted.presets import DWARFS, PRESETS
from ..scripted.select import choose


class AgentPlayer:
    """An agent for the checked game, asked game by game.

    Args:
        spec: what it was named by.
    """

    def __init__(self, spec: Any, agent: Agent) -> None:
        self.spec, self.agent = spec, agent

    def moves(self, vec: Any, games: npt.NDArray[np.int64], seeds: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """Legal moves of the seats to move, as of a `Player`: int64[k].

        Args:
            vec: the batch.
            games: int64[k], the games that wait; seeds: uint64[k], of each decision.

        Raises: OpponentError for an agent that fails.
        """
        asked = zip(games.tolist(), seeds.tolist(), strict=True)
        return np.array([self._move(vec, i, seed) for i, seed in asked], np.int64)

    def _move(self, vec: Any, i: int, seed: int) -> int:
        seat = int(vec.records["public"]["seat"][i])
        view = View.of(vec.records[i : i + 1], vec.rules(i), seat)
        answer: Any = None
        cause: Exception | None = None
        try:
            answer = self.agent.act(view, seed)
            number = parse(answer)
            if number in view.legal_numbers():
                return number
            why = f"{shown(answer)} is not legal: {explain_illegal(view, number)}"
        except Exception as error:
            why, cause = f"{type(error).__name__}: {error}", error
        where = f"of game {i}, round {int(view.public.round_number)}"
        raise OpponentError(label(self.spec), seat, answer, where, vec.transcript(i), why) from cause


class PresetPlayer:
    """A preset dwarf, asked from outside of a batch.

    Args:
        number: its index in `PRESETS`.
    """

    def __init__(self, number: int) -> None:
        self.spec, self._dwarf = PRESETS[number], DWARFS[[number]]
        self._scratch = np.zeros(1, WORKSPACE)

    def moves(self, vec: Any, games: npt.NDArray[np.int64], seeds: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """Legal moves of the seats to move, as of a `Player`: int64[k].

        Args:
            vec: the batch.
            games: int64[k], the games that wait; seeds: uint64[k], of each decision.
        """
        moves = np.empty(len(games), np.int64)
        _choose(self._dwarf, vec.records, games, seeds, self._scratch, moves)
        return moves


@kernel
def _choose(dwarfs: Any, records: Any, games: Any, seeds: Any, scratches: Any, moves: Any) -> None:
    for i in range(len(games)):
        moves[i] = choose(dwarfs[0], to_move(records[games[i]]), seeds[i], scratches[0])


def player_of(spec: Any) -> Player | int:
    """The number of a preset, or who else plays by a spec in batches.

    Raises: ValueError that lists what there is.
    """
    if isinstance(spec, str) and spec in PRESETS:
        return PRESETS.index(spec)
    agent = resolve_agent(spec)
    if isinstance(agent, KernelAgent) and agent.name in PRESETS:
        return PRESETS.index(agent.name)
    in_batches = getattr(agent, "in_batches", None)
    player: Player = in_batches(spec) if in_batches else AgentPlayer(spec, agent)
    return player
