"""The command line as a page, from the commands themselves."""

from typer import Context
from typer.cli import get_docs_for_click
from typer.main import get_command

from saboteur_env.cli import app


def command_line() -> str:
    """Every command with its arguments and options."""
    command = get_command(app)
    return get_docs_for_click(
        obj=command, ctx=Context(command, info_name="saboteur-env"), name="saboteur-env", title="Command line"
    )
