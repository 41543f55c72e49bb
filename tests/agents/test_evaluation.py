"""The estimate of who wins, and how it is fitted."""

import json

import numpy as np
import pytest

from saboteur_env import Game
from saboteur_env.agents.search.evaluation import FEATURES, FITTED_NET, describe, miners_probability, net
from saboteur_env.experiments.search import fit_evaluation
from saboteur_env.heuristics.card_distance import SCRATCH
from tests.support.positions import position

FACES = ("stone:NE", "treasure", "stone:NW")
ROAD = """
 . . . . . . . . ?

 . . . . . . . . .
 | | |
-S-o-o-o-o-. . . ?
 |     |
 . . . . . . . . .

 . . . . . . . . ?
"""
DEEP = """
 . . . . . . . . ?

 . . . . . . . . .
 | | |
-S-o-o-o-o-o-o-. ?
 |     | |
 . . . . . . . . .

 . . . . . . . . ?
"""


def described(game):
    space = np.zeros(1, SCRATCH)[0]
    describe(game.records[0], space, space.scores)
    return dict(zip(FEATURES, space.scores.tolist(), strict=False))


def chance(game):
    return miners_probability(game.records[0], np.zeros(1, SCRATCH)[0], net())


def test_what_is_looked_at():
    game = position(
        ROAD, [["map", "EW", "xN"], ["break:cart", "rockfall"]], roles=["miner", "saboteur", "miner"],
        faces=FACES, broken=[[], [], ["cart", "lantern"]], maps=[[1], [], []], seat=1, deck=["NS"] * 4,
    )  # fmt: skip
    result = described(game)
    hands = game.to_json()
    assert result["cards to the treasure"] == 3 / 8
    assert result["no way to the treasure"] == 0
    assert result["goals face down"] == 1
    assert result["miners with whole tools"] == 1 / 4
    assert result["broken tools of the miners"] == 2 / 4
    assert result["miners who know the treasure"] == 1 / 4
    assert result["saboteurs"] == 1 / 2
    assert (result["a miner moves"], result["the seat to move has whole tools"]) == (0, 1)
    assert result["tunnels in the deck"] == 4 / 8
    held = json.loads(hands)["hands"]
    assert result["maps of the miners"] == (held[0] + held[2]).count("map") / 8
    assert result["breaks of the saboteurs"] == sum(card.startswith("break") for card in held[1]) / 8
    assert result["turns left"] == (4 + sum(map(len, held))) / 32


def test_the_nearer_the_treasure_and_the_wholer_the_tools_the_better_for_the_miners():
    def at(drawing, broken=()):
        return chance(position(drawing, roles=["miner", "miner", "saboteur"], faces=FACES, broken=broken))

    assert 0 < at(ROAD, [["cart"], ["lantern"], []]) < at(ROAD) < at(DEEP) < 1


def test_a_network_for_other_features_is_refused(tmp_path):
    data = json.loads(FITTED_NET.read_text())
    path = tmp_path / "evaluation.json"
    path.write_text(json.dumps(data | {"features": list(FEATURES)[::-1]}))
    with pytest.raises(ValueError, match="other features: saboteur-env study fit-evaluation"):
        net(path)
    path.write_text("{}")
    with pytest.raises(ValueError, match="holds no evaluation: KeyError"):
        net(path)


def test_an_evaluation_is_fitted_and_read_again(tmp_path, capsys):
    path = tmp_path / "evaluation.json"
    fit_evaluation.main(rounds=300, epochs=10, out=path)
    said = capsys.readouterr().out.split()
    loss, constant = float(said[5].rstrip(";")), float(said[-1])
    assert loss < constant
    hidden, *_ = net(path)
    assert hidden.shape == (fit_evaluation.HIDDEN_UNITS, len(FEATURES))
    assert miners_probability(Game(seed=1).records[0], np.zeros(1, SCRATCH)[0], net(path)) != chance(Game(seed=1))
