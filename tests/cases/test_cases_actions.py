"""Cases 13 to 20: action cards, and moves that are not legal."""

from collections import Counter
from itertools import chain

import pytest

from saboteur_env.engine.cards import PAIRS, PRINTED_DECK, TOOLS, orientation_of
from saboteur_env.game.notation import Map
from tests.support.cases import (
    BESIDE_THE_START,
    ORIENTATIONS,
    ROAD,
    STONE_FACES,
    STONE_LIES,
    every_face,
    quarters,
    with_face,
)
from tests.support.positions import data_of, played, position, refusal, spun_move

REPAIRS = TOOLS + PAIRS

MENDS = [(card, tool) for card in REPAIRS for tool in card.split("+")]


@quarters
def test_case_13_rocks_never_fall_on_the_start_a_goal_or_an_empty_cell(quarter):
    game = position(STONE_LIES, [["rockfall"]], faces=STONE_FACES, quarter=quarter)
    reasons = {"0,0": "start", "3,0": "goal", "3,-2": "goal", "3,2": "goal", "3,1": "no path card"}
    for at, reason in reasons.items():
        assert reason in refusal(game, spun_move(f"rockfall@{at}", quarter))
    legal = {move for move in game.legal_moves() if move.startswith("rockfall")}
    assert legal == {spun_move(f"rockfall@{at}", quarter) for at in ("1,0", "2,0")}


@pytest.mark.parametrize("card", ORIENTATIONS)
def test_case_14_a_rockfall_tells_nothing_about_the_role(card):
    at = "{},{}".format(*BESIDE_THE_START[card[-1]])
    mine = Map({BESIDE_THE_START[card[-1]]: orientation_of(card)}, {(8, -2): 0, (8, 0): 0, (8, 2): 0})
    seen = []
    for roles in (["miner", "miner", "saboteur"], ["saboteur", "miner", "miner"]):
        game = played(position(mine, [["rockfall"]], roles=roles), f"rockfall@{at}")
        seen.append(game.view(1))
    assert seen[0] == seen[1]
    assert not seen[0].mine.tunnels


@pytest.mark.parametrize("card", ORIENTATIONS)
def test_case_15_the_card_a_rockfall_took_is_back_in_the_next_round(card):
    at = BESIDE_THE_START[card[-1]]
    mine = Map({at: orientation_of(card)}, {(8, -2): 0, (8, 0): 0, (8, 2): 0})
    game = played(position(mine, [["rockfall"]], deck=[]), "rockfall@{},{}".format(*at))
    gone = Counter(item["card"] for item in data_of(game)["discards"] if "by" not in item)
    assert gone == Counter(PRINTED_DECK)
    assert game.round_over
    game.next_round()
    data = data_of(game)
    assert Counter(chain(data["deck"], *data["hands"])) == Counter(PRINTED_DECK)


@pytest.mark.parametrize(("card", "tool"), MENDS)
def test_case_16_repairing_ones_own_tool(card, tool):
    game = position(hands=[[f"repair:{card}"]], broken={0: [tool]})
    played(game, f"repair:{card}:{tool}:0")
    assert game.view(0).broken == [[], [], []]
    assert {"card": f"break:{tool}"} in data_of(game)["discards"]
    assert {"card": f"repair:{card}"} in data_of(game)["discards"]


@pytest.mark.parametrize("seat", range(3))
@pytest.mark.parametrize(("card", "tool"), [(card, tool) for card, tool in MENDS if card in PAIRS])
def test_case_17_a_double_repair_mends_exactly_the_tool_named(card, tool, seat):
    game = position(hands=[[f"repair:{card}"]], broken={seat: TOOLS})
    played(game, f"repair:{card}:{tool}:{seat}")
    left = [other for other in TOOLS if other != tool]
    assert game.view(0).broken == [left if other == seat else [] for other in range(3)]


@pytest.mark.parametrize("seat", range(3))
@pytest.mark.parametrize("tool", TOOLS)
def test_case_18_a_tool_is_not_broken_twice_and_others_are(tool, seat):
    breaks = [f"break:{other}" for other in TOOLS]
    game = position(hands=[breaks], broken={seat: [tool]})
    assert f"the {tool} of seat {seat} is broken already" in refusal(game, f"break:{tool}:{seat}")
    for other in set(TOOLS) - {tool}:
        assert f"break:{other}:{seat}" in game.legal_moves()


@pytest.mark.parametrize("seat", range(3))
@pytest.mark.parametrize(("card", "tool"), MENDS)
def test_case_18_a_repair_needs_its_match(card, tool, seat):
    others = [other for other in TOOLS if other not in card.split("+")]
    game = position(hands=[[f"repair:{card}"]], broken={seat: others})
    assert f"the {tool} of seat {seat} is not broken" in refusal(game, f"repair:{card}:{tool}:{seat}")
    assert not [move for move in game.legal_moves() if move.startswith("repair")]


@pytest.mark.parametrize("tool", TOOLS)
def test_a_dwarf_with_a_broken_tool_lays_no_path_card_but_does_all_else(tool):
    hand = ["NESW", "xN", "map", "rockfall", f"break:{tool}", f"repair:{tool}"]
    game = position(ROAD, [hand], broken={0: [tool]})
    assert f"while its {tool} is broken" in refusal(game, "NESW@0,1")
    kinds = {move.partition("@")[0].partition(":")[0] for move in game.legal_moves()}
    assert kinds == {"map", "rockfall", "break", "repair", "discard"}


ILLEGAL = [
    "NESW@0,0", "NESW@3,0", "NESW@5,5", "EW@0,1", "xN@2,0", "rockfall@0,0", "rockfall@2,0", "map:3",
    "break:cart:7", "break:lantern:1", "repair:cart:cart:0", "discard:xE", "pass", "turn:NE", "reveal:0", "take:1",
    "", "NESW", "NESW@1", "WSEN@1,0", "break", "map:", "discard", "nonsense:1", "NESW@2,0 ", "nesw@2,0",
]  # fmt: skip


@pytest.mark.parametrize("move", ILLEGAL)
def test_case_19_an_illegal_move_says_why_and_changes_nothing(move):
    game = position(ROAD, [["NESW", "EW", "xN", "rockfall", "map", "break:cart"]])
    assert repr(move)[1:-1] in refusal(game, move)


@every_face
@pytest.mark.parametrize("goal", range(3))
def test_case_20_a_map_is_read_by_one_seat_for_the_rest_of_the_round(goal, face):
    faces = with_face(face)
    faces[goal], faces[1] = faces[1], faces[goal]
    game = played(position(faces=faces, hands=[["map"]]), f"map:{goal}")
    known = [face if number == goal else None for number in range(3)]
    assert [game.view(seat).faces for seat in range(3)] == [known, [None] * 3, [None] * 3]
    assert game.view(1).record == [(0, f"map:{goal}")]
    while not game.round_over:
        game.play(next(move for move in game.legal_moves() if move.startswith("discard")))
        assert game.view(0).faces == known
        assert game.view(2).faces == [None] * 3
    game.next_round()
    assert game.view(0).faces == [None] * 3


def test_case_20_a_goal_known_already_may_be_read_again_but_not_one_face_up():
    game = position(STONE_LIES, [["map", "map"]], faces=STONE_FACES, maps=[[0], [], []])
    assert [move for move in game.legal_moves() if move.startswith("map")] == ["map:0", "map:2"]
    assert "goal 1 is face up" in refusal(game, "map:1")
