"""Tables of Wazabi as drawings, the way a game prints itself: a line for each seat, ``>`` before the one to decide.

::

    >0 oooo [remove_one miss]
     1 oo misses []
"""

import json
import re
from collections import Counter

from saboteur_env.wazabi import Game
from saboteur_env.wazabi.engine.cards import FACES, KINDS

LINE = re.compile(r"(>?)(\d) (o*)((?: misses)*) \[(.*)\]")


def table(drawing, rolled="", pile="", discards="", seed=5, **more):
    """The game of a drawing in which the marked seat may play a card.

    Args:
        rolled: faces as letters, C and D; the other dice of that seat show wasabi. Dice to give have been given
            already, but for the last `due`.
        pile: cards, the next one first.
        more: options of the rules, or keys of the position.
    """
    seats = [LINE.fullmatch(line.strip()).groups() for line in drawing.strip().splitlines()]
    hands = [hand.split() for *_, hand in seats]
    mover = next(seat for seat, (mark, *_) in enumerate(seats) if mark)
    dice = [len(dice) for _, _, dice, _, _ in seats]
    shown = Counter(rolled)
    misses = [text.count("misses") for _, _, _, text, _ in seats]
    wasabi = dice[mover] - shown["C"] - more.get("due", 0)
    position = {
        "format": "wazabi-position/1", "players": len(seats), "game": 1, "games": 1, "first_seat": 0, "seat": mover,
        "mover": mover, "clockwise": True, "choice": "play", "due": 0, "card": None, "keepers": [],
        "rolled": dict(zip(FACES, [wasabi, shown["C"], shown["D"]], strict=True)),
        "dice": dice, "misses": misses, "points": [0] * len(seats), "places": [0] * len(seats), "hands": hands,
        "pile": pile.split(), "discards": discards.split(), "turns": 1, "shuffles": 0, "picks": 0,
    }  # fmt: skip
    options = {name: value for name, value in more.items() if name not in position and name != "known"}
    position |= {name: value for name, value in more.items() if name not in options}
    position["options"] = {"cards": 0, "faces": {"card": 0}, "dice": 24 // len(seats), **options}
    cards = Counter([card for hand in hands for card in hand] + position["pile"] + position["discards"])
    cards["miss"] += sum(misses)
    cards[position["card"] or KINDS[0]] += 1 if position["card"] else 0
    position["deck"] = dict(cards)
    return Game.from_json(json.dumps(position), seed)


def assert_table(game, drawing):
    """Asserts that a game looks like the drawing; the mark of who decides is left out."""
    here, there = ([line.lstrip("> ") for line in text.strip().splitlines()] for text in (str(game), drawing))
    assert here == there, f"\n{game}\n\nis not\n{drawing}"
