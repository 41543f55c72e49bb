"""What each seat is paid, worked out the slow way: by the round, by the match, and by the way still to go."""

import random
from itertools import permutations

import pytest

from saboteur_env import env
from saboteur_env.engine.state import WINNERS
from saboteur_env.environment.rewards import PRIVILEGED_SHAPING, PUBLIC_SHAPING, REWARDS, potential
from saboteur_env.environment.stepping import new_step
from saboteur_env.heuristics.card_distance import measure
from saboteur_env.heuristics.flood import ALL_GOALS, FAR
from tests.long.mask_check import choose, inside, twin_of
from tests.support.positions import data_of, position
from tests.twins.slow_distance import counted

NEAR = {"goal_cells": [[2, -1], [2, 0], [2, 1]]}
TABLES = [
    {"players": 3, "options": NEAR},
    {"players": 3, "edition": "ru", "rounds": 2},
    {"players": 4, "edition": "uk", "options": NEAR},
    {"players": 5, "options": {"draft": True} | NEAR},
    {"players": 6, "edition": "fa", "options": {"broken_no_gold": True} | NEAR},
    {"players": 7, "options": {"role_table": {"saboteurs": 7, "miners": 0}} | NEAR},
    {"players": 10, "edition": "lt", "options": NEAR},
]


def side_of(game):
    """Per seat: whether it won the round, and how many sit at the table on its side."""
    roles, sides = data_of(game)["roles"], {"miner": "miners", "saboteur": "saboteurs"}
    return [(sides[role] == game.winner, roles.count(role)) for role in roles]


def wages(scheme, game, before):
    """What the seats are paid for the round that `game` has just ended; `before` are the nuggets until then."""
    players, now = game.rules.players, game.nuggets
    if scheme == "side":
        return [1.0 if won else -1.0 for won, _ in side_of(game)]
    if scheme == "zero_sum":
        return [(1 if won else -1) / size if size < players else 0.0 for won, size in side_of(game)]
    if scheme == "nuggets":
        return [float(late - early) for late, early in zip(now, before, strict=True)]
    return [(nuggets == max(now)) / now.count(max(now)) if game.over else 0.0 for nuggets in now]


def match(seed, **settings):
    """Play a match twice; yields environment and game after each move, the nuggets before the round, the action."""
    rng, made = random.Random(seed), env(history=0, **settings)
    made.reset(seed=seed)
    game = twin_of(made, seed)
    before = game.nuggets
    while not game.over:
        if game.round_over:
            before = game.nuggets
            game.next_round()
        move = choose(rng, [move for move in game.legal_moves() if inside(move, made.settings.window)])
        action = made.settings.actions.number(move, game.seat, game.rules.players)
        made.step(action)
        game.play(move)
        yield made, game, before, action


@pytest.mark.parametrize("scheme", REWARDS)
def test_a_round_is_paid_in_the_step_that_ends_it(scheme):
    winners = set()
    for seed in range(3):
        for settings in TABLES:
            for made, game, before, _ in match(seed, reward=scheme, **settings):
                paid = list(made.rewards.values())
                wanted = wages(scheme, game, before) if game.round_over else [0.0] * game.rules.players
                assert paid == wanted, f"{game.winner} won, roles {data_of(game)['roles']}, gold {game.nuggets}"
                _check_sums(scheme, game, paid)
                winners.add(game.winner)
    assert winners >= {"miners", "saboteurs", None}


def _check_sums(scheme, game, paid):
    if scheme == "zero_sum":
        assert sum(paid) == pytest.approx(0)
    if scheme == "match":
        assert sum(paid) == pytest.approx(int(game.over))


@pytest.mark.parametrize("scheme", REWARDS)
def test_nobody_wins(scheme):
    made = env(players=3, rounds=1, reward=scheme)
    made.reset(seed=1, options={"roles": ["miner"] * 3})
    while not made.terminations["dwarf_0"]:
        made.step(throw_away(made))
    assert WINNERS[made.infos["dwarf_0"]["winner"]] == "nobody"
    wanted = {"side": -1.0, "zero_sum": 0.0, "nuggets": 0.0, "match": 1 / 3}
    assert made.rewards == dict.fromkeys(made.agents, wanted[scheme])


