"""Settings of a match: decks, costs, faces, and the variants of the sheet (Wazabi 1 and 4).

`Rules.make` is the one place where they are checked; `write` puts them into a record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from ...core.checks import with_ints
from ...core.schema import BOOLEAN, NULL, either, one_of, shown, validation_errors, whole
from .cards import DECKS, FACES, KINDS, PRINTED_COSTS, PRINTED_FACES
from .state import MAX_DECK, MAX_DICE, MAX_GAMES, MAX_PLAYERS

PLAYERS = range(2, MAX_PLAYERS + 1)
MANY = range(4, MAX_PLAYERS + 1)  # players for neighbours and teams (4.1, 4.2)


@dataclass(frozen=True)
class Rules:
    """All settings of a match, checked; make one with `Rules.make`."""

    players: int
    games: int
    deck: tuple[int, ...]  # copies of each kind
    costs: tuple[int, ...]
    faces: tuple[int, ...]  # sides of a die that show each face
    dice: int
    cards: int
    neighbours: bool
    play_on: bool
    teams: tuple[int, ...] | None  # a number for each seat; None: everybody alone
    first_seat: int | None

    @classmethod
    def make(
        cls,
        players: int = 4,
        deck: str | Mapping[str, int] = "sheet",
        games: int = 1,
        options: Mapping[str, Any] | None = None,
    ) -> Rules:
        """Check settings and fill in what the sheet says.

        Raises: ValueError naming every setting that is impossible, and why.
        """
        if not isinstance(options, Mapping | None):
            raise ValueError(f"options must be a mapping of names to values, not {shown(options)}")
        settings = with_ints({"players": players, "deck": deck, "games": games})
        players, deck, games = settings.values()
        shape = _options(players if isinstance(players, int) and players in PLAYERS else MAX_PLAYERS)
        given = with_ints(options or {})
        faults = validation_errors(settings, SETTINGS) + validation_errors(given, shape)
        faults += _unknown("option", given, [name.rstrip("?") for name in shape])
        given["deck"] = deck
        for name, allowed in (("deck", KINDS), ("costs", KINDS), ("faces", FACES)):
            faults += _unknown(name, given.get(name), allowed)
        if faults:
            raise ValueError("; ".join(faults))
        rules = cls(
            players=players,
            games=games,
            deck=DECKS[deck] if isinstance(deck, str) else tuple(deck.get(name, 0) for name in KINDS),
            costs=_filled(KINDS, PRINTED_COSTS, given.get("costs")),
            faces=_filled(FACES, PRINTED_FACES, given.get("faces")),
            dice=given.get("dice", 4),
            cards=given.get("cards", 4),
            neighbours=given.get("neighbours", False),
            play_on=given.get("play_on", False),
            teams=None if given.get("teams") is None else tuple(given["teams"]),
            first_seat=given.get("first_seat"),
        )
        if faults := rules._clashes():
            raise ValueError("; ".join(faults))
        return rules

    def _clashes(self) -> list[str]:
        # What is possible alone, but not together.
        size, teams, many = sum(self.deck), self.teams or (), self.players in MANY
        clashes = {
            f"{self.players} seats with {self.dice} dice each need more than the {MAX_DICE} in the box": (
                self.players * self.dice > MAX_DICE
            ),
            f"{size} cards in the deck; at most {MAX_DECK} are possible": size > MAX_DECK,
            f"{self.cards} cards for each of {self.players} seats; the deck has {size}": (
                self.players * self.cards > size
            ),
            "option neighbours is for 4 to 6 players": self.neighbours and not many,
            "option teams is for 4 to 6 players": bool(teams) and not many,
            "option teams: a team has one or two seats": any(teams.count(team) > 2 for team in teams),
        }
        return [clash for clash, holds in clashes.items() if holds]

    def options(self) -> dict[str, Any]:
        """What differs from the sheet, besides the deck, as it is written into positions."""
        plain = Rules.make(self.players)
        changed = {f.name: getattr(self, f.name) for f in fields(self)[3:]}
        changed = {name: value for name, value in changed.items() if value != getattr(plain, name)}
        for name, names in (("costs", KINDS), ("faces", FACES)):
            if name in changed:
                changed[name] = dict(zip(names, changed[name], strict=True))
        return {name: list(value) if isinstance(value, tuple) else value for name, value in changed.items()}

    def deck_named(self) -> str | dict[str, int]:
        """The name of the deck, or the copies of each of its kinds (those of `sheet` are assumed, Wazabi 1.3)."""
        names = [name for name, copies in DECKS.items() if copies == self.deck]
        return names[0] if names else {name: copies for name, copies in zip(KINDS, self.deck, strict=True) if copies}

    def sides(self) -> tuple[int, ...]:
        """The team of every seat, a number of its own where there are no teams."""
        return self.teams or tuple(range(self.players))

    def write(self, record: Any) -> None:
        """Fill in a RULES record. Mutates: record."""
        for name in ("players", "games", "dice", "cards", "neighbours", "play_on"):
            record[name] = getattr(self, name)
        record.first_seat = -1 if self.first_seat is None else self.first_seat
        record.team[: self.players] = self.sides()
        record.faces[:], record.cost[:], record.deck[:] = self.faces, self.costs, self.deck


SETTINGS = {
    "players": whole(PLAYERS[0], MAX_PLAYERS),
    "games": whole(1, MAX_GAMES),
    "deck": either(one_of(" or ".join(DECKS), DECKS), {f"{name}?": whole(0, MAX_DECK) for name in KINDS}),
}


def _options(players: int) -> dict[str, Any]:
    return {
        "costs?": {f"{name}?": whole(0, MAX_DICE) for name in KINDS},
        "faces?": {f"{name}?": whole(0 if name == "card" else 1, 20) for name in FACES},
        "dice?": whole(1, MAX_DICE // 2),
        "cards?": whole(0, MAX_DECK),
        "neighbours?": BOOLEAN,
        "play_on?": BOOLEAN,
        "teams?": either(NULL, (whole(0, MAX_PLAYERS - 1),) * players),
        "first_seat?": either(NULL, whole(0, players - 1)),
    }


def _unknown(what: str, given: Any, allowed: Any) -> list[str]:
    names = [name for name in given if name not in allowed] if isinstance(given, Mapping) else []
    return [f"there is no {what} {shown(name)} (there are {', '.join(allowed)})" for name in names]


def _filled(names: tuple[str, ...], printed: tuple[int, ...], given: Mapping[str, int] | None) -> tuple[int, ...]:
    return tuple((given or {}).get(name, value) for name, value in zip(names, printed, strict=True))
