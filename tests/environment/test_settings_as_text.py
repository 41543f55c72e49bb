"""Every game that can be begun can be written, read and replayed; what cannot be begun is refused in words."""

import json
import random
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saboteur_env import Game, env, wazabi
from saboteur_env.engine.cards import KINDS
from saboteur_env.engine.editions import EDITIONS, SWITCHES
from saboteur_env.environment.settings import Settings
from saboteur_env.wazabi.engine.cards import DECKS, FACES
from saboteur_env.wazabi.engine.cards import KINDS as WAZABI_KINDS
from tests.support.positions import data_of

CELLS = [[3, -1], [2, 0], [4, 0], [-3, 1], [2, 2]]  # from north to south
DECK = dict.fromkeys(KINDS, 2)


@st.composite
def tables(draw):
    """Players, edition and options with which a game can be begun."""
    players = draw(st.integers(3, 10))
    options = {name: draw(st.sampled_from(switch.values)) for name, switch in SWITCHES.items() if draw(st.booleans())}
    if draw(st.booleans()):
        saboteurs = draw(st.integers(0, players))
        options["role_table"] = {"saboteurs": saboteurs, "miners": players + draw(st.integers(0, 1)) - saboteurs}
    more = {
        "first_seat": st.integers(0, players - 1),
        "hand_size": st.integers(1, 5),
        "deck": st.just(DECK),
        "goal_cells": st.lists(st.sampled_from(CELLS), min_size=1, max_size=3, unique_by=tuple).map(
            lambda cells: sorted(cells, key=CELLS.index)
        ),
    }
    options |= {name: draw(values) for name, values in more.items() if draw(st.booleans())}
    return {"players": players, "edition": draw(st.sampled_from([*EDITIONS])), "options": options}


@settings(max_examples=150, deadline=None, derandomize=True)
@given(tables())
def test_every_game_that_can_be_begun_is_written_read_and_replayed(table):
    game = Game(seed=1, rounds=1, **table)
    assert Game.from_json(game.to_json()) == game
    rng = random.Random(1)
    for _ in range(3):
        if not game.over:
            game.play(rng.choice(game.legal_moves()))
    assert Game.from_json(game.to_json()) == game
    assert Game.replay(game.transcript()) == game


@pytest.mark.parametrize(
    ("edition", "roles", "role_table"),
    [
        ("lv", "persian", {"saboteurs": 2, "miners": 4}),
        ("fa", "aside", {"saboteurs": 2, "miners": 3}),
    ],
)
def test_the_table_of_the_other_roles_is_written(edition, roles, role_table):
    game = Game(5, edition, seed=1, options={"roles": roles, "role_table": role_table})
    assert data_of(game)["options"] == {"roles": roles, "role_table": role_table}
    assert Game.from_json(game.to_json()) == game
    assert data_of(Game(5, edition, seed=1, options={"roles": roles}))["options"] == {"roles": roles}


@settings(max_examples=100, deadline=None, derandomize=True)
@given(
    st.integers(2, 6),
    st.sampled_from([*DECKS, dict.fromkeys(WAZABI_KINDS, 4)]),
    st.fixed_dictionaries(
        {},
        optional={
            "costs": st.dictionaries(st.sampled_from(WAZABI_KINDS), st.integers(0, 5), max_size=3),
            "faces": st.dictionaries(st.sampled_from(FACES), st.integers(1, 5), max_size=3),
            "dice": st.integers(1, 4),
            "cards": st.integers(0, 6),
            "play_on": st.booleans(),
            "first_seat": st.integers(0, 1),
        },
    ),
)
def test_every_game_of_wazabi_that_can_be_begun_is_written_and_read(players, deck, options):
    game = wazabi.Game(players, deck, 1, 2, options)
    again = wazabi.Game.from_json(game.to_json())
    assert (again, again.rules) == (game, game.rules)


