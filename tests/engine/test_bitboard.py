"""Words of bits and cells of the mine, against the slow and obvious."""

import random

import numpy as np
import pytest

from saboteur_env.engine.bitboard import (
    ORIGIN,
    REACH,
    SIZE,
    START,
    bit,
    cell_at,
    cells_of,
    coord_of,
    count,
    has,
    lowest,
    rows_of_coords,
)
from saboteur_env.game.notation import draw_cells, parse_cells

CORNER = """
 * . . * .

 * s . . .

 . . . . .

 . . . . *
"""


def words(seed, number=2000):
    """Random words, sparse and dense ones, and those at the edges."""
    rng = random.Random(seed)
    edges = [0, 1, 1 << 63, (1 << 64) - 1, (1 << 63) - 1, (1 << 64) - 2]
    sparse = [sum(1 << rng.randrange(64) for _ in range(rng.randrange(4))) & (1 << 64) - 1 for _ in range(number)]
    return edges + sparse + [rng.getrandbits(64) for _ in range(number)] + [1 << index for index in range(64)]


@pytest.mark.nojit
def test_counting_bits():
    for word in words(1):
        assert count(np.uint64(word)) == word.bit_count(), hex(word)


@pytest.mark.nojit
def test_the_lowest_bit():
    for word in words(2):
        if word:
            assert lowest(np.uint64(word)) == (word & -word).bit_length() - 1, hex(word)


@pytest.mark.nojit
@pytest.mark.parametrize("index", range(64))
def test_one_bit_is_set_and_found(index):
    assert int(bit(index)) == 1 << index
    assert [has(np.uint64(1 << index), other) for other in range(64)] == [int(other == index) for other in range(64)]


def test_cells_and_places_are_the_same_thing():
    coords = [(column, row) for row in range(-ORIGIN, SIZE - ORIGIN) for column in range(-ORIGIN, SIZE - ORIGIN)]
    assert [cell_at(*coord) for coord in coords] == list(range(SIZE * SIZE))
    assert [coord_of(cell) for cell in range(SIZE * SIZE)] == coords


def test_rows_grow_to_the_south_and_columns_to_the_east():
    assert coord_of(START) == (0, 0)
    assert cell_at(1, 0) - START == 1
    assert cell_at(0, 1) - START == SIZE


def test_one_cell_beyond_the_reach_is_on_the_board():
    for coord in [(REACH + 1, 0), (-REACH - 1, 0), (0, REACH + 1), (0, -REACH - 1)]:
        assert coord_of(cell_at(*coord)) == coord


def test_a_set_of_cells_is_drawn_and_kept_in_words():
    coords = parse_cells(CORNER)
    assert coords == {(-1, -1), (2, -1), (-1, 0), (0, 0), (3, 2)}
    kept = cells_of(rows_of_coords(coords))
    assert kept == coords, f"{draw_cells(kept)}\nand not\n{draw_cells(coords)}"


@pytest.mark.parametrize("seed", range(20))
def test_any_set_of_cells_is_kept_in_words(seed):
    rng = random.Random(seed)
    cells = rng.sample(range(SIZE * SIZE), rng.randrange(200))
    coords = {coord_of(cell) for cell in cells}
    rows = rows_of_coords(coords)
    assert rows.dtype == np.uint64
    assert sum(count(row) for row in rows) == len(coords)
    assert cells_of(rows) == coords
