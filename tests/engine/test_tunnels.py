"""Where cards may lie and what is joined to the start: words of bits against a slow look at every cell."""

import random

import numpy as np
import pytest

from saboteur_env.engine import tunnels
from saboteur_env.engine.bitboard import ORIGIN, START, cell_at, cells_of, coord_of
from saboteur_env.engine.cards import (
    ALL_SIDES,
    DEAD,
    DEAD_ENDS,
    KIND_OF_ORIENTATION,
    KINDS,
    ORIENTATIONS,
    PATH_KINDS,
    THROUGH,
    orientation_name,
)
from saboteur_env.engine.state import BLOCKED, CONNECTED, PLANES
from saboteur_env.game.notation import Map, draw_cells, parse_cells, parse_map
from tests.support.positions import cells_for, position

SIDES = {(0, -1): (1, 4), (1, 0): (2, 8), (0, 1): (4, 1), (-1, 0): (8, 2)}  # step: side here, side there
ALL_LIES = [orientation for orientation in range(ORIENTATIONS) if KIND_OF_ORIENTATION[orientation] >= 0]


def beside(coord, step):
    return coord[0] + step[0], coord[1] + step[1]


def near(cards, coord):
    """For each side of a place with a face-up card beside it, whether that card is open towards it."""
    return {
        here: bool(cards[beside(coord, step)] & there)
        for step, (here, there) in SIDES.items()
        if cards.get(beside(coord, step))
    }


def joined(cards, coord):
    """The places beside this one where open meets open."""
    return {
        beside(coord, step)
        for step, (here, there) in SIDES.items()
        if cards[coord] & here and cards.get(beside(coord, step), 0) & there
    }


def ways(cards):
    """The places that an unbroken way leads over, step by step: no dead ends, no goals face down."""
    result, waiting = set(), [(0, 0)]
    while waiting:
        coord = waiting.pop()
        if coord in result or not cards.get(coord) or cards[coord] & DEAD:
            continue
        result.add(coord)
        waiting.extend(joined(cards, coord))
    return result


def may_lie(cards, coord, orientation, live):
    """Rules 3.1 for an empty place: every neighbour matches, and one open side meets a live one."""
    matches = all(bool(orientation & side) == is_open for side, is_open in near(cards, coord).items())
    return matches and bool(joined({**cards, coord: orientation}, coord) & live)


def allowed(mine, touching):
    """For each lie the places where a card may lie so, tried one by one."""
    cards = {(0, 0): ALL_SIDES, **mine.tunnels, **mine.goals}
    live = set(cards) if touching else ways(cards)
    around = {beside(coord, step) for coord in cards for step in SIDES} - set(cards)
    return {
        orientation: {coord for coord in around if may_lie(cards, coord, orientation, live)} for orientation in ALL_LIES
    }


OPENING = """
 . . . . . . . . ?

 . . . . . . . . .
 |
-S-. . . . . . . ?
 |
 . . . . . . . . .

 . . . . . . . . ?
"""
LOOP = """
 . . . . ?
     |
 o-o-o-.
 |   |
-S-o-o-x . ?
 |   |
 o-x-o . .
 |   |
 . . . . ?
"""
CUT_OFF = """
 . . . o-o ?
       | |
 . . . o-o-.
 |     |
-S-o-. o-x-. ?
 |     |
 . . x-o . .
       |
 . . . . . ?
"""
DEAD_ENDS_EVERYWHERE = """
 . . . . ?
 |
-x-x x-. .
 | |
-S-o-x-. ?
 |   |
 x . x . .
     |
 . . . . ?
"""
STONE_THAT_FITS_NOWHERE = """
 . . . . . ?

 . . . o-o-.
 |     |
-S-o-o-o!c-.
 |       |
 . . . . . .

 . . . . . ?
"""
GOALS_SIDE_BY_SIDE = """
 . . ? ? .
 |
-S-o-o-. ?
 |   |
 . . . . .
"""
MINES = {
    "opening": OPENING, "loop": LOOP, "cut off": CUT_OFF, "dead ends": DEAD_ENDS_EVERYWHERE,
    "stone": STONE_THAT_FITS_NOWHERE, "goals": GOALS_SIDE_BY_SIDE,
}  # fmt: skip
# A hand with one card of each kind, so that every lie can be asked for, and cards enough for the drawings.
ALL_KINDS = {
    "hand_size": PATH_KINDS,
    "deck": {"map": 30, **dict.fromkeys((*THROUGH, *DEAD_ENDS), 2), "EW": 4, "NES": 4, "NESW": 3},
}


def test_there_are_26_lies():
    assert len(ALL_LIES) == 26


@pytest.mark.nojit
@pytest.mark.parametrize("placement", ["connected", "touching"])
@pytest.mark.parametrize("name", MINES)
def test_every_lie_may_lie_where_a_slow_look_says(name, placement):
    game = position(MINES[name], [KINDS[:PATH_KINDS]], options={**ALL_KINDS, "placement": placement})
    for orientation, wanted in allowed(game.mine, placement == "touching").items():
        result = cells_for(game, orientation_name(orientation))
        shown = [draw_cells(coords, game.mine.goals) for coords in (result, wanted)]
        assert result == wanted, (
            f"in\n{game}\n{orientation_name(orientation)} may lie on\n{shown[0]}\nand not on\n{shown[1]}"
        )


def test_the_slow_look_itself():
    wanted = """
 . . . . . .

 . . . . . .

 s * . . . .

 . . . . . .

 . . . . . .
"""
    mine = parse_map(CUT_OFF)
    result = ways({(0, 0): ALL_SIDES, **mine.tunnels, **mine.goals})
    assert result == parse_cells(wanted), draw_cells(result, mine.goals)


