"""Files of the package, and atomic writing of files."""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.abc import Traversable

_UNPACKED = ExitStack()
atexit.register(_UNPACKED.close)


@cache
def shipped(package: str, name: str) -> Path:
    """A file that comes with a package.

    From a zip it is unpacked, and stays until the process ends.

    Args:
        name: of the file, with its folders: `models/evaluation.json`.
    """
    result = files(package)
    for part in name.split("/"):
        result = result / part
    return _UNPACKED.enter_context(as_file(result))


def shipped_names(package: str, folder: str) -> list[str]:
    """The names of all files below a folder that comes with a package, as `shipped` takes them."""
    return sorted(_names(files(package) / folder, folder))


def _names(result: Traversable, name: str) -> Iterator[str]:
    if result.is_file():
        yield name
        return
    for item in result.iterdir():
        yield from _names(item, f"{name}/{item.name}")


def write_whole(path: Path, write: Callable[[Path], object]) -> Path:
    """Let `write` fill a file next to `path`, then move it into place atomically."""
    draft = path.with_name(f".{path.stem}-{os.getpid()}{path.suffix}")
    try:
        write(draft)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return path
