"""Wazabi as a PettingZoo AEC environment, which does the checks of the usual wrappers itself."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from ..core.checks import whole
from ..core.field import flat_space
from ..core.reset_first import ResetFirst
from ..core.schema import among, counted, shown
from ..core.seeds import checked_seed, game_seed
from .actions import ACTIONS, text_of_action
from .engine.legal import MAX_MOVES
from .engine.moves import IllegalMove, parse
from .engine.rules import Rules
from .engine.state import MAX_PLAYERS
from .game import Game
from .observations import BYTES, FIELDS
from .refusals import explain_illegal
from .rewards import REWARDS
from .stepping import GOES_ON, ILLEGAL, MATCH_OVER, look, take_action

Observation = dict[str, Any]


class raw_env(ResetFirst, AECEnv[str, Observation, int]):
    """A match as an episode. Agents are `player_0`, `player_1`, …; all of them end together.

    An observation is ``{"observation": int8[BYTES], "action_mask": int8[ACTIONS]}``; the mask of a seat that is not to
    move is zero.

    An info has the same keys, types and shapes at every decision and at the end. Before the end, and where an illegal
    action broke the match off, all of these have the number in brackets:

    - `winner`: int (-1), the seat that won the last game; `winners`: int8[6] (0), 1 for each seat of its team.
    - `places`: int8[6] (0), of each seat in the last game, 0 for one that still played.
    - `points`: int64[6] (0), of each seat in the match.
    - `length`: int (0), actions taken in the match; it is also given if an illegal action ended the match.
    - `illegal`: bool (False), whether an illegal action of this agent broke the match off.

    Args:
        players, deck, games, options: as for the game (game.py); the copies of the deck `sheet` are assumed.
        reward: `win`, `places` or `points` (rewards.py).
        illegal: `raise` an error, or `penalty`: -1 for the offender, 0 for the others, and all end.
        render_mode: `ansi` or None.

    Raises: ValueError that names an impossible setting.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "wazabi_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        players: int = 4,
        deck: str | Mapping[str, int] = "sheet",
        games: int = 1,
        options: Mapping[str, Any] | None = None,
        reward: str = "win",
        illegal: str = "raise",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        choices = {
            "reward": (reward, REWARDS),
            "illegal": (illegal, ("raise", "penalty")),
            "render_mode": (render_mode, (None, "ansi")),
        }
        for name, (value, allowed) in choices.items():
            if not among(value, allowed):
                raise ValueError(f"{name} must be one of {', '.join(map(str, allowed))}, not {shown(value)}")
        self.rules = Rules.make(players, deck, games, options)
        self.reward, self.illegal, self.render_mode = reward, illegal, render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.players)]
        seen, mask = flat_space(FIELDS), spaces.Box(0, 1, (ACTIONS,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": seen, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(ACTIONS) for agent in self.possible_agents}
        self._actions, self._paid = np.empty(MAX_MOVES, np.int32), np.zeros(len(self.possible_agents))
        self._game: Game | None = None
        self._seed, self._episode = checked_seed(None), -1

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of an agent's actions (actions.py), always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a match: that of `Game(seed=seed)`, or without a seed the next episode after the last seed.

        Raises: ValueError for a bad seed; the match that runs goes on untouched.
        """
        self._seed, self._episode = (self._seed, self._episode + 1) if seed is None else (checked_seed(seed), 0)
        self._length = 0
        chance = game_seed(self._seed, 0, self._episode) if seed is None else self._seed
        rules = self.rules
        self._game = Game(rules.players, rules.deck_named(), chance, rules.games, rules.options())
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: _info() for agent in self.agents}
        self.agent_selection = self.agents[self._game.seat]

    __copy__ = deepcopy  # one that shared the arrays would play in them

    @property
    def game(self) -> Game:
        """The match as a checked game, secrets included: a copy, for studies.

        Raises: RuntimeError before the first reset.
        """
        return self._running.copy()

    @property
    def _running(self) -> Game:
        if self._game is None:
            raise RuntimeError("call reset() first")
        return self._game

    def __repr__(self) -> str:
        if self._game is None:
            state = "call reset() first"
        else:
            state = f"{self.agent_selection} to move" if self.agents else "match over"
        return f"<wazabi_v0 of {self.rules.players}, {counted(self.rules.games, 'game')}, {state}>"

    def observe(self, agent: str) -> Observation:
        """The observation of an agent, in new arrays.

        Raises: RuntimeError before the first reset; KeyError for an agent there is not.
        """
        if agent not in self.observation_spaces:
            raise KeyError(agent)
        flat, mask = np.zeros(BYTES, np.int8), np.zeros(ACTIONS, np.int8)
        look(self._running.records, self.possible_agents.index(agent), self._actions, flat, mask)
        return {"observation": flat, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Let the selected agent act. After the end, None removes the agents one by one.

        Raises: IllegalMove (a ValueError) that says why, the game untouched, unless illegal actions are penalised.
        """
        game = self._running
        agent = self.agent_selection
        if not self.agents:
            raise RuntimeError("the match is over and all agents are gone: call reset()")
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        outcome = take_action(
            game.records, whole(action, ACTIONS), REWARDS.index(self.reward), self._actions, self._paid
        )
        if outcome == ILLEGAL and self.illegal == "raise":
            raise IllegalMove(f"{agent}: {self._why_illegal(action)}")
        paid = [-float(other == agent) for other in self.agents] if outcome == ILLEGAL else self._paid.tolist()
        self._length += 1
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.agents, paid if outcome != GOES_ON else [0.0] * len(paid), strict=True))
        self._accumulate_rewards()
        if outcome in (ILLEGAL, MATCH_OVER):
            self._end(agent if outcome == ILLEGAL else None)
        else:
            self.agent_selection = self.agents[game.seat]

    def _end(self, offender: str | None) -> None:
        self.terminations = dict.fromkeys(self.agents, True)
        game = self._running if offender is None else None
        self.infos = {agent: {**_info(game, self._length), "illegal": agent == offender} for agent in self.agents}
        self.agent_selection = self.agents[0]

    def _why_illegal(self, action: Any) -> str:
        game = self._running
        try:
            text = text_of_action(action, game.seat, self.rules.players)
        except ValueError as error:
            return str(error)
        return f"action {action} ({text}) is not legal: {explain_illegal(game.view(game.seat), parse(text))}"

    def render(self) -> str:
        """The table as text, all hands open."""
        if self.render_mode is None:
            raise ValueError("render() needs the render_mode ansi, given when the env is made")
        return str(self._running)

    def close(self) -> None:
        """Nothing is open."""


def _info(game: Game | None = None, length: int = 0) -> dict[str, Any]:
    # What is public of a match that has ended as `game`; neutral numbers without one.
    rows = {"winners": np.zeros(MAX_PLAYERS, np.int8), "places": np.zeros(MAX_PLAYERS, np.int8)}
    rows["points"] = np.zeros(MAX_PLAYERS, np.int64)
    winner = -1
    if game is not None and game.winner is not None:
        winner, rows["winners"][game.winners] = game.winner, 1
        rows["places"][: len(game.places)] = game.places
        rows["points"][: len(game.points)] = game.points
    return {"winner": winner, **rows, "length": length, "illegal": False}


def wazabi_env(**keywords: Any) -> raw_env:
    """The environment as it is meant to be used; the checks of PettingZoo's wrappers are built in."""
    return raw_env(**keywords)
