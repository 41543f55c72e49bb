"""`saboteur-env watch`, `replay` and `tables`: commands that show something."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from saboteur_env.experiments.common.options import Count, Edition, Eyes, Rounds

from ..terminal import console, plain_table, report_files


def watch(
    players: Count = 5,
    edition: Edition = "lv",
    rounds: Rounds = 1,
    dwarf: Annotated[str, typer.Option(help="The dwarf that plays all seats.")] = "scripted",
    seed: Annotated[int | None, typer.Option(min=0, help="The same seed gives the same match.")] = None,
    eyes: Eyes = None,
    delay: Annotated[float, typer.Option(min=0, help="Seconds between moves.")] = 0.7,
    save: Annotated[Path | None, typer.Option(help="File to write the transcript to, for `replay`.")] = None,
) -> None:
    """Watch a match in the terminal at reading speed."""
    from saboteur_env.agents.registry import make_agent
    from saboteur_env.game.game import Game
    from saboteur_env.render import watch as show
    from saboteur_env.render import write_page

    game, agent = Game(players, edition, seed, rounds), make_agent(dwarf)
    if eyes is not None:
        game.view(eyes)  # an unknown seat is refused before anything is shown
    chooser = lambda view: agent.act(view, len(view.record))  # noqa: E731
    try:
        show(game, [chooser] * players, delay, eyes, console)
    except KeyboardInterrupt:
        console.print("[yellow]Stopped.[/]")
    finally:
        if save is not None:
            write_page(save, game.transcript())
    report_files([save] if save is not None else [])


def replay(
    file: Annotated[Path, typer.Argument(help="A transcript, as `watch --save` and `Game.transcript()` write it.")],
    html: Annotated[Path, typer.Option(help="The page to write.")] = Path("replay.html"),
    eyes: Annotated[
        int | None, typer.Option(min=0, help="The seat whose view is shown; with a choice of all views if not given.")
    ] = None,
) -> None:
    """Turn a transcript into a page with a slider that needs no network."""
    from saboteur_env.render import replay_page, write_page

    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"cannot read {file}: {error}") from None
    write_page(html, replay_page(text, eyes))
    report_files([html])


def tables(
    window: Annotated[str, typer.Option(help="Board window: printed, mine, small, medium, large or full.")] = "medium",
    history: Annotated[
        int, typer.Option(help="Number of last events in an observation; 128 is enough for every round.")
    ] = 16,
) -> None:
    """Print the meaning of observations and actions: name, shape, range of every field."""
    from saboteur_env.environment.actions import ACTION_VERSION, Actions
    from saboteur_env.environment.observations import OBSERVATION_VERSION, Observations

    seen, actions = Observations(window, history), Actions(window)
    title = f"Observation, version {OBSERVATION_VERSION}: {seen.bytes:,} numbers (int8)"
    console.print(plain_table(title, ("field", "shape", "range", "meaning"), seen.table()))
    title = f"Actions, version {ACTION_VERSION}: {actions.count:,}"
    rows = [(name, f"{first:,}", f"{count:,}", meaning) for name, first, count, meaning in actions.table()]
    console.print(plain_table(title, ("move", "first", "count", "counted by"), rows))
