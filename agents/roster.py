"""The dwarfs by name. A kernel knows them by number: their place in `ROSTER`."""

from __future__ import annotations

ROSTER = ("random", "scripted")
RANDOM, SCRIPTED = range(2)


def number_of(name: str) -> int:
    """The number of a dwarf.

    Raises: ValueError that lists the names there are.
    """
    if name not in ROSTER:
        raise ValueError(f"there is no dwarf {name!r}; there are {', '.join(ROSTER)}")
    return ROSTER.index(name)
