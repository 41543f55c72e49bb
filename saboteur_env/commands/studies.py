"""`saboteur-env study NAME`: every study is a command. Its module is loaded when it is named."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from saboteur_env.experiments.studies import Study, find_studies

from ..terminal import app_of


class StudyGroup(TyperGroup):
    """Lists the studies without loading them, because some need large libraries."""

    @cached_property
    def _studies(self) -> dict[str, Study]:
        return find_studies()

    @property
    def short_help(self) -> str:
        """What `saboteur-env --help` says: the names of all studies."""
        return f"Studies that made the tables and figures: {', '.join(self._studies)}."

    @short_help.setter
    def short_help(self, text: str | None) -> None:
        """Takes what the base class is given when it is made, which is never shown."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of the studies."""
        return [*self._studies]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command that says what a study is; None where there is none of this name."""
        study = self._studies.get(cmd_name)
        return study and TyperCommand(study.name, help=study.summary)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that words name, with its options, and the words that follow it."""
        name, listed, rest = super().resolve_command(ctx, args)
        if name is None or listed is None:
            return name, listed, rest
        return name, typer.main.get_command(app_of(self._studies[name].main())), rest


study_app = typer.Typer(cls=StudyGroup, no_args_is_help=True, help="Studies that made the tables and figures.")


@study_app.callback()
def _studies() -> None:
    """Studies that made the tables and figures. `saboteur-env study NAME --help` tells the options of one."""
