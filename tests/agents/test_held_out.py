"""The held-out family: it plays legally by views, does what its characters say, and nothing learns from it."""

import ast
from pathlib import Path

import pytest

from saboteur_env import Game
from saboteur_env.agents.held_out.characters import CHARACTERS, HeldOut
from saboteur_env.agents.held_out.situation import Situation
from saboteur_env.agents.registry import make_agent
from saboteur_env.agents.scripted.presets import PRESETS
from saboteur_env.experiments.training.opponents import Opponents
from tests.support.positions import played, position

ROOT = Path(__file__).parents[2]
LEARNS = [
    *ROOT.glob("experiments/configs/*.toml"),
    *ROOT.glob("experiments/training*/*.py"),
    ROOT / "experiments/benchmark/populations.py",
    *ROOT.glob("experiments/beliefs/fit_*.py"),
    *ROOT.glob("experiments/beliefs/role_*.py"),
    *ROOT.glob("experiments/search/fit_*.py"),
    *ROOT.glob("agents/scripted/*.py"),
    *ROOT.glob("agents/beliefs/*.py"),
    *ROOT.glob("agents/models/**/*.json"),
    *ROOT.glob("agents/models/**/*.md"),
]


@pytest.mark.parametrize("name", CHARACTERS)
@pytest.mark.parametrize("players", [3, 5])
def test_a_character_plays_whole_rounds_by_its_probabilities(name, players):
    agent, other = make_agent(f"held-out:{name}"), make_agent("scripted")
    for seed in range(4):
        game = Game(players, seed=seed, rounds=1)
        while not game.round_over:
            view = game.view(game.seat)
            mover = agent if game.seat % 2 == seed % 2 else other
            move = mover.act(view, seed)
            if mover is agent:
                probabilities = agent.probabilities(view)
                assert list(probabilities) == view.legal_moves()
                assert sum(probabilities.values()) == pytest.approx(1)
                assert probabilities[move] > 0
                assert move == agent.act(view, seed)
            game.play(move)
    with pytest.raises(ValueError, match="is not to move"):
        agent.act(game.view(0), 0)


DECK = ["NES"] * 5 + ["xN"]
MINER = ["miner", "saboteur", "miner", "saboteur"]
SABOTEUR = ["miner", "miner", "saboteur", "saboteur"]
FAR = """
 . . . . . . . . ?

 . . . . . . . . .
 |
-S-. . . . . . . ?
 |
 . . . . . . . . .

 . . . . . . . . ?
"""
NEAR = """
 . . . . . . . . ?

 . . . . . . . . .
 | | | |
-S-o-o-o-o-o-. . ?
 | | | |
 . . . . . . . . .

 . . . . . . . . ?
"""


def liked(name, game):
    """The moves that a character plays, as likely as each other."""
    return {move for move, share in HeldOut(name).probabilities(game.view(game.seat)).items() if share}


