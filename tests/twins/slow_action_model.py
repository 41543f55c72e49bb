"""A slow twin of action_model.py, in plain Python: what acts say, from the tables that the game really showed."""

import math
from collections import defaultdict
from itertools import pairwise

import numpy as np

from saboteur_env.agents.beliefs.action_types import ACTION_TYPES, CONTEXTS
from saboteur_env.engine.cards import KIND_OF_ORIENTATION, KINDS, MAP, ROCKFALL, orientation_of
from saboteur_env.engine.legal import MAX_MOVES, legal_moves
from saboteur_env.engine.moves import move_of, seat_of, text_of
from saboteur_env.engine.state import PRIVATE
from saboteur_env.engine.tunnels import join, put, survey, take_up
from saboteur_env.game.view import mine_of
from saboteur_env.heuristics.flood import ALL_GOALS, FLOOD, cards_needed

LOW, HIGH = 1, 62
DISCARDED = -1


def evidence_of(publics, styles):
    """The log likelihood by seat, role and treasure, from the public records before each act and after the last."""
    by_style, populations = defaultdict(float), {}
    log_likelihood, log_odds = np.zeros((10, 2, 3)), [0.0] * 10
    for before, after in pairwise(publics):
        event = int(after.events[before.event_count])
        seat, text = seat_of(event), text_of(move_of(event))
        if text.startswith(("turn:", "reveal:", "take", "pass")):
            continue
        goals = range(int(before.rules.goals))
        for treasure in goals:
            hopes = hopes_of(before, seat, treasure)
            options, mine = options_of(before, seat, hopes, log_odds)
            done = act_of(before, seat, move_of(event), hopes, log_odds, mine)
            held = {act: chance_held(before, seat, option) for act, option in options.items()}
            for style, preference in enumerate(styles.preference):
                likes = dict(
                    zip(ACTION_TYPES, preference[CONTEXTS.index(context_of(before, hopes, mine))], strict=True)
                )
                weights = {act: held[act] * math.exp(likes[act]) for act in options}
                probability = weights[done] / sum(weights.values()) / sum(options[done].values())
                by_style[seat, style, treasure] += math.log(probability)
        expected = expected_shares(styles, [populations[other] for other in populations if other != seat])
        populations[seat] = population_of(
            styles, expected, {key[1:]: by_style[key] for key in by_style if key[0] == seat}
        )
        for treasure in goals:
            for role in (0, 1):
                of_role = [style for style in range(len(styles.role)) if styles.role[style] == role]
                shares = [math.log(expected[style]) + by_style[seat, style, treasure] for style in of_role]
                log_likelihood[seat, role, treasure] = np.logaddexp.reduce(shares)
        down = [goal for goal in goals if not before.goal_face[goal]]
        miner, saboteur = (np.logaddexp.reduce(log_likelihood[seat, role, down]) for role in (0, 1))
        log_odds[seat] = saboteur - miner
    return log_likelihood


def expected_shares(styles, others):
    """The share of each style among those of its role, given how likely the other seats are of each population."""
    expected = []
    for share, role, population in zip(styles.share, styles.role, styles.population, strict=True):
        kin = [i for i in range(len(styles.share)) if styles.population[i] == population and styles.role[i] == role]
        prior, alike = sum(styles.share[i] for i in kin), sum(other[population] for other in others)
        seen = (prior + styles.pooling * alike) / (1 + styles.pooling * len(others))
        expected.append(share / prior * seen)
    return expected


def population_of(styles, expected, by_style):
    """How likely a seat is of each population, by the log likelihood of its acts by style and treasure."""
    weights = defaultdict(float)
    for (style, _), likelihood in by_style.items():
        weights[styles.population[style]] += expected[style] * math.exp(likelihood - max(by_style.values()))
    return {population: weight / sum(weights.values()) for population, weight in weights.items()}


def hopes_of(public, seat, treasure):
    """The goals that may be the treasure to a seat."""
    if public.maps[seat] >> treasure & 1:
        return {treasure}
    return {
        goal
        for goal in range(int(public.rules.goals))
        if goal == treasure or (not public.goal_face[goal] and not public.maps[seat] >> goal & 1)
    }


def unseen(public):
    """How many cards of each kind lie in hands, the deck and face-down discards."""
    left = [int(copies) - int(played) for copies, played in zip(public.rules.deck, public.played, strict=True)]
    for coord, orientation in mine_of(public).tunnels.items():
        if coord != (0, 0):
            left[KIND_OF_ORIENTATION[orientation]] -= 1
    for tools in public.broken.tolist():
        for tool in range(3):
            left[KINDS.index("break:pickaxe") + tool] -= tools >> tool & 1
    return left


