"""The cards needed to each goal, worked out the slow way."""

import heapq

from saboteur_env.heuristics.flood import FAR
from tests.twins.cards import OPPOSITE, STEP, beside, open_sides
from tests.twins.oracle import Oracle


def counted(data):
    """The cards needed to each goal of a position: the cheapest chain from a way, one card for each empty cell."""
    oracle = Oracle(data)
    cards, goals = oracle.face_up(), oracle.goal_cells
    down = {cell for cell, goal in zip(goals, oracle.goals, strict=True) if not goal["open"]}
    ways = {cell for cell, _ in oracle.ways()}
    cost, queue = {}, [(0, cell) for cell in ways]
    while queue:
        so_far, cell = heapq.heappop(queue)
        if cell in cost or so_far > FAR:
            continue
        cost[cell] = so_far
        if cell not in down:
            for step in onwards(cell, cards, down, ways):
                heapq.heappush(queue, (so_far + (step not in cards and step not in down), step))
    return [min(cost.get(cell, FAR), FAR) if cell in down else FAR for cell in goals]


def onwards(cell, cards, down, ways):
    """The cells that a way may go on to: out of open sides, into empty cells, goals face down and open sides."""
    for side in STEP:
        other = beside(cell, side)
        if cell in cards and side not in open_sides(cards[cell]):
            continue
        entered = cards.get(other, OPPOSITE[side])
        if OPPOSITE[side] in entered and not entered.startswith("x") and other not in ways:
            yield other
