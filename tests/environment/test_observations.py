"""Every array of an observation against values worked out the slow way, and nothing in it that the seat cannot know."""

import hashlib
import json
import random
from collections import Counter
from functools import cache
from itertools import chain

import numpy as np
import pytest

from saboteur_env import Game
from saboteur_env.engine.cards import ACTIONS, KINDS, PAIRS, TOOLS, lie_name
from saboteur_env.environment.actions import WINDOWS
from saboteur_env.environment.fields import MINE_PLANES
from saboteur_env.environment.observations import OBSERVATION_VERSION, Observations
from saboteur_env.game.notation import draw_cells, parse_cells
from tests.support.positions import data_of, load, played, position
from tests.twins.oracle import Oracle, as_cell, beside, open_sides

VERBS = ("lay", "break", "repair", "rockfall", "map", "discard", "pass", "turn", "reveal", "take")
FACES = ("treasure", "stone:NE", "stone:NW")
REPAIRS = TOOLS + PAIRS
UP = {lie_name(lie): lie for lie in range(1, 32) if lie != 16}
NEAR = {"goal_cells": [[1, -1], [2, 0], [1, 1]]}
SETTINGS = [
    {"players": 3},
    {"players": 10, "edition": "lt"},
    {"players": 3, "edition": "uk", "options": NEAR},
    {"players": 4, "edition": "ru", "options": NEAR},
    {"players": 5, "edition": "fa", "options": {"broken_no_gold": True, "draft": True} | NEAR},
    {"players": 6, "options": {"draft": True, "break_self": False} | NEAR},
    {"players": 7, "options": {"goal_cells": [[2, 0]], "hand_size": 2}},
    {"players": 8, "edition": "uk", "options": {"goal_cells": [[2, -1], [2, 0], [2, 1]], "draft": True}},
    {"players": 9, "options": {"goal_cells": [[-2, 0], [2, 0]]}},
]

# The sha256 of the observations of all seats in the drawn positions below, in the default form.
GOLDEN = {1: "859ddcfcc13d3d253ae18a42abad9c98919ced6a0ac76abdf4ed5000b81e9fcc"}

TWO_PIECES = """
 . . . . . . . . ?

 . . o-x . . . . .
 |   |
-S-o-o-. . o-o-. ?
 |   |     |
 . . . . . . . . .

 . . . . . . . . ?
"""
REVEALED = """
 . . . . . . . . ?

 . . . . . . . . .
 | |           |
-S-o-o-o-o-o-o-o-c
 |     |   |     |
 . . . . . . . . .

 . . . . . . . . ?
"""


@cache
def drawn():
    """Positions as drawn, which no change of dealing can alter."""
    return (
        position(),
        position(TWO_PIECES, [["rockfall", "NES"]], broken=[[], ["cart", "lantern"]], maps=[[1], [0, 2], []]),
        position(TWO_PIECES, edition="ru", players=10, seat=4, discards=["xN", ("map", 3), ("NES", 3), ("xNS", 9)]),
        position(REVEALED, players=5, seat=2, roles=["saboteur", "miner", "miner", "saboteur", "miner"]),
        played(position(TWO_PIECES, [["rockfall", "NE"], ["break:cart"]]), "rockfall@2,0", "break:cart:2"),
    )


@cache
def moments():
    """Games from all over a few matches, those in which a choice is to be made among them."""
    chance, found = random.Random(0), []
    for number, setting in enumerate(SETTINGS * 7):
        game = Game(seed=number, rounds=2, **setting)
        while not game.over:
            if game.round_over:
                game.next_round()
            moves = game.legal_moves()
            game.play(chance.choice([move for move in moves if "@" in move] or moves))
            choosing = any(move.startswith(("turn", "reveal")) for move in game.legal_moves())
            if chance.random() < (0.15 if game.winner else 0.015) or choosing:
                found.append(game.copy())
    return (*drawn(), *found)


