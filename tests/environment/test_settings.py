"""Settings are values: what they were given stays, equal ones are equal and have one hash."""

import copy
import json
import pickle
from collections import deque
from dataclasses import asdict, replace
from types import MappingProxyType

import numpy as np
import pytest

from saboteur_env import Game, env, make_vec
from saboteur_env.engine.editions import Rules
from saboteur_env.environment.settings import Settings
from saboteur_env.experiments.tournament.tournament import Tournament
from saboteur_env.experiments.win_rates import wazabi, win_rates
from saboteur_env.wazabi.engine.rules import Rules as WazabiRules

OPTIONS = {"draft": True, "goal_cells": [[3, 0]], "deck": {"NES": 20, "EW": 10}, "hand_size": 2}
TYPED = (
    "Settings(players=3, edition='lv', rounds=3, options={'draft': True, 'goal_cells': [[3, 0]], "
    "'deck': {'NES': 20, 'EW': 10}, 'hand_size': 2}, window='medium', history=16, form='flat', "
    "mask_in='observation', reward='side', shaping=None, gamma=1.0, illegal='raise')"
)


def given():
    return copy.deepcopy(OPTIONS)


def test_settings_keep_what_they_were_given():
    options = given()
    settings = Settings(3, options=options)
    options["goal_cells"][0][0] = 5
    options["deck"]["EW"] = 0
    options["draft"] = False
    assert settings == Settings(3, options=OPTIONS)
    assert settings.options == OPTIONS
    again = env(settings=settings)
    again.reset(seed=4)
    assert again.game == Game(3, seed=4, options=OPTIONS)
    assert make_vec(2, [3, 4], seed=1, settings=settings)._rules[4] == Rules.make(4, options=OPTIONS)


CHANGES = {
    "an entry set": lambda options: options.__setitem__("draft", False),
    "an entry gone": lambda options: options.__delitem__("draft"),
    "another dict in": lambda options: options.__ior__({"draft": False}),
    "update": lambda options: options.update(draft=False),
    "pop": lambda options: options.pop("draft"),
    "popitem": lambda options: options.popitem(),
    "setdefault": lambda options: options.setdefault("stone", "joins"),
    "clear": lambda options: options.clear(),
    "a copy of a card": lambda options: options["deck"].update(EW=0),
    "a goal": lambda options: options["goal_cells"][0].__setitem__(0, 5),
}


@pytest.mark.parametrize("change", CHANGES)
def test_settings_cannot_be_changed(change):
    settings = Settings(3, options=OPTIONS)
    with pytest.raises((TypeError, AttributeError)):
        CHANGES[change](settings.options)
    assert settings.options == OPTIONS


EQUALS = {
    "another order": dict(reversed(OPTIONS.items())),
    "another order of the deck": {**OPTIONS, "deck": {"EW": 10, "NES": 20}},
    "tuples": {**OPTIONS, "goal_cells": ((3, 0),)},
    "another list": {**OPTIONS, "goal_cells": deque([range(3, -1, -3)])},
    "an array": {**OPTIONS, "goal_cells": np.array([[3, 0]]), "hand_size": np.int64(2)},
    "another mapping": MappingProxyType({**OPTIONS, "deck": MappingProxyType(OPTIONS["deck"])}),
}


@pytest.mark.parametrize("options", EQUALS.values(), ids=EQUALS)
def test_settings_of_equal_values_are_equal(options):
    settings = Settings(3, options=options)
    assert settings == Settings(3, options=OPTIONS)
    assert hash(settings) == hash(Settings(3, options=OPTIONS))
    assert json.loads(json.dumps(asdict(settings)))["options"] == OPTIONS


def test_settings_that_differ_are_told_apart():
    others = [
        {},
        {**OPTIONS, "draft": False},
        {**OPTIONS, "goal_cells": [[4, 0]]},
        {**OPTIONS, "deck": {"NES": 20, "EW": 9}},
    ]
    assert len({Settings(3, options=OPTIONS), *(Settings(3, options=options) for options in others)}) == 5


def test_no_options_are_no_options():
    assert Settings() == Settings(options={}) == Settings(options=None)
    assert Settings().options == {}


def test_settings_are_written_as_they_are_typed():
    settings = Settings(3, options=OPTIONS)
    assert repr(settings) == TYPED
    assert eval(TYPED) == settings


COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda settings: pickle.loads(pickle.dumps(settings)),
    "replace": replace,
    "JSON": lambda settings: Settings(**json.loads(json.dumps(asdict(settings)))),
}


@pytest.mark.parametrize("how", COPIES)
def test_copies_of_settings_are_equal(how):
    settings = Settings(3, options=OPTIONS)
    twin = COPIES[how](settings)
    assert twin == settings
    assert hash(twin) == hash(settings)
    assert repr(twin) == TYPED
    with pytest.raises(TypeError, match=r"dataclasses.replace\(\)"):
        twin.options["draft"] = False


def test_numbers_of_numpy_are_plain_ones_in_settings():
    assert repr(Settings(np.int64(3), rounds=np.int8(3), options=OPTIONS, gamma=np.float64(1))) == TYPED


@pytest.mark.parametrize(
    ("make", "options"),
    [
        (lambda options: Rules.make(3, options=options), OPTIONS),
        (lambda options: WazabiRules.make(options=options), {"teams": [0, 1, 0, 1], "costs": {"miss": 2}}),
        (lambda options: Tournament(("random",), (3,), options=options), OPTIONS),
        (lambda options: win_rates.Study((3,), options=options), OPTIONS),
        (lambda options: wazabi.Study((4,), options=options), {"teams": [0, 1, 0, 1], "costs": {"miss": 2}}),
    ],
    ids=["Rules", "Wazabi's Rules", "Tournament", "win rates", "Wazabi's study"],
)
def test_rules_and_studies_keep_what_they_were_given(make, options):
    mine = copy.deepcopy(options)
    made = make(mine)
    for value in mine.values():
        if isinstance(value, dict | list):
            value.clear()
    mine.clear()
    assert made == make(options)
    assert hash(made) == hash(make(options))
    assert pickle.loads(pickle.dumps(made)) == made
