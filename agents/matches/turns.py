"""A match told turn by turn: it asks for decisions, and whoever drives it may let many matches wait together."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Iterable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from saboteur_env.game.game import Game
from saboteur_env.game.view import View

from ..base import Agent, Decision, Speaker


class Turn(NamedTuple):
    """Who is asked, and what for."""

    agent: Agent
    view: View
    random_key: int


T = TypeVar("T")
Match = Generator[Turn, Decision, T]  # ends with what came of it


def game_turns(game: Game, seats: Sequence[Agent], seed: int = 0) -> Match[list[Decision]]:
    """The rest of a match: one decision for each move.

    Args:
        game: played to its end.
        seats: who plays, seat by seat.
        seed: of the random numbers that agents draw.

    Raises: ValueError for a wrong number of seats, IllegalMove where an agent plays one.
    """
    if game.rules.players != len(seats):
        raise ValueError(f"{len(seats)} agents cannot sit at {game!r}")
    rng, decisions = np.random.default_rng(seed), list[Decision]()
    while not game.over:
        if game.round_over:
            game.next_round()
        decisions.append((yield Turn(seats[game.seat], game.view(game.seat), int(rng.integers(2**63)))))
        carry_out(game, decisions[-1])
    return decisions


def carry_out(game: Game, decision: Decision) -> None:
    """Say the message of the seat to move, where there is one, and play its move. Raises: ValueError. Mutates: game."""
    if decision.message:
        game.say(game.seat, decision.message)
    game.play(decision.move)


def play_alone(match: Match[T]) -> T:
    """Play a match to its end, each agent waited for in this thread."""
    try:
        turn = next(match)
        while True:
            try:
                decision = decide(turn)
            except Exception as error:  # the match knows who was asked, and where
                turn = match.throw(error)
            else:
                turn = match.send(decision)
    except StopIteration as done:
        result: T = done.value
        return result


def decide(turn: Turn) -> Decision:
    """Ask an agent, and wait."""
    if isinstance(turn.agent, Speaker):
        return turn.agent.decide(turn.view, turn.random_key)
    return Decision(turn.agent.act(turn.view, turn.random_key))


async def play_together(matches: Iterable[Match[T]], at_once: int = 64) -> list[T]:
    """Play matches to their ends: while speakers (base.py) of one wait for answers, the others go on.

    Args:
        at_once: matches that wait at the same time.

    Returns: what came of each, in their order.

    Raises: what a match raises; then the others are stopped.
    """
    room, desk, speakers = asyncio.Semaphore(at_once), asyncio.Lock(), set[Speaker]()

    async def play(match: Match[T]) -> T:
        async with room:
            return await _play(match, desk, speakers)

    tasks = [asyncio.ensure_future(play(match)) for match in matches]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for speaker in speakers:
            await speaker.aclose()


async def _play(match: Match[T], desk: asyncio.Lock, speakers: set[Speaker]) -> T:
    try:
        turn = next(match)
        while True:
            try:
                decision = await _decide(turn, desk, speakers)
            except Exception as error:
                turn = match.throw(error)
            else:
                turn = match.send(decision)
    except StopIteration as done:
        result: T = done.value
        return result


async def _decide(turn: Turn, desk: asyncio.Lock, speakers: set[Speaker]) -> Decision:
    if not isinstance(turn.agent, Speaker):
        return decide(turn)
    speakers.add(turn.agent)
    await _queue(desk)
    return await turn.agent.decide_async(turn.view, turn.random_key)


async def _queue(desk: asyncio.Lock) -> None:
    # Answers come in waves. One match a pass of the event loop puts its next question; otherwise none would leave
    # before the last is written.
    async with desk:
        await asyncio.sleep(0)
