"""The slow twin: the rules of the mine once more, in plain sets and dictionaries.

It shares nothing with the engine but the names of the cards, so that a mistake has to be made twice,
in two different ways, to stay unseen. Positions and move texts are those of the public notation.
"""

import random
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
SWITCHES = {"broken_no_gold": False, "draft": False, "break_self": True, "first_seat": None}


def copied(value):
    """A copy of a JSON value, several times faster than the general deep copy."""
    if isinstance(value, list):
        return [copied(one) for one in value]
    if isinstance(value, dict):
        return {key: copied(one) for key, one in value.items()}
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


class Oracle:
    """One round of the game, in which every rule is worked out anew from the whole mine.

    Args:
        position: a position of the public notation, taken on trust.
    """

    def __init__(self, position):
        self._rest = copied(position)
        self.rules = rules_of(position)
        self.players = position["players"]
        self.roles = position["roles"]
        self.goal_cells = [tuple(cell) for cell in self.rules.get("goal_cells", GOAL_CELLS)]
        for name in ("seat", "last_seat", "passes", "winner"):
            setattr(self, name, position[name])
        for name in ("hands", "deck", "discards", "goals", "gold", "gold_deck", "shortfall", "pending"):
            setattr(self, name, copied(position[name]))
        self.broken = [set(tools) for tools in position["broken"]]
        self.maps = [set(goals) for goals in position["maps"]]
        self.record = [list(entry) for entry in position.get("record", [])]
        self.mine = {tuple(laid["at"]): self._as_it_lies(laid) for laid in position["tunnels"]}
        self.laid = self._card_of_this_turn()
        self._legal = None

    @staticmethod
    def _as_it_lies(laid):
        return turned(laid["card"]) if laid["turned"] else laid["card"]

    def _card_of_this_turn(self):
        """The cell of the path card whose goals are still being looked at, from the record."""
        for _, move in reversed(self.record) if self.pending else ():
            if "@" in move:
                return as_cell(move.split("@")[1])
        return None

    @property
    def round_over(self):
        return self.winner is not None and self.pending is None

    def position(self):
        """The whole position, secrets included."""
        names = ("seat", "last_seat", "passes", "winner", "hands", "deck", "discards", "goals", "gold")
        names += ("gold_deck", "shortfall", "pending", "record")
        now = {name: getattr(self, name) for name in names}
        now["broken"] = [sorted(tools) for tools in self.broken]
        now["maps"] = [sorted(goals) for goals in self.maps]
        now["tunnels"] = [self._laid(cell, name) for cell, name in sorted(self.mine.items())]
        return copied({"past": [], **self._rest, **now})

    @staticmethod
    def _laid(cell, name):
        upright = name in PATHS
        return {"card": name if upright else turned(name), "turned": not upright, "at": list(cell)}

    def stone_sides(self, goal):
        upright = self.goals[goal]["face"].split(":")[1]
        return turned(upright) if self.goals[goal]["turned"] else upright

    def face_up(self):
        """Every card that lies face up: start, tunnels and revealed goals, by cell."""
        cards = {START: "NESW", **self.mine}
        for goal, cell in enumerate(self.goal_cells):
            if self.goals[goal]["open"]:
                treasure = self.goals[goal]["face"] == "treasure"
                cards[cell] = "NESW" if treasure else self.stone_sides(goal)
        return cards

    def ways(self):
        """The open sides, as (cell, side), which an unbroken way from the start comes out of, Rules 3.1 and 4.1."""
        cards = self.face_up()
        sides, seen, waiting = set(), set(), [START]
        while waiting:
            cell = waiting.pop()
            if cell in seen or cards[cell].startswith("x"):
                continue
            seen.add(cell)
            for side in open_sides(cards[cell]):
                sides.add((cell, side))
                if OPPOSITE[side] in cards.get(beside(cell, side), ""):
                    waiting.append(beside(cell, side))
        return sides

    def reached(self):
        """The sides of face-down goals that a way reaches, as (goal, side), Rules 4.1."""
        ways = self.ways()
        down = [goal for goal in range(len(self.goals)) if not self.goals[goal]["open"]]
        pairs = {(goal, side) for goal in down for side in STEP}
        return {(g, side) for g, side in pairs if (beside(self.goal_cells[g], side), OPPOSITE[side]) in ways}

    def fits(self, name, cell, cards):
        """Whether open meets open and shut meets shut against every face-up neighbour, Rules 3.1."""
        near = {side: cards[beside(cell, side)] for side in STEP if beside(cell, side) in cards}
        return all((side in name) == (OPPOSITE[side] in card) for side, card in near.items())

    def legal_moves(self):
        """The moves of the seat to move, in plain string order; none once the round is over."""
        if self._legal is None:
            self._legal = sorted(self._moves())
        return list(self._legal)

    def _moves(self):
        if self.round_over:
            return set()
        if self.pending:
            return self._choices()
        hand = set(self.hands[self.seat])
        if not hand:
            return {"pass"}
        moves = {f"discard:{card}" for card in hand}
        moves |= self._breaks(hand) | self._repairs(hand) | self._rockfalls_and_maps(hand)
        return moves if self.broken[self.seat] else moves | self._lays(hand)

    def _choices(self):
        if "gold" in self.pending:
            return {f"take:{card}" for card in self.pending["gold"]}
        if "goals" in self.pending:
            return {f"reveal:{goal}" for goal in self.pending["goals"]}
        upright = self.goals[self.pending["stone"]]["face"].split(":")[1]
        return {f"turn:{upright}", f"turn:{turned(upright)}"}

    def _breaks(self, hand):
        """Rules 3.3."""
        tools = [card.split(":")[1] for card in hand if card.startswith("break:")]
        seats = [seat for seat in range(self.players) if self.rules["break_self"] or seat != self.seat]
        return {f"break:{tool}:{seat}" for tool in tools for seat in seats if tool not in self.broken[seat]}

    def _repairs(self, hand):
        """Rules 3.4."""
        moves = set()
        for card in hand:
            if card.startswith("repair:"):
                mends = set(card.split(":")[1].split("+"))
                for seat in range(self.players):
                    moves |= {f"{card}:{tool}:{seat}" for tool in mends & self.broken[seat]}
        return moves

    def _rockfalls_and_maps(self, hand):
        """Rules 3.5 and 3.6."""
        moves = {f"rockfall@{as_text(cell)}" for cell in self.mine} if "rockfall" in hand else set()
        if "map" in hand:
            moves |= {f"map:{goal}" for goal in range(len(self.goals)) if not self.goals[goal]["open"]}
        return moves

    def _lays(self, hand):
        """Rules 3.1."""
        cards = self.face_up()
        if self.rules["placement"] == "connected":
            live = self.ways()
        else:
            live = {(cell, side) for cell, name in cards.items() for side in open_sides(name)}
        free = {beside(cell, side) for cell, side in live} - set(cards) - set(self.goal_cells)
        names = {name for card in hand if card in PATHS for name in (card, turned(card))}
        return {
            f"{name}@{as_text(cell)}"
            for cell in free
            for name in names
            if any((beside(cell, side), OPPOSITE[side]) in live for side in open_sides(name))
            and self.fits(name, cell, cards)
        }

    def play(self, text):
        """Plays a legal move of the seat to move."""
        assert text in self.legal_moves(), f"{text} is not legal for seat {self.seat}"
        self._legal = None
        self.record.append([self.seat, text])
        if self.pending:
            self._choose(text.split(":")[1])
        else:
            self._take_turn(text)

    def _choose(self, choice):
        if "gold" in self.pending:
            return self._take_gold(int(choice))
        pending, self.pending = self.pending, None
        before, declined = {tuple(pair) for pair in pending["before"]}, set(pending["declined"])
        if "goals" in pending:
            declined |= set(pending["goals"]) - {int(choice)}
            return self._reveal(int(choice), before, declined)
        self.goals[pending["stone"]]["turned"] = choice not in self.goals[pending["stone"]]["face"]
        return self._look(before, declined)

    def _take_turn(self, text):
        """One turn, Rules 3; `passes` counts for Rules 5."""
        idle = text == "pass" or text.startswith("discard:")
        self.passes = self.passes + 1 if idle and not self.deck else 0
        self.last_seat = self.seat
        if "@" in text and not text.startswith("rockfall"):
            return self._lay(*text.split("@"))
        if text.startswith("discard:"):
            self._throw(text.removeprefix("discard:"), by=self.seat)
        elif text != "pass":
            self._act(text)
        return self._end_turn()

    def _lay(self, name, at):
        before = self.reached()
        self.hands[self.seat].remove(name if name in PATHS else turned(name))
        self.laid = as_cell(at)
        self.mine[self.laid] = name
        self._look(before, set())

    def _throw(self, card, **by):
        self.hands[self.seat].remove(card)
        self.discards.append({"card": card, **by})

    def _act(self, text):
        """Rules 3.3 to 3.6."""
        if text.startswith("rockfall@"):
            name = self.mine.pop(as_cell(text.split("@")[1]))
            self.discards.append({"card": name if name in PATHS else turned(name)})
            return self._throw("rockfall")
        card, target = text.rsplit(":", 1)
        if card == "map":
            self.maps[self.seat].add(int(target))
            return self._throw("map")
        if card.startswith("break:"):
            self.broken[int(target)].add(card.split(":")[1])
            return self.hands[self.seat].remove(card)
        card, tool = card.rsplit(":", 1)
        self.broken[int(target)].remove(tool)
        self.discards.append({"card": f"break:{tool}"})
        return self._throw(card)

    def _look(self, before, declined):
        """Turns up what the card of this turn reached, one goal after the other, Rules 4.4."""
        goals = {goal for goal, _ in self.reached() - before} - declined
        if not goals:
            return self._end_turn()
        if self.rules["goals"] == "all":
            treasures = [goal for goal in goals if self.goals[goal]["face"] == "treasure"]
            return self._reveal(min(treasures or goals), before, declined)
        if len(goals) == 1:
            return self._reveal(min(goals), before, declined)
        self._wait({"goals": sorted(goals)}, before, declined)

    def _wait(self, question, before, declined):
        known = {"before": [list(pair) for pair in sorted(before)], "declined": sorted(declined)}
        self.pending = {**question, **known}

    def _reveal(self, goal, before, declined):
        """Rules 4.2 and 4.3."""
        if self.goals[goal]["face"] == "treasure":
            self.goals[goal]["open"] = True
            return self._share_gold()
        upright = self.stone_sides(goal)
        cards, cell = self.face_up(), self.goal_cells[goal]
        ways_up = [name for name in (upright, turned(upright)) if self.fits(name, cell, cards)]
        if not ways_up and self.rules["stone"] == "joins":
            ways_up = [self._joining(goal, upright)]
        self.goals[goal]["open"] = True
        if not ways_up:
            return self._wait({"stone": goal}, before, declined)
        self.goals[goal]["turned"] = ways_up[0] != upright
        return self._look(before, declined)

    def _joining(self, goal, upright):
        """How a stone that fits nowhere lies where nobody chooses, Rules 4.3."""
        sides = {side for at, side in self.reached() if at == goal}
        of_this_card = {side for side in sides if beside(self.goal_cells[goal], side) == self.laid}
        return upright if (of_this_card or sides) & open_sides(upright) else turned(upright)

    def _end_turn(self):
        """Draws, and ends the round or hands the turn on, Rules 3 and 5."""
        if self.deck:
            self.hands[self.seat].append(self.deck.pop(0))
        nothing_left = not self.deck and not any(self.hands)
        all_passed = self.rules["end"] == "all_passed" and self.passes >= self.players
        if nothing_left or all_passed:
            return self._pay_saboteurs()
        self.seat = (self.seat + 1) % self.players

    def _share_gold(self):
        """The miners have won, Rules 6.1."""
        self.winner = "miners"
        count = min(self.players, 9, len(self.gold_deck))
        offer, self.gold_deck = self.gold_deck[:count], self.gold_deck[count:]
        picker = self.next_miner(self.last_seat)
        if picker is None:
            self.gold_deck += offer
        elif offer:
            self.pending, self.seat = {"gold": offer}, picker
            while self.pending and not self.rules["draft"]:
                self._take_gold(max(offer))

    def next_miner(self, seat):
        """The first seat counter-clockwise from this one, itself too, that may take gold, Rules 6.1 and 6.4."""
        for step in range(self.players):
            one = (seat - step) % self.players
            barred = self.rules["broken_no_gold"] and self.broken[one]
            if self.roles[one] == "miner" and not barred:
                return one
        return None

    def _take_gold(self, card):
        self.pending["gold"].remove(card)
        self.gold[self.seat].append(card)
        if self.pending["gold"]:
            self.seat = self.next_miner(self.seat - 1)
        else:
            self.pending, self.seat = None, self.last_seat

    def _pay_saboteurs(self):
        """The treasure stays hidden, Rules 6.2 and 6.3."""
        count = self.roles.count("saboteur")
        self.winner = "saboteurs" if count else "nobody"
        for step in range(1, self.players + 1):
            seat = (self.last_seat + step) % self.players
            if self.roles[seat] == "saboteur":
                due = {1: 4, 2: 3, 3: 3}.get(count, 2)
                cards, self.gold_deck = payment(self.gold_deck, due)
                self.gold[seat] += cards
                self.shortfall[seat] += due - sum(cards)


