"""Scripted dwarfs: drawn situations, who plays how, the same moves by every door."""

from dataclasses import fields

import numpy as np
import pytest

from saboteur_env import Game, game_seed, make_vec
from saboteur_env.agents.matches.embedded import random_keys
from saboteur_env.agents.scripted.agent import KernelAgent
from saboteur_env.agents.scripted.params import CardValues, Dwarf, HeuristicWeights, RoleEvidence, parameter_rows
from saboteur_env.agents.scripted.presets import (
    CARELESS,
    DWARFS,
    LOYAL,
    MINER_WEIGHTS,
    PRESETS,
    SABOTEUR_WEIGHTS,
    STRIKE,
    number_of,
)
from saboteur_env.engine.cards import KINDS
from saboteur_env.experiments.common.statistics import win_rate_rows
from saboteur_env.experiments.win_rates.win_rates import Study, play
from tests.support.positions import position

MINER = ["miner", "saboteur", "miner", "saboteur", "miner"]
SABOTEUR = ["saboteur", "miner", "miner", "saboteur", "miner"]


def at_table(drawing, hand, roles=MINER, **keywords):
    """Five dwarfs; seat 0 holds these cards alone and is to move."""
    return position(drawing, [hand], players=5, roles=roles, **{"deck": []} | keywords)


def liked(name, game):
    """The moves that a dwarf plays, as likely as each other."""
    return {move for move, probability in KernelAgent(name).probabilities(game.view(0)).items() if probability > 0}


AT_FIRST = """
 . . . . . . . . ?

 . . . . . . . . .
 |
-S-. . . . . . . ?
 |
 . . . . . . . . .

 . . . . . . . . ?
"""
FAR_AWAY = """
 . . . . . . . . ?

 . . . . . . . . .
 |
-S-o-o-. . . . . ?
 |
 . . . . . . . . .

 . . . . . . . . ?
"""
NEAR_BY = """
 . . . . . . . . ?

 . . . . . . . . .
 |   |   |
-S-o-o-o-o-o-o-. ?
 |     |   |
 . . . . . . . . .

 . . . . . . . . ?
"""
BLOCKED = """
 . . . . . . . . ?

 . . . . . . . . .
 |   |   |
-S-o-o-o-o-o-x-. ?
 |     |   |
 . . . . . . . . .

 . . . . . . . . ?
"""


@pytest.mark.parametrize("name", MINER_WEIGHTS)
def test_a_miner_lays_towards_the_goals(name):
    game = at_table(FAR_AWAY, ["EW", "NS", "xNESW", "break:cart"])
    probabilities = KernelAgent(name).probabilities(game.view(0))
    assert max(probabilities, key=probabilities.get) == "EW@3,0"


def test_a_loyal_miner_reads_a_map_where_no_card_leads_nearer():
    assert liked("loyal", at_table(FAR_AWAY, ["map", "NS", "rockfall"])) == {"map:0", "map:1", "map:2"}
    assert liked("loyal", at_table(FAR_AWAY, ["map", "NS", "rockfall"], maps=[[1], [], [], [], []])) == {
        "map:0",
        "map:2",
    }


def test_a_loyal_miner_throws_the_map_away_once_the_treasure_is_known():
    faces = ["stone:NE", "treasure", "stone:NW"]
    game = at_table(FAR_AWAY, ["map", "rockfall", "NESW"], faces=faces, maps=[[1], [], [], [], []], broken=[["cart"]])
    assert liked("loyal", game) == {"discard:map"}


def test_a_loyal_miner_lays_no_dead_end():
    game = at_table(NEAR_BY, ["xNESW", "xNES", "NESW"], broken=[[], ["cart"]])
    assert liked("loyal", game) == {"NESW@7,0"}
    assert all(move.startswith("discard:x") for move in liked("loyal", at_table(NEAR_BY, ["xNESW", "xNES"])))


def test_a_loyal_miner_goes_to_the_goal_it_knows():
    faces = ["treasure", "stone:NE", "stone:NW"]
    game = at_table(NEAR_BY, ["EW", "NW"], faces=faces, maps=[[0], [], [], [], []])
    assert liked("loyal", game) == {"NW@7,0"}


@pytest.mark.parametrize("drawing", [FAR_AWAY, NEAR_BY])
def test_a_loyal_miner_mends_its_own_tools_first(drawing):
    game = at_table(drawing, ["repair:cart", "EW", "NESW", "rockfall"], broken=[["cart"], ["cart"]])
    assert liked("loyal", game) == {"repair:cart:cart:0"}