def test_the_positions_hold_what_they_should():
    pending = Counter(key for game in moments() for key in data_of(game)["pending"] or ["none"])
    assert min(pending[key] for key in ("none", "stone", "goals", "gold")) > 3, pending
    assert {game.winner for game in moments()} >= {None, "miners", "saboteurs"}


def settled(data):
    """The position without a stone that is still to be turned, whose cell is as good as face down."""
    stone = (data["pending"] or {}).get("stone")
    goals = [{**goal, "open": goal["open"] and number != stone} for number, goal in enumerate(data["goals"])]
    return {**data, "goals": goals}


def known_faces(data, seat):
    """What each goal shows to a seat, None where it does not know."""
    read = data["maps"][seat]
    return [goal["face"] if goal["open"] or number in read else None for number, goal in enumerate(data["goals"])]


def cells_of_planes(game, seat):
    """The cells marked in each plane, by the plane's name."""
    data, mine = data_of(game), game.view(seat).mine
    oracle = Oracle(settled(data))
    up = {(0, 0), *mine.tunnels, *(place for place, lie in mine.goals.items() if lie)}
    names = {place: lie_name(mine.lie(place)) for place in up}
    assert names == oracle.face_up()
    goals, faces = [tuple(place) for place in oracle.goal_cells], known_faces(data, seat)
    live = {(cell, side) for cell, name in names.items() for side in open_sides(name)}
    if oracle.rules["placement"] == "connected":
        live = oracle.ways()
    lays = [move for _, move in data["record"] if "@" in move]
    planes = {
        f"open to the {word}": {place for place in up if side in names[place]}
        for word, side in zip(("north", "east", "south", "west"), "NESW", strict=True)
    }
    return planes | {
        "dead end": {place for place in up if names[place].startswith("x")},
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


def line_of(seat, text, own, players):
    """An event as it is shown to the seat `own`."""
    line = dict.fromkeys(("seat", "move", "card", "tool", "column", "row", "target"), 0)
    word, _, rest = text.partition("@") if "@" in text else text.partition(":")
    name = word if word in VERBS else "lay"
    line |= {"seat": (seat - own) % players + 1, "move": VERBS.index(name) + 1}
    parts = rest.split(":")
    if name in ("lay", "rockfall"):
        line["column"], line["row"] = as_cell(rest)
        line["card"] = UP[word] if name == "lay" else 0
    elif name in ("break", "repair"):
        line["card"] = REPAIRS.index(parts[0]) if name == "repair" else 0
        line |= {"tool": TOOLS.index(parts[-2]) + 1, "target": (int(parts[-1]) - own) % players + 1}
    elif name in ("map", "reveal"):
        line["target"] = int(rest) + 1
    elif name == "discard":
        line["card"] = KINDS.index(rest) if rest else 31
    elif name == "take":
        line["card"] = int(rest or 0)
    elif name == "turn":
        line["card"] = UP[rest]
    return list(line.values())


def lines_of_seats(game, own):
    """What is told of each dwarf, from the seat `own` clockwise."""
    data, players, view = data_of(game), game.rules.players, game.view(own)
    told = data["winner"] is not None
    lines = []
    for seat in [(own + place) % players for place in range(players)]:
        role = data["roles"][seat] if told or seat == own else None
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
                sum(data["gold"][seat]) if seat == own or game.over else 0,
                role == "miner",
                role == "saboteur",
                data["shortfall"][seat],
            ]
        )
    assert [line[7] for line in lines][-own or None :] == view.hand_sizes[: own or None]
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


def of_kinds(cards):
    counts = Counter(cards)
    return [counts[kind] for kind in KINDS]


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


def seen(game, seat, window="medium", history=16):
    watcher = Observations(window, history)
    return watcher.split(watcher.observe(game.view(seat)))


