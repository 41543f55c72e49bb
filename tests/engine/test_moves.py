"""Move texts: one text for every move and one move for every text; what is no move says what was expected."""

import itertools

import pytest

from saboteur_env import Game, IllegalMove
from saboteur_env.engine.bitboard import ORIGIN, SIZE, cell_at, coord_of
from saboteur_env.engine.cards import HIDDEN, KIND_OF_ORIENTATION, KINDS, ORIENTATIONS, TOOLS
from saboteur_env.engine.moves import (
    BREAK,
    DISCARD,
    LAY,
    PASS,
    READ,
    REPAIR,
    REPAIRS,
    REVEAL,
    ROCK,
    TAKE,
    TURN,
    card_of,
    hidden,
    move,
    move_of,
    parse,
    seat_of,
    target_of,
    text_of,
    verb_of,
)
from saboteur_env.engine.state import MAX_GOALS, MAX_PLAYERS

CELLS = range(SIZE * SIZE)
SEATS, GOALS = range(MAX_PLAYERS), range(MAX_GOALS)
LAYS = [orientation for orientation in range(ORIENTATIONS) if KIND_OF_ORIENTATION[orientation] >= 0]
MENDS = [REPAIRS.index(card) + 8 * TOOLS.index(tool) for card in REPAIRS for tool in card.split("+")]
VOCABULARY = {
    LAY: itertools.product(LAYS, CELLS),
    BREAK: itertools.product(range(3), SEATS),
    REPAIR: itertools.product(MENDS, SEATS),
    ROCK: itertools.product([0], CELLS),
    READ: itertools.product([0], GOALS),
    DISCARD: itertools.product(range(len(KINDS)), [0]),
    PASS: [(0, 0)],
    TURN: itertools.product(range(1, 16), [0]),
    REVEAL: itertools.product([0], GOALS),
    TAKE: itertools.product([1, 2, 3], [0]),
}


@pytest.mark.parametrize("verb", VOCABULARY)
def test_every_move_has_one_text_and_every_text_one_move(verb):
    numbers = [move(verb, card, coord) for card, coord in VOCABULARY[verb]]
    texts = [text_of(number) for number in numbers]
    assert [parse(text) for text in texts] == numbers
    assert len(set(texts)) == len(texts)
    assert not any(character.isspace() for text in texts for character in text)


@pytest.mark.parametrize("verb", VOCABULARY)
@pytest.mark.parametrize("seat", [0, 9])
def test_a_number_says_verb_card_and_place(verb, seat):
    event = seat << 24 | move(verb, 31, 4095)
    assert (seat_of(event), verb_of(event), card_of(event), target_of(event)) == (seat, verb, 31, 4095)
    assert move_of(event) == move(verb, 31, 4095)


@pytest.mark.parametrize(
    ("text", "verb", "coord"),
    [
        ("SW@3,-1", LAY, cell_at(3, -1)),
        ("xNS@2,0", LAY, cell_at(2, 0)),
        ("break:lantern:2", BREAK, 2),
        ("repair:lantern:lantern:2", REPAIR, 2),
        ("repair:pickaxe+lantern:pickaxe:0", REPAIR, 0),
        ("rockfall@3,-1", ROCK, cell_at(3, -1)),
        ("map:1", READ, 1),
        ("discard:NES", DISCARD, 0),
        ("discard:xE", DISCARD, 0),
        ("discard:break:cart", DISCARD, 0),
        ("discard:repair:pickaxe+cart", DISCARD, 0),
        ("discard:rockfall", DISCARD, 0),
        ("discard:map", DISCARD, 0),
        ("pass", PASS, 0),
        ("turn:ES", TURN, 0),
        ("reveal:2", REVEAL, 2),
        ("take:3", TAKE, 0),
    ],
)
def test_the_moves_of_the_contract(text, verb, coord):
    assert (verb_of(parse(text)), target_of(parse(text))) == (verb, coord)
    assert text_of(parse(text)) == text


def test_what_the_others_see_of_a_move():
    assert text_of(hidden(parse("discard:NES"))) == "discard"
    assert hidden(parse("discard:NES")) == hidden(parse("discard:map")) == move(DISCARD, HIDDEN, 0)
    assert text_of(hidden(parse("take:3"))) == "take"
    for text in ("SW@3,-1", "break:lantern:2", "map:1", "rockfall@1,0", "pass", "turn:ES", "reveal:2"):
        assert hidden(parse(text)) == parse(text)


