"""Public code says what it is: docstrings everywhere, with dtype and shape where arrays go in."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("saboteur_env", "agents", "experiments")
ARRAY = re.compile(r"NDArray|ndarray|ArrayLike|Floats|Ints")
MANY = 5  # parameters of a kernel from which on `Args:` must name those that the annotation says nothing of


def public_functions(tree, owner=""):
    """The functions and methods of a module that do not begin with an underscore, with their names."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from public_functions(node, f"{node.name}.")
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield f"{owner}{node.name}", node


def faults(source):
    """What the docstrings of a module leave out."""
    tree = ast.parse(source)
    if not ast.get_docstring(tree):
        yield "the module has no docstring"
    for name, function in public_functions(tree):
        said = ast.get_docstring(function)
        if not said:
            yield f"{name} has no docstring"
        else:
            yield from (f"{name}: {fault}" for fault in _faults_of(function, said))


def _faults_of(function, said):
    kernel = any(ast.unparse(decorator).startswith("kernel") for decorator in function.decorator_list)
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    annotated = {
        argument.arg: ast.unparse(argument.annotation) for argument in arguments if argument.annotation is not None
    }
    arrays = [name for name, annotation in annotated.items() if ARRAY.search(annotation)]
    if kernel:
        if len(annotated) < MANY:
            return
        if "Args:" not in said:
            yield "a kernel of many parameters without Args"
        arrays += [name for name, annotation in annotated.items() if annotation == "Any"]
    for name in arrays:
        if not re.search(rf"\b{name}\b", said):
            yield f"{name} is not described"
    if arrays and not re.search(r"\[[^\]]+\]|records?\b", said):
        yield f"no shape of {', '.join(arrays)}"


MODULES = sorted(str(path.relative_to(ROOT)) for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize("module", MODULES)
def test_docstrings_are_complete(module):
    assert [*faults((ROOT / module).read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("def f(): pass", "f has no docstring"),
        ("class A:\n    def f(self): pass", "A.f has no docstring"),
        (
            "@kernel\ndef f(a: int, b: int, c: int, d: int, e: int):\n    'It.'",
            "f: a kernel of many parameters without Args",
        ),
        (
            "@kernel\ndef f(a: int, b: int, c: int, d: int, e: Any):\n    'Args:\\n a: int8[n].'",
            "f: e is not described",
        ),
        ("def f(a: npt.ArrayLike):\n    'Of a.'", "f: no shape of a"),
        ("def f(a: npt.ArrayLike):\n    'Of int8[n].'", "f: a is not described"),
    ],
)
def test_what_is_left_out_is_named(source, fault):
    assert fault in [*faults(source)]


def test_private_functions_and_small_kernels_may_be_brief():
    assert [*faults("'It.'\ndef _f(a: npt.ArrayLike): pass\n@kernel\ndef g(a: Any): 'Take it.'")] == []
