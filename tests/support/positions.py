"""Positions from drawings: a mine is drawn, some cards are named, and what nobody named goes where it does no harm.

A drawing shows the mine as it lies, in the east of which most situations happen. `quarter` turns all of
it (mine, goals, cards, moves) by so many right angles clockwise, so that one drawing is tried on all four
sides.
"""

import json
from collections import Counter
from itertools import chain

from saboteur_env import Game
from saboteur_env.engine.cards import (
    FACE_ORIENTATION,
    FACES,
    GOLD_COPIES,
    GOLD_VALUES,
    KIND_OF_ORIENTATION,
    KINDS,
    ORIENTATION_OF_KIND,
    orientation_name,
    orientation_of,
)
from saboteur_env.engine.editions import PRINTED_GOALS, Rules
from saboteur_env.game.notation import Map, draw_cells, parse_cells, parse_map

# A treasure in the middle is one card away; and two saboteurs among five, of whom the first is a miner.
ONE_TO_GO = """
 . . . . . . . . ?

 . . . . . . . . .
 |   |   |
-S-o-o-o-o-o-o-. ?
 |     |   |
 . . . . . . . . .

 . . . . . . . . ?
"""
TWO_OF_FIVE = ("miner", "saboteur", "miner", "saboteur", "miner")

GOLD = [value for value, copies in zip(GOLD_VALUES, GOLD_COPIES, strict=True) for _ in range(copies)]
EMPTY = """
 . . . . . . . . ?

 . . . . . . . . .
 |
-S-. . . . . . . ?
 |
 . . . . . . . . .

 . . . . . . . . ?
"""


def position(
    drawing=EMPTY,
    hands=(),
    *,
    players=3,
    edition="lv",
    options=None,
    faces=(),
    seat=0,
    broken=(),
    deck=None,
    discards=(),
    roles=None,
    quarter=0,
    **changes,
):
    """A game that stands as drawn.

    Args:
        drawing: a lattice map, or a `Map`. Goals off their printed cells become the option `goal_cells`.
        hands: cards by seat; filled up from what is left unless the deck is empty.
        faces: what the goals show, from north to south as drawn; those face up show it themselves.
        broken: broken tools by seat.
        deck: the cards to be drawn, the next one first; all that is left where missing. What is left
            over by a deck that is given lies in the discards for all to see.
        discards: cards that all saw, or pairs of a card and the seat that laid it face down.
        roles: by seat; where the pool cannot deal them, it is made of them.
        quarter: how many right angles everything is turned by, clockwise.
        changes: entries of the position that are written as they are.
    """
    mine, shown = _turned_with_faces(drawing, faces, quarter)
    options = dict(options or {}) | _goal_cells(shown)
    roles, aside = _roles(roles, players, edition, options)
    data = _untouched(players, seat, changes.get("pending")) | {
        "edition": edition, "options": options, "roles": roles, "role_aside": aside,
        "goals": [_goal(face, mine.goals[coord]) for coord, face in shown.items()],
        "tunnels": [_tunnel(coord, orientation) for coord, orientation in mine.tunnels.items()],
        "broken": [list(tools) for tools in _by_seat(broken, players)],
        "discards": [_discard(item) for item in discards],
    }  # fmt: skip
    data |= changes
    held = [[spun_card(card, quarter) for card in hand] for hand in _by_seat(hands, players)]
    _share_out_cards(data, Rules.make(players, edition, 3, options), held, deck)
    return load({"gold_deck": list((Counter(GOLD) - Counter(chain(*data["gold"]))).elements())} | data)


def _goal_cells(shown):
    return {} if tuple(shown) == PRINTED_GOALS else {"goal_cells": [list(coord) for coord in shown]}


