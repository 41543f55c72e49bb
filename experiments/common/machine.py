"""The machine a figure was measured on."""

from __future__ import annotations

import platform
from pathlib import Path


def machine() -> str:
    """Processor and system, as far as the system tells."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    result = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    cpu = f"{result[0]}, {len(result)} cores" if result else platform.processor() or platform.machine()
    return f"{cpu}, {platform.system()}"
