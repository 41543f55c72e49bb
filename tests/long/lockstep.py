"""The engine and its slow twin play the same games, move by move, and may never differ.

    python -m tests.long.lockstep --moves 1000000 --seed 0 --workers 2

A match is settled by (seed, number): its table, its dealing and every move follow from them, so that a
difference found in a long run is seen again with `--seed S --match N`.
"""

import json
import random
from collections import Counter
from functools import partial

from tests.support import in_step
from tests.twins.cards import (
    ACTIONS,
    EDITIONS,
    GOLD,
    PATHS,
    SABOTEURS,
    STEP,
    as_cell,
    beside,
    hand_size,
    open_sides,
    rules_of,
    whole_deck,
)
from tests.twins.oracle import Oracle
from tests.twins.rounds import canonical, check_deal, check_fresh

VALUES = {
    "placement": ["connected", "touching"], "stone": ["chooser", "joins"], "goals": ["all", "one"],
    "end": ["hands_empty", "all_passed"], "roles": ["aside", "persian"],
    "broken_no_gold": [False, True], "draft": [False, True], "break_self": [False, True],
}  # fmt: skip

# What must happen in a run of some length before agreement says anything.
INTERESTING = [
    "stone revealed", "stone fits nowhere", "turn", "reveal", "several goals by one card", "take", "rockfall",
    "break", "own tool broken", "repair", "double repair", "map", "dead end laid", "card lies turned",
    "saboteur finds the treasure", "treasure without gold", "shortfall", "won by miners", "won by saboteurs",
    "won by nobody", "all passed, cards left", "next round",
]  # fmt: skip


def table(rng):
    """A table to play at: players, edition, rounds, options."""
    players = rng.randint(3, 10)
    options = {name: rng.choice(values) for name, values in VALUES.items() if rng.random() < 0.35}
    for name, custom in CUSTOM.items():
        if rng.random() < (0.6 if name == "goal_cells" else 0.3):
            options[name] = custom(rng, players)
    _shrink_hands(options, players)
    rounds = rng.choice([1, 2, 3, 3, 3, 5, 10])
    return {"players": players, "edition": rng.choice(sorted(EDITIONS)), "rounds": rounds, "options": options}


