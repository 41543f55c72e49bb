"""Inputs that nobody should give: JSON data and texts with parts lost, doubled, moved and replaced by junk."""

import copy
import json
from decimal import Decimal
from fractions import Fraction

import numpy as np

from saboteur_env.engine.cards import KINDS

WORDS = ["", "\x00", "\ud800", "NES", "map", "xE", "pass", "miner", "treasure", "EW@1,0", "take:1", "0", "9" * 30]
NUMBERS = [0, 1, 2, 3, -1, 7, 28, 127, 128, 255, 256, 2**31 - 1, 2**31, 2**63, 2**64, -(2**63) - 1, 10**29]
FLOATS = [0.0, 1.0, -0.5, 1e308, float("nan"), float("inf"), float("-inf")]
NESTED = [[], {}, [[]], [{}], [0], [[0, 1]], {"card": "map"}, {"card": []}, [0, "pass"], {"gold": [1]}, {"stone": 0}]
NESTED += [{"goals": [0, 1]}, {"stone": 0, "goals": 5, "before": [], "declined": []}, ["map", 3], [None, "xE"]]
JUNK = [None, True, False, *NUMBERS, *FLOATS, *WORDS, *NESTED]
# What Python code may pass where JSON cannot.
OBJECTS = [Decimal("2"), Fraction(1, 2), 1 + 2j, (), (3,), ("lv",), {1, 2}, b"lv", object(), range(3), int, 10**5000]
OBJECTS += [np.array([1, 2]), np.array(3), np.zeros((2, 2)), np.int64(3), np.float64(0.5), np.array(["lv"]), [10**5000]]

OPTIONAL = ["record", "past", "forgotten", "short", "chance", "known", "sure"]


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
        lender, place = rng.choice(there)
        part[step] = copy.deepcopy(lender[place])
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
        other, place = rng.choice([leaf for leaf in leaves if _family(leaf[0][leaf[1]]) == _family(part[step])])
        part[step], other[place] = other[place], part[step]
    return data


def _family(leaf):
    return "card" if isinstance(leaf, str) and leaf in KINDS else type(leaf).__name__


def spoiled(rng, text, letters):
    """A text with some letters lost, doubled or replaced."""
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        at = rng.randint(0, len(text))
        text = text[:at] + rng.choice(letters) + text[at + rng.choice([0, 1, 1, 2]) :]
    return text
