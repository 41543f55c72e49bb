"""Rounds for the slow twin: dealt, remembered when they are over, and checked; Rules 2 and 7."""

import random
from collections import Counter

from tests.twins.cards import FACES, GOAL_CELLS, GOLD, copied, hand_size, rules_of, seats_and_pool, whole_deck


def canonical(position):
    """The position with everything sorted that has no order, and without the random state."""
    plain = {"record": [], "past": [], **position}
    for extra in ("chance", "short", "forgotten"):
        plain.pop(extra, None)
    for name in ("hands", "broken", "maps"):
        plain[name] = [sorted(items) for items in plain[name]]
    plain["discards"] = sorted(plain["discards"], key=lambda one: (one["card"], one.get("by", -1)))
    plain["tunnels"] = sorted(plain["tunnels"], key=lambda one: one["at"])
    if plain["pending"]:
        plain["pending"] = {
            key: value if key in ("stone", "claim") else sorted(value) for key, value in plain["pending"].items()
        }
    return plain


def deal(players, edition, options, seed, rounds=3):
    """A first round, shuffled and dealt by `random.Random(seed)`."""
    rng = random.Random(seed)
    first = options.get("first_seat")
    first = rng.randrange(players) if first is None else first
    position = {
        "format": "saboteur-position/1", "edition": edition, "options": dict(options), "players": players,
        "round": 1, "rounds": rounds, "first_seat": first, "gold": [[] for _ in range(players)],
        "gold_deck": rng.sample(GOLD, len(GOLD)), "shortfall": [0] * players, "past": [],
    }  # fmt: skip
    return position | _fresh_round(position, rng)


def deal_next(finished, seed):
    """The round after a finished one, shuffled and dealt by `random.Random(seed)` (Rules 7)."""
    position = finished | {
        "round": finished["round"] + 1,
        "first_seat": (finished["last_seat"] + 1) % finished["players"],
        "past": finished["past"] + [finished_round(finished)],
    }
    return copied(position | _fresh_round(position, random.Random(seed)))


def _fresh_round(position, rng):
    """What is shuffled and dealt again in each round, Rules 2 and 7."""
    players, rules = position["players"], rules_of(position)
    deck, size = list(whole_deck(rules).elements()), hand_size(players, rules)
    saboteurs, miners = seats_and_pool(players, rules)
    roles = ["saboteur"] * saboteurs + ["miner"] * miners
    faces = FACES[: len(rules.get("goal_cells", GOAL_CELLS))]
    for pile in (deck, roles, faces):
        rng.shuffle(pile)
    return {
        "seat": position["first_seat"], "last_seat": (position["first_seat"] - 1) % players, "passes": 0,
        "roles": roles[:players], "role_aside": roles[players] if len(roles) > players else None,
        "hands": [deck[seat * size : (seat + 1) * size] for seat in range(players)],
        "deck": deck[players * size :], "discards": [], "tunnels": [],
        "goals": [{"face": face, "open": False, "turned": False} for face in faces],
        "broken": [[] for _ in range(players)], "maps": [[] for _ in range(players)],
        "record": [], "pending": None, "winner": None,
    }  # fmt: skip


def finished_round(position):
    """What is remembered of a finished round; its gold is worked out from who held what before it."""
    names = ("winner", "roles", "role_aside", "first_seat", "last_seat")
    return {name: position[name] for name in names} | {"gold": gold_taken(position)}


def gold_taken(finished):
    """The gold cards of a finished round as (seat, card), in the order taken, Rules 6.1 and 6.2."""
    earlier = Counter(seat for past in finished["past"] for seat, _ in past["gold"])
    piles = {seat: cards[earlier[seat] :] for seat, cards in enumerate(finished["gold"])}
    players, last = finished["players"], finished["last_seat"]
    if finished["winner"] == "saboteurs":
        order = [(last + step) % players for step in range(1, players + 1)]
        return [[seat, card] for seat in order for card in piles[seat]]
    order = [(last - step) % players for step in range(players)]
    most = max(map(len, piles.values()))
    return [[seat, piles[seat][turn]] for turn in range(most) for seat in order if turn < len(piles[seat])]


def check_deal(before, after):
    """Asserts that `after` is a right next round of the finished `before` (Rules 7)."""
    kept = ("format", "edition", "options", "players", "rounds", "gold", "gold_deck", "shortfall")
    for name in kept:
        assert after[name] == before[name], f"{name} changed: {before[name]} -> {after[name]}"
    assert after["round"] == before["round"] + 1
    assert after["first_seat"] == (before["last_seat"] + 1) % before["players"], "the wrong seat starts"
    if len(before["past"]) == before["round"] - 1:
        expected = before["past"] + [finished_round(before)]
        assert after["past"] == expected, f"past is {after['past']} and not {expected}"
    check_fresh(after)


def check_fresh(position):
    """Asserts that a round stands at its beginning, with everything dealt (Rules 2.1 to 2.5)."""
    players, rules = position["players"], rules_of(position)
    blank = {"passes": 0, "discards": [], "tunnels": [], "record": [], "pending": None, "winner": None}
    blank |= {"seat": position["first_seat"], "broken": [[]] * players, "maps": [[]] * players}
    for name, value in blank.items():
        assert position[name] == value, f"{name} is {position[name]} at the beginning of a round"
    cards = Counter(position["deck"]) + Counter(card for hand in position["hands"] for card in hand)
    assert cards == whole_deck(rules), f"cards missing or invented: {cards} and not {whole_deck(rules)}"
    sizes = [len(hand) for hand in position["hands"]]
    assert sizes == [hand_size(players, rules)] * players, f"hands of {sizes} cards"
    _check_roles_and_goals(position, rules)


def _check_roles_and_goals(position, rules):
    saboteurs, miners = seats_and_pool(position["players"], rules)
    aside = [] if position["role_aside"] is None else [position["role_aside"]]
    pool = Counter(position["roles"] + aside)
    assert len(position["roles"]) == position["players"], "a role for every seat"
    assert pool == Counter({"saboteur": saboteurs, "miner": miners}), f"roles {pool}"
    faces = sorted(goal["face"] for goal in position["goals"])
    assert faces == sorted(FACES[: len(rules.get("goal_cells", GOAL_CELLS))]), f"goals {faces}"
    assert not any(goal["open"] or goal["turned"] for goal in position["goals"]), "a goal lies face up"
