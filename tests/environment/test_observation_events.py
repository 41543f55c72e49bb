"""The record of the round in an observation."""

import pytest

from saboteur_env.engine.cards import KINDS, PAIRS, TOOLS, orientation_name
from saboteur_env.environment.observations import Observations
from tests.support.observed import moments, seen
from tests.twins.cards import as_cell

VERBS = ("lay", "break", "repair", "rockfall", "map", "discard", "pass", "turn", "reveal", "take")

REPAIRS = TOOLS + PAIRS

UP = {orientation_name(orientation): orientation for orientation in range(1, 32) if orientation != 16}


def line_of(seat, text, private, players):
    """An event as it is shown to the seat `own`."""
    line = dict.fromkeys(("seat", "move", "card", "tool", "column", "row", "target"), 0)
    word, _, rest = text.partition("@") if "@" in text else text.partition(":")
    name = word if word in VERBS else "lay"
    line |= {"seat": (seat - private) % players + 1, "move": VERBS.index(name) + 1}
    parts = rest.split(":")
    if name in ("lay", "rockfall"):
        line["column"], line["row"] = as_cell(rest)
        line["card"] = UP[word] if name == "lay" else 0
    elif name in ("break", "repair"):
        line["card"] = REPAIRS.index(parts[0]) if name == "repair" else 0
        line |= {"tool": TOOLS.index(parts[-2]) + 1, "target": (int(parts[-1]) - private) % players + 1}
    elif name in ("map", "reveal"):
        line["target"] = int(rest) + 1
    elif name == "discard":
        line["card"] = KINDS.index(rest) if rest else 31
    elif name == "take":
        line["card"] = int(rest or 0)
    elif name == "turn":
        line["card"] = UP[rest]
    return list(line.values())


@pytest.mark.parametrize("history", [1, 16, 128])
def test_the_events_against_the_record(history):
    for game in moments():
        for seat in range(game.rules.players):
            record = game.view(seat).record[::-1][:history]
            lines = [line_of(other, text, seat, game.rules.players) for other, text in record]
            events = seen(game, seat, history=history)["events"]
            assert events.tolist() == lines + [[0] * 7] * (history - len(lines))


def test_no_history_is_no_array():
    arrays = seen(moments()[-1], 0, history=0)
    assert "events" not in arrays
    assert "events" not in Observations(history=0).space().spaces
    assert arrays["hand"].tolist() == seen(moments()[-1], 0)["hand"].tolist()


def text_of_line(line):
    """The move of an event, read back from the array alone."""
    card, tool, column, row, target = line[2:]
    at = f"{column},{row}"
    return {
        "lay": lambda: f"{orientation_name(card)}@{at}",
        "break": lambda: f"break:{TOOLS[tool - 1]}",
        "repair": lambda: f"repair:{REPAIRS[card]}:{TOOLS[tool - 1]}",
        "rockfall": lambda: f"rockfall@{at}",
        "map": lambda: f"map:{target - 1}",
        "turn": lambda: f"turn:{orientation_name(card)}",
        "discard": lambda: "discard" if card == 31 else f"discard:{KINDS[card]}",
        "take": lambda: f"take:{card}" if card else "take",
        "reveal": lambda: f"reveal:{target - 1}",
    }.get(VERBS[line[1] - 1], lambda: VERBS[line[1] - 1])()


def decoded(events, private, players):
    """The record of a round, read back from the whole history."""
    record = []
    for line in events[::-1].tolist():
        if line[1]:
            text = text_of_line(line)
            if text.startswith(("break", "repair")):
                text += f":{(private + line[6] - 1) % players}"
            record.append(((private + line[0] - 1) % players, text))
    return record


def test_the_whole_record_is_read_back_from_the_whole_history():
    for game in moments():
        for seat in range(game.rules.players):
            events = seen(game, seat, history=128)["events"]
            assert decoded(events, seat, game.rules.players) == game.view(seat).record


@pytest.mark.parametrize("history", [-1, 129, 1.5, "16", None])
def test_a_history_there_is_not(history):
    with pytest.raises(ValueError, match="history must be a whole number from 0 to 128, not"):
        Observations(history=history)
