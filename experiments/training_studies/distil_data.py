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
from saboteur_env.agents.scripted.policy import WORKSPACE
from saboteur_env.agents.scripted.presets import number_of
from saboteur_env.core.compiled.jit import kernel
from saboteur_env.core.seeds import game_seed
from saboteur_env.engine.legal import legal_moves
from saboteur_env.engine.state import MAX_PLAYERS, to_move
from saboteur_env.environment.actions import Actions, action_of
from saboteur_env.environment.settings import Settings

from ..training.small.inputs import SmallInputs, SmallReader, moves_of

DISTIL_OPPONENTS = ("scripted", "patient", "two-faced", "careless")
ALONE, AS_MINERS = 0.4, 0.3  # shares of games that the teacher plays alone, and as the miners; the rest as saboteurs


class Decisions(NamedTuple):
    """Decisions, n of them with m legal moves in all.

    Attributes:
        state, role, counts, move, kind: as in `SmallInputs`, with halves in the place of floats.
        share: float32[m], how likely the teacher plays each move; 0 outside its window.
    """

    state: npt.NDArray[np.float16]
    role: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    move: npt.NDArray[np.float16]
    kind: npt.NDArray[np.int64]
    share: npt.NDArray[np.float32]

    def of(self, rows: npt.NDArray[np.int64]) -> tuple[SmallInputs, npt.NDArray[np.int64]]:
        """Some of the decisions, and the indices of their moves.

        Args:
            rows: int64[k].
        """
        moves = self.moves_of(rows)
        state, move = self.state[rows].astype(np.float32), self.move[moves].astype(np.float32)
        arrays = state, self.role[rows], self.counts[rows], move, self.kind[moves], state[:, :0]
        return SmallInputs(*map(torch.from_numpy, arrays)), moves

    def moves_of(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The indices of all moves of some decisions.

        Args:
            rows: int64[k].
        """
        result: npt.NDArray[np.int64] = moves_of(torch.from_numpy(self.counts), torch.from_numpy(rows)).numpy()
        return result

    def part(self, rows: npt.NDArray[np.int64]) -> Decisions:
        """Some of the decisions.

        Args:
            rows: int64[k].
        """
        moves = self.moves_of(rows)
        state, role, counts, move, kind, share = self
        return Decisions(state[rows], role[rows], counts[rows], move[moves], kind[moves], share[moves])


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
    vec.control(controllers(rng, games))
    vec.reset()
    by_student, parts = np.arange(games) // len(DISTIL_OPPONENTS) % 2 == 1, list[Decisions]()
    for _ in range(-(-decisions // games)):
        part, listed = _decisions(vec, teacher, tracker)
        shares = part.share
        if student is not None:
            owner = np.repeat(by_student, part.counts)
            shares = np.where(owner & (listed >= 0), student(part), np.where(owner, 0, shares)).astype(np.float32)
        vec.take(drawn(shares, part.counts, listed, rng.random(games)))
        parts.append(part)
        progress(games)
    return joined(parts)


def _tracker(teacher: Ppo, vec: Any) -> BeliefTracker | None:
    return BeliefTracker(vec, teacher.action_model) if teacher.network.config.suspects else None


def controllers(rng: np.random.Generator, games: int) -> npt.NDArray[np.int64]:
    """Who plays each seat by its role, int64[games, 2, 10]: 0 for those who are learned from."""
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
    read = read_decisions(SmallReader(vec))
    counts, listed = read.counts, np.empty(len(read.kind), np.int64)
    _list_actions(vec.records, Actions(teacher.network.window).codecs, np.zeros(1, WORKSPACE), counts, listed)
    owner = np.repeat(np.arange(vec.num_games), counts)
    share = np.where(listed >= 0, likely[owner, np.maximum(listed, 0)], 0).astype(np.float32)
    return read._replace(share=share), listed


def read_decisions(reader: SmallReader) -> Decisions:
    """The decisions that a batch waits for, without shares."""
    read = reader(0)
    state, move = (inputs.numpy().astype(np.float16) for inputs in (read.state, read.move))
    no_share = np.zeros(len(read.kind), np.float32)
    return Decisions(state, read.role.numpy(), read.counts.numpy(), move, read.kind.numpy(), no_share)


@kernel
def _list_actions(records: Any, codecs: Any, spaces: Any, counts: Any, listed: Any) -> None:
    # For each legal move its index among the actions of a window, -1 where it is none.
    total = 0
    for i in range(len(records)):
        known, inside = to_move(records[i]), 0
        players = np.int64(known.public.rules.players)
        legal_moves(known.public, known.private, spaces[0].moves)
        for j in range(counts[i]):
            listed[total + j] = -1
            if action_of(np.int64(spaces[0].moves[j]), known.seat, players, codecs[0]) >= 0:
                listed[total + j] = inside
                inside += 1
        total += counts[i]


@kernel
def drawn(shares: Any, count: Any, listed: Any, lots: Any) -> Any:
    """For each decision the index in `legal` of a move drawn by its share.

    Args:
        shares: float32[m], of all moves; count: int64[n], of each decision.
        listed: int64[m], the index of each move in `legal`.
        lots: float64[n], drawn from 0 to 1.
    """
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
