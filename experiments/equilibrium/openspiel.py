"""A tree as a game of OpenSpiel (extra `bench`): its algorithms as a second opinion on ours.

After Lanctot et al., "OpenSpiel: A Framework for Reinforcement Learning in Games" (2019). The tree is handed over as a
table of nodes, so that OpenSpiel's code runs on the very game that was solved here, whatever of it is a rule.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from saboteur_env.core.extras import extra

from .tree import END, Floats, Tree

with extra("bench"):
    import pyspiel
    from open_spiel.python.policy import TabularPolicy


def openspiel_game(tree: Tree) -> Any:
    """The game of a tree, for OpenSpiel's algorithms."""
    state = _state_of(tree)

    class MineGame(pyspiel.Game):  # type: ignore[misc]
        """A tree."""

        def __init__(self, params: Any = None) -> None:
            super().__init__(_kind(tree.rules.players), _size(tree), params or {})

        def new_initial_state(self) -> Any:
            return state(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            return None

    return MineGame()


def _kind(players: int) -> Any:
    return pyspiel.GameType(
        short_name="saboteur_mine",
        long_name="Saboteur, a small mine",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=False,
        parameter_specification={},
    )


def _size(tree: Tree) -> Any:
    return pyspiel.GameInfo(
        num_distinct_actions=int(np.diff(tree.links.child[1:]).max()),
        max_chance_outcomes=len(tree.deals.chances),
        num_players=tree.rules.players,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=None,
        max_game_length=len(tree.levels),
    )


def _state_of(tree: Tree) -> Any:
    links = tree.links

    class MineState(pyspiel.State):  # type: ignore[misc]
        """A node. The tree is not an attribute: OpenSpiel copies states deeply."""

        def __init__(self, game: Any) -> None:
            super().__init__(game)
            self.node = 0

        def current_player(self) -> int:
            seat = int(tree.seat[self.node])
            return pyspiel.PlayerId.TERMINAL if seat == END else pyspiel.PlayerId.CHANCE if seat < 0 else seat

        def _legal_actions(self, player: int) -> list[int]:
            return list(range(links.child[self.node + 1] - links.child[self.node]))

        def chance_outcomes(self) -> list[tuple[int, float]]:
            return list(enumerate(tree.deals.chances.tolist()))

        def _apply_action(self, action: int) -> None:
            self.node = int(links.child[self.node]) + action

        def _action_to_string(self, player: int, action: int) -> str:
            return str(action)

        def is_terminal(self) -> bool:
            return bool(tree.seat[self.node] == END)

        def returns(self) -> list[float]:
            return tree.payoffs[:, self.node].tolist()

        def information_state_string(self, player: int | None = None) -> str:
            return str(tree.info[self.node])

        def __str__(self) -> str:
            return str(self.node)

    return MineState


def openspiel_policy(tree: Tree, game: Any, profile: Floats) -> Any:
    """A profile as OpenSpiel's tabular policy of that game.

    Args:
        profile: float64[moves], the probabilities of all moves (tree.py).
    """
    policy = TabularPolicy(game)
    for info, (begin, end) in enumerate(zip(tree.first[:-1], tree.first[1:], strict=True)):
        policy.policy_for_key(str(info))[: end - begin] = profile[begin:end]
    return policy
