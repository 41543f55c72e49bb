"""The PettingZoo environment plays the game of the rules."""

import random

import numpy as np
import pytest

from saboteur_env import Game, IllegalMove, env, game_seed, wazabi_env
from saboteur_env.engine.cards import ROLES
from saboteur_env.engine.state import WINNERS
from tests.long import mask_check
from tests.long.mask_check import choose, inside, twin_of
from tests.support.aec import TABLES, at, began, face, plain, text_moves, walk
from tests.support.positions import data_of, position

MASK_ROUNDS = 150


@pytest.mark.parametrize("settings", TABLES)
def test_a_match_is_that_of_the_game(settings):
    for seed in range(3):
        made, rng = began(seed, **settings), random.Random(seed)
        game, length = twin_of(made, seed), 0
        assert made.game == game
        while not game.over:
            if game.round_over:
                game.next_round()
            assert made.agent_selection == f"dwarf_{game.seat}"
            move = choose(rng, [move for move in game.legal_moves() if inside(move, made.settings.window)])
            made.step(text_moves(made)[move])
            game.play(move)
            length += 1
            if not game.round_over:
                assert made.game.records.tobytes() == game.records.tobytes()
        assert made.game.records.tobytes() == game.records.tobytes()
        assert made.game.to_json() == game.to_json()
        info = made.infos["dwarf_0"]
        assert (WINNERS[info["winner"]], info["length"]) == (game.winner, length)
        assert [ROLES[role] for role in info["roles"][: game.rules.players]] == data_of(game)["roles"]
        assert info["nuggets"][: game.rules.players].tolist() == game.nuggets


@pytest.mark.parametrize("edition", ["lv", "lt", "uk", "ru", "fa"])
@pytest.mark.parametrize("players", range(3, 11))
def test_reset_deals_the_game_of_the_seed(players, edition):
    made = began(7, players=players, edition=edition, rounds=2, options={"draft": True})
    assert made.game == Game(players, edition, 7, 2, {"draft": True})
    made.reset(seed=np.int64(8))
    assert made.game == Game(players, edition, 8, 2, {"draft": True})


def test_reset_without_a_seed_goes_on_to_the_next_episode():
    made = began(5, players=4)
    for episode in (1, 2, 3):
        walk(made, random.Random(episode), 10)
        made.reset()
        assert made.game == Game(4, seed=game_seed(5, 0, episode))
    made.reset(seed=5)
    assert made.game == Game(4, seed=5)
    made.reset()
    assert made.game == Game(4, seed=game_seed(5, 0, 1))


def test_environments_without_a_seed_differ():
    first, second = env(players=4), env(players=4)
    for made in (first, second):
        made.reset()
    assert first.game != second.game


def test_the_mask_is_the_legal_set_of_many_rounds():
    counts = mask_check.run(MASK_ROUNDS, first=5000)
    assert all(counts[word] for word in (*mask_check.COUNTED, "outside the window")), counts


def test_the_mask_of_the_seat_to_move_is_never_empty_and_others_have_none():
    made, rng = began(3, players=3, window="printed"), random.Random(3)
    while not made.terminations["dwarf_0"]:
        masks = {agent: made.observe(agent)["action_mask"] for agent in made.agents}
        assert {agent for agent, mask in masks.items() if mask.any()} == {made.agent_selection}
        walk(made, rng, 1)
    assert not any(made.observe(agent)["action_mask"].any() for agent in made.agents)


NO_ACTIONS = [
    None, "x", "12", b"12", 1.5, 12.0, float("nan"), float("inf"), -1, 5426, 2**31, 2**70, -(2**70), [1], (), {}, 1j,
    np.int64(-5), np.uint64(2**63), np.float64(3.5), np.array([3]), object,
]  # fmt: skip


@pytest.mark.parametrize("action", NO_ACTIONS, ids=repr)
def test_what_is_no_action_is_refused(action):
    made = walk(began(2, players=3), random.Random(2), 20)
    before = face(made)
    with pytest.raises(IllegalMove, match=f"{made.agent_selection}: "):
        made.step(action)
    assert face(made) == before


@pytest.mark.parametrize("kind", [float, lambda action: action + 0.5, str, lambda action: [action]])
def test_only_a_whole_number_is_an_action(kind):
    made = began(2, players=3)
    before = face(made)
    with pytest.raises(IllegalMove, match=f"{made.agent_selection}: "):
        made.step(kind(next(iter(text_moves(made).values()))))
    assert face(made) == before