def payment(gold_deck, due):
    """What one saboteur gets from the gold deck, and the deck that is left, Rules 6.2."""
    deck, held, fruitless = list(gold_deck), [], 0
    while sum(held) < due and fruitless < len(deck):
        card = deck.pop(0)
        if sum(held) + card > due:
            deck.append(card)
            fruitless += 1
        else:
            held.append(card)
            fruitless = 0
    return (held, deck) if sum(held) == due else _nearest_set(deck + held, due)


def _nearest_set(deck, due):
    """The best set not over the due, its cards taken from the top down, and the deck that is left."""
    sets = [
        [3] * threes + [2] * twos + [1] * ones
        for threes in range(deck.count(3) + 1)
        for twos in range(deck.count(2) + 1)
        for ones in range(deck.count(1) + 1)
        if 3 * threes + 2 * twos + ones <= due
    ]
    wanted = Counter(max(sets, key=lambda cards: (sum(cards), -len(cards), cards.count(3))))
    taken, left = [], []
    for card in deck:
        (taken if wanted[card] > 0 else left).append(card)
        wanted[card] -= 1
    return taken, left


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
        plain["pending"] = {key: value if key == "stone" else sorted(value) for key, value in plain["pending"].items()}
    return plain


def perft(position, depth):
    """The number of move sequences of this length; one that meets the round's end earlier is none."""
    if depth == 0:
        return 1
    moves = Oracle(position).legal_moves()
    if depth == 1:
        return len(moves)
    return sum(perft(_after(position, move), depth - 1) for move in moves)


