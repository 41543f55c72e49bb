import random

import pytest

from saboteur_env.text import read_answer, read_beliefs, split_message
from saboteur_env.text.answers import NAMED

LEGAL = ["NES@1,0", "NES@1,-1", "discard:NES", "discard:xE", "map:1", "repair:pickaxe+lantern:pickaxe:0"]


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("NES@1,0", "NES@1,0"),
        (" `map:1`\n", "map:1"),
        ("3", "discard:NES"),
        ("#2.", "NES@1,-1"),
        ('{"move": "map:1"}', "map:1"),
        ('```json\n{"move": 5}\n```', "map:1"),
        ("I will play NES@1,-1.", "NES@1,-1"),
        ("move 4 looks best", "discard:xE"),
        ("**Answer: 4**", "discard:xE"),
        ('Not NES@1,0, rather:\n```json\n{\n  "move": 5\n}\n```', "map:1"),
        ("NES@1,0 or map:1? The latter.\nmap:1", "map:1"),
        ("I mend: repair:pickaxe+lantern:pickaxe:0, of course", "repair:pickaxe+lantern:pickaxe:0"),
        ("NES@1,0, yes NES@1,0!", "NES@1,0"),
    ],
)
def test_a_move_is_read(text, move):
    assert read_answer(text, LEGAL).move == move


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        ("hm", "No move"),
        ("NES@1,0 or map:1", "more than one"),
        ("move 4, or else move 5", "more than one"),
        ('{"move": "map:1"} or {"move": 1}, I cannot say', "more than one"),
        ("xNES@1,0", "not one of your moves"),
        ("NES@1,01", "not one of your moves"),
        ("map:12", "not one of your moves"),
        ("not NES@9,9 but map:1", "more than one"),
        ("7", "not one of your moves"),
        ("0", "not one of your moves"),
        ('{"move": true}', "No move"),
        ('{"move": "NES@5,5"}', "not one of your moves"),
        ("9" * 9999, "No move"),
        ("I am sure, 100 %", "No move"),
        ("pass", "No move"),
    ],
)
def test_what_names_no_single_legal_move_is_asked_again(text, why):
    move, told = read_answer(text, LEGAL)
    assert move is None
    assert why in told


def test_fuzzed_answers_never_play_what_they_do_not_name():
    chance, read = random.Random(0), 0
    pieces = [
        *LEGAL,
        "map:",
        "@",
        "1",
        "3",
        "-1",
        ",",
        " ",
        "\n",
        '{"move": ',
        "}",
        '"',
        "move ",
        "xE",
        "é",
        "\x00",
        "٣",
    ]
    for _ in range(10_000):
        text = "".join(chance.choices(pieces, k=chance.randrange(1, 9)))
        move = read_answer(text, LEGAL).move
        if move is not None:
            read += 1
            assert move in LEGAL
            assert move in text or str(LEGAL.index(move) + 1) in text, (text, move)
    assert read > 500
    assert NAMED.findall(" ".join(LEGAL)) == LEGAL


@pytest.mark.parametrize(
    ("text", "said", "move"),
    [
        ("say: I trust 2.\nmap:1", "I trust 2.", "map:1"),
        ("I think.\n**Say:** break it: NES@1,0!\n\n5", "break it: NES@1,0!", "map:1"),
        ('{"say": "not NES@1,0 {but} map:1", "move": 3}', "not NES@1,0 {but} map:1", "discard:NES"),
        ('Hm.\n```json\n{"move": 5, "say": "one\\ntwo"}\n```', "one two", "map:1"),
        ("say: one\nsay: two\nmap:1", "one two", "map:1"),
        ("I say: nothing. map:1", "", "map:1"),
        ('{"say": 5, "move": 5}', "", "map:1"),
        ("say: map:1", "map:1", None),
        ('{"say": "map:1"}', "map:1", None),
    ],
)
def test_a_message_is_taken_out_before_the_move_is_read(text, said, move):
    rest, message = split_message(text)
    assert (message, read_answer(rest, LEGAL).move) == (said, move)


def test_beliefs_are_read_whole_or_not_at_all():
    assert read_beliefs('I think\n{"0": 0.2, "2": 1}', 3, 1) == [0.2, None, 1.0]
    for text in ("", "{}", '{"0": 0.2}', '{"0": 0.2, "2": 1.5}', '{"0": true, "2": 0}', '{"0": NaN, "2": 0}'):
        assert read_beliefs(text, 3, 1) is None