def options_of(public, seat, hopes, log_odds):
    """For each act that some hand allows: the copies of each card, move by move; and what moves do to the mine."""
    left, private, moves, mine = (
        unseen(public),
        np.zeros(1, PRIVATE).view(np.recarray),
        np.empty(MAX_MOVES, np.int32),
        {},
    )
    for kind, copies in enumerate(left):
        if copies > 0:
            private[0].hand[kind] = 1
            private[0].kinds |= 1 << kind
    options = defaultdict(lambda: defaultdict(int))
    for number in moves[: legal_moves(public, private[0], moves)].tolist():
        kind = kind_of(text_of(number))
        act = act_of(public, seat, number, hopes, log_odds, mine)
        if kind == DISCARDED:
            options[act] = {DISCARDED: 1}
        else:
            options[act][kind] += left[kind]
    return options, mine


def kind_of(text):
    """The card that a move shows."""
    head = text.partition("@")[0]
    if text.startswith("discard"):
        return DISCARDED
    if text.startswith("break"):
        return KINDS.index(text.rpartition(":")[0])
    if text.startswith("repair"):
        return KINDS.index(":".join(text.split(":")[:2]))
    if text.startswith("map"):
        return MAP
    return ROCKFALL if head == "rockfall" else int(KIND_OF_ORIENTATION[orientation_of(head)])


def chance_held(public, seat, option):
    """The chance that a hand of unseen cards holds one of these."""
    if DISCARDED in option:
        return 1.0
    left = unseen(public)
    return 1 - (1 - sum(left[kind] for kind in option) / sum(left)) ** int(public.hand_count[seat])


def needed_in(public, mine):
    flood = np.zeros(1, FLOOD).view(np.recarray)
    cards_needed(public, mine, ALL_GOALS, flood[0])
    return flood[0].needed.tolist()


def needed_after(public, number):
    """The cards needed to each goal, after a move or (None) now."""
    mine = public.board.copy()
    if number is not None:
        coord = number & 4095
        if text_of(number).startswith("rockfall"):
            take_up(mine, coord)
            survey(mine, LOW, HIGH)
        else:
            orientation = number >> 12 & 31
            put(mine, coord, orientation)
            join(mine, coord, orientation, LOW, HIGH)
    return needed_in(public, mine)


def act_of(public, seat, number, hopes, log_odds, mine):
    """What a move is called. `mine` keeps what moves do."""
    text = text_of(number)
    if text.startswith("discard"):
        return "discard"
    if text.startswith("map"):
        open_question = int(text[4:]) in hopes and len(hopes) > 1
        return "read a goal that may be the treasure or not" if open_question else "read a goal that is known"
    if text.startswith(("break", "repair")):
        does, victim = ("break" if text.startswith("break") else "mend"), int(text.rpartition(":")[2])
        if victim == seat:
            return f"{does} an own tool"
        look = "guilty" if log_odds[victim] > 0.7 else "honest" if log_odds[victim] < -0.7 else "like either"
        return f"{does} a tool of one that looks {look}"
    for key in (None, number):
        if key not in mine:
            mine[key] = needed_after(public, key)
    saved = sum(mine[None][goal] - mine[number][goal] for goal in hopes) / len(hopes)
    if text.startswith("rockfall"):
        coord = tuple(map(int, text.partition("@")[2].split(",")))
        if saved:
            return "rockfall that saves cards" if saved > 0 else "rockfall that costs cards"
        dead = mine_of(public).tunnels[coord] & 16
        return "rockfall on a dead end that saves none" if dead else "rockfall on a tunnel that costs none"
    if text.startswith("x"):
        return "lay a dead end that costs cards" if saved < 0 else "lay a dead end that costs none"
    if saved < 0:
        return "lay a card that costs the miners cards"
    if saved >= 1:
        return "lay a card that saves one or more on average"
    return "lay a card that saves some on the way to some goals" if saved else "lay a card that saves none"


def context_of(public, hopes, mine):
    """What the context is called."""
    mine.setdefault(None, needed_after(public, None))
    nearest = min(mine[None][goal] for goal in hopes)
    stages = ["one or two cards to the nearest goal it hopes for", "three or four", "five or six", "more"]
    stage = stages[(nearest > 2) + (nearest > 4) + (nearest > 6)]
    deck = "deck left" if public.deck_count else "deck empty"
    return f"{stage}, {'treasure known' if len(hopes) == 1 else 'treasure unknown'}, {deck}"
