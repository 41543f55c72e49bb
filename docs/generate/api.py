"""The Python reference: a page for each package, a heading for each module, all from docstrings."""

import ast
from pathlib import Path

FOLDERS = {"saboteur_env": "saboteur_env", "agents": "saboteur_env.agents", "experiments": "saboteur_env.experiments"}
HEAD = "Written from the docstrings. Names that begin with an underscore are private and left out.\n"


def api_pages(root: Path) -> dict[str, str]:
    """The pages by path, their list among them."""
    pages, summary = {"index.md": _index()}, ["* [Python](index.md)"]
    for folder, package in FOLDERS.items():
        for init in sorted((root / folder).rglob("__init__.py")):
            dotted = ".".join([package, *init.parent.relative_to(root / folder).parts])
            pages[f"{dotted}.md"] = _page(dotted, init)
            summary.append(f"* [{dotted}]({dotted}.md)")
    return {**pages, "SUMMARY.md": "\n".join(summary)}


def _index() -> str:
    return (
        "# Python\n\nThe names that most users need are those of the package itself.\n\n"
        "::: saboteur_env\n    options:\n      members: false\n      show_root_heading: false\n\n"
        + "\n".join(f"- [`saboteur_env.{name}`][saboteur_env.{path}]" for name, path in _front_door().items())
    )


def _front_door() -> dict[str, str]:
    return {
        "Game": "game.game.Game",
        "env": "environment.aec.env",
        "raw_env": "environment.aec.raw_env",
        "make_vec": "agents.matches.embedded.make_vec",
        "game_seed": "core.seeds.game_seed",
        "IllegalMove": "core.errors.IllegalMove",
        "wazabi_env": "wazabi.aec.wazabi_env",
    }


def _page(package: str, init: Path) -> str:
    modules = [path for path in sorted(init.parent.glob("*.py")) if path.name not in ("__init__.py", "__main__.py")]
    said = ast.get_docstring(ast.parse(init.read_text(encoding="utf-8"))) or ""
    parts = [f"# {package}\n\n{said}\n\n{HEAD}"]
    options = "    options:\n      show_root_heading: false\n      show_root_toc_entry: false\n"
    parts += [f"## {module.stem}\n\n::: {package}.{module.stem}\n{options}" for module in modules]
    return "\n".join(parts)
