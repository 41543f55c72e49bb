"""A moment of a game of OpenSpiel."""

from __future__ import annotations

from typing import Any

from ...core.extras import extra
from ...environment.actions import action_of
from ...game.game import Game
from .match import Match

with extra("bridges"):
    import pyspiel

BEFORE = "before the deal"


class SaboteurState(pyspiel.State):  # type: ignore[misc]
    """A moment of a game: before the deal, before a move, or at the end.

    Args:
        rules: the `SaboteurGame` that it is of.
    """

    def __init__(self, rules: Any) -> None:
        super().__init__(rules)
        self._match: Match | None = None

    @property
    def game(self) -> Game | None:
        """The game, None before the deal."""
        return None if self._match is None else self._match.game

    def current_player(self) -> int:
        """Who is to act: chance, a seat, nobody at the end."""
        if self.game is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.game.over else self.game.seat

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self.game is not None and self.game.over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The deals and how likely each is; one outcome where the deal is sampled."""
        return list(enumerate(self.get_game().deals.probabilities.tolist()))

    def _legal_actions(self, player: int) -> list[int]:
        # The window of a small mine leaves no move out.
        view, codec = self.game.view(player), self.get_game().settings.actions.codecs[0]  # type: ignore[union-attr]
        actions = (int(action_of(move, player, view.rules.players, codec)) for move in view.legal_numbers().tolist())
        return sorted({action for action in actions if action >= 0})

    def _apply_action(self, action: int) -> None:
        game = self.get_game()
        if self._match is None:
            self._match = Match(game.deals.deal(action))
            return
        move = self._action_to_string(self._match.game.seat, action)
        self._match.play(move, game.settings.wages.reward)

    def _action_to_string(self, player: int, action: int) -> str:
        if self.game is None:
            return f"deal {action}"
        settings = self.get_game().settings
        text: str = settings.actions.text(action, player, settings.players)
        return text

    def returns(self) -> list[float]:
        """What each seat was paid; 0 before the end."""
        players = self.num_players()
        return self._match.paid[:players].tolist() if self._match and self.is_terminal() else [0.0] * players

    def information_state_string(self, player: int | None = None) -> str:
        """All that a seat has known so far."""
        seat = self.current_player() if player is None else player
        return BEFORE if self._match is None else self._match.information_state(seat)

    def observation_string(self, player: int | None = None) -> str:
        """What a seat knows now."""
        seat = self.current_player() if player is None else player
        return BEFORE if self.game is None else str(self.game.view(seat))

    def resample_from_infostate(self, player: int, sampler: Any) -> SaboteurState:
        """Another state that a seat cannot tell from this one, even over all deals that fit what it sees."""
        other: SaboteurState = self.clone()
        if self._match is not None:
            other._match = self._match.of(self._match.game.resample(player, int(sampler() * (1 << 53))))
        return other

    def __str__(self) -> str:
        return BEFORE if self.game is None else self.game.to_json()