def throw_away(made):
    """The action of laying a card of the hand face down."""
    game, actions = made.game, made.settings.actions
    move = next(move for move in game.legal_moves() if move.startswith("discard"))
    return actions.number(move, game.seat, game.rules.players)


TWO_ROLES = ["miner", "saboteur", "miner", "saboteur", "miner"]
LAST_CARD = """
 |
-S-. ?
 |
"""


@pytest.mark.parametrize(
    ("scheme", "wanted"),
    [
        ("side", [1, -1, 1, -1, 1]),
        ("zero_sum", [1 / 3, -1 / 2, 1 / 3, -1 / 2, 1 / 3]),
        ("nuggets", [4, 0, 3, 0, 4]),
        ("match", [0.5, 0, 0, 0, 0.5]),
    ],
)
def test_the_treasure_as_drawn(scheme, wanted):
    # Five cards, the best first: seat 0 found the treasure, then 4, 2 and round again.
    gold = [1, 3, 1, 3, 3] + [1] * 14 + [2] * 8 + [3]
    game = position(LAST_CARD, [["EW"]], players=5, roles=TWO_ROLES, rounds=1, gold_deck=gold)
    made = environment_of(game, reward=scheme)
    made.step(made.settings.actions.number("EW@1,0", 0, 5))
    assert list(made.rewards.values()) == pytest.approx(wanted)
    assert made.terminations == dict.fromkeys(made.possible_agents, True)


def environment_of(game, **settings):
    """An environment that stands where the game does."""
    rules = game.rules
    made = env(players=rules.players, edition=rules.edition, rounds=rules.rounds, options=rules.options(), **settings)
    made.reset(seed=0, options={"position": game.to_json()})
    return made


def measured(game):
    """The cards needed to each goal."""
    scratch = new_step()[0].distance
    measure(game.records[0].public, ALL_GOALS, scratch)
    return scratch.now.needed[: len(game.rules.goal_cells)].tolist()


AT_FIRST = """
 . . . . . . . . ?

 . . . . . . . . .
 |
-S-. . . . . . . ?
 |
 . . . . . . . . .

 . . . . . . . . ?
"""
AROUND_A_DEAD_END = """
 . . . . . . . . ?

 . . . . . . . . .
 |
-S-o-x . . . . . ?
 |
 . . . . . . . . .

 . . . . . . . . ?
"""
OVER_A_LOOSE_PIECE = """
 . . . . . . . . ?

 . . . . . . . . .
 | |
-S-o-.-o-o-o-o-. ?
 |           |
 . . . . . . . . .

 . . . . . . . . ?
"""
BEHIND_A_WALL = """
 . . . . . . . . ?

 . . . . . . . . .
 |         |
-S-o-o-o-. o . . ?
 |     |   |
 . . . . . . . . .

 . . . . . . . . ?
"""
ONE_REVEALED = """
 . . . . . . . . ?
               |
 . . . . . . . o-.
 | |           |
-S-o-o-o-o-o-o-o-c
 |     |   |     |
 . . . . . . . . .

 . . . . . . . . ?
"""
NO_WAY_AT_ALL = """
 . . . . . . . . . ?

 . x . . . . . . . .
   |
 x-S-x-. . . . . . ?
   |
 . x . . . . . . . .
   |
 . . . . . . . . . ?
"""


@pytest.mark.parametrize(
    ("drawing", "wanted"),
    [
        (AT_FIRST, [9, 7, 9]),
        (AROUND_A_DEAD_END, [9, 9, 9]),
        (OVER_A_LOOSE_PIECE, [4, 2, 4]),
        (BEHIND_A_WALL, [6, 6, 6]),
        (ONE_REVEALED, [1, FAR, 1]),
        (NO_WAY_AT_ALL, [FAR, FAR, FAR]),
    ],
)
def test_the_cards_needed_as_drawn(drawing, wanted):
    game = position(drawing)
    assert measured(game) == counted(data_of(game)) == wanted, f"in\n{game}"


def test_the_cards_needed_on_mines_of_all_kinds():
    seen = set()
    for seed, settings in enumerate(TABLES):
        for turn, (_, game, *_) in enumerate(match(seed, **settings)):
            if turn % 2 == 0 and not data_of(game)["pending"] and not game.round_over:
                assert measured(game) == counted(data_of(game)), f"in\n{game}"
                seen.update(measured(game))
    assert len(seen) > 8, seen


