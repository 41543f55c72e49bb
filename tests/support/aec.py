"""What the tests of the AEC environment share."""

import copy

import numpy as np

from saboteur_env import env
from tests.long.mask_check import choose

NEAR = {"goal_cells": [[2, -1], [2, 0], [2, 1]]}

TABLES = [
    {"players": 3},
    {"players": 4, "edition": "uk", "options": NEAR, "reward": "zero_sum"},
    {"players": 5, "edition": "ru", "options": {"draft": True} | NEAR, "reward": "nuggets"},
    {"players": 7, "edition": "fa", "options": NEAR, "reward": "match", "rounds": 2},
    {"players": 10, "edition": "lt", "window": "full", "shaping": "public"},
]


def began(seed=1, **settings):
    made = env(**settings)
    made.reset(seed=seed)
    return made


def text_moves(made):
    """The legal moves inside the window, by action."""
    seat, actions = made.possible_agents.index(made.agent_selection), made.settings.actions
    mask = made.observe(made.agent_selection)["action_mask"]
    return {actions.text(int(action), seat, made.settings.players): int(action) for action in np.flatnonzero(mask)}


def walk(made, rng, steps=10**6):
    """Random steps until the match ends."""
    for _ in range(steps):
        if made.terminations[made.agent_selection]:
            return made
        moves = text_moves(made)
        made.step(moves[choose(rng, sorted(moves))])
    return made


def plain(value):
    """The same value with bytes for its arrays, so that two can be compared."""
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    return value.tobytes() if isinstance(value, np.ndarray) else copy.deepcopy(value)


def face(made):
    """Everything an environment shows and holds, to be compared."""
    shown = [plain(made.observe(agent)) for agent in made.possible_agents]
    told = [made.agents, made.agent_selection, made.rewards, made._cumulative_rewards, made.terminations]
    told += [made.truncations, made.infos]
    return made.game.records.tobytes(), made.state().tobytes(), shown, [plain(part) for part in told]


def at(game, **settings):
    """An environment that stands where the game does."""
    rules = game.rules
    made = env(players=rules.players, edition=rules.edition, rounds=rules.rounds, options=rules.options(), **settings)
    made.reset(seed=0, options={"position": game.to_json()})
    return made
