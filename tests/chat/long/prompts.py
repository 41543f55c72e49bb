"""Prompts of a game and of a game resampled from a seat's view are the same, letter by letter.

Run as ``python -m tests.chat.long.prompts --points 20000``.
"""

import argparse
import random

from saboteur_env import Game
from saboteur_env.engine.editions import EDITIONS, SWITCHES
from saboteur_env.text import PROMPT_SIZES, ask_beliefs, prompt


def run(points, seed, ask=prompt, talk=None):
    """Check decision points of random matches; return how many resamples were other games.

    Args:
        talk: of all tables (docs/rules.md, section 9); any if not given.
    """
    rng, done, differ = random.Random(seed), 0, 0
    while done < points:
        options = {name: rng.choice(switch.values) for name, switch in SWITCHES.items() if rng.random() < 0.3}
        options |= {"talk": talk} if talk else {}
        game = Game(rng.randrange(3, 11), rng.choice(list(EDITIONS)), rng.getrandbits(60), 2, options)
        while not game.over and done < points:
            if game.round_over:
                game.next_round()
            if game.rules.talks_freely and rng.random() < 0.2:
                game.say(rng.randrange(game.rules.players), f"I have seen {rng.random()}.")
            view = game.view(game.seat)
            twin = view.resample(rng.getrandbits(60))
            differ += twin.records.tobytes() != game.records.tobytes()
            for size in PROMPT_SIZES:
                for question in (ask, ask_beliefs):
                    assert question(view, size) == question(twin.view(game.seat), size), game.to_json()
            done += 1
            game.play(rng.choice(game.legal_moves()))
    return differ


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--talk", choices=SWITCHES["talk"].values, help="of all tables; any if not given")
    given = parser.parse_args()
    differ = run(given.points, given.seed, talk=given.talk)
    print(f"{given.points} decision points, {differ} resamples that differ, no prompt does")


if __name__ == "__main__":
    main()
