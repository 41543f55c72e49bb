"""The dwarfs by name. A kernel knows a dwarf by its number: its index in `PRESETS` and `DWARFS`.

Every dwarf plays both roles, so a name stands for a miner and a saboteur. `careless+patient` names these two. A single
name stands for a suitable pair. The numbers were chosen by hand, and there is no record of how. docs/dwarfs.md shows
the win rates.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from saboteur_env.heuristics.flood import FAR

from .params import NEVER_FALLS, CardValues, Dwarf, HeuristicWeights, RoleEvidence, network_row, parameter_rows
from .small_network import SHIPPED_SMALL, load_network

# Lays what saves most cards, reads a map where no card saves a whole one, and keeps what leads east for later.
# Breaks the tools of seats that played like a saboteur. Repairs its own tools first, then those of all others.
# Lets rocks fall only where that saves a card, on dead ends above all.
LOYAL = HeuristicWeights(
    progress=12.6,
    room=2.5,
    lay=-0.8,
    open=-0.6,
    idle=-23.0,
    dead_end=-14.0,
    rockfall=-1.6,
    gap=-0.2,
    break_honest=-7.3,
    break_guilty=4.3,
    break_soon=-0.3,
    break_again=-2.8,
    mend=6.5,
    help_honest=8.9,
    help_guilty=-1.1,
    read=5.2,
    worth=CardValues(
        cross=1.1,
        junction_east=1.5,
        junction=0.7,
        east=1.3,
        north=0.9,
        corner=0.2,
        dead_end=-5.3,
        break_tool=-4.8,
        repair=-0.3,
        rockfall=1.1,
        map=1.6,
    ),
    clues=RoleEvidence(dead_end=4.4, forward=-1.9, rockfall=2.0, clearing=-2.6, tools=2.8),
)
# Wants the treasure as much as a loyal miner, but never looks into the record, so that everybody is as suspicious.
# Keeps no card for later. Often plays a move that is only nearly the best.
CARELESS = replace(LOYAL, worth=CardValues(dead_end=-5.3), clues=RoleEvidence(), temperature=2.0)

# At work from the first card: breaks the tools of those who look honest, of the next to move above all.
# Lays dead ends and tunnels astray where all shortest ways begin, and lets rocks fall where few cards mend it.
# Throws away what leads to the treasure, and mends nothing but its own tools.
STRIKE = HeuristicWeights(
    progress=-8.8,
    lay=-1.2,
    open=-2.8,
    idle=-0.2,
    dead_end=1.1,
    rockfall=-2.7,
    gap=-2.4,
    break_honest=6.4,
    break_guilty=2.0,
    break_soon=1.1,
    break_again=-0.8,
    mend=2.0,
    help_honest=-15.0,
    help_guilty=-2.4,
    read=0.5,
    worth=CardValues(
        cross=-1.9,
        junction_east=-2.5,
        junction=-0.3,
        east=-1.2,
        north=-0.1,
        corner=-0.4,
        dead_end=2.7,
        break_tool=4.4,
        repair=0.2,
        rockfall=2.3,
        map=0.7,
    ),
    clues=RoleEvidence(dead_end=2.2, forward=-1.1, rockfall=1.3, clearing=-0.3, tools=1.5),
)
# The facade of a patient saboteur: plays no incriminating move, and repairs its own tools.
# Throws the best path cards away unseen, and keeps dead ends, rocks and broken tools in the hand.
# Strikes once a goal that may be the treasure is four cards away.
PATIENT_FACADE = HeuristicWeights(
    progress=-1.0,
    lay=0.4,
    open=-3.0,
    idle=1.9,
    dead_end=-5.7,
    rockfall=NEVER_FALLS,
    break_honest=7.6,
    break_guilty=1.0,
    break_soon=0.9,
    mend=8.1,
    help_honest=-8.5,
    help_guilty=-2.7,
    read=1.7,
    worth=CardValues(
        cross=-0.5,
        junction_east=-1.9,
        junction=-1.9,
        east=-4.0,
        north=-0.4,
        corner=-1.4,
        dead_end=5.4,
        break_tool=8.8,
        repair=-1.4,
        rockfall=4.4,
        map=-0.6,
    ),
    clues=STRIKE.clues,
)
# The face of a two-faced saboteur: a loyal miner, who helps, reads maps and breaks the tools of suspects.
# Nothing in the record tells it from one. Strikes once a goal that may be the treasure is five cards away.
LOYAL_FACADE = replace(LOYAL, rockfall=NEVER_FALLS)

MINER_WEIGHTS = {"loyal": LOYAL, "careless": CARELESS}
SABOTEUR_WEIGHTS = {
    "blatant": (STRIKE, STRIKE, FAR),
    "patient": (PATIENT_FACADE, STRIKE, 4),
    "two-faced": (LOYAL_FACADE, STRIKE, 5),
}
_NAMED = {"scripted": "loyal+blatant", "loyal": "loyal+patient", "careless": "careless+blatant"} | {
    name: f"loyal+{name}" for name in SABOTEUR_WEIGHTS
}


def _dwarf(miner: str, saboteur: str) -> Dwarf:
    return Dwarf(MINER_WEIGHTS[miner], *SABOTEUR_WEIGHTS[saboteur])


_PAIRS = {f"{miner}+{saboteur}": _dwarf(miner, saboteur) for miner in MINER_WEIGHTS for saboteur in SABOTEUR_WEIGHTS}
PPO_SMALL = "ppo-small"  # plays by a network in kernels (small_network.py)


def network_dwarf(network: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
    """A dwarf that plays by a small network, NETWORK[1]: DWARF[1]."""
    return network_row(network, _PAIRS["loyal+blatant"])


# A package without its weights lacks it: so they can be trained again.
_LEARNED = [PPO_SMALL] if SHIPPED_SMALL.is_file() else []
PRESETS = ("random", *_NAMED, *_PAIRS, *_LEARNED)
DWARFS = np.concatenate(
    [
        parameter_rows([None, *(_PAIRS[pair] for pair in _NAMED.values()), *_PAIRS.values()]),
        *(network_dwarf(load_network(SHIPPED_SMALL)[0]) for _ in _LEARNED),
    ]
)


def number_of(name: str) -> int:
    """The number of a dwarf.

    Raises: ValueError that lists the names there are.
    """
    if name not in PRESETS:
        raise ValueError(f"there is no dwarf {name!r}; there are {', '.join(PRESETS)}")
    return PRESETS.index(name)


def plays_in_kernels(name: str) -> bool:
    """Whether an agent is a preset dwarf, or a file of small weights as `ppo-small:FILE`."""
    return name in PRESETS or name.startswith(f"{PPO_SMALL}:")


def dwarf_of(name: str) -> npt.NDArray[np.void]:
    """A dwarf that plays in kernels: DWARF[1].

    Raises: ValueError as `number_of`, and as `load_network` for `ppo-small:FILE`.
    """
    kind, colon, path = name.partition(":")
    if kind == PPO_SMALL and colon:
        return network_dwarf(load_network(path)[0])
    return DWARFS[[number_of(name)]]
