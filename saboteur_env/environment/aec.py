"""Saboteur as a PettingZoo AEC environment, which does the checks of the usual wrappers itself."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv

from ..core.errors import IllegalMove
from ..core.reset_first import ResetFirst
from ..core.schema import counted
from ..core.seeds import checked_seed, game_seed
from ..engine.moves import parse
from ..game.game import Game
from ..game.illegal import explain_illegal
from .fixed_deals import fixed_deal
from .infos import UNKNOWN_ROLE, Info, info_of, padded
from .privileged import state_of, state_space
from .settings import Settings
from .stepping import GOES_ON, ILLEGAL, MATCH_OVER, ROUND_OVER, look, new_step, reset_step, shape, take_action

Observation = dict[str, Any]


class raw_env(ResetFirst, AECEnv[str, Observation, int]):
    """A match as an episode. Agents are `dwarf_0`, `dwarf_1`, …; all of them end together.

    An observation is ``{"observation": int8[bytes] or a dict of arrays, "action_mask": int8[actions]}``;
    the mask of a seat that is not to move is zero. Infos have the keys of infos.py, the mask among them where it does
    not lie in the observation. Settings are those of `Settings`, as keywords.

    Args:
        settings: all of them at once, or by name, instead of keywords.
        render_mode: `ansi`, `rgb_array`, `human` or None.

    Raises: ValueError that names an impossible setting.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "saboteur_v0",
        "render_modes": ["ansi", "rgb_array", "human"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        settings: Settings | Mapping[str, Any] | None = None,
        render_mode: str | None = None,
        **keywords: Any,
    ) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"render_mode must be one of {self.metadata['render_modes']}, not {render_mode!r}")
        self.settings = Settings.of(settings, keywords)
        self.render_mode = render_mode
        self.possible_agents = [f"dwarf_{seat}" for seat in range(self.settings.players)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._bytes, self._actions = self.settings.observations.bytes, self.settings.actions.count
        self._shapes = self.settings.shaping is not None
        self._take_settings()
        self.observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self._actions) for agent in self.possible_agents}
        self.state_space = state_space(self.settings)
        self._steps = new_step()
        self._records: Any = None
        self._seed, self._episode = checked_seed(None), -1
        self._window: Any = None

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of an agent's actions (actions.py), always the same object."""
        return self.action_spaces[agent]

    def _observation_space(self) -> Any:
        seen = self.settings.observations
        scratch = seen.flat_space() if self.settings.form == "flat" else seen.space()
        if self.settings.mask_in == "info":
            return scratch
        return spaces.Dict({"observation": scratch, "action_mask": spaces.Box(0, 1, (self._actions,), np.int8)})

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a match: that of `Game(seed=seed)`, or without a seed the next episode after the last seed.

        Args:
            options: `position`, a position (JSON text or data) to begin from; `roles`, a role for each seat.
                Other keys are ignored. Neither shows in a view.

        Raises: ValueError for a bad seed, position or roles; the match that runs goes on untouched.
        """
        root, episode = (self._seed, self._episode + 1) if seed is None else (checked_seed(seed), 0)
        chance = root if seed is not None else game_seed(root, 0, episode)
        if not isinstance(options or {}, Mapping):
            raise ValueError(f"options must be a mapping of names to values, not {options!r}")
        self._records = fixed_deal(self.settings.rules, chance, options or {})
        self._seed, self._episode = root, episode
        self._bind()
        reset_step(self._steps)
        if self._shapes:
            shape(self._records, False, self._wages, self._steps)
        self._length = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = self._infos({})
        self._select()

    def _take_settings(self) -> None:
        # Plain tuples: a kernel takes a named one from Python four times as slowly.
        self._encoding, self._wages = tuple(self.settings.encoding), tuple(self.settings.wages)
        self._reward = self.settings.wages.reward

    def _bind(self) -> None:
        # Views of the record; fields of arrays are read ten times faster than those of records.
        self._publics, self._privates = self._records["public"], self._records["private"]
        self._mover = self._publics["seat"]

    def __getstate__(self) -> dict[str, Any]:
        left_out = dict.fromkeys(("_encoding", "_wages", "_publics", "_privates", "_mover", "_window"))
        return {**self.__dict__, **left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._take_settings()  # frames are read only, as the kernels were compiled for
        if self._records is not None:
            self._bind()

    __copy__ = deepcopy  # one that shared the arrays would play in them

    @property
    def game(self) -> Game:
        """A copy of the match as a `Game`, secrets included, for pictures and studies.

        Raises: RuntimeError before the first reset.
        """
        self._check_reset("game")
        return Game.of_records(self._records.copy(), self.settings.rules)

    def _check_reset(self, what: str) -> None:
        if self._records is None:
            raise RuntimeError(f"call reset() before {what}")

    def _select(self) -> None:
        # The seat to move acts next; its mask goes into its info where the settings say so.
        self.agent_selection = self.possible_agents[self._mover[0]]
        if self.settings.mask_in == "info":
            for agent in self.agents:
                self.infos[agent] = {**self.infos[agent], "action_mask": self._look(agent)[self._bytes :]}

    def observe(self, agent: str) -> Any:
        """The observation of an agent, in new arrays.

        Raises: RuntimeError before the first reset; KeyError for an agent there is not.
        """
        self._check_reset("observe()")
        seen = self._look(agent)
        flat, mask = seen[: self._bytes], seen[self._bytes :]
        shown = flat if self.settings.form == "flat" else self.settings.observations.split(flat)
        return shown if self.settings.mask_in == "info" else {"observation": shown, "action_mask": mask}

    def _look(self, agent: str) -> npt.NDArray[np.int8]:
        seen = np.zeros(self._bytes + self._actions, np.int8)
        look(self._publics, self._privates, self._seat_of[agent], self._encoding, self._steps, seen)
        return seen

    def state(self) -> npt.NDArray[np.int8]:
        """The whole state for a centralised critic, secrets included (privileged.py).

        Raises: RuntimeError before the first reset.
        """
        self._check_reset("state()")
        return state_of(self._records, self.settings)

    def step(self, action: int | None) -> None:
        """Let the selected agent act. After the end, None removes the agents one by one.

        Raises: IllegalMove (a ValueError) that says why, the game untouched, unless illegal actions are penalised.
        """
        self._check_reset("step()")
        if not self.agents:
            raise RuntimeError("the match is over and all agents are gone: call reset()")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        number = self.settings.actions.whole(action)
        outcome = take_action(self._records, number, self._encoding[0], self._reward, self._steps)
        if outcome == ILLEGAL and self.settings.illegal == "raise":
            raise IllegalMove(self._why_illegal(agent, action))
        if self._shapes and outcome != ILLEGAL:
            shape(self._records, outcome == MATCH_OVER, self._wages, self._steps)
        self._cumulative_rewards[agent] = 0.0
        self._length += 1
        if outcome == GOES_ON and not self._shapes:
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self._select()
        else:
            self._pay(agent, outcome)
        if self.render_mode == "human":
            self.render()

    def _pay(self, agent: str, outcome: int) -> None:
        paid = self._steps["paid"][0].tolist()
        if outcome == ILLEGAL:
            paid = [-float(other == agent) for other in self.possible_agents]
        self.rewards = dict(zip(self.agents, paid, strict=False))
        self._accumulate_rewards()
        if outcome in (ILLEGAL, MATCH_OVER):
            self._end(agent if outcome == ILLEGAL else None)
            return
        if outcome == ROUND_OVER:
            self.infos = self._infos({})
        self._select()

    def _infos(self, public: Info) -> dict[str, Info]:
        # For each agent its role and what is public.
        roles = self._privates[0]["role"].tolist()
        return {agent: info_of(roles[seat], **public) for agent, seat in self._seat_of.items()}

    def _end(self, offender: str | None) -> None:
        self.terminations = dict.fromkeys(self.agents, True)
        public: Info = {"length": self._length}
        if offender is None:
            roles, nuggets = self._privates[0]["role"][: self.settings.players], self.game.nuggets
            winner = int(self._publics["winner"][0])
            public |= {"winner": winner, "roles": padded(roles, UNKNOWN_ROLE), "nuggets": padded(nuggets, 0)}
        if self.settings.mask_in == "info":
            public["action_mask"] = np.zeros(self._actions, np.int8)
        self.infos = self._infos(public)
        if offender is not None:
            self.infos[offender]["illegal"] = True
        self.agent_selection = self.agents[0]

    def _why_illegal(self, agent: str, action: Any) -> str:
        seat, players = self._seat_of[agent], self.settings.players
        try:
            text = self.settings.actions.text(action, seat, players)
        except ValueError as error:
            return f"{agent}: {error}"
        return f"{agent}: action {action} ({text}) is not legal: {explain_illegal(self.game.view(seat), parse(text))}"

    def render(self) -> Any:
        """The match as text, picture (uint8[h, w, 3]) or in a window, by `render_mode`; None in the window."""
        self._check_reset("render()")
        if self.render_mode is None:
            raise ValueError("render() needs a render_mode: ansi, rgb_array or human, given when the env is made")
        from ..render import Window, draw, scene_of, text_of, to_array

        if self.render_mode == "ansi":
            return text_of(scene_of(self.game))
        picture = draw(self.game)
        if self.render_mode == "rgb_array":
            return to_array(picture)
        self._window = self._window or Window()
        self._window.show(picture)
        return None

    def __repr__(self) -> str:
        rules = self.settings.rules
        if self._records is None:
            state = "call reset() first"
        else:
            state = f"{self.agent_selection} to move" if self.agents else "match over"
        return f"<saboteur_v0 of {rules.players}, edition {rules.edition}, {counted(rules.rounds, 'round')}, {state}>"

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None


def env(**keywords: Any) -> raw_env:
    """The environment as it is meant to be used; the checks of PettingZoo's wrappers are built in."""
    return raw_env(**keywords)
