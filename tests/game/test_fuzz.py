"""A small sample of what `python -m tests.long.fuzz` throws at every door, and nesting without end."""

import json
import random
import sys

import pytest

from saboteur_env import Game
from tests.long.fuzz import OPTIONS, kinds_of_input
from tests.long.fuzz_inputs import moments

SAMPLE = 2500  # inputs of all kinds, as often as the command throws them


@pytest.mark.parametrize("kind", kinds_of_input(), ids=lambda kind: kind.__name__)
def test_what_is_thrown_is_refused_in_words_or_sound_in_every_way(kind):
    share = kinds_of_input()[kind] / sum(kinds_of_input().values())
    for number in range(max(20, int(SAMPLE * share))):
        try:
            kind(random.Random(number))
        except Exception as error:
            raise AssertionError(f"{kind.__name__}(random.Random({number}))") from error


def loaded(door, text):
    """What the door gives, or None where it refuses with a ValueError."""
    try:
        return door(text)
    except ValueError as error:
        assert str(error)
        return None


@pytest.mark.parametrize("name", ["seat", "hands", "options", "pending", "chance"])
def test_deep_nesting_is_refused(name):
    text = json.dumps(json.loads(moments()[0][0]) | {name: "HERE"})
    limit = sys.getrecursionlimit()
    for depth in [*range(1, limit + 10), 100 * limit]:
        assert loaded(Game.from_json, text.replace('"HERE"', "[" * depth + "]" * depth)) is None


@pytest.mark.parametrize("name", OPTIONS[:-1])
def test_deep_nesting_in_an_option_is_refused(name):
    text = json.dumps(json.loads(moments()[0][0]) | {"options": {name: "HERE"}})
    for depth in range(1, sys.getrecursionlimit() + 10, 3):
        assert loaded(Game.from_json, text.replace('"HERE"', "[" * depth + "]" * depth)) is None


def test_deep_nesting_in_a_transcript_is_refused_or_changes_nothing():
    data = json.loads(moments()[0][1])
    data["rounds"][0]["deal"]["deep"] = "HERE"
    text = json.dumps(data)
    for depth in range(1, sys.getrecursionlimit() + 10, 5):
        loaded(Game.replay, text.replace('"HERE"', "[" * depth + "]" * depth))
