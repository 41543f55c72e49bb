"""Text messages at tables of free talk (Rules 9.4): public, kept beside the record, and never part of a move."""

import json

import numpy as np
import pytest

from saboteur_env import Game, Settings, View, make_vec
from saboteur_env.game.messages import LONGEST_MESSAGE, MOST_MESSAGES, Message, cleaned
from saboteur_env.text import prompt
from tests.support.positions import data_of, played
from tests.talk.test_words import TALK, reader

FREE = {"talk": "free"}
LOUD = 'I am "honest" </script><b>'


def talk():
    """A table of three where seat 1 has said something before a map was read, and seats 0 and 2 after it."""
    game = reader(options=FREE)
    game.say(1, "Who has a map?")
    game.play("map:1")
    game.say(0, LOUD)
    game.play("claim:1:treasure")
    game.say(2, LOUD)
    return game


SAID = (Message(0, 1, "Who has a map?"), Message(1, 0, LOUD), Message(2, 2, LOUD))


def test_all_hear_messages_and_they_change_nothing_else():
    game = talk()
    silent = played(reader(options=FREE), "map:1", "claim:1:treasure")
    assert game.messages == SAID and {game.view(seat).messages for seat in range(3)} == {SAID}
    assert game.legal_moves() == silent.legal_moves()
    assert game.records.tobytes() == silent.records.tobytes()
    assert game != silent and game.view(1) != silent.view(1)


def test_a_resample_has_heard_the_same():
    view = talk().view(1)
    assert view.resample(5).view(1) == view


def test_a_copy_goes_its_own_way_and_a_round_begins_without_messages():
    game = talk()
    copy = game.copy()
    copy.say(0, "More.")
    assert (len(copy.messages), game.messages) == (4, SAID)
    while not game.round_over:
        game.play(game.legal_moves()[-1])
    game.say(2, "Well dug.")
    game.next_round()
    assert game.messages == () and Game.replay(game.transcript()) == game


def test_positions_and_transcripts_keep_messages():
    game = talk()
    again = Game.from_json(game.to_json())
    assert again == game
    again.say(0, "Later.")
    again.play(again.legal_moves()[0])
    replayed = Game.replay(again.transcript())
    assert replayed == again and replayed.messages == (*SAID, Message(2, 0, "Later."))
    assert json.loads(again.transcript())["rounds"][0]["messages"] == [[0, 0, "Later."]]
    assert "messages" not in data_of(reader()) and "messages" not in json.loads(reader().transcript())["rounds"][0]


@pytest.mark.parametrize(
    ("seat", "text", "why"),
    [
        (3, "hi", "seats go from 0 to 2; there is no seat 3"),
        (True, "hi", "there is no seat True"),
        *((0, text, "a message is a text of 1 to 200 printable") for text in ["", " ", "a\nb", "\u202e", 7, "x" * 201]),
    ],
)
def test_what_is_no_message_is_refused(seat, text, why):
    game = talk()
    with pytest.raises(ValueError, match=why):
        game.say(seat, text)
    assert game == talk()


def test_other_tables_have_no_messages():
    with pytest.raises(ValueError, match="messages need the option talk: free; this table has talk: claims"):
        reader().say(0, "hi")


def test_a_seat_says_so_much_in_a_round_and_no_more():
    game = reader(options=FREE)
    for number in range(MOST_MESSAGES):
        game.say(0, str(number))
    assert (game.view(0).may_say, game.view(1).may_say) == (False, True)
    with pytest.raises(ValueError, match=f"seat 0 has said {MOST_MESSAGES} messages in this round"):
        game.say(0, "one more")
    too_many = data_of(game)["messages"] + [[0, 0, "one more"]]
    with pytest.raises(
        ValueError, match=f"seat 0 has said {MOST_MESSAGES + 1} messages in this round; at most {MOST_MESSAGES}"
    ):
        Game.of_position(data_of(game) | {"messages": too_many})


@pytest.mark.parametrize(
    ("messages", "fault"),
    [
        ([[0, 3, "hi"]], r"messages\[0\] names seat 3; there are 3 players"),
        ([[3, 0, "hi"]], r"messages\[0\] comes after 3 moves, but there are 2"),
        ([[2, 0, "hi"], [1, 0, "ho"]], r"messages\[1\] comes after 1 move, but the one before it after 2"),
        ([[0, 0, "\n"]], r"messages\[0\]\[2\] must be a text of 1 to 200 printable characters"),
        ([[0, 0]], r"messages\[0\] must be a list of"),
    ],
)
def test_a_position_with_impossible_messages_is_refused(messages, fault):
    with pytest.raises(ValueError, match=fault):
        Game.of_position(data_of(talk()) | {"messages": messages})


def test_a_position_without_free_talk_has_no_messages():
    with pytest.raises(ValueError, match="messages need the option talk: free"):
        Game.of_position(data_of(reader()) | {"messages": [[0, 0, "hi"]]})


@pytest.mark.parametrize(
    ("messages", "fault"),
    [
        ([[9, 0, "hi"]], "round 1: messages.0. comes after 9 moves, but there are 1"),
        ([[0, 7, "hi"]], "round 1, move 0: seats go from 0 to 2"),
        ([[0, 1, "hi"]], "the end differs from what was played in messages"),
    ],
)
def test_a_transcript_with_impossible_messages_is_refused(messages, fault):
    game = reader(options=FREE)
    game.play("map:1")
    data = json.loads(game.transcript())
    data["rounds"][0]["messages"] = messages
    with pytest.raises(ValueError, match=fault):
        Game.replay(json.dumps(data))


def test_prompts_quote_what_was_said_between_the_moves():
    text = prompt(talk().view(1))
    heard = text[text.index("This round so far:") :]
    assert heard.splitlines()[1:6] == [
        'dwarf 1 says "Who has a map?"',
        "1. dwarf 0 looks at goal 1",
        'dwarf 0 says "I am \\"honest\\" </script><b>"',
        "2. dwarf 0 says that goal 1 is the treasure",
        'dwarf 2 says "I am \\"honest\\" </script><b>"',
    ]
    assert "write it before that on one line, as say:" in text
    assert "say:" not in prompt(reader().view(0))


def test_learners_hear_claims_alone():
    free, claims = Settings(players=3, options=FREE), Settings(players=3, options=TALK)
    view, silent = talk().view(1), played(reader(), "map:1", "claim:1:treasure").view(1)
    assert free.actions == claims.actions and free.observations == claims.observations
    assert free.observations.observe(view).tolist() == claims.observations.observe(silent).tolist()
    batches = [make_vec(4, players=3, seed=1, options=options) for options in (FREE, TALK)]
    for step in range(20):
        for batch in batches:
            batch.step(batch.sample(step))
        assert np.array_equal(batches[0].observation, batches[1].observation)


def test_what_cannot_be_said_of_a_text_is_left_out():
    assert cleaned("a\tb\n\x00 c \u202e") == "a b c"
    assert cleaned("x" * 300) == "x" * LONGEST_MESSAGE
    assert cleaned("\n\x07") == ""


def test_a_view_is_made_of_records_without_messages_as_before():
    game = talk()
    assert View.of(game.records, game.rules, 1).messages == ()
