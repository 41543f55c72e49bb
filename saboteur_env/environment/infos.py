"""What an info tells: the same keys, types and shapes at every decision and at the end, at every door.

Numbers alone, so that buffers, data sets and vectors take them as they are. What is not public yet has its neutral
number until the match ends (docs/infos.md).

| key | type | before the end | at the end |
| --- | --- | --- | --- |
| `action_mask` | int8[actions] | what this seat may do now | zeros |
| `role` | int | this seat's own role: 0 a miner, 1 a saboteur | in the last round |
| `winner` | int | 0 | of the last round: 1 miners, 2 saboteurs, 3 nobody |
| `roles` | int8[10] | -1 | of all seats in the last round, -1 where nobody sits |
| `nuggets` | int8[10] | 0 | of all seats |
| `length` | int | 0 | actions taken through this door in the match |
| `illegal` | bool | False | whether an illegal action of this seat broke the match off |

A match that an illegal action breaks off reveals nothing: `winner`, `roles` and `nuggets` stay neutral.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..engine.state import MAX_PLAYERS

UNKNOWN_ROLE = -1

Info = dict[str, Any]


def padded(values: Any, empty: int) -> npt.NDArray[np.int8]:
    """A number for each seat as int8[10], and `empty` where nobody sits."""
    filled = np.full(MAX_PLAYERS, empty, np.int8)
    filled[: len(values)] = values
    return filled


# Before the end. Nobody may write into these arrays.
HIDDEN_INFOS: Info = {
    "winner": 0,
    "roles": padded((), UNKNOWN_ROLE),
    "nuggets": padded((), 0),
    "length": 0,
    "illegal": False,
}
HIDDEN_INFOS["roles"].flags.writeable = HIDDEN_INFOS["nuggets"].flags.writeable = False


def info_of(role: int, **public: Any) -> Info:
    """The info of a seat, without a mask.

    Args:
        public: what has become public, of the keys above; neutral numbers where missing.
    """
    return {
        "role": role,
        **HIDDEN_INFOS,
        "roles": HIDDEN_INFOS["roles"].copy(),
        "nuggets": HIDDEN_INFOS["nuggets"].copy(),
        **public,
    }


def columns_of(role: npt.NDArray[np.int64]) -> Info:
    """The infos of seats at a decision as columns, without masks.

    Args:
        role: int64[n], of each.
    """
    hidden = {name: np.full((len(role), *np.shape(value)), value) for name, value in HIDDEN_INFOS.items()}
    return {"role": role, **hidden}