@pytest.mark.parametrize("window", WINDOWS)
def test_the_planes_against_the_mine(window):
    for game in moments():
        for seat in {0, game.seat, game.rules.players - 1}:
            planes = dict(zip(MINE_PLANES, seen(game, seat, window, 0)["mine"], strict=True))
            for name, cells in cells_of_planes(game, seat).items():
                found, wanted = marked(planes.pop(name), window), within(cells, window)
                shown = [draw_cells(part, game.mine.goals) for part in (found, wanted)]
                assert found == wanted, f"{name} in\n{game}\nis\n{shown[0]}\nand not\n{shown[1]}"
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


@pytest.mark.parametrize("history", [1, 16, 128])
def test_the_events_against_the_record(history):
    for game in moments():
        for seat in range(game.rules.players):
            record = game.view(seat).record[::-1][:history]
            lines = [line_of(other, text, seat, game.rules.players) for other, text in record]
            events = seen(game, seat, history=history)["events"]
            assert events.tolist() == lines + [[0] * 7] * (history - len(lines))


def test_no_history_is_no_array():
    arrays = seen(moments()[-1], 0, history=0)
    assert "events" not in arrays
    assert "events" not in Observations(history=0).space().spaces
    assert arrays["hand"].tolist() == seen(moments()[-1], 0)["hand"].tolist()


def text_of_line(line):
    """The move of an event, read back from the array alone."""
    card, tool, column, row, target = line[2:]
    at = f"{column},{row}"
    return {
        "lay": lambda: f"{lie_name(card)}@{at}",
        "break": lambda: f"break:{TOOLS[tool - 1]}",
        "repair": lambda: f"repair:{REPAIRS[card]}:{TOOLS[tool - 1]}",
        "rockfall": lambda: f"rockfall@{at}",
        "map": lambda: f"map:{target - 1}",
        "turn": lambda: f"turn:{lie_name(card)}",
        "discard": lambda: "discard" if card == 31 else f"discard:{KINDS[card]}",
        "take": lambda: f"take:{card}" if card else "take",
        "reveal": lambda: f"reveal:{target - 1}",
    }.get(VERBS[line[1] - 1], lambda: VERBS[line[1] - 1])()


def decoded(events, own, players):
    """The record of a round, read back from the whole history."""
    record = []
    for line in events[::-1].tolist():
        if line[1]:
            text = text_of_line(line)
            if text.startswith(("break", "repair")):
                text += f":{(own + line[6] - 1) % players}"
            record.append(((own + line[0] - 1) % players, text))
    return record


def test_the_whole_record_is_read_back_from_the_whole_history():
    for game in moments():
        for seat in range(game.rules.players):
            events = seen(game, seat, history=128)["events"]
            assert decoded(events, seat, game.rules.players) == game.view(seat).record


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


def hide_cards(data, seat, chance):
    """Share out anew the cards of the deck, of the other hands and of what others laid face down."""
    others = [place for place in range(data["players"]) if place != seat]
    hidden = [discard for discard in data["discards"] if discard.get("by", seat) != seat]
    cards = [*data["deck"], *chain(*(data["hands"][other] for other in others)), *(one["card"] for one in hidden)]
    chance.shuffle(cards)
    data["deck"] = [cards.pop() for _ in data["deck"]]
    for other in others:
        data["hands"][other] = [cards.pop() for _ in data["hands"][other]]
    for discard in hidden:
        discard["card"] = cards.pop()
    laid = {other: iter([one["card"] for one in hidden if one["by"] == other]) for other in others}
    for entry in data["record"]:
        if entry[0] != seat and entry[1].startswith("discard"):
            entry[1] = f"discard:{next(laid[entry[0]])}"


def hide_roles(data, seat, chance):
    """Deal the roles of the others and the one aside anew, until the round has a winner."""
    if data["winner"] is None:
        others = [place for place in range(data["players"]) if place != seat]
        aside = [data["role_aside"]] if data["role_aside"] else []
        roles = [data["roles"][other] for other in others] + aside
        chance.shuffle(roles)
        for other in others:
            data["roles"][other] = roles.pop()
        data["role_aside"] = roles.pop() if roles else None