def _after(position, move):
    oracle = Oracle(position)
    oracle.play(move)
    return oracle.position()


def deal(players, edition, options, seed, rounds=3):
    """A first round, shuffled and dealt by `random.Random(seed)`."""
    chance = random.Random(seed)
    first = options.get("first_seat")
    first = chance.randrange(players) if first is None else first
    position = {
        "format": "saboteur-position/1", "edition": edition, "options": dict(options), "players": players,
        "round": 1, "rounds": rounds, "first_seat": first, "gold": [[] for _ in range(players)],
        "gold_deck": chance.sample(GOLD, len(GOLD)), "shortfall": [0] * players, "past": [],
    }  # fmt: skip
    return position | _fresh_round(position, chance)


def deal_next(finished, seed):
    """The round after a finished one, shuffled and dealt by `random.Random(seed)` (Rules 7)."""
    position = finished | {
        "round": finished["round"] + 1,
        "first_seat": (finished["last_seat"] + 1) % finished["players"],
        "past": finished["past"] + [finished_round(finished)],
    }
    return copied(position | _fresh_round(position, random.Random(seed)))


def _fresh_round(position, chance):
    """What is shuffled and dealt anew in each round, Rules 2 and 7."""
    players, rules = position["players"], rules_of(position)
    deck, size = list(whole_deck(rules).elements()), hand_size(players, rules)
    saboteurs, miners = seats_and_pool(players, rules)
    roles = ["saboteur"] * saboteurs + ["miner"] * miners
    faces = FACES[: len(rules.get("goal_cells", GOAL_CELLS))]
    for pile in (deck, roles, faces):
        chance.shuffle(pile)
    return {
        "seat": position["first_seat"], "last_seat": (position["first_seat"] - 1) % players, "passes": 0,
        "roles": roles[:players], "role_aside": roles[players] if len(roles) > players else None,
        "hands": [deck[seat * size : (seat + 1) * size] for seat in range(players)],
        "deck": deck[players * size :], "discards": [], "tunnels": [],
        "goals": [{"face": face, "open": False, "turned": False} for face in faces],
        "broken": [[] for _ in range(players)], "maps": [[] for _ in range(players)],
        "record": [], "pending": None, "winner": None,
    }  # fmt: skip


def whole_deck(rules):
    """Every path and action card of the game, Rules 1."""
    return Counter(rules.get("deck", PATHS | ACTIONS))


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
