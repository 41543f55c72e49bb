"""All faults of a position, in words: first its schema, then its cards, dice and turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ..core.schema import ANY_OBJECT, BOOLEAN, NULL, Type, either, one_of, whole
from .engine.cards import DECKS, FACES, KINDS
from .engine.moves import VERBS
from .engine.rules import Rules
from .engine.state import MAX_DICE, MAX_GAMES, MAX_PLAYERS

FORMAT = "wazabi-position/1"
HEAD = {
    "format": one_of(f"{FORMAT!r}", [FORMAT]),
    "players": whole(2, MAX_PLAYERS),
    "games": whole(1, MAX_GAMES),
    "options": ANY_OBJECT,
    "deck": either(one_of("the name of a deck", DECKS), ANY_OBJECT),
}
_COUNT = whole(0, 1 << 30)  # which leaves an int32 room for all that will be played
_CARDS = [one_of("a card", KINDS)]


def shape_of(rules: Rules) -> dict[str, Any]:
    """The shape of a position of these rules (core/schema.py)."""
    seat = whole(0, rules.players - 1)

    def each(shape: Any) -> tuple[Any, ...]:
        return (shape,) * rules.players

    return {
        "game": whole(1, rules.games),
        **dict.fromkeys(("turns", "shuffles", "picks"), _COUNT),
        **dict.fromkeys(("first_seat", "seat", "mover"), seat),
        "due": whole(0, MAX_DICE),
        "clockwise": BOOLEAN,
        "choice": either(NULL, one_of("a decision", VERBS[:-1])),
        "rolled": dict.fromkeys(FACES, whole(0, MAX_DICE)),
        "card": either(NULL, *_CARDS),
        "keepers": [seat],
        **dict.fromkeys(("dice", "misses"), each(whole(0, MAX_DICE))),
        "points": each(whole(0, MAX_DICE * MAX_GAMES)),
        "places": each(whole(0, rules.players)),
        "hands": each(_CARDS),
        "pile": _CARDS,
        "discards": _CARDS,
        "known?": each(each(_CARDS)),
        "sure?": each(each(whole(0, sum(rules.deck)))),
        "chance?": _SEED,
    }


def _is_seed(value: Any) -> bool:
    return isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 20 and int(value) < 1 << 64


_SEED = Type("a whole number below 2**64 as a text", _is_seed)


def faults(data: dict[str, Any], rules: Rules) -> list[str]:
    """Every fault of a position whose shape is right."""
    return [*_of_cards(data, rules), *_of_knowledge(data), *_of_dice(data, rules), *_of_turn(data, rules)]


def _of_cards(data: dict[str, Any], rules: Rules) -> Iterator[str]:
    lying = Counter([*data["pile"], *data["discards"], *(name for hand in data["hands"] for name in hand)])
    lying["miss"] += sum(data["misses"])
    lying[data["card"] or ""] += 1
    for name, copies in zip(KINDS, rules.deck, strict=True):
        if lying[name] != copies:
            yield f"{lying[name]} cards {name!r} instead of {copies}"
    if data["discards"] and not data["pile"] and data["choice"] not in ("keep", None):
        yield "the pile is empty, so the discards should have been shuffled"


def _of_knowledge(data: dict[str, Any]) -> Iterator[str]:
    for who, hands in enumerate(data["known"]):
        for whose, names in enumerate(hands):
            hand, sure = data["hands"][whose], data["sure"][who][whose]
            if Counter(names) - Counter(hand):
                yield f"known[{who}][{whose}] has cards that seat {whose} does not hold"
            if who == whose and sorted(names) != sorted(hand):
                yield f"known[{who}][{who}] is not the hand of seat {who}"
            if sure > len(names) or (who == whose and sure != len(hand)):
                yield f"sure[{who}][{whose}] is {sure}, but seat {who} knows {len(names)} of {len(hand)} cards"


def _of_dice(data: dict[str, Any], rules: Rules) -> Iterator[str]:
    dice, indices, rolled = data["dice"], data["places"], data["rolled"]
    out = [seat for seat in range(rules.players) if not dice[seat]]
    if sum(dice) > rules.players * rules.dice:
        yield f"{sum(dice)} dice; there were {rules.players * rules.dice} at first"
    if sorted(indices[seat] for seat in out) != [*range(1, len(out) + 1)]:
        yield "seats without dice have the places 1, 2, …, one each"
    left = len(out) + 1 if data["choice"] is None else 0
    if any(indices[seat] != left for seat in range(rules.players) if dice[seat]):
        yield f"seats with dice have place {left}"
    ended = len(out) == rules.players - 1 if rules.play_on else bool(out)
    if ended != (data["choice"] is None):
        yield "the game is over" if ended else "the game is not over, so somebody has to decide"
    if any(data["hands"][seat] or data["misses"][seat] for seat in out):
        yield "seats without dice have no cards"
    given = rolled["die"] - data["due"] if data["choice"] == "give" else rolled["die"]
    given = 0 if data["choice"] == "take" and data["card"] is None else given
    if data["choice"] is not None and sum(rolled.values()) - given != dice[data["mover"]]:
        yield f"seat {data['mover']} has {dice[data['mover']]} dice, which does not fit its roll"


def _of_turn(data: dict[str, Any], rules: Rules) -> Iterator[str]:
    choice, card, due, mover = data["choice"], data["card"], data["due"], data["mover"]
    most = {"give": data["rolled"]["die"], "take": 3 if card else data["rolled"]["card"]}.get(choice, 0)
    if not int(choice in ("give", "take")) <= due <= most:
        yield f"due is {due} while the decision is {choice}"
    cards = {"keep": ("keep_two", "keep_one"), "take": (None, "draw_three")}.get(choice, (None,))
    if card not in cards:
        yield f"card is {card!r} while the decision is {choice}"
    if choice == "take" and (data["pile"] or not any(data["hands"][:mover] + data["hands"][mover + 1 :])):
        yield "a card is taken from a player only while the pile is empty and another player has cards"
    if choice is not None and (not data["dice"][mover] or data["misses"][mover]):
        yield f"it cannot be the turn of seat {mover}"
    yield from _of_keepers(data, rules)


def _of_keepers(data: dict[str, Any], rules: Rules) -> Iterator[str]:
    keepers, mover = data["keepers"], data["mover"]
    kept = {"keep_two": 2, "keep_one": 1}.get(data["card"], 0)
    step, players = 1 if data["clockwise"] else -1, rules.players
    order = [seat for i in range(1, players) if (seat := (mover + step * i) % players) in keepers]
    if len(order) != len(keepers) or bool(keepers) != (data["choice"] == "keep"):
        yield f"keepers are {keepers} while the decision is {data['choice']}"
    if any(len(data["hands"][seat]) <= kept for seat in keepers) or (kept == 1 and len(keepers) > 1):
        yield f"keepers are {keepers}, but not all of them have cards to put away"
    if data["seat"] != (order[0] if order else mover):
        yield f"seat {data['seat']} is not the one to decide"
