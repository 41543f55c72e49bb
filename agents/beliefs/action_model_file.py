"""Habits as a file: JSON, of which nothing is executed, with the acts and contexts that it was fitted for."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from saboteur_env.core.files import shipped
from saboteur_env.engine.cards import ROLES

from .action_model import Habits, Styles
from .action_types import ACTS, CONTEXTS

FORMAT = "saboteur-habits/1"
FITTED = shipped("saboteur_env.agents", "models/habits.json")


@cache
def fitted() -> Habits:
    """The habits of the scripted family, as they come with this package (models/habits.md)."""
    return read_habits(FITTED)


def habits_text(habits: Habits) -> str:
    """Habits as JSON; likings to three decimals."""
    styles = [
        {
            "name": name,
            "role": ROLES[role],
            "share": float(share),
            "liking": dict(zip(CONTEXTS, np.round(liking, 3).tolist(), strict=True)),
        }
        for name, liking, role, share in zip(habits.names, *habits.styles, strict=True)
    ]
    lines = json.dumps({"format": FORMAT, "acts": ACTS, "styles": styles}, indent=1)
    return lines.replace(",\n     ", ", ").replace("[\n     ", "[").replace("\n    ]", "]") + "\n"


def read_habits(path: str | os.PathLike[str]) -> Habits:
    """The habits of a file.

    Raises: ValueError that says what is wrong with it.
    """
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"cannot read habits from {path}: {error}") from None
    try:
        return _habits(data)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{path} holds no habits: {error!r}") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _habits(data: Any) -> Habits:
    if data["format"] != FORMAT:
        raise ValueError(f"format {data['format']!r}; this version reads {FORMAT!r}: fit them again (fit-suspicion)")
    if data["acts"] != list(ACTS) or any(list(style["liking"]) != list(CONTEXTS) for style in data["styles"]):
        raise ValueError("fitted for other acts or contexts (action_types.py): fit them again (fit-suspicion)")
    roles = [style["role"] for style in data["styles"]]
    if set(roles) - set(ROLES):
        raise ValueError(f"roles are {', '.join(ROLES)}, not {roles}")
    liking = [list(style["liking"].values()) for style in data["styles"]]
    share = [style["share"] for style in data["styles"]]
    styles = Styles(np.array(liking, np.float64), np.array([*map(ROLES.index, roles)]), np.array(share, np.float64))
    return Habits([style["name"] for style in data["styles"]], styles)
