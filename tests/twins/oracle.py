"""The slow twin: the rules of the mine once more, in plain sets and dictionaries.

It shares nothing with the engine but the names of the cards, so that a mistake has to be made twice,
in two different ways, to stay unseen. Positions and move texts are those of the public notation.
"""

from tests.twins.cards import OPPOSITE, PATHS, as_cell, as_text, beside, copied, open_sides, turned
from tests.twins.gold import payment
from tests.twins.mine import Mine


class Oracle(Mine):
    """One round of the game, in which every rule is worked out again from the whole mine.

    Args:
        position: a position of the public notation, taken on trust.
    """

    def __init__(self, position):
        super().__init__(position)
        self._rest = copied(position)
        self.players = position["players"]
        self.roles = position["roles"]
        for name in ("seat", "last_seat", "passes", "winner"):
            setattr(self, name, position[name])
        for name in ("hands", "deck", "discards", "gold", "gold_deck", "shortfall", "pending"):
            setattr(self, name, copied(position[name]))
        self.broken = [set(tools) for tools in position["broken"]]
        self.maps = [set(goals) for goals in position["maps"]]
        self.record = [list(entry) for entry in position.get("record", [])]
        self.laid = self._card_of_this_turn()
        self._legal = None

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
        hand, words = set(self.hands[self.seat]), self._words()
        if not hand:
            return {"pass"} | words
        moves = words | {f"discard:{card}" for card in hand}
        moves |= self._breaks(hand) | self._repairs(hand) | self._rockfalls_and_maps(hand)
        return moves if self.broken[self.seat] else moves | self._lays(hand)

    def _words(self):
        """Rules 9.2: one word before the card of a turn, three in a round, of any other seat."""
        spoken = [seat for seat, move in self.record if move.startswith(("accuse:", "vouch:"))]
        before = self.record[-1][1] if self.record else ""
        if self.rules["talk"] == "none" or spoken.count(self.seat) == 3 or before.startswith(("accuse:", "vouch:")):
            return set()
        others = set(range(self.players)) - {self.seat}
        return {f"{word}:{seat}" for word in ("accuse", "vouch") for seat in others}

    def _choices(self):
        if "gold" in self.pending:
            return {f"take:{card}" for card in self.pending["gold"]}
        if "goals" in self.pending:
            return {f"reveal:{goal}" for goal in self.pending["goals"]}
        if "claim" in self.pending:
            return {f"claim:{self.pending['claim']}:{what}" for what in ("nothing", "treasure", "stone")}
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
        if "claim" in (self.pending or {}):
            self.pending = None
            self._end_turn()
        elif self.pending:
            self._choose(text.split(":")[1])
        elif not text.startswith(("accuse:", "vouch:")):
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
        if text.startswith("map:") and self.rules["talk"] == "claims":
            self.pending = {"claim": int(text.split(":")[1])}
            return None
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
