"""The rules on one page, as a language model is told them: those of the match, switch by switch (docs/rules.md)."""

from __future__ import annotations

from functools import lru_cache

from ..engine.cards import KINDS
from ..engine.editions import Rules

GAME = """\
You play Saboteur, a card game with hidden roles, as one of the dwarfs at a table.
Miners want a way of path cards from the start S to the treasure; saboteurs want the cards to run out before.
One of the goals in the east is the treasure, the others are stone; all lie face down until a way reaches them.
A path card is named by its open sides in the order N E S W, with x in front for a dead end, which no way passes.
A card lies upright or turned by half a circle, and open sides must meet open sides.
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

WORDS = """\
Words are moves that all hear; they may be true or not.
  claim:1:treasure     after a map: what was seen at a goal, treasure, stone or nothing, to say nothing
  accuse:2  vouch:0    once before the card of a turn, three times a round: call a dwarf a saboteur, or a miner"""

SWITCH_TEXTS = {
    ("placement", "connected"): "A path card must join an open side that a way from S reaches.",
    ("placement", "touching"): "A path card must join an open side of any card in the mine.",
    ("stone", "chooser"): "Whoever reaches a stone that fits neither way up chooses how it lies.",
    ("stone", "joins"): "A stone that fits neither way up is laid so that it joins the card just laid.",
    ("goals", "all"): "Of several goals reached at once all are turned face up.",
    ("goals", "one"): "Of several goals reached at once the dwarf to move picks the one that is turned face up.",
    ("end", "hands_empty"): "The search ends when the deck and all hands are used up.",
    ("end", "all_passed"): (
        "The search ends when, after the deck has run out, every dwarf in turn has laid a card face down or passed."
    ),
    ("broken_no_gold", True): "A miner with a broken tool takes no gold.",
    ("draft", True): "Miners pick their gold cards one after another.",
    ("break_self", False): "Nobody may break a tool of its own.",
    ("talk", "claims"): WORDS,
    ("talk", "free"): f"{WORDS}\nBesides, whoever is to move may say a text to all, true or not.",
}


@lru_cache
def rules_page(rules: Rules) -> str:
    """The rules of a match, its numbers and its switches.

    >>> print(rules_page(Rules.make(5)).splitlines()[16])
    5 dwarfs play 3 rounds, each with up to 6 cards in its hand.
    """
    switches = [text for (name, value), text in SWITCH_TEXTS.items() if getattr(rules, name) == value]
    return "\n".join([GAME, *_numbers(rules), *switches])


def _numbers(rules: Rules) -> list[str]:
    saboteurs, miners = rules.role_table
    aside = "; one of these cards lies aside, unseen" if saboteurs + miners > rules.players else ""
    cards = ", ".join(f"{copies} {name}" for name, copies in zip(KINDS, rules.deck, strict=True) if copies)
    rounds = "1 round" if rules.rounds == 1 else f"{rules.rounds} rounds"
    return [
        f"{rules.players} dwarfs play {rounds}, each with up to {rules.hand_size} cards in its hand.",
        f"Roles are dealt from {saboteurs} saboteur{'s' * (saboteurs != 1)} and {miners} miners{aside}.",
        f"All cards: {cards}.",
    ]
