"""Positions that faults are made of, and those with a fault that takes more than a change of one entry."""

import random

from saboteur_env import Game
from tests.support.positions import data_of, played, position


def random_move(game, rng):
    """A legal move, a path card or rockfall more often than not."""
    moves = game.legal_moves()
    lays = [move for move in moves if "@" in move]
    return rng.choice(lays if lays and rng.random() < 0.7 else moves)


def later_round(draft=False, seed=5, edition="lv"):
    """A finished second round of three, with gold from both."""
    rng = random.Random(seed)
    options = {"goal_cells": [[1, 1]], "draft": draft}
    game = Game(players=4, edition=edition, seed=seed, options=options)
    while not (game.round == 2 and game.round_over):
        if game.round_over:
            game.next_round()
        game.play(random_move(game, rng))
    return game


ROOM = """
         ?
 |
-S-o-o-. ?
 |
         ?
"""


def found(**changes):
    """A round that miners have won, as data, with these entries changed."""
    return data_of(played(position(ROOM, [["EW"]], faces=["stone:NE", "treasure"]), "EW@3,0")) | changes


def arranged(**changes):
    """A sound position in the middle of a round of four, as data, with these entries changed."""
    data = data_of(
        position(
            ROOM,
            [["EW", "map"], ["break:cart"]],
            players=4,
            seat=2,
            broken={1: ["lantern"]},
            discards=["map", ("xE", 1)],
            maps=[[0], [], [], []],
            record=[[0, "map:0"], [1, "discard:xE"]],
            faces=["stone:NE", "treasure", "stone:NW"],
        )
    )
    return data | changes


def with_part(name, *path_and_value):
    """A change deep in an entry: `with_part("goals", 0, "open", True)`."""
    *path, value = path_and_value
    data = arranged()
    part = data[name]
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    return data


def finished(**changes):
    """A round that saboteurs have won, as data, with these entries changed."""
    game = played(position(hands=[["map"], [], []], deck=[]), "discard:map")
    return data_of(game) | changes


def choosing_stone(**changes):
    """A stone that fits nowhere, as data, with these entries changed."""
    mine = """
         ?

       .
 |
-S-o-. ?
 |
      -o-

         ?
    """
    game = played(position(mine, [["EW"]], faces=["stone:NW", "stone:NE", "treasure"]), "EW@2,0")
    return data_of(game) | changes


def choosing_goal(**changes):
    """One of two goals is to be chosen, as data, with these entries changed."""
    mine = """
     ?
 |
-S-o-. . . ?
 |
     ?
    """
    return data_of(played(position(mine, [["NES"]], edition="uk"), "NSW@2,0")) | changes


def drafting(**changes):
    """Gold is to be picked, as data, with these entries changed."""
    game = position(ROOM, [["EW"]], faces=["stone:NE", "treasure"], options={"draft": True})
    return data_of(played(game, "EW@3,0")) | changes


def begun(*moves, **changes):
    """Some turns of a first round whose record is whole, as data; the record that is told instead, if any."""
    game = position(hands=[["EW", "map"], ["break:cart"], ["xE"]])
    data = data_of(played(game, "EW@1,0", "break:cart:2", "discard:xE"))
    return data | ({"record": [list(move) for move in moves]} if moves else {}) | changes


def moved(data, source, target, count=1):
    """The data with the last cards of one pile laid on another."""
    for _ in range(count):
        target.append(source.pop())
    return data


def short_hand():
    data = arranged()
    return moved(data, data["hands"][3], data["deck"])


def long_hand():
    data = arranged()
    return moved(data, data["deck"], data["hands"][3])


def long_hand_without_a_deck():
    data = arranged()
    data["discards"] += [{"card": card} for card in data["deck"][1:]]
    data["hands"][3].append(data["deck"][0])
    return data | {"deck": []}


def many_discards():
    data = arranged()
    data["discards"] += [{"card": card, "by": 1} for card in data["deck"][:33]]
    return data | {"deck": data["deck"][33:]}


def no_cards_left(**changes):
    data = arranged()
    cards = data["deck"] + [card for hand in data["hands"] for card in hand]
    data["discards"] += [{"card": card} for card in cards]
    return data | {"deck": [], "hands": [[] for _ in data["hands"]]} | changes


def all_have_passed():
    data = no_cards_left(edition="ru")
    back = [item for item in data["discards"] if item["card"] == "NESW"]
    data["discards"] = [item for item in data["discards"] if item["card"] != "NESW"]
    data["hands"][0] = [item["card"] for item in back]
    return data | {"passes": 4}


def on_one_cell():
    data = arranged()
    data["deck"].remove("NESW")
    data["tunnels"].append({"card": "NESW", "turned": False, "at": [1, 0]})
    return data


def laid(card, at, turned=False):
    """The sound position with one more card of the deck in the mine."""
    data = arranged()
    data["deck"].remove(card)
    data["tunnels"].append({"card": card, "turned": turned, "at": at})
    return data


def long_record():
    return arranged(record=[[0, "pass"]] * 120)


def remembered(**changes):
    """A finished round after another, told of in `past`, with this changed of the first."""
    data = data_of(later_round())
    data["past"][0] |= changes
    return data


def told_twice(**changes):
    """A finished first round that `past` tells of too, with something else told."""
    data = finished()
    names = ("winner", "roles", "role_aside", "first_seat", "last_seat")
    return data | {"past": [{name: data[name] for name in names} | {"gold": []} | changes]}
