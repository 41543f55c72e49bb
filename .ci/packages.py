"""Check what `python -m build` made: the source distribution is the checkout, and both lead to the same wheel.

Run as ``python .ci/packages.py SDIST WHEEL_OF_SDIST WHEEL_OF_CHECKOUT BUILD_LOG``.
"""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

MADE = ("PKG-INFO", "setup.cfg", "saboteur_env.egg-info/")


def files_of(sdist: Path) -> set[str]:
    """The files of a source distribution but for those that setuptools makes."""
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames() if archive.getmember(name).isfile()}
    return {name for name in names if not name.startswith(MADE)}


def contents(wheel: Path) -> dict[str, bytes]:
    """The files of a wheel by name."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def differing(one: Path, other: Path) -> list[str]:
    """The names of files that two wheels do not have alike."""
    left, right = contents(one), contents(other)
    return sorted(name for name in left.keys() | right.keys() if left.get(name) != right.get(name))


def main(sdist: str, of_sdist: str, of_checkout: str, log: str) -> None:
    tracked = subprocess.run(["git", "ls-files", "-z"], capture_output=True, text=True, check=True).stdout
    faults = [
        f"only in one of checkout and sdist: {name}"
        for name in sorted(files_of(Path(sdist)) ^ {*filter(None, tracked.split("\0"))})
    ]
    faults += [f"not alike in both wheels: {name}" for name in differing(Path(of_sdist), Path(of_checkout))]
    faults += [line for line in Path(log).read_text(encoding="utf-8").splitlines() if "Warning" in line]
    sys.exit("\n".join(faults) or None)


if __name__ == "__main__":
    main(*sys.argv[1:])
