"""Where a figure was measured: the machine, and the commit of the sources."""

from __future__ import annotations

import platform
import subprocess
from pathlib import Path


def machine() -> str:
    """Processor and system, as far as the system tells."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    result = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    cpu = f"{result[0]}, {len(result)} cores" if result else platform.processor() or platform.machine()
    return f"{cpu}, {platform.system()}"


def commit_of(file: Path) -> str | None:
    """The commit that a source file is of, `-dirty` where files were changed since; None where it is of none."""
    git = ["git", "-C", str(file.parent)]
    try:
        subprocess.run([*git, "ls-files", "--error-unmatch", file.name], check=True, capture_output=True)
        asked = [*git, "describe", "--always", "--abbrev=12", "--dirty"]
        return subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None
