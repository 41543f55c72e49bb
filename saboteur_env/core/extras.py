"""Optional packages: the error for a missing one gives the command that installs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class MissingExtra(ImportError):
    """A package of an extra is not installed; the message says how to install it."""


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Import packages of an extra in this block; of blocks inside one another the outer one names the extra.

    Args:
        name: of the extra in pyproject.toml.

    Raises: MissingExtra that names the missing package and the extra.
    """
    try:
        yield
    except (ModuleNotFoundError, MissingExtra) as error:
        package = (error.name or "").partition(".")[0]
        if package in ("", "saboteur_env"):
            raise
        raise missing_extra(package, name) from error


def missing_extra(package: str, name: str) -> MissingExtra:
    """The error for a missing package of an extra."""
    return MissingExtra(f'{package} is not installed: pip install "saboteur-env[{name}]"', name=package)
