"""Evaluate a learned dwarf: whole teams of it against a preset dwarf, as miners and as saboteurs.

Every deal is played three times: with learned miners, with learned saboteurs, and by preset dwarfs only. Deals without
a saboteur are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from saboteur_env import make_vec
from saboteur_env.agents.beliefs.action_model import ActionModel
from saboteur_env.agents.beliefs.tracker import BeliefTracker
from saboteur_env.agents.learned.inputs import PolicyInputs, inputs_of
from saboteur_env.agents.matches.kernel_matches import play_teams
from saboteur_env.agents.scripted.presets import DWARFS, number_of
from saboteur_env.batch.seats import LEARNER
from saboteur_env.core.seeds import Purpose, deal_seed, game_seed
from saboteur_env.engine.cards import MINER, ROLES, SABOTEUR
from saboteur_env.engine.state import MAX_PLAYERS, MINERS, SABOTEURS
from saboteur_env.environment.privileged import roles_dealt
from saboteur_env.environment.settings import Settings

from ..common.statistics import Columns, Row, wilson
from .config import EvaluationConfig

Decide = Callable[[PolicyInputs], Tensor]  # the index of the chosen one among the legal actions of each decision
WINNER_OF_ROLE = {ROLES[MINER]: MINERS, ROLES[SABOTEUR]: SABOTEURS}


class Policy(NamedTuple):
    """What plays the learned side.

    Attributes:
        decide: chooses among the legal actions.
        device: of its inputs.
        action_model: the one behind the beliefs that it gets; None if it gets none.
    """

    decide: Decide
    device: torch.device | str = "cpu"
    action_model: ActionModel | None = None


def evaluate_policy(
    policy: Policy, settings: Settings, config: EvaluationConfig, seed: int = 0, threads: int | None = None
) -> list[Row]:
    """Play rounds with one side learned and the other scripted.

    Args:
        config: the numbers of players, the rounds for each of them and each side, and the opponent.

    Returns: for each number of players and each side won, its share of rounds with a 95 % interval, and the share
        that the opponent's own dwarfs win in its place on the same deals.
    """
    seed = deal_seed(seed, Purpose.TRAINING, 0)
    return rows_of(play_deals(policy, settings, tables_of(config), config.opponent, seed, threads), config)


def tables_of(config: EvaluationConfig) -> list[int]:
    """The number of players of each deal."""
    return [count for count in config.players for _ in range(config.rounds)]


def rows_of(played: Columns, config: EvaluationConfig) -> list[Row]:
    """What `evaluate_policy` returns, from the columns of `play_deals`."""
    rows = []
    for count in config.players:
        for role in WINNER_OF_ROLE:
            won, scripted = (played[f"{role}_{who}"][played["players"] == count] for who in ("learned", "scripted"))
            low, high = wilson(int(won.sum()), config.rounds)
            share = {"won": float(won.mean()), "low": low, "high": high, "scripted": float(scripted.mean())}
            rows.append({"players": count, "role": role, "rounds": config.rounds, **share})
    return rows


def play_deals(
    policy: Policy, settings: Settings, players: Sequence[int], opponent: str, seed: int, threads: int | None = None
) -> Columns:
    """Play each deal with learned miners, with learned saboteurs, and with preset dwarfs alone.

    Args:
        players: for each deal.
        opponent: a preset dwarf.

    Returns: by deal `players`; `seed`, of its `Game`; and whether each side won, played by whom:
        `miner_learned`, `miner_scripted`, `saboteur_learned`, `saboteur_scripted`.

    Raises: ValueError for rules under which no saboteur is ever dealt.
    """
    vec: Any = _batch(players, settings, seed, threads, mask=None)
    deals = deal_saboteurs(vec)
    tracker = BeliefTracker(vec, policy.action_model) if policy.action_model else None
    played, number = _dealt(vec), number_of(opponent)
    alone = _by_dwarfs(vec.settings, played, DWARFS[[number, number]])
    for side, role in enumerate(ROLES):
        team = np.where(np.arange(len(ROLES))[:, None] == side, LEARNER, -1 - number)
        vec.control(np.broadcast_to(team, vec.controller.shape))
        vec.begin(deals)
        played[f"{role}_learned"] = play_rounds(vec, policy, tracker) == WINNER_OF_ROLE[role]
        played[f"{role}_scripted"] = alone == WINNER_OF_ROLE[role]
    return played


def play_dwarf_deals(
    dwarf: npt.NDArray[np.void], settings: Settings, players: Sequence[int], opponent: str, seed: int
) -> Columns:
    """As `play_deals`, with a dwarf that plays in kernels, DWARF[1] (params.py), in the place of a policy."""
    vec: Any = _batch(players, settings, seed, 1, mask=None, observations=False)
    deal_saboteurs(vec)
    played, other = _dealt(vec), DWARFS[[number_of(opponent)]]
    alone = _by_dwarfs(vec.settings, played, np.concatenate([other, other]))
    for role, winner in WINNER_OF_ROLE.items():
        teams = np.concatenate([dwarf, other] if role == ROLES[MINER] else [other, dwarf])
        played[f"{role}_learned"] = _by_dwarfs(vec.settings, played, teams) == winner
        played[f"{role}_scripted"] = alone == winner
    return played


def _batch(players: Sequence[int], settings: Settings, seed: int, threads: int | None, **outputs: Any) -> Any:
    if settings.rules.role_table[0] == 0:
        raise ValueError("the role_table has no saboteurs, so there is no side to play against")
    return make_vec(len(players), players, seed, threads, settings=replace(settings, rounds=1), **outputs)


def _dealt(vec: Any) -> Columns:
    seeds = [game_seed(vec.seed, i, deal) for i, deal in enumerate(vec.episode.tolist())]
    return {"players": vec.players.copy(), "seed": np.array(seeds, np.uint64)}


def deal_saboteurs(vec: Any) -> npt.NDArray[np.int64]:
    """Deal again in every game without a saboteur at its table, until there is one; returns the episodes, int64[n]."""
    seated = np.arange(MAX_PLAYERS) < vec.players[:, None]
    while (without := ~((roles_dealt(vec.records) == SABOTEUR) & seated).any(1)).any():
        vec.begin(np.where(without, vec.episode + 1, -1))
    return np.array(vec.episode)


def play_rounds(vec: Any, policy: Policy, tracker: BeliefTracker | None) -> npt.NDArray[np.int8]:
    """Play the round that each game is in, controller 0 by a policy; returns the winners (engine/state.py), int8[n]."""
    winner = np.zeros(vec.num_games, np.int8)
    while len(rows := np.flatnonzero(winner == 0)):
        inputs = inputs_of(vec, policy.device, tracker).rows(torch.from_numpy(rows).to(policy.device))
        indices = np.zeros(vec.num_games, np.int64)
        indices[rows] = policy.decide(inputs).cpu().numpy()
        vec.take(indices)
        winner[rows] = vec.winner[rows]
    return winner


def _by_dwarfs(settings: Settings, deals: Columns, teams: npt.NDArray[np.void]) -> npt.NDArray[np.int8]:
    # The winner of each deal, between the dwarfs of both roles, DWARF[2].
    winner = np.zeros(len(deals["seed"]), np.int8)
    for count in np.unique(deals["players"]).tolist():
        current = deals["players"] == count
        rules = replace(settings, players=count).rules
        winner[current] = play_teams(rules, deals["seed"][current], teams)["winner"]
    return winner
