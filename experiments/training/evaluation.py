"""How well does a learned dwarf play? Whole teams of it against a preset dwarf, as miners and as saboteurs.

Every deal is played three times: with one side learned, with the other, and by the preset dwarf alone. Deals
without a saboteur are passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from saboteur_env import make_vec
from saboteur_env.agents.beliefs.action_model import ActionModel
from saboteur_env.agents.beliefs.tracker import BeliefTracker
from saboteur_env.agents.learned.inputs import PolicyInputs, inputs_of
from saboteur_env.agents.matches.kernel_matches import play_matches
from saboteur_env.agents.scripted.presets import number_of
from saboteur_env.batch.kernels import LEARNER
from saboteur_env.core.seeds import Purpose, deal_seed, game_seed
from saboteur_env.engine.cards import MINER, ROLES, SABOTEUR
from saboteur_env.engine.state import MAX_PLAYERS, MINERS, SABOTEURS
from saboteur_env.environment.privileged import roles_dealt
from saboteur_env.environment.settings import Settings

from ..common.statistics import Columns, Row, wilson

Decide = Callable[[PolicyInputs], Tensor]  # the place of the chosen one among the legal actions of each decision
WINNER_OF_ROLE = {ROLES[MINER]: MINERS, ROLES[SABOTEUR]: SABOTEURS}


def evaluate_policy(
    decide: Decide,
    settings: Settings,
    players: Sequence[int],
    rounds: int,
    opponent: str = "scripted",
    seed: int = 0,
    threads: int | None = None,
    device: torch.device | str = "cpu",
    action_model: ActionModel | None = None,
) -> list[Row]:
    """Play rounds with one side learned and the other scripted.

    Args:
        rounds: for each number of players and each side.
        opponent: a preset dwarf.
        action_model: the one behind the beliefs that what decides is told; None if it is told none.

    Returns: for each number of players and each side won, its share of rounds with a 95 % interval, and the share
        that the opponent's own dwarfs win in its place on the same deals.
    """
    tables, deals = [count for count in players for _ in range(rounds)], deal_seed(seed, Purpose.TRAINING, 0)
    played = play_deals(decide, settings, tables, opponent, deals, threads, device, action_model)
    rows = []
    for count in players:
        for role in WINNER_OF_ROLE:
            won, scripted = (played[f"{role}_{who}"][played["players"] == count] for who in ("learned", "scripted"))
            low, high = wilson(int(won.sum()), rounds)
            share = {"won": float(won.mean()), "low": low, "high": high, "scripted": float(scripted.mean())}
            rows.append({"players": count, "role": role, "rounds": rounds, **share})
    return rows


def play_deals(
    decide: Decide,
    settings: Settings,
    players: Sequence[int],
    opponent: str,
    seed: int,
    threads: int | None = None,
    device: torch.device | str = "cpu",
    action_model: ActionModel | None = None,
) -> Columns:
    """Play each deal with learned miners, with learned saboteurs, and with preset dwarfs alone.

    Args:
        players: for each deal.
        action_model: as for `judge`.

    Returns: by deal `players`; `seed`, of its `Game`; and whether each side won, played by whom:
        `miner_learned`, `miner_scripted`, `saboteur_learned`, `saboteur_scripted`.

    Raises: ValueError for rules under which no saboteur is ever dealt.
    """
    if settings.rules.role_table[0] == 0:
        raise ValueError("there is no side to judge against where the role_table has no saboteurs")
    vec: Any = make_vec(len(players), players, seed, threads, mask=None, settings=replace(settings, rounds=1))
    seated = np.arange(MAX_PLAYERS) < vec.players[:, None]
    while (without := ~((roles_dealt(vec.records) == SABOTEUR) & seated).any(1)).any():
        vec.begin(np.where(without, vec.episode + 1, -1))
    tracker = BeliefTracker(vec, action_model) if action_model else None
    deals = vec.episode.copy()
    seeds = [game_seed(seed, i, deal) for i, deal in enumerate(deals.tolist())]
    played = {"players": vec.players.copy(), "seed": np.array(seeds, np.uint64)}
    alone = _scripted(vec.settings, played, opponent)
    for side, role in enumerate(ROLES):
        team = np.where(np.arange(len(ROLES))[:, None] == side, LEARNER, -1 - number_of(opponent))
        vec.control(np.broadcast_to(team, vec.controller.shape))
        vec.begin(deals)
        played[f"{role}_learned"] = _winners(vec, decide, device, tracker) == WINNER_OF_ROLE[role]
        played[f"{role}_scripted"] = alone == WINNER_OF_ROLE[role]
    return played


def _winners(
    vec: Any, decide: Decide, device: torch.device | str, tracker: BeliefTracker | None
) -> npt.NDArray[np.int8]:
    # Of the round that each game is in.
    winner = np.zeros(vec.num_games, np.int8)
    while len(rows := np.flatnonzero(winner == 0)):
        index = decide(inputs_of(vec, device, tracker).rows(torch.from_numpy(rows).to(device)))
        indices = np.zeros(vec.num_games, np.int64)
        indices[rows] = index.cpu().numpy()
        vec.take(indices)
        winner[rows] = vec.winner[rows]
    return winner


def _scripted(settings: Settings, deals: Columns, dwarf: str) -> npt.NDArray[np.int8]:
    winner, number = np.zeros(len(deals["seed"]), np.int8), number_of(dwarf)
    for count in np.unique(deals["players"]).tolist():
        current = deals["players"] == count
        rules = replace(settings, players=count).rules
        winner[current] = play_matches(rules, deals["seed"][current], number, number)["winner"]
    return winner
