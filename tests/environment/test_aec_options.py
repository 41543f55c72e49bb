"""Settings and options of reset: positions, roles, and what is refused."""

import random

import pytest

from saboteur_env import Game, env, game_seed, raw_env, saboteur_v0
from saboteur_env.engine.cards import MINER, SABOTEUR
from saboteur_env.environment.settings import Settings
from tests.long.mask_check import choose, inside, twin_of
from tests.support.aec import NEAR, at, began, face, plain, text_moves, walk
from tests.support.positions import data_of, position


def test_reseeding_keeps_every_setting():
    settings = {"players": 6, "edition": "uk", "rounds": 2, "options": {"draft": True} | NEAR, "window": "small"}
    made = began(1, history=8, form="dict", mask_in="info", reward="match", illegal="penalty", **settings)
    kept, rules = made.settings, made.game.rules
    spaces = [made.observation_space("dwarf_0"), made.action_space("dwarf_0")]
    for seed in (2, None, 2):
        made.reset(seed=seed)
        assert made.settings is kept
        assert made.game.rules == rules
        assert made.observation_space("dwarf_0") is spaces[0]
        assert made.action_space("dwarf_0") is spaces[1]


def test_a_fixed_position_is_played_on():
    game = Game(5, "ru", seed=3)
    for turn in range(23):
        game.play(choose(random.Random(turn), [move for move in game.legal_moves() if inside(move, "medium")]))
    for given in (game.to_json(), data_of(game)):
        made = env(players=5, edition="ru")
        made.reset(seed=1, options={"position": given, "anything": 1})
        assert made.game == game
        assert made.agent_selection == f"dwarf_{game.seat}"
        walk(made, random.Random(1))
        assert made.terminations["dwarf_0"]
    made.reset(seed=1)
    assert made.game == Game(5, "ru", seed=1), "a fixed position is for one match"


def test_a_fixed_position_without_chance_takes_the_seed():
    data = data_of(position())
    del data["chance"]
    twins = []
    for seed in (1, 1, 2):
        made = env(players=3)
        made.reset(seed=seed, options={"position": data})
        while made.game.round == 1:
            moves = text_moves(made)
            made.step(moves[next(move for move in moves if move.startswith("discard"))])
        twins.append(made.game)
    assert twins[0] == twins[1] != twins[2]


def test_a_position_at_the_end_of_a_round_goes_on_with_the_next():
    game = Game(3, seed=1)
    while not game.round_over:
        game.play(next(move for move in game.legal_moves() if move.startswith("discard")))
    made = at(game)
    game.next_round()
    assert made.game.records.tobytes() == game.records.tobytes()


@pytest.mark.parametrize("roles", [["saboteur", "miner", "saboteur", "miner"], ["miner"] * 4])
def test_fixed_roles(roles):
    made = env(players=4, options={"role_table": {"saboteurs": 2, "miners": 3}} if "saboteur" in roles else {})
    made.reset(seed=3, options={"roles": roles, "else": None})
    usual = twin_of(made, 3)
    assert data_of(made.game)["roles"] == roles
    unseen = {"roles": None, "role_aside": None}
    assert {**data_of(made.game), **unseen} == {**data_of(usual), **unseen}
    walk(made, random.Random(3))
    made.reset(seed=3)
    assert made.game == usual, "fixed roles are for one match"


def test_fixed_roles_are_those_of_the_first_round_and_are_told_at_its_end():
    made = env(players=3, rounds=1)
    made.reset(seed=1, options={"roles": ["miner", "miner", "saboteur"]})
    walk(made, random.Random(1))
    assert made.infos["dwarf_1"]["roles"][:3].tolist() == [MINER, MINER, SABOTEUR]


def test_nobody_sees_that_roles_or_a_position_were_fixed():
    usual = began(3, players=5)
    roles = data_of(usual.game)["roles"]
    other = next(seat for seat in range(1, 5) if roles[seat] != roles[0])
    roles[0], roles[other] = roles[other], roles[0]
    made, at_position = env(players=5), at(usual.game)
    made.reset(seed=3, options={"roles": roles})
    assert made.game != usual.game
    for seat in range(5):
        shown = usual.observe(f"dwarf_{seat}")
        assert at_position.observe(f"dwarf_{seat}")["observation"].tolist() == shown["observation"].tolist()
        if seat not in (0, other):
            assert plain(made.infos[f"dwarf_{seat}"]) == plain(usual.infos[f"dwarf_{seat}"])
            assert made.observe(f"dwarf_{seat}")["observation"].tolist() == shown["observation"].tolist()
            assert made.game.view(seat) == usual.game.view(seat)


