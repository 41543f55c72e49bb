"""The share of legal moves outside a smaller board window, in scripted and random play.

Run as ``saboteur-env study windows``; docs/windows.md holds its table.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import numpy.typing as npt

from saboteur_env.agents.scripted.agent import KernelAgent
from saboteur_env.core.seeds import Purpose, deal_seed, game_seed
from saboteur_env.engine.legal import MAX_MOVES
from saboteur_env.environment.actions import WINDOWS, Actions, legal_actions
from saboteur_env.environment.observations import Observations
from saboteur_env.game.game import Game

from ..common.page import markdown_table

STUDY = "windows"


def lost(dwarf: str, matches: int = 10, seed: int = 0) -> dict[str, float]:
    """The share of legal moves outside each window, over all numbers of players and two editions' placement rules.

    Args:
        dwarf: who plays (agents/scripted/presets.py).
        matches: for each number of players and edition.
    """
    listed, kept = 0, Counter[str]()
    agent = KernelAgent(dwarf)
    for edition in ("lv", "uk"):
        for players in range(3, 11):
            for i in range(matches):
                game = Game(players, edition, deal_seed(seed, Purpose.WINDOWS, i, players))
                for moves in _positions(game, agent):
                    listed += len(moves)
                    kept.update({window: _inside(moves, game, window) for window in WINDOWS})
    return {window: 1 - kept[window] / listed for window in WINDOWS}


def _positions(game: Game, agent: KernelAgent):  # type: ignore[no-untyped-def]
    turn = 0
    while True:
        while not game.round_over:
            view = game.view(game.seat)
            yield view.legal_numbers()
            game.play(agent.act(view, game_seed(turn, game.round)))
            turn += 1
        if game.over:
            return
        game.next_round()


def _inside(moves: npt.NDArray[np.int32], game: Game, window: str) -> int:
    scratch = np.empty(MAX_MOVES, np.int32)
    return int(legal_actions(moves, len(moves), game.seat, game.rules.players, Actions(window).codecs[0], scratch))


def table(matches: int = 10) -> str:
    """All windows as a Markdown table: size, what each loses, what a learner pays."""
    shares = {dwarf: lost(dwarf, matches) for dwarf in ("scripted", "random")}
    heads = ("window", "rows x columns", "actions", "bytes of observation and mask", "lost, scripted", "lost, random")
    lines = []
    for window in WINDOWS:
        actions = Actions(window)
        height, width = actions.shape
        size = actions.count + Observations(window).bytes
        losses = (f"{100 * share[window]:.3f} %" for share in shares.values())
        lines.append([f"`{window}`", f"{height} x {width}", f"{actions.count:,}", f"{size:,}", *losses])
    return markdown_table(heads, lines)


def main() -> None:
    """Measure how many legal moves lie outside each board window."""
    print(table())
