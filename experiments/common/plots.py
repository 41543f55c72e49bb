"""What all plots share: one print size, markers that do not depend on colours, pictures for notebooks."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from saboteur_env.core.extras import extra

from .report import write_atomically
from .statistics import Row

MARKERS = "os^DvPX"
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")  # Okabe and Ito's, for all eyes
LINE_STYLES = ("-", "--", "-.", ":")
DPI = 160  # sharp on dense screens
SHOWN_DPI = 100  # how large a notebook shows a picture, whatever its pixels
COLOURS_KEPT = 64  # a third of the bytes, and nobody sees it
POINT_STYLE = {"linestyle": "none", "capsize": 3}
HATCHES = ("", "///", "...", "xx", "\\\\\\", "++", "oo")


Floats = npt.NDArray[np.float64]


class Plot:
    """A figure (extra `report`) that shows itself in a notebook; the same data give the same bytes.

    Attributes:
        figure: matplotlib's.

    Args:
        width, height: inches.
    """

    def __init__(self, width: float = 7, height: float = 4) -> None:
        with extra("report"):
            from matplotlib.figure import Figure

        self.figure = Figure(figsize=(width, height), layout="constrained")

    def axes(self, rows: int = 1, columns: int = 1, **keywords: Any) -> list[Any]:
        """Its axes, row by row; made once."""
        return list(self.figure.subplots(rows, columns, squeeze=False, **keywords).flat)

    def note(self, text: str) -> None:
        """Write below the axes how much data the plot has."""
        self.figure.supxlabel(text, fontsize=8, x=0.99, ha="right")

    def png(self, dpi: int = DPI) -> bytes:
        """The picture as a PNG file of few colours, without metadata about its date or program."""
        with extra("report"):
            from PIL import Image

        drawn, file = io.BytesIO(), io.BytesIO()
        self.figure.savefig(drawn, format="png", dpi=dpi)
        Image.open(drawn).convert("RGB").quantize(COLOURS_KEPT).save(file, format="png", optimize=True)
        return file.getvalue()

    def save(self, path: Path, dpi: int = DPI) -> Path:
        """Write the picture as PNG."""
        return write_atomically(path, lambda file: file.write_bytes(self.png(dpi)))

    def __repr__(self) -> str:
        return f"Plot({', '.join(map(repr, filter(None, [axes.get_title() for axes in self.figure.axes])))})"

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        """The picture in a notebook, and how wide and high it is shown there."""
        width, height = (round(SHOWN_DPI * inches) for inches in self.figure.get_size_inches())
        return self.png(), {"width": width, "height": height}


def style(index: int) -> dict[str, Any]:
    """Colour, marker and line of the series in that place."""
    return {
        "color": COLORS[index % len(COLORS)],
        "marker": MARKERS[index % len(MARKERS)],
        "linestyle": LINE_STYLES[index % len(LINE_STYLES)],
    }


def draw_estimates(axes: Any, rows: Sequence[Row], x: str, name: str, shift: float, index: int, **how: Any) -> None:
    """A series of estimates as points with their intervals, beside those of other places.

    Points alone: a line between numbers of players would say that there is something in between.

    Args:
        name: the estimate; `name_low` and `name_high` are its interval.
        shift: along x, so that series do not cover one another.
        how: `label`, `scale` (100 for per cent where missing) and what `errorbar` takes besides.
    """
    value, reach = estimates(rows, name, how.pop("scale", 100))
    where = [row[x] + shift for row in rows]
    axes.errorbar(where, value, yerr=reach, **style(index) | POINT_STYLE | how)


def estimates(rows: Sequence[Row], name: str, scale: float = 100) -> tuple[Floats, Floats]:
    """The values of an estimate, and how far their intervals reach down and up; nan where nothing is known."""
    value, low, high = (
        scale * np.array([np.nan if row[key] is None else row[key] for row in rows], np.float64)
        for key in (name, f"{name}_low", f"{name}_high")
    )
    return value, np.stack([value - low, high - value])


def draw_square(axes: Any, shares: Floats, down: Sequence[Any], across: Sequence[Any]) -> Any:
    """A table of per cents as a heat map with its numbers; returns the image, for a colour bar.

    Args:
        axes: of matplotlib.
        shares: float64[rows, columns], per cents.
        down, across: labels of rows and columns.
    """
    image = axes.imshow(shares, vmin=0, vmax=100, cmap="cividis", aspect="auto")
    for (row, column), share in np.ndenumerate(shares):
        color = "black" if share > 50 else "white"
        axes.text(column, row, f"{share:.0f}", ha="center", va="center", color=color)
    axes.set_xticks(range(len(across)), across, rotation=45 if any(len(str(name)) > 3 for name in across) else 0)
    axes.set_yticks(range(len(down)), down)
    return image


def distinct(rows: Sequence[Row], name: str) -> list[Any]:
    """The values of a column, each once, in order."""
    return list(dict.fromkeys(row[name] for row in rows))


def called(agent: str) -> str:
    """The label of an agent in a plot: for an agent of a notebook its class, as legends omit names with a leading _."""
    return agent.removeprefix("__main__.")


def apart(index: int, many: int, room: float = 0.5) -> float:
    """The horizontal shift of one of many series, so that all fit around a tick."""
    return room * ((index + 0.5) / many - 0.5)
