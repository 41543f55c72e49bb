"""The numbering of moves: two-way, the same for every seat and number of players, and pinned to its version."""

import hashlib
from contextlib import suppress
from itertools import product

import numpy as np
import pytest

from saboteur_env import Game, IllegalMove
from saboteur_env.engine.cards import KINDS, TOOLS
from saboteur_env.engine.moves import text_of
from saboteur_env.engine.state import MAX_PLAYERS
from saboteur_env.environment.actions import (
    ACTION_VERSION,
    DEFAULT_WINDOW,
    WINDOWS,
    Actions,
    action_of,
    legal_actions,
)
from saboteur_env.experiments.equilibrium.tree import build
from saboteur_env.mines import MINES
from tests.support.positions import position

TABLES = [(seat, players) for players in range(3, 11) for seat in range(players)]
MENDS = [f"{tool}:{tool}" for tool in TOOLS]
MENDS += [f"{one}+{two}:{tool}" for one, two in (TOOLS[:2], TOOLS[::2], TOOLS[1:]) for tool in (one, two)]

# The sha256 of the texts of all actions of seat 0 of 10 in the default window, a line each.
GOLDEN = {1: "cb2327dc023a0a8ed6d92c84ede5862e7c86b06e4e4414dd54172edd544fa2a5"}


def orientations_of(actions):
    """The order of the orientations, as the printed table of the numbering tells it."""
    return actions.table()[0][3].split("orientations: ")[1].split(";")[0].split(", ")


def cells_of(window):
    """The cells of a window, row by row from the north-west."""
    west, east, north, south = WINDOWS[window]
    return [f"{column},{row}" for row in range(-north, south + 1) for column in range(-west, east + 1)]


def seated(actions, players):
    """The actions after those of cells, without those at seats that do not exist."""
    first = actions.count - 161
    rest = range(first, actions.count)
    return [action for action in rest if action >= first + 120 or (action - first) % MAX_PLAYERS < players]


def texts_of(actions, seat, players):
    """The texts of all actions, worked out from the printed table; missing seats keep their place."""
    seats = [(seat + target) % players for target in range(players)] + list(range(players, MAX_PLAYERS))
    cells = cells_of(actions.window)
    return [
        *(f"{orientation}@{cell}" for orientation, cell in product(orientations_of(actions), cells)),
        *(f"rockfall@{cell}" for cell in cells),
        *(f"break:{tool}:{other}" for tool, other in product(TOOLS, seats)),
        *(f"repair:{mend}:{other}" for mend, other in product(MENDS, seats)),
        *(f"map:{goal}" for goal in range(3)),
        *(f"discard:{kind}" for kind in KINDS),
        "pass",
        *(f"turn:{sides}" for sides in ("NE", "SW", "NW", "ES")),
        *(f"reveal:{goal}" for goal in range(3)),
        *(f"take:{value}" for value in (1, 2, 3)),
    ]


@pytest.mark.parametrize("window", [name for name in WINDOWS if name != "full"])
def test_every_action_has_one_text_at_every_seat(window):
    actions = Actions(window)
    cells = len(cells_of(window)) * 27
    for seat, players in TABLES:
        texts = texts_of(actions, seat, players)
        assert len(texts) == actions.count
        part = range(actions.count) if players == MAX_PLAYERS else [*range(seat, cells, 29), *range(cells, len(texts))]
        assert [actions.text(action, seat, players) for action in part] == [texts[action] for action in part]


@pytest.mark.parametrize("window", [name for name in WINDOWS if name != "full"])
def test_every_text_has_one_action_at_every_seat(window):
    actions = Actions(window)
    cells = len(cells_of(window)) * 27
    texts = texts_of(actions, 0, 10)
    assert [actions.number(text, 0, 10) for text in texts] == list(range(actions.count))
    for seat, players in TABLES:
        texts = texts_of(actions, seat, players)
        part = [*range(seat, cells, 7), *seated(actions, players)]
        assert [actions.number(texts[action], seat, players) for action in part] == part


def test_a_sample_of_the_full_window():
    actions = Actions("full")
    assert actions.count == 27 * 64 * 64 + 161
    for seat, players in TABLES:
        for action in [*range(seat * 7 + players, actions.count - 161, 1009), *seated(actions, players)]:
            assert actions.number(actions.text(action, seat, players), seat, players) == action
    for seat in (0, 9):
        texts = texts_of(actions, seat, 10)
        part = range(0, actions.count, 13)
        assert [actions.text(action, seat, 10) for action in part] == [texts[action] for action in part]


def test_the_version_is_raised_when_the_numbering_changes():
    actions = Actions()
    texts = "\n".join(actions.text(action, 0, 10) for action in range(actions.count))
    digest = hashlib.sha256(texts.encode()).hexdigest()
    assert (DEFAULT_WINDOW, actions.count) == ("medium", 5426)
    assert digest == GOLDEN[ACTION_VERSION], f"version {ACTION_VERSION}: the numbering changed: {digest}"


