"""The rules that matter at the moment, in words."""

from __future__ import annotations

from ...engine.state import CHOOSE_CLAIM, CHOOSE_GOAL, CHOOSE_GOLD, CHOOSE_TURN
from ...engine.talk import may_speak, words_left
from ...game.view import View

AIMS = {
    "miner": (
        "You are a miner. Dig a tunnel from the start to the treasure, which lies under one of the goals. "
        "Among the others are perhaps saboteurs, who look like you and want the opposite."
    ),
    "saboteur": (
        "You are a saboteur. If the cards run out before a tunnel reaches the treasure, you have won. "
        "Nobody knows your role, and you need not hurry to show it."
    ),
}
CHOICE_TEXTS = {
    CHOOSE_TURN: "The tunnel has reached a goal, and it is a stone that fits both ways. Choose how it lies.",
    CHOOSE_GOAL: "The tunnel has reached more than one goal. Choose which one is turned face up.",
    CHOOSE_GOLD: "The miners share the gold. Take one of the cards on offer: each is worth 1 to 3 nuggets.",
    CHOOSE_CLAIM: "You have read a map. Say what the goal is, true or not, or say nothing: all hear it.",
}
HELP = {
    "path": "A path card leads a tunnel on. Open sides must meet open sides, and closed ones closed ones. "
    "Each card may be turned upside down; the places where it fits are marked.",
    "dead end": "A dead end is laid like a path card, but no way leads through it. It shuts a tunnel off.",
    "break": "Broken tools keep a dwarf from laying path cards. It may still do all else.",
    "repair": "Mends a broken tool of the same kind, your own or somebody else's.",
    "rockfall": "Takes a path card out of the mine, but never the start or a goal.",
    "map": "Look at a goal that lies face down. Only you see what it is; all see that you have looked.",
}


def card_words(card: str) -> str:
    """The name of a card in the hand, in words.

    >>> card_words("xNE"), card_words("repair:lantern+cart"), card_words("map")
    ('dead end xNE', 'repair lantern or cart', 'map')
    """
    head, _, tools = card.partition(":")
    if tools:
        return f"{head} {tools.replace('+', ' or ')}"
    return head if head in HELP else f"{'dead end' if head.startswith('x') else 'tunnel'} {head}"


def card_help(card: str) -> str:
    """The purpose of a card in the hand, in words."""
    head = card.partition(":")[0]
    return HELP.get(head) or HELP["dead end" if head.startswith("x") else "path"]


def guide(view: View) -> list[str]:
    """The information that the seat needs now, one or two sentences for each topic."""
    if view.public.over:
        return _after_the_round(view)
    aim = AIMS[view.role]
    if view.turn != view.seat:
        return [aim, f"Dwarf {view.turn} is to move. Watch what it does: it tells whom one may trust."]
    if view.public.choice in CHOICE_TEXTS:
        return [CHOICE_TEXTS[int(view.public.choice)]]
    if not view.hand:
        return [aim, "You have no cards left: pass."]
    turn = "It is your turn. Pick a card up to see where it may go, or lay one face down. Then you draw another one."
    return [aim, turn, *_words(view), *_broken(view)]


def _words(view: View) -> list[str]:
    if not may_speak(view.public):
        return []
    left = words_left(view.public, view.seat)
    return [f"Before that you may accuse a dwarf or vouch for one: {left} more time{'s' * (left > 1)} in this round."]


def _broken(view: View) -> list[str]:
    tools = view.broken[view.seat]
    if not tools:
        return []
    are = "are" if len(tools) > 1 else "is"
    return [f"Your {' and '.join(tools)} {are} broken: until mended, you lay no path card. All other cards go on."]


def _after_the_round(view: View) -> list[str]:
    ends = {
        "miners": "The miners have found the treasure and share the gold.",
        "saboteurs": "The treasure was not found: the saboteurs have won and take gold.",
        "nobody": "The treasure was not found, but there was no saboteur at the table: nobody takes gold.",
    }
    more = view.public.round_number < view.rules.rounds
    rest = "Roles and cards are dealt again in the next round; gold is kept." if more else "Most nuggets win the match."
    return [ends[view.winner or "nobody"], rest]
