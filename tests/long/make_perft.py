"""Writes the positions of tests/perft with the engine's counts, if the slow twin counts the same.

    python -m tests.long.make_perft

Each position is met in a game that lockstep's seeded players play until a scene is seen.
"""

import itertools
import json
import random
from pathlib import Path

import saboteur_env
from saboteur_env.game.perft import count_sequences
from tests.long.lockstep import choose
from tests.twins.oracle import Oracle, perft

FOLDER = Path(__file__).parents[1] / "perft"
DEPTH = 4

SMALL = {
    "deck": {"EW": 3, "NESW": 3, "NE": 2, "xNS": 1, "rockfall": 1, "map": 1, "break:cart": 1, "repair:cart": 1},
    "role_table": {"saboteurs": 1, "miners": 3}, "hand_size": 3, "goal_cells": [[2, -1], [2, 1]],
}  # fmt: skip
NEAR = {"goal_cells": [[3, -1], [3, 0], [3, 1]]}
SPACED = {"goal_cells": [[3, -2], [3, 0], [3, 2]]}


def opening(oracle):
    return True


def midgame(oracle):
    """Tunnels with a gap, a rockfall in hand, and a dwarf who lays nothing."""
    held = oracle.hands[oracle.seat]
    return len(oracle.mine) >= 8 and "rockfall" in held and any(oracle.broken) and not oracle.broken[oracle.seat]


def broken(oracle):
    """Two broken tools before the seat to move, which can mend one."""
    return len(oracle.broken[oracle.seat]) >= 2 and any(move.startswith("repair") for move in oracle.legal_moves())


def cut_off(oracle):
    """A rockfall has cut tunnels off."""
    joined = {cell for cell, _ in oracle.ways()}
    through = {cell for cell, name in oracle.mine.items() if not name.startswith("x")}
    return len(through - joined) >= 2


def pending(what):
    return lambda oracle: what in (oracle.pending or {})


def first_stone(oracle):
    """A stone lies open and the treasure is still to be found."""
    return not oracle.pending and not oracle.winner and any(goal["open"] for goal in oracle.goals)


def thin_deck(oracle):
    return len(oracle.deck) <= 1


def last_cards(oracle):
    """No deck, and as many cards in the hands as moves are counted."""
    return not oracle.deck and sum(map(len, oracle.hands)) == DEPTH


def passes(oracle):
    """Three turns before all have passed."""
    return oracle.passes == oracle.players - 3


# Name: edition, players, options, lockstep's bias, scene.
SCENES = {
    "opening-lv-5": ("lv", 5, {}, "uniform", opening),
    "opening-uk-10": ("uk", 10, {}, "uniform", opening),
    "midgame-lt-4": ("lt", 4, {}, "uniform", midgame),
    "broken-tools-ru-3": ("ru", 3, {}, "breaking", broken),
    "cut-off-fa-5": ("fa", 5, {}, "rockfalls", cut_off),
    "cut-off-lv-3": ("lv", 3, {}, "rockfalls", cut_off),
    "stone-chosen-lv-3": ("lv", 3, NEAR, "around goals", pending("stone")),
    "goal-chosen-uk-4": ("uk", 4, SPACED, "between goals", pending("goals")),
    "stone-joins-ru-6": ("ru", 6, NEAR, "around goals", first_stone),
    "draft-fa-5": ("fa", 5, {**NEAR, "draft": True, "broken_no_gold": True}, "east", pending("gold")),
    "thin-deck-lv-7": ("lv", 7, {"break_self": False}, "maps and repairs", thin_deck),
    "last-cards-lv-3": ("lv", 3, {}, "discards", last_cards),
    "all-passed-ru-5": ("ru", 5, {}, "discards", passes),
    "small-deck-uk-3": ("uk", 3, SMALL, "east", opening),
    "claim-lv-3": ("lv", 3, {**SMALL, "talk": "claims"}, "maps and repairs", pending("claim")),
}


def met(edition, players, options, bias, scene):
    """The first position, over the seeds from 0, in which the scene is seen."""
    for seed in itertools.count():
        game = saboteur_env.Game(players=players, edition=edition, seed=seed, options=options)
        rng = random.Random(seed)
        while not game.round_over:
            oracle = Oracle(json.loads(game.to_json()))
            if scene(oracle):
                return json.loads(game.to_json())
            game.play(choose(rng, bias, oracle))
    raise AssertionError("unreachable")


def counted(position):
    """The engine's counts to depth 4, checked by the twin.

    Raises: AssertionError where they differ.
    """
    game = saboteur_env.Game.from_json(json.dumps(position))
    counts = [count_sequences(game, depth) for depth in range(1, DEPTH + 1)]
    for depth, count in enumerate(counts, 1):
        twin = perft(position, depth)
        assert twin == count, f"depth {depth}: the engine counts {count}, the twin {twin}"
    return counts


def as_text(position, counts):
    """One line for each entry of the position."""
    entries = ",\n".join(f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in position.items())
    return f'{{"position": {{\n{entries}}},\n "counts": {json.dumps(counts)}}}\n'


def main():
    FOLDER.mkdir(exist_ok=True)
    for name, scene in SCENES.items():
        position = met(*scene)
        counts = counted(position)
        (FOLDER / f"{name}.json").write_text(as_text(position, counts))
        print(name, counts, flush=True)


if __name__ == "__main__":
    main()
