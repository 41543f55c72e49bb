"""Whatever is thrown at the doors, they answer with success or a ValueError; what loads can be played to the end."""

import copy
import json
import random
import sys
from collections import Counter
from functools import cache
from itertools import chain

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from saboteur_env import Game, IllegalMove
from saboteur_env.engine.cards import KINDS
from saboteur_env.engine.editions import SWITCHES
from saboteur_env.engine.notation import parse_cells, parse_map
from tests.positions import GOLD, data_of

NEAR = {"goal_cells": [[1, -1], [2, 0], [1, 1]]}
SETTINGS = [
    {"players": 3},
    {"players": 3, "edition": "uk", "options": NEAR},
    {"players": 4, "edition": "ru", "options": NEAR},
    {"players": 5, "edition": "fa", "options": {"broken_no_gold": True, "draft": True} | NEAR},
    {"players": 4, "options": {"draft": True} | NEAR},
    {"players": 10, "options": {"goal_cells": [[2, 0]], "hand_size": 2}},
    {"players": 3, "options": {"deck": {"EW": 9, "NESW": 9, "rockfall": 3, "map": 3}, "hand_size": 3} | NEAR},
]


def fuzz(examples):
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    return settings(max_examples=examples, deadline=None, derandomize=True, suppress_health_check=checks)


@cache
def moments():
    """Positions and transcripts from all over a few matches, those in which a choice is to be made among them."""
    chance, found = random.Random(0), []
    for number, setting in enumerate(SETTINGS):
        game = Game(seed=number, rounds=2, **setting)
        while not game.over:
            if game.round_over:
                game.next_round()
            moves = game.legal_moves()
            game.play(chance.choice([move for move in moves if "@" in move] or moves))
            pending = data_of(game)["pending"]
            if pending or game.round_over or chance.random() < 0.08:
                found.append((game.to_json(), game.transcript()))
    return found


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 12),
    st.integers(),
    st.sampled_from([2**31, 2**63, 2**64, -(2**63) - 1, 10**40, 127, 128, 255, 256]),
    st.floats(),
    st.sampled_from(["", "\x00", "\ud800", "NES", "map", "xE", "pass", "miner", "treasure", "EW@1,0", "take:1", "0"]),
    st.text(max_size=5),
    st.sampled_from([[], {}, [[]], [{}], {"card": "map"}, [0, "pass"], {"gold": [1]}, {"stone": 0}, {"goals": [0, 1]}]),
)


def mutate(draw, data):
    """Drop, double, replace or swap one part of JSON data, or change it into its like."""
    parts = [(part, step) for part in containers(data) for step in steps(part)]
    if not parts:
        return draw(JUNK)
    part, last = draw(st.sampled_from(parts))
    how = draw(st.sampled_from(["replace", "drop", "double", "nudge", "retype", "swap"]))
    if how == "drop":
        del part[last]
    elif how == "double" and isinstance(part, list):
        part.insert(last, copy.deepcopy(part[last]))
    elif how == "nudge" and type(part[last]) is int:
        part[last] += draw(st.sampled_from([-1, 1]))
    elif how == "nudge" and type(part[last]) is bool:
        part[last] = not part[last]
    elif how == "retype":
        part[last] = draw(st.sampled_from([str(part[last]), [part[last]], {"card": part[last]}, None]))
    elif how == "swap":
        other = draw(st.sampled_from(list(steps(part))))
        part[last], part[other] = part[other], part[last]
    else:
        part[last] = draw(JUNK)
    return data


@st.composite
def mutated(draw, which):
    data = json.loads(draw(st.sampled_from(moments()))[which])
    for _ in range(draw(st.integers(1, 3))):
        data = mutate(draw, data)
    return data


OPTIONAL = ["record", "past", "forgotten", "short", "chance"]
COUNTERS = ["round", "rounds", "first_seat", "seat", "last_seat", "passes"]


def family(leaf):
    """What leaves of JSON data may change places with one another."""
    return "card" if leaf in KINDS else type(leaf).__name__


