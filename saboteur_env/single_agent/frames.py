"""Pictures of what a learner may see, by the render modes of Gymnasium."""

from __future__ import annotations

from typing import Any

from ..game.view import View

RENDER_MODES = ["ansi", "rgb_array"]


def checked_render_mode(mode: str | None) -> str | None:
    """Raises: ValueError for a render mode there is not."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode must be one of {RENDER_MODES}, not {mode!r}")
    return mode


def frame(view: View | None, mode: str | None) -> Any:
    """The mine as a seat sees it: text, or a picture uint8[h, w, 3].

    Raises: RuntimeError without a view, before a reset or without a render mode.
    """
    if view is None:
        raise RuntimeError("render() needs a render_mode, given when the environment is made, and a reset()")
    from ..render import draw, scene_of, text_of, to_array

    return text_of(scene_of(view)) if mode == "ansi" else to_array(draw(view))
