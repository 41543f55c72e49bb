"""The board holds every mine: how far tunnels of the printed deck can reach, and how far they do (Rules 8)."""

import json
import random
from collections import Counter, deque

import pytest

from saboteur_env import Game
from saboteur_env.engine.bitboard import ORIGIN, REACH, SIZE
from saboteur_env.engine.cards import KIND_OF_ORIENTATION, KINDS, PRINTED_DECK, orientation_name
from saboteur_env.engine.editions import Rules, reach
from saboteur_env.game.notation import parse_map
from tests.engine.test_tunnels import joined
from tests.support.positions import assert_map, position
from tests.twins.oracle import Oracle

FIGURES = {
    "connected": {"east": 22, "west": 21, "north": 22, "south": 22},
    "touching": {"east": 26, "west": 25, "north": 27, "south": 27},
}
STEPS = {"east": (1, 0), "west": (-1, 0), "north": (0, -1), "south": (0, 1)}
FACES = ["stone:NE", "stone:NW", "treasure"]

EAST_CONNECTED = """
 . . . . . . . . ? . . . . . . . . . . . . .

 . . . . . . . . . . . . . . . . . . . . . .
 |                     |       |     | | |
-S-o-o . . . . . ? . o-o-o . o-o-o . o-o-o .
 |   |   | | | |   | | | | | | | | | | | |
 . . o-o-o-o-o-o-o-o-o . o-o-o . o-o-o . o-x
                           |     | | |   |
 . . . . . . . . ? . . . . . . . . . . . . .
"""
WEST_CONNECTED = """
 . . . . . . . . . . . . . . . . . . . . . . . . . . . . . ?
   | | | | | | |   | | |     |
 x-o-o-o-o-o-o-o . o-o-o . o-o-o . o-o-o . . . . . . . . . .
   | | | | |   | | |   | | |   |   |   |   |
 . . . . . . . o-o-o . o-o-o . o-o-o . o-o-S-. . . . . . . ?
               |   |                       |
 . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .

 . . . . . . . . . . . . . . . . . . . . . . . . . . . . . ?
"""
NORTH_CONNECTED = """
 . x . . . . . . .
   |
 .-o-. . . . . . .
   |
 .-o-. . . . . . .
   |
 .-o-. . . . . . .
   |
 .-o-. . . . . . .
   |
 .-o-. . . . . . .
   |
 . o-. . . . . . .
   |
 . o-. . . . . . .
   |
-o-o-. . . . . . .
 |
 o-. . . . . . . .
 |
-o-o . . . . . . .
   |
 . o-. . . . . . .
   |
-o-o-. . . . . . .
 |
 o-. . . . . . . .
 |
 o-o . . . . . . .
   |
 . o . . . . . . .
   |
 o-o . . . . . . .
 |
 o . . . . . . . .
 |
 o-o . . . . . . .
   |
 . o . . . . . . .
   |
 o-o . . . . . . ?
 |
 o . . . . . . . .
 |
-S-. . . . . . . ?
 |
 . . . . . . . . .

 . . . . . . . . ?
"""
EAST_TOUCHING = """
 . . . . . . . . ? . . . . . . . . . . . . . . . . . .
                           |     | | |   | | | | | |
 . . . . . . . . o-x-o . x-o-o . o-x-o . o-o-o-o-o-x-x
 |           | | |   | | |   | | |   | | | | | | | |
-S-o-o . o-o-o-o-c . o-o-o . x-o-o . x-o-o . . . . . .
 |   |   |                       |   | | |
 . . o-o-o . . . . . . . . . . . . . . . . . . . . . .

 . . . . . . . . ? . . . . . . . . . . . . . . . . . .
"""
WEST_TOUCHING = """
 . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . ?
                   | | |     |
 . . . . . . . . . o-o-o . x-o-x . o-x-o . o-o-o . . . . . . . . . .
   | | | | | | | | |   | | |   | | |   |   |   |   |
 x-x-o-o-o-o-o-x-o-o . o-o-o . o-o-o . o-o-o . o-o-S-. . . . . . . ?
   | | | | | |     |   |   |                       |
 . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .

 . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . ?
"""
SOUTH_TOUCHING = """
 . . . . . . . . . ?

 . . . . . . . . . .
   |
 .-S-. . . . . . . ?
   |
 . o . . . . . . . .
   |
 o-o . . . . . . . ?
 |
 o . . . . . . . . .
 |
 o-o . . . . . . . .
   |
 . o . . . . . . . .
   |
 o-o . . . . . . . .
 |
 o . . . . . . . . .
 |
 o-o . . . . . . . .
   |
 . x . . . . . . . .
   |
-o-x . . . . . . . .
 |
 o-. . . . . . . . .
 |
 o-x . . . . . . . .
   |
 . o-. . . . . . . .
   |
-o-o-. . . . . . . .
 |
 o-. . . . . . . . .
 |
-o-o-. . . . . . . .
   |
 . o-. . . . . . . .
   |
 . o-. . . . . . . .
   |
 . x-. . . . . . . .
   |
 .-o-. . . . . . . .
   |
 .-o-. . . . . . . .
   |
 .-o-. . . . . . . .
   |
 .-o-. . . . . . . .
   |
 .-o-. . . . . . . .
   |
 .-x-. . . . . . . .
   |
 . x . . . . . . . .
"""
# Drawing, placement, direction, how far it leads: the bound itself, or one less.
DUG = [
    (EAST_CONNECTED, "connected", "east", 21),
    (WEST_CONNECTED, "connected", "west", 21),
    (NORTH_CONNECTED, "connected", "north", 22),
    (EAST_TOUCHING, "touching", "east", 26),
    (WEST_TOUCHING, "touching", "west", 25),
    (SOUTH_TOUCHING, "touching", "south", 26),
]