class Diggings:
    """A mine in words beside the same mine as a dictionary, small enough for loops to close."""

    def __init__(self, rng):
        self.rng = rng
        self.words = np.zeros((64, PLANES), np.uint64)
        self.cards = {(0, 0): ALL_SIDES}
        self.goals = set(rng.sample([(2, -1), (2, 0), (3, 1), (-2, 2), (0, -3)], 3))
        self.low = self.high = ORIGIN
        for goal in self.goals:
            row, column = divmod(cell_at(*goal), 64)
            self.words[row, BLOCKED] |= np.uint64(1 << column)
        tunnels.put(self.words, START, ALL_SIDES)
        tunnels.survey(self.words, self.low, self.high)

    def dig(self):
        """Lay a random card that matches, or a stone that may clash, near the others; sometimes rocks fall."""
        if len(self.cards) > 3 and self.rng.random() < 0.25:
            return self.take_up(self.rng.choice([coord for coord in self.cards if coord != (0, 0)]))
        around = {beside(coord, step) for coord in self.cards for step in SIDES} - set(self.cards)
        coord = self.rng.choice(sorted(around))
        orientations = [3, 6, 9, 12] if coord in self.goals else self.matching(coord)
        if orientations and max(map(abs, coord)) <= 3:
            self.put(coord, self.rng.choice(orientations))

    def matching(self, coord):
        sides = near(self.cards, coord)
        return [
            orientation
            for orientation in ALL_LIES
            if all(bool(orientation & side) == is_open for side, is_open in sides.items())
        ]

    def put(self, coord, orientation):
        self.cards[coord] = orientation
        cell = cell_at(*coord)
        self.low, self.high = min(self.low, cell >> 6), max(self.high, cell >> 6)
        tunnels.put(self.words, cell, orientation)
        tunnels.join(self.words, cell, orientation, self.low, self.high)

    def take_up(self, coord):
        if coord not in self.goals:
            del self.cards[coord]
            tunnels.take_up(self.words, cell_at(*coord))
            tunnels.survey(self.words, self.low, self.high)

    def map(self):
        """The mine as a drawing."""
        laid = {
            coord: orientation
            for coord, orientation in self.cards.items()
            if coord not in self.goals and coord != (0, 0)
        }
        return Map(laid, {goal: self.cards.get(goal, 0) for goal in self.goals})


def check_ways(mine):
    result, wanted = cells_of(mine.words[:, CONNECTED]), ways(mine.cards)
    shown = [draw_cells(coords, mine.cards) for coords in (result, wanted)]
    assert result == wanted, f"in\n{mine.map()}\na way leads to\n{shown[0]}\nand not to\n{shown[1]}"


def check_sides(mine):
    """What the kernels say of every place near the cards."""
    live = ways(mine.cards)
    for coord in {beside(coord, step) for coord in mine.cards for step in SIDES} | set(mine.cards):
        sides = near(mine.cards, coord)
        shown = sum(side if is_open else side << 4 for side, is_open in sides.items())
        joined = {step for step in SIDES if beside(coord, step) in live}
        reached = sum(SIDES[step][0] for step in joined if sides[SIDES[step][0]])
        cell = cell_at(*coord)
        assert tunnels.contacts(mine.words, cell) == shown, f"{coord} in\n{mine.map()}"
        assert tunnels.reached_sides(mine.words, cell) == reached, f"{coord} in\n{mine.map()}"
        assert tunnels.orientation_at(mine.words, cell) == mine.cards.get(coord, 0), f"{coord} in\n{mine.map()}"


def check_fronts(mine):
    """The empty places that an open side faces, of a way and of any card."""
    live = ways(mine.cards)
    for touching, faced_by in ((0, live), (1, set(mine.cards))):
        rows = np.array([0] + [tunnels.fronts(mine.words, row, touching) for row in range(1, 63)] + [0], np.uint64)
        wanted = {
            beside(coord, step) for coord in faced_by for step, (here, _) in SIDES.items() if mine.cards[coord] & here
        }
        wanted -= set(mine.cards) | mine.goals
        result = cells_of(rows)
        assert result == wanted, f"in\n{mine.map()}\n{draw_cells(result)}\nand not\n{draw_cells(wanted)}"


@pytest.mark.parametrize("seed", range(40))
def test_ways_in_random_mines_through_rockfalls_and_repairs(seed):
    rng = random.Random(seed)
    for _ in range(10):
        mine = Diggings(rng)
        for _ in range(rng.randrange(10, 60)):
            mine.dig()
            check_ways(mine)
        check_sides(mine)
        check_fronts(mine)


@pytest.mark.nojit
def test_ways_in_a_few_random_mines():
    rng = random.Random(0)
    for _ in range(6):
        mine = Diggings(rng)
        for _ in range(30):
            mine.dig()
            check_ways(mine)
        check_sides(mine)
        check_fronts(mine)


def test_random_mines_have_loops_cuts_and_repairs():
    seen, rng = set(), random.Random(1)
    for _ in range(60):
        mine = Diggings(rng)
        for _ in range(50):
            before = ways(mine.cards)
            mine.dig()
            now = ways(mine.cards)
            seen |= {"cut"} if len(before - now) > 1 else set()
            seen |= {"repaired"} if len(now - before) > 1 else set()
            joints = sum(len(joined(mine.cards, coord) & now) for coord in now) // 2
            seen |= {"loop"} if joints >= len(now) else set()
    assert seen == {"cut", "repaired", "loop"}


def test_an_empty_mine_is_the_start_alone():
    mine = Diggings(random.Random(0))
    assert cells_of(mine.words[:, CONNECTED]) == {(0, 0)}
    assert coord_of(START) == (0, 0)
