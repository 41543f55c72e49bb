"""What an observation does not show."""

import json
import random
from itertools import chain

from saboteur_env.engine.cards import KINDS
from saboteur_env.environment.encoder import MINE_PLANES
from saboteur_env.environment.observations import Observations
from tests.support.observed import known_faces, moments, of_kinds, seen
from tests.support.positions import data_of, load, played, position


def hide_cards(data, seat, rng):
    """Share out again the cards of the deck, of the other hands and of what others laid face down."""
    others = [target for target in range(data["players"]) if target != seat]
    hidden = [discard for discard in data["discards"] if discard.get("by", seat) != seat]
    cards = [*data["deck"], *chain(*(data["hands"][other] for other in others)), *(one["card"] for one in hidden)]
    rng.shuffle(cards)
    data["deck"] = [cards.pop() for _ in data["deck"]]
    for other in others:
        data["hands"][other] = [cards.pop() for _ in data["hands"][other]]
    for discard in hidden:
        discard["card"] = cards.pop()
    laid = {other: iter([one["card"] for one in hidden if one["by"] == other]) for other in others}
    for entry in data["record"]:
        if entry[0] != seat and entry[1].startswith("discard"):
            entry[1] = f"discard:{next(laid[entry[0]])}"


def hide_roles(data, seat, rng):
    """Deal the roles of the others and the one aside again, until the round has a winner."""
    if data["winner"] is None:
        others = [target for target in range(data["players"]) if target != seat]
        aside = [data["role_aside"]] if data["role_aside"] else []
        roles = [data["roles"][other] for other in others] + aside
        rng.shuffle(roles)
        for other in others:
            data["roles"][other] = roles.pop()
        data["role_aside"] = roles.pop() if roles else None


def hide_faces(data, seat, rng):
    """Shuffle the faces of the goals that the seat does not know."""
    goals = [goal for goal, face in zip(data["goals"], known_faces(data, seat), strict=True) if face is None]
    faces = [goal["face"] for goal in goals]
    rng.shuffle(faces)
    for goal, face in zip(goals, faces, strict=True):
        goal["face"] = face


def hide_gold(data, seat, rng):
    """Shuffle the gold deck, the offer that another picks from, and the gold of the others until the match ends."""
    offer = (data["pending"] or {}).get("gold", []) if data["seat"] != seat else []
    over = data["winner"] and data["round"] == data["rounds"] and not data["pending"]
    piles = [data["gold_deck"], offer]
    if not over:
        piles += [pile for other, pile in enumerate(data["gold"]) if other != seat]
        data["past"] = []
        data.pop("forgotten", None)
    values = list(chain(*piles))
    rng.shuffle(values)
    for pile in piles:
        pile[:] = [values.pop() for _ in pile]
    for other in range(data["players"]):
        taken = [entry for entry in data["record"] if entry[0] == other != seat and entry[1].startswith("take")]
        for entry, value in zip(reversed(taken), reversed(data["gold"][other]), strict=False):
            entry[1] = f"take:{value}"


def veiled(game, seat, rng):
    """A game that differs only in what the seat cannot know."""
    data = data_of(game)
    for hide in (hide_cards, hide_roles, hide_faces, hide_gold):
        hide(data, seat, rng)
    return load(data, seed=rng.getrandbits(64))


def test_nothing_shows_that_the_seat_cannot_know():
    rng, watcher, told = random.Random(0), Observations(history=128), 0
    for game in moments():
        for seat in range(game.rules.players):
            twin = veiled(game, seat, rng)
            assert twin != game
            here, there = watcher.observe(game.view(seat)), watcher.observe(twin.view(seat))
            assert here.tolist() == there.tolist(), f"seat {seat} sees a secret in\n{json.dumps(data_of(game))}"
            assert game.view(seat).legal_moves() == twin.view(seat).legal_moves()
            other = (seat + 1) % game.rules.players
            told += watcher.observe(game.view(other)).tobytes() != watcher.observe(twin.view(other)).tobytes()
    assert told > 100, "the twins differ in what others know"


def test_a_seat_reads_its_map_alone():
    game = played(position(hands=[["map"]], faces=["treasure", "stone:NE", "stone:NW"]), "map:0")
    read = [seen(game, seat)["goals"][0].tolist() for seat in range(3)]
    assert read == [[1, 0, 1, 0, 0, 1, 8, -2], *[[1, 0, 0, 0, 0, 0, 8, -2]] * 2]
    assert [seen(game, seat)["seats"][-seat % 3, 9] for seat in range(3)] == [1, 1, 1]
    treasure = MINE_PLANES.index("treasure, face up or read by this seat")
    assert [seen(game, seat)["mine"][treasure].sum() for seat in range(3)] == [1, 0, 0]


def test_a_card_laid_face_down_shows_to_its_owner_alone():
    game = played(position(hands=[["xE"]]), "discard:xE")
    assert [seen(game, seat)["discarded"].tolist() for seat in range(3)] == [of_kinds(["xE"]), *[of_kinds([])] * 2]
    assert [seen(game, seat)["events"][0, 1:3].tolist() for seat in range(3)] == [
        [6, KINDS.index("xE")],
        *[[6, 31]] * 2,
    ]
    assert not any(seen(game, seat)["played"].any() for seat in range(3))
