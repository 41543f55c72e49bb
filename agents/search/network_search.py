"""Search with the judgement of a network: it proposes moves, and says who wins where roll-outs end (docs/search.md).

The moves that the network likes most are tried in games sampled from the belief of the seat. Sequential halving
(sequential_halving.py) spends more games on those that do better. How much the network likes a move counts like some
games of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from saboteur_env.core.checks import SEEDS, checked_int
from saboteur_env.core.compiled.jit import kernel
from saboteur_env.core.compiled.memory import PerThread
from saboteur_env.engine.cards import MINER
from saboteur_env.engine.moves import parse, text_of
from saboteur_env.engine.state import RUNNING, InfoState
from saboteur_env.game.view import View

from ..learned.ppo import Ppo
from ..scripted.agent import KernelAgent
from ..scripted.presets import DWARFS, PPO_SMALL, number_of
from .determinization import BELIEF, Evidence, saboteur_shares, update_belief
from .ismcts import check_range, read_settings
from .sampled_games import BATCH_ROWS, SampledGames
from .sequential_halving import ARMS, affordable, move_values, phases, rank, visit_shares, worlds_of_phase
from .tree import MAX_ARMS

SHIPPED_NET, BY_NETWORK = "ppo", "net"


@dataclass(frozen=True)
class NetworkSettings:
    """The settings of a search with a network.

    Attributes:
        net: `ppo` for the shipped weights, or the file of others.
        iterations: games sampled for a move.
        time: seconds for a move; 0 counts games instead. Which move is found then depends on the machine.
        max_candidates: how many moves are tried, those that the network likes most.
        action_model: what explains the acts of the others, as of `ismcts.Settings`.
        rollout: a preset dwarf that plays on in the sampled games, or `net` for the network itself.
        rollout_depth: turns of a roll-out until the network is asked who wins; -1 plays to the end of the round.
        prior_visits: how many games the network's liking counts for.
        prior_scale: by how much of a win a move is expected to be worse where it is e times less likely, if half of
            the games are won; by less where nearly all are, or none.

    Raises: ValueError that says which setting is impossible.
    """

    net: str = SHIPPED_NET
    iterations: int = 400
    time: float = 0.0
    max_candidates: int = 6
    action_model: str = "doubting"
    rollout: str = PPO_SMALL
    rollout_depth: int = 4
    prior_visits: float = 20.0
    prior_scale: float = 0.05

    def __post_init__(self) -> None:
        least = {"iterations": 1, "max_candidates": 1, "rollout_depth": -1, "time": 0, "prior_scale": 0}
        check_range(self, {**least, "prior_visits": 1})
        if self.rollout == BY_NETWORK and self.rollout_depth < 0:
            raise ValueError("search: roll-outs by the network need a rollout_depth of 0 or more")
        self.rollout_dwarf()
        Evidence.of(self.action_model)

    def rollout_dwarf(self) -> Any:
        """DWARF[1] (params.py), None for the network."""
        return None if self.rollout == BY_NETWORK else DWARFS[[number_of(self.rollout)]]


class NetworkSearch:
    """The search agent with a network. Threads may share it; each has room of its own for sampled games.

    Args:
        text: `net=ppo:name=value`, the names those of `NetworkSettings`.

    Raises: ValueError for bad settings, and for weights that cannot be used here.
    """

    def __init__(self, text: str = "") -> None:
        self.settings = read_settings(NetworkSettings, text)
        self.net = Ppo("" if self.settings.net == SHIPPED_NET else self.settings.net)
        self._evidence, self._dwarf = Evidence.of(self.settings.action_model), self.settings.rollout_dwarf()
        self._script, self._memory = KernelAgent("scripted"), PerThread(self._room)

    def __repr__(self) -> str:
        return f"<NetworkSearch: {', '.join(f'{name}={value}' for name, value in vars(self.settings).items())}>"

    def _room(self) -> tuple[Any, Any, SampledGames]:
        return np.zeros(1, ARMS), np.zeros(1, BELIEF), SampledGames(self.net)

    def act(self, view: View, seed: int) -> str:
        """The best move found. A scripted dwarf chooses the gold cards.

        Raises: ValueError where the view's seat is not to move, and for a bad seed.
        """
        if view.turn != view.seat or view.public.over:
            raise ValueError(f"seat {view.seat} is not to move")
        random_key, begin = np.uint64(checked_int("seed", seed, SEEDS)), perf_counter()
        (arms, belief, games), role = self._memory.local, int(view.private.role)
        if view.public.winner != RUNNING:
            arms["count"] = 0
            return self._script.act(view, seed)
        self._select(arms[0], view)
        if arms[0]["left"] > 1:
            _believe(belief, view.info_state, self._evidence)
            games.begin(view.info_state, view.rules)
        left = self.settings.time - (perf_counter() - begin)
        share = left / max(phases(int(arms[0]["count"])), 1)
        while arms[0]["left"] > 1:
            self._phase(view, role, share, random_key)
            _rank(arms, self.settings.prior_visits, self.settings.prior_scale)
        return text_of(int(arms[0]["move"][arms[0]["order"][0]]))

    def probabilities(self, view: View) -> dict[str, float]:
        """For each move considered, its share of the simulated games.

        Raises: as `act`.
        """
        best = self.act(view, 0)
        return visit_shares(self._memory.local[0][0]) or {best: 1.0}

    def values(self, view: View, seed: int = 0) -> dict[str, float]:
        """For each move considered, how often its side wins in the simulated games; empty where one move is possible.

        Raises: as `act`.
        """
        self.act(view, seed)
        return move_values(self._memory.local[0][0])

    @property
    def played(self) -> int:
        """The number of games sampled for its last move in this thread."""
        arms = self._memory.local[0][0]
        return int(arms["visits"][: arms["count"]].sum())

    def beliefs(self, view: View) -> list[float | None]:
        """The share of the sampled games in which each seat is a saboteur; None for its own."""
        belief = self._memory.local[1]
        _believe(belief, view.info_state, self._evidence)
        return saboteur_shares(belief[0], view)

    def _select(self, arms: Any, view: View) -> None:
        # The moves that the network likes most, as many as the budget can distinguish.
        likely = sorted(self.net.probabilities(view).items(), key=lambda item: -item[1])
        iterations, count = -1 if self.settings.time else self.settings.iterations, 0
        most = min(len(likely), self.settings.max_candidates, MAX_ARMS)
        while count < most and (count < 2 or affordable(count + 1, iterations)):
            count += 1
        arms["count"], arms["left"], arms["worlds"], arms["order"] = count, count, 0, np.arange(MAX_ARMS)
        arms["visits"], arms["won"] = 0.0, 0.0
        for arm, (move, probability) in enumerate(likely[:count]):
            arms["move"][arm] = parse(move)
            arms["prior"][arm] = math.log(likely[0][1] / max(probability, 1e-9))

    def _phase(self, view: View, role: int, seconds: float, seed: np.uint64) -> None:
        # Games of all moves that are left, in batches of as many worlds as there are rows for.
        arms, end = self._memory.local[0][0], perf_counter() + seconds
        size = max(BATCH_ROWS // int(arms["left"]), 1)
        wanted = math.inf if self.settings.time else worlds_of_phase(arms, self.settings.iterations)
        enough: Callable[[], bool] = (lambda: perf_counter() >= end) if self.settings.time else (lambda: False)
        done = 0
        while done < wanted and not (done and enough()):
            worlds = int(min(size, wanted - done))
            self._try(view, role, worlds, seed)
            done += worlds

    def _try(self, view: View, role: int, worlds: int, seed: np.uint64) -> None:
        (arms, belief, games), first = self._memory.local, int(self._memory.local[0][0]["worlds"])
        order = arms[0]["order"][: arms[0]["left"]]
        moves = arms[0]["move"][order].astype(np.int64)
        count = games.sample(belief, view.info_state, moves, range(first, first + worlds), seed)
        games.roll_out(count, self.settings.rollout_depth, self._dwarf)
        won = games.miners_chances(count).reshape(worlds, len(moves))
        arms[0]["won"][order] += (won if role == MINER else 1 - won).sum(0)
        arms[0]["visits"][order] += worlds
        arms[0]["worlds"] += worlds


@kernel
def _believe(belief: Any, known: InfoState, evidence: Evidence) -> None:
    update_belief(belief[0], known, evidence)


@kernel
def _rank(arms: Any, prior_visits: float, prior_scale: float) -> None:
    # Where nearly all is won, or lost, moves differ by little, and what the network likes counts for less.
    visits, won = 0.0, 0.0
    for index in range(arms[0].left):
        visits += arms[0].visits[arms[0].order[index]]
        won += arms[0].won[arms[0].order[index]]
    share = won / max(visits, 1.0)
    rank(arms[0], prior_visits, 4.0 * share * (1.0 - share) * prior_scale)
