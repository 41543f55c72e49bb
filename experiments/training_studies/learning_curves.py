"""The learning curves of training runs as a tidy table, thinned to a few points, and their plots.

Run as ``saboteur-env study learning-curves runs/small``, which writes ``results/ppo/curve.parquet``. With several runs
the table holds one after the other.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from saboteur_env.engine.cards import ROLES

from ..common.plots import Plot, apart, distinct, style
from ..common.report import read_parquet, write_parquet
from ..common.statistics import Row

STUDY = "learning-curves"

MAX_POINTS = 120  # of each quantity that is measured at every rollout
TIMES = 4  # from the first to the last: this many lines can be distinguished

QUANTITIES = {
    "train/entropy": "entropy of the policy, nats",
    "train/explained_variance": "variance explained by the value",
    "train/belief_loss": "log loss of the roles told, nats",
    "train/approx_kl": "divergence of an update, nats",
    "train/clip_fraction": "share of clipped steps",
}
JUDGED = "judging/rounds"  # rounds dealt for each number of players and role, those without a saboteur not counted
TEAMS = ("miners", "saboteurs")
PAID = {f"rollout/paid_{side}": side for side in TEAMS}
PAID |= {f"rollout/return_{side}": f"{side}, mean over decisions" for side in TEAMS}  # as runs told before


def curve_rows(run: Path, points: int = MAX_POINTS) -> list[Row]:
    """What a run measured (docs/tables.md), quantity by quantity; long series as means of neighbours.

    Args:
        run: the folder of a run (train_ppo.py), in which `curve.jsonl` and `config.json` are.

    Raises: ValueError where they are not.
    """
    curve, config = run / "curve.jsonl", run / "config.json"
    if not (curve.is_file() and config.is_file()):
        raise ValueError(f"{run} lacks {curve.name} or {config.name}: give the folder of a run of saboteur-env train")
    judging = _evaluation_of(json.loads(config.read_text(encoding="utf-8")))
    series: dict[str, list[tuple[int, float]]] = {JUDGED: [(0, judging["rounds"])]}
    for line in curve.read_text(encoding="utf-8").splitlines():
        measured = json.loads(line)
        decisions = measured.pop("decisions")
        for name, value in measured.items():
            series.setdefault(name, []).append((decisions, value))
    return [{"run": run.name, **row} for name, values in series.items() for row in _thinned(name, values, points)]


def _evaluation_of(config: Any) -> Any:
    return config.get("evaluation") or config["judging"]  # runs of earlier versions


def _thinned(name: str, values: Sequence[tuple[int, float]], points: int) -> Iterator[Row]:
    for part in np.array_split(np.array(values, np.float64), min(points, len(values))):
        decisions, value = part.mean(axis=0).tolist()
        yield {"quantity": name, "decisions": round(decisions), "value": value}


def kept_curves(path: Path) -> dict[str, list[Row]]:
    """The rows of the curves that are kept, by run; none where there are none yet."""
    rows = read_parquet(path) if path.is_file() else []
    return {run: [row for row in rows if row["run"] == run] for run in distinct(rows, "run")}


def evaluated_rows(curve: Sequence[Row]) -> list[Row]:
    """How whole teams did against scripted dwarfs on the way.

    Columns: `role`, `players`, `decisions`, `rounds` (dealt), `won` (share), `gain` (over a scripted team).
    """
    rounds, won, gain = (
        {(row["quantity"].partition("/")[2], row["decisions"]): row["value"] for row in curve if _kind(row) == kind}
        for kind in ("judging", "judged", "judged_gain")
    )
    dealt = round(next(iter(rounds.values()), 0))
    return [
        {"role": role, "players": int(players), "decisions": when, "rounds": dealt, "won": won[who, when], "gain": more}
        for (who, when), more in gain.items()
        for role, players in [who.split("_")]
    ]


def _kind(row: Row) -> str:
    return str(row["quantity"]).partition("/")[0]


def plot_learning(curve: Sequence[Row], title: str) -> Plot:
    """What both sides were paid and what tells of the learner's health, by decisions."""
    plot = Plot(11, 6)
    first, *others = plot.axes(2, 3)
    state = {row["quantity"] for row in curve}
    for index, name in enumerate([name for name in PAID if name in state]):
        _draw(first, curve, name, index, PAID[name])
    first.set(ylabel="paid for a round (+1 won, -1 lost)", xlabel="million decisions")
    first.legend()
    for axes, (name, label) in zip(others, QUANTITIES.items(), strict=True):
        _draw(axes, curve, name, 0, label)
        axes.set(ylabel=label, xlabel="million decisions")
    plot.figure.suptitle(title)
    return plot


