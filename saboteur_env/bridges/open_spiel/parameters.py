"""What OpenSpiel is told of the game before it is played: its parameters, its type and its bounds."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from ...core.extras import extra
from ...engine.state import MAX_EVENTS, MAX_PLAYERS
from ...environment.settings import Settings

with extra("bridges"):
    import pyspiel

GAME_NAME = "python_saboteur"
SAMPLED_CHANCE, EXPLICIT_CHANCE = "sampled", "explicit"
GAME_PARAMETERS = {
    "players": 3,
    "edition": "lv",
    "rounds": 1,
    "reward": "zero_sum",
    "window": "printed",
    "history": 16,
    "options": quote("{}"),  # JSON with percent signs, as names of games have no commas: `load_game` writes it
    "chance": SAMPLED_CHANCE,  # or EXPLICIT_CHANCE
    "deals": 0,  # how many are explicit; 0 for every distinct one
    "rng_seed": 0,  # of the deals
}
UTILITIES = {"side": (-1, 1), "zero_sum": (-1, 1), "nuggets": (0, 28), "match": (0, 1)}  # of one round


def game_type(reward: str = "zero_sum", chance: str = SAMPLED_CHANCE) -> Any:
    """What OpenSpiel is told of the game with a reward and a mode of chance."""
    kinds, modes = pyspiel.GameType.Utility, pyspiel.GameType.ChanceMode
    return pyspiel.GameType(
        short_name=GAME_NAME,
        long_name="Saboteur",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=modes.SAMPLED_STOCHASTIC if chance == SAMPLED_CHANCE else modes.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=kinds.ZERO_SUM if reward == "zero_sum" else kinds.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=MAX_PLAYERS,
        min_num_players=3,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=GAME_PARAMETERS,
    )


def game_info(settings: Settings, outcomes: int) -> Any:
    """The bounds of a game whose chance has so many outcomes."""
    low, high = (settings.rounds * bound for bound in UTILITIES[settings.reward])
    return pyspiel.GameInfo(
        num_distinct_actions=settings.actions.count,
        max_chance_outcomes=outcomes,
        num_players=settings.players,
        min_utility=float(low),
        max_utility=float(high),
        utility_sum=0.0 if settings.reward == "zero_sum" else None,
        max_game_length=settings.rounds * MAX_EVENTS,
    )
