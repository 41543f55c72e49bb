"""Positions are read as they were written."""

import random

import pytest

from saboteur_env import Game
from saboteur_env.game.position_schema import POSITION_SCHEMA
from tests.support.position_faults import later_round, random_move
from tests.support.positions import data_of, load, played

SMALL_MINE = {"goal_cells": [[2, -1], [2, 0], [2, 1]]}

LINE_OF_GOALS = {"goal_cells": [[2, 0], [3, 0], [2, 1]]}


def random_match(rng, **settings):
    """Every moment of a whole match."""
    game = Game(seed=rng.getrandbits(64), **settings)
    yield game
    while not game.over:
        if game.round_over:
            game.next_round()
        else:
            game.play(random_move(game, rng))
        yield game


@pytest.mark.parametrize(("edition", "players"), [("lv", 3), ("lt", 6), ("uk", 8), ("ru", 5), ("fa", 10)])
@pytest.mark.parametrize("options", [{}, {"draft": True} | SMALL_MINE, {"broken_no_gold": True} | LINE_OF_GOALS])
def test_a_position_is_read_as_it_was_written(options, edition, players):
    rng = random.Random(f"{edition}{players}{options}")
    for number, moment in enumerate(random_match(rng, players=players, edition=edition, options=options)):
        text = moment.to_json()
        if number % 4 and '"pending": null, "winner": null' in text:
            continue  # of ordinary moments a quarter, of the others all
        read = Game.from_json(text)
        assert read.to_json() == text
        assert read == moment, f"not bit for bit the same after a reload: {differing(read, moment)} in\n{text}"
    assert moment.over


def differing(one, other):
    """The fields of two records that differ, for the message of a test that fails."""
    pairs = [(one._games[0], other._games[0], "game")]
    result = []
    while pairs:
        left, right, where = pairs.pop()
        for name in left.dtype.names or ():
            if left[name].tobytes() != right[name].tobytes():
                result.append(f"{where}.{name}")
                if left[name].dtype.names and left[name].ndim == 0:
                    pairs.append((left[name], right[name], f"{where}.{name}"))
    return result


def choices(edition, options, wanted, matches=24):
    """Moments in which a choice of one kind is to be made."""
    rng = random.Random(f"{edition}{wanted}")
    for number in range(matches):
        for moment in random_match(rng, players=3 + number % 3, edition=edition, rounds=1, options=options):
            if wanted in (data_of(moment)["pending"] or {}):
                yield moment.copy()


@pytest.mark.parametrize(
    ("edition", "options", "wanted"),
    [
        ("uk", {"goal_cells": [[1, -1], [2, 0], [1, 1]]}, "goals"),
        ("lv", {"goal_cells": [[1, -1], [2, 0], [1, 1]], "goals": "one"}, "goals"),
        ("lv", {"goal_cells": [[1, -1], [2, 0], [1, 1]]}, "stone"),
        ("uk", {"goal_cells": [[1, -1], [2, 0], [1, 1]]}, "stone"),
        ("lv", {"goal_cells": [[1, 1]], "draft": True}, "gold"),
    ],
)
def test_a_choice_is_read_as_it_was_written_and_plays_on_alike(edition, options, wanted):
    seen = 0
    for game in choices(edition, options, wanted):
        read, seen = Game.from_json(game.to_json()), seen + 1
        for move in game.legal_moves():
            assert played(read.copy(), move) == played(game.copy(), move)
    assert seen > 5


def test_a_reload_plays_on_to_the_same_end():
    rng = random.Random(3)
    game = Game(players=4, seed=11, options=SMALL_MINE)
    twin = game.copy()
    while not game.over:
        if game.round_over:
            game.next_round()
            twin.next_round()
        move = random_move(game, rng)
        game.play(move)
        twin.play(move)
        twin = Game.from_json(twin.to_json().encode())
    assert twin == game


OPTIONAL = [name.removesuffix("?") for name in POSITION_SCHEMA if name.endswith("?")]


@pytest.mark.parametrize("draft", [False, True])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("missing", [*([name] for name in OPTIONAL), OPTIONAL, ["forgotten", "short"]], ids=str)
def test_what_may_be_missing_changes_nothing_else(missing, seed, draft):
    whole = data_of(later_round(draft, seed))
    data = data_of(load({name: value for name, value in whole.items() if name not in missing}))
    assert remembered_without_order(data) == remembered_without_order(whole)


def remembered_without_order(data):
    """What is left of a position without what may be missing, the discards by card."""
    discards = sorted(data["discards"], key=lambda one: (one["card"], one.get("by", -1)))
    return {name: value for name, value in data.items() if name not in OPTIONAL} | {"discards": discards}


@pytest.mark.parametrize("missing", [["past"], ["past", "forgotten"], OPTIONAL], ids=str)
def test_rounds_before_the_first_one_remembered_do_not_move_up(missing):
    data = data_of(later_round())
    game = load({name: value for name, value in data.items() if name not in missing}, seed=1)
    game.next_round()
    assert Game.from_json(game.to_json()) == game


def test_the_gold_of_a_draft_going_on_is_kept_where_only_past_tells_of_it():
    game = later_round(draft=True)
    game.next_round()
    rng = random.Random(1)
    while not game.round_over:
        data = data_of(game)
        read = data_of(load({name: value for name, value in data.items() if name not in ("forgotten", "short")}))
        assert (read["gold"], read["gold_deck"]) == (data["gold"], data["gold_deck"])
        game.play(random_move(game, rng))


def test_a_position_without_chance_takes_a_seed():
    data = data_of(Game(players=3, seed=1))
    del data["chance"]
    assert load(data, seed=7) == load(data, seed=7) != load(data, seed=8)
    assert load(data).view(0) == load(data).view(0)
    assert data_of(load(data, seed=7))["chance"] == "7"


def test_a_seed_stands_above_the_chance_that_is_stored():
    game = Game(players=3, seed=1)
    assert load(data_of(game)) == game
    assert data_of(load(data_of(game), seed=7))["chance"] == "7"
    assert data_of(load(data_of(game), seed=7))["hands"] == data_of(game)["hands"]


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "7", True])
def test_a_seed_that_is_none_is_refused(seed):
    with pytest.raises(ValueError, match="a seed is a whole number from 0 below 2"):
        load(data_of(Game(players=3, seed=1)), seed=seed)


@pytest.mark.parametrize(
    "text", ["", "{", "[1, 2", "nonsense", "\x00", b"\xff\xfe\x00", "1" * 5000, "[" * 100_000, None]
)
def test_what_is_no_json_is_refused(text):
    with pytest.raises(ValueError, match="bad position"):
        Game.from_json(text)
