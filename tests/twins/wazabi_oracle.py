"""The slow twin of Wazabi: docs/wazabi.md once more, in plain lists and counters, chance included.

It shares nothing with the engine but the names of cards. Positions and move texts are those of the public notation.
"""

from collections import Counter
from itertools import combinations

from tests.twins.wazabi_cards import DECKS, PLAIN, in_order
from tests.twins.wazabi_chance import Stream

AT_ONE = {"swap_dice", "swap_cards", "miss", "give_die", "take_card", "keep_one"}
AT_SIDE = {"pass_dice", "pass_cards"}


class Oracle:
    """A match, every rule worked out from the page.

    Args:
        settings: players, deck, games, options and seed, as the game takes them.
    """

    def __init__(self, players, deck, games, options, seed):
        self.players, self.games, self.options, self.seed_of_match = players, games, options, seed
        self.deck = DECKS[deck] if isinstance(deck, str) else deck
        self.deck_name = deck
        self.rules = {**PLAIN, **options}
        for name in ("costs", "faces"):
            self.rules[name] = {**PLAIN[name], **options.get(name, {})}
        self.team = self.rules["teams"] or list(range(players))
        self.points = [0] * players
        self.game = 0
        self.next_game()

    def next_game(self):
        self.game += 1
        seats = range(self.players)
        self.turns = self.shuffles = self.picks = 0
        self.dice = [self.rules["dice"] for _ in seats]
        self.misses, self.places = [0 for _ in seats], [0 for _ in seats]
        self.known = [[Counter() for _ in seats] for _ in seats]
        self.sure = [[0 for _ in seats] for _ in seats]
        self.hands = [[] for _ in seats]
        self.discards, self.card, self.clockwise, self.waiting = [], None, True, []
        pile = Stream(self.seed_of_match, self.game, 1, 0).shuffled(in_order(Counter(self.deck).elements()))
        for seat in seats:
            for _ in range(self.rules["cards"]):
                self.gets(seat, pile.pop())
        self.pile = pile
        self.first_seat = self.mover = self._who_begins()
        self._turn()

    def _who_begins(self):
        if self.rules["first_seat"] is not None:
            return self.rules["first_seat"]
        rolling, stream = list(range(self.players)), Stream(self.seed_of_match, self.game, 0, 0)
        while len(rolling) > 1:
            rolls = {seat: self._roll(stream, self.rules["dice"])["wasabi"] for seat in rolling}
            rolling = [seat for seat in rolling if rolls[seat] == max(rolls.values())]
        return rolling[0]

    def _roll(self, stream, dice):
        sides = [face for face in ("wasabi", "card", "die") for _ in range(self.rules["faces"][face])]
        return Counter(sides[stream.below(len(sides))] for _ in range(dice))

    # --- cards and who knows them, section 5

    def gets(self, seat, card):
        self.hands[seat].append(card)
        self.known[seat][seat][card] += 1
        self.sure[seat][seat] += 1

    def loses(self, seat, card):
        """Before everybody's eyes, 5.1."""
        self.hands[seat].remove(card)
        for who in range(self.players):
            self.known[who][seat] -= Counter([card])
            self.sure[who][seat] = max(0, self.sure[who][seat] - 1)

    def takes(self, seat, victim):
        """A random card, 5.2."""
        hand = in_order(self.hands[victim])
        card = hand[Stream(self.seed_of_match, self.game, 3, self.picks).below(len(hand))]
        self.picks += 1
        for who in {*range(self.players)} - {seat, victim}:
            if self.known[who][victim] == Counter({card: len(hand)}):
                self.known[who][seat][card] += 1
            self.known[who][victim] -= Counter(set(hand))
            self.sure[who][victim] = 0
        for who in (seat, victim):
            self.known[who][victim] -= Counter([card])
            self.sure[who][victim] = max(0, self.sure[who][victim] - 1)
        self.known[victim][seat][card] += 1
        self.sure[victim][seat] += 1
        self.hands[victim].remove(card)
        self.gets(seat, card)

    def hands_go(self, new_holder):
        """Whole hands change owners at once: `new_holder` says where the hand of each seat goes."""
        goes = [new_holder.get(seat, seat) for seat in range(self.players)]
        self.hands = [self.hands[goes.index(seat)] for seat in range(self.players)]
        for who in range(self.players):
            known, sure = self.known[who], self.sure[who]
            self.known[who] = [known[goes.index(seat)] for seat in range(self.players)]
            self.sure[who] = [sure[goes.index(seat)] for seat in range(self.players)]
            self.known[who][who] = Counter(self.hands[who])
            self.sure[who][who] = len(self.hands[who])

    def look_at_pile(self):
        """3.7 and 5.4."""
        if self.pile or not self.discards:
            return
        everywhere = Counter(self.deck) - Counter(self.discards) - Counter([self.card] if self.card else [])
        everywhere -= Counter({"miss": sum(self.misses)})
        for who in range(self.players):
            dark = [seat for seat in range(self.players) if self.known[who][seat] != Counter(self.hands[seat])]
            if len(dark) == 1:
                others = sum((self.known[who][seat] for seat in range(self.players) if seat != dark[0]), Counter())
                self.known[who][dark[0]] = everywhere - others
        self.shuffles += 1
        self.pile = Stream(self.seed_of_match, self.game, 1, self.shuffles).shuffled(in_order(self.discards))
        self.discards = []

    # --- a turn, section 3

    def playing(self):
        return [seat for seat in range(self.players) if not self.places[seat]]

    def beside(self, seat, clockwise):
        """The nearest seat in play."""
        step = 1 if clockwise else -1
        around = [(seat + step * i) % self.players for i in range(1, self.players + 1)]
        return next(other for other in around if not self.places[other])

    def _turn(self):
        while self.misses[self.mover]:
            self.misses[self.mover] -= 1
            self.discards.append("miss")
            self.mover = self.beside(self.mover, self.clockwise)
        self.look_at_pile()
        self.rolled = self._roll(Stream(self.seed_of_match, self.game, 2, self.turns), self.dice[self.mover])
        self.turns += 1
        self._draw(self.rolled["card"])

    def _draw(self, due):
        while due and self.pile:
            self.gets(self.mover, self.pile.pop())
            self.look_at_pile()
            due -= 1
        others = [seat for seat in range(self.players) if seat != self.mover and self.hands[seat]]
        if due and others:
            self.choice, self.due = "take", due
        elif self.card:
            self._end_turn()
        else:
            self._give(self.rolled["die"])

    def _give(self, due):
        self.due = due
        if due:
            self.choice = "give"
        elif self.dice[self.mover]:
            self.choice = "play"
        else:
            self._end_turn()

    def _end_turn(self):
        self.due, self.waiting, played = 0, [], self.card
        if played and played != "miss":
            self.discards.append(played)
        self.card = None
        if not self.dice[self.mover]:
            self._leave()
            if self.over:
                return
        if played == "reverse":
            self.clockwise = not self.clockwise
        else:
            self.mover = self.beside(self.mover, self.clockwise)
        self._turn()

    # --- the end, section 4

    def _leave(self):
        gone = self.mover
        self.places[gone] = max(self.places) + 1
        if self.places[gone] == 1:
            left = sum(self.dice[seat] for seat in range(self.players) if self.team[seat] != self.team[gone])
            for seat in range(self.players):
                self.points[seat] += left * (self.team[seat] == self.team[gone])
        for card in list(self.hands[gone]):
            self.loses(gone, card)
            self.discards.append(card)
        if len(self.playing()) == 1 or not self.rules["play_on"]:
            last = max(self.places) + 1
            self.places = [coord or last for coord in self.places]

    @property
    def over(self):
        return all(self.places)

    @property
    def seat(self):
        return self.waiting[0] if self.waiting else self.mover

    # --- moves

    def legal_moves(self):
        """In plain string order; none once the game is over."""
        others = [seat for seat in self.playing() if seat != self.mover]
        if self.over:
            return []
        if self.choice == "take":
            return sorted(f"take:{seat}" for seat in others if self.hands[seat])
        if self.choice == "give":
            if self.rules["neighbours"]:
                others = {self.beside(self.mover, True), self.beside(self.mover, False)}
            return sorted(f"give:{seat}" for seat in others)
        if self.choice == "keep":
            pairs = combinations(in_order(self.hands[self.seat]), 2 if self.card == "keep_two" else 1)
            return sorted({"keep:" + "+".join(kept) for kept in pairs})
        return sorted({"pass"} | self._plays(others))

    def _plays(self, others):
        moves = set()
        for card in self.hands[self.mover]:
            barred = card == "remove_one" and self.rolled["die"] >= 2
            if barred or self.rules["costs"][card] > self.rolled["wasabi"]:
                continue
            ends = [""]
            if card in AT_ONE:
                ends = [f":{seat}" for seat in others if card != "take_card" or self.hands[seat]]
            if card in AT_SIDE:
                ends = [":left", ":right"]
            moves |= {f"play:{card}{end}" for end in ends}
        return moves

    def play(self, move):
        """Play a legal move."""
        verb, *parts = move.split(":")
        if verb == "take":
            self.takes(self.mover, int(parts[0]))
            self._draw(self.due - 1)
        elif verb == "give":
            self.dice[self.mover] -= 1
            self.dice[int(parts[0])] += 1
            self._give(self.due - 1)
        elif verb == "keep":
            self._keep(parts[0].split("+"))
        elif verb == "pass":
            self._end_turn()
        else:
            self.loses(self.mover, parts[0])
            self.card = parts[0]
            getattr(self, f"_play_{self.card}")(*parts[1:])

    def _keep(self, kept):
        seat = self.waiting.pop(0)
        for card in (Counter(self.hands[seat]) - Counter(kept)).elements():
            self.loses(seat, card)
            self.discards.append(card)
        if not self.waiting:
            self._end_turn()

    def _ask(self, seats, most):
        self.choice, self.waiting = "keep", [seat for seat in seats if len(self.hands[seat]) > most]
        if not self.waiting:
            self._end_turn()

    def _play_remove_one(self, dice=1):
        self.dice[self.mover] = max(0, self.dice[self.mover] - dice)
        self._end_turn()

    def _play_remove_two(self):
        self._play_remove_one(2)

    def _play_keep_two(self):
        others, seat = [], self.beside(self.mover, self.clockwise)
        while seat != self.mover:
            others.append(seat)
            seat = self.beside(seat, self.clockwise)
        self._ask(others, 2)

    def _play_keep_one(self, target):
        self._ask([int(target)], 1)

    def _play_draw_three(self):
        self._draw(3)

    def _play_swap_dice(self, target):
        one, other = self.mover, int(target)
        self.dice[one], self.dice[other] = self.dice[other], self.dice[one]
        self._end_turn()

    def _play_pass_dice(self, side):
        before = list(self.dice)
        for seat in self.playing():
            self.dice[self.beside(seat, side == "left")] = before[seat]
        self._end_turn()

    def _play_swap_cards(self, target):
        self.hands_go({self.mover: int(target), int(target): self.mover})
        self._end_turn()

    def _play_pass_cards(self, side):
        self.hands_go({seat: self.beside(seat, side == "left") for seat in self.playing()})
        self._end_turn()

    def _play_reverse(self):
        self._end_turn()

    def _play_miss(self, target):
        self.misses[int(target)] += 1
        self._end_turn()

    def _play_give_die(self, target):
        self.dice[self.mover] -= 1
        self.dice[int(target)] += 1
        self._end_turn()

    def _play_take_card(self, target):
        self.takes(self.mover, int(target))
        self._end_turn()

    def position(self):
        """The whole position in the public notation."""
        return {
            "format": "wazabi-position/1", "deck": self.deck_name, "options": self.options, "players": self.players,
            "games": self.games, "game": self.game, "turns": self.turns, "shuffles": self.shuffles,
            "picks": self.picks, "first_seat": self.first_seat, "seat": self.seat, "mover": self.mover,
            "due": self.due, "clockwise": self.clockwise, "choice": None if self.over else self.choice,
            "rolled": {face: self.rolled[face] for face in ("wasabi", "card", "die")}, "card": self.card,
            "keepers": sorted(self.waiting), "dice": list(self.dice), "misses": list(self.misses),
            "points": list(self.points), "places": list(self.places), "hands": [in_order(h) for h in self.hands],
            "pile": self.pile[::-1], "discards": in_order(self.discards),
            "known": [[in_order(cards.elements()) for cards in row] for row in self.known],
            "sure": [list(row) for row in self.sure], "chance": str(self.seed_of_match),
        }  # fmt: skip
