"""What lies in the box of the mine and how cards turn, for the slow twin: Rules 1, 2 and 8."""

from collections import Counter

OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
STEP = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
START = (0, 0)

PATHS = {
    "NS": 4, "EW": 3, "NES": 5, "NEW": 5, "NESW": 5, "NE": 5, "NW": 4,
    "xNESW": 1, "xNES": 1, "xNEW": 1, "xNS": 1, "xEW": 1, "xNE": 1, "xNW": 1, "xN": 1, "xE": 1,
}  # fmt: skip
ACTIONS = {
    "break:pickaxe": 3, "break:lantern": 3, "break:cart": 3,
    "repair:pickaxe": 2, "repair:lantern": 2, "repair:cart": 2,
    "repair:pickaxe+lantern": 1, "repair:pickaxe+cart": 1, "repair:lantern+cart": 1,
    "rockfall": 3, "map": 6,
}  # fmt: skip
FACES = ["treasure", "stone:NE", "stone:NW"]
GOAL_CELLS = [[8, -2], [8, 0], [8, 2]]
GOLD = [1] * 16 + [2] * 8 + [3] * 4
SABOTEURS = {3: 1, 4: 1, 5: 2, 6: 2, 7: 3, 8: 3, 9: 3, 10: 4}

_WESTERN = {"placement": "connected", "stone": "chooser", "goals": "all", "end": "hands_empty", "roles": "aside"}
_EASTERN = {"placement": "touching", "stone": "joins", "goals": "all", "end": "all_passed", "roles": "aside"}
EDITIONS = {
    "lv": _WESTERN,
    "lt": _WESTERN,
    "uk": _EASTERN | {"stone": "chooser", "goals": "one"},
    "ru": _EASTERN,
    "fa": _EASTERN | {"roles": "persian"},
}
SWITCHES = {"broken_no_gold": False, "draft": False, "break_self": True, "first_seat": None, "talk": "none"}


def copied(value):
    """A copy of a JSON value, several times faster than the general deep copy."""
    if isinstance(value, list):
        return [copied(item) for item in value]
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    return value


def turned(name):
    """The name of a card once it is turned by 180 degrees, Rules 1."""
    return "x" * name.startswith("x") + "".join(side for side in "NESW" if OPPOSITE[side] in name)


def open_sides(name):
    return set(name) - {"x"}


def beside(cell, side):
    return cell[0] + STEP[side][0], cell[1] + STEP[side][1]


def as_text(cell):
    return f"{cell[0]},{cell[1]}"


def as_cell(text):
    column, row = text.split(",")
    return int(column), int(row)


def rules_of(position):
    """Every switch of the position: its edition, and over that its options (Rules 8)."""
    return SWITCHES | EDITIONS[position["edition"]] | position["options"]


def seats_and_pool(players, rules):
    """How many saboteurs and miners the roles are dealt from, Rules 2.1."""
    if "role_table" in rules:
        return rules["role_table"]["saboteurs"], rules["role_table"]["miners"]
    aside = 0 if rules["roles"] == "persian" and players >= 5 else 1
    return SABOTEURS[players], players + aside - SABOTEURS[players]


def hand_size(players, rules):
    """The cards of each hand, Rules 2.4."""
    return rules.get("hand_size", 6 if players <= 5 else 5 if players <= 7 else 4)


def whole_deck(rules):
    """Every path and action card of the game, Rules 1."""
    return Counter(rules.get("deck", PATHS | ACTIONS))
