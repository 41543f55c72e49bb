"""Objects say what they are."""

import saboteur_env
from saboteur_env.agents.scripted.agent import KernelAgent
from saboteur_env.single_agent.gym_vec import GymVec
from saboteur_env.wazabi import Game as Wazabi


def test_a_view_says_whose_it_is_and_prints_what_its_seat_sees():
    game = saboteur_env.Game(players=5, seed=7)
    game.play("discard:map")
    view = game.view(game.seat)
    assert repr(view) == f"<View of seat {view.seat} of 5, {view.role}, 6 cards, 1 event>"
    drawn = str(view)
    assert drawn.startswith(str(game))
    assert f"hand: {', '.join(view.hand)}" in drawn
    assert drawn.endswith(f"last events: seat {view.record[0][0]} discard")


def test_environments_and_batches_say_what_they_play():
    env = saboteur_env.env(players=3, rounds=1)
    assert repr(env) == "<saboteur_v0 of 3, edition lv, 1 round, call reset() first>"
    env.reset(seed=1)
    assert repr(env) == f"<saboteur_v0 of 3, edition lv, 1 round, {env.agent_selection} to move>"
    vec = saboteur_env.make_vec(num_games=2, players=[3, 4], seed=1, threads=1)
    assert repr(vec) == "<Vec of 2 games, 3/4 players, edition lv, 1 thread>"
    assert repr(GymVec(2, players=3)) == "<GymVec of 2 games, 3 players, edition lv, opponents: scripted>"


def test_agents_say_who_they_are():
    assert repr(KernelAgent("patient")) == "<KernelAgent: patient>"


def test_wazabi_has_the_same():
    view = Wazabi(players=3, seed=1).view(0)
    assert repr(view) == "<Wazabi view of seat 0 of 3, 4 cards, 4 dice>"
    assert "1 oooo [? ? ? ? ?]" in str(view)
    assert repr(saboteur_env.wazabi_env(players=3)) == "<wazabi_v0 of 3, 1 game, call reset() first>"


def test_the_package_shows_what_users_may_use():
    assert [name for name in dir(saboteur_env) if not name.startswith("_")] == sorted(saboteur_env.__all__)
