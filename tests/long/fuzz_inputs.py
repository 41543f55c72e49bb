"""Inputs that nobody should give: moments of sound matches, and data and texts lost, doubled, moved or made junk."""

import copy
import json
import random
from decimal import Decimal
from fractions import Fraction
from functools import cache

import numpy as np

from saboteur_env import wazabi
from saboteur_env.engine.cards import KINDS
from tests.long.fuzz_doors import DOORS

WORDS = ["", "\x00", "\ud800", "NES", "map", "xE", "pass", "miner", "treasure", "EW@1,0", "take:1", "0", "9" * 30]
NUMBERS = [0, 1, 2, 3, -1, 7, 28, 127, 128, 255, 256, 2**31 - 1, 2**31, 2**63, 2**64, -(2**63) - 1, 10**29]
FLOATS = [0.0, 1.0, -0.5, 1e308, float("nan"), float("inf"), float("-inf")]
NESTED = [[], {}, [[]], [{}], [0], [[0, 1]], {"card": "map"}, {"card": []}, [0, "pass"], {"gold": [1]}, {"stone": 0}]
NESTED += [{"goals": [0, 1]}, {"stone": 0, "goals": 5, "before": [], "declined": []}, ["map", 3], [None, "xE"]]
JUNK = [None, True, False, *NUMBERS, *FLOATS, *WORDS, *NESTED]
# What Python code may pass where JSON cannot.
OBJECTS = [Decimal("2"), Fraction(1, 2), 1 + 2j, (), (3,), ("lv",), {1, 2}, b"lv", object(), range(3), int, 10**5000]
OBJECTS += [np.array([1, 2]), np.array(3), np.zeros((2, 2)), np.int64(3), np.float64(0.5), np.array(["lv"]), [10**5000]]

OPTIONAL = ["messages", "record", "past", "forgotten", "short", "chance", "known", "sure"]


def junk(rng):
    """A value from the pool, its own copy."""
    return copy.deepcopy(rng.choice(JUNK))


def containers(value):
    """Every list and object in JSON data."""
    if isinstance(value, list | dict):
        yield value
        for part in value.values() if isinstance(value, dict) else value:
            yield from containers(part)


def places(data):
    """Every place in JSON data: a container and the key or index of a part."""
    return [(part, step) for part in containers(data) for step in _steps(part)]


def _steps(part):
    return list(part) if isinstance(part, dict) else range(len(part))


def mutated(rng, data):
    """Drop, double, replace or swap one to three parts of JSON data, or change them into their like. Mutates: data."""
    for _ in range(rng.choice([1, 1, 2, 3])):
        there = places(data)
        if there:
            _mutate(rng, *rng.choice(there), there)
    return data


def _mutate(rng, part, step, there):
    how = rng.choice(["replace", "drop", "double", "nudge", "retype", "swap", "borrow"])
    if how == "drop":
        del part[step]
    elif how == "double" and isinstance(part, list):
        part.insert(step, copy.deepcopy(part[step]))
    elif how == "nudge" and type(part[step]) is int:
        part[step] += rng.choice([-1, 1])
    elif how == "nudge" and type(part[step]) is bool:
        part[step] = not part[step]
    elif how == "retype":
        part[step] = rng.choice([json.dumps(part[step]), [part[step]], {"card": part[step]}, None])
    elif how == "swap":
        other = rng.choice(_steps(part))
        part[step], part[other] = part[other], part[step]
    elif how == "borrow":
        lender, index = rng.choice(there)
        part[step] = copy.deepcopy(lender[index])
    else:
        part[step] = junk(rng)