def test_a_loyal_miner_lets_rocks_fall_on_the_dead_end_in_the_way():
    assert liked("loyal", at_table(BLOCKED, ["rockfall", "NS", "map"])) == {"rockfall@6,0"}


def test_a_loyal_miner_breaks_the_tools_of_whoever_laid_dead_ends_and_mends_those_of_whoever_did_not():
    record = [[2, "xEW@6,0"], [3, "ESW@5,0"]]
    game = at_table(BLOCKED, ["break:cart", "NS"], record=record)
    assert liked("loyal", game) == {"break:cart:2"}
    game = at_table(BLOCKED, ["repair:cart", "NS"], record=record, broken=[[], [], ["cart"], ["cart"], []])
    assert liked("loyal", game) == {"repair:cart:cart:3"}


def test_a_blatant_saboteur_blocks_the_key_tunnel_near_the_goal():
    game = at_table(NEAR_BY, ["xEW", "EW", "NESW"], SABOTEUR)
    assert liked("blatant", game) == {"xEW@7,0"}


def test_a_saboteur_lets_rocks_fall_where_the_gap_is_hard_to_fill():
    crossing = """
 . . . . . . . . ?

 . . . o-. . . . .
 |   | |
-S-o-o-o-o-o-o-. ?
 |     |   |
 . . . o-. . . . .

 . . . . . . . . ?
"""
    hand = ["rockfall", "repair:cart", "repair:cart", "repair:pickaxe", "map", "map"]
    assert liked("blatant", at_table(crossing, hand, SABOTEUR, deck=None)) == {"rockfall@3,0"}


@pytest.mark.parametrize("name", PRESETS[1:])
@pytest.mark.parametrize("roles", [MINER, SABOTEUR])
def test_nobody_breaks_an_own_tool(name, roles):
    game = at_table(NEAR_BY, ["break:cart", "break:lantern", "break:pickaxe"], roles)
    assert not any(move.endswith(":0") for move in liked(name, game) if KernelAgent(name).act(game.view(0), 1) == move)


def test_a_blatant_saboteur_breaks_the_tool_of_the_next_to_move():
    assert liked("blatant", at_table(FAR_AWAY, ["break:cart", "xN"], SABOTEUR)) == {"break:cart:1"}


def test_a_saboteur_throws_good_cards_away_and_keeps_dead_ends():
    game = at_table(FAR_AWAY, ["NEW", "xN", "xE", "xEW"], SABOTEUR, broken=[["cart"]])
    assert liked("blatant", game) == liked("patient", game) == {"discard:NEW"}


def test_a_patient_saboteur_does_no_deed_while_the_treasure_is_far():
    hand = ["xEW", "xNESW", "EW", "rockfall"]
    assert liked("patient", at_table(FAR_AWAY, hand, SABOTEUR)) == {"discard:EW"}
    assert liked("patient", at_table(NEAR_BY, ["xEW", "EW"], SABOTEUR)) == {"xEW@7,0"}


def test_a_two_faced_saboteur_digs_like_a_loyal_miner_until_the_treasure_is_near():
    hand = ["xEW", "xNESW", "EW", "NS"]
    assert (
        liked("two-faced", at_table(AT_FIRST, hand, SABOTEUR)) == {"EW@1,0"} == liked("loyal", at_table(AT_FIRST, hand))
    )
    assert liked("two-faced", at_table(NEAR_BY, ["xEW", "EW"], SABOTEUR)) == {"xEW@7,0"}


STONE_THAT_CLASHES = """
       ?

       o-.
 |     |
-S-o-. ?
 |
       .

       ?
"""


@pytest.mark.parametrize(("name", "roles", "turn"), [("loyal", MINER, "turn:SW"), ("blatant", SABOTEUR, "turn:NE")])
def test_a_stone_is_turned_as_it_serves_the_role(name, roles, turn):
    game = at_table(STONE_THAT_CLASHES, ["EW"], roles, faces=["stone:NW", "stone:NE", "treasure"])
    game.play("EW@2,0")
    assert liked(name, game) == {turn}


def test_the_best_gold_card_is_taken():
    faces, gold = ["stone:NE", "treasure", "stone:NW"], [1, 3, 2] + [1] * 15 + [2] * 7 + [3] * 3
    game = position(NEAR_BY, [["EW"]], roles=["miner"] * 3, faces=faces, options={"draft": True}, gold_deck=gold)
    game.play("EW@7,0")
    assert KernelAgent("loyal").act(game.view(0), 0) == "take:3"


