"""Decisions to distil from: what the small network reads of each, and how likely the teacher plays every move.

In some rounds the teacher plays all seats, in others one side against a preset dwarf. Later the student decides in half
of the games, and the teacher says what it would have played (Ross, Gordon, Bagnell, "A reduction of imitation learning
and structured prediction to no-regret online learning", AISTATS 2011).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from saboteur_env.core.extras import extra

with extra("learned"):
    import torch

from saboteur_env import make_vec
from saboteur_env.agents.beliefs.tracker import BeliefTracker
from saboteur_env.agents.learned.inputs import inputs_of
from saboteur_env.agents.learned.ppo import Ppo
from saboteur_env.agents.scripted.net_inputs import look_at_move, look_at_table
from saboteur_env.agents.scripted.net_rows import KIND_ROW, MOVE_ROWS, STATE_ROWS
from saboteur_env.agents.scripted.policy import WORKSPACE
from saboteur_env.agents.scripted.presets import DWARFS, number_of
from saboteur_env.core.compiled.jit import kernel
from saboteur_env.core.seeds import game_seed
from saboteur_env.engine.legal import legal_moves
from saboteur_env.engine.state import MAX_PLAYERS, to_move
from saboteur_env.environment.actions import Actions, action_of
from saboteur_env.environment.settings import Settings

DISTIL_OPPONENTS = ("scripted", "patient", "two-faced", "careless")
ALONE, AS_MINERS = 0.4, 0.3  # shares of games that the teacher plays alone, and as the miners; the rest as saboteurs
MOST = 64  # moves of a decision with room for all


class Decisions(NamedTuple):
    """Decisions, n of them with m legal moves in all.

    Attributes:
        state: float16[n, rows] (net_rows.py).
        role, counts: int64[n], of who decided, and how many moves it had.
        move: float16[m, rows]; kind: int64[m], as `KIND_ROW`.
        share: float32[m], how likely the teacher plays each move; 0 outside its window.
    """

    state: npt.NDArray[np.float16]
    role: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    move: npt.NDArray[np.float16]
    kind: npt.NDArray[np.int64]
    share: npt.NDArray[np.float32]


# The probabilities of all moves of some decisions, float32[m].
Student = Callable[[Decisions], npt.NDArray[np.float32]]


def joined(parts: Sequence[Decisions]) -> Decisions:
    """All decisions of several parts."""
    return Decisions(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def collect(
    teacher: Ppo,
    decisions: int,
    seed: int,
    games: int = 512,
    student: Student | None = None,
    progress: Callable[[int], object] = lambda decisions: None,
) -> Decisions:
    """Play games of 3 to 10 players and keep what was decided, and by what.

    Args:
        decisions: at least so many.
        seed: of the deals (`Purpose.LEARNING`), and of all that is drawn.
        student: decides in half of the games.
        progress: called with the number of decisions just kept.
    """
    window, history = teacher.network.window, teacher.network.history
    settings = Settings(rounds=1, window=window, history=history)
    players = [3 + i % (MAX_PLAYERS - 2) for i in range(games)]
    vec: Any = make_vec(games, players, game_seed(seed, 0), 1, mask=None, settings=settings)
    rng, tracker = np.random.default_rng([seed, 1]), _tracker(teacher, vec)
    vec.control(_controllers(rng, games))
    vec.reset()
    by_student, parts = np.arange(games) // len(DISTIL_OPPONENTS) % 2 == 1, list[Decisions]()
    for _ in range(-(-decisions // games)):
        part, listed = _decisions(vec, teacher, tracker)
        shares = part.share
        if student is not None:
            owner = np.repeat(by_student, part.counts)
            shares = np.where(owner & (listed >= 0), student(part), np.where(owner, 0, shares)).astype(np.float32)
        vec.take(_drawn(shares, part.counts, listed, rng.random(games)))
        parts.append(part)
        progress(games)
    return joined(parts)


def _tracker(teacher: Ppo, vec: Any) -> BeliefTracker | None:
    return BeliefTracker(vec, teacher.action_model) if teacher.network.config.suspects else None


def _controllers(rng: np.random.Generator, games: int) -> npt.NDArray[np.int64]:
    # Who plays each seat by its role, int64[games, 2, 10]: 0 for those who are learned from.
    table, drawn = np.zeros((games, 2, MAX_PLAYERS), np.int64), rng.random(games)
    scripted = np.array([-1 - number_of(name) for name in DISTIL_OPPONENTS])[np.arange(games) % len(DISTIL_OPPONENTS)]
    side = np.where(drawn < ALONE, -1, np.where(drawn < ALONE + AS_MINERS, 1, 0))
    for role in range(2):
        table[side == role, role] = scripted[side == role, None]
    return table


def _decisions(vec: Any, teacher: Ppo, tracker: BeliefTracker | None) -> tuple[Decisions, npt.NDArray[np.int64]]:
    # The decisions that a batch waits for; and for each move its index in `legal`, -1 outside the window.
    inputs = inputs_of(vec, "cpu", tracker)
    with torch.inference_mode():
        likely = teacher.logits(inputs).softmax(1).numpy()
    games, codecs = vec.num_games, Actions(teacher.network.window).codecs
    state, move = np.empty((games, len(STATE_ROWS)), np.float32), np.empty((games * MOST, len(MOVE_ROWS)), np.float32)
    role, count = np.empty((2, games), np.int64)
    kind, listed = np.empty((2, games * MOST), np.int64)
    total = _write(vec.records, _READER, codecs, np.zeros(1, WORKSPACE), state, role, count, move, kind, listed)
    owner, listed = np.repeat(np.arange(games), count), listed[:total].copy()
    share = np.where(listed >= 0, likely[owner, np.maximum(listed, 0)], 0).astype(np.float32)
    halves = state.astype(np.float16), move[:total].astype(np.float16)  # kernels have none
    return Decisions(halves[0], role, count, halves[1], kind[:total].copy(), share), listed


_READER = DWARFS[[number_of("loyal+blatant")]]  # whose clues are those of the small network (presets.py)


@kernel
def _write(
    records: Any,
    dwarfs: Any,
    codecs: Any,
    spaces: Any,
    state: Any,
    role: Any,
    count: Any,
    move: Any,
    kind: Any,
    listed: Any,
) -> int:
    total, space = 0, spaces[0]
    for i in range(len(records)):
        known, inside = to_move(records[i]), 0
        players = np.int64(known.public.rules.players)
        role[i] = known.private.role
        count[i] = min(legal_moves(known.public, known.private, space.moves), MOST)
        goals = look_at_table(dwarfs[0], known, space)
        for row in range(state.shape[1]):
            state[i, row] = space.net.state[row]
        for j in range(count[i]):
            number = np.int64(space.moves[j])
            look_at_move(known, goals, number, space)
            for row in range(move.shape[1]):
                move[total, row] = space.net.move[row]
            kind[total], listed[total] = KIND_ROW[number >> 12], -1
            if action_of(number, known.seat, players, codecs[0]) >= 0:
                listed[total] = inside
                inside += 1
            total += 1
    return total


@kernel
def _drawn(shares: Any, count: Any, listed: Any, lots: Any) -> Any:
    # For each decision the index in `legal` of a move drawn by its share.
    result, first = np.zeros(len(count), np.int64), 0
    for i in range(len(count)):
        total = 0.0
        for j in range(first, first + count[i]):
            total += shares[j]
        left = lots[i] * total
        for j in range(first, first + count[i]):
            if shares[j] > 0:
                result[i] = listed[j]
                left -= shares[j]
                if left < 0:
                    break
        first += count[i]
    return result