def potential_of(game, seat, shaping):
    """The potential of a seat, the slow way."""
    goals, needed = data_of(game)["goals"], counted(data_of(game))
    if shaping == "treasure":
        needed = [cards for goal, cards in zip(goals, needed, strict=True) if goal["face"] == "treasure"]
    sign = -1 if data_of(game)["roles"][seat] == "miner" else 1
    return sign * min(needed) / FAR


@pytest.mark.parametrize("shaping", ["public", "treasure"])
def test_the_potential_as_drawn(shaping):
    game = position(
        OVER_A_LOOSE_PIECE, faces=["stone:NE", "stone:NW", "treasure"], roles=["saboteur", "miner", "miner"]
    )
    needed, which = (2, PUBLIC_SHAPING) if shaping == "public" else (4, PRIVILEGED_SHAPING)
    result = [potential(game.records[0], seat, which, new_step()[0].distance) for seat in range(3)]
    assert result == [needed / FAR, -needed / FAR, -needed / FAR]


@pytest.mark.parametrize("scheme", ["side", "match"])
@pytest.mark.parametrize("shaping", ["public", "treasure"])
@pytest.mark.parametrize("gamma", [1.0, 0.9, 0.0])
def test_shaping_adds_up_to_the_potential_at_the_first_decision(scheme, shaping, gamma):
    for seed, settings in enumerate(TABLES):
        made = env(history=0, reward=scheme, shaping=shaping, gamma=gamma, **settings)
        made.reset(seed=seed)
        first, decisions, total = {}, {}, dict.fromkeys(made.agents, 0.0)
        for base, _, _, action in match(seed, reward=scheme, **settings):
            agent = made.agent_selection
            if agent not in first:
                first[agent] = potential_of(made.game, made.game.seat, shaping)
            decisions[agent] = decisions.get(agent, -1) + 1
            made.step(action)
            for other, reward in made.rewards.items():
                extra = reward - base.rewards[other]
                assert other in decisions or extra == 0
                total[other] += gamma ** decisions.get(other, 0) * extra
        assert total == pytest.approx({agent: -first.get(agent, 0.0) for agent in total})


def test_a_seat_that_never_decided_is_not_shaped():
    game = position(LAST_CARD, [["EW"]], players=5, roles=TWO_ROLES, rounds=1)
    made = environment_of(game, shaping="treasure")
    made.step(made.settings.actions.number("EW@1,0", 0, 5))
    assert list(made.rewards.values()) == [1 + 1 / FAR, -1, 1, -1, 1]


def test_shaping_is_paid_between_two_decisions_of_a_seat():
    game = position(hands=[["EW"], ["NES"], ["NEW"]], roles=["saboteur", "miner", "miner"], deck=None)
    made, paid = environment_of(game, shaping="public", gamma=0.5), []
    for seat, move in enumerate(("EW@1,0", "NES@0,-1", "NEW@2,0")):
        made.step(made.settings.actions.number(move, seat, 3))
        paid.append(list(made.rewards.values()))
    # Seven cards at seat 0's first decision, five at its second.
    assert paid == [[0] * 3, [0] * 3, [0.5 * 5 / FAR - 7 / FAR, 0, 0]]
    assert made.last()[1] == pytest.approx(-4.5 / FAR)


def shaped(shaping, faces, moves):
    """The rewards of a few moves where the goals show these faces."""
    made, paid = environment_of(position(hands=HANDS, faces=faces), shaping=shaping), []
    for turn, move in enumerate(moves):
        made.step(made.settings.actions.number(move, turn % 3, 3))
        paid.append(tuple(made.rewards.values()))
    return tuple(paid)


HANDS = [["EW", "NES"], ["NEW", "NE"], ["NES", "xN"]]


def test_the_public_shaping_tells_nothing_of_the_faces():
    moves = ["EW@1,0", "NEW@2,0", "NES@0,-1", "NES@2,-1", "discard:NE", "discard:xN"]
    shuffled = [list(faces) for faces in permutations(["treasure", "stone:NE", "stone:NW"])]
    assert len({shaped("public", faces, moves) for faces in shuffled}) == 1
    assert len({shaped("treasure", faces, moves) for faces in shuffled}) > 1
