"""What a held-out dwarf reads in a view: its moves taken apart, how near the tunnels are, and what was done so far.

Distances are counted in cells, straight over the board: how the cards lie in between does not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from saboteur_env.engine.cards import ALL_SIDES, DEAD, EAST, NORTH, SOUTH, WEST, orientation_of
from saboteur_env.game.notation import Coord
from saboteur_env.game.view import View

FARTHEST = 20  # cells; where no tunnel has an open end
_STEPS = {NORTH: (0, -1), EAST: (1, 0), SOUTH: (0, 1), WEST: (-1, 0)}


class Verb:
    """What a move does, by the word that its text begins with; a lay begins with its card."""

    LAY, ROCKFALL, BREAK, REPAIR, MAP, DISCARD = "lay", "rockfall", "break", "repair", "map", "discard"


class Move(NamedTuple):
    """A move taken apart.

    Attributes:
        text: as it is played.
        verb: of `Verb`, or that of a choice: `turn`, `reveal`, `take`, `pass`.
        card: that is used; empty where others do not see it.
        target: the seat or goal, -1 for none.
        coord: the cell, the start for none.
    """

    text: str
    verb: str
    card: str = ""
    target: int = -1
    coord: Coord = (0, 0)

    @classmethod
    def of(cls, text: str) -> Move:
        """The move of a text."""
        card, at, cell = text.partition("@")
        if at:
            column, row = map(int, cell.split(","))
            return cls(text, Verb.ROCKFALL if card == Verb.ROCKFALL else Verb.LAY, card, coord=(column, row))
        verb, _, rest = text.partition(":")
        card, _, last = rest.rpartition(":")
        if verb == Verb.DISCARD:
            return cls(text, verb, rest)
        return cls(text, verb, card or verb, int(last) if last.isdigit() else -1)

    @property
    def harms(self) -> bool:
        """Whether it looks like a saboteur's: a broken tool, a dead end, a rockfall."""
        return self.verb in (Verb.BREAK, Verb.ROCKFALL) or (self.verb == Verb.LAY and self.card.startswith("x"))


class Situation:
    """What one seat has before it.

    Attributes:
        seat, players: whose it is, and of how many.
        moves: the legal ones, without words.
        deeds: the moves of this round with their seats, in order.
        broken: how many tools of each seat are broken.
        deck_size: cards left to draw.
        faces: as of a view.
        distance: of the nearest open end of a tunnel to a goal that may be the treasure.
    """

    def __init__(self, view: View) -> None:
        self.seat, self.players, self.deck_size, self.faces = view.seat, view.rules.players, view.deck_size, view.faces
        self.moves = [Move.of(text) for text in view.quiet_moves()]
        self.deeds = [(seat, Move.of(text)) for seat, text in view.record]
        self.broken = [len(tools) for tools in view.broken]
        mine = view.mine
        self._cards = (
            {(0, 0): ALL_SIDES} | mine.tunnels | {coord: sides for coord, sides in mine.goals.items() if sides}
        )
        goals = zip(mine.goals, view.faces, strict=True)
        self._goals = [coord for coord, face in goals if face in (None, "treasure")]
        self.distance = self._nearest(self._cards)

    def others(self) -> list[int]:
        """All other seats, from the next on clockwise."""
        return [(self.seat + offset) % self.players for offset in range(1, self.players)]

    def brings(self, move: Move) -> int:
        """By how many cells a lay or a rockfall brings the nearest open end nearer; below 0, away."""
        if move.verb == Verb.LAY:
            return self.distance - self._nearest(self._cards | {move.coord: orientation_of(move.card)})
        return self.distance - self._nearest({at: card for at, card in self._cards.items() if at != move.coord})

    def _nearest(self, cards: Mapping[Coord, int]) -> int:
        ends = _open_ends(cards)
        return min((abs(x - u) + abs(y - v) for x, y in ends for u, v in self._goals), default=FARTHEST)


def _open_ends(cards: Mapping[Coord, int]) -> Iterator[Coord]:
    # The free cells that open sides face, those of dead ends left out.
    for (column, row), card in cards.items():
        for side, (east, south) in _STEPS.items():
            if card & side and not card & DEAD and (beside := (column + east, row + south)) not in cards:
                yield beside
