"""Training for the unknown: small networks learn in several populations, and strangers judge what came of it.

The arms are those of populations.py; the shipped agents are judged beside them. The judges are the held-out characters,
on which nothing was trained or chosen, and the scripted family. Runs and finished parts are stored, so the study
resumes after a stop.

Run as ``saboteur-env study unknown`` (needs the extras ``train`` and ``report``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from shutil import copyfile
from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import typer

from saboteur_env.agents.held_out.characters import CHARACTERS
from saboteur_env.agents.matches.matchups import Matchup, play_matchup
from saboteur_env.agents.registry import fingerprints, make_agent
from saboteur_env.agents.scripted.presets import PPO_SMALL
from saboteur_env.core.compiled.kernel_cache import sources_key
from saboteur_env.core.seeds import Purpose, deal_seed
from saboteur_env.core.versions import VERSIONS
from saboteur_env.engine.cards import ROLES
from saboteur_env.engine.editions import Rules
from saboteur_env.terminal import parse_players, progress

from ..common.deals import play_left, with_saboteurs, write_study
from ..common.folders import default_folder
from ..common.options import Fresh, OneWorker, Out, Seed
from ..common.page import markdown_table, percent
from ..common.report import write_atomically
from ..common.shards import ResultStore
from ..common.statistics import Columns, Row, bootstrap, interval_columns
from ..training.evaluation import WINNER_OF_ROLE
from .populations import ARM_DECISIONS, POPULATIONS, runs_of, train_arms

STUDY = "unknown"

BASE = "scripted"  # whose place learned dwarfs take
TODAY = "ppo"  # with which all others are compared too
SHIPPED_AGENTS = (TODAY, PPO_SMALL)
JUDGES = {
    "strangers": tuple(f"held-out:{name}" for name in CHARACTERS),
    "family": ("scripted", "two-faced", "careless+patient"),
}
SEATINGS = ("side", "one seat")
PLAYED_BY = ("agent", "opponent", "players", "role", "seats")
ALL_COUNTS = "all"  # numbers of players
DEALS_AT_ONCE = 50  # deals
OTHER_DEALS = 200  # added to the number of players: deals of its own
DEFAULTS: dict[str, Any] = {
    "arms": [*POPULATIONS], "agents": [*SHIPPED_AGENTS], "players": [3, 5, 7, 10], "seats": [*SEATINGS], "deals": 75,
    "decisions": ARM_DECISIONS, "seed": 1,
}  # fmt: skip


class Unit(NamedTuple):
    """Some deals of an agent, as a side or in one seat of a side of scripted dwarfs, against one opponent."""

    agent: str
    opponent: str
    players: int
    role: str
    seats: str
    first: int
    deals: int

    def __str__(self) -> str:
        return "-".join(map(str, self)).replace(" ", "_").replace(":", "_")

    @property
    def teams(self) -> list[str]:
        """Who plays the miners and the saboteurs where the agent does not."""
        return [BASE if role == self.role else self.opponent for role in ROLES]

    @property
    def matchup(self) -> tuple[str, ...]:
        """The same with the agent where it plays, as a `Matchup`."""
        if self.seats == "side":
            return tuple(self.agent if role == self.role else self.opponent for role in ROLES)
        return *self.teams, self.agent, self.role


def keep_weights(weights: Mapping[str, Path], folder: Path) -> dict[str, Path]:
    """Copy the weights of arms out of their runs into a folder, as NAME.safetensors; returns where they lie."""
    result = {name: folder / f"{name}.safetensors" for name in weights}
    for name, kept in result.items():
        if not (kept.is_file() and kept.read_bytes() == weights[name].read_bytes()):
            write_atomically(kept, partial(copyfile, weights[name]))
    return result


def play_unit(weights: Mapping[str, Path], seed: int, unit: Unit) -> Columns:
    """A row for each deal: whether the agent's side won it.

    Args:
        weights: of each arm.
    """
    rules, named = Rules.make(unit.players, rounds=1), unit
    root = deal_seed(seed, Purpose.LEARNED, unit.first, OTHER_DEALS + unit.players)
    seeds = with_saboteurs(rules, root, unit.deals).tolist()
    if unit.agent in weights:
        named = unit._replace(agent=f"{PPO_SMALL}:{weights[unit.agent]}")
    winner = play_matchup(rules, seeds, Matchup(*named.matchup))["winner"]
    facts = {name: np.full(unit.deals, getattr(unit, name)) for name in PLAYED_BY}
    return {**facts, "deal": unit.first + np.arange(unit.deals), "won": winner == WINNER_OF_ROLE[unit.role]}


def units(agents: Iterable[str], players: Iterable[int], seats: Iterable[str], deals: int) -> list[Unit]:
    """All parts of the judging, the first deals first. The base agent is the same as a side and in one seat.

    Args:
        agents: who is judged, arms among them.

    Raises: ValueError for a seating there is not.
    """
    seats = list(seats)
    if set(seats) - set(SEATINGS) or SEATINGS[0] not in seats:
        raise ValueError(f"seats are {SEATINGS[0]}, or {' and '.join(SEATINGS)}, not {', '.join(seats)}")
    judged = (BASE, *agents)
    return [
        Unit(agent, opponent, count, role, seating, first, min(DEALS_AT_ONCE, deals - first))
        for first in range(0, deals, DEALS_AT_ONCE)
        for seating in seats
        for opponent in (*JUDGES["strangers"], *JUDGES["family"])
        for count in players
        for role in ROLES
        for agent in judged
        if not (agent == BASE and seating != SEATINGS[0])
    ]


def summary(rounds: Any) -> list[Row]:
    """For both kinds of opponents and each opponent, role and seating: what agents won, and how much more than others.

    For both kinds there are also rows of each number of players.

    Args:
        rounds: a pyarrow table with the columns of `play_unit`.

    The intervals are of 95 %, from a bootstrap over deals. `over_base` compares with scripted dwarfs in the agent's
    place, `over_today` with `ppo` there; both deal by deal.
    """
    played = {name: np.asarray(rounds[name]) for name in rounds.column_names}
    alone = {name: (name,) for kind in JUDGES.values() for name in kind}
    rows = [row for name, opponents in (JUDGES | alone).items() for row in _rows_of(played, name, opponents)]
    for count in np.unique(played["players"]).tolist():
        these = {name: column[played["players"] == count] for name, column in played.items()}
        rows += [row for name, kind in JUDGES.items() for row in _rows_of(these, name, kind, str(count))]
    return rows


def _rows_of(played: Columns, name: str, opponents: Sequence[str], players: str = ALL_COUNTS) -> Iterator[Row]:
    here = np.isin(played["opponent"], opponents)
    agents = [agent for agent in dict.fromkeys(played["agent"].tolist()) if agent != BASE]
    for seats in dict.fromkeys(played["seats"].tolist()):
        for role in ROLES:
            cell = here & (played["role"] == role)
            base = _by_deal(played, cell & (played["agent"] == BASE))
            today = _by_deal(played, cell & (played["agent"] == TODAY) & (played["seats"] == seats))
            for agent in agents:
                won = _by_deal(played, cell & (played["agent"] == agent) & (played["seats"] == seats))
                row: Row = {"opponents": name, "players": players, "seats": seats, "role": role, "agent": agent}
                row["deals"] = len(won)
                intervals = bootstrap(np.stack([won, won - base, won - today], 1), (0, -1, -1)).tolist()
                yield row | interval_columns(("won", "over_base", "over_today"), intervals)


def _by_deal(played: Columns, rows: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    # The mean over opponents of what was won on each deal, in the order of deals.
    keys = np.stack([played["players"][rows], played["deal"][rows]])
    _, deal = np.unique(keys, axis=1, return_inverse=True)
    result: npt.NDArray[np.float64] = np.bincount(deal.ravel(), played["won"][rows]) / np.bincount(deal.ravel())
    return result


def page(rows: Sequence[Row], command: str) -> str:
    """The tables in Markdown: both kinds of opponents, then each number of players and each opponent."""
    kinds = [row for row in rows if row["opponents"] in JUDGES and row["players"] == ALL_COUNTS]
    each = [row for row in rows if row["opponents"] not in JUDGES and row["seats"] == SEATINGS[0]]
    parts = ["# Training for the unknown", _INTRODUCTION, "## Over all opponents", _table(kinds)]
    parts += [f"## Each number of players, over {BASE}", _by_count(rows, "over_base")]
    parts += [f"## Each number of players, over {TODAY}", _by_count(rows, "over_today", (TODAY,))]
    parts += ["## Each opponent, as a side", _table(each), f"```\n{command}\n```"]
    return "\n\n".join(parts) + "\n"


_INTRODUCTION = f"""An agent plays all miners or all saboteurs (`side`), or one of them among `{BASE}` dwarfs
(`one seat`). On the other side play held-out characters, which nothing was trained or chosen on, or the scripted
family. Arms of training ({", ".join(POPULATIONS)}) are small networks: they began from the same weights, and have the
same budget. Figures are rounds won by the agent's side, in %, how much more that is than with `{BASE}` in
the agent's place, and how much more than with `{TODAY}` there, in points, deal by deal, with 95 % intervals from a
bootstrap over deals. A deal's figure is its mean over the opponents. `rounds.parquet` has every round."""