NOT_NAMES = [
    np.array([1, 2]), np.array(["lv", "uk"]), np.zeros((2, 2)), Decimal("2"), Fraction(5, 2), 1 + 2j, (), ("lv",), {3},
    b"lv", object(), range(3), 10**5000, [10**5000],
]  # fmt: skip
SETTINGS = [
    "players",
    "edition",
    "rounds",
    "window",
    "history",
    "form",
    "mask_in",
    "reward",
    "shaping",
    "gamma",
    "illegal",
]


@pytest.mark.parametrize("value", NOT_NAMES, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("name", [*SETTINGS, "illegal", "options"])
def test_a_setting_that_is_none_is_named(name, value):
    with pytest.raises(ValueError, match=f"^{name}"):
        Settings(**{name: value})


@pytest.mark.parametrize("value", NOT_NAMES, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("name", [*SWITCHES, "first_seat", "deck", "role_table", "hand_size", "goal_cells"])
def test_an_option_that_is_none_is_named(name, value):
    with pytest.raises(ValueError, match=f"option {name}"):
        Game(options={name: value})


@pytest.mark.parametrize("value", NOT_NAMES, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("name", ["players", "deck", "games", "options"])
def test_a_setting_of_wazabi_that_is_none_is_named(name, value):
    with pytest.raises(ValueError, match=f"^{name}"):
        wazabi.Game(**{name: value})


@pytest.mark.parametrize("value", NOT_NAMES, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("name", ["costs", "faces", "dice", "cards", "neighbours", "play_on", "teams", "first_seat"])
def test_an_option_of_wazabi_that_is_none_is_named(name, value):
    with pytest.raises(ValueError, match=f"^{name}"):
        wazabi.Game(options={name: value})


@pytest.mark.parametrize(("name", "value"), [("players", 4), ("deck", "french"), ("games", 2)])
def test_what_is_a_setting_of_wazabi_is_no_option(name, value):
    with pytest.raises(ValueError, match=f"there is no option '{name}'"):
        wazabi.Game(options={name: value})


def test_tuples_serve_as_lists_in_options_of_wazabi():
    assert wazabi.Game(options={"teams": (0, 1, 0, 1)}).rules.teams == (0, 1, 0, 1)


@pytest.mark.parametrize("game", [Game, wazabi.Game])
@pytest.mark.parametrize("seed", [10**5000, -(10**5000), "9" * 5000], ids=["long", "below", "text"])
def test_a_seed_of_thousands_of_digits_is_refused_in_words(game, seed):
    with pytest.raises(ValueError, match=r"a seed is a whole number from 0 below 2\*\*64"):
        game(seed=seed)


@pytest.mark.parametrize("game", [Game, wazabi.Game])
def test_a_stored_chance_of_thousands_of_digits_is_refused_in_words(game):
    with pytest.raises(ValueError, match=r"bad position: chance must be a whole number below 2\*\*64 as a text"):
        game.from_json(game(seed=1).to_json().replace('"chance": "1"', f'"chance": "{"9" * 5000}"'))


@pytest.mark.parametrize(
    "position",
    [{(1, 2): 3}, {"players": {1, 2}}, {"deck": np.zeros(3)}, {"seat": 10**5000}, "[" * 10**5, {"record": object()}],
    ids=["key", "set", "array", "digits", "depth", "object"],
)
def test_a_fixed_position_that_json_cannot_say_is_refused_in_words(position):
    table = env(players=3)
    table.reset(seed=1)
    before = table.game
    with pytest.raises(ValueError, match="options: position"):
        table.reset(seed=2, options={"position": position})
    assert table.game == before


def test_counts_of_wazabi_stay_far_from_the_end_of_their_numbers():
    game = wazabi.Game(players=3, seed=1)
    for name in ("turns", "shuffles", "picks"):
        with pytest.raises(ValueError, match=f"bad position: {name} must be a whole number from 0 to 1073741824"):
            load_wazabi(game, **{name: 2**31 - 1})
    assert load_wazabi(game, turns=2**30).to_json() == game.to_json().replace('"turns": 1', f'"turns": {2**30}')


def load_wazabi(game, **changes):
    return wazabi.Game.from_json(json.dumps(data_of(game) | changes))
