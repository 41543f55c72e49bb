"""The drawing as pixels, with letters of its own: equal scenes give equal pixels on machines without fonts too."""

from __future__ import annotations

import io
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import numpy.typing as npt

EXTRA = 'pip install "saboteur-env[render]"'
FONTS = [str(path) for path in sorted((Path(__file__).parent / "fonts").glob("*.ttf"))]


def to_array(svg: str, width: int = 920) -> npt.NDArray[np.uint8]:
    """A drawing as colours, `uint8[height, width, 3]` (render mode `rgb_array`).

    Raises: ImportError naming the extra to install; ValueError for a width below 1.
    """
    image = needed("PIL.Image").open(io.BytesIO(to_png(svg, width))).convert("RGB")
    return np.array(image, np.uint8)


def to_png(svg: str, width: int = 920) -> bytes:
    """A drawing as a PNG file.

    Raises: ImportError naming the extra to install; ValueError for a width below 1.
    """
    if width < 1:
        raise ValueError(f"a picture is at least 1 pixel wide, not {width!r}")
    png: bytes = needed("resvg_py").svg_to_bytes(
        svg_string=svg, width=int(width), background="#ffffff", skip_system_fonts=True, font_files=FONTS
    )
    return png


def needed(module: str) -> ModuleType:
    """A module of the extra `render`.

    Raises: ImportError naming the extra to install.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise ImportError(f"pictures as pixels and windows need more packages ({error}): {EXTRA}") from error
