"""The mine of the slow twin: what lies face up and where ways lead, Rules 3.1 and 4.1."""

from tests.twins.cards import GOAL_CELLS, OPPOSITE, START, STEP, beside, copied, open_sides, rules_of, turned


class Mine:
    """Tunnels and goals, in which every way is found again.

    Args:
        position: a position of the public notation, taken on trust.
    """

    def __init__(self, position):
        self.rules = rules_of(position)
        self.goal_cells = [tuple(cell) for cell in self.rules.get("goal_cells", GOAL_CELLS)]
        self.goals = copied(position["goals"])
        self.mine = {tuple(laid["at"]): self._as_it_lies(laid) for laid in position["tunnels"]}

    @staticmethod
    def _as_it_lies(laid):
        return turned(laid["card"]) if laid["turned"] else laid["card"]

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
