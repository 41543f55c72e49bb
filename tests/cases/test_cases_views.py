"""Case 31: what a seat sees."""

import gc
import random
import types
from itertools import chain

import numpy as np
import pytest

from saboteur_env import Game
from saboteur_env.engine.state import PAST, PRIVATE, PUBLIC, RULES
from tests.support.cases import every_edition
from tests.support.positions import data_of, load


def middle_of_a_match(edition, players, seed):
    """A game after some random moves, in the first or in a later round."""
    rng = random.Random(f"{edition}/{players}/{seed}")
    game = Game(players=players, edition=edition, seed=seed, options={"goal_cells": [[3, -1], [3, 0], [3, 1]]})
    for _ in range(rng.randrange(5, 150)):
        if game.over:
            break
        if game.round_over:
            game.next_round()
        game.play(rng.choice(game.legal_moves()))
    return game


def with_other_secrets(data, seat, rng):
    """The same position as far as this seat can know, with everything else dealt again."""
    others = [other for other in range(data["players"]) if other != seat]
    _deal_cards_anew(data, others, rng)
    if data["winner"] is None:
        roles = [data["roles"][other] for other in others] + [data["role_aside"]] * bool(data["role_aside"])
        rng.shuffle(roles)
        for other in others:
            data["roles"][other] = roles.pop()
        data["role_aside"] = roles.pop() if roles else None
    unknown = [goal for i, goal in enumerate(data["goals"]) if not goal["open"] and i not in data["maps"][seat]]
    faces = rng.sample([goal["face"] for goal in unknown], len(unknown))
    for goal, face in zip(unknown, faces, strict=True):
        goal["face"] = face
    _deal_gold_anew(data, others, rng)
    return data | {"chance": str(rng.getrandbits(64))}


def _deal_cards_anew(data, others, rng):
    hidden = [one for one in data["discards"] if one.get("by") in others]
    cards = data["deck"] + [card for other in others for card in data["hands"][other]] + [one["card"] for one in hidden]
    rng.shuffle(cards)
    for pile in (data["deck"], *(data["hands"][other] for other in others)):
        pile[:] = [cards.pop() for _ in pile]
    laid = {other: [] for other in others}
    for one in hidden:
        one["card"] = cards.pop()
        laid[one["by"]].append(one["card"])
    for entry in data["record"]:
        if entry[0] in laid and entry[1].startswith("discard"):
            entry[1] = f"discard:{laid[entry[0]].pop(0)}"


def _deal_gold_anew(data, others, rng):
    piles = [data["gold_deck"], *(data["gold"][other] for other in others)]
    values = list(chain(*piles))
    rng.shuffle(values)
    for pile in piles:
        pile[:] = [values.pop() for _ in pile]
    taken = [iter(pile) for pile in data["gold"]]
    for entry in (entry for past in data["past"] for entry in past["gold"]):
        entry[1] = next(taken[entry[0]])


@every_edition
@pytest.mark.parametrize("players", [3, 4, 5, 7, 10])
@pytest.mark.parametrize("seed", range(2))
def test_case_31_what_a_seat_cannot_know_is_not_in_its_view(edition, players, seed):
    game, rng = middle_of_a_match(edition, players, seed), random.Random(seed)
    if game.over:
        return
    for seat in range(players):
        other = load(with_other_secrets(data_of(game), seat, rng))
        mine, theirs = load(data_of(game)).view(seat), other.view(seat)
        assert other != game
        assert mine == theirs, f"seat {seat} can tell these apart:\n{game.to_json()}\n{other.to_json()}"
        assert mine.legal_moves() == theirs.legal_moves()
        assert hash(mine) == hash(theirs)


def reachable(thing, seen):
    """Everything that depends on an object's attributes, items and array bases."""
    if id(thing) in seen or isinstance(thing, type | types.ModuleType | types.FunctionType):
        return
    seen[id(thing)] = thing
    for other in gc.get_referents(thing):
        reachable(other, seen)
    if isinstance(thing, np.ndarray | np.generic) and thing.base is not None:
        reachable(thing.base, seen)


def test_case_31_no_view_holds_the_game_it_was_made_from():
    game, seen = Game(players=3, seed=2**63 + 12345), {}
    reachable(game.view(0), seen)
    arrays = [item for item in seen.values() if isinstance(item, np.ndarray | np.generic)]
    assert {item.dtype for item in arrays if item.dtype.names} <= {PUBLIC, PRIVATE, RULES, PAST}
    assert not any((2**63 + 12345).to_bytes(8, "little") in item.tobytes() for item in arrays)
