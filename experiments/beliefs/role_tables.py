"""The tables that the role network learns from: scripted, drawn, crossed, careless, random and learned dwarfs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from saboteur_env.agents.scripted.params import MINER_AT_WORK, NEVER_FALLS, SABOTEUR_IN_HIDING
from saboteur_env.agents.scripted.presets import PPO_SMALL, dwarf_of
from saboteur_env.agents.scripted.small_network import DISTILLED
from saboteur_env.core.seeds import Purpose, deal_seed
from saboteur_env.engine.editions import PLAYERS, Rules

from ..common.drawn_characters import FARTHEST_STRIKE, drawn_characters
from .fit_action_model import Study
from .mixed_tables import play_dwarfs
from .role_rounds import Positions, positions, read_styles

Dwarfs = npt.NDArray[np.void]

ROUNDS = 4  # at a table, with the same number of players
KEPT_POSITIONS = 0.15  # of the positions of a round
LARGEST_POOL = 4  # dwarfs that a role is drawn from at a mixed table
# How many tables are of each kind.
TABLE_SHARES = {
    "family": 0.15, "drawn": 0.15, "crossed": 0.2, "habits": 0.2, "random": 0.05, "learned": 0.1, "mixed": 0.15,
}  # fmt: skip
HABIT, HABITS = 6.0, 0.4  # standard deviation of a habit in points, and how many of the possible ones a dwarf has
HABIT_OF = (
    ("lay",),
    ("dead_end",),
    ("rockfall",),
    ("break_honest", "break_guilty"),
    ("help_honest", "help_guilty"),
    ("read",),
)
OWN_FACE = 0.4  # of the crossed saboteurs hide behind the very character that they have as miners


class Table(NamedTuple):
    """A table: its kind in `TABLE_SHARES`, and the dwarfs that miners and saboteurs are drawn from, DWARF[k] each."""

    kind: str
    miners: Dwarfs
    saboteurs: Dwarfs


def population(tables: int, purpose: Purpose, seed: int, learned: Sequence[str]) -> Iterator[tuple[str, Positions]]:
    """Some positions of the rounds of drawn tables, each with its kind of table.

    Args:
        tables: how many; the number of players goes round.
        purpose: of the deals. Another purpose draws other characters too.
        learned: dwarfs that play in kernels, by name (presets.py), besides the shipped one.
    """
    rng = np.random.default_rng([seed, purpose])
    styles = read_styles()
    known = [dwarf_of(name) for name in (PPO_SMALL, f"{PPO_SMALL}:{DISTILLED}", *learned)]
    for number in range(tables):
        players = PLAYERS[number % len(PLAYERS)]
        first = number * ROUNDS
        seeds = np.array([deal_seed(seed, purpose, deal, players) for deal in range(first, first + ROUNDS)], np.uint64)
        table = draw_table(str(rng.choice(list(TABLE_SHARES), p=list(TABLE_SHARES.values()))), known, rng)
        rounds = play_dwarfs(Rules.make(players, rounds=1), seeds, table.miners, table.saboteurs)
        kept = rng.random(int(rounds.games["public"]["event_count"].sum())) < KEPT_POSITIONS
        yield table.kind, positions(rounds, styles, kept)


def draw_table(kind: str, learned: Sequence[Dwarfs], rng: np.random.Generator) -> Table:
    """A table of a kind in `TABLE_SHARES`.

    Args:
        learned: DWARF[1] each.
    """
    if kind == "family":
        return Table(kind, _named(Study.miners), _named(Study.saboteurs))
    if kind == "mixed":
        miners, saboteurs = (_pool(learned, rng) for _ in range(2))
        return Table(kind, miners, saboteurs)
    dwarf = _dwarf(kind, learned, rng)
    return Table(kind, dwarf, dwarf)


def _named(names: Sequence[str]) -> Dwarfs:
    return np.concatenate([dwarf_of(name) for name in names])


def _pool(learned: Sequence[Dwarfs], rng: np.random.Generator) -> Dwarfs:
    kinds = [kind for kind in TABLE_SHARES if kind != "mixed"]
    return np.concatenate(
        [_dwarf(str(rng.choice(kinds)), learned, rng) for _ in range(rng.integers(1, LARGEST_POOL + 1))]
    )


def _dwarf(kind: str, learned: Sequence[Dwarfs], rng: np.random.Generator) -> Dwarfs:
    if kind == "family":
        return dwarf_of(
            str(rng.choice([f"{miner}+{saboteur}" for miner in Study.miners for saboteur in Study.saboteurs]))
        )
    if kind == "random":
        return dwarf_of("random")
    if kind == "learned":
        return learned[int(rng.integers(len(learned)))]
    if kind == "drawn":
        return drawn_characters(1, rng)
    return crossed(rng) if kind == "crossed" else with_habits(crossed(rng), rng)


def crossed(rng: np.random.Generator) -> Dwarfs:
    """A dwarf with the characters of several drawn ones, that strikes late, early or never: DWARF[1]."""
    dwarf, *others = np.split(drawn_characters(3, rng), 3)
    for character, other in enumerate(others, SABOTEUR_IN_HIDING):
        dwarf["characters"][:, character] = other["characters"][:, character]
    if rng.random() < OWN_FACE:
        dwarf["characters"][:, SABOTEUR_IN_HIDING] = dwarf["characters"][:, MINER_AT_WORK]
    dwarf["strike_distance"] = rng.integers(FARTHEST_STRIKE + 1)
    return dwarf


def with_habits(dwarf: Dwarfs, rng: np.random.Generator) -> Dwarfs:
    """A dwarf, DWARF[1], that likes some kinds of moves more or less, whatever its role.

    Mutates: dwarf.
    """
    for names in HABIT_OF:
        shift = HABIT * rng.normal() * (rng.random() < HABITS)
        for name in names:
            dwarf["characters"][name] += np.where(dwarf["characters"][name] > NEVER_FALLS, shift, 0.0)
    return dwarf
