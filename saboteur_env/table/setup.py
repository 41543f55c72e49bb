"""The setup of a table: the match, and the players of its seats."""

from __future__ import annotations

import json
from collections.abc import Container, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ..core.seeds import checked_seed
from ..engine.editions import Rules
from ..game.game import Game

PERSON = "person"
LONGEST_CLOCK = 3600


@dataclass(frozen=True)
class Setup:
    """The settings of a table.

    Attributes:
        seats: for each seat `PERSON` or the name of a dwarf.
        options: switches besides the edition (docs/rules.md, section 8).
        seed: of the deals.
        clock: seconds that a person has for a move, then a dwarf plays it; 0 for no limit.
        advised: the seat that a dwarf advises, None for none.
        watched: whether there is a link for those who see all cards.
    """

    seats: tuple[str, ...]
    seed: int
    edition: str = "lv"
    rounds: int = 3
    options: Mapping[str, Any] = field(default_factory=dict)
    clock: int = 0
    advised: int | None = None
    watched: bool = False

    @classmethod
    def new(cls, asked: Mapping[str, Any], dwarfs: Container[str], has_teacher: bool) -> Setup:
        """The settings that a browser asks for, with a seed drawn by the system.

        Args:
            asked: of the shape of a message `new` (messages.py).
            dwarfs: the names given on the command line.

        Raises: ValueError that says which setting is impossible.
        """
        setup = cls(**{**asked, "seats": tuple(asked["seats"]), "seed": checked_seed(None)})
        setup.rules()
        strange = [name for name in setup.seats if name != PERSON and name not in dwarfs]
        if strange:
            raise ValueError(f"there is no dwarf {strange[0]!r} at this server; its command line names who may play")
        if setup.advised is not None and not (has_teacher and setup.advised in setup.people):
            raise ValueError("advice needs --teach on the command line, and a person in the advised seat")
        return setup

    @classmethod
    def from_json(cls, text: str) -> Setup:
        """The settings as `to_json` wrote them."""
        data = json.loads(text)
        return cls(**{**data, "seats": tuple(data["seats"])})

    def to_json(self) -> str:
        """The settings as JSON."""
        return json.dumps(asdict(self))

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, name in enumerate(self.seats) if name == PERSON]

    def rules(self) -> Rules:
        """The rules of the match. Raises: ValueError where they are impossible."""
        return Rules.make(len(self.seats), self.edition, self.rounds, self.options)

    def game(self) -> Game:
        """The match as it is dealt."""
        return Game(len(self.seats), self.edition, self.seed, self.rounds, self.options)
