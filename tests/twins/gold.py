"""What saboteurs are paid, for the slow twin: Rules 6.2."""

from collections import Counter


def payment(gold_deck, due):
    """What one saboteur gets from the gold deck, and the deck that is left, Rules 6.2."""
    deck, held, fruitless = list(gold_deck), [], 0
    while sum(held) < due and fruitless < len(deck):
        card = deck.pop(0)
        if sum(held) + card > due:
            deck.append(card)
            fruitless += 1
        else:
            held.append(card)
            fruitless = 0
    return (held, deck) if sum(held) == due else _nearest_set(deck + held, due)


def _nearest_set(deck, due):
    """The best set not over the due, its cards taken from the top down, and the deck that is left."""
    sets = [
        [3] * threes + [2] * twos + [1] * ones
        for threes in range(deck.count(3) + 1)
        for twos in range(deck.count(2) + 1)
        for ones in range(deck.count(1) + 1)
        if 3 * threes + 2 * twos + ones <= due
    ]
    wanted = Counter(max(sets, key=lambda cards: (sum(cards), -len(cards), cards.count(3))))
    taken, left = [], []
    for card in deck:
        (taken if wanted[card] > 0 else left).append(card)
        wanted[card] -= 1
    return taken, left
