"""The doors of a game: what it tells of itself, chance, transcripts, settings, and why a move is refused."""

import json
import random
import subprocess
import sys
from collections import Counter
from math import comb

import pytest
from scipy.stats import chi2

from saboteur_env import Game, IllegalMove, game_seed
from saboteur_env.engine.cards import PRINTED_DECK
from saboteur_env.engine.editions import ROLE_TABLES
from tests.support.positions import EMPTY, data_of, load, played, position, refusal

NEAR = {"goal_cells": [[2, -1], [2, 0], [2, 1]]}


def match(seed, players=4, **more):
    """A whole match played at random."""
    game, chance = Game(players=players, seed=seed, **more), random.Random(seed)
    while not game.over:
        if game.round_over:
            game.next_round()
        moves = game.legal_moves()
        game.play(chance.choice([move for move in moves if "@" in move] or moves))
    return game


def finished_round(seed=1, rounds=3):
    game = Game(players=3, seed=seed, rounds=rounds)
    while not game.round_over:
        game.play(next(move for move in game.legal_moves() if move.startswith("discard")))
    return game


@pytest.mark.parametrize("players", range(3, 11))
def test_a_match_at_its_beginning(players):
    game = Game(players=players, seed=players)
    assert (game.round, game.round_over, game.over, game.winner) == (1, False, False, None)
    assert game.nuggets == [0] * players
    assert 0 <= game.seat < players
    assert str(game) == EMPTY.strip("\n")
    assert f"Game of {players}, edition lv, round 1 of 3, seat {game.seat} to move" in repr(game)


def test_seats_take_turns_clockwise_and_the_round_ends():
    game = Game(players=3, seed=1, options={"first_seat": 2})
    seats = []
    while not game.round_over:
        seats.append(game.seat)
        game.play(next(move for move in game.legal_moves() if move.startswith("discard")))
    assert seats == [(2 + turn) % 3 for turn in range(67)]
    assert (game.seat, game.legal_moves(), game.over) == (seats[-1], [], False)
    assert f"won by {game.winner}" in repr(game)


def test_the_next_round_is_dealt_only_after_one_is_over_and_not_after_the_last():
    game = Game(players=3, seed=1)
    with pytest.raises(ValueError, match="round 1 is not over yet"):
        game.next_round()
    game = finished_round()
    game.next_round()
    assert (game.round, game.round_over, game.winner) == (2, False, None)
    last = finished_round(rounds=1)
    before = last.copy()
    assert last.over
    with pytest.raises(ValueError, match="the match is over after 1 rounds"):
        last.next_round()
    assert last == before


def test_a_round_that_is_over_waits_for_its_draft():
    mine = """
 |
-S-. ?
 |
"""
    game = played(position(mine, [["EW"]], options={"draft": True}, rounds=1), "EW@1,0")
    assert (game.winner, game.round_over, game.over) == ("miners", False, False)
    while not game.round_over:
        game.play(game.legal_moves()[0])
    assert (game.winner, game.round_over, game.over) == ("miners", True, True)


@pytest.mark.parametrize("seed", range(6))
def test_legal_moves_are_in_plain_string_order_and_all_different(seed):
    game, chance = Game(players=5, edition="ru", seed=seed, options=NEAR), random.Random(seed)
    while not game.round_over:
        moves = game.legal_moves()
        assert moves == sorted(set(moves))
        assert moves == game.view(game.seat).legal_moves()
        game.play(chance.choice(moves))
    assert game.legal_moves() == []


def test_every_legal_move_can_be_played_and_a_copy_is_independent():
    game = Game(players=3, seed=3)
    for _ in range(12):
        before, text = game.copy(), game.transcript()
        for move in game.legal_moves():
            twin = played(game.copy(), move)
            assert twin != game
            assert game == before
        assert game.transcript() == text
        game.play(game.legal_moves()[0])