def _untouched(players, seat, pending):
    """What a position says of a first round in which nothing has happened; a card that waits is of the seat itself."""
    last = seat if {"stone", "goals"} & (pending or {}).keys() else (seat - 1) % players
    return {
        "format": "saboteur-position/1", "players": players, "round": 1, "rounds": 3, "first_seat": 0, "seat": seat,
        "last_seat": last, "passes": 0, "gold": [[] for _ in range(players)],
        "shortfall": [0] * players, "maps": [[] for _ in range(players)],
        "pending": None, "winner": None, "chance": "1",
    }  # fmt: skip


def _turned_with_faces(drawing, faces, quarter):
    """The mine of a drawing, turned, and what each goal shows, in the order of goals."""
    mine = drawing if isinstance(drawing, Map) else parse_map(drawing)
    faces = {spun_place(coord, quarter): _spun_face(face, quarter) for coord, face in _faces(mine, list(faces)).items()}
    return rotated(mine, quarter), {coord: faces[coord] for coord in sorted(faces, key=lambda coord: coord[::-1])}


def _faces(mine, faces):
    """What each goal of a drawing shows: by itself where it is face up, else as named, else whatever is left."""
    cells = sorted(mine.goals, key=lambda coord: coord[::-1])
    shown = dict(zip(cells, faces, strict=False))
    for coord, orientation in mine.goals.items():
        if orientation:
            shown[coord] = next(face for face in FACES[1:] if orientation in _ways(face))
    left = [face for face in FACES[1 : len(cells) + 1] if face not in shown.values()]
    return {coord: shown[coord] if coord in shown else left.pop(0) for coord in cells}


def _ways(face):
    orientation = int(FACE_ORIENTATION[FACES.index(face)])
    return orientation, spun(orientation, 2)


def _spun_face(face, quarter):
    # A quarter turn makes a corner NE an ES, which is the stone NW turned.
    return face if face == "treasure" or quarter % 2 == 0 else {"NE": "stone:NW", "NW": "stone:NE"}[face[6:]]


def _goal(face, orientation):
    return {
        "face": face,
        "open": bool(orientation),
        "turned": orientation not in (0, int(FACE_ORIENTATION[FACES.index(face)])),
    }


def _tunnel(coord, orientation):
    kind = KIND_OF_ORIENTATION[orientation]
    return {"card": KINDS[kind], "turned": bool(orientation != ORIENTATION_OF_KIND[kind]), "at": list(coord)}


def _discard(item):
    return {"card": item} if isinstance(item, str) else {"card": item[0], "by": item[1]}


def _by_seat(values, players):
    given = values if isinstance(values, dict) else dict(enumerate(values))
    return [given.get(seat, []) for seat in range(players)]


def _roles(roles, players, edition, options):
    """The roles at the table and the one aside: miners first and a miner aside where none are named."""
    plain = Rules.make(players, edition, 3, options)
    pool = Counter(saboteur=plain.role_table[0], miner=plain.role_table[1])
    if roles is None:
        aside = "miner" if plain.one_aside else None
        miners = pool["miner"] - plain.one_aside
        return ["miner"] * miners + ["saboteur"] * (players - miners), aside
    if Counter(roles) - pool:
        options["role_table"] = {"saboteurs": roles.count("saboteur"), "miners": roles.count("miner")}
        return list(roles), None
    return list(roles), next((pool - Counter(roles)).elements(), None)


def _share_out_cards(data, rules, hands, deck):
    """Fill hands and deck, so that every card of the game is somewhere."""
    left = Counter(dict(zip(KINDS, rules.deck, strict=True)))
    named = [card for hand in hands for card in hand] + list(deck or [])
    named += [item["card"] for item in data["discards"] + data["tunnels"]]
    named += [f"break:{tool}" for tools in data["broken"] for tool in tools]
    too_many = Counter(named) - left
    assert not too_many, f"there are not so many of {dict(too_many)}"
    rest = list((left - Counter(named)).elements())
    if deck is None or deck:
        waiting = data["winner"] is not None or data["pending"] is not None
        for seat, hand in enumerate(hands):
            while len(hand) < rules.hand_size - (waiting and seat == data["last_seat"]):
                hand.append(rest.pop())
    data["hands"] = hands
    data["deck"] = rest if deck is None else list(deck)
    if deck is not None:
        data["discards"] += [{"card": card} for card in rest]