def _draw(axes: Any, curve: Sequence[Row], name: str, index: int, label: str) -> None:
    current = [row for row in curve if row["quantity"] == name]
    where, values = [row["decisions"] / 1e6 for row in current], [row["value"] for row in current]
    axes.plot(where, values, label=label, markevery=10, markersize=4, **style(index))
    axes.grid(alpha=0.3)


def plot_evaluated(rows: Sequence[Row], title: str) -> Plot:
    """Rounds won against scripted dwarfs by players: a panel for each role, points for some times.

    Args:
        rows: of `evaluated_rows`.
    """
    plot, roles, times = Plot(11, 4), distinct(rows, "role"), distinct(rows, "decisions")
    times = [times[i] for i in np.unique(np.linspace(0, len(times) - 1, TIMES).round().astype(int))]
    for axes, role in zip(plot.axes(1, len(roles), sharey=True), roles, strict=True):
        for index, decisions in enumerate(times):
            current = [row for row in rows if (row["role"], row["decisions"]) == (role, decisions)]
            won, players = [100 * row["won"] for row in current], [row["players"] for row in current]
            where = [count + apart(index, len(times)) for count in players]
            look = style(index) | {"linestyle": "none"}
            axes.plot(where, won, label=f"after {decisions / 1e6:.1f} million", **look)
        last = [row for row in rows if (row["role"], row["decisions"]) == (role, times[-1])]
        scripted = [100 * (row["won"] - row["gain"]) for row in last]
        axes.scatter(players, scripted, s=400, color="black", marker="_", label="scripted in its place")
        axes.set(title=f"all {role}s learned", xlabel="players", xticks=players)
        axes.grid(alpha=0.3)
    first = plot.figure.axes[0]
    first.set_ylabel("rounds won, %")
    plot.figure.legend(*first.get_legend_handles_labels(), loc="outside right upper", title="decisions")
    plot.figure.suptitle(title)
    plot.note(f"{rows[0]['rounds']:,} rounds a mark, but for those dealt without a saboteur")
    return plot


def plot_ablation(runs: Sequence[Row], title: str) -> Plot:
    """Rounds won by each run of an ablation (ablation.py), a small mark each; the mean of a variant is a large one."""
    names = distinct(runs, "variant")
    plot = Plot(10, 1.4 + 0.35 * len(names))
    for index, (axes, role) in enumerate(zip(plot.axes(1, len(ROLES), sharey=True), ROLES, strict=True)):
        won = [[100 * row[role] for row in runs if row["variant"] == name] for name in names]
        where, how = range(len(names)), style(index) | {"linestyle": "none"}
        axes.plot([np.mean(each) for each in won], where, markersize=9, **how)
        every = [(item, line) for line, each in zip(where, won, strict=True) for item in each]
        axes.plot(*zip(*every, strict=True), markersize=4, alpha=0.5, **how)
        axes.axvline(np.mean(won[0]), color="black", linestyle=":", linewidth=1)
        axes.set(title=f"all {role}s learned", xlabel="rounds won against scripted dwarfs, %")
        axes.grid(alpha=0.3)
    first = plot.figure.axes[0]
    first.set_yticks(where, names)
    first.invert_yaxis()
    plot.figure.suptitle(title)
    return plot


def main(
    runs: Annotated[list[Path], typer.Argument(help="Folders of runs; the first one is shown first.")],
    points: Annotated[int, typer.Option(min=2, help="Maximum number of points of each quantity.")] = MAX_POINTS,
    out: Annotated[Path, typer.Option(help="The table to write.")] = Path("results/ppo/curve.parquet"),
) -> None:
    """Write the learning curves of training runs as one table."""
    write_parquet(out, [row for run in runs for row in curve_rows(run, points)])
