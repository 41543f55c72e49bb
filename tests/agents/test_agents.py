"""Dwarfs: legal moves, the same for the same view and seed, the same in a batch and alone."""

import numpy as np
import pytest

from saboteur_env import Game, make_vec
from saboteur_env.agents.base import Agent
from saboteur_env.agents.scripted.agent import KernelAgent
from saboteur_env.agents.scripted.presets import PRESETS, number_of
from saboteur_env.batch import vector
from saboteur_env.batch.seats import LEARNER
from saboteur_env.engine.cards import MINER, SABOTEUR


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("edition", ["lv", "uk", "ru"])
def test_a_dwarf_plays_whole_matches(name, edition):
    agent, game = KernelAgent(name), Game(players=4, edition=edition, seed=5, options={"draft": True})
    assert isinstance(agent, Agent)
    turn = 0
    while not game.over:
        if game.round_over:
            game.next_round()
        view = game.view(game.seat)
        move = agent.act(view, turn)
        assert move == agent.act(game.view(game.seat), turn) == KernelAgent(name).act(view, turn)
        game.play(move)
        turn += 1
    assert sum(game.nuggets) > 0


def test_a_dwarf_whose_turn_it_is_not_is_refused():
    game = Game(players=3, seed=1)
    with pytest.raises(ValueError, match="not to move"):
        KernelAgent("random").act(game.view((game.seat + 1) % 3), 0)


def test_an_unknown_dwarf_is_refused_with_the_names_there_are():
    with pytest.raises(ValueError, match="'grumpy'; there are random, scripted"):
        KernelAgent("grumpy")


def only_seat_0(inside):
    return [0] + [-1 - number_of(inside)] * 9


def test_the_house_plays_all_other_seats_of_a_batch():
    vec = make_vec(6, players=[3, 4, 5, 7, 9, 10], seed=1, observations=False)
    vec.control(only_seat_0("scripted"))
    vec.reset()
    for step in range(120):
        assert not vec.seat.any()
        vec.step(vec.sample(step))
    assert vec.episode.min() > 0


def test_a_controller_counts_from_the_next_deal_on():
    vec = make_vec(2, players=3, seed=1, rounds=1, observations=False)
    vec.control(only_seat_0("random"))
    seats = set()
    while not vec.episode.all():
        seats |= set(vec.seat[vec.episode == 0].tolist())
        vec.step(vec.sample(len(seats)))
    assert seats == {0, 1, 2}
    assert not vec.seat.any()


def by_role(miners, saboteurs, games=6):
    """One controller for all miners and one for all saboteurs."""
    return np.broadcast_to(np.array([[miners], [saboteurs]]), (games, 2, 10))


def test_a_controller_of_a_role_plays_whoever_is_dealt_it():
    short = {"goal_cells": [[3, 0]]}  # where some rounds end before the learner has decided anything
    vec = make_vec(6, players=[3, 3, 4, 5, 7, 10], seed=1, rounds=2, observations=False, options=short)
    scripted, alone = -1 - number_of("scripted"), 0
    vec.control(by_role(scripted, LEARNER))
    vec.reset()
    for step in range(150):
        for i, players in enumerate(vec.players.tolist()):
            roles, playing = vec.records[i]["private"]["role"][:players], vec.playing[i, :players]
            assert playing[vec.seat[i]] == LEARNER
            assert set(playing[roles == SABOTEUR].tolist()) <= {LEARNER}
            alone += not (roles == SABOTEUR).any()
            assert set(playing[roles == MINER].tolist()) == {scripted if (roles == SABOTEUR).any() else LEARNER}
        vec.step(vec.sample(step))
    assert vec.episode.min() > 1
    assert alone > 20


def test_roles_without_a_learner_are_played_by_others_from_outside():
    vec = make_vec(6, players=3, seed=1, observations=False)
    vec.control(by_role(1, 2))
    vec.reset()
    roles = vec.records["private"]["role"][:, :3]
    assert np.array_equal(vec.playing[:, :3], np.where(roles == SABOTEUR, 2, 1))


@pytest.mark.parametrize(
    ("controller", "said"),
    [
        (by_role(-1, 1, 2), "never wait"),
        ([[0] * 10] * 3, r"must be \[10\], \[2, 10\] or, by role, \[2, 2, 10\], not \[3, 10\]"),
        ([0] * 9 + [-1 - len(PRESETS)], "controllers go from"),
        ([0] * 9 + [300], "controllers go from"),
        ([-1] * 10, "never wait"),
        ([0.5] * 10, "controllers go from"),
    ],
)
def test_impossible_controllers_are_refused(controller, said):
    with pytest.raises(ValueError, match=said):
        make_vec(2, seed=1).control(controller)


def test_a_batch_without_opponents_inside_has_policies_outside_alone():
    vec = vector.make_vec(2, seed=1)
    vec.control([0] * 5 + [1] * 5)
    with pytest.raises(ValueError, match="controllers go from 0 to 127"):
        vec.control(only_seat_0("random"))
