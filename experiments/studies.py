"""The studies by name. A study is a module of these folders with two things: ``STUDY``, its name, and ``main``.

``main`` is a documented function. Its arguments are the options of the command ``saboteur-env study NAME``. A new study
is found automatically. The search for studies reads their sources and runs none of them.
"""

from __future__ import annotations

import ast
import pkgutil
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

import saboteur_env.experiments


class Study(NamedTuple):
    """A study that can be started.

    Attributes:
        name: on the command line.
        module: where it is.
        summary: the first line of what it says of itself.
    """

    name: str
    module: str
    summary: str

    def main(self) -> Callable[..., object]:
        """The function behind the command. Raises: ImportError where a library of an extra is missing."""
        main: Callable[..., object] = import_module(self.module).main
        return main


def find_studies() -> dict[str, Study]:
    """All studies by their names, in the order of the alphabet."""
    package = saboteur_env.experiments
    modules = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    result = [study for module in modules if not module.ispkg and (study := _study_in(module))]
    return {study.name: study for study in sorted(result)}


def _study_in(module: pkgutil.ModuleInfo) -> Study | None:
    spec = module.module_finder.find_spec(module.name, None)
    loader: Any = spec and spec.loader
    source = loader.get_source(module.name)
    if source is None:  # a package without sources
        return _loaded(module.name)
    return _declared(module.name, ast.parse(source)) if "\nSTUDY = " in source else None


def _loaded(module: str) -> Study | None:
    try:
        loaded = import_module(module)
    except ImportError:  # an extra is missing
        return None
    name = getattr(loaded, "STUDY", None)
    return name and Study(name, module, _first_line(loaded.main.__doc__))


def _declared(module: str, tree: ast.Module) -> Study:
    (name,) = (
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "STUDY"
    )
    (main,) = (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "main")
    return Study(name, module, _first_line(ast.get_docstring(main)))


def _first_line(docstring: str | None) -> str:
    return (docstring or "").strip().partition("\n")[0]
