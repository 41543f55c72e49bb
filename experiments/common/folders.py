"""The folder of a study: its name follows from the settings. A text tells which settings differ from those in it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

LONGEST = 100  # letters of a name; file systems take 255, and reports add their own
_UNSAFE = re.compile(r"[^a-z0-9_.-]")
_DIGEST = re.compile(r"[0-9a-f]{16,}")
_LABELS = {"sources": "the code of the agents", "weights": "the file of weights"}


def default_folder(study: str | Path, settings: Mapping[str, Any], defaults: Mapping[str, Any]) -> Path:
    """The folder of a study where none is given. The same settings give the same name, on every file system.

    Args:
        study: the folder that it has with the default settings.
        settings: what the command was given, as JSON data; those that differ from `defaults` are part of the name.
        defaults: a setting that is not among them is always part of the name.

    >>> default_folder("results/t", {"agents": ("a", "b"), "players": (3, 4, 5), "seed": 0}, {"seed": 0}).as_posix()
    'results/t-a-b-3-5'
    """
    given = {name: value for name, value in settings.items() if name not in defaults or value != defaults[name]}
    words = "-".join(_word(name, value) for name, value in given.items())
    safe = _UNSAFE.sub("_", words.lower())[:LONGEST]
    if safe != words:  # other settings could look like these
        safe += "-" + hashlib.sha256(json.dumps(given, sort_keys=True).encode()).hexdigest()[:8]
    study = Path(study)
    return study.with_name(f"{study.name}-{safe}") if safe else study


def _word(name: str, value: Any) -> str:
    if isinstance(value, str):
        return f"{name}_{value}"
    if isinstance(value, Mapping):
        return "-".join(_word(key, item) for key, item in value.items())
    if not isinstance(value, Sequence):
        return f"{name}{value}"
    first, last = value[0], value[-1]
    if len(value) > 1 and isinstance(first, int) and list(value) == list(range(first, last + 1)):
        return f"{first}-{last}"
    return "-".join(map(str, value))


def differences(there: Mapping[str, Any], here: Mapping[str, Any]) -> str:
    """Which settings differ, and how, in words; empty where none does.

    >>> differences({"deals": 2, "files": {"a.toml": "0" * 64}}, {"deals": 3, "files": {"a.toml": "1" * 64}})
    'deals was 2, is 3; a.toml has changed since then'
    """
    before, now = dict(_leaves(there)), dict(_leaves(here))
    differ = {name: (before.get(name), now.get(name)) for name in {**before, **now}}
    differ = {name: pair for name, pair in differ.items() if pair[0] != pair[1]}
    # A new or removed file follows from a new or removed agent, which is reported already.
    state = {name: pair for name, pair in differ.items() if _is_digest(pair[0]) == _is_digest(pair[1])} or differ
    return "; ".join(_told(_LABELS.get(name, name), *pair) for name, pair in state.items())


def _leaves(settings: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in settings.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, "" if name in ("files", "versions") else f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _is_digest(value: Any) -> bool:
    return isinstance(value, str) and _DIGEST.fullmatch(value) is not None


def _told(name: str, before: Any, now: Any) -> str:
    if _is_digest(before) and _is_digest(now):
        return f"{name} has changed since then"
    if _is_digest(before) or _is_digest(now):
        return f"{name} was {'not ' * (before is None)}used, is {'not ' * (now is None)}used"
    return f"{name} was {_value(before)}, is {_value(now)}"


def _value(value: Any) -> str:
    if value is None or value in ("", []):
        return "not given"
    plain = isinstance(value, list) and all(isinstance(item, str | int) for item in value)
    text = ",".join(map(str, value)) if plain else value if isinstance(value, str) else json.dumps(value)
    return text if len(text) < 60 else text[:57] + "..."