@pytest.mark.parametrize("window", WINDOWS)
def test_the_ranges_of_the_table_lie_side_by_side(window):
    actions, following = Actions(window), 0
    for name, first, size, meaning in actions.table():
        assert (first, size > 0, bool(meaning)) == (following, True, True)
        names = {actions.text(action, 0, 10).replace("@", ":").split(":")[0] for action in (first, first + size - 1)}
        assert names == {name} or (name == "lay" and all(orientation.lstrip("x").isupper() for orientation in names))
        following = first + size
    assert following == actions.count
    assert actions.shape[0] * actions.shape[1] == len(cells_of(window))


@pytest.mark.parametrize("window", WINDOWS)
def test_cells_outside_the_window_have_no_action(window):
    actions = Actions(window)
    west, east, north, south = WINDOWS[window]
    for column, row in product((-west - 1, -west, 0, east, east + 1), (-north - 1, -north, 0, south, south + 1)):
        if max(column, row) <= 32 and min(column, row) >= -31:
            inside = -west <= column <= east and -north <= row <= south
            for card in ("NESW", "rockfall"):
                assert (actions.number(f"{card}@{column},{row}", 1, 4) >= 0) is inside


@pytest.mark.parametrize("text", ["turn:NS", "turn:NESW", "turn:EW", "turn:N", "turn:NES"])
def test_a_stone_never_lies_so_and_that_is_no_other_action(text):
    with suppress(IllegalMove):
        assert Actions().number(text, 0, 3) == -1


@pytest.mark.parametrize("text", ["break:cart:3", "break:cart:9", "repair:lantern:lantern:4"])
def test_a_seat_nobody_has_is_not_another_seat(text):
    actions = Actions()
    with suppress(IllegalMove):
        action = actions.number(text, 1, 3)
        assert action == -1 or actions.text(action, 1, 3) == text


@pytest.mark.parametrize("text", ["", "dig", "discard", "take", "turn:xNE", "NES@40,0", None, 7])
def test_a_text_that_is_no_move_is_refused(text):
    with pytest.raises(IllegalMove):
        Actions().number(text, 0, 3)


@pytest.mark.parametrize("action", [-1, 5426, 10**9, 2**70, np.int64(-1), 1.5])
def test_a_number_that_is_no_action_is_refused(action):
    with pytest.raises(ValueError, match="actions go from 0 to 5425; there is no action"):
        Actions().text(action, 0, 3)


def test_numpy_integers_are_numbers():
    assert Actions().text(np.int32(7), 0, 3) == Actions().text(7, 0, 3) == Actions().text(np.uint8(7), 0, 3)


def test_there_is_no_other_window():
    with pytest.raises(ValueError, match="window must be one of printed, mine, small, medium, large, full, not 'huge'"):
        Actions("huge")


WEST = """
 . . . . . . . . . . ?

 . . . . . . . . . . .
     |
-o-o-S-. . . . . . . ?
     |
 . . . . . . . . . . .

 . . . . . . . . . . ?
"""


@pytest.mark.parametrize(
    ("window", "lost"), [("printed", {"EW@-3,0", "rockfall@-1,0", "rockfall@-2,0"}), ("small", {"EW@-3,0"})]
)
def test_what_a_window_leaves_out(window, lost):
    game = position(WEST, [["EW", "rockfall"]], deck=[])
    legal, actions = game.view(0).legal_numbers(), Actions(window)
    kept = np.empty(len(legal), np.int32)
    count = legal_actions(legal, len(legal), 0, 3, actions.codecs[0], kept)
    assert set(game.legal_moves()) - {actions.text(action, 0, 3) for action in kept[:count]} == lost


@pytest.mark.parametrize("mine", MINES.values(), ids=MINES)
def test_the_window_of_small_mines_leaves_nothing_out(mine):
    tree, codec = build(mine.rules()), Actions("mine").codecs[0]
    moves = np.unique(tree.move[tree.edge >= 0]).tolist()
    assert any("@-" in text_of(number) for number in moves)  # some lie west of the start
    assert not [text_of(number) for number in moves if action_of(number, 0, mine.players, codec) < 0]


def test_the_number_of_actions_tells_the_window():
    assert len({Actions(window, talk).count for window in WINDOWS for talk in (False, True)}) == 2 * len(WINDOWS)


@pytest.mark.parametrize("players", [3, 10])
def test_an_action_means_the_same_from_every_seat(players):
    actions = Actions()
    for seat in range(players):
        game = Game(players=players, seed=seat, options={"first_seat": seat})
        private, next_one = f"break:cart:{seat}", f"break:cart:{(seat + 1) % players}"
        assert actions.number(private, game.seat, players) == actions.number("break:cart:0", 0, 10)
        assert actions.number(next_one, game.seat, players) == actions.number("break:cart:1", 0, 10)