@st.composite
def rearranged(draw):
    """A position in which leaves of one kind changed places, counters moved or what may be missing is missing."""
    data = json.loads(draw(st.sampled_from(moments()))[0])
    for name in draw(st.lists(st.sampled_from(OPTIONAL), unique=True, max_size=3)):
        del data[name]
    if draw(st.booleans()):
        data[draw(st.sampled_from(COUNTERS))] += draw(st.sampled_from([-1, 1]))
    parts = [(part, step) for part in containers(data) for step in steps(part)]
    leaves = [(part, step) for part, step in parts if not isinstance(part[step], list | dict)]
    for _ in range(draw(st.integers(0, 4))):
        part, step = draw(st.sampled_from(leaves))
        alike = [leaf for leaf in leaves if family(leaf[0][leaf[1]]) == family(part[step])]
        other, place = draw(st.sampled_from(alike))
        part[step], other[place] = other[place], part[step]
    return data


def containers(value):
    """Every list and object in JSON data."""
    if isinstance(value, list | dict):
        yield value
        for step in steps(value):
            yield from containers(value[step])


def steps(part):
    return range(len(part)) if isinstance(part, list) else sorted(part)


def loaded(door, *arguments, **more):
    """What the door gives, or None where it refuses with a ValueError."""
    try:
        return door(*arguments, **more)
    except ValueError as error:
        assert str(error)
        return None


def check_conserved(game):
    """Every card of the deck and of the gold is somewhere."""
    data = data_of(game)
    cards = Counter(chain(data["deck"], *data["hands"], (one["card"] for one in data["discards"] + data["tunnels"])))
    cards.update(f"break:{tool}" for tools in data["broken"] for tool in tools)
    assert cards == {card: copies for card, copies in zip(KINDS, game.rules.deck, strict=True) if copies}
    offer = (data["pending"] or {}).get("gold", [])
    assert sorted(chain(data["gold_deck"], offer, *data["gold"])) == GOLD


def play_out(game, chance):
    """Play a match to its end and see that nothing is lost and that it can be stored."""
    while True:
        check_conserved(game)
        assert loaded(Game.from_json, game.to_json()), f"what was written is refused:\n{game.to_json()}"
        for _ in range(300):
            if game.round_over:
                break
            game.play(chance.choice(game.legal_moves()))
        assert game.round_over
        if game.over:
            break
        game.next_round()
    check_conserved(game)
    assert Game.from_json(game.to_json()).nuggets == game.nuggets
    assert Game.replay(game.transcript()) == game


@fuzz(120)
@given(st.binary(max_size=200) | st.text(max_size=200))
def test_random_texts_are_no_positions_and_no_transcripts(text):
    assert loaded(Game.from_json, text) is None
    assert loaded(Game.replay, text) is None


@fuzz(60)
@given(st.data())
def test_texts_cut_short_or_damaged_are_refused(data):
    text = data.draw(st.sampled_from(moments()))[data.draw(st.integers(0, 1))]
    begin, end = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    damaged = text[:begin] + data.draw(st.sampled_from(["", "\x00", "\ud800", "9" * 5000, '"', "NaN"])) + text[end:]
    for door in (Game.from_json, Game.replay):
        game = loaded(door, damaged)
        if game:
            play_out(game, random.Random(1))
        loaded(door, damaged.encode("utf-8", "surrogatepass"))


@fuzz(400)
@given(mutated(0), st.integers(0, 2**32))
def test_a_mutated_position_is_refused_or_played_to_the_end(data, seed):
    game = loaded(Game.from_json, json.dumps(data))
    if game:
        play_out(game, random.Random(seed))


@fuzz(250)
@given(rearranged(), st.integers(0, 2**32))
def test_a_rearranged_position_is_refused_or_played_to_the_end(data, seed):
    game = loaded(Game.from_json, json.dumps(data))
    if game:
        play_out(game, random.Random(seed))


@fuzz(150)
@given(mutated(1))
def test_a_mutated_transcript_is_refused_or_replayed(data):
    game = loaded(Game.replay, json.dumps(data))
    if game:
        play_out(game, random.Random(1))