def _table(rows: Iterable[Row]) -> str:
    heads = ("against", "seats", "role", "agent", "deals", "won", f"over {BASE}", f"over {TODAY}")
    return markdown_table(heads, map(_cells, rows))


def _by_count(rows: Sequence[Row], figure: str, without: Sequence[str] = ()) -> str:
    # A column for each number of players.
    counts = [count for count in dict.fromkeys(row["players"] for row in rows) if count != ALL_COUNTS]
    lines: dict[tuple[str, ...], list[str]] = {}
    for row in rows:
        if row["players"] != ALL_COUNTS and row["agent"] not in without:
            named = (row["opponents"], row["seats"], row["role"], f"`{row['agent']}`")
            lines.setdefault(named, [*named]).append(_interval(row, figure, "+"))
    heads = ("against", "seats", "role", "agent", *(f"{count} players" for count in counts))
    return markdown_table(heads, lines.values())


def _cells(row: Row) -> list[str]:
    named = [row["opponents"], row["seats"], row["role"], f"`{row['agent']}`", str(row["deals"])]
    today = "–" if row["agent"] == TODAY else _interval(row, "over_today", "+")
    return [*named, _interval(row, "won"), _interval(row, "over_base", "+"), today]


def _interval(row: Row, name: str, sign: str = "") -> str:
    return percent(row[name], row[f"{name}_low"], row[f"{name}_high"], sign)


