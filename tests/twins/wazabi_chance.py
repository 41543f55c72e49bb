"""Chance once more, for the slow twin of Wazabi: docs/wazabi.md, section 6."""

from itertools import count

WORD = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(word):
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD
    return word ^ word >> 31


def key(seed, first, second):
    for part in (0, first, second):
        seed = mix(seed + part + GOLDEN & WORD)
    return seed


class Stream:
    """The even numbers of one key, one after the other."""

    def __init__(self, seed, game, purpose, number):
        self._key, self._count = key(key(seed, game, purpose), number, 0), count()

    def below(self, bound):
        """Lemire's even choice of 0 … bound-1 out of the upper halves of words."""
        while True:
            product = (mix(self._key + next(self._count) * GOLDEN & WORD) >> 32) * bound
            if product % (1 << 32) >= (1 << 32) % bound:
                return product >> 32

    def shuffled(self, cards):
        cards = list(cards)
        for last in range(len(cards) - 1, 0, -1):
            pick = self.below(last + 1)
            cards[last], cards[pick] = cards[pick], cards[last]
        return cards
