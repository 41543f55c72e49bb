"""The reason why a move is illegal, in words, from what the seat to move knows."""

from __future__ import annotations

from .engine.cards import DIE, KINDS, REMOVE_ONE, TAKE_CARD, WASABI
from .engine.moves import GIVE, KEEP, PASS, PLAY, VERBS, first_of, second_of, verb_of
from .view import View


def explain_illegal(view: View, number: int) -> str:
    """The reason why a move is illegal. Requires: it is illegal, and `view` is that of the seat to move."""
    public, seat, verb = view.public, view.seat, verb_of(number)
    if public.over:
        return "the game is over"
    if verb not in ((PLAY, PASS) if public.choice == PLAY else (int(public.choice),)):
        return f"seat {seat} must now {VERBS[public.choice]}: {', '.join(view.legal_moves())}"
    if verb == PLAY:
        return _why_not_play(view, first_of(number), second_of(number))
    if verb == KEEP:
        return f"seat {seat} can keep {', '.join(move[5:] for move in view.legal_moves())}"
    if reason := _why_not_at(view, second_of(number)):
        return reason
    return "dice go to neighbours only" if verb == GIVE else f"seat {second_of(number)} has no card"


def _why_not_play(view: View, kind: int, target: int) -> str:
    public, name = view.public, KINDS[kind]
    if name not in view.hand:
        return f"seat {view.seat} does not hold {name}"
    if public.rules.cost[kind] > public.rolled[WASABI]:
        return f"{name} costs {public.rules.cost[kind]} wasabi, and {public.rolled[WASABI]} were rolled"
    if kind == REMOVE_ONE and public.rolled[DIE] > 1:
        return f"{name} is barred by a roll of {public.rolled[DIE]} dice to give"
    if reason := _why_not_at(view, target):
        return reason
    assert kind == TAKE_CARD
    return f"seat {target} has no card"


def _why_not_at(view: View, target: int) -> str | None:
    if target >= view.rules.players:
        return f"there is no seat {target}; {view.rules.players} play"
    if target == view.seat:
        return "it goes to another seat, not to oneself"
    return f"seat {target} has left the game" if view.public.place[target] else None
