"""Action models as files: JSON with the action types and contexts they were fitted for. Loading executes nothing.

The package contains every model that weights were trained with (models/beliefs). The name of a file is its SHA-256.
`default.txt` names the default model, `doubting.txt` the one that allows for strangers.
"""

from __future__ import annotations

import json
import os
import re
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from saboteur_env.core.files import write_whole
from saboteur_env.core.schema import shown
from saboteur_env.engine.cards import ROLES

from .action_model import ActionModel, PlayerTypes
from .action_types import ACTION_TYPES, CONTEXTS

if TYPE_CHECKING:
    from importlib.abc import Traversable

FORMAT = "saboteur-action-model/1"
WITH_POPULATIONS = "saboteur-action-model/2"  # each type with its population, and how far they are pooled
MODELS: Traversable = files("saboteur_env.agents") / "models" / "beliefs"
MODEL_NAMES = {
    "fitted": "default.txt",
    "doubting": "doubting.txt",
}  # of the models in use, and the files that point to them
_AGAIN = "fit them again (saboteur-env study beliefs)"


def fitted() -> ActionModel:
    """The default action model, fitted on the scripted family (models/action_model.md)."""
    return named_model("fitted")


def doubting() -> ActionModel:
    """The action model of several populations, that of the unknown among them (models/action_model.md)."""
    return named_model("doubting")


def named_model(name: str) -> ActionModel:
    """The action model of a name in `MODEL_NAMES`."""
    return kept_model(digest_of(name))


def default_digest() -> str:
    """The SHA-256 of the file of the default action model."""
    return digest_of("fitted")


def digest_of(name: str) -> str:
    """The SHA-256 of the file of the action model of a name in `MODEL_NAMES`.

    Raises: ValueError that lists the names there are.
    """
    if name not in MODEL_NAMES:
        raise ValueError(f"there is no action model {name!r}; there are {', '.join(MODEL_NAMES)}")
    return (MODELS / MODEL_NAMES[name]).read_text(encoding="ascii").strip()


def file_name(digest: str) -> str:
    """The file name of an action model. The start of its SHA-256 makes it unique."""
    return f"action-model-{digest[:16]}.json"


def kept_model(digest: Any, beside: Path | None = None) -> ActionModel:
    """The action model whose file has a SHA-256.

    Args:
        beside: a folder to look in if the package does not have the model.

    Raises: ValueError that names the missing file and says where to put it, and for a file of other content.
    """
    if not isinstance(digest, str) or not re.fullmatch("[0-9a-f]{64}", digest):
        raise ValueError(f"an action model is named by its SHA-256 in 64 hexadecimal digits, not by {shown(digest)}")
    name = file_name(digest)
    for folder in (MODELS, *([beside] if beside else [])):
        if (folder / name).is_file():
            return _checked(folder / name, digest)
    there = f" or in {beside}: put the file of that name there" if beside else ""
    raise ValueError(f"the action model {name} is missing: it is not in {MODELS}{there}")


def _checked(file: Traversable, digest: str) -> ActionModel:
    content = _content(file)
    if sha256(content).hexdigest() != digest:
        raise ValueError(f"{file} was changed: its SHA-256 is not {digest}")
    return _parsed(content, str(file))


def keep_model(action_model: ActionModel, name: str = "fitted") -> Path:
    """Add an action model to those of the package and give it a name of `MODEL_NAMES`. The models before it stay.

    Returns: its file.

    Raises: ValueError if the package lies in a zip.
    """
    if not isinstance(MODELS, Path):
        raise ValueError(f"no action model can be added to {MODELS}: it is not a folder")
    content = action_model_text(action_model).encode()
    digest = sha256(content).hexdigest()
    file = write_whole(MODELS / file_name(digest), lambda draft: draft.write_bytes(content))
    write_whole(MODELS / MODEL_NAMES[name], lambda draft: draft.write_bytes(f"{digest}\n".encode()))
    return file


def action_model_text(action_model: ActionModel) -> str:
    """An action model as JSON, preferences to three decimals."""
    styles, pooled = action_model.styles, action_model.styles.pooling > 0
    types = [
        {
            "name": name,
            "role": ROLES[role],
            **({"population": int(population)} if pooled else {}),
            "share": float(share),
            "preference": dict(zip(CONTEXTS, np.round(preference, 3).tolist(), strict=True)),
        }
        for name, preference, role, share, population in zip(action_model.names, *styles[:4], strict=True)
    ]
    head = {"format": WITH_POPULATIONS, "pooling": styles.pooling} if pooled else {"format": FORMAT}
    lines = json.dumps({**head, "action_types": ACTION_TYPES, "types": types}, indent=1)
    return lines.replace(",\n     ", ", ").replace("[\n     ", "[").replace("\n    ]", "]") + "\n"


def read_action_model(path: str | os.PathLike[str]) -> ActionModel:
    """The action model of a file.

    Raises: ValueError that says what is wrong with it.
    """
    return _parsed(_content(Path(path)), str(path))


def _content(file: Traversable) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise ValueError(f"cannot read an action model from {file}: {error}") from None


@cache
def _parsed(content: bytes, path: str) -> ActionModel:
    try:
        data = json.loads(content.decode("utf-8"))
    except ValueError as error:
        raise ValueError(f"cannot read an action model from {path}: {error}") from None
    try:
        return _action_model(data)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{path} holds no action model: {error!r}") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _action_model(data: Any) -> ActionModel:
    pooled = data["format"] == WITH_POPULATIONS
    if not pooled and data["format"] != FORMAT:
        raise ValueError(f"format {data['format']!r}; this version reads {FORMAT!r} and {WITH_POPULATIONS!r}: {_AGAIN}")
    if data["action_types"] != list(ACTION_TYPES) or any(
        list(style["preference"]) != list(CONTEXTS) for style in data["types"]
    ):
        raise ValueError(f"fitted for other action types or contexts (action_types.py): {_AGAIN}")
    roles = [style["role"] for style in data["types"]]
    if set(roles) - set(ROLES):
        raise ValueError(f"roles are {', '.join(ROLES)}, not {roles}")
    preference = [list(style["preference"].values()) for style in data["types"]]
    share = np.array([style["share"] for style in data["types"]], np.float64)
    population = np.array([style["population"] if pooled else 0 for style in data["types"]])
    role, pooling = np.array([*map(ROLES.index, roles)]), float(data["pooling"]) if pooled else 0.0
    styles = PlayerTypes(np.array(preference, np.float64), role, share, population, pooling)
    return ActionModel([style["name"] for style in data["types"]], styles)
