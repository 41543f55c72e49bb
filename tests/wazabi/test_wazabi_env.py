"""Wazabi's doors to learners: PettingZoo's own tests, determinism, actions, rewards, and the batch beside the game."""

import warnings

import numpy as np
import pytest

from saboteur_env import game_seed, wazabi_env
from saboteur_env.wazabi import Game, IllegalMove
from saboteur_env.wazabi.actions import ACTIONS, number_of, table, text_of_action
from saboteur_env.wazabi.observations import FIELDS, observation_of, split
from saboteur_env.wazabi.vector import Vec
from tests.environment.test_conformance import checked

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, seed_test

TABLES = [
    {"players": 2},
    {"players": 3, "deck": "french"},
    {"players": 4, "games": 3, "reward": "points", "options": {"teams": [0, 1, 0, 1]}},
    {"players": 5, "options": {"play_on": True, "neighbours": True}, "reward": "places"},
    {"players": 6, "deck": "french", "illegal": "penalty"},
]
every_table = pytest.mark.parametrize("settings", TABLES, ids=repr)


@every_table
def test_the_interface(settings):
    checked(api_test, wazabi_env(**settings), num_cycles=120)


@every_table
def test_seeds(settings):
    checked(seed_test, lambda: wazabi_env(**settings), num_cycles=60)


def episode(env, seed, choices):
    """Plays a match of random moves; returns everything that was seen and paid."""
    env.reset(seed=seed)
    seen = []
    for agent in env.agent_iter():
        observation, reward, terminated, _, info = env.last()
        seen.append((agent, observation["observation"].tobytes(), observation["action_mask"].tobytes(), reward))
        legal = np.flatnonzero(observation["action_mask"])
        assert len(legal) > 0 or terminated
        env.step(None if terminated else int(choices.choice(legal)))
    return seen, {name: np.asarray(value).tolist() for name, value in info.items()}


@every_table
def test_a_seed_is_an_episode(settings):
    one, same, other = (episode(wazabi_env(**settings), seed, np.random.default_rng(1)) for seed in (3, 3, 4))
    assert one == same != other


@every_table
def test_the_episode_is_the_game_of_its_seed(settings):
    env, choices = wazabi_env(**settings), np.random.default_rng(2)
    env.reset(seed=9)
    game = Game(
        settings["players"], settings.get("deck", "sheet"), 9, settings.get("games", 1), settings.get("options")
    )
    while not game.over:
        assert env.game == game
        assert env.agent_selection == f"player_{game.seat}"
        observation, mask = env.observe(env.agent_selection).values()
        assert np.array_equal(observation, observation_of(game.view(game.seat)))
        texts = [text_of_action(action, game.seat, game.rules.players) for action in np.flatnonzero(mask)]
        assert sorted(texts) == game.legal_moves()
        move = choices.choice(game.legal_moves())
        others = [agent for agent in env.agents if agent != env.agent_selection]
        assert not any(env.observe(agent)["action_mask"].any() for agent in others)
        env.step(number_of(move, game.seat, game.rules.players))
        game.play(move)
        if game.game_over and not game.over:
            game.next_game()
    assert all(env.terminations.values())
    assert env.infos["player_0"]["winner"] == game.winner


@pytest.mark.parametrize(
    ("reward", "paid"), [("win", [1, -1, 1, -1]), ("places", [1, -1 / 3, -1 / 3, -1 / 3]), ("points", [7, 0, 7, 0])]
)
def test_what_a_game_pays(reward, paid):
    from saboteur_env.wazabi.rewards import REWARDS, pay_game
    from tests.long.wazabi_tables import table

    game = table(">0 o [remove_one]\n 1 oo []\n 2 ooo []\n 3 ooooo []", teams=[0, 1, 0, 1])
    game.play("play:remove_one")
    shown = np.zeros(6)
    pay_game(game.records[0].public, REWARDS.index(reward), shown)
    assert shown[:4] == pytest.approx(paid)


