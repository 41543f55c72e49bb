"""Many matches at once: while one waits for an answer, the others play."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np

from saboteur_env.game.game import Game

from ..base import Agent
from .client import openai
from .dwarf import Chat


async def play_matches(games: Sequence[Game], seats: Sequence[Agent], seed: int = 0, at_once: int = 64) -> None:
    """Play games to their ends.

    Args:
        games: changed in place.
        seats: who plays, seat by seat, in every game; chat dwarfs wait together, others play at once.
        seed: of the lots that agents draw.
        at_once: games that wait at the same time.

    Raises: IllegalMove where an agent plays one, ValueError for a wrong number of seats; the other games stop.
    """
    wrong = [game for game in games if game.rules.players != len(seats)]
    if wrong:
        raise ValueError(f"{len(seats)} agents cannot sit at {wrong[0]!r}")
    clients = {id(agent): agent.async_client() for agent in seats if isinstance(agent, Chat)}
    room = asyncio.Semaphore(at_once)

    async def one(game: Game, stream: np.random.SeedSequence) -> None:
        async with room:
            await _play(game, seats, clients, np.random.default_rng(stream))

    try:
        streams = np.random.SeedSequence(seed).spawn(len(games))
        await _all([asyncio.ensure_future(one(*each)) for each in zip(games, streams, strict=True)])
    finally:
        for client in clients.values():
            await client.close()


async def _all(tasks: Sequence[asyncio.Future[None]]) -> None:
    # Where one fails the others are stopped, and waited for, before clients close.
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _play(
    game: Game, seats: Sequence[Agent], clients: dict[int, openai.AsyncOpenAI], lots: np.random.Generator
) -> None:
    while not game.over:
        if game.round_over:
            game.next_round()
        agent, view, seed = seats[game.seat], game.view(game.seat), int(lots.integers(2**63))
        game.play(
            await agent.act_async(clients[id(agent)], view, seed) if isinstance(agent, Chat) else agent.act(view, seed)
        )