def rearranged(rng, data):
    """Let leaves of one kind change places, move counters and leave out what may be missing. Mutates: data."""
    for name in rng.sample(OPTIONAL, rng.choice([0, 0, 1, 3])):
        data.pop(name, None)
    counters = [name for name, value in data.items() if type(value) is int]
    if rng.random() < 0.4:
        data[rng.choice(counters)] += rng.choice([-1, 1])
    leaves = [(part, step) for part, step in places(data) if not isinstance(part[step], list | dict)]
    for _ in range(rng.choice([0, 1, 1, 2, 4])):
        part, step = rng.choice(leaves)
        other, index = rng.choice([leaf for leaf in leaves if _family(leaf[0][leaf[1]]) == _family(part[step])])
        part[step], other[index] = other[index], part[step]
    return data


def _family(leaf):
    return "card" if isinstance(leaf, str) and leaf in KINDS else type(leaf).__name__


def spoiled(rng, text, letters):
    """A text with some letters lost, doubled or replaced."""
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        at = rng.randint(0, len(text))
        text = text[:at] + rng.choice(letters) + text[at + rng.choice([0, 1, 1, 2]) :]
    return text


SAYINGS = ["I am honest.", "</script><b>", 'say: "map:1"', "é 漢字 🙂", "x" * 200]
NEAR = {"goal_cells": [[1, -1], [2, 0], [1, 1]]}
TABLES = [
    {"players": 3},
    {"players": 3, "edition": "uk", "options": NEAR},
    {"players": 4, "edition": "ru", "options": NEAR},
    {"players": 5, "edition": "fa", "options": {"broken_no_gold": True, "draft": True} | NEAR},
    {"players": 4, "options": {"draft": True} | NEAR},
    {"players": 10, "options": {"goal_cells": [[2, 0]], "hand_size": 2}},
    {"players": 3, "options": {"deck": {"EW": 9, "NESW": 9, "rockfall": 3, "map": 3}, "hand_size": 3} | NEAR},
    {"players": 4, "options": {"talk": "claims", "deck": {"NESW": 20, "map": 12}}},
    {"players": 3, "options": {"talk": "free", "deck": {"NESW": 20, "map": 12}}},
]
WAZABI_TABLES = [
    {"players": 2},
    {"players": 4, "deck": "french", "options": {"teams": [0, 1, 0, 1]}},
    {"players": 5, "options": {"play_on": True, "neighbours": True}},
    {"players": 3, "deck": {"miss": 12, "keep_two": 12, "draw_three": 12}, "options": {"costs": {"draw_three": 1}}},
]


@cache
def moments():
    """Positions and transcripts of Saboteur all over a few matches, many of them with a choice to be made."""
    rng, result = random.Random(0), []
    for number, table in enumerate(TABLES):
        game = DOORS["saboteur"][0](seed=number, rounds=2, **table)
        while not game.over:
            if game.round_over:
                game.next_round()
            moves = game.legal_moves()
            spoken = [move for move in moves if move.startswith(("claim", "accuse", "vouch", "map"))]
            if spoken and game.rules.talks and rng.random() < 0.4:
                game.play(rng.choice(spoken))
                result.append((game.to_json(), game.transcript()))
                continue
            if game.rules.talks_freely and rng.random() < 0.3:
                game.say(rng.randrange(game.rules.players), rng.choice(SAYINGS))
            game.play(rng.choice([move for move in moves if "@" in move] or moves))
            if game.records[0].public.choice or game.round_over or rng.random() < 0.08:
                result.append((game.to_json(), game.transcript()))
                without = json.loads(game.to_json()) | {"record": [], "messages": []}
                later = type(game).from_json(json.dumps(without))
                if not later.round_over:
                    later.play(rng.choice(later.legal_moves()))
                    result.append((later.to_json(), later.transcript()))
    return result


@cache
def wazabi_moments():
    """Positions of Wazabi all over a few matches."""
    rng, result = random.Random(0), []
    for number, table in enumerate(WAZABI_TABLES):
        game = wazabi.Game(seed=number, games=2, **table)
        for _ in range(150):
            if game.over:
                break
            if game.game_over:
                game.next_game()
            game.play(rng.choice(game.legal_moves()))
            result += [game.to_json()] * (rng.random() < 0.3 or game.game_over)
    return result