def test_illegal_actions_are_explained_or_punished():
    env = wazabi_env(players=3)
    env.reset(seed=1)
    before, wrong = env.game, int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"] == 0)[0])
    for action, said in ((wrong, "is not legal"), (ACTIONS, "there is no action"), (None, "there is no action")):
        with pytest.raises(IllegalMove, match=said):
            env.step(action)
    assert env.game == before
    env = wazabi_env(players=3, illegal="penalty")
    env.reset(seed=1)
    offender = env.agent_selection
    env.step(wrong)
    assert env.rewards == {agent: -float(agent == offender) for agent in env.agents}
    assert [agent for agent, info in env.infos.items() if info["illegal"]] == [offender]
    assert {info["winner"] for info in env.infos.values()} == {-1}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"players": 7}, "players must be a whole number from 2 to 6"),
        ({"reward": "nuggets"}, "reward must be one of win, places, points"),
        ({"illegal": "ignore"}, "illegal must be one of"),
        ({"render_mode": "human"}, "render_mode must be one of"),
        ({"deck": "german"}, "deck must be sheet or french"),
    ],
)
def test_impossible_settings_are_refused(settings, said):
    with pytest.raises(ValueError, match=said):
        wazabi_env(**settings)


def test_the_table_is_drawn_as_text():
    env = wazabi_env(players=2, render_mode="ansi")
    with pytest.raises(RuntimeError, match="call reset"):
        env.render()
    env.reset(seed=3)
    assert env.render() == str(env.game)
    with pytest.raises(ValueError, match="needs the render_mode ansi"):
        (plain := wazabi_env(players=2)).reset(seed=3)
        plain.render()


def test_actions_and_moves_are_one_to_one():
    assert sum(count for _, _, count in table()) == ACTIONS
    for seat in range(6):
        texts = {text_of_action(action, seat, 6) for action in range(ACTIONS)}
        assert len(texts) == ACTIONS
        assert {number_of(text, seat, 6) for text in texts} == set(range(ACTIONS))
    assert text_of_action(number_of("play:miss:1", 3, 4), 0, 4) == "play:miss:2"


def test_the_parts_of_an_observation_fill_it():
    arrays = split(observation_of(Game(players=3, seed=1).view(1)))
    assert {name: array.shape for name, array in arrays.items()} == {field.name: field.shape for field in FIELDS}
    assert arrays["hands"][0].sum() == arrays["seats"][0, 5]
    assert arrays["seats"][:, 0].tolist() == [1, 1, 1, 0, 0, 0]
    assert arrays["seats"][:, 4].tolist() == [4, 4, 4, 0, 0, 0]


@every_table
def test_every_game_of_a_batch_is_the_game_of_its_seed(settings):
    settings = {name: value for name, value in settings.items() if name != "illegal"}
    vec = Vec(6, seed=3, **settings)
    rules = vec.rules
    fresh = lambda i, n: Game(rules.players, rules.deck_named(), game_seed(3, i, n), rules.games, rules.options())  # noqa: E731
    twins = [fresh(i, 0) for i in range(6)]
    for step in range(300):
        for i, game in enumerate(twins):
            assert vec.game(i) == game
            assert np.array_equal(vec.observation[i], observation_of(game.view(game.seat)))
            listed = vec.legal[i, : vec.legal_count[i]]
            assert sorted(listed) == np.flatnonzero(vec.mask[i]).tolist()
            assert sorted(text_of_action(a, game.seat, rules.players) for a in listed.tolist()) == game.legal_moves()
        actions = vec.sample(step)
        vec.step(actions)
        for i, game in enumerate(twins):
            game.play(text_of_action(int(actions[i]), game.seat, rules.players))
            assert (vec.game_over[i], vec.ended[i]) == (game.game_over, game.over)
            assert bool(vec.reward[i].any()) == game.game_over
            if game.over:
                twins[i] = fresh(i, int(vec.episode[i]))
            elif game.game_over:
                game.next_game()
    assert vec.episode.sum() > 0
    vec.reset()
    assert vec.game(5) == fresh(5, 0)


def test_a_batch_refuses_what_is_not_legal_and_moves_nothing():
    vec = Vec(4, players=3, seed=9)
    before = vec.records.copy()
    with pytest.raises(ValueError, match=r"games \[1\] are not legal"):
        actions = vec.sample(0)
        actions[1] = ACTIONS
        vec.step(actions)
    with pytest.raises(ValueError, match="4 whole numbers"):
        vec.step([0.0] * 4)
    assert np.array_equal(vec.records, before)
    for wrong in ({"num_games": 0}, {"num_games": 2, "reward": "gold"}, {"num_games": 2, "seed": -1}):
        with pytest.raises(ValueError, match=r"must be|a seed is"):
            Vec(**wrong)
