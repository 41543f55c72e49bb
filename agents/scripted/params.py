"""Heuristic parameters: the numbers that make a scripted dwarf loyal, careless or hostile. Kernels read them.

The points of a move are the sum of its gains, minus the worth of its card in the hand. The dwarf plays the move with
the most points. A dwarf has parameters as a miner and as a saboteur, because its role is known only after the deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from saboteur_env.core.compiled.memory import record_dtype
from saboteur_env.engine.cards import KINDS

from .net_rows import NETWORK


@dataclass(frozen=True)
class CardValues:
    """The worth of a card in the hand, in points. A move that uses the card must gain at least so much more."""

    cross: float = 0  # NESW
    junction_east: float = 0  # NEW, which leads on to the east
    junction: float = 0  # NES
    east: float = 0  # EW
    north: float = 0  # NS
    corner: float = 0  # NE and NW
    dead_end: float = 0
    break_tool: float = 0
    repair: float = 0
    rockfall: float = 0
    map: float = 0  # nothing once the treasure is known

    def by_kind(self) -> list[float]:
        """For every kind of card."""
        return [getattr(self, _CLASSES.get(name.partition(":")[0], "dead_end")) for name in KINDS]


_CLASSES = {
    "NESW": "cross",
    "NEW": "junction_east",
    "NES": "junction",
    "EW": "east",
    "NS": "north",
    "NE": "corner",
    "NW": "corner",
    "break": "break_tool",
    "repair": "repair",
    "rockfall": "rockfall",
    "map": "map",
}


@dataclass(frozen=True)
class RoleEvidence:
    """Role evidence: how much each kind of move raises the log odds that its player is a saboteur."""

    dead_end: float = 0
    forward: float = 0  # a tunnel that leads nearer to some goal than those before
    rockfall: float = 0  # on a tunnel
    clearing: float = 0  # on a dead end
    tools: float = 0  # a tool of a miner, as it seems, broken, or of a saboteur mended; the other way round less


@dataclass(frozen=True)
class HeuristicWeights:
    """The weights of a dwarf's heuristic, in points.

    Attributes:
        progress: a card saved on the way to the treasure, on average over where it may be.
        room: ten cards not yet played that fit on the next cell of a shortest way on which the card leads.
        lay: laying a path card at all.
        open: each open side of the path card laid.
        idle: a path card that saves nothing.
        dead_end: a dead end.
        rockfall: letting rocks fall; at NEVER_FALLS or less never.
        gap: ten cards not yet played that fit the gap, where a rockfall costs cards.
        break_honest, break_guilty: breaking a tool of a miner, of a saboteur; between them as the record tells.
        break_soon: breaking a tool of the next to move, half of it of the next but one, and so on.
        break_again: each tool that is broken there already.
        mend: mending an own tool.
        help_honest, help_guilty: mending a tool of a miner, of a saboteur.
        read: a map of a goal that may be the treasure or not.
        temperature: a move that is so many points worse is played e times less often; 0 always plays the best.
        worth: of the cards in the hand.
        clues: how it reads the record.
    """

    progress: float = 0
    room: float = 0
    lay: float = 0
    open: float = 0
    idle: float = 0
    dead_end: float = 0
    rockfall: float = 0
    gap: float = 0
    break_honest: float = 0
    break_guilty: float = 0
    break_soon: float = 0
    break_again: float = 0
    mend: float = 0
    help_honest: float = 0
    help_guilty: float = 0
    read: float = 0
    temperature: float = 0
    worth: CardValues = field(default_factory=CardValues)
    clues: RoleEvidence = field(default_factory=RoleEvidence)


@dataclass(frozen=True)
class Dwarf:
    """A dwarf that plays a script.

    Attributes:
        miner: its character as a miner.
        facade: its character as a saboteur while the treasure is far.
        attack: and once a goal that may be the treasure is near.
        strike_distance: how many cards away near is.
    """

    miner: HeuristicWeights
    facade: HeuristicWeights
    attack: HeuristicWeights
    strike_distance: int


def _floats(kind: type[HeuristicWeights] | type[RoleEvidence]) -> list[tuple[str, str]]:
    return [(item.name, "f8") for item in fields(kind) if item.name not in ("worth", "clues")]


_WEIGHTS = record_dtype(
    *_floats(HeuristicWeights), ("worth", "f8", len(KINDS)), ("clues", record_dtype(*_floats(RoleEvidence)))
)
NEVER_FALLS = -20.0  # rockfall weight at or below which rockfalls are not evaluated
MINER_AT_WORK, SABOTEUR_IN_HIDING, SABOTEUR_AT_WORK = range(3)
# What kernels read of a dwarf; all zeros is one that plays any legal move. One that plays by a network (`learned`) has
# a script too, whose clues say who looks guilty.
DWARF = record_dtype(
    ("scripted", "?"),
    ("learned", "?"),
    ("strike_distance", "f8"),
    ("characters", _WEIGHTS, 3),
    ("network", NETWORK),
)


def parameter_rows(dwarfs: Sequence[Dwarf | None]) -> npt.NDArray[np.void]:
    """The parameters as kernels read them: DWARF[n]. None means a dwarf that plays any legal move."""
    table = np.zeros(len(dwarfs), DWARF)
    for row, dwarf in zip(table, dwarfs, strict=True):
        if dwarf is not None:
            characters = [_row(item) for item in (dwarf.miner, dwarf.facade, dwarf.attack)]
            row["scripted"], row["strike_distance"], row["characters"] = True, dwarf.strike_distance, characters
    return table


def network_row(network: npt.NDArray[np.void], script: Dwarf) -> npt.NDArray[np.void]:
    """A dwarf that plays by a network as kernels read it: DWARF[1].

    Args:
        network: NETWORK[1].
        script: whose clues say who looks guilty.
    """
    row = parameter_rows([script])
    row["scripted"], row["learned"], row["network"] = False, True, network
    return row


def _row(character: HeuristicWeights) -> tuple[Any, ...]:
    values = asdict(character) | {"worth": character.worth.by_kind(), "clues": tuple(asdict(character.clues).values())}
    return tuple(values.values())
