"""Whole matches to be kept as they are: ``python -m tests.long.make_transcripts`` writes those that are missing.

A transcript that is there is never overwritten: a match that no longer replays is a change of the rules or of the
deals, and is decided by a person.
"""

import json
import random
from pathlib import Path

from saboteur_env import Game
from saboteur_env.agents.scripted.agent import KernelAgent

FOLDER = Path(__file__).parents[1] / "transcripts"
NEAR = {"goal_cells": [[3, -1], [3, 0], [3, 1]]}
MATCHES = {
    "lv-5": (5, "lv", 1, {}),
    "lt-3": (3, "lt", 2, {}),
    "uk-7-together": (7, "uk", 0, {"goal_cells": [[1, -1], [2, 0], [1, 1]]}),
    "lv-4-side-by-side": (4, "lv", 5, {"goal_cells": [[2, -1], [2, 0], [2, 1]]}),
    "ru-10": (10, "ru", 4, {}),
    "fa-4-draft": (4, "fa", 5, {"draft": True, "broken_no_gold": True, **NEAR}),
    "lv-6-draft": (6, "lv", 6, {"draft": True}),
    "uk-8": (8, "uk", 7, {}),
    "ru-9-near": (9, "ru", 8, NEAR),
}


def match(players, edition, seed, options):
    """A match in which scripted and random moves mix."""
    game, rng = Game(players, edition, seed, options=options), random.Random(seed)
    agents = [KernelAgent(name) for name in ("scripted", "scripted", "scripted", "random")]
    while not game.over:
        if game.round_over:
            game.next_round()
        game.play(rng.choice(agents).act(game.view(game.seat), rng.getrandbits(64)))
    return game


def main():
    FOLDER.mkdir(exist_ok=True)
    for name, settings in MATCHES.items():
        path = FOLDER / f"{name}.json"
        if not path.exists():
            path.write_text(json.dumps(json.loads(match(*settings).transcript()), separators=(",", ":")) + "\n")
            print("wrote", path.name)


if __name__ == "__main__":
    main()