@pytest.mark.parametrize(
    ("name", "roles", "drawing", "before", "hand", "expected"),
    [
        ("bookkeeper", MINER, FAR, ["xNESW@0,1", "EW@1,0"], ["break:lantern", "EW"], {"break:lantern:0"}),
        ("bookkeeper", MINER, FAR, ["EW@1,0", "EW@2,0"], ["break:lantern", "EW"], {"EW@3,0"}),
        ("bookkeeper", SABOTEUR, FAR, ["xNESW@0,1", "EW@1,0"], ["break:cart"], {"break:cart:1", "break:cart:3"}),
        ("quiet", MINER, FAR, ["xNESW@0,1", "EW@1,0"], ["break:cart", "xE"], {"discard:break:cart", "discard:xE"}),
        ("quiet", SABOTEUR, NEAR, ["discard:NS", "discard:NS"], ["break:lantern", "NESW", "xE"], {"discard:NESW"}),
        ("sleeper", SABOTEUR, FAR, ["EW@1,0", "EW@2,0"], ["break:lantern", "EW", "xNESW"], {"EW@3,0"}),
        ("sleeper", SABOTEUR, NEAR, ["discard:NS", "discard:NS"], ["break:lantern", "EW", "xNESW"], {"xNESW@6,0"}),
        ("accuser", MINER, FAR, ["EW@1,0", "xNESW@0,1"], ["break:lantern", "EW"], {"break:lantern:1"}),
        ("accuser", SABOTEUR, FAR, ["xNESW@0,1", "EW@1,0"], ["break:lantern", "EW"], {"break:lantern:1"}),
        ("imitator", MINER, FAR, ["EW@1,0", "map:1"], ["map", "EW"], {"map:1"}),
        ("imitator", MINER, FAR, ["EW@1,0", "break:cart:0"], ["break:lantern", "EW"], {"EW@2,0"}),
        ("imitator", SABOTEUR, FAR, ["EW@1,0", "break:cart:0"], ["break:lantern", "EW"], {"break:lantern:0"}),
        ("avenger", MINER, FAR, ["EW@1,0", "break:cart:2"], ["break:lantern", "EW"], {"break:lantern:1"}),
        ("avenger", MINER, FAR, ["EW@1,0", "break:cart:0"], ["break:lantern", "EW"], {"EW@2,0"}),
        ("avenger", SABOTEUR, FAR, ["EW@1,0", "EW@2,0"], ["break:lantern", "EW"], {"break:lantern:3"}),
    ],
)  # fmt: skip
def test_a_character_does_as_it_is_described(name, roles, drawing, before, hand, expected):
    held = [move.partition("@")[0] for move in before]
    held = [move.split(":")[1] if "discard" in move else move.rpartition(":")[0] or move for move in held]
    game = played(position(drawing, [held[:1], held[1:], hand, []], players=4, roles=roles, deck=DECK), *before)
    assert liked(name, game) == expected


def test_a_bookkeeper_waits_until_another_stands_as_high():
    hands = [["NS"], ["EW"], ["break:cart", "break:lantern", "NESW"], ["EW"]]
    game = position(FAR, hands, players=4, roles=SABOTEUR, seat=2, deck=DECK)
    assert liked("bookkeeper", game) == {f"break:{tool}:{seat}" for tool in ("cart", "lantern") for seat in (0, 1, 3)}
    played(game, "break:cart:0", "EW@1,0", "discard:NS", "EW@2,0")
    assert liked("bookkeeper", game) == {"discard:NESW"}


def test_distances_are_counted_from_open_ends():
    game = position(FAR, [["EW", "xNESW", "NS", "SW"]], deck=DECK)
    situation = Situation(game.view(0))
    assert situation.distance == 7
    brought = {move.text: situation.brings(move) for move in situation.moves if move.verb == "lay"}
    assert brought["EW@1,0"] == 1
    assert brought["xNESW@1,0"] == -2
    assert brought["SW@1,0"] == -1
    near = Situation(position(NEAR, [["rockfall", "EW"]], deck=DECK).view(0))
    assert near.distance == 2
    assert {move.text: near.brings(move) for move in near.moves if move.verb == "rockfall"}["rockfall@5,0"] == -1


def test_a_character_there_is_not():
    with pytest.raises(ValueError, match="no held-out dwarf 'judge'; there are bookkeeper, quiet, sleeper"):
        make_agent("held-out:judge")


def test_nothing_learns_from_the_held_out_family():
    assert len(LEARNS) > 30
    for path in LEARNS:
        text = path.read_text(encoding="utf-8")
        assert "held_out" not in text, path
        assert "held-out:" not in text, path
        if path.suffix == ".py":
            words = {node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)}
            assert not words & CHARACTERS.keys(), path
    assert not CHARACTERS.keys() & {*PRESETS}
    with pytest.raises(ValueError, match="held-out:quiet is for judging alone"):
        Opponents(miners=0.5, pool=("held-out:quiet",))