def hide_faces(data, seat, chance):
    """Shuffle the faces of the goals that the seat does not know."""
    goals = [goal for goal, face in zip(data["goals"], known_faces(data, seat), strict=True) if face is None]
    faces = [goal["face"] for goal in goals]
    chance.shuffle(faces)
    for goal, face in zip(goals, faces, strict=True):
        goal["face"] = face


def hide_gold(data, seat, chance):
    """Shuffle the gold deck, the offer that another picks from, and the gold of the others until the match ends."""
    offer = (data["pending"] or {}).get("gold", []) if data["seat"] != seat else []
    over = data["winner"] and data["round"] == data["rounds"] and not data["pending"]
    piles = [data["gold_deck"], offer]
    if not over:
        piles += [pile for other, pile in enumerate(data["gold"]) if other != seat]
        data["past"] = []
        data.pop("forgotten", None)
    values = list(chain(*piles))
    chance.shuffle(values)
    for pile in piles:
        pile[:] = [values.pop() for _ in pile]
    for other in range(data["players"]):
        taken = [entry for entry in data["record"] if entry[0] == other != seat and entry[1].startswith("take")]
        for entry, value in zip(reversed(taken), reversed(data["gold"][other]), strict=False):
            entry[1] = f"take:{value}"


def veiled(game, seat, chance):
    """A game that differs only in what the seat cannot know."""
    data = data_of(game)
    for hide in (hide_cards, hide_roles, hide_faces, hide_gold):
        hide(data, seat, chance)
    return load(data, seed=chance.getrandbits(64))


def test_nothing_shows_that_the_seat_cannot_know():
    chance, watcher, told = random.Random(0), Observations(history=128), 0
    for game in moments():
        for seat in range(game.rules.players):
            twin = veiled(game, seat, chance)
            assert twin != game
            here, there = watcher.observe(game.view(seat)), watcher.observe(twin.view(seat))
            assert here.tolist() == there.tolist(), f"seat {seat} sees a secret in\n{json.dumps(data_of(game))}"
            assert game.view(seat).legal_moves() == twin.view(seat).legal_moves()
            other = (seat + 1) % game.rules.players
            told += watcher.observe(game.view(other)).tobytes() != watcher.observe(twin.view(other)).tobytes()
    assert told > 100, "the twins differ in what others know"


def test_a_seat_reads_its_map_alone():
    game = played(position(hands=[["map"]], faces=["treasure", "stone:NE", "stone:NW"]), "map:0")
    read = [seen(game, seat)["goals"][0].tolist() for seat in range(3)]
    assert read == [[1, 0, 1, 0, 0, 1, 8, -2], *[[1, 0, 0, 0, 0, 0, 8, -2]] * 2]
    assert [seen(game, seat)["seats"][-seat % 3, 9] for seat in range(3)] == [1, 1, 1]
    treasure = MINE_PLANES.index("treasure, face up or read by this seat")
    assert [seen(game, seat)["mine"][treasure].sum() for seat in range(3)] == [1, 0, 0]


def test_a_card_laid_face_down_shows_to_its_owner_alone():
    game = played(position(hands=[["xE"]]), "discard:xE")
    assert [seen(game, seat)["discarded"].tolist() for seat in range(3)] == [of_kinds(["xE"]), *[of_kinds([])] * 2]
    assert [seen(game, seat)["events"][0, 1:3].tolist() for seat in range(3)] == [
        [6, KINDS.index("xE")],
        *[[6, 31]] * 2,
    ]
    assert not any(seen(game, seat)["played"].any() for seat in range(3))


def test_an_observation_is_an_array_of_its_own():
    game, watcher = moments()[0], Observations()
    first = watcher.observe(game.view(0))
    first[:] = 1
    assert watcher.observe(game.view(0)).tolist() != first.tolist()


@pytest.mark.parametrize("history", [-1, 129, 1.5, "16", None])
def test_a_history_there_is_not(history):
    with pytest.raises(ValueError, match="history must be a whole number from 0 to 128, not"):
        Observations(history=history)


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