@pytest.mark.parametrize("kind", [int, np.int16, np.int32, np.int64, np.uint16, np.uint64, np.array])
def test_any_whole_number_is_an_action(kind):
    made, twin = began(2, players=3), began(2, players=3)
    action = next(iter(text_moves(made).values()))
    made.step(kind(action))
    twin.step(action)
    assert face(made) == face(twin)


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("NES@4,4", "it meets no open side of a tunnel"),
        ("map:1", "seat 0 does not hold map"),
        ("rockfall@0,0", "rocks never fall on the start"),
        ("repair:cart:cart:1", "the cart of seat 1 is not broken"),
        ("turn:NE", "nothing is to be chosen now"),
        ("pass", "seat 0 holds 6 cards; only an empty hand passes"),
        ("take:1", "nothing is to be chosen now"),
    ],
)
def test_an_illegal_action_tells_its_reason(move, reason):
    game = position(hands=[["NES", "rockfall", "repair:cart", "NEW", "NEW", "NS"]])
    made = at(game)
    before = face(made)
    with pytest.raises(IllegalMove) as error:
        made.step(made.settings.actions.number(move, 0, 3))
    assert (move in str(error.value), reason in str(error.value)) == (True, True), error.value
    assert str(error.value).startswith("dwarf_0: action ")
    assert face(made) == before


def test_a_seat_nobody_has_is_named():
    made = at(position(hands=[["break:cart"]]))
    private = made.settings.actions.number("break:cart:0", 0, 3)
    with pytest.raises(IllegalMove, match=r"break:cart:7.*there is no seat 7; 3 dwarfs play"):
        made.step(private + 7)


@pytest.mark.parametrize("shaping", [None, "public"])
@pytest.mark.parametrize("action", [0, -1, None, "x", 2**70, 1.5])
def test_a_penalty_ends_the_match_for_all(action, shaping):
    made = walk(began(4, players=4, illegal="penalty", shaping=shaping), random.Random(4), 7)
    before, agent = made.game.records.tobytes(), made.agent_selection
    made.step(action)
    assert made.game.records.tobytes() == before
    assert made.rewards == {other: -1.0 if other == agent else 0.0 for other in made.possible_agents}
    assert made.terminations == dict.fromkeys(made.possible_agents, True)
    assert made.truncations == dict.fromkeys(made.possible_agents, False)
    assert [other for other, info in made.infos.items() if info["illegal"]] == [agent]
    assert {info["length"] for info in made.infos.values()} == {8}
    assert {info["winner"] for info in made.infos.values()} == {0}, "a match broken off reveals nothing"
    made.reset()
    assert made.agents == made.possible_agents
    assert not any(made.terminations.values())


def test_a_legal_match_pays_no_penalty():
    made, twin = (began(4, players=4, illegal=illegal) for illegal in ("penalty", "raise"))
    for item in (made, twin):
        walk(item, random.Random(4))
    assert made.rewards == twin.rewards
    assert plain(made.infos) == plain(twin.infos)
    assert not made.infos["dwarf_0"]["illegal"]


@pytest.mark.parametrize("settings", TABLES)
def test_all_seats_end_in_the_same_step_with_rewards_of_their_own(settings):
    made = began(6, **settings)
    paid = dict.fromkeys(made.agents, 0.0)
    while not any(made.terminations.values()):
        agent = made.agent_selection
        assert made.last()[1] == pytest.approx(paid[agent])
        paid[agent] = 0.0
        walk(made, random.Random(made.game.records.tobytes()), 1)
        for other, reward in made.rewards.items():
            paid[other] += reward
    assert made.terminations == dict.fromkeys(made.possible_agents, True)
    assert made.truncations == dict.fromkeys(made.possible_agents, False)
    left = list(made.possible_agents)
    while made.agents:
        agent = made.agent_selection
        observation, reward, terminated, truncated, info = made.last()
        assert (terminated, truncated, bool(info)) == (True, False, True)
        assert reward == pytest.approx(paid[agent])
        assert not observation["action_mask"].any()
        made.step(None)
        left.remove(agent)
        assert made.agents == left == list(made.rewards) == list(made.infos)
    assert not (made.terminations or made.truncations or made._cumulative_rewards)


def test_the_last_mover_is_paid_for_the_last_move():
    mine = """
 |
-S-. ?
 |
"""
    game = position(mine, [["EW"], ["NE"]], players=3, roles=["saboteur", "miner", "miner"], rounds=1)
    made = at(game)
    made.step(made.settings.actions.number("EW@1,0", 0, 3))
    assert made.rewards == {"dwarf_0": -1.0, "dwarf_1": 1.0, "dwarf_2": 1.0}
    seen = {}
    for agent in made.agent_iter():
        seen[agent] = made.last()[1]
        made.step(None)
    assert seen == {"dwarf_0": -1.0, "dwarf_1": 1.0, "dwarf_2": 1.0}


