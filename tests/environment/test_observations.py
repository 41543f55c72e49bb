"""Observations against the position."""

import hashlib
from collections import Counter

import numpy as np
import pytest

from saboteur_env.engine.cards import ACTIONS, KINDS, TOOLS, orientation_name
from saboteur_env.environment.actions import WINDOWS
from saboteur_env.environment.encoder import MINE_PLANES
from saboteur_env.environment.observations import OBSERVATION_VERSION, Observations
from saboteur_env.game.notation import draw_cells, parse_cells
from tests.support.observed import TWO_PIECES, drawn, known_faces, moments, of_kinds, seen
from tests.support.positions import data_of, load, position
from tests.twins.cards import as_cell, beside, open_sides
from tests.twins.oracle import Oracle

FACES = ("treasure", "stone:NE", "stone:NW")

# The sha256 of the observations of all seats in the drawn positions below, in the default form.
GOLDEN = {1: "859ddcfcc13d3d253ae18a42abad9c98919ced6a0ac76abdf4ed5000b81e9fcc"}


def test_the_positions_hold_what_they_should():
    pending = Counter(key for game in moments() for key in data_of(game)["pending"] or ["none"])
    assert min(pending[key] for key in ("none", "stone", "goals", "gold")) > 3, pending
    assert {game.winner for game in moments()} >= {None, "miners", "saboteurs"}


def settled(data):
    """The position without a stone that is still to be turned, whose cell is as good as face down."""
    stone = (data["pending"] or {}).get("stone")
    goals = [{**goal, "open": goal["open"] and number != stone} for number, goal in enumerate(data["goals"])]
    return {**data, "goals": goals}


def cells_of_planes(game, seat):
    """The cells marked in each plane, by the plane's name."""
    data, mine = data_of(game), game.view(seat).mine
    oracle = Oracle(settled(data))
    up = {(0, 0), *mine.tunnels, *(target for target, orientation in mine.goals.items() if orientation)}
    names = {target: orientation_name(mine.orientation(target)) for target in up}
    assert names == oracle.face_up()
    goals, faces = [tuple(target) for target in oracle.goal_cells], known_faces(data, seat)
    live = {(cell, side) for cell, name in names.items() for side in open_sides(name)}
    if oracle.rules["placement"] == "connected":
        live = oracle.ways()
    lays = [move for _, move in data["record"] if "@" in move]
    planes = {
        f"open to the {word}": {target for target in up if side in names[target]}
        for word, side in zip(("north", "east", "south", "west"), "NESW", strict=True)
    }
    return planes | {
        "dead end": {target for target in up if names[target].startswith("x")},
        "a way from the start": {cell for cell, _ in oracle.ways()},
        "start": {(0, 0)},
        "goal face down": {goals[i] for i, goal in enumerate(data["goals"]) if not goal["open"]},
        "treasure, face up or read by this seat": {goals[i] for i, face in enumerate(faces) if face == "treasure"},
        "stone, face up or read by this seat": {goals[i] for i, face in enumerate(faces) if face in FACES[1:]},
        "empty, and a card that fits may be laid here": {beside(cell, side) for cell, side in live} - up - set(goals),
        "where the last card was laid or taken": {as_cell(lays[-1].split("@")[1])} if lays else set(),
    }


def marked(plane, window):
    """The cells marked in one plane, as column and row."""
    west, _, north, _ = WINDOWS[window]
    return {(int(column) - west, int(row) - north) for row, column in np.argwhere(plane)}


def within(cells, window):
    west, east, north, south = WINDOWS[window]
    return {(x, y) for x, y in cells if -west <= x <= east and -north <= y <= south}


def lines_of_seats(game, private):
    """What is told of each dwarf, from the seat `own` clockwise."""
    data, players, view = data_of(game), game.rules.players, game.view(private)
    told = data["winner"] is not None
    lines = []
    for seat in [(private + target) % players for target in range(players)]:
        role = data["roles"][seat] if told or seat == private else None
        lines.append(
            [
                1,
                seat == data["seat"] and not game.round_over,
                seat == data["first_seat"],
                seat == data["last_seat"],
                *(tool in data["broken"][seat] for tool in TOOLS),
                len(data["hands"][seat]),
                sum(discard.get("by") == seat for discard in data["discards"]),
                *(goal in data["maps"][seat] for goal in range(3)),
                len(data["gold"][seat]),
                sum(data["gold"][seat]) if seat == private or game.over else 0,
                role == "miner",
                role == "saboteur",
                data["shortfall"][seat],
            ]
        )
    assert [line[7] for line in lines][-private or None :] == view.hand_sizes[: private or None]
    return lines + [[0] * 17 for _ in range(10 - players)]


