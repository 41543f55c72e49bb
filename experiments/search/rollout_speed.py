"""Speed of the search: rollouts per second on one core. ``saboteur-env study rollout-speed``.

Every simulated game of a search is one rollout: a world is sampled, a game is filled in, and it is played down the tree
and on to its end. The positions come from scripted games of five players, ten turns apart.
"""

from __future__ import annotations

from statistics import median
from time import process_time

from saboteur_env.agents.scripted.agent import KernelAgent
from saboteur_env.agents.search.ismcts import Search
from saboteur_env.game.game import Game
from saboteur_env.game.view import View

STUDY = "rollout-speed"


GAMES = 4000  # of a search
ROLLOUTS = {
    "random dwarfs, to the end of the round": "rollout_depth=-1:rollout=random",
    "scripted dwarfs, to the end of the round": "rollout_depth=-1",
    "scripted dwarfs for five turns, then the evaluation": "",
}


def positions(rounds: int = 4, every: int = 10) -> list[View]:
    """Views of the seats to move, some turns apart, in rounds of scripted dwarfs."""
    agent, views = KernelAgent("scripted"), []
    for seed in range(rounds):
        game = Game(5, seed=seed, rounds=1)
        while not game.round_over:
            view = game.view(game.seat)
            if len(view.record) % every == 0 and len(view.legal_moves()) > 1:
                views.append(view)
            game.play(agent.act(view, seed))
    return views


def rollouts_a_second(settings: str, views: list[View], games: int = GAMES) -> float:
    """The median over the views, by the time of the process."""
    search = Search(f"iterations={games}:{settings}")
    search.act(views[0], 0)  # compiles
    return median(_timed(search, view) for view in views)


def _timed(search: Search, view: View) -> float:
    start = process_time()
    search.act(view, 0)
    return search.played / (process_time() - start)


def main() -> None:
    """Measure how fast each kind of rollout plays a round to its end."""
    views = positions()
    for name, settings in ROLLOUTS.items():
        print(f"{rollouts_a_second(settings, views):9,.0f} a second: {name}")