def test_a_copy_goes_its_own_way_into_the_next_round():
    game = finished_round()
    twin = game.copy()
    twin.next_round()
    twin.play(twin.legal_moves()[0])
    assert (game.round, twin.round) == (1, 2)
    assert Game.replay(game.transcript()) == game
    assert Game.replay(twin.transcript()) == twin


def test_games_are_compared_by_what_they_are():
    assert Game(players=3, seed=1) == Game(players=3, seed=1) != Game(players=3, seed=2)
    assert Game(players=3, seed=1) != Game(players=3, seed=1, edition="lt")
    assert Game(players=3, seed=1) != "a game"
    with pytest.raises(TypeError, match="unhashable"):
        hash(Game(players=3, seed=1))


@pytest.mark.parametrize("seat", [-1, 3, 10, 1.0, "0", None])
def test_there_is_no_view_of_a_seat_nobody_has(seat):
    with pytest.raises(ValueError, match="seats go from 0 to 2; there is no seat"):
        Game(players=3, seed=1).view(seat)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"players": 2}, "players must be a whole number from 3 to 10, not 2"),
        ({"players": 11}, "players must be a whole number from 3 to 10, not 11"),
        ({"players": 3.0}, "players must be a whole number from 3 to 10, not 3.0"),
        ({"players": True}, "players must be a whole number from 3 to 10, not True"),
        ({"edition": "en"}, "edition must be one of lv, lt, uk, ru, fa, not 'en'"),
        ({"edition": None}, "edition must be one of"),
        ({"edition": []}, "edition must be one of"),
        ({"rounds": 0}, "rounds must be a whole number from 1 to 10, not 0"),
        ({"rounds": 11}, "rounds must be a whole number from 1 to 10, not 11"),
        ({"seed": -1}, "a seed is a whole number from 0 below 2**64, not -1"),
        ({"seed": 2**64}, "a seed is a whole number from 0 below 2**64"),
        ({"seed": "7"}, "a seed is a whole number from 0 below 2**64, not '7'"),
        ({"seed": False}, "a seed is a whole number from 0 below 2**64, not False"),
        ({"options": 5}, "options"),
        ({"options": {"dwarfs": 7}}, "there is no option 'dwarfs'"),
        ({"options": {"placement": "near"}}, "option placement must be one of 'connected', 'touching', not 'near'"),
        ({"options": {"stone": 1}}, "option stone must be one of 'chooser', 'joins', not 1"),
        ({"options": {"goals": "two"}}, "option goals must be one of 'all', 'one'"),
        ({"options": {"end": "never"}}, "option end must be one of 'hands_empty', 'all_passed'"),
        ({"options": {"roles": "all"}}, "option roles must be one of 'aside', 'persian'"),
        ({"options": {"broken_no_gold": 1}}, "option broken_no_gold must be one of False, True, not 1"),
        ({"options": {"draft": "yes"}}, "option draft must be one of False, True, not 'yes'"),
        ({"options": {"break_self": None}}, "option break_self must be one of True, False, not None"),
        ({"options": {"first_seat": 5}}, "option first_seat must be a seat from 0 to 4, not 5"),
        ({"options": {"deck": 7}}, "option deck must give the copies of each card"),
        ({"options": {"deck": {"SW": 40}}}, "option deck: there is no card 'SW'"),
        ({"options": {"deck": {"NE": -1}}}, "option deck: copies of 'NE' must be a whole number from 0 to 96, not -1"),
        ({"options": {"deck": {"NE": 97}}}, "option deck: copies of 'NE' must be a whole number from 0 to 96, not 97"),
        ({"options": {"deck": {"map": 60, "NE": 37}}}, "option deck: 97 cards; from 1 to 96 are possible"),
        ({"options": {"deck": {}}}, "option deck: 0 cards; from 1 to 96 are possible"),
        ({"options": {"deck": {"NESW": 60}}}, "this deck could lead 62 cells away from the start; the board holds 29"),
        ({"options": {"role_table": [1, 4]}}, "option role_table must be of the form"),
        ({"options": {"role_table": {"saboteurs": 1}}}, "option role_table must be of the form"),
        ({"options": {"role_table": {"saboteurs": 1, "miners": 1}}}, "option role_table: 5 players need 5 role cards"),
        ({"options": {"role_table": {"saboteurs": 1, "miners": 6}}}, "option role_table: 5 players need 5 role cards"),
        ({"options": {"hand_size": 0}}, "option hand_size must be a whole number from 1, not 0"),
        ({"options": {"hand_size": 14}}, "hands of 14 for 5 players need 70 cards; the deck has 67"),
        ({"options": {"goal_cells": 8}}, "option goal_cells must be a list of [column, row], not 8"),
        ({"options": {"goal_cells": [[8]]}}, "option goal_cells must be a list of [column, row]"),
        ({"options": {"goal_cells": [["8", "0"]]}}, "option goal_cells must be a list of [column, row]"),
        ({"options": {"goal_cells": [[8.5, 0]]}}, "option goal_cells must be a list of [column, row]"),
        ({"options": {"goal_cells": [[float("inf"), 0]]}}, "option goal_cells must be a list of [column, row]"),
        ({"options": {"goal_cells": [[True, 2]]}}, "option goal_cells must be a list of [column, row]"),
        ({"options": {"goal_cells": []}}, "option goal_cells: from 1 to 3 goals are possible, not 0"),
        ({"options": {"goal_cells": [[8, row] for row in range(4)]}}, "from 1 to 3 goals are possible, not 4"),
        ({"options": {"goal_cells": [[8, 2], [8, 0]]}}, "must name different cells from north to south"),
        ({"options": {"goal_cells": [[8, 0], [8, 0]]}}, "must name different cells from north to south"),
        ({"options": {"goal_cells": [[0, 0]]}}, "has a goal on the start [0, 0] or next to it"),
        ({"options": {"goal_cells": [[0, 1]]}}, "has a goal on the start [0, 0] or next to it"),
        ({"options": {"goal_cells": [[31, 0]]}}, "leaves the board, 30 cells in every direction"),
        ({"options": {"goal_cells": [[25, 0]]}}, "lie farther than any tunnel of this deck can lead"),
    ],
)
def test_an_impossible_setting_is_named(settings, message):
    with pytest.raises(ValueError) as error:
        Game(**{"players": 5, "seed": 1} | settings)
    assert message in str(error.value)


