"""What is wrong with a position is named."""

import pytest

from saboteur_env import Game
from tests.support.position_faults import (
    ROOM,
    all_have_passed,
    arranged,
    begun,
    choosing_goal,
    choosing_stone,
    drafting,
    finished,
    found,
    laid,
    long_hand,
    long_hand_without_a_deck,
    long_record,
    many_discards,
    no_cards_left,
    on_one_cell,
    remembered,
    short_hand,
    told_twice,
    with_part,
)
from tests.support.positions import EMPTY, GOLD, data_of, fault, load, played, position


@pytest.mark.parametrize("make", [arranged, finished, found, choosing_stone, choosing_goal, drafting, begun])
def test_the_positions_that_faults_are_made_of_are_sound(make):
    assert data_of(load(make())) == make()


BEGUN = [(0, "EW@1,0"), (1, "break:cart:2"), (2, "discard:xE")]

FAULTS = {
    "not an object": (lambda: [1], "the whole must be an object with format, edition"),
    "format": (lambda: arranged(format="saboteur-position/2"), "format must be 'saboteur-position/1'"),
    "edition": (lambda: arranged(edition="en"), "edition must be an edition (lv, lt, uk, ru, fa), not 'en'"),
    "options": (lambda: arranged(options=[]), "options must be an object"),
    "unknown option": (lambda: arranged(options={"dwarfs": 1}), "there is no option 'dwarfs'"),
    "players": (lambda: arranged(players=11), "players must be a whole number from 3 to 10, not 11"),
    "whole number": (lambda: arranged(seat=1.0), "seat must be a whole number from 0 to 9, not 1.0"),
    "true is no number": (lambda: arranged(seat=True), "seat must be a whole number from 0 to 9, not True"),
    "rounds": (lambda: arranged(rounds=11), "rounds must be a whole number from 1 to 10"),
    "role": (lambda: with_part("roles", 0, "thief"), "roles[0] must be a role (miner, saboteur), not 'thief'"),
    "card in a hand": (lambda: with_part("hands", 1, 0, "SW"), "hands[1][0] must be the name of a card, not 'SW'"),
    "card in the deck": (lambda: with_part("deck", 3, 7), "deck[3] must be the name of a card, not 7"),
    "discard": (lambda: with_part("discards", 0, {"by": 1}), "discards[0].card is missing"),
    "face": (lambda: with_part("goals", 0, "face", "coal"), "goals[0].face must be a face (treasure, stone:NE"),
    "open": (lambda: with_part("goals", 0, "open", 1), "goals[0].open must be true or false, not 1"),
    "tunnel": (lambda: with_part("tunnels", 0, "card", "map"), "tunnels[0].card must be the upright name of a path"),
    "tunnel off the board": (lambda: with_part("tunnels", 0, "at", [31, 0]), "tunnels[0].at[0] must be a whole number"),
    "place": (lambda: with_part("tunnels", 0, "at", [1]), "tunnels[0].at must be a list of"),
    "tool": (lambda: with_part("broken", 1, ["rope"]), "broken[1][0] must be a tool (pickaxe, lantern, cart)"),
    "map": (lambda: with_part("maps", 0, [3]), "maps[0][0] must be a whole number from 0 to 2, not 3"),
    "gold card": (lambda: with_part("gold_deck", 0, 4), "gold_deck[0] must be a gold card (1, 2, 3), not 4"),
    "winner": (lambda: arranged(winner="dwarfs"), "winner must be a winner (miners, saboteurs, nobody) or null"),
    "pending": (lambda: arranged(pending={}), "pending must be null or an object with stone"),
    "record": (lambda: arranged(record=[["0", "pass"]]), "record[0][0] must be a whole number"),
    "chance is a text": (lambda: arranged(chance=7), "chance must be a text, not 7"),
    "missing": (lambda: {"format": "saboteur-position/1"}, "edition is missing"),
    "roles by seat": (lambda: arranged(roles=["miner"] * 3), "roles must have an entry for each of 4 players, not 3"),
    "hands by seat": (lambda: arranged(hands=[]), "hands must have an entry for each of 4 players, not 0"),
    "broken by seat": (lambda: arranged(broken=[]), "broken must have an entry for each of 4 players"),
    "maps by seat": (lambda: arranged(maps=[]), "maps must have an entry for each of 4 players"),
    "gold by seat": (lambda: arranged(gold=[]), "gold must have an entry for each of 4 players"),
    "shortfall by seat": (lambda: arranged(shortfall=[]), "shortfall must have an entry for each of 4 players"),
    "goals": (lambda: arranged(goals=arranged()["goals"][:2]), "goals must have 3 entries, not 2"),
    "round of a match": (lambda: arranged(round=4), "round 4 of a match of 3"),
    "past too long": (lambda: arranged(past=remembered()["past"]), "past tells of 1 rounds in round 1"),
    "seat": (lambda: arranged(seat=4), "seat names seat 4; there are 4 players"),
    "seat of a discard": (lambda: with_part("discards", 1, "by", 8), "discards names seat 8; there are 4 players"),
    "seat of the record": (lambda: arranged(record=[[5, "pass"]]), "record names seat 5; there are 4 players"),
    "seat of the past": (lambda: remembered(gold=[[6, 1]]), "past names seat 6; there are 4 players"),
    "goal of a map": (lambda: finished() | {"options": {"goal_cells": [[8, 0]]}}, "goals must have 1 entries, not 3"),
    "chance": (lambda: arranged(chance="-1"), "chance must be a whole number below 2**64 as a text, not '-1'"),
    "chance too large": (lambda: arranged(chance=str(2**64)), "chance must be a whole number below 2**64"),
    "role aside missing": (lambda: arranged(role_aside=None), "role_aside must be a role"),
    "role aside too many": (
        lambda: arranged(options=arranged()["options"] | {"role_table": {"saboteurs": 1, "miners": 3}}),
        "role_aside must be null: no dwarf stays aside",
    ),
    "role cards": (lambda: arranged(roles=["miner"] * 4), "0 role cards 'saboteur' instead of 1"),
    "past roles": (lambda: remembered(roles=["miner"]), "past[0]: roles must have an entry for each of 4 players"),
    "past role cards": (lambda: remembered(roles=["saboteur"] * 4), "past[0]: 4 role cards 'saboteur' instead of 1"),
    "cards": (lambda: with_part("deck", 0, "xN"), "2 cards 'xN' instead of 1"),
    "faces": (lambda: with_part("goals", 1, "face", "stone:NW"), "0 goals 'treasure' instead of 1"),
    "turned face down": (lambda: with_part("goals", 0, "turned", True), "goal 0 is turned, but it is face down"),
    "turned treasure": (
        lambda: found(goals=[goal | {"turned": goal["open"]} for goal in found()["goals"]]),
        "goal 1 is turned, but it is the treasure",
    ),
    "two on a cell": (on_one_cell, "tunnel NESW at 1,0 lies on another card, the start or a goal"),
    "on the start": (lambda: laid("NESW", [0, 0]), "tunnel NESW at 0,0 lies on another card, the start or a goal"),
    "on a goal": (lambda: laid("NESW", [4, 0]), "tunnel NESW at 4,0 lies on another card, the start or a goal"),
    "turned both ways": (lambda: laid("NS", [0, 1], True), "tunnel NS at 0,1 looks the same both ways up"),
    "open meets shut": (lambda: laid("NS", [3, 0]), "open meets shut between EW@2,0 and NS@3,0"),
    "start meets shut": (lambda: laid("xEW", [0, 1]), "open meets shut between xEW@0,1 and NESW@0,0"),
    "off the board": (lambda: laid("NESW", [20, 5]), "from the card at 20,5 the cards left could lead off the board"),
    "tool twice": (lambda: with_part("broken", 1, ["cart", "cart"]), "broken of seat 1 names one twice"),
    "map twice": (lambda: with_part("maps", 0, [1, 1]), "maps of seat 0 names one twice"),
    "short hand": (short_hand, "seat 3 holds 5 cards; 6 are right"),
    "long hand": (long_hand, "seat 3 holds 7 cards; 6 are right"),
    "long hand without a deck": (long_hand_without_a_deck, "seat 3 holds 7 cards; 6 are right at most"),
    "too many discards": (many_discards, "seat 1 laid down 34 cards and has up to 8 turns; 34 are possible"),
    "whose turn": (lambda: arranged(last_seat=3), "seat 2 is to move, but last_seat is 3"),
    "passes": (lambda: arranged(passes=1), "passes is 1, but the deck is not empty"),
    "no cards left": (no_cards_left, "the round is over (no cards are left), but there is no winner"),
    "all passed": (all_have_passed, "the round is over (all have passed), but there is no winner"),
    "won too early": (
        lambda: arranged(winner="saboteurs", last_seat=2),
        "saboteurs cannot have won: cards are left",
    ),
    "gold cards": (lambda: with_part("gold_deck", 0, 3), "5 gold cards 3 instead of 4"),
    "gold of the past": (lambda: remembered(gold=[[0, 3]] * 4), "gold of seat 0 is [1], which is not what past tells"),
    "treasure open": (lambda: found(winner=None, last_seat=2), "the treasure is face up, but the miners have not won"),
    "treasure shut": (lambda: finished(winner="miners"), "the miners have won, but the treasure is face down"),
    "wrong winner": (lambda: finished(winner="nobody"), "the winner is nobody, but there is a saboteur at the table"),
    "choice after the end": (
        lambda: choosing_stone(winner="saboteurs"),
        "a goal is to be chosen, but the round has a winner",
    ),
    "no choice of a stone": (
        lambda: choosing_stone(options=choosing_stone()["options"] | {"stone": "joins"}),
        "goal 1 leaves no choice how it lies",
    ),
    "no choice of goals": (
        lambda: choosing_goal(options=choosing_goal()["options"] | {"goals": "all"}),
        "goals [0, 2] leave no choice which is revealed",
    ),
    "a choice of one": (
        lambda: choosing_goal(pending={"goals": [0], "before": [], "declined": []}),
        "goals [0] leave no choice which is revealed",
    ),
    "draft off": (
        lambda: drafting(options=drafting()["options"] | {"draft": False}),
        "gold is to be picked, but the draft is off",
    ),
    "draft too early": (lambda: drafting(winner=None), "gold is to be picked, but the miners have not won"),
    "saboteur picks": (lambda: drafting(seat=2), "seat 2 is to pick gold, but may not"),
    "empty offer": (
        lambda: drafting(pending={"gold": []}, gold_deck=sorted(GOLD)),
        "0 gold cards on offer; from 1 to 9 are possible",
    ),
    "long record": (long_record, "a record of 120 moves with up to"),
    "no move": (lambda: arranged(record=[[0, "dig"]]), "record[0]: 'dig' is no move"),
    "record and discards": (
        lambda: arranged(record=[[0, "discard:map"]]),
        "record tells that seat 0 laid down map, discards do not",
    ),
    "record and gold": (lambda: arranged(record=[[0, "take:1"]]), "record tells of 1 gold cards of seat 0, gold does"),
    "impossible move": (
        lambda: begun((0, "EW@5,0"), (1, "break:cart:2"), (2, "discard:xE")),
        "record[0]: EW@5,0 of seat 0 was not possible then",
    ),
    "pass with cards": (lambda: begun((0, "pass"), *BEGUN), "record[0]: pass of seat 0 was not possible then"),
    "out of turn": (
        lambda: begun(BEGUN[0], (0, "break:cart:2"), BEGUN[2]),
        "record[1]: break:cart:2 of seat 0 was not possible then",
    ),
    "another end": (
        lambda: begun((0, "EW@1,0"), (1, "break:lantern:2"), (2, "discard:xE")),
        "record leads to something else in broken",
    ),
    "another mine": (lambda: begun((0, "NESW@1,0"), *BEGUN[1:]), "record leads to something else in tunnels"),
    "cards used": (lambda: arranged(record=[[0, "map:0"]] * 6), "record tells of 6 cards used, but only 5 have left"),
    "tunnel told": (lambda: arranged(record=[[0, "NES@1,0"]]), "record tells of NES@1,0, which does not show any more"),
    "laid twice": (
        lambda: arranged(record=[[0, "EW@1,0"], [1, "EW@1,0"]]),
        "record: EW@1,0 cannot come after EW@1,0",
    ),
    "tool told": (lambda: arranged(record=[[0, "break:cart:3"]]), "record tells of break:cart:3, which does not show"),
    "repair told": (
        lambda: arranged(record=[[0, "repair:lantern:lantern:1"]]),
        "record tells of repair:lantern:lantern:1, which does not show any more",
    ),
    "cell told": (
        lambda: arranged(record=[[0, "EW@4,0"]]),
        "record: EW@4,0 of seat 0 names a cell where no tunnel can lie",
    ),
    "card told": (
        lambda: arranged(record=[[0, "rockfall@3,0"]]),
        "record tells of 1 cards 'rockfall' used, but 0 lie open",
    ),
    "map told": (lambda: arranged(record=[[1, "map:0"]]), "record tells of map:0 of seat 1, maps do not"),
    "pass told": (
        lambda: arranged(record=[[0, "pass"]]),
        "record tells of a pass of seat 0, but there are cards",
    ),
    "choice told": (lambda: arranged(record=[[0, "reveal:1"]]), "but this goal was not revealed so"),
    "turn told": (
        lambda: arranged(options=arranged()["options"] | {"stone": "joins"}, record=[[0, "turn:NE"]]),
        "record: turn:NE of seat 0, but nobody chooses how a stone lies",
    ),
    "own tool told": (
        lambda: arranged(options=arranged()["options"] | {"break_self": False}, record=[[1, "break:lantern:1"]]),
        "record: seat 1 breaks a tool of its own (break:lantern:1), which break_self forbids",
    ),
    "gold told": (lambda: arranged(record=[[0, "take:1"]]), "record tells of gold taken, but there is no draft"),
    "pending of two kinds": (
        lambda: arranged(pending={"stone": 0, "goals": 5, "before": [], "declined": []}),
        "pending must be null or an object with stone, before, declined or an object with goals",
    ),
    "short of a round to come": (
        lambda: arranged(short=[[3, 0, 1]]),
        "short tells of seat 0 in round 3, which is not over",
    ),
    "short twice": (lambda: finished(short=[[1, 1, 1]] * 2), "short tells of seat 1 in round 1 twice"),
    "short of a miner": (
        lambda: finished(short=[[1, finished()["roles"].index("miner"), 1]]),
        "in round 1, to which 1 nuggets were not due",
    ),
    "short in sum": (lambda: finished(short=[[1, 2, 1]]), "short tells of more nuggets of seat 2 than its shortfall"),
    "forgotten": (lambda: remembered() | {"forgotten": [9, 0, 0, 0]}, "forgotten of seat 0 is 9, which does not fit"),
    "past of this round": (lambda: told_twice(winner="nobody"), "past tells winner 'nobody' of this round"),
    "goal reached": (
        lambda: laid("NEW", [3, 0]),
        "goal 1 is reached and should long have been revealed",
    ),
    "goals not reached": (
        lambda: choosing_goal(pending={"goals": [0, 1], "before": [], "declined": []}),
        "goals [1, 2] are not those newly reached",
    ),
    "stone fits": (
        lambda: choosing_stone(goals=[goal | {"face": face} for goal, face in zip(
            choosing_stone()["goals"], ["stone:NE", "stone:NW", "treasure"], strict=True)]),
        "goal 1 fits its neighbours; nothing is to be chosen",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_named(name):
    make, message = FAULTS[name]
    text = fault(make())
    assert text.startswith("bad position: ")
    assert message in text


def test_several_faults_are_named_in_one_error():
    data = arranged(role_aside="saboteur", passes=2, last_seat=0)
    data["deck"][0] = "xN"
    data["broken"][1] *= 2
    text = fault(data)
    for part in ("role cards", "passes is 2", "last_seat is 0", "'xN'", "names one twice"):
        assert part in text


def test_several_faults_of_shape_are_named_in_one_error():
    data = arranged(seat="2", winner=7, hands={})
    del data["deck"]
    text = fault(data)
    for part in ("seat must be", "winner must be", "hands must be a list", "deck is missing"):
        assert part in text


def test_a_goal_reached_with_a_choice_that_is_open_is_noticed():
    mine = """
 ?
 |
 o
 |
-S-o-?
 |
 . .-o-
    """
    pending = {"stone": 1, "before": [[0, "S"]], "declined": []}
    told = {"before": [], "declined": []}
    for more, said in (
        (pending, "must be empty"),
        (pending | {"declined": [0]}, "must be empty"),
        (pending | told, "goal 0"),
    ):
        with pytest.raises(ValueError, match=said):
            position(mine, faces=["treasure", "stone:NE"], pending=more)


def test_from_a_goal_face_up_too_the_cards_left_may_not_lead_off_the_board():
    cells = {"goal_cells": [[27, 0], [30, 0], [28, 1]], "placement": "touching"}
    deck = {"deck": {"EW": 24, "NESW": 2, "map": 9}}
    data = data_of(Game(players=3, seed=1, options=cells | deck))
    data["goals"] = [
        {"face": "stone:NE", "open": False, "turned": False},
        {"face": "stone:NW", "open": True, "turned": True},
        {"face": "treasure", "open": False, "turned": False},
    ]
    assert "off the board" in fault(data | {"first_seat": 0, "seat": 0, "last_seat": 2})


def test_discards_of_one_seat_leave_room_for_those_to_come():
    data = arranged(first_seat=0)
    data["discards"] += [{"card": card, "by": 1} for card in data["deck"][:31]]
    data["deck"] = data["deck"][31:]
    assert "laid down 32 cards" in fault(data)


def test_a_record_leaves_room_for_the_draft():
    game = position(ROOM, {0: ["EW"]}, deck=[], players=10, faces=["stone:NE", "treasure"], options={"draft": True})
    data = data_of(played(game, "EW@3,0"))
    assert "a record of 122 moves" in fault(data | {"record": [[0, "pass"]] * 122})


def test_a_large_count_of_passes_can_still_grow():
    game = position(EMPTY, [["map", "NS"], ["map", "NS"], ["map", "NS"]], deck=[], passes=100)
    game.play("discard:map")
    assert Game.from_json(game.to_json()) == game


def test_no_more_can_be_short_than_was_due():
    shares = {"hands": [["map"]], "deck": [], "roles": ["saboteur", "miner", "miner"], "gold_deck": []}
    with pytest.raises(ValueError, match="shortfall of seat 0 is 1; 0 nuggets"):
        position(**shares, shortfall=[1, 0, 0], gold=[[], sorted(GOLD), []])
    game = position(**shares, gold=[[], sorted(GOLD), []])
    game.play("discard:map")
    assert data_of(game)["shortfall"] == [4, 0, 0]
    assert Game.from_json(game.to_json()) == game
