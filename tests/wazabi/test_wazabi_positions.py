"""Wazabi's positions and settings as text: exact round trips, and every fault named."""

import json
import random
from collections import Counter
from functools import reduce
from operator import getitem

import pytest

from saboteur_env.wazabi import Game
from saboteur_env.wazabi.engine.cards import DECKS, KINDS
from saboteur_env.wazabi.engine.moves import NUMBERS, parse, text_of
from saboteur_env.wazabi.engine.rules import Rules
from tests.twins.wazabi_cards import COSTS
from tests.twins.wazabi_cards import DECKS as THEIR_DECKS


def test_the_presets_are_those_of_the_page():
    for name, copies in DECKS.items():
        assert sum(copies) == 36
        assert dict(zip(KINDS, copies, strict=True)) == {kind: THEIR_DECKS[name].get(kind, 0) for kind in KINDS}
    assert Rules.make().costs == tuple(COSTS[kind] for kind in KINDS)
    assert (Rules.make().faces, Rules.make().dice, Rules.make().cards) == ((3, 2, 1), 4, 4)


def test_a_position_is_read_as_it_was_written():
    for seed in range(12):
        rng = random.Random(seed)
        options = {"play_on": True, "costs": {"miss": 1}, "faces": {"card": 4}} if seed % 2 else {}
        game = Game(
            rng.randint(2, 6), rng.choice([*DECKS, {"miss": 12, "keep_two": 12, "remove_one": 12}]), seed, 2, options
        )
        while not game.over:
            if game.game_over:
                game.next_game()
            again = Game.from_json(game.to_json())
            assert again == game
            move = rng.choice(game.legal_moves())
            assert text_of(parse(move)) == move
            again.play(move)
            game.play(move)
            assert again == game
        assert Game.from_json(game.to_json()) == game


def test_every_number_is_a_text_or_none():
    texts = []
    for number in range(NUMBERS):
        try:
            text = text_of(number)
            texts += [text] if parse(text) == number else []
        except (IndexError, ValueError):
            continue
    assert len(texts) == len(set(texts)) == 6 + 6 + 9 * 1 - 4 + 6 * 6 + 2 * 2 + 91 + 13 + 1


def broken(**changes):
    return {**json.loads(Game(players=3, seed=4, options={"faces": {"card": 0, "die": 1}}).to_json()), **changes}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"format": "saboteur-position/1"}, "format must be 'wazabi-position/1'"),
        ({"players": 9}, "players must be a whole number from 2 to 6"),
        ({"deck": "german"}, "deck must be"),
        ({"deck": "french"}, "cards 'swap_dice' instead of 0"),
        ({"options": {"dice": 0}}, "dice must be a whole number from 1 to 12"),
        ({"options": {"luck": 1}}, "there is no option 'luck'"),
        ({"hands": [[], [], []]}, "cards 'remove_one' instead of 7"),
        ({"hands": [["ace"], [], []]}, "hands\\[0\\]\\[0\\] must be a card, not 'ace'"),
        ({"dice": [4, 4]}, "dice must be a list of"),
        ({"dice": [4, 9, 4]}, "17 dice; there were 12 at first"),
        ({"dice": [4, 0, 4]}, "seats without dice have the places"),
        ({"places": [0, 0, 1]}, "seats with dice have place 0"),
        ({"choice": None}, "the game is not over"),
        ({"rolled": {"wasabi": 1, "card": 0, "die": 0}}, "does not fit its roll"),
        ({"due": 7}, "due is 7"),
        ({"card": "miss"}, "card is 'miss' while the decision is"),
        ({"keepers": [1]}, "keepers are \\[1\\] while the decision is"),
        ({"seat": 9}, "seat must be a whole number from 0 to 2"),
        ({"seat": 1, "mover": 2}, "seat 1 is not the one to decide"),
        ({"misses": [1, 1, 1]}, "cards 'miss' instead of 2"),
        ({"chance": "-1"}, "chance must be a whole number below 2\\*\\*64 as a text"),
        ({"known": [[["miss"] * 9, [], []]] * 3}, "known\\[1\\]\\[0\\] has cards that seat 0 does not hold"),
        ({"sure": [[9] * 3] * 3}, "sure\\[1\\]\\[0\\] is 9"),
    ],
)
def test_a_bad_position_is_explained(changes, said):
    with pytest.raises(ValueError, match=said):
        Game.from_json(json.dumps(broken(**changes)))