def test_a_character_of_your_own():
    likes_maps = HeuristicWeights(read=1)
    agent = KernelAgent(Dwarf(likes_maps, likes_maps, likes_maps, 0))
    view = at_table(FAR_AWAY, ["map", "EW", "NS"]).view(0)
    result = agent.probabilities(view)
    assert {move: probability for move, probability in result.items() if probability} == pytest.approx(
        {"map:0": 1 / 3, "map:1": 1 / 3, "map:2": 1 / 3}
    )
    assert {agent.act(view, seed) for seed in range(40)} == {"map:0", "map:1", "map:2"}


def test_a_whim_is_played_as_often_as_its_points_say():
    item = HeuristicWeights(temperature=2, worth=CardValues(cross=2, north=-1))
    view = at_table(FAR_AWAY, ["NESW", "NS"], broken=[["cart"]]).view(0)
    agent = KernelAgent(Dwarf(item, item, item, 0))
    result = agent.probabilities(view)
    assert result["discard:NS"] / result["discard:NESW"] == pytest.approx(np.exp(3 / 2))
    drawn = [agent.act(view, seed) for seed in range(2000)]
    assert drawn.count("discard:NS") / 2000 == pytest.approx(result["discard:NS"], abs=0.04)


def test_every_kind_of_card_has_its_worth():
    worth = CardValues(**{field.name: float(i) for i, field in enumerate(fields(CardValues), 1)})
    by_kind = dict(zip(KINDS, worth.by_kind(), strict=True))
    assert 0 not in by_kind.values()
    assert by_kind["NESW"] == worth.cross
    assert by_kind["xNESW"] == by_kind["xN"] == worth.dead_end
    assert by_kind["repair:pickaxe+cart"] == by_kind["repair:cart"] == worth.repair


def test_a_row_holds_the_character():
    row = parameter_rows([Dwarf(LOYAL, STRIKE, CARELESS, 3), None])
    assert row[0]["strike_distance"] == 3
    for character, written in zip((LOYAL, STRIKE, CARELESS), row[0]["characters"], strict=True):
        assert written["progress"] == character.progress and written["temperature"] == character.temperature
        assert [written["clues"][field.name] for field in fields(RoleEvidence)] == [
            getattr(character.clues, field.name) for field in fields(RoleEvidence)
        ]
    assert not row[1]["scripted"]


def test_names_stand_for_pairs():
    assert {"random", "scripted", "loyal", "careless", "blatant", "patient", "two-faced"} <= set(PRESETS)
    for miner in MINER_WEIGHTS:
        for saboteur in SABOTEUR_WEIGHTS:
            assert f"{miner}+{saboteur}" in PRESETS
    assert DWARFS[number_of("blatant")] == DWARFS[number_of("loyal+blatant")]
    assert DWARFS[number_of("careless+patient")] != DWARFS[number_of("loyal+patient")]


@pytest.mark.parametrize("name", ["scripted", "careless+two-faced"])
def test_the_house_plays_as_the_dwarf_does_alone(name):
    vec = make_vec(1, players=5, seed=9, rounds=1)
    vec.control([0] + [-1 - number_of(name)] * 9)
    vec.reset()
    agent = KernelAgent(name)
    for episode in range(2):
        seed = game_seed(9, 0, episode)
        game = Game(5, seed=seed, rounds=1)
        while not game.round_over:
            view = game.view(game.seat)
            if game.seat == 0:
                assert vec.game(0) == game
                (action,) = vec.sample(len(view.record))
                vec.step([action])
                game.play(vec.settings.actions.text(action, 0, 5))
            else:
                game.play(agent.act(view, int(random_keys(np.uint64(seed), 1, len(view.record)))))


EVERY_COUNT = (3, 4, 5, 6, 7, 8, 9, 10)


@pytest.mark.parametrize("players", EVERY_COUNT)
def test_loyal_miners_find_the_treasure_when_nobody_hinders_them(players):
    study = Study((players,), 100, options={"role_table": {"saboteurs": 0, "miners": players}}, seed=2)
    assert win_rate_rows(play(study))[0]["miners_won"] >= 0.97


def won(miners, saboteurs):
    """The share of rounds that the miners of a table of five win."""
    return win_rate_rows(play(Study((5,), 300, rounds=3, miners=miners, saboteurs=saboteurs, seed=3)))[0]["miners_won"]


def test_characters_differ():
    against_loyal = [won("loyal", name) for name in ("random", "two-faced", "scripted")]
    assert against_loyal == sorted(against_loyal, reverse=True)
    assert against_loyal[0] - against_loyal[-1] > 0.25
    assert won("careless", "patient") < won("loyal", "patient") - 0.1