def test_the_cells_of_the_board():
    coords = [coord_of(cell) for cell in CELLS]
    assert [cell_at(*coord) for coord in coords] == list(CELLS)
    assert (min(coords), max(coords)) == ((-ORIGIN, -ORIGIN), (SIZE - 1 - ORIGIN, SIZE - 1 - ORIGIN))


WRONG = {
    "": "expected a card and a cell",
    " ": "expected a card and a cell",
    "NES": "expected a card and a cell",
    "dig": "expected a card and a cell",
    "dig:1": "expected a card and a cell",
    "NES@": "expected a cell as column,row",
    "NES@1": "expected a cell as column,row",
    "NES@1;0": "expected a cell as column,row",
    "NES@1,0,0": "expected a cell as column,row",
    "NES@1,0\n": "expected a cell as column,row",
    "NES@1, 0": "expected a cell as column,row",
    "NES@١,0": "expected a cell as column,row",
    "NES@1000,0": "expected a cell as column,row",
    "NES@33,0": "the cell 33,0 lies outside the board of 64 x 64",
    "NES@0,-32": "the cell 0,-32 lies outside the board of 64 x 64",
    "NES@01,0": "it would be written 'NES@1,0'",
    "NES@-0,1": "it would be written 'NES@0,1'",
    "SEN@1,0": "'SEN' is not the name of a path card",
    "nes@1,0": "'nes' is not the name of a path card",
    "NNE@1,0": "'NNE' is not the name of a path card",
    "xxN@1,0": "'xxN' is not the name of a path card",
    "x@1,0": "'x' is not the name of a path card",
    "@1,0": "'' is not the name of a path card",
    "N@1,0": "there is no path card 'N'",
    "W@1,0": "there is no path card 'W'",
    "map@1,0": "expected 1 part after the first colon, not 0",
    "break": "expected 2 parts after the first colon, not 0",
    "break:cart": "expected 2 parts after the first colon, not 1",
    "break:cart:1:1": "expected 2 parts after the first colon, not 3",
    "break:rope:1": "expected a tool (pickaxe, lantern, cart), not 'rope'",
    "break:cart:10": "expected a seat from 0 to 9, not '10'",
    "break:cart:-1": "expected a seat from 0 to 9, not '-1'",
    "break:cart:x": "expected a seat from 0 to 9, not 'x'",
    "repair:cart:1": "expected 3 parts after the first colon, not 2",
    "repair:rope:rope:1": "expected a repair card (pickaxe, lantern, cart, pickaxe+lantern",
    "repair:cart+pickaxe:cart:1": "expected a repair card",
    "repair:cart:rope:1": "expected a tool (pickaxe, lantern, cart), not 'rope'",
    "repair:cart:lantern:1": "a repair of cart does not mend a lantern",
    "repair:pickaxe+cart:lantern:1": "a repair of pickaxe+cart does not mend a lantern",
    "rockfall": "expected a cell as column,row after the @, not ''",
    "rockfall:1": "expected a cell as column,row after the @, not ''",
    "rockfall@33,33": "lies outside the board",
    "map": "expected 1 part after the first colon, not 0",
    "map:3": "expected a goal from 0 to 2, not '3'",
    "map:": "expected a goal from 0 to 2, not ''",
    "reveal:-1": "expected a goal from 0 to 2, not '-1'",
    "discard": "there is no card ''",
    "discard:SW": "there is no card 'SW' (a path card in the hand carries its upright name)",
    "discard:break": "there is no card 'break'",
    "pass:1": "it would be written 'pass'",
    "turn:xNE": "a stone is no dead end",
    "turn:EN": "'EN' is not the name of a path card",
    "turn": "expected 1 part after the first colon, not 0",
    "take": "expected 1 part after the first colon, not 0",
    "take:4": "expected a gold card (1, 2, 3), not '4'",
    "take:0": "expected a gold card (1, 2, 3), not '0'",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_text_that_is_no_move_says_what_was_expected(text):
    with pytest.raises(IllegalMove) as error:
        parse(text)
    assert str(error.value).startswith(f"{text!r} is no move: ")
    assert WRONG[text] in str(error.value)


@pytest.mark.parametrize("thing", [None, 7, 1.5, b"pass", ["pass"], {}, float("nan")])
def test_only_a_text_is_a_move(thing):
    with pytest.raises(IllegalMove, match="a move is a text"):
        Game(players=3, seed=1).play(thing)


def test_an_illegal_move_is_a_value_error():
    assert issubclass(IllegalMove, ValueError)
