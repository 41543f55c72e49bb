"""How well does a learned dwarf play? Whole teams of it against a dwarf of the roster, as miners and as saboteurs.

All games of all numbers of players and both sides are one batch. Two judged with the same seed meet the same deals.
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
from saboteur_env.agents.matches import play_matches
from saboteur_env.agents.roster import number_of
from saboteur_env.agents.sight import Sight, sight_of
from saboteur_env.engine.cards import MINER, ROLES, SABOTEUR
from saboteur_env.engine.chance import game_seed
from saboteur_env.engine.state import MAX_PLAYERS, MINERS, SABOTEURS
from saboteur_env.privileged import roles_dealt
from saboteur_env.settings import Settings

from .analysis import Row, wilson

Decide = Callable[[Sight], Tensor]  # the place of the chosen one among the legal actions of each decision


def judge(
    decide: Decide,
    settings: Settings,
    players: Sequence[int],
    rounds: int,
    opponent: str = "scripted",
    seed: int = 0,
    threads: int | None = None,
    device: torch.device | str = "cpu",
) -> list[Row]:
    """Play rounds with one side learned and the other scripted.

    Args:
        rounds: for each number of players and each side; those dealt without a saboteur are left out.
        opponent: a dwarf of the roster.

    Returns: for each number of players and each side won, its share of rounds with a 95 % interval, and the share
        that the opponent's own dwarfs win in its place on the same deals.
    """
    block = [count for count in players for _ in range(rounds)]
    vec: Any = make_vec(2 * len(block), block * 2, seed, threads, mask=None, settings=settings)
    roles = roles_dealt(vec.records)
    side = np.repeat([MINER, SABOTEUR], len(block))
    learned = roles == side[:, None]
    counted = ((roles == SABOTEUR) & (np.arange(MAX_PLAYERS) < vec.players[:, None])).any(1)
    vec.control(np.where(learned | ~counted[:, None], 0, -1 - number_of(opponent)))
    vec.begin(vec.episode)
    winner = _finish(vec, decide, ~counted, device)
    own = np.where(side == MINER, MINERS, SABOTEURS)
    rows = []
    for count in players:
        scripted = _scripted(settings, count, opponent, seed, np.flatnonzero(vec.players == count), counted, own)
        for role in (MINER, SABOTEUR):
            these = (vec.players == count) & (side == role) & counted
            rows.append(_row(count, role, (winner == own)[these], scripted[these]))
    return rows


def _finish(vec: Any, decide: Decide, done: npt.NDArray[np.bool_], device: torch.device | str) -> npt.NDArray[np.int8]:
    # The winner of the first round of each game that is not done.
    winner, done = np.zeros(vec.num_games, np.int8), done.copy()
    while not done.all():
        rows = np.flatnonzero(~done)
        place = decide(sight_of(vec, device).rows(torch.from_numpy(rows).to(device)))
        actions = vec.legal[:, 0].astype(np.int64)
        actions[rows] = vec.legal[rows, place.cpu().numpy()]
        vec.step(actions)
        ended = vec.round_over & ~done
        winner[ended] = vec.winner[ended]
        done |= ended
    return winner


def _scripted(
    settings: Settings, count: int, dwarf: str, seed: int, games: Any, counted: Any, own: Any
) -> npt.NDArray[np.bool_]:
    rules = replace(settings, players=count, rounds=1).rules
    seeds = np.array([game_seed(seed, int(i)) for i in games], np.uint64)
    results = play_matches(rules, seeds, number_of(dwarf), number_of(dwarf))
    won = np.zeros(len(counted), np.bool_)
    won[games] = results["winner"] == own[games]
    return won


def _row(count: int, role: int, won: npt.NDArray[np.bool_], scripted: npt.NDArray[np.bool_]) -> Row:
    low, high = wilson(int(won.sum()), len(won))
    share, base = (float(wins.mean()) if len(wins) else 0.0 for wins in (won, scripted))
    return {
        "players": count,
        "role": ROLES[role],
        "rounds": len(won),
        "won": share,
        "low": low,
        "high": high,
        "scripted": base,
    }
