"""Rooms stay small: few modules to a folder, few lines to a module, few to a function."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = [path for top in ("saboteur_env", "agents", "experiments") for path in sorted((ROOT / top).rglob("*.py"))]
FOLDERS = sorted({path.parent for path in MODULES})
MOST_MODULES, MOST_LINES, MOST_LINES_OF_A_FUNCTION = 12, 350, 45


def name_of(path):
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("folder", FOLDERS, ids=name_of)
def test_a_folder_has_few_modules(folder):
    assert len([path for path in MODULES if path.parent == folder and path.stem != "__init__"]) <= MOST_MODULES


def test_modules_and_functions_are_short():
    long = []
    for path in MODULES:
        text = path.read_text(encoding="utf-8")
        long += [name_of(path)] * (len(text.splitlines()) > MOST_LINES)
        functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
        lines = {f"{name_of(path)} {node.name}": node.end_lineno - node.lineno + 1 for node in functions}
        long += [name for name, count in lines.items() if count > MOST_LINES_OF_A_FUNCTION]
    assert long == []