def test_all_faults_are_named_at_once():
    with pytest.raises(ValueError, match="bad position") as refused:
        Game.from_json(json.dumps(broken(due=7, dice=[4, 9, 4], keepers=[1])))
    assert all(part in str(refused.value) for part in ("17 dice", "due is 7", "keepers are [1]"))
    with pytest.raises(ValueError, match="this is no JSON text"):
        Game.from_json("{")


def places_in(data, path=()):
    """The path of every value inside a position."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from places_in(value, (*path, key))


STRANGE = [0, 1, 2, 5, -1, None, True, "miss", "take", "give", "play", "keep", [], [1], {}]


def test_a_spoilt_position_is_refused_or_can_be_played():
    rng, met = random.Random(3), Counter()
    for seed in range(60):
        game = Game(rng.randint(2, 5), rng.choice([*DECKS]), seed, options={"play_on": True})
        for _ in range(rng.randint(0, 40)):
            if not game.over:
                game.play(rng.choice(game.legal_moves()))
        for _ in range(10):
            data = json.loads(game.to_json())
            *way, last = rng.choice(list(places_in(data)))
            reduce(getitem, way, data)[last] = rng.choice(STRANGE)
            met[plays(data, rng)] += 1
    assert met[True] > 5
    assert met[False] > 500


def plays(data, rng):
    """Whether a position is read; what is read is played on for a while."""
    try:
        game = Game.from_json(json.dumps(data), seed=1)
    except ValueError:
        return False
    for _ in range(30):
        assert Game.from_json(game.to_json()) == game
        if not game.game_over:
            game.play(rng.choice(game.legal_moves()))
    return True


def test_what_may_be_missing():
    data = broken()
    data.pop("chance")
    data.pop("known")
    data.pop("sure")
    game = Game.from_json(json.dumps(data), seed=3)
    assert game == Game.from_json(json.dumps(data), seed=3) != Game.from_json(json.dumps(data))
    assert game.view(1).known[0] == []
    assert game.view(1).hand == data["hands"][1]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"players": 1}, "players must be a whole number from 2 to 6"),
        ({"players": 3, "options": {"dice": 9}}, "more than the 24 in the box"),
        ({"players": 6, "deck": {"miss": 10}}, "4 cards for each of 6 seats; the deck has 10"),
        ({"deck": {"miss": 40, "reverse": 40}}, "at most 64 are possible"),
        ({"deck": {"ace": 40}}, "there is no deck 'ace'"),
        ({"players": 3, "options": {"neighbours": True}}, "neighbours is for 4 to 6 players"),
        ({"players": 2, "options": {"teams": [0, 0]}}, "teams is for 4 to 6 players"),
        ({"options": {"teams": [0, 0, 0, 1]}}, "a team has one or two seats"),
        ({"options": {"teams": [0, 1]}}, "teams must be"),
        ({"options": {"faces": {"die": 0}}}, "faces.die must be a whole number from 1"),
        ({"options": {"faces": {"joker": 1}}}, "there is no faces 'joker'"),
        ({"options": {"costs": {"miss": -1}}}, "costs.miss must be"),
        ({"options": {"first_seat": 4}}, "first_seat must be"),
        ({"options": 3}, "options must be a mapping"),
        ({"games": 11}, "games must be a whole number from 1 to 10"),
    ],
)
def test_impossible_settings_are_refused(settings, said):
    with pytest.raises(ValueError, match=said):
        Game(**settings)
