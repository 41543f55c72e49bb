"""Infos: the same keys, types and shapes at every decision and at the end, in every environment.

All values are numbers, so replay buffers, data sets and vector environments accept them. A value that is not public yet
has a neutral number until the match ends (docs/infos.md).

| key | type | before the end | at the end |
| --- | --- | --- | --- |
| `action_mask` | int8[actions] | 1 for each action that is legal for this seat now | zeros |
| `role` | int | role of this seat: 0 a miner, 1 a saboteur | its role in the last round |
| `winner` | int | 0 | winner of the last round: 1 miners, 2 saboteurs, 3 nobody |
| `roles` | int8[10] | -1 | roles of all seats in the last round, -1 for an empty seat |
| `nuggets` | int8[10] | 0 | nuggets of all seats |
| `length` | int | 0 | number of actions taken: by all seats in PettingZoo, by the learner elsewhere |
| `illegal` | bool | False | whether an illegal action of this seat ended the match |

A match that ends by an illegal action reveals nothing: `winner`, `roles` and `nuggets` keep their values.
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
