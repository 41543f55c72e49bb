"""The outputs that a batch writes for its users."""

from __future__ import annotations

from typing import NamedTuple

MASKS = ("int8", "packed", None)
LEGAL = ("actions", "moves")


class Outputs(NamedTuple):
    """The outputs that are switched on; `make_vec` describes each."""

    observations: bool
    mask: str | None
    legal: str

    def check(self) -> Outputs:
        """The same. Raises: ValueError for what there is not, and for what does not go together."""
        if self.mask not in MASKS:
            raise ValueError(f"mask must be one of {MASKS}, not {self.mask!r}")
        if self.legal not in LEGAL:
            raise ValueError(f"legal must be one of {LEGAL}, not {self.legal!r}")
        if self.legal == "moves" and self.mask is not None:
            raise ValueError("a mask is one of actions, and legal='moves' lists none: pass mask=None too")
        return self
