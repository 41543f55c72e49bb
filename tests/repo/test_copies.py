"""Copies of everything that is played in: shallow ones, deep ones and pickles go on alike, and alone."""

import copy
import pickle

import numpy as np
import pytest

from saboteur_env import Game, env, make_vec, wazabi_env
from saboteur_env.environment.stepping import look, take_action
from saboteur_env.single_agent.base import SingleAgentBatch
from saboteur_env.single_agent.gym_env import SingleAgentEnv
from saboteur_env.single_agent.gym_vec import GymVec
from saboteur_env.wazabi import Game as Wazabi
from saboteur_env.wazabi.vector import Vec as WazabiVec

COPIES = {"copy": copy.copy, "deepcopy": copy.deepcopy, "pickle": lambda made: pickle.loads(pickle.dumps(made))}
STEPS = 60
every_copy = pytest.mark.parametrize("how", COPIES)


def play_text(game, step):
    """A move of a checked game, the next deal where it is over; tells all there is to tell."""
    moves = game.legal_moves()
    if moves:
        game.play(moves[step * 7 % len(moves)])
    elif not game.over:
        (game.next_round if isinstance(game, Game) else game.next_game)()
    return game.to_json(), game.transcript() if isinstance(game, Game) else ""


def play_agent(made, step):
    """An action of the agent selected."""
    observation, *_ = made.last()
    if not any(made.terminations.values()):
        made.step(int(pick(observation["action_mask"], step)))
    return made.agent_selection, made.game.to_json(), [*made.rewards.items()], observation["observation"].tolist()


def pick(mask, step):
    """A legal action that follows from the step alone."""
    legal = np.flatnonzero(mask)
    return legal[step * 7 % len(legal)]


def play_batch(vec, step):
    """An action in each game."""
    vec.step(vec.legal[np.arange(vec.num_games), step * 7 % vec.legal_count])
    shown = vec.observation, vec.mask, vec.reward, vec.legal_count, vec.episode
    return [array.tolist() for array in shown], vec.records.tobytes()


def play_learners(learners, step):
    """An action of each learner."""
    learners.step([pick(mask, step) for mask in learners.mask])
    return learners.observation.tolist(), learners.reward.tolist(), learners.ended.tolist()


def play_solo(solo, step):
    """An action of the one learner, or a new match."""
    if solo._over:
        return solo.reset()[0].tolist()
    observation, *rest, _ = solo.step(pick(solo.action_masks(), step))
    return observation.tolist(), *rest


def play_columns(vec, step):
    """An action of each learner, behind the door of a library."""
    answer = vec.step(np.array([pick(mask, step) for mask in vec.games.mask]))
    return [part.tolist() for part in answer[:3]]


def reset(made, **seed):
    made.reset(**seed)
    return made


def columns():
    sb3 = pytest.importorskip("saboteur_env.single_agent.sb3", reason="needs the extra sb3")
    return reset(sb3.SaboteurVecEnv(3, [3, 4, 5], seed=5))


def controlled():
    vec = make_vec(6, [3, 4, 10] * 2, seed=4, threads=2, rounds=1)
    vec.control([0, *[-2] * 9])
    return reset(vec)


DOORS = {
    "Game": (lambda: Game(4, seed=3, rounds=2), play_text),
    "env": (lambda: reset(env(players=4, rounds=2), seed=3), play_agent),
    "Vec": (lambda: make_vec(6, [3, 4, 10] * 2, seed=4, threads=2, rounds=1), play_batch),
    "Vec with dwarfs": (controlled, play_batch),
    "Learners": (lambda: SingleAgentBatch(3, [3, 4, 5], seed=5), play_learners),
    "Solo": (lambda: reset(SingleAgentEnv(3), seed=6), play_solo),
    "GymVec": (lambda: reset(GymVec(3, [3, 4, 5]), seed=5), play_columns),
    "SaboteurVecEnv": (columns, play_columns),
    "Wazabi's Game": (lambda: Wazabi(4, seed=3, games=2), play_text),
    "Wazabi's env": (lambda: reset(wazabi_env(players=4, games=2), seed=3), play_agent),
    "Wazabi's Vec": (lambda: WazabiVec(6, 3, seed=4), play_batch),
}


@every_copy
@pytest.mark.parametrize("door", DOORS)
def test_a_copy_goes_on_alike_and_alone(door, how):
    make, go_on = DOORS[door]
    made = make()
    for step in range(10):
        go_on(made, step)
    twin = COPIES[how](made)
    steps = range(10, STEPS)
    ahead = [go_on(twin, step) for step in steps]
    assert [go_on(made, step) for step in steps] == ahead, "the original went on from where its copy was played to"
    assert [go_on(COPIES[how](make()), 0)] == [go_on(make(), 0)]


@every_copy
@pytest.mark.parametrize("make", [Game, Wazabi], ids=["Saboteur", "Wazabi"])
def test_a_view_is_copied_whole(make, how):
    view = make(seed=1).view(0)
    twin = COPIES[how](view)
    assert twin == view
    assert twin.legal_moves() == view.legal_moves()
    for record in (twin.public, twin.private):
        record.setfield(77, np.int8)  # its first byte
    assert view == make(seed=1).view(0)


@every_copy
def test_a_copy_is_played_by_the_kernels_that_are_there(how):
    made = reset(env(players=3), seed=1)
    play_agent(made, 0)
    compiled = [len(getattr(kernel, "signatures", ())) for kernel in (look, take_action)]
    play_agent(COPIES[how](made), 1)
    assert [len(getattr(kernel, "signatures", ())) for kernel in (look, take_action)] == compiled