def _custom_deck(rng, players):
    """Some of the printed path cards, so that tunnels stay as short, and any number of each action card."""
    deck = {card: rng.randint(copies // 2, copies) for card, copies in PATHS.items()}
    deck |= {card: rng.randint(0, 4) for card in ACTIONS}
    return {card: copies for card, copies in deck.items() if copies}


def _custom_roles(rng, players):
    size = players + rng.randint(0, 1)
    saboteurs = rng.choice([count for count in range(size) if count != SABOTEURS[players]])
    return {"saboteurs": saboteurs, "miners": size - saboteurs}


def _custom_goals(rng, players):
    """One to three goals near the start, touching each other or not, but never the start."""
    cells = [(column, row) for column in (1, 2, 3, 4) for row in (-2, -1, 0, 1, 2) if column + abs(row) > 1]
    chosen = rng.sample(cells, rng.choice([1, 2, 3, 3, 3]))
    if rng.random() < 0.5:
        column = rng.randint(2, 5)
        chosen = [(column, row) for row in rng.choice([(-1, 1), (-2, 0, 2), (-1, 0, 1), (0, 2), (-1, 0)])]
    return [list(cell) for cell in sorted(chosen, key=lambda cell: cell[::-1])]


CUSTOM = {
    "deck": _custom_deck,
    "role_table": _custom_roles,
    "hand_size": lambda rng, players: rng.choice([size for size in (1, 2, 3, 7) if size != hand_size(players, {})]),
    "goal_cells": _custom_goals,
    "first_seat": lambda rng, players: rng.randrange(players),
}


def _shrink_hands(options, players):
    """Keeps a few cards in the deck after the deal, whatever deck was chosen."""
    most = max(1, (whole_deck(options).total() - 5) // players)
    if hand_size(players, options) > most:
        options["hand_size"] = most
    if options.get("hand_size") == hand_size(players, {}):
        del options["hand_size"]


def east(oracle, move):
    """Digs towards the goals, mends what is in the way of that, and throws dead ends away."""
    if "@" in move and not move.startswith(("x", "rockfall")):
        return 20 - _distance(oracle, move)
    if move.startswith("repair") and move.endswith(f":{oracle.seat}"):
        return 30
    return {"discard:x": 2, "discard:r": 1, "discard:b": 1, "discard:m": 1}.get(move[:9], -5)


def _distance(oracle, move):
    """From the ends of a card to be laid to the nearest goal still face down."""
    name, cell = move.split("@")[0], as_cell(move.split("@")[1])
    ends = [beside(cell, side) for side in open_sides(name)]
    goals = [at for goal, at in zip(oracle.goals, oracle.goal_cells, strict=True) if not goal["open"]]
    return min(abs(end[0] - goal[0]) + abs(end[1] - goal[1]) for end in ends for goal in goals)


def between(oracle, move):
    """Digs towards the cells that lie beside two goals at once, so that one card reaches both."""
    if "@" not in move or move.startswith(("x", "rockfall")):
        return east(oracle, move)
    name, cell = move.split("@")[0], as_cell(move.split("@")[1])
    down = {at for goal, at in zip(oracle.goals, oracle.goal_cells, strict=True) if not goal["open"]}
    if sum(beside(cell, side) in down for side in open_sides(name)) > 1:
        return 100
    beside_a_goal = any(beside(cell, side) in down for side in STEP)
    return 20 - _distance(oracle, move) - 8 * beside_a_goal


def around(oracle, move):
    """Builds beside face-down goals without reaching them, so that a stone has neighbours that it cannot fit."""
    if "@" not in move or move.startswith("rockfall"):
        return east(oracle, move)
    name, cell = move.split("@")[0], as_cell(move.split("@")[1])
    down = {at for goal, at in zip(oracle.goals, oracle.goal_cells, strict=True) if not goal["open"]}
    facing = {side for side in STEP if beside(cell, side) in down}
    reaching = not name.startswith("x") and facing & open_sides(name)
    return 50 if facing and not reaching else east(oracle, move)


def _first(*words):
    """Plays moves beginning with one of these words whenever there is one, and digs otherwise."""
    return lambda oracle, move: 50 if move.startswith(words) else east(oracle, move)


BIASES = {
    "uniform": lambda oracle, move: 0,
    "east": east,
    "between goals": between,
    "around goals": around,
    "rockfalls": _first("rockfall"),
    "breaking": _first("break"),
    "discards": lambda oracle, move: move.startswith("discard"),
    "dead ends": _first("x"),
    "maps and repairs": _first("map", "repair"),
}
WEIGHTS = [2, 6, 8, 8, 3, 2, 1, 3, 3]


def choose(rng, bias, oracle):
    """A legal move, most often one of those that this bias likes best."""
    moves = oracle.legal_moves()
    if rng.random() < 0.12:
        return rng.choice(moves)
    likes = [BIASES[bias](oracle, move) for move in moves]
    return rng.choice([move for move, liked in zip(moves, likes, strict=True) if liked == max(likes)])


def pick_bias(rng):
    return rng.choices(list(BIASES), WEIGHTS)[0]


def note(counts, before, oracle):
    """Counts what the last move made happen; `before` is a snapshot of the oracle from before it."""
    move = oracle.record[-1][1]
    counts["moves"] += 1
    counts[move.split("@")[0].split(":")[0] if move[0].islower() and move[0] != "x" else "lay"] += 1
    counts["double repair"] += move.startswith("repair") and "+" in move
    counts["own tool broken"] += move.startswith("break") and move.endswith(f":{oracle.record[-1][0]}")
    counts["dead end laid"] += move[0] == "x"
    counts["card lies turned"] += "@" in move and move[0] != "r" and move.split("@")[0] not in PATHS
    opened = [goal for goal in range(len(oracle.goals)) if oracle.goals[goal]["open"] and goal not in before["open"]]
    counts["several goals by one card"] += len(opened) > 1
    _note_stones(counts, oracle, opened)
    if oracle.winner and not before["winner"]:
        _note_end(counts, before, oracle)


def snapshot(oracle):
    """What `note` compares with."""
    opened = {number for number, goal in enumerate(oracle.goals) if goal["open"]}
    return {"open": opened, "winner": oracle.winner, "short": sum(oracle.shortfall)}


def _note_stones(counts, oracle, opened):
    for goal in opened:
        if oracle.goals[goal]["face"] != "treasure":
            cards = oracle.face_up()
            counts["stone revealed"] += 1
            counts["stone fits nowhere"] += not oracle.fits(
                cards[oracle.goal_cells[goal]], oracle.goal_cells[goal], cards
            )


def _note_end(counts, before, oracle):
    counts[f"won by {oracle.winner}"] += 1
    counts["shortfall"] += sum(oracle.shortfall) > before["short"]
    counts["all passed, cards left"] += oracle.winner != "miners" and any(oracle.hands)
    if oracle.winner == "miners":
        counts["saboteur finds the treasure"] += oracle.roles[oracle.last_seat] == "saboteur"
        counts["treasure without gold"] += oracle.next_miner(oracle.last_seat) is None


def with_talk(settings):
    """The same table, whose dwarfs may talk: with a smaller deck if its record would be too short (Rules 9.3)."""
    options = {**settings["options"], "talk": "claims"}
    deck = whole_deck(options)
    while deck.total() + deck["map"] + 3 * settings["players"] > 113:
        deck -= Counter({max(deck, key=deck.get): 1})
        options["deck"] = dict(deck)
    return {**settings, "options": options}


def play_match(seed, number, counts, talk=None):
    """One match of the engine against the oracle.

    Args:
        talk: whether words may be said; in one match of four if not given.

    Raises:
        AssertionError: they differ; the message says where, and how to see it again.
    """
    # The engine is loaded only here, so that tables and biases serve the oracle alone as well.
    import saboteur_env

    rng = random.Random(f"{seed}/{number}")
    settings = table(rng)
    if talk or (talk is None and random.Random(f"talk {seed}/{number}").random() < 0.25):
        settings = with_talk(settings)
    where = f"match {number} of seed {seed}: {settings}"
    try:
        game = saboteur_env.Game(seed=rng.getrandbits(32), **settings)
        _check_first_round(json.loads(game.to_json()), settings)
        while True:
            finished = _play_round(game, rng, counts)
            if game.over:
                return
            game.next_round()
            counts["next round"] += 1
            check_deal(finished, json.loads(game.to_json()))
    except AssertionError as difference:
        raise AssertionError(f"{where}\n{difference}") from None
    except Exception as error:
        error.add_note(f"in {where}")
        raise


def _check_first_round(position, settings):
    """The match as it was asked for, a right deal, and only those options kept that differ from the edition."""
    plain = rules_of({"edition": settings["edition"], "options": {}})
    differing = {name: value for name, value in settings["options"].items() if plain.get(name) != value}
    players = settings["players"]
    expected = {**settings, "options": differing, "round": 1, "past": []}
    expected |= {"gold": [[]] * players, "shortfall": [0] * players}
    expected["first_seat"] = differing.get("first_seat", position["first_seat"])
    for name, value in expected.items():
        assert position[name] == value, f"{name} is {position[name]} and not {value}"
    assert sorted(position["gold_deck"]) == GOLD, f"the gold deck is {position['gold_deck']}"
    check_fresh(position)


def _play_round(game, rng, counts):
    """Plays a round to its end in both and returns the finished position."""
    bias = pick_bias(rng)
    oracle = Oracle(json.loads(game.to_json()))
    compare(game, oracle)
    while not oracle.round_over:
        before, move = snapshot(oracle), choose(rng, bias, oracle)
        try:
            game.play(move)
        except Exception as error:
            error.add_note(f"after {_moves(oracle)} the engine cannot play {move}")
            raise
        oracle.play(move)
        note(counts, before, oracle)
        compare(game, oracle)
    return oracle.position()


def compare(game, oracle):
    """Asserts that the engine's game and the oracle stand alike."""
    played, expected = json.loads(game.to_json()), oracle.position()
    played, expected = canonical(played), canonical(expected)
    faults = [
        f"  {name}:\n    engine {played.get(name)}\n    oracle {expected.get(name)}"
        for name in sorted(played.keys() | expected.keys())
        if name not in played or name not in expected or played[name] != expected[name]
    ]
    last_round = oracle.round_over and expected["round"] == expected["rounds"]
    doors = {"seat": expected["seat"], "winner": expected["winner"], "round": expected["round"]}
    doors |= {"round_over": oracle.round_over, "over": last_round}
    for name, value in doors.items():
        if getattr(game, name) != value:
            faults.append(f"  game.{name}: engine {getattr(game, name)}, oracle {value}")
    faults += _differing_moves(list(game.legal_moves()), oracle.legal_moves())
    assert not faults, "\n".join([f"after {_moves(oracle)}", *faults])


def _differing_moves(played, expected):
    if played == expected:
        return []
    more, fewer = sorted(set(played) - set(expected)), sorted(set(expected) - set(played))
    if more or fewer:
        return [f"  legal moves: only in the engine {more}, only in the oracle {fewer}"]
    return [f"  legal moves: the same set, but in another order or twice\n    engine {played}\n    oracle {expected}"]


def _moves(oracle):
    return " ".join(f"{seat}:{move}" for seat, move in oracle.record) or "the deal"


run = partial(in_step.run, play_match)


if __name__ == "__main__":
    in_step.main("Plays the engine against its slow twin, move by move.", play_match, INTERESTING, moves=100_000)