BAD_OPTIONS = [
    {"roles": ["miner"] * 3}, {"roles": ["saboteur"] * 4}, {"roles": ["miner"] * 5}, {"roles": ["digger"] * 4},
    {"roles": []}, {"roles": "mine"}, {"roles": 5}, {"roles": [[], [], [], []]}, {"roles": [None] * 4},
    {"position": "{"}, {"position": "[]"}, {"position": "null"}, {"position": 5}, {"position": {}}, {"position": []},
    {"position": Game(3, seed=1).to_json()}, {"position": Game(4, "ru", seed=1).to_json()},
    {"position": Game(4, seed=1, rounds=2).to_json()}, {"position": Game(4, seed=1, options={"draft": True}).to_json()},
    {"position": {**data_of(Game(4, seed=1)), "hands": [[]] * 4}},
]  # fmt: skip


@pytest.mark.parametrize(
    "options", BAD_OPTIONS, ids=[f"{key}-{i}" for i, item in enumerate(BAD_OPTIONS) for key in item]
)
def test_bad_options_leave_the_running_match(options):
    made = walk(began(3, players=4), random.Random(3), 9)
    before = face(made)
    with pytest.raises(ValueError, match=r"options|position|roles"):
        made.reset(seed=1, options=options)
    assert face(made) == before
    made.reset()
    assert made.game == Game(4, seed=game_seed(3, 0, 1)), "a refused reset is no episode"


def test_a_match_that_is_over_is_no_position_to_begin_from():
    game = Game(3, seed=1, rounds=1)
    while not game.over:
        game.play(next(move for move in game.legal_moves() if move.startswith("discard")))
    with pytest.raises(ValueError, match="the match of this position is over"):
        env(players=3, rounds=1).reset(options={"position": game.to_json()})


@pytest.mark.parametrize("seed", [-1, 1.5, "a", True, 2**64, [1]])
def test_a_bad_seed_leaves_the_running_match(seed):
    made = walk(began(3, players=4), random.Random(3), 9)
    before = face(made)
    with pytest.raises(ValueError, match=r"a seed is a whole number from 0 below 2\*\*64"):
        made.reset(seed=seed)
    assert face(made) == before


BAD_SETTINGS = [
    ({"players": 2}, "players"), ({"players": "5"}, "players"), ({"edition": "de"}, "edition"),
    ({"edition": []}, "edition"), ({"rounds": 0}, "rounds"), ({"rounds": 11}, "rounds"), ({"options": {"x": 1}}, "x"),
    ({"options": 5}, "options"), ({"window": "huge"}, "window"), ({"window": []}, "window"),
    ({"history": 129}, "history"), ({"history": -1}, "history"), ({"history": 1.5}, "history"), ({"form": "x"}, "form"),
    ({"form": []}, "form"), ({"mask_in": 0}, "mask_in"), ({"reward": "x"}, "reward"), ({"reward": None}, "reward"),
    ({"shaping": "x"}, "shaping"), ({"gamma": 1.1}, "gamma"), ({"gamma": -0.1}, "gamma"), ({"gamma": "1"}, "gamma"),
    ({"gamma": None}, "gamma"), ({"gamma": float("nan")}, "gamma"), ({"illegal": "x"}, "illegal"),
    ({"render_mode": "x"}, "render_mode"),
]  # fmt: skip


@pytest.mark.parametrize(("settings", "name"), BAD_SETTINGS, ids=[repr(item) for item, _ in BAD_SETTINGS])
def test_a_bad_setting_is_named(settings, name):
    with pytest.raises(ValueError, match=name):
        env(**settings)


def test_a_setting_there_is_not_is_named():
    with pytest.raises(TypeError, match="hats"):
        env(hats=3)


def test_settings_come_whole_or_as_keywords():
    settings = Settings(players=3, window="small")
    one, two = raw_env(settings), saboteur_v0.env(players=3, window="small")
    assert one.settings == two.settings
    with pytest.raises((TypeError, ValueError)):
        raw_env(settings, players=4)


@pytest.mark.parametrize("door", ["step", "observe", "state", "render", "game"])
def test_nothing_works_before_the_first_reset(door):
    made = env(players=3, render_mode="ansi")
    calls = {
        "step": lambda: made.step(0),
        "observe": lambda: made.observe("dwarf_0"),
        "state": made.state,
        "render": made.render,
        "game": lambda: made.game,
    }
    with pytest.raises(RuntimeError, match=r"call reset\(\) before"):
        calls[door]()
