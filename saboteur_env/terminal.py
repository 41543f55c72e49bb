"""The terminal side of commands: how they read options and print results."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn

import typer
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Column, Table

from .core.extras import MissingExtra

console = Console()
if not console.is_terminal:
    console = Console(width=100)  # tables in files and pipes keep their shape


@contextmanager
def exit_on_error() -> Iterator[None]:
    """End a command where there is a ValueError, or an extra is missing, with its words, without a traceback."""
    _replace_what_cannot_be_shown()
    try:
        yield
    except (ValueError, MissingExtra) as error:
        Console(stderr=True).print(f"[bold red]Error:[/] {escape(str(error))}", highlight=False)
        raise SystemExit(2) from None


def _replace_what_cannot_be_shown() -> None:
    # Not every terminal has a dash or a box to draw with, and none is worth the end of a command.
    for output in (sys.stdout, sys.stderr):
        if isinstance(output, TextIOWrapper) and output.errors in ("strict", "surrogateescape"):
            output.reconfigure(errors="replace")


def app_of(command: Callable[..., object]) -> typer.Typer:
    """A function as a command, with its arguments as options."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(command)
    return app


def parse_players(text: str, least: int = 3, most: int = 10) -> tuple[int, ...]:
    """Parse numbers of players. Raises: BadParameter unless all are numbers from `least` to `most`."""
    try:
        first, dash, last = text.partition("-")
        result = range(int(first), int(last) + 1) if dash else [int(part) for part in text.split(",")]
    except ValueError:
        result = []
    if not result or not all(least <= count <= most for count in result):
        such = f"give numbers from {least} to {most}, such as {least}-{most} or {least},5,{most}"
        raise typer.BadParameter(f"{text!r}: {such}", param_hint="--players")
    return tuple(dict.fromkeys(result))


def options(texts: Iterable[str]) -> dict[str, Any]:
    """Switches of the rules from texts NAME=JSON. Raises: BadParameter for a text without a value."""
    result = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise typer.BadParameter(f"{text!r}: write NAME=VALUE, such as draft=true", param_hint="--option")
        try:
            result[name] = json.loads(value)
        except ValueError:
            result[name] = value  # a plain word such as touching
    return result


def plain_table(title: str, heads: Iterable[str | Column], rows: Iterable[Iterable[str]]) -> Table:
    """A table of texts under a title. Long names are wrapped, because names may differ only at their end."""
    columns = [head if isinstance(head, Column) else Column(head, overflow="fold") for head in heads]
    table = Table(*columns, title=title, title_justify="left", box=box.SIMPLE_HEAD)
    for row in rows:
        table.add_row(*row)
    return table


def progress() -> Progress:
    """A bar with the time that is left."""
    return Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console
    )


@contextmanager
def resumable(folder: Path) -> Iterator[Progress]:
    """A bar for work whose finished parts are kept in a folder. Ctrl-C ends the command, and says how to go on."""
    try:
        with progress() as bar:
            yield bar
    except KeyboardInterrupt:
        exit_interrupted(f"Stopped. {folder} holds the finished parts; the same command goes on from there.")


def report_files(paths: Iterable[Path]) -> None:
    """Name the files that were written."""
    for path in paths:
        console.print(f"[dim]wrote[/] {path}", highlight=False)


def left_out(what: str, missing: MissingExtra | None) -> None:
    """Print which files were not written because an extra is missing."""
    if missing:
        console.print(f"[dim]no {what}:[/] {escape(str(missing))}", highlight=False, soft_wrap=True)


def warn(lines: Iterable[str]) -> None:
    """Print a warning, and continue."""
    for line in lines:
        Console(stderr=True).print(f"[yellow]{escape(line)}[/]", highlight=False, soft_wrap=True)


def exit_interrupted(said: str) -> NoReturn:
    """Print what an interrupted command has stored, and exit."""
    console.print(f"[yellow]{said}[/]")
    raise typer.Exit(130) from None
