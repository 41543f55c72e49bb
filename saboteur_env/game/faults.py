"""All faults of a position, in words. It checks the data, before a record is made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ..engine.bitboard import REACH
from ..engine.cards import (
    ALL_SIDES,
    FACE_ORIENTATION,
    FACES,
    GOLD_COPIES,
    GOLD_VALUES,
    KIND,
    KINDS,
    ORIENTATION_OF_KIND,
    orientation_name,
    turned,
)
from ..engine.editions import DIRECTIONS, Rules, reach
from ..engine.gold import nuggets_due
from ..engine.play import fits, goals_reached
from ..engine.state import MAX_DECK, MAX_DISCARDS, MAX_EVENTS, Games
from .build import Data, forgotten_of, numbered_past, orientation_of_tunnel
from .messages import message_faults
from .notation import Coord, Map
from .record_faults import record_faults

_PER_SEAT = ("roles", "hands", "broken", "maps", "gold", "shortfall", "forgotten")


def faults(data: Data, rules: Rules) -> list[str]:
    """Every fault of cards, tools, hands, gold and record. Requires: the data has the right shape."""
    sizes = list(_sizes(data, rules))
    if sizes:
        return sizes  # what follows walks over seats and goals
    of_table = (_roles, _cards, _goals, _tunnels, _tools, _hands, _turn, _gold, _ending, _pending)
    of_memory = (record_faults, message_faults, _past, _short)
    return [fault for check in of_table + of_memory for fault in check(data, rules)]


def _sizes(data: Data, rules: Rules) -> Iterator[str]:
    for name in _PER_SEAT:
        if name in data and len(data[name]) != rules.players:
            yield f"{name} must have an entry for each of {rules.players} players, not {len(data[name])}"
    if len(data["goals"]) != len(rules.goal_cells):
        yield f"goals must have {len(rules.goal_cells)} entries, not {len(data['goals'])}"
    if data["round"] > rules.rounds:
        yield f"round {data['round']} of a match of {rules.rounds}"
    if not 0 <= len(data.get("past", [])) <= data["round"] - (data["winner"] is None or data["pending"] is not None):
        yield f"past tells of {len(data['past'])} rounds in round {data['round']}"
    for where, seat in _seats(data):
        if seat >= rules.players:
            yield f"{where} names seat {seat}; there are {rules.players} players"
    for where, goal in _goal_numbers(data):
        if goal >= len(rules.goal_cells):
            yield f"{where} names goal {goal}; there are {len(rules.goal_cells)} goals"
    chance = data.get("chance", "0")
    if not (chance.isascii() and chance.isdecimal() and len(chance) <= 20 and int(chance) < 1 << 64):
        yield f"chance must be a whole number below 2**64 as a text, not {chance!r}"


def _seats(data: Data) -> Iterator[tuple[str, int]]:
    yield from ((name, data[name]) for name in ("first_seat", "seat", "last_seat"))
    yield from (("discards", discard["by"]) for discard in data["discards"] if "by" in discard)
    yield from (("record", seat) for seat, _ in data.get("record", []))
    yield from (("short", seat) for _, seat, _ in data.get("short", []))
    for past in data.get("past", []):
        yield from (
            ("past", seat) for seat in (past["first_seat"], past["last_seat"], *(seat for seat, _ in past["gold"]))
        )


def _goal_numbers(data: Data) -> Iterator[tuple[str, int]]:
    yield from (("maps", goal) for goals in data["maps"] for goal in goals)
    pending = data["pending"] or {}
    yield from (("pending", goal) for goal in (*pending.get("goals", []), *pending.get("declined", [])))
    yield from (("pending", goal) for goal, _ in pending.get("before", []))
    yield from (("pending", pending[name]) for name in ("stone", "claim") if name in pending)


def _counted(what: str, there: Counter[Any], wanted: Counter[Any]) -> Iterator[str]:
    for name in {**wanted, **there}:
        if there[name] != wanted[name]:
            yield f"{there[name]} {what} {name!r} instead of {wanted[name]}"


def _roles(data: Data, rules: Rules) -> Iterator[str]:
    for where, part in (("", data), *((f"past[{i}]: ", past) for i, past in enumerate(data.get("past", [])))):
        aside = [part["role_aside"]] if part["role_aside"] else []
        saboteurs, miners = rules.role_table
        if len(part["roles"]) != rules.players:
            yield f"{where}roles must have an entry for each of {rules.players} players, not {len(part['roles'])}"
        elif bool(aside) != rules.one_aside:
            yield f"{where}role_aside must {'be a role' if rules.one_aside else 'be null: no dwarf stays aside'}"
        else:
            wanted = Counter(miner=miners, saboteur=saboteurs)
            yield from (where + fault for fault in _counted("role cards", Counter(part["roles"] + aside), wanted))


def _cards(data: Data, rules: Rules) -> Iterator[str]:
    there: Counter[str] = Counter(data["deck"])
    for hand in data["hands"]:
        there.update(hand)
    there.update(discard["card"] for discard in data["discards"])
    there.update(tunnel["card"] for tunnel in data["tunnels"])
    there.update(f"break:{tool}" for tools in data["broken"] for tool in tools)
    yield from _counted("cards", there, Counter(dict(zip(KINDS, rules.deck, strict=True))))


def _goals(data: Data, rules: Rules) -> Iterator[str]:
    goals = data["goals"]
    yield from _counted("goals", Counter(goal["face"] for goal in goals), Counter(FACES[1 : len(goals) + 1]))
    for number, goal in enumerate(goals):
        choosing = number == (data["pending"] or {}).get("stone")
        if goal["turned"] and (choosing or not goal["open"] or goal["face"] == "treasure"):
            what = "still to be turned" if choosing else "the treasure" if goal["open"] else "face down"
            yield f"goal {number} is turned, but it is {what}"


def drawn(data: Data, rules: Rules) -> Map:
    """The mine of a position."""
    stones = {"treasure": ALL_SIDES, **{face: int(ORIENTATION_OF_KIND[KIND[face[6:]]]) for face in FACES[2:]}}
    mine = Map({tuple(tunnel["at"]): orientation_of_tunnel(tunnel) for tunnel in data["tunnels"]})
    choosing = (data["pending"] or {}).get("stone", -1)
    for number, (coord, goal) in enumerate(zip(rules.goal_cells, data["goals"], strict=True)):
        orientation = turned(stones[goal["face"]]) if goal["turned"] else stones[goal["face"]]
        mine.goals[coord] = orientation if goal["open"] and number != choosing else 0
    return mine


def _tunnels(data: Data, rules: Rules) -> Iterator[str]:
    seen: set[Coord] = {(0, 0), *rules.goal_cells}
    for tunnel in data["tunnels"]:
        coord = tuple(tunnel["at"])
        if coord in seen:
            yield f"tunnel {tunnel['card']} at {_at(coord)} lies on another card, the start or a goal"
        if tunnel["turned"] and turned(orientation := int(ORIENTATION_OF_KIND[KIND[tunnel["card"]]])) == orientation:
            yield f"tunnel {tunnel['card']} at {_at(coord)} looks the same both ways up; turned must be false"
        seen.add(coord)
    mine = drawn(data, rules)
    for coord in sorted(mine.tunnels):
        for other, side, back in (
            (_step(coord, 1, 0), 2, 8),
            (_step(coord, 0, 1), 4, 1),
            (_step(coord, -1, 0), 8, 2),
            (_step(coord, 0, -1), 1, 4),
        ):
            known = other == (0, 0) or (other in mine.tunnels and other > coord)
            if known and bool(mine.orientation(coord) & side) != bool(mine.orientation(other) & back):
                pair = [f"{orientation_name(mine.orientation(one))}@{_at(one)}" for one in (coord, other)]
                yield f"open meets shut between {' and '.join(pair)}"
    yield from _reach(data, rules)


def _reach(data: Data, rules: Rules) -> Iterator[str]:
    # Of the cards face up the farthest is, in each direction, the one from which play could get farthest.
    unlaid = Counter(data["deck"] + [card for hand in data["hands"] for card in hand])
    deck, touching = [unlaid[name] for name in KINDS], rules.placement == "touching"
    mine = drawn(data, rules)
    laid = [(0, 0), *mine.tunnels, *(coord for coord, orientation in mine.goals.items() if orientation)]
    down = [coord for coord, orientation in mine.goals.items() if not orientation]
    stones = sum(not goal["open"] and goal["face"] != "treasure" for goal in data["goals"])
    for name, (_, _, east, south) in DIRECTIONS.items():
        far, *coord = max((column * east + row * south, column, row) for column, row in laid)
        ahead = [(column, row) for column, row in down if column * east + row * south > far]
        if far > 0 and far + reach(deck, ahead, touching, stones)[name] > REACH:
            yield f"from the card at {_at(coord)} the cards left could lead off the board to the {name}"


def _step(coord: Coord, east: int, south: int) -> Coord:
    return coord[0] + east, coord[1] + south


def _at(coord: Any) -> str:
    return f"{coord[0]},{coord[1]}"


def _tools(data: Data, rules: Rules) -> Iterator[str]:
    for name in ("broken", "maps"):
        for seat, values in enumerate(data[name]):
            if len(set(values)) < len(values):
                yield f"{name} of seat {seat} names one twice: {values}"


def _hands(data: Data, rules: Rules) -> Iterator[str]:
    if len(data["deck"]) > MAX_DECK:
        yield f"a deck of {len(data['deck'])} cards; at most {MAX_DECK} are possible"
    for seat, hand in enumerate(data["hands"]):
        lacks = seat == data["last_seat"] and (data["winner"] is not None or data["pending"] is not None)
        most = rules.hand_size - lacks
        if len(hand) > most or (data["deck"] and len(hand) < most):
            yield f"seat {seat} holds {len(hand)} cards; {most} are right" + ("" if data["deck"] else " at most")
    hidden = Counter(discard.get("by") for discard in data["discards"])
    for seat, hand in enumerate(data["hands"]):
        turns = len(hand) + -(-len(data["deck"]) // rules.players)
        if hidden[seat] + turns > MAX_DISCARDS:
            yield f"seat {seat} laid down {hidden[seat]} cards and has up to {turns} turns; {MAX_DISCARDS} are possible"


def _turn(data: Data, rules: Rules) -> Iterator[str]:
    begun = (
        data["winner"]
        or data["tunnels"]
        or data["discards"]
        or any(data["broken"])
        or data["seat"] != data["first_seat"]
    )
    going_on = data["winner"] is None and data["pending"] is None
    if (
        begun
        and "gold" not in (data["pending"] or {})
        and data["seat"] != (data["last_seat"] + going_on) % rules.players
    ):
        yield f"seat {data['seat']} is to move, but last_seat is {data['last_seat']}"
    if data["passes"] and data["deck"]:
        yield f"passes is {data['passes']}, but the deck is not empty"
    if data["passes"] > MAX_EVENTS - rules.players * max(map(len, data["hands"])):
        yield f"passes is {data['passes']}, more than a round has turns"
    spent = not data["deck"] and not any(data["hands"])
    passed = rules.end == "all_passed" and data["passes"] >= rules.players
    if data["winner"] is None and data["pending"] is None and (spent or passed):
        yield (
            "the round is over (" + ("no cards are left" if spent else "all have passed") + "), but there is no winner"
        )
    if data["winner"] in ("saboteurs", "nobody") and not (spent or passed):
        yield f"{data['winner']} cannot have won: cards are left"


def _gold(data: Data, rules: Rules) -> Iterator[str]:
    there = Counter(data["gold_deck"]) + Counter((data["pending"] or {}).get("gold", []))
    for values in data["gold"]:
        there.update(values)
    yield from _counted("gold cards", there, Counter(dict(zip(GOLD_VALUES, GOLD_COPIES, strict=True))))
    for seat, start in enumerate(forgotten_of(data)):
        said = data.get("forgotten", [start] * rules.players)[seat]
        if "past" in data and start is not None and start != said:
            yield f"forgotten of seat {seat} is {said}, which does not fit its gold and past"
        if start is None:
            yield f"gold of seat {seat} is {data['gold'][seat]}, which is not what past tells it took"
    most = 4 * (data["round"] - (data["winner"] is None))
    for seat, short in enumerate(data["shortfall"]):
        if short > most:
            yield f"shortfall of seat {seat} is {short}; {most} nuggets at most can be due by now"


def _ending(data: Data, rules: Rules) -> Iterator[str]:
    result = any(goal["open"] and goal["face"] == "treasure" for goal in data["goals"])
    if result and data["winner"] != "miners":
        yield "the treasure is face up, but the miners have not won"
    if data["winner"] == "miners" and not result:
        yield "the miners have won, but the treasure is face down"
    at_table = "saboteur" in data["roles"]
    if data["winner"] in ("saboteurs", "nobody") and (data["winner"] == "saboteurs") != at_table:
        yield f"the winner is {data['winner']}, but there is {'a' if at_table else 'no'} saboteur at the table"


def _pending(data: Data, rules: Rules) -> Iterator[str]:
    pending = data["pending"]
    if pending is None:
        return
    if "gold" in pending:
        yield from _draft(data, rules)
    elif data["winner"] is not None:
        yield "a goal is to be chosen, but the round has a winner"
    elif "claim" in pending:
        if not rules.talks or pending["claim"] not in data["maps"][data["seat"]]:
            yield f"seat {data['seat']} is to claim something about goal {pending['claim']}, but may not"
    elif "stone" in pending:
        if rules.stone != "chooser" or data["goals"][pending["stone"]]["face"] == "treasure":
            yield f"goal {pending['stone']} leaves no choice how it lies"
        if rules.goals != "one" and (pending["before"] or pending["declined"]):
            yield "before and declined must be empty where all goals reached are revealed"
    elif (
        rules.goals != "one"
        or len(set(pending["goals"])) < 2
        or any(data["goals"][goal]["open"] for goal in pending["goals"])
    ):
        yield f"goals {pending['goals']} leave no choice which is revealed"


def _draft(data: Data, rules: Rules) -> Iterator[str]:
    picker = data["seat"]
    if not rules.draft or data["winner"] != "miners":
        yield "gold is to be picked, but " + ("the miners have not won" if rules.draft else "the draft is off")
    if data["roles"][picker] != "miner" or (rules.broken_no_gold and data["broken"][picker]):
        yield f"seat {picker} is to pick gold, but may not"
    if not 1 <= len(data["pending"]["gold"]) <= 9:
        yield f"{len(data['pending']['gold'])} gold cards on offer; from 1 to 9 are possible"


def _past(data: Data, rules: Rules) -> Iterator[str]:
    if data["winner"] and len(data.get("past", [])) == data["round"]:
        last = data["past"][-1]
        for name in ("winner", "roles", "role_aside", "first_seat", "last_seat"):
            if last[name] != data[name]:
                yield f"past tells {name} {last[name]!r} of this round, which has {data[name]!r}"


def _short(data: Data, rules: Rules) -> Iterator[str]:
    recorded = Counter((number, seat) for number, seat, _ in data.get("short", []))
    rounds = dict(numbered_past(data)) | ({data["round"]: data} if data["winner"] else {})
    for number, seat, nuggets in data.get("short", []):
        where, known = f"short tells of seat {seat} in round {number}", rounds.get(number)
        if number > data["round"] - (not data["winner"]):
            yield f"{where}, which is not over"
        elif recorded[number, seat] > 1:
            yield f"{where} twice"
        elif known and (known["winner"] != "saboteurs" or nuggets > _due(known["roles"]) * _is_saboteur(known, seat)):
            yield f"{where}, to which {nuggets} nuggets were not due"
    for seat, total in enumerate(data["shortfall"]):
        if sum(nuggets for _, other, nuggets in data.get("short", []) if other == seat) > total:
            yield f"short tells of more nuggets of seat {seat} than its shortfall of {total}"


def _due(roles: list[str]) -> int:
    return int(nuggets_due(len(roles), sum((role == "saboteur") << seat for seat, role in enumerate(roles))))


def _is_saboteur(part: Data, seat: int) -> bool:
    return bool(part["roles"][seat : seat + 1] == ["saboteur"])


def _treasure(data: Data, goal: int) -> bool:
    return bool(data["goals"][goal]["face"] == "treasure")


def goal_faults(games: Games, rules: Rules, data: Data) -> list[str]:
    """What the mine says of the goals: one that should have been revealed before, a choice that is not possible."""
    reached = [goal for goal in range(len(rules.goal_cells)) if int(goals_reached(games[0].public)) >> goal & 1]
    pending = data["pending"] or {}
    if "goals" in pending:
        wrong = sorted(set(pending["goals"]) ^ set(reached))
        return [f"goals {wrong} are not those newly reached"] if wrong else []
    if "stone" in pending:
        orientation = int(FACE_ORIENTATION[games[0].public.goal_face[pending["stone"]]])
        settled = any(fits(games[0].public, pending["stone"], way) for way in (orientation, turned(orientation)))
        early = [goal for goal in reached if rules.goals == "one" or goal < pending["stone"] or _treasure(data, goal)]
        return [f"goal {pending['stone']} fits its neighbours; nothing is to be chosen"] * settled + [
            f"goal {goal} is reached and comes before goal {pending['stone']}" for goal in early
        ]
    declined = rules.goals == "one" and any(goal["open"] for goal in data["goals"])
    if data["winner"] or declined:
        return []
    return [f"goal {goal} is reached and should long have been revealed" for goal in reached]
