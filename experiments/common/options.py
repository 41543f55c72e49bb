"""Options that several commands and studies share."""

from pathlib import Path
from typing import Annotated

import typer

Count = Annotated[int, typer.Option(min=3, max=10, help="Number of players.")]
Edition = Annotated[str, typer.Option(help="Rule edition: lv, lt, uk, ru or fa.")]
Eyes = Annotated[int | None, typer.Option(min=0, help="The seat whose view is shown; all cards open if not given.")]
Fresh = Annotated[bool, typer.Option("--fresh", help="Delete the results in the folder and start again.")]
Out = Annotated[Path | None, typer.Option(help="Folder to write to; named after the settings if not given.")]
OneWorker = Annotated[int, typer.Option(min=1, help="Number of parallel workers; they change nothing but the time.")]
Players = Annotated[str, typer.Option(help="Numbers of players: 3-10, 5, or 3,5,10.", show_default=False)]
Rounds = Annotated[int, typer.Option(min=1, max=10, help="Rounds of a match.")]
Seed = Annotated[int, typer.Option(min=0, help="The same seed gives the same result.")]
Switches = Annotated[list[str] | None, typer.Option(help="A switch of the rules, NAME=JSON; may be repeated.")]
Workers = Annotated[int | None, typer.Option(min=1, help="Number of parallel workers; one for each core if not given.")]
