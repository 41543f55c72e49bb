"""The mine as a drawing: the frame of the layout, path cards, goals, and the last move."""

from __future__ import annotations

from ...engine.cards import orientation_name
from ...game.notation import Coord
from ..scene import FRAME, Goal, Scene
from .symbols import CARD_HEIGHT, CARD_WIDTH, EMPTY, INK, ORANGE, PAPER, SOFT, use

BOARD_LEFT, BOARD_TOP, BOARD_WIDTH, BOARD_HEIGHT = 36, 76, 504, 422
# The `viewBox` of the mine with its numbers.
BOX = f"{BOARD_LEFT - 26} {BOARD_TOP - 23} {BOARD_WIDTH + 30} {BOARD_HEIGHT + 27}"
LETTERS = 14  # of numbers and names: ten pixels on a narrow screen

Layer = list[str]


def mine_layers(scene: Scene) -> list[Layer]:
    """The layers of the mine, from the ground up."""
    return [_inside(scene, layer) for layer in (_ground(scene), _labels(scene), _cards(scene), _marks(scene))]


def _scale(scene: Scene) -> float:
    west, north, east, south = scene.extent
    across, down = (east - west + 1) * CARD_WIDTH, (south - north + 1) * CARD_HEIGHT
    return round(min(BOARD_WIDTH / across, BOARD_HEIGHT / down, 1), 4)


def cell_box(scene: Scene, coord: Coord) -> tuple[float, float, float, float]:
    """Where a cell lies in the drawing: x, y, width, height."""
    (x, y), scale = _origin(scene), _scale(scene)
    east, south = _corner(coord)
    return x + east * scale, y + south * scale, CARD_WIDTH * scale, CARD_HEIGHT * scale


def _origin(scene: Scene) -> tuple[float, float]:
    west, north, east, south = scene.extent
    scale = _scale(scene)
    x = BOARD_LEFT + (BOARD_WIDTH - (east - west + 1) * CARD_WIDTH * scale) / 2 - west * CARD_WIDTH * scale
    y = BOARD_TOP + (BOARD_HEIGHT - (south - north + 1) * CARD_HEIGHT * scale) / 2 - north * CARD_HEIGHT * scale
    return x, y


def _inside(scene: Scene, layer: Layer) -> Layer:
    x, y = _origin(scene)
    return [f'<g transform="translate({x:.1f} {y:.1f}) scale({_scale(scene):g})">', *layer, "</g>"] if layer else []


def _corner(coord: Coord) -> tuple[int, int]:
    return coord[0] * CARD_WIDTH, coord[1] * CARD_HEIGHT


def _ground(scene: Scene) -> Layer:
    west, north, east, south = FRAME
    cells = [(column, row) for row in range(north, south + 1) for column in range(west, east + 1)]
    x, y = _corner((west, north))
    width, height = _corner((east - west + 1, south - north + 1))
    boxes = [f'<path d="M{cx + 3} {cy + 3}h54v78h-54z"/>' for cx, cy in map(_corner, cells)]
    return [
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="{EMPTY}"/>',
        f'<g fill="none" stroke="#d8cfbf" stroke-width="1" stroke-dasharray="3 4">{"".join(boxes)}</g>',
    ]


def _labels(scene: Scene) -> Layer:
    west, north, east, south = scene.extent
    size = LETTERS / _scale(scene)
    columns = [
        f'<text x="{(column + 0.5) * CARD_WIDTH:g}" y="{north * CARD_HEIGHT - size * 0.55:.1f}">{column}</text>'
        for column in range(west, east + 1)
    ]
    rows = [
        f'<text x="{west * CARD_WIDTH - size:.1f}" y="{(row + 0.5) * CARD_HEIGHT + size * 0.36:.1f}">{row}</text>'
        for row in range(north, south + 1)
    ]
    return [f'<g font-size="{size:.1f}" text-anchor="middle" fill="{SOFT}">', *columns, *rows, "</g>"]


def _cards(scene: Scene) -> Layer:
    tunnels = [use(orientation_name(orientation), *_corner(coord)) for coord, orientation in scene.tunnels]
    goals = [_goal(number, goal) for number, goal in enumerate(scene.goals)]
    return [use("start", 0, 0), '<g class="sab-tunnels">', *tunnels, "</g>", '<g class="sab-goals">', *goals, "</g>"]


def _goal(number: int, goal: Goal) -> str:
    x, y = _corner(goal.place)
    if goal.orientation:
        return use(face_name(goal), x, y)
    if goal.face:
        peek = use(face_name(goal), x + 12, y + 22, 0.6) + use("icon:eye", x + 21.6, y + 3, 0.7, "#fff")
        return use("goal", x, y) + peek
    name = (
        f'<text x="{x + 30}" y="{y + 71}" font-size="{LETTERS}" text-anchor="middle" fill="#fff">goal {number}</text>'
    )
    mark = (
        f'<text x="{x + 30}" y="{y + 51}" font-size="36" font-weight="bold" text-anchor="middle" fill="#fff">?</text>'
    )
    return use("goal", x, y) + mark + name


def face_name(goal: Goal) -> str:
    """The picture of a goal's known face, a stone as it lies or upright."""
    if goal.face == "treasure":
        return "treasure"
    return f"stone:{orientation_name(goal.orientation)}" if goal.orientation else str(goal.face)


def _marks(scene: Scene) -> Layer:
    chosen = [_ring(scene.goals[goal].place, ' stroke-dasharray="7 5"') for goal in _asked(scene)]
    coord = last_place(scene)
    if coord is None:
        return chosen
    fallen = scene.last is not None and scene.last[1].startswith("rockfall")
    x, y = _corner(coord)
    return chosen + [use("icon:rocks", x + 10, y + 22, 1.65, SOFT)] * fallen + [_ring(coord)]


def _asked(scene: Scene) -> tuple[int, ...]:
    return scene.choice.goals if scene.choice else ()


def _ring(coord: Coord, dash: str = "") -> str:
    x, y = _corner(coord)
    box = f'<rect x="{x}" y="{y}" width="60" height="84" rx="6"'
    return (
        f'<g fill="none" class="sab-ring">{box} stroke="{INK}" stroke-width="7"/>{box} stroke="{PAPER}" '
        f'stroke-width="5.4"/>{box} stroke="{ORANGE}" stroke-width="4"{dash}/></g>'
    )


def last_place(scene: Scene) -> Coord | None:
    """The cell of the last move, None where it was none on the board."""
    text = scene.last[1] if scene.last else ""
    head, _, rest = text.partition(":")
    if "@" in text:
        column, row = text.partition("@")[2].split(",")
        return int(column), int(row)
    if head in ("map", "reveal") and rest.isdigit() and int(rest) < len(scene.goals):
        return scene.goals[int(rest)].place
    return None
