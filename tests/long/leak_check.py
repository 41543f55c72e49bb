"""Non-interference: change all that a seat cannot know, and nothing that it sees or that depends on it changes.

Run as ``python -m tests.long.leak_check --points 100000``: at random decision points of all editions and numbers of
players, for every seat, the real game and a resample must agree bit for bit in view, observation, mask and in the
scripted dwarf's choice, and at some of them in the picture.
"""

import argparse
import random
import time
from collections import Counter
from functools import cache

import numpy as np

from saboteur_env import Game
from saboteur_env.agents.scripted.agent import KernelAgent
from saboteur_env.engine.editions import EDITIONS
from saboteur_env.environment.settings import Settings
from saboteur_env.environment.stepping import look, new_step
from saboteur_env.render import draw, text_of
from saboteur_env.render.scene import scene_of_view

WINDOWS = {talk: Settings(history=128, options={"talk": talk}) for talk in ("none", "claims")}
OPTIONS = [{}, {}, {"draft": True}, {"goal_cells": [[2, -1], [2, 0], [2, 1]]}, {"goals": "one", "broken_no_gold": True}]
OPTIONS += [{"talk": "claims"}, {"talk": "claims", "goal_cells": [[2, -1], [2, 0], [2, 1]]}]
STEP = new_step()


@cache
def agent(name):
    return KernelAgent(name)


def run(points, seed, pictures=0, every=1):
    """Check at least so many decision points, every so-manieth of those of some matches; returns what was met."""
    rng, met = random.Random(seed), Counter()
    while met["decision points"] < points:
        players, edition = rng.randint(3, 10), rng.choice(list(EDITIONS))
        game = Game(players, edition, rng.getrandbits(64), options=rng.choice(OPTIONS))
        met["matches"] += 1
        while not game.over:
            if game.round_over:
                game.next_round()
            if rng.randrange(every) == 0:
                check(game, rng, met, pictures)
            name = rng.choice(("scripted", "scripted", "random"))
            game.play(agent(name).act(game.view(game.seat), rng.getrandbits(64)))
        check(game, rng, met, pictures)
    return met


def check(game, rng, met, pictures):
    """Compare the game with a resample for every seat."""
    met["decision points"] += 1
    drawn = met["decision points"] <= pictures
    met["pictures"] += drawn
    for seat in range(game.rules.players):
        view, seed = game.view(seat), rng.getrandbits(64)
        twin = view.resample(seed)
        met["resamples"] += 1
        met["resamples that differ"] += twin.records.tobytes() != game.records.tobytes()
        other = twin.view(seat)
        where = f"seat {seat}, resample {seed} of {game.to_json()}"
        assert other == view, f"the view differs: {where}"
        for name, real, made in zip(("observation", "mask"), seen(game, seat), seen(twin, seat), strict=True):
            assert np.array_equal(real, made), f"the {name} differs: {where}"
        if seat == game.seat and not game.round_over:
            choices = [agent("scripted").act(one, seed) for one in (view, other)]
            assert choices[0] == choices[1], f"the scripted dwarf plays {choices}: {where}"
        if drawn:
            assert draw(view) == draw(other), f"the picture differs: {where}"
            assert text_of(scene_of_view(view)) == text_of(scene_of_view(other)), f"the text differs: {where}"


def seen(game, seat):
    """Observation and mask of a seat, as the environments write them."""
    window = WINDOWS[game.rules.talk]
    size = window.observations.bytes
    flat = np.zeros(size + window.actions.count, np.int8)
    look(game.records["public"], game.records["private"], seat, window.encoding, STEP, flat)
    return flat[:size], flat[size:]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=100_000, help="decision points, each checked for every seat")
    parser.add_argument("--pictures", type=int, default=2_000, help="of these with pictures")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    began = time.perf_counter()
    met = run(given.points, given.seed, given.pictures)
    print(*(f"{count:>10,} {name}" for name, count in met.items()), sep="\n")
    print(f"no difference, {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