def reach_of(rules):
    return reach(rules.deck, rules.goal_cells, rules.placement == "touching")


def distance(mine, direction):
    """How far the farthest path card lies in a direction."""
    east, south = STEPS[direction]
    return max(column * east + row * south for column, row in [(0, 0), *mine.tunnels])


def in_order(mine):
    """The path cards of a drawing, each after one that it is joined to; stones turn up by themselves."""
    cards = {
        (0, 0): 15,
        **mine.tunnels,
        **{coord: orientation for coord, orientation in mine.goals.items() if orientation},
    }
    order, waiting = [], deque([(0, 0)])
    while waiting:
        coord = waiting.popleft()
        order.append(coord)
        waiting.extend(sorted(joined(cards, coord) - set(order) - set(waiting)))
    return [(coord, mine.tunnels[coord]) for coord in order if coord in mine.tunnels]


def dealt(cards, placement):
    """A deal in which three seats lay these cards in turn, one after the other."""
    names = [KINDS[KIND_OF_ORIENTATION[orientation]] for _, orientation in cards]
    rest = Counter(PRINTED_DECK) - Counter(names)
    deck = names + list(rest.elements())
    hands = [deck[seat:18:3] for seat in range(3)]
    return position(hands=hands, deck=deck[18:], faces=FACES, options={"placement": placement})


@pytest.mark.parametrize("placement", FIGURES)
def test_the_printed_deck_reaches_as_far_as_the_rules_page_says(placement):
    assert reach_of(Rules.make(options={"placement": placement})) == FIGURES[placement]


@pytest.mark.parametrize("placement", FIGURES)
def test_the_board_holds_every_mine_of_the_printed_deck(placement):
    far = max(reach_of(Rules.make(options={"placement": placement})).values())
    assert far <= REACH
    assert ORIGIN - REACH - 1 >= 0, "a kernel looks one cell beyond the farthest card to the west and north"
    assert ORIGIN + REACH + 1 < SIZE, "and to the east and south"


@pytest.mark.parametrize(("drawing", "placement", "direction", "far"), DUG)
def test_long_tunnels_are_dug(drawing, placement, direction, far):
    mine = parse_map(drawing)
    cards = in_order(mine)
    game = dealt(cards, placement)
    for (column, row), orientation in cards:
        game.play(f"{orientation_name(orientation)}@{column},{row}")
        assert Game.from_json(game.to_json()) == game
    assert_map(game, drawing)
    assert distance(game.mine, direction) == far
    assert FIGURES[placement][direction] - far in (0, 1)