def test_all_impossible_settings_are_named_at_once():
    with pytest.raises(ValueError) as error:
        Game(players=5, rounds=0, options={"draft": 7, "hand_size": 0, "dwarfs": 1, "deck": {"SW": 1}})
    for part in ("rounds", "option draft", "option hand_size", "no option 'dwarfs'", "no card 'SW'"):
        assert part in str(error.value)


def test_only_what_differs_from_the_edition_is_an_option():
    game = Game(players=5, edition="uk", seed=1, options={"placement": "touching", "draft": True, "hand_size": 6})
    assert data_of(game)["options"] == {"draft": True}


ELSEWHERE = """
from tests.game.test_game import match
print(match(17, players=6, edition="uk", options={"draft": True}).to_json())
"""


def test_the_same_seed_is_the_same_match_in_another_process():
    here = match(17, players=6, edition="uk", options={"draft": True}).to_json()
    run = subprocess.run([sys.executable, "-c", ELSEWHERE], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == here


def test_a_seed_is_drawn_where_none_is_given():
    assert Game(players=3) != Game(players=3)


@pytest.mark.parametrize("name", ["deck", "hands"])
def test_different_rounds_are_dealt_differently(name):
    game, dealt = Game(players=3, seed=5), []
    while True:
        dealt.append(str(data_of(game)[name]))
        while not game.round_over:
            game.play(next(move for move in game.legal_moves() if move.startswith("discard")))
        if game.over:
            break
        game.next_round()
    assert len(set(dealt)) == 3


def test_a_round_is_dealt_alike_however_the_one_before_was_played():
    quick, slow = match(9, rounds=2), Game(players=4, seed=9, rounds=2)
    while not slow.round_over:
        slow.play(slow.legal_moves()[-1])
    slow.next_round()
    first = json.loads(quick.transcript())["rounds"][1]["deal"]
    for name in ("roles", "role_aside", "hands", "deck", "goals"):
        assert data_of(slow)[name] == first[name]


def test_seeds_of_a_batch_are_all_different():
    seeds = {game_seed(seed, index, episode) for seed in range(5) for index in range(40) for episode in range(5)}
    assert len(seeds) == 1000
    assert all(0 <= seed < 2**64 for seed in seeds)
    assert game_seed(3, 7) == game_seed(3, 7, episode=0)
    assert Game(players=3, seed=game_seed(2**64 - 1, 0)).round == 1


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_of_a_batch_that_is_none_is_refused(seed):
    with pytest.raises(ValueError, match="seed must be a whole number"):
        game_seed(seed, 0)


@pytest.mark.parametrize("edition", ["lv", "uk", "ru"])
@pytest.mark.parametrize("draft", [False, True])
def test_a_transcript_is_replayed_to_the_same_end(edition, draft):
    game = match(4, edition=edition, options={"draft": draft} | NEAR)
    twin = Game.replay(game.transcript())
    assert twin == game
    assert twin.transcript() == game.transcript()
    assert Game.replay(game.transcript().encode()) == game


def test_a_transcript_begins_where_a_game_was_loaded():
    game = load(data_of(match(4, rounds=1)) | {"rounds": 2})
    game.next_round()
    game.play(game.legal_moves()[0])
    data = json.loads(game.transcript())
    assert [len(chapter["moves"]) for chapter in data["rounds"]] == [0, 1]
    assert Game.replay(game.transcript()) == game


def transcript():
    return json.loads(match(4).transcript())


def tampered(change):
    data = transcript()
    change(data)
    with pytest.raises(ValueError) as error:
        Game.replay(json.dumps(data))
    return str(error.value)


def other_seat(data):
    data["rounds"][1]["moves"][3][0] = (data["rounds"][1]["moves"][3][0] + 1) % 4


def other_move(data):
    data["rounds"][1]["moves"][3][1] = "NESW@9,9"


def no_move(data):
    data["rounds"][0]["moves"][0][1] = "dig"


def one_move_less(data):
    data["rounds"][2]["moves"].pop()


def one_move_more(data):
    data["rounds"][2]["moves"].append([0, "pass"])


def round_cut_short(data):
    data["rounds"][0]["moves"].pop()


def one_round_more(data):
    data["rounds"].append(data["rounds"][-1])


def other_deal(data):
    data["rounds"][1]["deal"]["deck"].reverse()


def other_chance(data):
    data["rounds"][0]["deal"]["chance"] = "12"


def other_end(data):
    data["end"]["nuggets"] = None
    data["end"]["gold"][0].append(1)


def bad_deal(data):
    data["rounds"][0]["deal"]["deck"].pop()


def no_rounds(data):
    data["rounds"] = []


def no_end(data):
    del data["end"]


def other_format(data):
    data["format"] = "saboteur-transcript/2"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (other_seat, "bad transcript: round 2, move 3: seat"),
        (other_move, "bad transcript: round 2, move 3: NESW@9,9 is not legal"),
        (no_move, "bad transcript: round 1, move 0: 'dig' is no move"),
        (one_move_less, "bad transcript: the end differs from what was played in"),
        (one_move_more, "bad transcript: round 3, move"),
        (round_cut_short, "bad transcript: round 2 cannot begin: round 1 is not over yet"),
        (one_round_more, "bad transcript: round 4 cannot begin: the match is over after 3 rounds"),
        (other_deal, "bad transcript: the deal of round 2 differs from what was played in deck"),
        (other_chance, "bad transcript: the deal of round 2 differs from what was played in"),
        (other_end, "bad transcript: the end differs from what was played in gold"),
        (bad_deal, "bad transcript: the deal of round 1 is a bad position: "),
        (no_rounds, "bad transcript: rounds is empty"),
        (no_end, "bad transcript: end is missing"),
        (other_format, "bad transcript: format must be 'saboteur-transcript/1'"),
    ],
)
def test_a_transcript_tampered_with_is_refused(change, message):
    assert message in tampered(change)


