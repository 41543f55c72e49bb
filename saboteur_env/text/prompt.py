"""What a language model is told: made from a view alone, and the same for equal views."""

from __future__ import annotations

from ..game.view import View
from ..render.scene import scene_of_view
from ..render.text import LEGEND, text_of
from ..render.words import words_of

SIZES = ("full", "short", "moves")

RULES = """\
You play Saboteur, a card game with hidden roles, as one of the dwarfs at a table.
Miners want a way of path cards from the start S to the treasure; saboteurs want the cards to run out before.
One of the goals in the east is the treasure, the others are stone; all lie face down until a way reaches them.
A path card is named by its open sides in the order N E S W, with x in front for a dead end, which no way passes.
A card lies upright or turned by half a circle, open sides must meet open sides, and it must join a way from S.
Cells are column,row: the start is 0,0, columns grow to the east, rows grow to the south, so that -1 is north.
In a turn a dwarf plays one card or lays one face down, then draws. Whoever has a broken tool lays no path card.
  NES@1,0              lay a path card, its sides as it lies, on a cell
  break:lantern:2      break the lantern of dwarf 2
  repair:cart:cart:0   mend a tool: the card, the tool, whose it is
  rockfall@3,-1        take a path card away
  map:1                look at a goal in secret; goals are 0, 1, 2 from north to south
  discard:xE           lay a card face down
  pass                 only with an empty hand
  turn:ES  reveal:2  take:3   how a stone lies, which goal is revealed, which gold card is taken
The winners of a round share gold; the most nuggets after the last round win the match."""

ASK_MOVE = "End your answer with one line that holds your move alone: its text or its number."
ASK_BELIEFS = (
    "For each dwarf, how likely is it a saboteur? End your answer with one line of JSON, a probability from 0 to 1 for "
    'each dwarf but yourself, as {"0": 0.2, "2": 0.6}.'
)


def prompt(view: View, size: str = "full") -> str:
    """The position and the numbered moves of the seat whose view this is.

    Args:
        size: `full` (rules, position, record, moves), `short` (position and moves) or `moves` (these alone).

    Raises: ValueError for another size, and where the seat is not to move.

    >>> from saboteur_env import Game
    >>> print(prompt(Game(players=3, seed=7).view(1), "moves").splitlines()[0])
    Your moves:
    """
    moves = view.legal_moves()
    if not moves:
        raise ValueError(f"dwarf {view.seat} is not to move; ask the view of dwarf {view.turn}")
    return "\n\n".join([*_known(view, size), numbered(moves), ASK_MOVE])


def ask_beliefs(view: View, size: str = "full") -> str:
    """The position, and the question who is a saboteur. Raises: ValueError for a size that is none."""
    return "\n\n".join([*_known(view, size), f"You are dwarf {view.seat} of {view.rules.players}.", ASK_BELIEFS])


def numbered(moves: list[str]) -> str:
    """The moves, numbered from 1 in their order."""
    return "\n".join(["Your moves:", *(f"{number}. {move}" for number, move in enumerate(moves, 1))])


def _known(view: View, size: str) -> list[str]:
    if size not in SIZES:
        raise ValueError(f"size: one of {', '.join(SIZES)}, not {size!r}")
    if size == "moves":
        return []
    position = [f"You are dwarf {view.seat}, a {view.role}.", text_of(scene_of_view(view)), _signs(view)]
    return position if size == "short" else [RULES, *position, _record(view)]


def _signs(view: View) -> str:
    places = [*view.mine.tunnels, (0, 0), *view.mine.goals]
    columns, rows = [column for column, _ in places], [row for _, row in places]
    return (
        f"{LEGEND}. The map goes from column {min(columns)} to {max(columns)} and from row {min(rows)} to {max(rows)}."
    )


def _record(view: View) -> str:
    told = [f"{number}. {words_of(move)}" for number, move in enumerate(view.record, 1)]
    return "\n".join(["This round so far:", *(told or ["nothing yet"])])
