"""At most six parameters: more of them ask for a noun. Kernels on bits, commands and a few doors are excepted."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("saboteur_env", "agents", "experiments")
MOST = 6

KEYWORDS = "settings are keywords beside the environment's own, as Gymnasium, PettingZoo and stable-baselines3 have it"
FIELDS = "the fields of its settings by name, for one line in a notebook"
DOORS = {
    "saboteur_env/batch/vector.py make_vec": KEYWORDS,
    "saboteur_env/single_agent/base.py SingleAgentBatch.__init__": KEYWORDS,
    "saboteur_env/single_agent/gym_vec.py GymVec.__init__": KEYWORDS,
    "saboteur_env/single_agent/sb3.py SaboteurVecEnv.__init__": KEYWORDS,
    "saboteur_env/wazabi/aec.py raw_env.__init__": KEYWORDS,
    "saboteur_env/wazabi/vector.py Vec.__init__": KEYWORDS,
    "experiments/tournament/tournament.py evaluate": FIELDS,
    "experiments/win_rates/first_seat.py play": FIELDS,
}


def functions(tree, owner=""):
    """All functions of a module with their names, those inside others too."""
    for node in ast.iter_child_nodes(tree):
        name = f"{owner}{node.name}" if hasattr(node, "name") else owner
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield name, node
        yield from functions(node, f"{name}." if hasattr(node, "name") else owner)


def parameters_of(function):
    arguments = function.args
    listed = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return [one for one in listed if one.arg not in ("self", "cls")]


def is_kernel(function):
    return any(ast.unparse(decorator).startswith(("kernel", "inlined")) for decorator in function.decorator_list)


OPTIONS = {
    node.targets[0].id
    for node in ast.parse((ROOT / "experiments/common/options.py").read_text()).body
    if isinstance(node, ast.Assign)
}


def is_command(function):
    """Typer makes an option or an argument of each parameter, and knows no groups of them."""
    annotations = [ast.unparse(one.annotation) for one in parameters_of(function) if one.annotation]
    words = ("typer.Option", "typer.Argument", "typer.Context")
    return all(annotation in OPTIONS or any(word in annotation for word in words) for annotation in annotations)


def with_many(source):
    """The functions of a module that have too many parameters, and are neither kernels nor commands."""
    for name, function in functions(ast.parse(source)):
        if len(parameters_of(function)) > MOST and not is_kernel(function) and not is_command(function):
            yield name


def test_functions_have_at_most_six_parameters():
    paths = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    found = [f"{path.relative_to(ROOT).as_posix()} {name}" for path in paths for name in with_many(path.read_text())]
    assert sorted(found) == sorted(DOORS)


SEVEN = ", ".join(f"p{i}: int" for i in range(7))


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (f"class A:\n    def f(self, {SEVEN}): pass", ["A.f"]),
        (f"def f():\n    def g({SEVEN}): pass", ["f.g"]),
        (f"def f(*, {SEVEN}): pass", ["f"]),
        (f"@kernel\ndef f({SEVEN}): pass", []),
        (f"def f({SEVEN.replace('int', 'Seed')}): pass", []),
        (f"def f({SEVEN.replace(', p6: int', '')}): pass", []),
    ],
)
def test_too_many_are_found(source, found):
    assert [*with_many(source)] == found