SABOTEURS = [(roles, players) for roles in ("aside", "persian") for players in range(3, 11)]


@pytest.mark.parametrize(("roles", "players"), SABOTEURS)
def test_roles_are_dealt_as_from_a_shuffled_pool(roles, players):
    saboteurs, miners = ROLE_TABLES[roles][players]
    games, seats, counts = 300, Counter(), Counter()
    for seed in range(games):
        data = data_of(Game(players=players, seed=seed, options={"roles": roles}))
        assert Counter([*data["roles"], data["role_aside"]])["saboteur"] == saboteurs
        at_table = [seat for seat, role in enumerate(data["roles"]) if role == "saboteur"]
        counts[len(at_table)] += 1
        seats.update(at_table)
    pool = saboteurs + miners
    expected = {
        number: games * comb(saboteurs, number) * comb(miners, players - number) / comb(pool, players)
        for number in range(saboteurs + 1)
        if 0 <= players - number <= miners
    }
    assert set(counts) <= set(expected)
    assert_like(counts, expected)
    assert_like(seats, dict.fromkeys(range(players), games * saboteurs / pool))


def assert_like(counts, expected):
    """Counts that chance would give: a chi-square that is passed but once in a million times."""
    distance = sum((counts[thing] - wanted) ** 2 / wanted for thing, wanted in expected.items())
    assert distance <= chi2.isf(1e-6, max(1, len(expected) - 1)), f"{dict(counts)} and not about {expected}"


