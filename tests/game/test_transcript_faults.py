"""Transcripts are replayed, and what was tampered with is refused."""

import json

import pytest

from saboteur_env import Game
from tests.support.matches import NEAR, match
from tests.support.positions import data_of, load


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
