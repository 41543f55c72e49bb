"""`saboteur-env tournament`: every agent plays every agent."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from saboteur_env.experiments.common.options import Fresh, Out, Players, Rounds, Seed, Switches, Workers

from ..terminal import console, exit_interrupted, plain_table, progress, report_files, warn


class RayAlone(TyperCommand):
    """Lets `--ray` stand without an address."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put `local` after a `--ray` without an address; the rest is the base class's work."""
        for index in reversed([index for index, word in enumerate(args) if word == "--ray"]):
            if index + 1 == len(args) or args[index + 1].startswith("-"):
                args.insert(index + 1, "local")
        return super().parse_args(ctx, args)


def tournament(
    agents: Annotated[str, typer.Option(help="Agents: names, or package.module.Class[:argument] for your own.")],
    players: Players = "",
    edition: Annotated[
        str, typer.Option(help="Rule editions: lv, or lv,lt,uk,ru,fa; lv if not given.", show_default=False)
    ] = "",
    deals: Annotated[int, typer.Option(min=1, help="Deals for each number of players and edition.")] = 1000,
    rounds: Rounds = 1,
    base: Annotated[
        str, typer.Option(help="The agent in the seats around a substitute; the first agent if not given.")
    ] = "",
    option: Switches = None,
    like: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Weights; the players and rules are those of their training."),
    ] = None,
    seed: Seed = 0,
    workers: Workers = None,
    ray: Annotated[
        str | None,
        typer.Option(metavar="[ADDRESS]", help="Use Ray actors: on this machine, or on the cluster at the address."),
    ] = None,
    out: Out = None,
    fresh: Fresh = False,
) -> None:
    """Play every agent against every agent on the same deals: wins by role, ratings, the effect of one seat."""
    from saboteur_env.experiments.tournament import report as tournament_report
    from saboteur_env.experiments.tournament import tournament as study_of
    from saboteur_env.experiments.tournament.trained_on import TrainedOn, rules_like

    counts, editions, given = rules_like(like, players, edition, option or [], TrainedOn((5,)))
    study = study_of.Tournament(tuple(agents.split(",")), counts, editions, deals, rounds, seed, base, given)
    warn(study.strange())
    out = out or study.folder()
    with _told_to_go_on(out), progress() as bar:
        task = bar.add_task("rounds", total=study.total())
        table = study_of.play(study, out, fresh, workers, ray, lambda count: bar.advance(task, count))
    results = tournament_report.Results.of(table, out)
    written = tournament_report.write(study, table, results, out)
    for sheet in results.sheets():
        console.print(plain_table(sheet.title, sheet.heads, sheet.rows))
    report_files(written)


@contextmanager
def _told_to_go_on(out: Path) -> Iterator[None]:
    """Says of work that was stopped or died where it goes on."""
    from saboteur_env.experiments.common.executor import WorkerDied

    try:
        yield
    except KeyboardInterrupt:
        exit_interrupted(f"Stopped. {out} holds the finished parts; the same command goes on from there.")
    except WorkerDied as died:
        raise ValueError(f"{died}; {out} holds the finished parts, and the same command goes on from there") from None
