"""Random and greedy players of Wazabi as kernels on views, and whole games between them in one kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from saboteur_env.core.checks import SEEDS, checked_int
from saboteur_env.core.compiled.jit import ONE, ZERO, kernel
from saboteur_env.core.compiled.memory import PerThread, record_dtype
from saboteur_env.core.prng import AGENTS, below, key
from saboteur_env.wazabi.engine.cards import (
    DRAW_THREE,
    GIVE_DIE,
    KEEP_ONE,
    KEEP_TWO,
    MISS,
    PASS_CARDS,
    PASS_DICE,
    REMOVE_ONE,
    REMOVE_TWO,
    REVERSE,
    SWAP_CARDS,
    SWAP_DICE,
    TAKE_CARD,
)
from saboteur_env.wazabi.engine.legal import MAX_MOVES, legal_moves
from saboteur_env.wazabi.engine.moves import GIVE, KEEP, NONE, PLAY, TAKE, first_of, second_of, text_of, verb_of
from saboteur_env.wazabi.engine.play import neighbour, play_unchecked, start_match
from saboteur_env.wazabi.engine.rules import Rules
from saboteur_env.wazabi.engine.state import Games, blank
from saboteur_env.wazabi.view import View

WAZABI_PRESETS = ("random", "greedy")
GREEDY = 1
_WORTH = np.array([5, 9, 3, 3, 6, 4, 1, 1, 4, 2, 7, 2, 2])  # of a card kept, in the order of KINDS
_PARTNER = -100.0

RESULT = record_dtype(
    ("seed", "u8"),
    ("turns", "i4"),
    ("moves", "i4"),
    ("first_seat", "i1"),
    ("winner", "i1"),
    ("dice_left", "i1"),  # with all others
    ("pad", "i1", 5),
)


def wazabi_number_of(name: str) -> int:
    """The number of a preset player.

    Raises: ValueError that lists the names there are.
    """
    if name not in WAZABI_PRESETS:
        raise ValueError(f"there is no player {name!r} of Wazabi; there are {', '.join(WAZABI_PRESETS)}")
    return WAZABI_PRESETS.index(name)


class WazabiAgent:
    """A player of WAZABI_PRESETS for the validated single game. Threads may share it.

    Raises: ValueError where there is no player of this name.
    """

    def __init__(self, name: str) -> None:
        self.name, self._number = name, wazabi_number_of(name)
        self._moves = PerThread(_moves)

    def act(self, view: View, seed: int) -> str:
        """The move this player makes. The same view and seed give the same move.

        Raises: ValueError where the view's seat is not to move, and for a bad seed.
        """
        if view.turn != view.seat or view.public.over:
            raise ValueError(f"seat {view.seat} is not to move")
        checked = np.uint64(checked_int("seed", seed, SEEDS))
        return text_of(_act(view.public, view.private, self._number, self._moves.local, checked))


def _moves() -> npt.NDArray[np.int32]:
    return np.empty(MAX_MOVES, np.int32)


@kernel
def _act(public: Any, private: Any, player: int, moves: Any, seed: np.uint64) -> int:
    count = legal_moves(public, private, moves)
    return np.int64(moves[choose_wazabi(player, public, private, moves, count, seed)])


@kernel
def choose_wazabi(player: int, public: Any, private: Any, moves: Any, count: int, random_key: np.uint64) -> int:
    """The index in `moves` of what a preset player chooses; equal ones at random.

    Args:
        public, private: the public record, and the private one of the seat to move.
        moves: int32[>= count], the legal moves.
        random_key: random key (prng.py).
    """
    best, draw = below(random_key, ZERO, count)
    if player != GREEDY:
        return best
    best_score = -1e9
    for i in range(count):
        random_number, draw = below(random_key, draw, 1 << 20)
        score = _score(public, np.int64(moves[i])) + random_number * 1e-9
        if score > best_score:
            best, best_score = i, score
    return best


@kernel
def _score(public: Any, number: int) -> float:
    # Dice go to the seat nearest to winning. Cards that remove own dice come first, then those that hinder others.
    verb, first, second = verb_of(number), first_of(number), second_of(number)
    if verb == PLAY:
        return _score_play(public, first, second)
    if verb == KEEP:
        return np.float64(_WORTH[first]) + (np.float64(_WORTH[second]) if second != NONE else 0.0)
    if verb == GIVE:
        return _against(public, second) - np.float64(public.dice[second])
    if verb == TAKE:
        return _against(public, second) + np.float64(public.hand_count[second])
    return 0.0


@kernel
def _against(public: Any, other: int) -> float:
    return _PARTNER if public.rules.team[other] == public.rules.team[public.seat] else 0.0


@kernel
def _score_play(public: Any, kind: int, target: int) -> float:
    seat = np.int64(public.seat)
    dice, cards = np.float64(public.dice[seat]), np.float64(public.hand_count[seat])
    if kind in (REMOVE_ONE, REMOVE_TWO):
        return 10.0 if kind == REMOVE_ONE else 20.0
    if kind in (REVERSE, DRAW_THREE):
        return 6.0 if kind == REVERSE else 4.0
    if kind == KEEP_TWO:
        return 3.0
    if kind in (PASS_DICE, PASS_CARDS):
        giver = neighbour(public, seat, 2 * target - 1)
        if kind == PASS_DICE:
            return 10.0 * (dice - np.float64(public.dice[giver]))
        return np.float64(public.hand_count[giver]) - cards
    against = _against(public, target)
    if kind == SWAP_DICE:
        return against + 10.0 * (dice - np.float64(public.dice[target]))
    if kind == GIVE_DIE:
        return against + 10.0 - 0.1 * np.float64(public.dice[target])
    if kind == MISS:
        return against + 5.0 - 0.1 * np.float64(public.dice[target])
    if kind == SWAP_CARDS:
        return against + np.float64(public.hand_count[target]) - cards
    held = np.float64(public.hand_count[target])
    return against + (held - 1.0 if kind == KEEP_ONE else 3.0 + 0.1 * held) * (kind in (KEEP_ONE, TAKE_CARD))


def play_wazabi(rules: Rules, seeds: npt.NDArray[np.uint64], player: int) -> npt.NDArray[np.void]:
    """Play one game for each seed, all seats by one preset player.

    Releases the interpreter lock, so that threads share the work.

    Args:
        seeds: uint64[n].
        player: its number (`wazabi_number_of`).

    Returns: RESULT[n].
    """
    games, results = blank(), np.zeros(len(seeds), RESULT)
    rules.write(games[0].public.rules)
    _play_games(games, seeds, player, np.empty(MAX_MOVES, np.int32), results)
    return results


@kernel
def _play_games(games: Games, seeds: Any, player: int, moves: Any, results: Any) -> None:
    game = games[0]
    public = game.public
    for i in range(len(seeds)):
        start_match(game, seeds[i])
        result, draw = results[i], ZERO
        while not public.over:
            count = legal_moves(public, game.private[public.seat], moves)
            random_key = key(seeds[i], AGENTS, np.int64(draw))
            index = choose_wazabi(player, public, game.private[public.seat], moves, count, random_key)
            play_unchecked(game, np.int64(moves[index]))
            draw += ONE
        result.seed, result.first_seat, result.winner = seeds[i], public.first_seat, public.winner
        result.turns, result.moves = public.turns, draw
        for seat in range(public.rules.players):
            result.dice_left += public.dice[seat]