def test_a_dead_step_takes_nothing_but_none():
    made = walk(began(6, players=3, rounds=1), random.Random(6))
    with pytest.raises(ValueError, match="the only valid action is None"):
        made.step(0)
    for _ in range(3):
        made.step(None)
    assert made.agents == []


@pytest.mark.parametrize("steps", [1, 2])
def test_reset_while_the_dead_are_taken_off(steps):
    made = walk(began(6, players=3, rounds=1), random.Random(6))
    for _ in range(steps):
        made.step(None)
    made.reset(seed=9)
    assert face(made) == face(began(9, players=3, rounds=1))
    walk(made, random.Random(1))
    assert [made.step(None) for _ in range(3)] == [None] * 3
    assert made.agents == []


def test_the_mask_in_the_info():
    usual, made = began(3, players=4), began(3, players=4, mask_in="info")
    assert made.observation_space("dwarf_0") == usual.observation_space("dwarf_0")["observation"]
    rng = random.Random(3)
    while not usual.terminations["dwarf_0"]:
        for agent in usual.agents:
            shown, seen = usual.observe(agent), made.observe(agent)
            assert seen.tolist() == shown["observation"].tolist()
            assert made.infos[agent]["action_mask"].tolist() == shown["action_mask"].tolist()
            assert made.infos[agent]["action_mask"].dtype == np.int8
        moves = text_moves(usual)
        action = moves[rng.choice(sorted(moves))]
        made.step(action)
        usual.step(action)
    assert made.rewards == usual.rewards
    assert made.infos["dwarf_0"]["winner"] == usual.infos["dwarf_0"]["winner"]


@pytest.mark.parametrize("mask_in", ["observation", "info"])
def test_the_dict_form_is_the_flat_form_split(mask_in):
    flat, made = (began(3, players=4, history=4, form=form, mask_in=mask_in) for form in ("flat", "dict"))
    for agent in made.agents:
        vector, arrays = flat.observe(agent), made.observe(agent)
        assert made.observation_space(agent).contains(arrays)
        assert flat.observation_space(agent).contains(vector)
        if mask_in == "observation":
            vector, arrays = vector["observation"], arrays["observation"]
        split = made.settings.observations.split(vector)
        assert {name: array.tolist() for name, array in arrays.items()} == {n: a.tolist() for n, a in split.items()}


def test_observations_are_arrays_of_their_own():
    made = began(3, players=3)
    before = face(made)
    for agent in made.agents:
        shown = made.observe(agent)
        shown["observation"][:] = 1
        shown["action_mask"][:] = 1
    made.state()[:] = 1
    made.game.records[:] = 0
    assert face(made) == before


@pytest.mark.parametrize("make", [env, wazabi_env])
def test_what_a_match_has_is_missed_in_words_before_the_first_reset(make):
    made = make(players=3)
    with pytest.raises(RuntimeError, match=r"call reset\(\) before last\(\)"):
        made.last()
    for name in ("agents", "num_agents", "agent_selection", "rewards", "infos", "terminations", "truncations"):
        with pytest.raises(AttributeError, match=r"call reset\(\) before"):
            getattr(made, name)
        assert not hasattr(made, name)
    with pytest.raises(AttributeError, match=r"call reset\(\) before agents"):
        list(made.agent_iter())
    with pytest.raises(AttributeError, match="hats"):
        _ = made.hats
    made.reset(seed=1)
    assert made.last()[1] == 0.0


MISFIT = """
 . . ?

 . . .
 |
-S-. ?
 |
 o-o-o-.
"""


def test_a_choice_is_an_action_of_the_same_seat():
    made = at(position(MISFIT, [["NEW"]], faces=["treasure", "stone:NE"]))
    made.step(text_moves(made)["NEW@1,0"])
    assert made.agent_selection == "dwarf_0"
    assert text_moves(made).keys() == {"turn:NE", "turn:SW"}
    made.step(text_moves(made)["turn:SW"])
    assert made.agent_selection == "dwarf_1"


def test_agents_and_their_spaces():
    made = env(players=10)
    assert made.possible_agents == [f"dwarf_{seat}" for seat in range(10)]
    for agent in made.possible_agents:
        assert made.observation_space(agent) is made.observation_space(agent)
        assert made.action_space(agent) is made.action_space(agent)
        assert made.action_space(agent).n == made.settings.actions.count
        assert made.observation_space(agent)["action_mask"].dtype == np.int8
    made.reset(seed=1)
    for agent in made.agents:
        assert made.observation_space(agent).contains(made.observe(agent))
    assert made.state_space.contains(made.state())
