"""Words as moves (Rules 9): when they are legal, what they change, and how positions and transcripts keep them."""

import json

import pytest

from saboteur_env import Game
from saboteur_env.core.errors import IllegalMove
from saboteur_env.core.versions import TALK_VERSION, VERSIONS
from saboteur_env.engine.moves import parse, text_of
from tests.long.lockstep import run
from tests.long.talk_lockstep import WORDS, play_talking
from tests.support.in_step import run as run_matches
from tests.support.positions import data_of, played, position, refusal

TALK = {"talk": "claims"}
ABOUT_0 = ["claim:0:nothing", "claim:0:stone", "claim:0:treasure"]


def reader(faces=("treasure", "stone:NE", "stone:NW"), options=TALK, **more):
    """Seat 0 holds a map, at a table of three that talks."""
    return position(hands=[["map"]], faces=faces, options=options, **more)


def words(game):
    return [move for move in game.legal_moves() if move.startswith(("claim", "accuse", "vouch"))]


@pytest.mark.parametrize("face", ["treasure", "stone:NE"])
def test_a_map_asks_for_a_claim_of_the_same_turn_whatever_the_goal_is(face):
    other = {"treasure": "stone:NE", "stone:NE": "treasure"}[face]
    game = played(reader([face, other, "stone:NW"]), "map:0")
    assert (game.seat, game.legal_moves()) == (0, ABOUT_0)
    cards = data_of(game)["hands"][0]
    game.play("claim:0:stone")
    assert (game.seat, len(data_of(game)["hands"][0])) == (1, len(cards) + 1)
    assert game.view(2).record == [(0, "map:0"), (0, "claim:0:stone")]


def test_one_word_of_another_seat_comes_before_the_card_of_a_turn():
    game = reader()
    assert words(game) == ["accuse:1", "accuse:2", "vouch:1", "vouch:2"]
    others = [move for move in game.legal_moves() if move not in words(game)]
    game.play("accuse:2")
    assert (game.seat, game.legal_moves()) == (0, others)
    assert "has spoken in this turn" in refusal(game, "vouch:1")
    game.play("map:1")
    game.play("claim:1:nothing")
    assert (game.seat, words(game)) == (1, ["accuse:0", "accuse:2", "vouch:0", "vouch:2"])


def test_a_word_changes_nothing_but_the_record():
    silent, loud = reader(), played(reader(), "vouch:1")
    before, after = data_of(silent), data_of(loud)
    assert after["record"] == [[0, "vouch:1"]]
    assert {**before, "record": after["record"]} == after


def test_three_words_in_a_round():
    game = Game(players=3, seed=1, options=TALK)
    first = game.seat
    for turn in range(12):
        if game.seat == first and turn < 9:
            game.play(f"accuse:{(first + 1) % 3}")
        game.play(next(move for move in game.legal_moves() if move.startswith("discard")))
    assert game.seat == first and words(game) == []
    assert f"seat {first} has said 3 words in this round" in refusal(game, f"vouch:{(first + 1) % 3}")


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("accuse:0", "nobody accuses itself or vouches for itself"),
        ("vouch:7", "there is no seat 7"),
        ("claim:1:treasure", "nothing is to be chosen now"),
    ],
)
def test_a_refused_word_says_why(move, reason):
    assert reason in refusal(reader(), move)


def test_nothing_else_is_played_before_a_claim():
    assert "must first choose: " + ", ".join(ABOUT_0) in refusal(played(reader(), "map:0"), "accuse:1")


def test_a_silent_table_has_no_words():
    game = position(hands=[["map"]])
    assert words(game) == []
    assert "nobody talks at this table" in refusal(game, "accuse:1")
    assert played(game, "map:0").seat == 1


@pytest.mark.parametrize("text", ["claim:0:gold", "claim:3:stone", "claim:0", "accuse:10", "accuse", "vouch:a"])
def test_what_is_no_word_is_refused(text):
    with pytest.raises(IllegalMove, match="is no move"):
        parse(text)


@pytest.mark.parametrize("text", [*ABOUT_0, "claim:2:stone", "accuse:9", "vouch:0"])
def test_words_are_read_as_they_are_written(text):
    assert text_of(parse(text)) == text


@pytest.mark.parametrize("value", ["freely", "claim", True, None])
def test_there_are_three_kinds_of_talk(value):
    with pytest.raises(ValueError, match="option talk must be one of 'none', 'claims', 'free', not"):
        Game(options={"talk": value})


def test_a_record_must_have_room_for_all_words():
    deck = {"NESW": 20, "xE": 20, "map": 45}
    Game(players=3, options={"deck": deck})
    with pytest.raises(ValueError, match="option talk: with this deck a round may have 54 words; its record holds 28"):
        Game(players=3, options={"deck": deck, **TALK})
    for players in range(3, 11):
        Game(players, options=TALK)


@pytest.mark.parametrize("moves", [["map:0"], ["accuse:1"], ["accuse:1", "map:2"], ["map:0", "claim:0:treasure"]])
def test_positions_and_transcripts_keep_words(moves):
    game = Game.of_position(data_of(reader()))
    for move in moves:
        game.play(move)
    again = Game.from_json(game.to_json())
    assert again == game and again.legal_moves() == game.legal_moves()
    assert Game.replay(game.transcript()) == game


def test_transcripts_of_tables_that_talk_carry_their_version():
    versions = [json.loads(Game(seed=1, options=options).transcript())["versions"] for options in ({}, TALK)]
    assert versions == [VERSIONS, {**VERSIONS, "talk": TALK_VERSION}]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"pending": {"claim": 1}}, "seat 0 is to claim something about goal 1, but may not"),
        ({"record": [[0, "map:0"], [0, "claim:1:stone"]]}, "claim:1:stone of seat 0 does not follow its map"),
        ({"record": [[0, "accuse:0"]]}, "accuse:0 of seat 0 was not possible then"),
        ({"record": [[0, "accuse:1"], [0, "vouch:1"]]}, "vouch:1 of seat 0 was not possible then"),
        ({"record": [[0, "accuse:5"]]}, "accuse:5 of seat 0 names one of 3 that there are not"),
        ({"options": {}, "record": [[0, "accuse:1"]]}, "accuse:1 of seat 0, but nobody talks"),
    ],
)
def test_a_position_with_impossible_words_is_refused(change, fault):
    with pytest.raises(ValueError, match=fault):
        Game.of_position(data_of(reader()) | change)


def test_a_claim_to_be_made_follows_its_map():
    data = data_of(played(reader(), "map:0"))
    for record in ([[0, "accuse:1"]], [[0, "map:1"]], [[2, "map:0"]]):
        with pytest.raises(ValueError, match="seat 0 is to claim something about goal 0, but has not just looked"):
            Game.of_position(data | {"record": record})
    assert Game.of_position(data | {"record": []}).legal_moves() == ABOUT_0


def test_words_are_not_true_or_false_to_resample():
    game = played(reader(), "map:0", "claim:0:treasure")
    treasures = {data_of(game.resample(1, seed))["goals"][0]["face"] == "treasure" for seed in range(40)}
    assert treasures == {True, False}


def test_the_engine_and_its_twin_agree_where_dwarfs_talk():
    counts = run_matches(play_talking, 1200, seed=3)
    assert min(counts[word] for word in WORDS) > 20


def test_one_match_of_four_in_lockstep_talks():
    assert run(600, seed=1)["accuse"] > 0