ASIDE = {3: (1, 3), 4: (1, 4), 5: (2, 4), 6: (2, 5), 7: (3, 5), 8: (3, 6), 9: (3, 7), 10: (4, 7)}


@pytest.mark.parametrize(("players", "pool"), ASIDE.items())
def test_the_pool_of_roles_is_that_of_the_rules(players, pool):
    data = data_of(Game(players=players, seed=1))
    everybody = Counter([*data["roles"], data["role_aside"]])
    assert (everybody["saboteur"], everybody["miner"]) == pool


@pytest.mark.parametrize(
    ("players", "pool"), [(5, (2, 3)), (6, (2, 4)), (7, (3, 4)), (8, (3, 5)), (9, (3, 6)), (10, (4, 6))]
)
def test_the_persian_pool_leaves_nobody_aside(players, pool):
    data = data_of(Game(players=players, edition="fa", seed=1))
    everybody = Counter(data["roles"])
    assert (everybody["saboteur"], everybody["miner"], data["role_aside"]) == (*pool, None)


@pytest.mark.parametrize("players", [3, 5, 10])
def test_the_first_seat_is_drawn_evenly_or_as_set(players):
    seats = Counter(Game(players=players, seed=seed).seat for seed in range(600))
    assert_like(seats, dict.fromkeys(range(players), 600 / players))
    for seat in range(players):
        game = Game(players=players, seed=1, options={"first_seat": seat})
        assert (game.seat, data_of(game)["first_seat"]) == (seat, seat)


def test_the_treasure_and_the_first_card_are_dealt_evenly():
    goals, cards = Counter(), Counter()
    for seed in range(900):
        data = data_of(Game(players=3, seed=seed))
        goals[[goal["face"] for goal in data["goals"]].index("treasure")] += 1
        cards[data["deck"][0]] += 1
    assert_like(goals, dict.fromkeys(range(3), 300))
    assert_like(cards, {card: 900 * copies / 67 for card, copies in PRINTED_DECK.items()})


MINE = """
       ?
 |
-S-o-x-. . . .-o-
 |
       ?
"""
HAND = ["NESW", "EW", "NS", "rockfall", "map", "break:cart", "repair:cart"]


