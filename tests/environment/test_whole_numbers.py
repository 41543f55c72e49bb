"""Counts, seats, seeds and actions at every door: any whole number is one, true and false are none."""

import json

import numpy as np
import pytest

from saboteur_env import Game, env, game_seed, make_vec, wazabi_env
from saboteur_env.agents.scripted.agent import KernelAgent
from saboteur_env.agents.wazabi import WazabiAgent
from saboteur_env.environment.settings import Settings
from saboteur_env.single_agent.gym_env import SingleAgentEnv
from saboteur_env.single_agent.gym_vec import GymVec
from saboteur_env.wazabi import Game as Wazabi
from saboteur_env.wazabi.vector import Vec as WazabiVec
from tests.support.whole_numbers import KINDS, TRUE, shown


@pytest.mark.parametrize("kind", KINDS)
def test_the_game(kind):
    table, deck = {"saboteurs": kind(1), "miners": kind(3)}, {"NES": kind(9), "EW": kind(15), "map": kind(4)}
    cells = [[kind(4), kind(0)], [kind(4), kind(1)]]
    options = {"role_table": table, "deck": deck, "goal_cells": cells, "hand_size": kind(3), "first_seat": kind(1)}
    game = Game(players=kind(3), seed=kind(7), rounds=kind(2), options=options)
    plain = {"role_table": {"saboteurs": 1, "miners": 3}, "deck": {"NES": 9, "EW": 15, "map": 4}, "hand_size": 3}
    assert game == Game(3, seed=7, rounds=2, options={**plain, "goal_cells": [[4, 0], [4, 1]], "first_seat": 1})
    assert json.loads(game.to_json())["players"] == 3
    assert game.view(kind(1)) == game.view(1)
    assert game.resample(kind(1), kind(5)) == game.resample(1, 5)
    assert Game.from_json(game.to_json(), seed=kind(3)) == Game.from_json(game.to_json(), seed=3)
    assert game_seed(kind(3), kind(2), kind(1)) == game_seed(3, 2, 1)
    mover = game.seat
    assert KernelAgent("scripted").act(game.view(mover), kind(9)) == KernelAgent("scripted").act(game.view(mover), 9)


@pytest.mark.parametrize("kind", KINDS)
def test_wazabi(kind):
    options = {"dice": kind(3), "cards": kind(2), "first_seat": kind(1), "costs": {"miss": kind(1)}}
    game = Wazabi(players=kind(4), seed=kind(7), games=kind(2), options={**options, "teams": [kind(0), kind(1)] * 2})
    plain = {"dice": 3, "cards": 2, "first_seat": 1, "costs": {"miss": 1}, "teams": [0, 1, 0, 1]}
    assert game == Wazabi(4, seed=7, games=2, options=plain)
    assert Wazabi.from_json(game.to_json()) == game
    assert game.view(kind(1)) == game.view(1)
    view = game.view(game.seat)
    assert WazabiAgent("greedy").act(view, kind(9)) == WazabiAgent("greedy").act(view, 9)
    made, vec = wazabi_env(players=kind(3)), WazabiVec(kind(2), players=kind(3), seed=kind(1))
    made.reset(seed=kind(3))
    assert made.game == Wazabi(3, seed=3)
    action = int(np.flatnonzero(made.last()[0]["action_mask"])[0])
    made.step(kind(action) if action < 128 else action)
    assert vec.game(1) == Wazabi(3, seed=game_seed(1, 1))


@pytest.mark.parametrize("kind", KINDS)
def test_environments(kind):
    settings = Settings(players=kind(3), rounds=kind(2), history=kind(4), gamma=kind(1))
    assert settings == Settings(players=3, rounds=2, history=4, gamma=1)
    assert {type(value) for value in (settings.players, settings.rounds, settings.history)} == {int}
    made, twin = env(settings=settings), env(settings=settings)
    made.reset(seed=kind(7))
    twin.reset(seed=7)
    discard = int(np.flatnonzero(made.last()[0]["action_mask"])[-1])
    made.step(discard if kind is np.int8 else kind(discard))
    twin.step(discard)
    assert made.game == twin.game
    for vec in (make_vec(kind(2), kind(4), kind(3), kind(1)), make_vec(2, [kind(4), kind(4)], 3)):
        assert vec.game(1) == Game(4, seed=game_seed(3, 1))
    solo, vector = SingleAgentEnv(players=kind(3)), GymVec(kind(2), kind(3))
    solo.reset(seed=kind(5))
    vector.reset(seed=kind(5))
    assert solo.games.vec.game(0) == vector.games.vec.game(0)
    assert solo.np_random_seed == vector.np_random_seed == 5
    legal = int(solo.games.vec.legal[0, 0])
    solo.step(legal if kind is np.int8 else kind(legal))
    vector.step(np.array([legal, vector.games.vec.legal[1, 0]]))
    assert solo.games.vec.game(0) == vector.games.vec.game(0)


@pytest.mark.parametrize("given", TRUE, ids=shown)
def test_true_is_no_count(given):
    true = given() if callable(given) else given
    for make, named in [
        (lambda: Game(players=true), "players"),
        (lambda: Game(rounds=true), "rounds"),
        (lambda: Game(seed=true), "a seed"),
        (lambda: Game(options={"hand_size": true}), "hand_size"),
        (lambda: Game().view(true), "there is no seat"),
        (lambda: game_seed(true, 0), "seed"),
        (lambda: game_seed(0, true), "index"),
        (lambda: Settings(history=true), "history"),
        (lambda: make_vec(true), "num_games"),
        (lambda: make_vec(4, true), "players"),
        (lambda: make_vec(4, threads=true), "threads"),
        (lambda: Wazabi(games=true), "games"),
        (lambda: Wazabi().view(true), "there is no seat"),
        (lambda: WazabiVec(true), "num_games"),
    ]:
        with pytest.raises(ValueError, match=named):
            make()


@pytest.mark.parametrize("seed", [-1, True, 0.5, 2**64, None, "1"])
def test_a_seed_of_an_agent_is_checked(seed):
    game, table = Game(3, seed=1), Wazabi(3, seed=1)
    for agent, view in ((KernelAgent("random"), game.view(game.seat)), (WazabiAgent("random"), table.view(table.seat))):
        with pytest.raises(ValueError, match=r"seed must be a whole number from 0 below 2\*\*64, not"):
            agent.act(view, seed)
