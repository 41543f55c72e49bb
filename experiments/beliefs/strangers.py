"""Beliefs among dwarfs known and unknown, on the same rounds: the fitted filter, the doubting one, the one that also
knows the small network, and the role network.

Nothing was fitted or chosen on these deals, and nothing at all on the held-out family.

Run as ``saboteur-env study doubt``; the same command resumes a stopped run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import typer

from saboteur_env.agents.beliefs.action_model_file import MODEL_NAMES, named_model
from saboteur_env.agents.beliefs.role_network import role_network
from saboteur_env.agents.beliefs.script_model import HANDS, SLIP, ScriptModel, doubting_or_learned
from saboteur_env.agents.held_out.characters import CHARACTERS
from saboteur_env.agents.scripted.presets import PPO_SMALL
from saboteur_env.core.compiled.kernel_cache import sources_key
from saboteur_env.core.seeds import Purpose, deal_seed
from saboteur_env.core.versions import VERSIONS
from saboteur_env.engine.editions import Rules
from saboteur_env.terminal import parse_players, report_files, resumable

from ..common.options import Fresh, Seed, Workers
from ..common.page import markdown_table
from ..common.report import write_csv, write_text
from ..common.shards import ResultStore
from ..common.statistics import Columns, Row, bootstrap
from .any_tables import play_any
from .belief_scores import THIRDS, score_evidence, script_evidence, style_evidence
from .calibration import MOST_LOSS, log_losses, scores
from .fit_action_model import Study
from .role_rounds import network_beliefs

STUDY = "doubt"

DOUBT_UNIT = 20
DOUBT_PLAYERS = "3,5,7,10"
HELD_OUT_DWARFS = tuple(f"held-out:{name}" for name in CHARACTERS)
# Who sits at a table: the dwarfs that miners are drawn from, and saboteurs.
DOUBT_TABLES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "family": (Study.miners, Study.saboteurs),
    "random": (("random",), ("random",)),
    "ppo": (("ppo",), ("ppo",)),
    "ppo-small": (("ppo-small",), ("ppo-small",)),
    **{name: ((name,), (name,)) for name in HELD_OUT_DWARFS},
    "all of these": (
        (*Study.miners, "random", "ppo", *HELD_OUT_DWARFS),
        (*Study.saboteurs, "random", "ppo", *HELD_OUT_DWARFS),
    ),
}
OF_RULES, BY_ROLE_NETWORK = "prior", "network"
OR_LEARNED = f"doubting+{PPO_SMALL}"
BELIEF_MODELS = (*MODEL_NAMES, OR_LEARNED, BY_ROLE_NETWORK)
BELIEVERS = (*BELIEF_MODELS, OF_RULES)


class Unit(NamedTuple):
    """Some deals at a table."""

    table: str
    players: int
    first: int
    deals: int

    def __str__(self) -> str:
        return f"{self.table}-{self.players}-{self.first:05}".replace(" ", "_").replace(":", "_")


def believe(seed: int, unit: Unit) -> Columns:
    """All beliefs of all seats before each move: a row for each, with what every source said and what was true."""
    deals = range(unit.first, unit.first + unit.deals)
    seeds = np.array([deal_seed(seed, Purpose.BELIEFS, deal, unit.players) for deal in deals], np.uint64)
    rounds = play_any(Rules.make(unit.players, rounds=1), seeds, *DOUBT_TABLES[unit.table])
    evidence = {name: style_evidence(rounds, named_model(name).styles) for name in MODEL_NAMES}
    learned = script_evidence(rounds, ScriptModel(PPO_SMALL, HANDS, SLIP).script)
    evidence[OR_LEARNED] = doubting_or_learned().mix([evidence["doubting"], learned])
    by_model = {name: score_evidence(rounds, weighed, "lv") for name, weighed in evidence.items()}
    first = by_model[next(iter(MODEL_NAMES))]
    return {
        "table": np.full(len(first), unit.table),
        "players": np.full(len(first), unit.players),
        "deal": unit.first + first["round"],
        "third": first["third"],
        "saboteur": first["saboteur"],
        OF_RULES: first["prior"],
        **{name: beliefs["said"] for name, beliefs in by_model.items()},
        BY_ROLE_NETWORK: network_beliefs(rounds, role_network()),
    }


def score_tables(beliefs: Any) -> list[Row]:
    """Scores by table and third of the round, with 95 % intervals of the log loss from a bootstrap over rounds.

    Args:
        beliefs: a pyarrow table with the columns of `believe`.
    """
    columns = {name: beliefs[name].to_numpy() for name in beliefs.column_names}
    rows = []
    for table in dict.fromkeys(columns["table"]):
        for third, name in enumerate(THIRDS):
            here = (columns["table"] == table) & (columns["third"] == third)
            rows.append(
                {"table": table, "third": name, **_scored({key: value[here] for key, value in columns.items()})}
            )
    return rows


def _scored(columns: dict[str, Any]) -> Row:
    true = columns["saboteur"].astype(np.float64)
    _, deal = np.unique(np.stack([columns["players"], columns["deal"]]), axis=1, return_inverse=True)
    row: Row = {"rounds": int(deal.max()) + 1, "beliefs": len(true)}
    losses = {source: _by_deal(log_losses(columns[source], true), deal) for source in BELIEVERS}
    worse = {f"{source}_worse_than_prior": losses[source] - losses[OF_RULES] for source in BELIEF_MODELS[1:]}
    intervals = bootstrap(np.stack([*losses.values(), *worse.values()], 1), -MOST_LOSS, most=MOST_LOSS)
    for name, (_, low, high) in zip((*BELIEVERS, *worse), intervals, strict=True):
        row |= {f"{name}_low": low, f"{name}_high": high}
    for source in BELIEVERS:
        row |= {f"{source}_{name}": value for name, value in scores(columns[source], true).items()}
    return row


def _by_deal(losses: npt.NDArray[np.float64], deal: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    # The sum of a round's losses over the mean number of beliefs, so that its mean is that of all beliefs.
    return np.bincount(deal, losses) * (int(deal.max()) + 1) / len(losses)


def page(rows: Sequence[Row], command: str) -> str:
    """The scores in Markdown."""
    heads = ("table", "third", "rounds", "prior", *(head for name in BELIEF_MODELS for head in (name, "AUC", "ECE")))
    parts = ("# Beliefs among strangers", _INTRODUCTION, markdown_table(heads, _cells(rows)), f"```\n{command}\n```")
    return "\n\n".join(parts) + "\n"


def _cells(rows: Iterable[Row]) -> Iterable[list[str]]:
    for row in rows:
        cells = [row["table"], row["third"], f"{row['rounds']:,}", f"{row['prior_log_loss']:.3f}"]
        for name in BELIEF_MODELS:
            loss, low, high = (row[f"{name}_{part}"] for part in ("log_loss", "low", "high"))
            cells += [f"{loss:.3f} [{low:.3f}, {high:.3f}]", f"{row[f'{name}_auc']:.2f}", f"{row[f'{name}_ece']:.3f}"]
        yield cells


_INTRODUCTION = """Before each move, the belief of the seat to move about each other seat is compared with the truth.
Log losses are in nats, with 95 % intervals from a bootstrap over rounds. `prior` is the prior of the rules, `fitted`
the action model of the scripted family, `doubting` the one with several populations, `doubting+ppo-small` the one in
which a dwarf may also play as the small network does, `network` the role network.
Every seat draws its dwarf from those of the table. ECE is the calibration error over ten bins. Nothing was fitted or
chosen on these deals, or on the held-out family. `scores.csv` has all figures, `rounds.parquet` every belief."""


def main(
    tables: Annotated[str, typer.Option(help=f"Which of {', '.join(DOUBT_TABLES)}.")] = ",".join(DOUBT_TABLES),
    deals: Annotated[int, typer.Option(min=1, help="Rounds for each table and number of players.")] = 40,
    players: Annotated[str, typer.Option(help="Numbers of players.")] = DOUBT_PLAYERS,
    seed: Seed = 0,
    workers: Workers = None,
    fresh: Fresh = False,
    out: Annotated[Path, typer.Option(help="Folder for the tables.")] = Path("results/doubt"),
) -> None:
    """Beliefs among strangers by four models, by thirds of the round.

    Writes README.md, scores.csv and rounds.parquet.
    """
    counts = parse_players(players)
    settings = {"tables": tables, "deals": deals, "players": list(counts), "seed": seed, "sources": sources_key()}
    store = ResultStore(out, {**settings, "versions": VERSIONS}, fresh)
    units = _units(tables.split(","), deals, counts)
    with resumable(out) as bar:
        task = bar.add_task("beliefs", total=None)
        found = store.complete(units, partial(believe, seed), workers, progress=lambda rows: bar.advance(task, rows))
    rows = score_tables(found)
    command = f"saboteur-env study doubt --tables '{tables}' --deals {deals} --players {players} --seed {seed}"
    text = page(rows, command)
    written = [write_text(out / "README.md", text), write_csv(out / "scores.csv", rows)]
    report_files([*written, out / "rounds.parquet"])


def _units(tables: Sequence[str], deals: int, players: Iterable[int]) -> list[Unit]:
    if unknown := set(tables) - set(DOUBT_TABLES):
        raise ValueError(f"there is no table {', '.join(sorted(unknown))}; there are {', '.join(DOUBT_TABLES)}")
    firsts = range(0, deals, DOUBT_UNIT)
    return [
        Unit(table, count, first, min(DOUBT_UNIT, deals - first))
        for table in tables
        for count in players
        for first in firsts
    ]
