"""Pictures of the mine: SVG, pixels, text, a window, a film in the terminal and a page to step through a match.

Every picture is made from a `Scene`, which holds what one seat may know or, on request, everything.
"""

from .drawing.svg import draw, svg_of
from .gallery import draw_cards
from .page import replay_page, steps_of, write_page
from .raster import to_array, to_png
from .scene import Choice, Dwarf, Goal, Scene, scene_of, scene_of_game, scene_of_view, with_beliefs
from .strip import draw_strip
from .text import text_of
from .watch import watch
from .window import Window
from .words import words_of

__all__ = [
    "Choice",
    "Dwarf",
    "Goal",
    "Scene",
    "Window",
    "draw",
    "draw_cards",
    "draw_strip",
    "replay_page",
    "scene_of",
    "scene_of_game",
    "scene_of_view",
    "steps_of",
    "svg_of",
    "text_of",
    "to_array",
    "to_png",
    "watch",
    "with_beliefs",
    "words_of",
    "write_page",
]
