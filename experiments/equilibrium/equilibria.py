"""The study of small mines: their equilibria, the price of hidden roles, and how exploitable agents are there."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from saboteur_env.agents.held_out.characters import CHARACTERS
from saboteur_env.agents.registry import fingerprints, make_agent
from saboteur_env.core.compiled.kernel_cache import sources_key
from saboteur_env.core.extras import extra
from saboteur_env.core.versions import VERSIONS
from saboteur_env.mines import MINES, mine_of
from saboteur_env.terminal import report_files, resumable

from ..common.folders import default_folder
from ..common.options import Fresh, OneWorker, Out, Seed
from ..common.page import markdown_rows
from ..common.report import write_csv, write_text
from ..common.shards import ResultStore
from ..common.statistics import Row
from .cfr import DISCOUNTED, PLUS, Cfr
from .mccfr import Mccfr
from .mirror_descent import MirrorDescent
from .plots import plot_agents, plot_curves
from .profiles import profile_of
from .tree import Floats, Tree, build
from .values import miners_win, nash_conv, saboteur_response

STUDY = "equilibria"
SOLVED, OPEN, AGENT = "solver", "roles open", "agent"

DEFAULT_MINES, ITERATIONS = ("K3", "K8", "M4"), 300
VALUED = ("scripted", "careless", "random", "ppo", *(f"held-out:{name}" for name in CHARACTERS))
DEFAULTS = {"mines": [*DEFAULT_MINES], "agents": [*VALUED], "iterations": ITERATIONS, "seed": 0}
SOLVERS: dict[str, Callable[[Tree, int], Any]] = {
    "CFR+": lambda tree, seed: Cfr(tree, PLUS),
    "discounted CFR": lambda tree, seed: Cfr(tree, DISCOUNTED),
    "mirror descent": lambda tree, seed: MirrorDescent(tree),
    "external sampling": Mccfr,
}
DEALS_AN_ITERATION = 300  # external sampling sees one deal where the others see all: it does so many times as much


class Unit(NamedTuple):
    """A run of a solver, or an agent that is valued."""

    kind: str
    mine: str
    name: str

    def __str__(self) -> str:
        return "-".join(self).replace(" ", "_").replace("/", "_").replace(":", "_")


def work(iterations: int, seed: int, unit: Unit) -> dict[str, list[Any]]:
    """The columns of a unit."""
    tree = build(mine_of(unit.mine).rules(), roles_open=unit.kind == OPEN)
    if unit.kind == AGENT:
        rows = [judged(tree, profile_of(tree, make_agent(unit.name))) | {"iterations": 0, "seconds": 0.0}]
    else:
        rows = list(_solve(tree, unit.name, iterations, seed))
    rows = [unit._asdict() | row for row in rows]
    return {name: [row[name] for row in rows] for name in rows[0]}


def judged(tree: Tree, profile: Floats) -> Row:
    """What a profile is worth, and what can be gained against it. Payoffs are 1 for a seat whose side wins, or -1.

    Args:
        profile: float64[moves], the probabilities of all moves (tree.py).
    """
    answer = saboteur_response(tree, profile)
    return {
        "nash_conv": nash_conv(tree, profile),
        "miners_win": miners_win(tree, profile),
        "worst": (1 - answer.value) / 2,
    }


def _solve(tree: Tree, name: str, iterations: int, seed: int) -> Iterator[Row]:
    solver, seconds = SOLVERS[name](tree, seed), 0.0
    solver.step()  # compiles
    solver = SOLVERS[name](tree, seed)
    for until in points(iterations):
        wanted = until * (DEALS_AN_ITERATION if isinstance(solver, Mccfr) else 1)
        begun = time.process_time()
        solver.step(wanted - solver.iterations)
        seconds += time.process_time() - begun
        yield judged(tree, solver.profile()) | {"iterations": wanted, "seconds": seconds}


def points(iterations: int) -> list[int]:
    """The iterations after which a solver is judged: 1, 3, 10, 30 and so on, and the last.

    >>> points(100), points(50)
    ([1, 3, 10, 30, 100], [1, 3, 10, 30, 50])
    """
    rounded = [count * 10**power for power in range(len(str(iterations))) for count in (1, 3)]
    return [*(count for count in rounded if count < iterations), iterations]


def main(
    mines: Annotated[str, typer.Option(help=f"Which of {', '.join(MINES)}.")] = ",".join(DEFAULT_MINES),
    agents: Annotated[str, typer.Option(help="Agents to value; empty for none.")] = ",".join(VALUED),
    iterations: Annotated[int, typer.Option(min=1, help="Of each solver.")] = ITERATIONS,
    seed: Seed = 0,
    workers: OneWorker = 1,
    fresh: Fresh = False,
    out: Out = None,
) -> None:
    """Solve small mines, and tell exactly how exploitable agents are there.

    Writes README.md, curves.csv, agents.csv, curves.png, agents.png and rounds.parquet.
    """
    names = [name for name in agents.split(",") if name]
    settings: dict[str, Any] = {"mines": mines.split(","), "agents": names, "iterations": iterations, "seed": seed}
    out = out or default_folder("results/equilibria", settings, DEFAULTS)
    units = _units(settings["mines"], names)
    parts = ResultStore(out, settings | {"files": fingerprints(names), "versions": _versions()}, fresh)
    with resumable(out) as bar:
        progressed = partial(bar.advance, bar.add_task("rows", total=None))
        rows = parts.complete(units, partial(work, iterations, seed), workers, progress=progressed).to_pylist()
    command = f"saboteur-env study equilibria --mines {mines} --agents {agents} --iterations {iterations} --seed {seed}"
    report_files([*write(rows, out, command), out / "rounds.parquet"])


def _versions() -> dict[str, Any]:
    return {**VERSIONS, "sources": sources_key()}


def _units(mines: Sequence[str], agents: Sequence[str]) -> list[Unit]:
    return [
        unit
        for mine in mines
        for unit in (
            *(Unit(SOLVED, mine_of(mine).name, solver) for solver in SOLVERS),
            Unit(OPEN, mine, "discounted CFR"),
            *(Unit(AGENT, mine, agent) for agent in agents),
        )
    ]


def write(rows: Sequence[Row], folder: Path, command: str) -> list[Path]:
    """Write what was found as tables, a page and a picture."""
    curves, agents = ([row for row in rows if row["kind"] == kind] for kind in (SOLVED, AGENT))
    return [
        write_text(folder / "README.md", page(rows, command)),
        write_csv(folder / "curves.csv", curves),
        write_csv(folder / "agents.csv", agents),
        plot_curves(curves).save(folder / "curves.png"),
        *([plot_agents(agents).save(folder / "agents.png")] if agents else []),
    ]


def kept_rows(folder: Path) -> list[Row]:
    """The rows that a study kept in its folder."""
    with extra("report"):
        import pyarrow.parquet

    rows: list[Row] = pyarrow.parquet.ParquetFile(folder / "rounds.parquet").read().to_pylist()
    return rows


def page(rows: Sequence[Row], command: str) -> str:
    """The tables in Markdown."""
    ends = {(row["kind"], row["mine"], row["name"]): row for row in rows}
    mines = list(dict.fromkeys(row["mine"] for row in rows))
    values = [_value_row(mine, ends) for mine in mines]
    solved = [row for (kind, *_), row in ends.items() if kind == SOLVED]
    agents = [row for row in rows if row["kind"] == AGENT]
    return _PAGE.format(
        values=markdown_rows(values, _VALUES),
        solved=markdown_rows(solved, _SOLVED),
        agents=markdown_rows(agents, _AGENTS) + ("\n\n![NashConv by agent](agents.png)" if agents else ""),
        command=command,
    )


def _value_row(mine: str, ends: dict[tuple[str, str, str], Row]) -> Row:
    hidden, seen = (ends[kind, mine, "discounted CFR"]["miners_win"] for kind in (SOLVED, OPEN))
    known = MINES[mine]
    counts = {"mine": mine, "deals": known.deals, "nodes": known.nodes, "decisions": known.decisions}
    return counts | {"hidden": hidden, "open": seen, "price": seen - hidden}


_PAGE = """# Small mines, solved

