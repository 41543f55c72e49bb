"""The cards and plain settings of Wazabi for its slow twin: docs/wazabi.md, sections 1 and 2."""

COSTS = {
    "remove_one": 1, "remove_two": 3, "keep_two": 2, "draw_three": 1, "swap_dice": 3, "pass_dice": 2,
    "swap_cards": 2, "pass_cards": 2, "reverse": 0, "miss": 0, "give_die": 3, "take_card": 1, "keep_one": 1,
}  # fmt: skip
ORDER = list(COSTS)
DECKS = {
    "sheet": {
        "remove_one": 7, "remove_two": 5, "keep_two": 4, "draw_three": 3, "swap_dice": 3, "pass_dice": 3,
        "swap_cards": 3, "pass_cards": 4, "reverse": 2, "miss": 2,
    },
    "french": {
        "remove_one": 7, "remove_two": 5, "keep_two": 4, "draw_three": 3, "pass_dice": 3, "reverse": 2, "miss": 2,
        "give_die": 3, "take_card": 3, "keep_one": 4,
    },
}  # fmt: skip
PLAIN = {
    "costs": COSTS, "faces": {"wasabi": 3, "card": 2, "die": 1}, "dice": 4, "cards": 4, "neighbours": False,
    "play_on": False, "teams": None, "first_seat": None,
}  # fmt: skip


def in_order(cards):
    return sorted(cards, key=ORDER.index)