def table_of(game, seat):
    """The state of the round, as a seat knows it."""
    data = data_of(game)
    pending = data["pending"] or {}
    choice = next((key for key in ("stone", "goals", "gold") if key in pending), None)
    to_choose = [pending["stone"]] if choice == "stone" else pending.get("goals", [])
    offer = pending.get("gold", []) if data["seat"] == seat else []
    return [
        *(len(data["deck"]), data["round"], data["rounds"], data["passes"], len(data["gold_deck"])),
        *(choice == name for name in (None, "stone", "goals", "gold")),
        *(goal in to_choose for goal in range(3)),
        *(goal in pending.get("declined", []) for goal in range(3)),
        *(data["winner"] == name for name in (None, "miners", "saboteurs", "nobody")),
        *(offer.count(value) for value in (1, 2, 3)),
    ]


def rules_of(game):
    rules = game.rules
    switches = [rules.placement == "touching", rules.stone == "joins", rules.goals == "one", rules.end == "all_passed"]
    switches += [rules.broken_no_gold, rules.draft, rules.break_self]
    return [rules.players, rules.hand_size, *rules.role_table, len(rules.goal_cells), *switches]


def goals_of(game, seat):
    data, cells = data_of(game), game.rules.goal_cells
    lines = [
        [1, goal["open"], *(face == name for name in FACES), number in data["maps"][seat], *cells[number]]
        for number, (goal, face) in enumerate(zip(data["goals"], known_faces(data, seat), strict=True))
    ]
    return lines + [[0] * 8 for _ in range(3 - len(lines))]


def expected(game, seat):
    """All arrays but the planes and the events, the slow way."""
    view, data = game.view(seat), data_of(game)
    return {
        "role": [view.role == "miner", view.role == "saboteur"],
        "hand": of_kinds(view.hand),
        "discarded": of_kinds(view.discards),
        "played": of_kinds(discard["card"] for discard in data["discards"] if "by" not in discard),
        "deck": list(game.rules.deck),
        "goals": goals_of(game, seat),
        "seats": lines_of_seats(game, seat),
        "table": table_of(game, seat),
        "rules": rules_of(game),
    }


@pytest.mark.parametrize("window", WINDOWS)
def test_the_planes_against_the_mine(window):
    for game in moments()[:: 1 if window == "printed" else 4]:
        for seat in {0, game.seat, game.rules.players - 1}:
            planes = dict(zip(MINE_PLANES, seen(game, seat, window, 0)["mine"], strict=True))
            for name, cells in cells_of_planes(game, seat).items():
                result, wanted = marked(planes.pop(name), window), within(cells, window)
                shown = [draw_cells(part, game.mine.goals) for part in (result, wanted)]
                assert result == wanted, f"{name} in\n{game}\nis\n{shown[0]}\nand not\n{shown[1]}"
            assert not planes


WAYS = """
 . . * . . . . . .

 s * * . . . . . .
"""

FACED = """
 . * . . . . . . . .

 * S . . * . . . . .

 . * . * . . . . . .
"""

FACED_TOUCHING = """
 . * . . . . . . . .

 * S . . * . . . * .

 . * . * . . * . . .
"""


@pytest.mark.parametrize(("edition", "faced"), [("lv", FACED), ("ru", FACED_TOUCHING)])
def test_ways_and_faced_cells_as_drawn(edition, faced):
    game = position(TWO_PIECES, edition=edition)
    planes = dict(zip(MINE_PLANES, seen(game, 0)["mine"], strict=True))
    assert marked(planes["a way from the start"], "medium") == parse_cells(WAYS)
    assert marked(planes["empty, and a card that fits may be laid here"], "medium") == parse_cells(faced)


def test_the_arrays_against_the_view():
    for game in moments():
        for seat in range(game.rules.players):
            arrays = seen(game, seat)
            for name, values in expected(game, seat).items():
                assert arrays[name].tolist() == np.array(values, int).tolist(), f"{name} of seat {seat}"


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("history", [0, 16, 128])
def test_an_observation_lies_in_its_space(window, history):
    watcher = Observations(window, history)
    space, flat_space = watcher.space(), watcher.flat_space()
    assert flat_space.shape == (watcher.bytes,)
    for game in moments()[:: 1 if window == "printed" else 7]:
        for seat in range(game.rules.players):
            flat = watcher.observe(game.view(seat))
            assert flat.dtype == np.int8
            assert flat_space.contains(flat)
            assert space.contains(watcher.split(flat))


