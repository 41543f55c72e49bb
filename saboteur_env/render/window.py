"""A window that shows drawings (render mode `human`)."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ..core.extras import extra
from .raster import to_array


class Window:
    """A window on the screen; it opens with the first drawing.

    Args:
        width: in pixels.
        title: what the frame of the window says.

    Raises: MissingExtra without the extra `render`.
    """

    def __init__(self, width: int = 920, title: str = "Saboteur") -> None:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        with extra("render"):
            import pygame
        self._pygame: Any = pygame
        self._width, self._title = width, title
        self._screen: Any = None

    @property
    def is_open(self) -> bool:
        """Whether the window is on the screen."""
        return self._screen is not None

    def show(self, svg: str) -> bool:
        """Show a drawing; False once the user has closed the window."""
        pixels = to_array(svg, self._width)
        if self._screen is None:
            self._open(pixels.shape[1], pixels.shape[0])
        self._pygame.surfarray.blit_array(self._screen, np.swapaxes(pixels, 0, 1))
        self._pygame.display.flip()
        return self.stay()

    def stay(self) -> bool:
        """Answer the system, so that the window stays alive while nothing new is shown; False once it is closed."""
        if self._screen is not None and self._pygame.event.peek(self._pygame.QUIT):
            self.close()
        elif self._screen is not None:
            self._pygame.event.clear()
        return self.is_open

    def close(self) -> None:
        """Take the window off the screen; a second time does nothing."""
        if self._screen is not None:
            self._pygame.display.quit()
            self._screen = None

    def _open(self, width: int, height: int) -> None:
        self._pygame.display.init()
        self._screen = self._pygame.display.set_mode((width, height))
        self._pygame.display.set_caption(self._title)
