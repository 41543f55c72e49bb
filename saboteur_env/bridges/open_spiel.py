"""Saboteur as a game of OpenSpiel: importing this registers `python_saboteur`. Needs the extra `bridges`.

Chance deals once, at the root: one of so many deals drawn by a seed, or every distinct deal of a small mine. Actions
are those of the window, observations those of the environment; an information state has the whole round.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import quote, unquote

import numpy as np

from ..core.compiled.jit import kernel
from ..core.extras import extra
from ..core.seeds import game_seed
from ..engine.state import MAX_EVENTS, MAX_PLAYERS
from ..environment.actions import action_of
from ..environment.rewards import pay_round
from ..environment.settings import Settings
from ..experiments.equilibrium.deals import Deals, all_deals
from ..extensive_form.information_state import information_state
from ..game.game import Game

with extra("bridges"):
    import pyspiel

GAME_PARAMETERS = {
    "players": 3,
    "edition": "lv",
    "rounds": 1,
    "reward": "zero_sum",
    "window": "printed",
    "history": 16,
    "options": quote("{}"),  # JSON with percent signs, as names of games have no commas: `load_game` writes it
    "deals": 1000,  # how many chance deals from; 0 for every distinct deal
    "seed": 0,  # of the deals
}
TYPE: dict[str, Any] = {
    "short_name": "python_saboteur",
    "long_name": "Saboteur",
    "dynamics": pyspiel.GameType.Dynamics.SEQUENTIAL,
    "chance_mode": pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    "information": pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    "reward_model": pyspiel.GameType.RewardModel.TERMINAL,
    "max_num_players": MAX_PLAYERS,
    "min_num_players": 3,
    "provides_information_state_string": True,
    "provides_information_state_tensor": True,
    "provides_observation_string": True,
    "provides_observation_tensor": True,
    "parameter_specification": GAME_PARAMETERS,
}
UTILITIES = {"side": (-1, 1), "zero_sum": (-1, 1), "nuggets": (0, 28), "match": (0, 1)}  # of one round


def load_game(options: Mapping[str, Any] | None = None, **parameters: Any) -> Any:
    """The game of OpenSpiel with these options of the rules (docs/rules.md, section 8) and `GAME_PARAMETERS`.

    Raises: ValueError that names an impossible setting.
    """
    return pyspiel.load_game("python_saboteur", {**parameters, "options": quote(json.dumps({**(options or {})}))})


def game_type(reward: str = "zero_sum") -> Any:
    """What OpenSpiel is told of the game with a reward."""
    kinds = pyspiel.GameType.Utility
    return pyspiel.GameType(utility=kinds.ZERO_SUM if reward == "zero_sum" else kinds.GENERAL_SUM, **TYPE)


class SaboteurGame(pyspiel.Game):  # type: ignore[misc]
    """The game, by parameters of OpenSpiel (`GAME_PARAMETERS`).

    Raises: ValueError that names an impossible setting.
    """

    def __init__(self, params: Any = None) -> None:
        given = {**GAME_PARAMETERS, **(params or {})}
        deals, self.seed = given.pop("deals"), given.pop("seed")
        self.settings = Settings(**{**given, "options": json.loads(unquote(given["options"]))})
        self.all: Deals | None = None
        if deals == 0:
            if self.settings.rounds != 1 or self.settings.reward == "nuggets":
                raise ValueError("deals=0, every distinct deal, is for one round and a reward that no gold decides")
            self.all = all_deals(self.settings.rules)
        self.chances = np.full(deals, 1 / deals) if self.all is None else self.all.chances
        super().__init__(game_type(self.settings.reward), self._size(), params or {})

    def _size(self) -> Any:
        settings = self.settings
        low, high = (settings.rounds * bound for bound in UTILITIES[settings.reward])
        return pyspiel.GameInfo(
            num_distinct_actions=settings.actions.count,
            max_chance_outcomes=len(self.chances),
            num_players=settings.players,
            min_utility=float(low),
            max_utility=float(high),
            utility_sum=0.0 if settings.reward == "zero_sum" else None,
            max_game_length=settings.rounds * MAX_EVENTS,
        )

    def deal(self, number: int) -> Game:
        """A deal, by its number."""
        settings = self.settings
        if self.all is not None:
            return Game.of_records(self.all.games[number : number + 1].copy(), settings.rules)
        seed = game_seed(self.seed, number)
        return Game(settings.players, settings.edition, seed, settings.rounds, settings.options)

    def new_initial_state(self) -> Any:
        """The state before the deal."""
        return SaboteurState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """What writes observations, or information states where all is to be recalled.

        Raises: ValueError for parameters, as there are none.
        """
        if params:
            raise ValueError(f"observations take no parameters, not {params}")
        return Observer(self.settings, iig_obs_type is not None and iig_obs_type.perfect_recall)


class Observer:
    """What a seat sees, as a tensor and as text.

    Args:
        recalls: whether the whole round is shown instead of the last events and the present.
    """

    def __init__(self, settings: Settings, recalls: bool) -> None:
        self._recalls = recalls
        self._observations = replace(settings, history=MAX_EVENTS if recalls else settings.history).observations
        self.tensor = np.zeros(self._observations.bytes, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: Any, player: int) -> None:
        """Write the tensor."""
        self.tensor[:] = 0 if state.game is None else self._observations.observe(state.game.view(player))

    def string_from(self, state: Any, player: int) -> str:
        """The text."""
        return state.information_state_string(player) if self._recalls else state.observation_string(player)


class _Moment:
    """What moves change of a state: OpenSpiel copies states deeply."""

    def __init__(self, game: Game | None = None, past: tuple[list[str], ...] = (), paid: Any = 0.0) -> None:
        self.game, self.past, self.paid = game, past, paid

    def __deepcopy__(self, memo: Any) -> _Moment:
        return _Moment(self.game and self.game.copy(), self.past, self.paid)


class SaboteurState(pyspiel.State):  # type: ignore[misc]
    """A moment of a game: before the deal, before a move, or at the end.

    Args:
        rules: the game that it is of.
    """

    def __init__(self, rules: SaboteurGame) -> None:
        super().__init__(rules)
        self._moment = _Moment()

    @property
    def game(self) -> Game | None:
        """The game, None before the deal."""
        return self._moment.game

    def current_player(self) -> int:
        """Who is to act: chance, a seat, nobody at the end."""
        if self.game is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.game.over else self.game.seat

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self.game is not None and self.game.over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The deals and how likely each is."""
        return list(enumerate(self.get_game().chances.tolist()))

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self._moves(player))

    def _moves(self, player: int) -> dict[int, int]:
        # Moves by action. The window of a small mine leaves none out.
        view, codec = self.game.view(player), self.get_game().settings.actions.codecs[0]  # type: ignore[union-attr]
        moves = view.legal_numbers().tolist()
        numbered = {int(action_of(move, player, view.rules.players, codec)): move for move in moves}
        return {action: move for action, move in numbered.items() if action >= 0}

    def _apply_action(self, action: int) -> None:
        moment = self._moment
        if moment.game is None:
            moment.game = self.get_game().deal(action)
            return
        moment.game.play(self._action_to_string(moment.game.seat, action))
        if moment.game.round_over:
            paid = np.zeros(MAX_PLAYERS)
            _pay(moment.game.records, self.get_game().settings.wages.reward, paid)
            moment.paid = moment.paid + paid
            if not moment.game.over:
                seats = range(moment.game.rules.players)
                moment.past = (*moment.past, [information_state(moment.game, seat) for seat in seats])
                moment.game.next_round()

    def _action_to_string(self, player: int, action: int) -> str:
        if self.game is None:
            return f"deal {action}"
        settings = self.get_game().settings
        text: str = settings.actions.text(action, player, settings.players)
        return text

    def returns(self) -> list[float]:
        """What each seat was paid; 0 before the end."""
        players = self.num_players()
        return self._moment.paid[:players].tolist() if self.is_terminal() else [0.0] * players

    def information_state_string(self, player: int | None = None) -> str:
        """All that a seat has known so far."""
        if self.game is None:
            return "before the deal"
        seat = self.current_player() if player is None else player
        return "\n".join([*(texts[seat] for texts in self._moment.past), information_state(self.game, seat)])

    def observation_string(self, player: int | None = None) -> str:
        """What a seat knows now."""
        seat = self.current_player() if player is None else player
        return "before the deal" if self.game is None else str(self.game.view(seat))

    def resample_from_infostate(self, player: int, sampler: Any) -> SaboteurState:
        """Another state that a seat cannot tell from this one, even over all deals that fit what it sees."""
        other: SaboteurState = self.clone()
        if self.game is not None:
            other._moment.game = self.game.resample(player, int(sampler() * (1 << 53)))
        return other

    def __str__(self) -> str:
        return "before the deal" if self.game is None else self.game.to_json()


@kernel
def _pay(games: Any, reward: int, paid: Any) -> None:
    pay_round(games[0], reward, paid)


pyspiel.register_game(game_type(), SaboteurGame)