@pytest.mark.parametrize("direction", STEPS)
@pytest.mark.parametrize(
    "options",
    [
        {"placement": "connected"},
        {"placement": "touching"},
        {"placement": "touching", "goal_cells": [[2, -1], [3, 0], [4, 1]]},
        {"placement": "touching", "stone": "joins", "goal_cells": [[-1, -2], [2, 0], [0, 2]]},
    ],
)
def test_nobody_digs_farther(options, direction):
    rng = random.Random(direction)
    for seed in range(4):
        game = Game(players=3, seed=seed, options=options)
        bound = reach_of(game.rules)[direction]
        while not game.round_over:
            game.play(farthest(game, direction, rng))
        assert distance(game.mine, direction) <= bound


def farthest(game, direction, rng):
    """The move that digs farthest in a direction; where none digs, an action card goes first."""
    east, south = STEPS[direction]

    def preference(move):
        name, _, at = move.partition("@")
        if not at or name == "rockfall":
            return -99 + move.startswith(("discard:r", "discard:m", "discard:b")), rng.random()
        column, row = map(int, at.split(","))
        return column * east + row * south, rng.random()

    return max(game.legal_moves(), key=preference)


NEAR = [[2, 0]]
TOO_FAR = {
    "straights east": {"deck": {"EW": 40}},
    "straights north": {"deck": {"NS": 40}},
    "crosses": {"deck": {"NESW": 40}},
    "corners": {"deck": {"NE": 48, "NW": 48}},
    "a little of all": {"deck": {"EW": 15, "NEW": 10, "NE": 20, "map": 20}},
    "dead ends": {"deck": {"xEW": 40}, "goal_cells": NEAR, "placement": "touching"},
}


@pytest.mark.parametrize("name", TOO_FAR)
def test_decks_that_reach_too_far_are_refused(name):
    with pytest.raises(ValueError, match=r"this deck could lead \d+ cells away from the start; the board holds \d+"):
        Game(players=3, options=TOO_FAR[name])


def test_dead_ends_lead_nowhere_where_tunnels_must_be_connected():
    Game(players=3, options={**TOO_FAR["dead ends"], "placement": "connected"})


def longest_allowed(straight, **others):
    """The deck with the most of a straight card that is allowed."""
    for copies in range(REACH + 1, 0, -1):
        options = {"deck": {straight: copies, "map": 6, **others}, "placement": "touching"}
        try:
            Rules.make(3, options=options)
        except ValueError:
            continue
        return options
    raise AssertionError("no deck is allowed")


@pytest.mark.parametrize(("straight", "direction"), [("EW", "west"), ("NS", "north"), ("NS", "south"), ("EW", "east")])
def test_a_long_deck_is_dug_to_its_end_as_if_the_board_had_none(straight, direction):
    options = longest_allowed(straight)
    assert options["deck"][straight] > 24
    options |= {"goal_cells": [[2, 1]]}
    game = Game(players=3, seed=1, options=options)
    while not game.round_over:
        assert game.legal_moves() == Oracle(json.loads(game.to_json())).legal_moves()
        assert Game.from_json(game.to_json()) == game
        game.play(farthest(game, direction, random.Random(1)))
    assert distance(game.mine, direction) == options["deck"][straight]


def test_what_was_played_with_a_long_deck_is_read_again():
    for seed in range(100):
        game = Game(players=3, seed=seed, options=longest_allowed("EW", NES=1))
        if "NSW@1,0" in game.legal_moves():
            game.play("NSW@1,0")
            assert Game.from_json(game.to_json()) == game
            return
    raise AssertionError("the corner was never dealt to the first seat")


def test_goals_that_no_tunnel_can_reach_are_refused():
    with pytest.raises(ValueError, match=r"goal_cells \[\(25, 0\)\] lie farther than any tunnel"):
        Game(options={"goal_cells": [[25, 0]]})
