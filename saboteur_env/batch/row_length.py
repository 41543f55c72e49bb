"""The length that a row of legal actions needs."""

from __future__ import annotations

from ..engine.bitboard import STEPS
from ..engine.cards import (
    ALL_SIDES,
    FIRST_REPAIR,
    KINDS,
    MAP,
    ORIENTATION_OF_KIND,
    PATH_KINDS,
    ROCKFALL,
    TOOLS_OF_REPAIR,
    turned,
)
from ..engine.editions import Rules


def row_length(rules: Rules) -> int:
    """The length that a row needs: no position of these rules has more legal actions."""
    others = [_targets(kind, rules) for kind in _kinds(rules) if kind >= PATH_KINDS]
    sides, hands = open_sides(rules), [_hands(side, rules) for side in range(len(STEPS))]
    most = max(
        (sides - kept) * lies + _most(others, rules.hand_size - cards)
        for at_side in hands
        for (cards, kept), lies in at_side.items()
    )
    return most + rules.hand_size + 2 * rules.players * rules.talks  # discards and words


def _kinds(rules: Rules) -> list[int]:
    return [kind for kind in range(len(KINDS)) if rules.deck[kind]]


def _hands(side: int, rules: Rules) -> dict[tuple[int, int], int]:
    # In how many ways the path cards of a hand can lie where they must be open to a side, at most: by how many they
    # are, and by how many open sides the mine lacks as they are not in it.
    most = {(0, 0): 0}
    for kind in _kinds(rules):
        for (cards, kept), lies in list(most.items()) if kind < PATH_KINDS else []:
            if cards < rules.hand_size:
                hand = cards + 1, kept + _adds(kind, rules)
                most[hand] = max(most.get(hand, 0), lies + _lies(kind, side))
    return most


def _most(numbers: list[int], count: int) -> int:
    return sum(sorted(numbers)[len(numbers) - min(count, len(numbers)) :])


def _lies(kind: int, side: int) -> int:
    # In how many ways a path card can lie where it must be open to a side.
    upright = int(ORIENTATION_OF_KIND[kind])
    return sum(orientation >> side & 1 for orientation in {upright, turned(upright)})


def _adds(kind: int, rules: Rules) -> int:
    # How many open sides a path card adds to a mine at most: it covers one with one of its own.
    orientation = int(ORIENTATION_OF_KIND[kind])
    leads_on = orientation <= ALL_SIDES or rules.placement == "touching"
    return max(0, (orientation & ALL_SIDES).bit_count() - 2) if leads_on else 0


def _targets(kind: int, rules: Rules) -> int:
    # How many moves an action card gives at most, besides its discard.
    if kind == ROCKFALL:
        return sum(rules.deck[:PATH_KINDS])
    if kind == MAP:
        return len(rules.goal_cells)
    tools = int(TOOLS_OF_REPAIR[kind - FIRST_REPAIR]).bit_count() if kind >= FIRST_REPAIR else 1
    return tools * rules.players


def open_sides(rules: Rules) -> int:
    """No mine has more open sides towards empty cells, at which a card may lie.

    The start has four. A card of n sides covers one of them and adds n - 1 at most, a treasure two. Cards that a way
    joins to the start are joined in one card less than they are places at least, so a rockfall takes away no fewer.
    Where a card may touch any other (`touching`), what lies apart counts too: a stone has two sides, and a rockfall
    opens the sides around it, four at most.
    """
    laid = sum(rules.deck[kind] * _adds(kind, rules) for kind in range(PATH_KINDS))
    apart = 2 * len(rules.goal_cells) + 4 * rules.deck[ROCKFALL] if rules.placement == "touching" else 2
    return 4 + apart + laid
