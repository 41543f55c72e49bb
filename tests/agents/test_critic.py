"""The critic of the small network, and the search that judges by it."""

import numpy as np
import pytest

from saboteur_env import Game
from saboteur_env.agents.registry import make_agent
from saboteur_env.agents.scripted.policy import WORKSPACE
from saboteur_env.agents.scripted.presets import PPO_SMALL, dwarf_of
from saboteur_env.agents.search.critic import (
    CRITIC,
    CRITIC_ROOM,
    SHIPPED_CRITIC,
    critic_bytes,
    load_critic,
    miners_chance,
)
from saboteur_env.agents.search.ismcts import SMALL_NET, Search, Settings
from saboteur_env.core.compiled.jit import kernel
from tests.support.positions import ONE_TO_GO, TWO_OF_FIVE, position


@kernel
def _judge(games, dwarfs, critics, spaces, rooms):
    return miners_chance(games[0], dwarfs[0], critics[0], spaces[0], rooms[0])


def judged(game):
    """The chance of the miners that the shipped critic gives a whole game."""
    rooms = np.zeros(1, WORKSPACE), np.zeros(1, CRITIC_ROOM)
    return _judge(game.records, dwarf_of(PPO_SMALL), load_critic(), *rooms)


def at_the_goal(hand, seat=0):
    """A miner, seat 0, and four others before a treasure that is one card away."""
    faces = ["stone:NE", "treasure", "stone:NW"]
    hands = [hand if seat == 0 else ["xEW"]]
    return position(ONE_TO_GO, hands, players=5, roles=TWO_OF_FIVE, deck=[], maps=[[1], [], [], [], []], faces=faces)


def test_the_critic_knows_what_a_hand_is_worth():
    assert judged(at_the_goal(["EW", "NESW"])) > 0.2 + judged(at_the_goal(["xEW", "xNS"]))


def test_its_judgement_comes_true_as_often_as_it_says():
    dwarf, said, won = make_agent(PPO_SMALL), [], []
    for seed in range(80):
        game, turn, first = Game(players=5, seed=seed, rounds=1), 0, len(said)
        while not game.round_over:
            if turn % 8 == 4:
                said.append(judged(game))
            game.play(dwarf.act(game.view(game.seat), seed + 1000 * turn))
            turn += 1
        won += [game.winner == "miners"] * (len(said) - first)
    said, won = np.array(said), np.array(won, float)
    assert abs(said.mean() - won.mean()) < 0.12
    assert np.mean((said - won) ** 2) < 0.8 * np.var(won), "better than one guess for all"


def test_a_search_with_the_small_network_has_its_own_defaults():
    settings = Settings.read("net=ppo-small:rollout_depth=2")
    assert {name: getattr(settings, name) for name in SMALL_NET} == SMALL_NET | {"rollout_depth": 2}
    assert Settings.read("").evaluation == "fitted"


def test_it_finds_the_winning_card_and_repeats_itself():
    game = at_the_goal(["EW", "xNS"])
    search = make_agent("search:net=ppo-small:iterations=200")
    assert isinstance(search, Search)
    assert search.act(game.view(0), 3) == search.act(game.view(0), 3) == "EW@7,0"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("net=other.safetensors", "net must be ppo-small"),
        ("evaluation=luck", "evaluation must be one of fitted, critic"),
    ],
)
def test_settings_there_are_not_are_refused(text, said):
    with pytest.raises(ValueError, match=said):
        Settings.read(text)


def test_a_critic_is_written_and_read_back(tmp_path):
    critic, rng = np.zeros(1, CRITIC), np.random.default_rng(1)
    for name in CRITIC.names:
        critic[name] = rng.integers(-64, 64, critic[name].shape) / 16
    file = tmp_path / "critic.safetensors"
    file.write_bytes(critic_bytes(critic, {"decisions": 7}))
    assert load_critic(file) == critic


def test_a_damaged_critic_and_other_weights_are_refused(tmp_path):
    file = tmp_path / "critic.safetensors"
    file.write_bytes(SHIPPED_CRITIC.read_bytes()[:-100])
    with pytest.raises(ValueError, match="cannot read"):
        load_critic(file)
    with pytest.raises(ValueError, match="no weights of saboteur-critic"):
        load_critic(SHIPPED_CRITIC.parent / "weights.safetensors")
