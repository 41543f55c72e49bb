"""What the record says about who is a saboteur, against all ways to deal the roles."""

import math
import random
from itertools import product

import numpy as np
import pytest

from saboteur_env import Game
from saboteur_env.agents.scripted.agent import KernelAgent
from saboteur_env.agents.scripted.params import Dwarf, HeuristicWeights, RoleEvidence, parameter_rows
from saboteur_env.agents.scripted.presets import LOYAL, STRIKE
from saboteur_env.agents.scripted.role_inference import infer_roles
from tests.long.mask_check import choose
from tests.support.positions import EMPTY, position

ALL_CLUES = RoleEvidence(dead_end=2.5, forward=-1, rockfall=1.5, clearing=-2, tools=0)


def saboteur_probability(game, clues, seat=None):
    """The chance of each seat to be a saboteur, as the seat to move or another sees it."""
    character = HeuristicWeights(clues=clues)
    row = parameter_rows([Dwarf(character, character, character, 0)])[0]
    result, view = np.full(10, np.nan), game.view(game.seat if seat is None else seat)
    infer_roles(view.public, view.private, view.seat, row.characters[0].clues, result, np.full(12, np.nan))
    return result[: game.rules.players].tolist()


def dealt(game, odds):
    """The same by all ways to deal the roles that the seat to move does not hold."""
    pool, seat = game.rules.role_table, game.seat
    mine = game.view(seat).role == "saboteur"
    aside = sum(pool) - game.rules.players
    weights, total = [0.0] * game.rules.players, 0.0
    for roles in product((0, 1), repeat=game.rules.players + aside):
        if sum(roles) == pool[0] and roles[seat] == mine:
            weight = math.prod(odds[i] for i in range(game.rules.players) if roles[i] and i != seat)
            total += weight
            weights = [sum_ + weight * role for sum_, role in zip(weights, roles, strict=False)]
    return [0.0 if i == seat else weight / total for i, weight in enumerate(weights)]


@pytest.mark.parametrize("players", range(3, 11))
@pytest.mark.parametrize("edition", ["lv", "fa"])
def test_without_clues_it_is_the_roles_left(players, edition):
    game = Game(players, edition, seed=players)
    assert saboteur_probability(game, RoleEvidence()) == pytest.approx(dealt(game, [1.0] * players))


@pytest.mark.parametrize("players", [3, 5, 7, 10])
def test_deeds_weigh_the_ways_to_deal_the_roles(players):
    rng, game = random.Random(players), Game(players, seed=1, rounds=1)
    while len(game.view(0).record) < 40:
        game.play(choose(rng, game.legal_moves()))
    odds = [1.0] * players
    for seat, move in game.view(0).record:
        odds[seat] *= math.exp(ALL_CLUES.dead_end * move.startswith("x"))
    odds = [min(item, math.exp(4)) for item in odds]
    assert max(odds) > 1
    assert saboteur_probability(game, RoleEvidence(dead_end=ALL_CLUES.dead_end)) == pytest.approx(
        dealt(game, odds), abs=1e-6
    )


def after(record, **keywords):
    """A game of five with this record, which began after a map was read; seat 0, a miner, is to move."""
    roles, discards = ["miner", "saboteur", "miner", "saboteur", "miner"], ["map", *keywords.pop("discards", [])]
    drawing = keywords.pop("drawing", EMPTY)
    return position(drawing, players=5, roles=roles, record=record, discards=discards, **keywords)


TWO_TUNNELS = """
 . . . . . . . . ?

 . . . . . . . . .
 |
-S-o-o-. . . . . ?
 |
 . . . . . . . . .

 . . . . . . . . ?
"""


def test_a_tunnel_to_the_goals_speaks_for_who_laid_it():
    game = after([[1, "EW@1,0"], [2, "EW@2,0"]], drawing=TWO_TUNNELS)
    result = saboteur_probability(game, ALL_CLUES)
    assert result[1] == result[2] < result[3] == result[4]


DEAD_END = """
 . . . . . . . . ?

 . . . . . . . . .
 |
-S-x-. . . . . . ?
 |
 . . . . . . . . .

 . . . . . . . . ?
"""


def test_a_dead_end_speaks_against_who_laid_it():
    result = saboteur_probability(after([[1, "xEW@1,0"]], drawing=DEAD_END), ALL_CLUES)
    assert result[1] > result[2] == result[3]


def test_rocks_speak_by_what_they_fall_on():
    rocks = [[1, "EW@1,0"], [2, "rockfall@1,0"], [1, "xEW@1,0"], [3, "rockfall@1,0"]]
    result = saboteur_probability(after(rocks, discards=["rockfall", "rockfall", "EW", "xEW"]), ALL_CLUES)
    assert result[2] > result[4] > result[3]


def test_who_breaks_the_tool_of_a_miner_is_suspicious_and_who_mends_it_is_not():
    broken = [["cart"], [], [], [], []]
    game = after([[1, "break:cart:0"]], broken=broken)
    result = saboteur_probability(game, RoleEvidence(tools=2))
    assert result[1] > result[2]
    game = after([[1, "break:cart:0"], [2, "repair:cart:cart:0"]], discards=["break:cart", "repair:cart"])
    result = saboteur_probability(game, RoleEvidence(tools=2))
    assert result[1] > result[3] > result[2]


def test_who_breaks_the_tool_of_a_suspect_is_trusted():
    record = [[1, "xEW@1,0"], [2, "break:cart:1"], [3, "break:lantern:4"]]
    game = after(record, drawing=DEAD_END, broken=[[], ["cart"], [], [], ["lantern"]])
    result = saboteur_probability(game, RoleEvidence(dead_end=3, tools=2))
    assert result[2] < result[3] < result[1]


def test_roles_that_cannot_be_dealt_are_no_error():
    game = Game(3, seed=1, options={"role_table": {"saboteurs": 0, "miners": 3}})
    assert saboteur_probability(game, ALL_CLUES) == [0.0] * 3
    game = Game(3, seed=1, options={"role_table": {"saboteurs": 3, "miners": 0}})
    assert saboteur_probability(game, ALL_CLUES) == pytest.approx([float(seat != game.seat) for seat in range(3)])


@pytest.mark.parametrize("players", [3, 6, 10])
def test_a_dwarf_tells_whom_it_suspects(players):
    game, agent = Game(players, seed=3, rounds=1), KernelAgent("two-faced")
    while not game.round_over:
        game.play(agent.act(game.view(game.seat), 5))
        for seat in range(players):
            view = game.view(seat)
            told = agent.beliefs(view)
            assert told[seat] == (view.role == "saboteur")
            clues = LOYAL.clues if view.role == "miner" else STRIKE.clues
            others = saboteur_probability(game, clues, seat)
            assert told[:seat] + told[seat + 1 :] == others[:seat] + others[seat + 1 :]


def test_the_treacherous_are_suspected_by_the_loyal():
    loyal, known = KernelAgent("blatant"), {"miner": [], "saboteur": []}
    for seed in range(20):
        game = Game(5, seed=seed, rounds=1)
        while not game.round_over:
            last = [game.view(seat) for seat in range(5)]
            game.play(loyal.act(game.view(game.seat), seed))
        told = loyal.beliefs(last[0])
        for view in last[1:]:
            known[view.role].append(told[view.seat])
    assert np.mean(known["saboteur"]) > np.mean(known["miner"]) + 0.3
