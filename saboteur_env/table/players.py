"""Dwarfs at tables: each name has its own threads, so a slow dwarf does not delay the others."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ..agents.base import Decision, Speaker
from ..agents.matches.kernel_matches import random_key_of
from ..agents.registry import make_agent
from ..game.game import Game
from ..game.view import View
from ..render.notes import SHOWN

Thought = dict[str, Any]
"""`move`: what is played; `moves`: the likeliest with their probabilities; `beliefs`: for each seat the probability
that it is a saboteur, or None; `said`: what a dwarf that speaks said of it; `message`: what it says to all before it.
What an agent does not tell is left out."""

LONGEST_SPEECH = 4000  # characters that are kept of what a dwarf said
THREADS = 4  # for each name: so many tables may wait for the same slow dwarf before others wait too


class Players:
    """The dwarfs that a server offers.

    Args:
        names: agents by name (agents/registry.py), as the command line gives them.
        teacher: who advises; nobody where empty.

    Raises: ValueError for an unknown name.
    """

    def __init__(self, names: Iterable[str], teacher: str = "") -> None:
        self.names, self.teacher = tuple(dict.fromkeys(names)), teacher
        self._threads = {name: ThreadPoolExecutor(THREADS, "dwarf") for name in {*self.names, teacher} if name}

    def warm_up(self) -> None:
        """Play a match and let every dwarf think once, so that nobody waits for kernels later."""
        _rehearse()
        view = Game(players=3, seed=0, options={"first_seat": 0}).view(0)
        for name, threads in self._threads.items():
            threads.submit(think, name, view, 0).result()

    async def think(self, name: str, view: View, seed: int) -> Thought:
        """The move of a dwarf, and its thought about it. Raises: every error of the agent."""
        stream = int(random_key_of(view.public, np.uint64(seed)))
        return await asyncio.get_running_loop().run_in_executor(self._threads[name], think, name, view, stream)

    async def advise(self, view: View) -> Thought:
        """The thought of the teacher about the position of a seat."""
        return await self.think(self.teacher, view, 0)

    def close(self) -> None:
        """End the threads, without waiting for thoughts in progress."""
        for threads in self._threads.values():
            threads.shutdown(wait=False, cancel_futures=True)


def _rehearse() -> None:
    game = Game(players=3, seed=0, rounds=2)
    while not game.over:
        if game.round_over:
            game.next_round()
        game.play(game.legal_moves()[0])
    Game.replay(game.transcript())


def think(name: str, view: View, seed: int) -> Thought:
    """The thought of an agent, made once in each thread."""
    agent: Any = make_agent(name)
    decision = agent.decide(view, seed) if isinstance(agent, Speaker) else Decision(agent.act(view, seed))
    thought: Thought = {"move": decision.move}
    if decision.words:
        thought["said"] = decision.words[:LONGEST_SPEECH]
    if decision.message:
        thought["message"] = decision.message
    if probabilities := getattr(agent, "probabilities", None):
        thought["moves"] = _likeliest(probabilities(view), thought["move"])
    if beliefs := getattr(agent, "beliefs", None):
        thought["beliefs"] = [None if value is None else round(float(value), 4) for value in beliefs(view)]
    return thought


def _likeliest(moves: dict[str, float], played: str) -> dict[str, float]:
    ranked = sorted(moves, key=lambda text: (text != played, -moves[text], text))
    return {text: round(float(moves[text]), 4) for text in ranked[:SHOWN]}