def main(
    arms: Annotated[str, typer.Option(help=f"Which of {', '.join(POPULATIONS)}; none if empty.")] = ",".join(
        DEFAULTS["arms"]
    ),
    agents: Annotated[str, typer.Option(help=f"Judged beside them, {TODAY} among them.")] = ",".join(SHIPPED_AGENTS),
    players: Annotated[str, typer.Option(help="Numbers of players.")] = "3,5,7,10",
    seats: Annotated[str, typer.Option(help=f"Which of {', '.join(SEATINGS)}; side is needed.")] = ",".join(SEATINGS),
    deals: Annotated[int, typer.Option(min=1, help="Deals for each opponent, count, role and seating.")] = DEFAULTS[
        "deals"
    ],
    decisions: Annotated[int, typer.Option(min=2, help="Learned from by each arm.")] = ARM_DECISIONS,
    seed: Seed = DEFAULTS["seed"],
    set_: Annotated[list[str] | None, typer.Option("--set", help="A setting of all runs, such as games=64.")] = None,
    workers: OneWorker = 1,
    fresh: Fresh = False,
    out: Out = None,
) -> None:
    """What training in several populations brings against strangers: the family, drawn characters, exploiters.

    Writes README.md, table.csv, rounds.parquet and arms/NAME.safetensors.
    """
    names, counts, changes = [*filter(None, arms.split(","))], parse_players(players), set_ or []
    judged = agents.split(",")
    for agent in judged:
        make_agent(agent)
    if TODAY not in judged:
        raise ValueError(f"agents must have {TODAY} among them, as all others are compared with it, not {agents}")
    given: dict[str, Any] = {"arms": names, "agents": judged, "players": [*counts], "seats": seats.split(",")}
    given |= {"deals": deals, "decisions": decisions, "seed": seed}
    given |= {"set": changes} if changes else {}
    out = out or default_folder("results/unknown", given, DEFAULTS)
    with progress() as bar:
        tasks = {name: bar.add_task(name, total=decisions) for name in runs_of(names)}
        show = lambda name, done: bar.update(tasks[name], completed=done)  # noqa: E731
        weights = keep_weights(train_arms(names, out / "runs", decisions, changes, show), out / "arms")
    digests = {name: sha256(path.read_bytes()).hexdigest() for name, path in weights.items()}
    settings = given | {"weights": digests, "files": fingerprints(judged)}
    settings["versions"] = {**VERSIONS, "sources": sources_key()}
    parts = ResultStore(out, settings, fresh)
    listed = units([*judged, *names], counts, given["seats"], deals)
    rows = summary(play_left(parts, listed, partial(play_unit, weights, seed), workers))
    asked: dict[str, Any] = {"arms": f"'{arms}'", "agents": agents, "players": players, "seats": f"'{seats}'"}
    asked |= {"deals": deals, "decisions": decisions, "seed": seed}
    options = [*(f"--{name} {value}" for name, value in asked.items()), *(f"--set '{change}'" for change in changes)]
    write_study(page(rows, " ".join(["saboteur-env study unknown", *options])), out / "table.csv", rows)
