"""A round in which chance moves at places of its own, as game theory and OpenSpiel have it.

After a move that ends with drawing a card, chance is to move: `outcomes` says what may be drawn and how likely each
is, `draw` says what was. Whoever asks knows all hands, as chance does::

    play("EW@1,0")  →  outcomes() == {"EW": 0.5, "xEW": 0.5}  →  draw("xEW")  →  the next seat is to move
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from ..core.errors import IllegalMove
from ..engine.cards import KIND, KINDS
from ..game.game import Game


class ExplicitChance:
    """A game whose draws are played, not dealt beforehand.

    Args:
        game: where it begins; it is copied.

    >>> round = ExplicitChance(Game(3, seed=7))
    >>> round.play(round.game.legal_moves()[0])
    >>> round.outcomes()["map"] == 1 / 49
    True
    >>> round.draw("map")
    >>> round.outcomes(), "map" in round.game.view(0).hand
    ({}, True)
    """

    def __init__(self, game: Game) -> None:
        self._game, self._move = game.copy(), ""

    @property
    def game(self) -> Game:
        """A copy of the game; while chance is to move, as it was before the move."""
        return self._game.copy()

    def play(self, move: str) -> None:
        """Play a move; a card that it ends with is left to chance where there are several kinds.

        Raises: IllegalMove that says why, also while chance is to move; the game is as it was.
        """
        if self._move:
            raise IllegalMove(f"{move} cannot be played while chance is to move: draw one of {list(self.outcomes())}")
        after = self._game.copy()
        after.play(move)
        if self._deck_size(after) < self._deck_size(self._game) and len(set(self._deck())) > 1:
            self._move = move
        else:
            self._game = after

    def outcomes(self) -> dict[str, float]:
        """How likely each card is drawn; empty while a seat is to move."""
        deck = self._deck() if self._move else []
        return {KINDS[kind]: copies / len(deck) for kind, copies in sorted(Counter(deck).items())}

    def draw(self, card: str) -> None:
        """Let a card be drawn.

        Raises: IllegalMove where chance is not to move or cannot draw this card; the game is as it was.
        """
        if card not in self.outcomes():
            raise IllegalMove(f"{card!r} cannot be drawn: {list(self.outcomes()) or 'a seat is to move'}")
        games, chapter = self._game.records, self._game._chapters[-1]
        deal, deck = chapter.deal.copy(), self._deck()
        drawn, top = deck.index(KIND[card]), len(deck) - 1
        for record in (games[0], deal[0]):  # the deal too, so that a transcript tells what was drawn
            record.secret.deck[[drawn, top]] = record.secret.deck[[top, drawn]]
        self._game._chapters[-1] = replace(chapter, deal=deal)
        self._game.play(self._move)
        self._move = ""

    def _deck(self) -> list[int]:
        game = self._game.records[0]
        kinds: list[int] = game.secret.deck[: game.public.deck_count].tolist()
        return kinds

    @staticmethod
    def _deck_size(game: Game) -> int:
        return int(game.records[0].public.deck_count)