NashConv is the sum over seats of what each could gain alone; a seat gets 1 where its side wins, -1 where the other does
(docs/equilibria.md says what that means and what it does not).

## Values: how often the miners win in the equilibrium that was found

{values}

The price of hidden roles is how much more often the miners would win if all roles were open.

## Solvers, at the end of their runs

{solved}

![NashConv by iterations and seconds](curves.png)

## Agents, exactly

{agents}

The worst case is how often the miners win against the best saboteur, who knows how they play.

```
{command}
```
"""
_VALUES = {
    "mine": "{mine}", "deals": "{deals:,}", "nodes": "{nodes:,}", "decisions": "{decisions:,}",
    "roles hidden": "{hidden:.2%}", "roles open": "{open:.2%}", "price": "{price:.2%}",
}  # fmt: skip
_SOLVED = {
    "mine": "{mine}", "solver": "{name}", "iterations": "{iterations:,}", "seconds": "{seconds:.1f}",
    "NashConv": "{nash_conv:.2g}", "miners win": "{miners_win:.2%}",
}  # fmt: skip
_AGENTS = {
    "mine": "{mine}", "agent": "`{name}`", "NashConv": "{nash_conv:.3f}", "miners win": "{miners_win:.1%}",
    "in the worst case": "{worst:.1%}",
}  # fmt: skip
