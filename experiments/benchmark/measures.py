"""What is measured in a part of a task: a row for each deal, belief or mine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from saboteur_env.agents.beliefs.filter import Belief
from saboteur_env.agents.matches.matchups import Matchup, Seats, play_match, play_matchup
from saboteur_env.agents.registry import make_agent
from saboteur_env.engine.cards import MINER, ROLES
from saboteur_env.engine.editions import Rules
from saboteur_env.game.game import Game
from saboteur_env.mines import mine_of

from ..beliefs.belief_scores import THIRDS
from ..beliefs.model_beliefs import NoEvidence
from ..common.statistics import round_columns
from ..equilibrium.equilibria import judged
from ..equilibrium.profiles import profile_of
from ..equilibrium.tree import build
from .tasks import BASE, CROSS_PLAY, EXACT, ROLE_INFERENCE, STRENGTH, TASKS, TEAM, Unit, seed_of

WON, NASH_CONV, WORST = "won", "NashConv", "miners win in the worst case"
SIDE_OF_ROLE = dict(zip(ROLES, ("miners", "saboteurs"), strict=True))
# Its `probabilities` are shares of simulated games, not how often it plays a move.
WITHOUT_POLICY = "search"


class Measured(NamedTuple):
    """A row.

    Attributes:
        measure: WON, a third of the round, NASH_CONV or WORST.
        deal: its number, -1 for none.
        value: of the agent.
        beside: of whom it is compared with; NaN for nobody.
        truth: what was true of whom a belief is about; NaN elsewhere.
    """

    measure: str
    deal: int
    value: float
    beside: float = np.nan
    truth: float = np.nan


def able(agent: str, kind: str) -> bool:
    """Whether an agent can be given tasks of a kind: beliefs and a policy are optional (agents/base.py)."""
    needed = {EXACT: "probabilities", ROLE_INFERENCE: "beliefs"}.get(kind, "act")
    if kind == EXACT and agent.partition(":")[0] == WITHOUT_POLICY:
        return False
    return hasattr(make_agent(agent), needed)


def measure(agents: Sequence[str], unit: Unit) -> dict[str, list[Any]]:
    """The columns of a unit.

    Args:
        agents: the one that is measured; after it weights of other training seeds, for the cross-play.
    """
    measures = {STRENGTH: _strength, CROSS_PLAY: _cross_play, ROLE_INFERENCE: _beliefs, EXACT: _exact}
    rows = [unit[:4] + row for row in measures[TASKS[unit.task].kind](agents, unit)]
    return dict(zip((*Unit._fields[:4], *Measured._fields), map(list, zip(*rows, strict=True)), strict=True))


def _strength(agents: Sequence[str], unit: Unit) -> Iterator[Measured]:
    """Whether the side of the agent wins, and the base dwarf's in its place."""
    family = TASKS[unit.task].family
    for deal in range(unit.first, unit.first + unit.deals):
        met = family[deal % len(family)]
        won, beside = (_won(unit, deal, _matchup(unit, met, name)) for name in (agents[0], BASE))
        yield Measured(WON, deal, won, beside)


def _matchup(unit: Unit, met: str, agent: str) -> Matchup:
    if unit.seats != TEAM:
        return Matchup(met, met, agent, unit.role)
    return Matchup(agent, met) if unit.role == ROLES[MINER] else Matchup(met, agent)


def _cross_play(agents: Sequence[str], unit: Unit) -> Iterator[Measured]:
    """Whether the side of one training seed wins against the base dwarf; beside it, with one seat of another seed."""
    pairs = list(permutations(agents, 2))
    for deal in range(unit.first, unit.first + unit.deals):
        own, other = pairs[deal % len(pairs)]
        teams = (own, BASE) if unit.role == ROLES[MINER] else (BASE, own)
        yield Measured(WON, deal, *(_won(unit, deal, Matchup(*teams, seat, unit.role)) for seat in (own, other)))


def _won(unit: Unit, deal: int, matchup: Matchup) -> float:
    # NaN for a deal without a saboteur at the table.
    rules = Rules.make(unit.players, rounds=1)
    row = round_columns(rules, play_matchup(rules, [seed_of(unit.players, deal)], matchup))
    return float(row["winner"][0] == SIDE_OF_ROLE[unit.role]) if row["saboteurs"][0] else np.nan


def _beliefs(agents: Sequence[str], unit: Unit) -> Iterator[Measured]:
    """The beliefs of the agent in the place of each seat that is to move, beside the prior of the rules."""
    agent, prior, rules = make_agent(agents[0]), Belief(NoEvidence()), Rules.make(unit.players, rounds=1)
    family = TASKS[unit.task].family
    for deal in range(unit.first, unit.first + unit.deals):
        said: list[list[tuple[float, float, float]]] = []

        def ask(game: Game, seats: Seats, said: list[list[tuple[float, float, float]]] = said) -> None:
            said.append(list(_believed(agent, prior, game)))

        met = family[deal % len(family)]
        play_match(rules, seed_of(unit.players, deal), Matchup(met, met), ask)
        for number, beliefs in enumerate(said):
            third = THIRDS[len(THIRDS) * number // len(said)]
            yield from (Measured(third, deal, *belief) for belief in beliefs)


def _believed(agent: Any, prior: Belief, game: Game) -> Iterator[tuple[float, float, float]]:
    view = game.view(game.seat)
    known = prior.of(view).saboteur.tolist()
    for seat, believed in enumerate(agent.beliefs(view)):
        if seat != view.seat and believed is not None:
            yield believed, known[seat], float(game.view(seat).role != ROLES[MINER])


def _exact(agents: Sequence[str], unit: Unit) -> Iterator[Measured]:
    tree = build(mine_of(TASKS[unit.task].mine).rules())
    result = judged(tree, profile_of(tree, make_agent(agents[0])))
    yield Measured(NASH_CONV, -1, result["nash_conv"])
    yield Measured(WORST, -1, result["worst"])
