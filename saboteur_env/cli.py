"""The command line. Every command is a documented function of the library first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from . import __version__
from .commands.bench import bench
from .commands.dataset import dataset
from .commands.exploit import exploit
from .commands.pictures import replay, tables, watch
from .commands.studies import study_app
from .commands.tournament import RayAlone, tournament
from .commands.train import train
from .commands.warm import warm
from .commands.win_rates import win_rates
from .table.command import play
from .terminal import console, exit_on_error

app = typer.Typer(
    name="saboteur-env",
    help="Saboteur, the hidden-role card game, for research: win rates, tournaments, training, pictures.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; with `arguments`, put before those of the shell."""
    import sys

    sys.path.append("")  # your own agents may be in the current folder
    with exit_on_error():
        app(None if arguments is None else [*arguments, *sys.argv[1:]])


def _show_version(wanted: bool) -> None:
    if wanted:
        console.print(f"saboteur-env {__version__}", highlight=False)
        raise typer.Exit


@app.callback()
def _commands(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and end.")
    ] = False,
) -> None:
    pass


PANELS = {
    "Measure": (win_rates, tournament, exploit, bench, warm),
    "Train": (train, dataset),
    "Play and look": (play, watch, replay, tables),
}
for panel, commands in PANELS.items():
    for command in commands:
        kind = RayAlone if command is tournament else None
        app.command(command.__name__.replace("_", "-"), cls=kind, rich_help_panel=panel)(command)
app.add_typer(study_app, name="study", rich_help_panel="Measure")
