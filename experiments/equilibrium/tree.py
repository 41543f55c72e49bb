"""The whole tree of a round as flat arrays, built by kernels over the rules themselves.

Chance moves once, at the root: it chooses one of the distinct deals, deck and all. That is the same game as one where
cards are drawn by chance later, as nobody sees a card before it is drawn. Nodes are numbered level by level, so a pass
through the arrays is a pass down or up the tree, without recursion::

    root -- deal -- decision -- decision -- end        parent[node] < node
                        `------ end                    edge[node]: the index of the move to it in a profile

A profile is one vector: for every information set the probabilities of its moves, one after the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from saboteur_env.core.compiled.jit import kernel
from saboteur_env.core.compiled.memory import aligned_zeros, copy_record, padded_dtype, record_dtype
from saboteur_env.core.prng import mix
from saboteur_env.engine.cards import KINDS, SABOTEUR
from saboteur_env.engine.editions import Rules
from saboteur_env.engine.legal import MAX_MOVES, legal_moves
from saboteur_env.engine.play import play_unchecked
from saboteur_env.engine.state import MAX_GOALS, MAX_PLAYERS, MINERS, RUNNING, STATE
from saboteur_env.extensive_form.deals import Deals, all_deals

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

CHANCE, END = -1, -2  # who moves at a node, where it is no seat
# A node as it is found, depth first.
FOUND = record_dtype(
    ("parent", "i8"),
    ("depth", "i8"),
    ("seat", "i8"),
    ("key", "u8"),  # of the information set of the seat to move
    ("choice", "i8"),  # which of its parent's moves led here
    ("move", "i8"),  # its number (moves.py)
    ("moves", "i8"),  # how many can follow
    ("deal", "i8"),
    ("winner", "i8"),
    ("role", "i8"),  # of the seat to move
)
# A game on the way to where the search is, and what every seat has seen of it.
VISIT = padded_dtype(
    ("game", STATE),
    ("keys", "u8", MAX_PLAYERS),
    ("node", "i8"),  # its number
    ("tried", "i8"),  # how many of its moves are behind
    ("moves", "i8"),
)
LONGEST_ROUND = 128  # moves of a round


class Links(NamedTuple):
    """What passes through a tree read of it, as kernels take it (`Tree`)."""

    parent: Ints
    edge: Ints
    info: Ints
    share: Floats
    first: Ints
    child: Ints
    levels: Ints


@dataclass(frozen=True, eq=False)
class Tree:
    """A game in extensive form, of seats with perfect recall.

    Attributes:
        rules: of the round.
        deals: what chance can deal.
        parent: int64[nodes], -1 for the root.
        seat: int64[nodes], who moves: a seat, CHANCE or END.
        info: int64[nodes], the information set of the seat to move, -1 where none moves.
        edge: int64[nodes], the index in a profile of the move that leads here, -1 below chance.
        move: int64[nodes], its number (moves.py), 0 below chance.
        deal: int64[nodes], -1 for the root.
        levels: int64[depth + 2], where the nodes of each level begin.
        miners_won: float64[nodes], 1 at ends where they did, 0 elsewhere.
        first: int64[sets + 1], where the moves of each information set begin in a profile.
        info_seat, info_role: int64[sets], whose it is.
        info_node: int64[sets], a node of it.
    """

    rules: Rules
    deals: Deals
    parent: Ints
    seat: Ints
    info: Ints
    edge: Ints
    move: Ints
    deal: Ints
    levels: Ints
    miners_won: Floats
    first: Ints
    info_seat: Ints
    info_role: Ints
    info_node: Ints

    @property
    def nodes(self) -> int:
        """How many nodes it has, the root and the ends among them."""
        return len(self.parent)

    @property
    def decisions(self) -> int:
        """How many information sets have a choice."""
        return int((np.diff(self.first) > 1).sum())

    @cached_property
    def links(self) -> Links:
        """Its shape. `share` is what chance gives to each node, 1 where it has no part.

        `child` is where the children of each node begin; they end where those of the next node begin.
        """
        share = np.ones(self.nodes)
        share[self.parent == 0] = self.deals.chances
        child = np.searchsorted(self.parent, np.arange(self.nodes + 1))
        return Links(self.parent, self.edge, self.info, share, self.first, child, self.levels)

    def uniform(self) -> Floats:
        """The profile that plays every legal move equally often."""
        sizes = np.diff(self.first)
        return np.repeat(1.0 / sizes, sizes)

    @cached_property
    def payoffs(self) -> Floats:
        """What every seat gets at each end, float64[seats, nodes]: 1 where its side wins, -1 where the other does."""
        roles = np.array([[game.private[seat].role for game in self.deals.games] for seat in range(self.rules.players)])
        ends = self.seat == END
        signs = np.where(roles[:, self.deal] == SABOTEUR, -1.0, 1.0)
        return np.where(ends, signs * (2 * self.miners_won - 1), 0.0)


def build(rules: Rules, roles_open: bool = False) -> Tree:
    """The tree of a round.

    Args:
        roles_open: whether everybody knows who is a saboteur; without that, the game as it is.
    """
    deals = all_deals(rules)
    path, moves = aligned_zeros(LONGEST_ROUND, VISIT), np.empty((LONGEST_ROUND, MAX_MOVES), np.int32)
    given = (deals.games, roles_open, path, moves)
    size = _explore(*given, np.zeros(0, FOUND))
    result = np.zeros(size, FOUND)
    _explore(*given, result)
    return _numbered(rules, deals, result)


def _numbered(rules: Rules, deals: Deals, result: Any) -> Tree:
    order = np.argsort(result["depth"], kind="stable")
    number = np.empty(len(order), np.int64)
    number[order] = np.arange(len(order))
    result = result[order]
    parent = np.where(result["parent"] < 0, -1, number[result["parent"]])
    deciding = result["seat"] >= 0
    _, nodes, info = np.unique(result["key"][deciding], return_index=True, return_inverse=True)
    sets = np.flatnonzero(deciding)[nodes]
    info_of = np.full(len(result), -1)
    info_of[deciding] = info
    first = np.concatenate([[0], np.cumsum(result["moves"][sets])])
    above = info_of[parent]
    edge = np.where((parent < 0) | (above < 0), -1, first[above] + result["choice"])
    return Tree(
        rules=rules,
        deals=deals,
        parent=parent,
        seat=result["seat"].copy(),
        info=info_of,
        edge=edge,
        move=result["move"].copy(),
        deal=result["deal"].copy(),
        levels=np.searchsorted(result["depth"], np.arange(result["depth"][-1] + 2)),
        miners_won=(result["winner"] == MINERS).astype(np.float64),
        first=first,
        info_seat=result["seat"][sets],
        info_role=result["role"][sets],
        info_node=sets,
    )


@kernel
def _explore(deals: Any, roles_open: bool, path: Any, moves: Any, result: Any) -> int:
    # Depth first, without recursion: `path` has the games from the deal to where the search is.
    # Mutates: result, as far as it goes. Returns: the number of nodes.
    if len(result) > 0:
        result[0].parent, result[0].seat, result[0].deal = -1, CHANCE, -1
    size = 1
    for deal in range(len(deals)):
        copy_record(path[0].game, deals[deal])
        _see_deal(deals[deal], roles_open, path[0].keys)
        size, level = _arrive(path, moves, 0, 0, deal, size, result), 0
        while level >= 0:
            here = path[level]
            if here.tried == here.moves:
                level -= 1
                continue
            number = np.int64(moves[level, here.tried])
            here.tried += 1
            copy_record(path[level + 1].game, here.game)
            mover = np.int64(here.game.public.seat)
            play_unchecked(path[level + 1].game, number)
            _see_move(path[level + 1].game, mover, number, here.keys, path[level + 1].keys)
            size = _arrive(path, moves, level + 1, number, deal, size, result)
            level += 1
    return size


@kernel
def _arrive(path: Any, moves: Any, level: int, number: int, deal: int, size: int, result: Any) -> int:
    # A node more, at the end of the path. Returns: the number of nodes.
    here = path[level]
    public = here.game.public
    seat = np.int64(public.seat)
    own = here.game.private[seat]
    here.node, here.tried, here.moves = size, 0, 0
    if public.winner == RUNNING:  # a round with a winner is decided: what is left of it is gold
        here.moves = legal_moves(public, own, moves[level])
    if size < len(result):
        node = result[size]
        node.parent = path[level - 1].node if level > 0 else 0
        node.choice = path[level - 1].tried - 1 if level > 0 else 0
        node.depth, node.moves, node.move, node.deal = level + 1, here.moves, number, deal
        node.seat, node.winner, node.role = seat if here.moves > 0 else END, public.winner, own.role
        node.key = here.keys[seat]
    return size + 1


@kernel
def _see_deal(game: Any, roles_open: bool, keys: Any) -> None:
    # Begins the key of everything that a seat ever knew, in order: a hash of 64 bits for each.
    for seat in range(game.public.rules.players):
        keys[seat] = _took(mix(np.uint64(seat * 2 + game.private[seat].role + 1)), game.private[seat])
        if roles_open:
            for other in range(game.public.rules.players):
                keys[seat] = mix(keys[seat] + np.uint64(game.private[other].role + 1))


@kernel
def _see_move(game: Any, mover: int, number: int, before: Any, after: Any) -> None:
    # What a move tells everybody, and its mover besides.
    public = game.public
    shown = np.uint64(public.events[public.event_count - 1])
    faces = 0
    for goal in range(public.rules.goals):
        faces = faces << 2 | np.int64(public.goal_face[goal])
    for seat in range(public.rules.players):
        after[seat] = mix(mix(before[seat] + shown) + np.uint64(faces))
    after[mover] = _took(mix(after[mover] + np.uint64(number)), game.private[mover])


@kernel
def _took(key: np.uint64, own: Any) -> np.uint64:
    for kind in range(len(KINDS)):
        key = mix(key + np.uint64(own.hand[kind]))
    for goal in range(MAX_GOALS):
        key = mix(key + np.uint64(own.face[goal]))
    return key