def in_the_mine(**more):
    return position(MINE, [HAND], options={"hand_size": len(HAND)}, broken={1: ["cart"]}, **more)


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("NESW@0,0", "NESW lies on that cell"),
        ("NESW@1,0", "EW lies on that cell"),
        ("NESW@3,-1", "a goal lies on that cell, face down"),
        ("EW@0,1", "its N side is shut, but NESW@0,0 is open there"),
        ("NESW@1,1", "its N side is open, but EW@1,0 is shut there"),
        ("NESW@9,9", "it meets no open side of a tunnel"),
        ("EW@1,1", "it meets no open side of a tunnel"),
        ("EW@3,0", "it meets open sides only where no unbroken way comes from the start"),
        ("EW@8,0", "it meets open sides only where no unbroken way comes from the start"),
        ("xN@0,1", "seat 0 does not hold xN"),
        ("SW@1,0", "seat 0 does not hold NE"),
        ("discard:xN", "seat 0 does not hold xN"),
        ("break:lantern:1", "seat 0 does not hold break:lantern"),
        ("break:cart:1", "the cart of seat 1 is broken already"),
        ("break:cart:3", "there is no seat 3; 3 dwarfs play"),
        ("repair:cart:cart:0", "the cart of seat 0 is not broken"),
        ("repair:cart:cart:9", "there is no seat 9; 3 dwarfs play"),
        ("repair:pickaxe+cart:cart:1", "seat 0 does not hold repair:pickaxe+cart"),
        ("rockfall@0,0", "rocks never fall on the start"),
        ("rockfall@3,1", "rocks never fall on a goal"),
        ("rockfall@5,0", "no path card lies on that cell"),
        ("map:2", "there is no goal 2; there are 2"),
        ("pass", "seat 0 holds 7 cards; only an empty hand passes"),
        ("turn:NE", "nothing is to be chosen now"),
        ("reveal:0", "nothing is to be chosen now"),
        ("take:1", "nothing is to be chosen now"),
    ],
)
def test_a_move_that_is_not_legal_says_why(move, reason):
    assert refusal(in_the_mine(), move) == f"{move} is not legal: {reason}"


@pytest.mark.parametrize(("tools", "words"), [(["cart"], "cart"), (["cart", "pickaxe"], "pickaxe and cart")])
def test_a_dwarf_with_broken_tools_is_told_so(tools, words):
    game = position(MINE, [["NESW"]], broken={0: tools})
    assert f"seat 0 lays no path card while its {words} is broken" in refusal(game, "NESW@0,1")


def test_breaking_ones_own_tool_can_be_switched_off():
    assert "break:cart:0" in position(hands=[["break:cart"]]).legal_moves()
    game = position(hands=[["break:cart"]], options={"break_self": False})
    assert "breaking one's own tool is switched off" in refusal(game, "break:cart:0")
    assert "break:cart:1" in game.legal_moves()


def test_a_goal_face_up_is_not_read():
    game = position(
        """
      -c
 |     |
-S-. . . . ?
 |
         ?
""",
        [["map"]],
        faces=["stone:NE"],
    )
    assert "goal 0 is face up" in refusal(game, "map:0")


def test_an_empty_hand_can_only_pass():
    game = position(hands=[[], ["map"], []], deck=[])
    for move in ("discard:map", "NESW@1,0", "map:0"):
        assert "seat 0 has an empty hand and can only pass" in refusal(game, move)


def test_a_choice_comes_first():
    mine = """
     ?
 |
-S-o-. . . ?
 |
     ?
"""
    game = played(position(mine, [["NES"]], edition="uk"), "NSW@2,0")
    for move in ("pass", "discard:map", "NESW@1,0", "turn:NE", "take:1", "reveal:1"):
        assert "seat 0 must first choose: reveal:0, reveal:2" in refusal(game, move)


def test_after_the_round_nothing_is_played():
    game = finished_round()
    for move in ("pass", "discard:map", "NESW@1,0"):
        assert refusal(game, move) == f"{move} is not legal: round 1 is over"
    with pytest.raises(IllegalMove):
        game.play("pass")


def test_a_text_that_is_no_move_leaves_the_game_as_it_was():
    assert "is no move" in refusal(Game(players=3, seed=1), "dig")