MOVES = ["EW@1,0", "xNSW@-3,10", "break:lantern:2", "repair:pickaxe+cart:cart:0", "rockfall@2,0", "map:1"]
MOVES += ["discard:NES", "discard:repair:lantern", "pass", "turn:ES", "reveal:2", "take:3"]


@st.composite
def broken_moves(draw):
    """Texts of moves with some letters lost, doubled or replaced."""
    text = draw(st.sampled_from(MOVES))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text)))
        letter = draw(st.sampled_from([*"@:,-+0129NESWx", "", "\x00", "\n", " ", "\ud800", "١", "²", "99999999999"]))
        text = text[:at] + letter + text[at + draw(st.integers(0, 2)) :]
    return text


@fuzz(300)
@given(broken_moves() | JUNK | st.text(max_size=12), st.integers(0, 10**6))
def test_a_mutated_move_is_played_or_changes_nothing(move, number):
    game = Game.from_json(moments()[number % len(moments())][0])
    before = game.copy()
    legal = game.legal_moves()
    try:
        game.play(move)
    except IllegalMove as error:
        assert str(error)
        assert game == before
        assert game.transcript() == before.transcript()
        assert move not in legal
    else:
        assert move in legal


@st.composite
def broken_maps(draw):
    """Drawings of mines with some signs lost, doubled or replaced."""
    text = str(Game.from_json(draw(st.sampled_from(moments()))[0]))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(st.sampled_from([*"S.ox?$c-|!;* \n\t", "", "\x00", "\u2028", "   "])) + text[at + 1 :]
    return text


@fuzz(300)
@given(broken_maps() | st.text("S.ox?$c-|!; \n", max_size=30) | JUNK)
def test_a_mutated_map_is_refused_or_printed_and_read_again(text):
    mine = loaded(parse_map, text)
    if mine is not None:
        assert parse_map(str(mine)) == mine
    loaded(parse_cells, text)


OPTION_NAMES = [*SWITCHES, "first_seat", "deck", "role_table", "hand_size", "goal_cells", "unknown"]
OPTION_VALUES = st.one_of(
    JUNK,
    st.sampled_from([value for values in SWITCHES.values() for value in values]),
    st.dictionaries(st.sampled_from([*KINDS[:20:3], "saboteurs", "miners"]), st.integers(-1, 12), max_size=5),
    st.lists(st.lists(st.integers(-3, 9) | JUNK, min_size=1, max_size=3), max_size=4),
)


@fuzz(300)
@given(
    st.dictionaries(st.sampled_from(OPTION_NAMES), OPTION_VALUES, max_size=3) | JUNK,
    st.integers(2, 11) | JUNK,
    st.sampled_from(["lv", "uk", "fa"]) | JUNK,
    st.integers(0, 3) | JUNK,
    st.integers(0, 9) | JUNK,
)
def test_settings_are_refused_or_played_to_the_end(options, players, edition, rounds, seed):
    game = loaded(Game, players=players, edition=edition, rounds=rounds, seed=seed, options=options)
    if game and game.rules.rounds <= 3:
        play_out(game, random.Random(1))


@fuzz(100)
@given(st.sampled_from(OPTION_NAMES), OPTION_VALUES)
def test_one_option_is_refused_or_played_to_the_end(name, value):
    game = loaded(Game, players=4, seed=1, rounds=1, options={name: value})
    if game:
        play_out(game, random.Random(1))


@pytest.mark.parametrize("name", ["seat", "hands", "options", "pending", "chance"])
def test_deep_nesting_is_refused(name):
    text = json.dumps(json.loads(moments()[0][0]) | {name: "HERE"})
    limit = sys.getrecursionlimit()
    for depth in [*range(1, limit + 10), 100 * limit]:
        assert loaded(Game.from_json, text.replace('"HERE"', "[" * depth + "]" * depth)) is None


@pytest.mark.parametrize("name", OPTION_NAMES)
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
