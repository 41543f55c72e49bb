"""The drawing as pixels, with its own letters: equal scenes give equal pixels, on machines without fonts too."""

from __future__ import annotations

import io

import numpy as np
import numpy.typing as npt

from ..core.extras import extra
from ..core.files import shipped, shipped_names

PACKAGE = "saboteur_env.render"


def to_array(svg: str, width: int = 920) -> npt.NDArray[np.uint8]:
    """A drawing as colours, `uint8[height, width, 3]` (render mode `rgb_array`).

    Raises: MissingExtra without the extra `render`; ValueError for a width below 1.
    """
    with extra("render"):
        from PIL import Image
    image = Image.open(io.BytesIO(to_png(svg, width))).convert("RGB")
    return np.array(image, np.uint8)


def to_png(svg: str, width: int = 920) -> bytes:
    """A drawing as a PNG file.

    Raises: MissingExtra without the extra `render`; ValueError for a width below 1.
    """
    if width < 1:
        raise ValueError(f"a picture is at least 1 pixel wide, not {width!r}")
    with extra("render"):
        import resvg_py
    png: bytes = resvg_py.svg_to_bytes(
        svg_string=svg, width=int(width), background="#ffffff", skip_system_fonts=True, font_files=_fonts()
    )
    return png


def _fonts() -> list[str]:
    return [str(shipped(PACKAGE, name)) for name in shipped_names(PACKAGE, "fonts") if name.endswith(".ttf")]
