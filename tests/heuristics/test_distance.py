"""What a move saves or costs, looked up in one flood, against the slow way on the mine after the move."""

import random
from collections import Counter

import numpy as np
import pytest

from saboteur_env import Game
from saboteur_env.engine.cards import KIND_OF_ORIENTATION, KINDS, ORIENTATION_OF_KIND, orientation_of
from saboteur_env.engine.moves import card_of, parse, target_of
from saboteur_env.heuristics.card_distance import SCRATCH, may_help, measure, try_lay, try_rockfall
from saboteur_env.heuristics.flood import ALL_GOALS
from tests.long.mask_check import choose
from tests.support.positions import data_of, position
from tests.twins.slow_distance import counted

NEAR = {"goal_cells": [[2, -1], [2, 0], [2, 1]]}
ROCKS = {"NESW": 4, "NES": 6, "NE": 8, "NS": 6, "EW": 4, "xNESW": 4, "xN": 4, "rockfall": 12}
TABLES = [
    (3, "lv", {}),
    (5, "uk", {}),
    (4, "ru", NEAR),
    (6, "fa", {"deck": ROCKS, "hand_size": 5}),
    (10, "lt", NEAR),
    (3, "lv", {"deck": ROCKS, "goal_cells": [[4, 0]]}),
]


def scratch_of(game):
    """Scratch full of rubbish, with the game's mine measured."""
    scratch = np.frombuffer(bytearray(b"\x5a" * SCRATCH.itemsize), SCRATCH)
    measure(game.records[0].public, ALL_GOALS, scratch[0])
    return scratch[0]


def found_after(game, move, scratch):
    """The cards needed to each goal after a lay or a rockfall, as a dwarf finds them."""
    public, number, goals = game.records[0].public, parse(move), len(game.rules.goal_cells)
    if move.startswith("rockfall"):
        try_rockfall(public, ALL_GOALS, target_of(number), scratch)
    elif not try_lay(public, ALL_GOALS, card_of(number), target_of(number), scratch):
        return scratch.now.needed[:goals].tolist()
    return scratch.after[:goals].tolist()


def counted_after(data, move):
    """The same, counted again on the mine after the move; goals stay face down."""
    card, _, coord = move.partition("@")
    at = list(map(int, coord.split(",")))
    others = [item for item in data["tunnels"] if item["at"] != at]
    if card != "rockfall":
        kind = KIND_OF_ORIENTATION[orientation_of(card)]
        others.append(
            {"card": KINDS[kind], "turned": bool(orientation_of(card) != ORIENTATION_OF_KIND[kind]), "at": at}
        )
    return counted(data | {"tunnels": others})


@pytest.mark.parametrize(("players", "edition", "options"), TABLES)
def test_what_a_move_changes_is_exact(players, edition, options):
    rng, met = random.Random(players), Counter()
    for seed in range(3):
        game, turn = Game(players, edition, seed, rounds=1, options=options), 0
        while not game.round_over:
            if turn % 3 == 0 and not data_of(game)["pending"]:
                check_moves(game, rng, met)
            game.play(choose(rng, game.legal_moves()))
            turn += 1
    assert min(met[kind] for kind in ("saves", "costs", "neither")) > 3, met


def check_moves(game, rng, met):
    data, scratch = data_of(game), scratch_of(game)
    before = counted(data)
    moves = [move for move in game.legal_moves() if "@" in move]
    for move in rng.sample(moves, min(len(moves), 12)):
        result, wanted = found_after(game, move, scratch), counted_after(data, move)
        assert result == wanted, f"{move} in\n{game}"
        met["saves" if sum(wanted) < sum(before) else "costs" if sum(wanted) > sum(before) else "neither"] += 1
        if move.startswith("rockfall") and any(after < now for after, now in zip(wanted, before, strict=True)):
            assert may_help(scratch.now, target_of(parse(move))), f"{move} in\n{game}"


KEY_CELL = """
 . . . . . . . . ?

 . . x . . . . . .
 |   |
-S-o-o-. . . . . ?
 |   |
 . . x . . . . . .
     |
 . . . . . . . . ?
"""


@pytest.mark.parametrize(
    ("move", "wanted"),
    [
        ("EW@3,0", [6, 4, 6]),
        ("xEW@3,0", [9, 11, 9]),
        ("SW@3,0", [8, 6, 6]),
        ("rockfall@2,-1", [7, 5, 7]),
        ("rockfall@1,0", [8, 6, 8]),
    ],
)
def test_moves_as_drawn(move, wanted):
    game = position(KEY_CELL, [["EW", "xEW", "NE", "rockfall"]])
    assert counted(data_of(game)) == [7, 5, 7]
    assert counted_after(data_of(game), move) == wanted
    assert found_after(game, move, scratch_of(game)) == wanted