def spun(orientation, quarter):
    """How a card lies after so many right angles clockwise (no card of the game is laid so; the drawing is)."""
    for _ in range(quarter % 4):
        orientation = orientation & 16 | (orientation << 1 | orientation >> 3 & 1) & 15
    return orientation


def spun_card(name, quarter):
    """The upright name of the card that a path card becomes in a mine turned so; action cards stay themselves."""
    return KINDS[KIND_OF_ORIENTATION[spun(orientation_of(name), quarter)]] if name.lstrip("x").isupper() else name


def spun_move(move, quarter):
    """A move in a mine turned so."""
    card, at, coord = move.partition("@")
    if not at:
        return move
    column, row = spun_place(tuple(map(int, coord.split(","))), quarter)
    return f"{card if card == 'rockfall' else orientation_name(spun(orientation_of(card), quarter))}@{column},{row}"


def spun_place(coord, quarter):
    for _ in range(quarter % 4):
        coord = (-coord[1], coord[0])
    return coord


def rotated(drawing, quarter):
    """The mine of a drawing, turned so."""
    mine = drawing if isinstance(drawing, Map) else parse_map(drawing)
    return Map(
        *(
            {spun_place(at, quarter): spun(orientation, quarter) for at, orientation in part.items()}
            for part in _parts(mine)
        )
    )


def _parts(mine):
    return mine.tunnels, mine.goals


def played(game, *moves):
    """The same game after these moves."""
    for move in moves:
        game.play(move)
    return game


def assert_map(game, drawing, quarter=0):
    """The mine lies as drawn."""
    wanted = rotated(drawing, quarter)
    assert game.mine == wanted, f"the mine is\n{game}\nand not\n{wanted}"


def assert_cells(game, card, drawing, quarter=0):
    """The card may be laid, as it is named, on the marked cells of the drawing and nowhere else."""
    card = orientation_name(spun(orientation_of(card), quarter))
    wanted, result = {spun_place(coord, quarter) for coord in parse_cells(drawing)}, cells_for(game, card)
    shown = [draw_cells(cells, game.mine.goals) for cells in (result, wanted)]
    assert result == wanted, f"in the mine\n{game}\n{card} may lie on\n{shown[0]}\nand not on\n{shown[1]}"


def cells_for(game, card):
    """Where a card may be laid, as it is named."""
    coords = [move.partition("@")[2] for move in game.legal_moves() if move.partition("@")[0] == card]
    return {tuple(map(int, coord.split(","))) for coord in coords}


def goals_open(game):
    """Which goals are face up, from north to south."""
    return [goal["open"] for goal in data_of(game)["goals"]]


def data_of(game):
    """The position as plain data."""
    return json.loads(game.to_json())


def refusal(game, move):
    """Why a move is refused, once it is sure that the game stayed as it was.

    Raises: AssertionError where the move is played, or the game changed.
    """
    from saboteur_env import IllegalMove

    before, text, transcript = game.copy(), game.to_json(), game.transcript()
    try:
        game.play(move)
    except IllegalMove as error:
        assert (game == before, game.to_json(), game.transcript()) == (True, text, transcript), "the game changed"
        return str(error)
    raise AssertionError(f"{move} was played in\n{before}")


def load(data, seed=None):
    """The game of a position given as plain data."""
    return Game.from_json(json.dumps(data), seed)


def fault(data):
    """What is wrong with a position given as plain data.

    Raises: AssertionError where it loads.
    """
    try:
        game = load(data)
    except ValueError as error:
        return str(error)
    raise AssertionError(f"this position was loaded:\n{game}")