def test_the_arrays_lie_in_the_flat_form_in_the_order_of_the_table():
    watcher = Observations()
    flat = watcher.observe(moments()[1].view(0))
    arrays = watcher.split(flat)
    assert list(arrays) == [name for name, *_ in watcher.table()] == [field.name for field in watcher.fields]
    assert np.concatenate([array.ravel() for array in arrays.values()]).tolist() == flat.tolist()
    batch = watcher.split(np.stack([flat, flat]))
    assert all(batch[name].shape == (2, *array.shape) for name, array in arrays.items())
    for (name, shape, span, meaning), field in zip(watcher.table(), watcher.fields, strict=True):
        assert (shape, span) == (" x ".join(map(str, arrays[name].shape)), f"{field.low} … {field.high}")
        assert field.meaning in meaning
        assert len(field.parts) in (0, *arrays[name].shape)


@pytest.mark.parametrize("window", [name for name in WINDOWS if name != "full"])
def test_windows_cut_the_same_planes(window):
    west, east, north, south = WINDOWS[window]
    for game in moments()[::3]:
        whole, part = seen(game, game.seat, "full"), seen(game, game.seat, window)
        cut = whole["mine"][:, 31 - north : 32 + south, 31 - west : 32 + east]
        assert part.pop("mine").tolist() == cut.tolist()
        assert all(array.tolist() == whole[name].tolist() for name, array in part.items())


def test_seats_nobody_has_are_zero():
    for game in moments():
        for seat in range(game.rules.players):
            assert not seen(game, seat)["seats"][game.rules.players :].any()


def turned_text(text, by, players):
    if not text.startswith(("break", "repair")):
        return text
    head, _, seat = text.rpartition(":")
    return f"{head}:{(int(seat) + by) % players}"


def rotated(game, by):
    """The same position with everybody `by` chairs further round the table."""
    data, players = data_of(game), game.rules.players
    for name in ("first_seat", "seat", "last_seat"):
        data[name] = (data[name] + by) % players
    for name in ("roles", "hands", "broken", "maps", "gold", "shortfall", "forgotten"):
        data[name] = data[name][-by:] + data[name][:-by]
    for discard in data["discards"]:
        if "by" in discard:
            discard["by"] = (discard["by"] + by) % players
    data["record"] = [[(seat + by) % players, turned_text(text, by, players)] for seat, text in data["record"]]
    for past in data["past"]:
        past["roles"] = past["roles"][-by:] + past["roles"][:-by]
        past["first_seat"], past["last_seat"] = ((past[name] + by) % players for name in ("first_seat", "last_seat"))
        past["gold"] = [[(seat + by) % players, value] for seat, value in past["gold"]]
    data["short"] = [[number, (seat + by) % players, nuggets] for number, seat, nuggets in data["short"]]
    return load(data)


def test_seats_are_counted_from_the_observing_one():
    watcher = Observations(history=128)
    for game in moments():
        players = game.rules.players
        for by in {1, players - 1, 2}:
            twin = rotated(game, by)
            for seat in range(players):
                here, there = watcher.observe(game.view(seat)), watcher.observe(twin.view((seat + by) % players))
                assert here.tolist() == there.tolist(), f"seat {seat} sits {by} chairs further"


def test_an_observation_is_an_array_of_its_own():
    game, watcher = moments()[0], Observations()
    first = watcher.observe(game.view(0))
    first[:] = 1
    assert watcher.observe(game.view(0)).tolist() != first.tolist()


def test_the_version_is_raised_when_the_encoding_changes():
    watcher, digest = Observations(), hashlib.sha256()
    for game in drawn():
        for seat in range(game.rules.players):
            digest.update(watcher.observe(game.view(seat)).tobytes())
    assert digest.hexdigest() == GOLDEN[OBSERVATION_VERSION], (
        f"version {OBSERVATION_VERSION}: the encoding changed: {digest.hexdigest()}"
    )


def test_the_kinds_of_cards_are_those_of_the_printed_table():
    assert tuple(ACTIONS) == KINDS[-len(ACTIONS) :]
    fields = {field.name: field.parts for field in Observations().fields}
    assert all(fields[name] == KINDS for name in ("hand", "discarded", "played", "deck"))
