"""The documentation says what the library answers: snippets run, commands exist, every page can be found."""

import doctest
import re
import shlex

import pytest
from typer import Context
from typer.main import get_command

from saboteur_env.cli import app
from tests.support.pages import BLOCKS, HOWTO, PAGES, ROOT, run_alone

ALL = {**PAGES, "README.md": (ROOT / "README.md").read_text(encoding="utf-8")}
COMMANDS = sorted(
    {
        (name, line.strip())
        for name, text in ALL.items()
        for block in re.findall(r"^```\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        for line in block.splitlines()
        if line.lstrip().startswith(("saboteur-env ", ".venv/bin/saboteur-env "))
    }
)


@pytest.mark.parametrize("page", [name for name, text in PAGES.items() if ">>> " in text])
def test_the_examples_of_a_page_are_right(page):
    result = doctest.testfile(str(ROOT / page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("name", [name for name in BLOCKS if not name.startswith(HOWTO)])
def test_each_block_of_a_page_runs_alone(name, tmp_path, monkeypatch):
    run_alone(name, tmp_path, monkeypatch)


@pytest.mark.parametrize("name", [name for name in BLOCKS if name.startswith("docs/bridges.md")])
def test_a_recipe_has_at_most_twenty_lines(name):
    assert len([line for line in BLOCKS[name].splitlines() if line]) <= 20


def command_of(words):
    """The command that words name, and the words that follow it."""
    command = get_command(app)
    while hasattr(command, "resolve_command"):
        _, command, words = command.resolve_command(Context(command), words)
    return command, words


@pytest.mark.parametrize(("page", "line"), COMMANDS, ids=[f"{page}:{i}" for i, (page, _) in enumerate(COMMANDS)])
def test_each_command_of_a_page_exists_with_its_options(page, line):
    command, words = command_of(shlex.split(line.replace("...", ""))[1:])
    known = {option for parameter in command.params for option in parameter.opts}
    given = {word.partition("=")[0] for word in words if word.startswith("--")}
    assert given <= {*known, "--help"}, f"{page} gives {command.name} {given - known}"


@pytest.mark.parametrize("page", ["environments/saboteur.md", "environments/wazabi.md"])
def test_the_tables_of_an_environment_are_generated(page):
    text = PAGES[f"docs/{page}"]
    assert re.findall(r"\{\{ \w*observation_table \}\}", text)
    assert re.findall(r"\{\{ \w*action_table \}\}", text)


def test_the_sizes_on_the_page_of_the_environment_are_those_of_the_settings():
    from saboteur_env.environment.settings import Settings

    text, settings = PAGES["docs/environments/saboteur.md"], Settings()
    assert f"`({settings.observations.bytes},)`" in text
    assert f"Discrete({settings.actions.count})" in text
    for name in Settings.__dataclass_fields__:
        assert f"| `{name}` |" in text, name


def test_every_page_is_in_the_navigation():
    listed = re.findall(r"([\w/]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    assert {*PAGES} <= {f"docs/{page}" for page in listed}


def test_the_citation_names_the_version():
    import saboteur_env

    for page in ("CITATION.cff", "docs/cite.md"):
        assert re.search(rf"version\W+{re.escape(saboteur_env.__version__)}", (ROOT / page).read_text(encoding="utf-8"))
