"""One decision of a match: the code that the environment and the batch share."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.compiled.jit import kernel
from .actions import action_of, move_of_action
from .engine.legal import legal_moves
from .engine.play import next_game, play_unchecked
from .observations import observe
from .rewards import pay_game

ILLEGAL, GOES_ON, GAME_OVER, MATCH_OVER = range(4)


@kernel
def list_actions(public: Any, private: Any, actions: Any) -> int:
    """List the legal actions of the seat to move, whose private record `own` is; returns their number.

    Args:
        actions: int32[MAX_MOVES], overwritten from the front.
    """
    count = legal_moves(public, private, actions)
    for i in range(count):
        actions[i] = action_of(np.int64(actions[i]), np.int64(public.seat), np.int64(public.rules.players))
    return count


@kernel
def step_unchecked(game: Any, action: int, reward: int, paid: Any) -> int:
    """Let the seat to move take a legal action, and deal the next game where one ends before the last.

    Args:
        paid: float[6], what the step pays to each seat. Mutates it and game.

    Returns: GOES_ON, GAME_OVER or MATCH_OVER; after the last the record stays as the match ended.
    """
    public = game.public
    play_unchecked(game, move_of_action(action, np.int64(public.seat), np.int64(public.rules.players)))
    paid[:] = 0
    if not public.over:
        return GOES_ON
    pay_game(public, reward, paid)
    if public.game_number == public.rules.games:
        return MATCH_OVER
    next_game(game)
    return GAME_OVER


@kernel
def take_action(games: Any, action: int, reward: int, actions: Any, paid: Any) -> int:
    """`step_unchecked` of the first game, or ILLEGAL, the game untouched.

    Args:
        games: STATE[n].
        action: a number of the actions, or any other int, which is illegal.
        reward: an index into REWARDS (rewards.py).
        actions: int32[MAX_MOVES], scratch.
        paid: float64[6], what the step paid to each seat. Mutates it.
    """
    game = games[0]
    for i in range(list_actions(game.public, game.private[game.public.seat], actions)):
        if actions[i] == action:
            return step_unchecked(game, action, reward, paid)
    return ILLEGAL


@kernel
def look(games: Any, seat: int, actions: Any, flat: Any, mask: Any) -> None:
    """Write what a seat of the first game sees, and the mask of its legal actions, all zero unless it is to move.

    Args:
        games: STATE[n]; actions: int32[MAX_MOVES], scratch.
        flat: int8[BYTES]; mask: int8[ACTIONS]. Requires: both zero. Mutates both.
    """
    public, private = games[0].public, games[0].private[seat]
    observe(public, private, seat, flat)
    if public.seat == seat:
        for i in range(list_actions(public, private, actions)):
            mask[actions[i]] = 1
