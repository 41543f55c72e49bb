"""Stored notebooks: run top to bottom, with figures, and without a trace of when and where they ran.

Run as ``saboteur-env study notebooks notebooks/*.ipynb`` (extra ``notebooks``).
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import track

from saboteur_env.core.extras import extra

with extra("notebooks"):
    import nbformat
    from nbclient import NotebookClient


from ..common.report import write_atomically, write_text

STUDY = "notebooks"

Notebook = Any  # nbformat.NotebookNode: dicts whose keys are attributes too

PARAMETERS = "parameters"  # the tag of the cell with the sizes, as papermill knows it
TIMING = "timing"  # the tag of a cell whose output is another in every run; it is not kept
SAVED = "save:"  # the beginning of a tag that names the file in which a cell's picture is kept besides

FIGURES = ("image/png", "image/svg+xml")
TRACES = re.compile(r"(?:/home|/root|/tmp|/usr|/opt|/Users)/\w|\b[A-Z]:\\|\b0x[0-9a-f]{6,}")
DIGIT = re.compile(r"\d")
NOT_PROSE = re.compile(r"`[^`]*`|\]\([^)]*\)|https?://\S+")


def read(path: Path) -> Notebook:
    """A notebook from its file."""
    return nbformat.read(path, as_version=4)


def execute(path: Path, timeout: int = 600) -> Notebook:
    """Run a notebook in its folder, top to bottom, in a kernel of its own; returns it tidied, the file as it was.

    Args:
        timeout: seconds for one cell.

    Raises: nbclient.exceptions.CellExecutionError where a cell fails; TimeoutError where one takes too long.
    """
    notebook = read(path)
    where = {"metadata": {"path": str(path.parent)}}
    ways = {"kernel_name": "python3", "coalesce_streams": True, "shutdown_kernel": "immediate"}
    NotebookClient(notebook, timeout=timeout, resources=where, **ways).execute()
    return tidied(notebook)


def tidied(notebook: Notebook) -> Notebook:
    """The notebook without what differs from run to run. Mutates: notebook."""
    notebook.metadata = nbformat.from_dict(
        {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        }
    )
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict({"tags": tags} if (tags := tags_of(cell)) else {})
        if cell.cell_type == "code":
            cell.execution_count = None
            cell.outputs = [] if TIMING in tags_of(cell) else [_tidied(output) for output in cell.outputs]
    return notebook


def _tidied(output: Any) -> Any:
    if "execution_count" in output:
        output.execution_count = None
    if len(output.get("data", ())) > 1:  # a picture needs no name besides, with the address of an object in it
        output.data.pop("text/plain", None)
    output.pop("transient", None)
    return output


def tags_of(cell: Any) -> list[str]:
    """The tags of a cell."""
    return list(cell.metadata.get("tags", ()))


def outputs_of(notebook: Notebook) -> list[list[Any]]:
    """The outputs of a notebook, cell by cell, without the bytes of its PNG pictures.

    PNG pictures depend on the installed fonts; drawings in SVG depend on the data only.
    """
    return [[_output_text(output) for output in cell.outputs] for cell in notebook.cells if cell.get("outputs")]


def _output_text(output: Any) -> Any:
    shown = {kind: "" if kind == "image/png" else text for kind, text in output.get("data", {}).items()}
    return {"text": output.get("text", ""), **shown}


def pictures(notebook: Notebook) -> dict[str, bytes]:
    """The PNG pictures that are kept as files besides, by path from the root of the repository."""
    return {
        tag.removeprefix(SAVED): base64.b64decode(output.data["image/png"])
        for cell in notebook.cells
        for tag in tags_of(cell)
        if tag.startswith(SAVED)
        for output in cell.outputs
        if "image/png" in output.get("data", {})
    }


def faults(notebook: Notebook) -> list[str]:
    """The faults of a stored notebook, in words; empty if there are none."""
    return [*_faults_of_whole(notebook), *(fault for cell in notebook.cells for fault in _faults_of_cell(cell))]


def _faults_of_whole(notebook: Notebook) -> Iterator[str]:
    first, *_ = notebook.cells
    if first.cell_type != "markdown" or not first.source.startswith("# ") or "?" not in first.source:
        yield "the first cell must say under a heading which questions are answered"
    if sum(PARAMETERS in tags_of(cell) and "fast = True" in cell.source for cell in notebook.cells) != 1:
        yield f"one cell, tagged {PARAMETERS}, must set fast = True"
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    if not any(kind in output.get("data", {}) for output in outputs for kind in FIGURES):
        yield "there is no figure: run it (saboteur-env study notebooks)"


def _faults_of_cell(cell: Any) -> Iterator[str]:
    where = repr(cell.source.strip().splitlines()[0]) if cell.source.strip() else "an empty cell"
    if cell.cell_type == "markdown" and DIGIT.search(NOT_PROSE.sub("", cell.source)):
        yield f"{where}: a number is typed in the text; compute it"
    if cell.cell_type != "code":
        return
    if cell.execution_count is not None or set(cell.metadata) - {"tags"}:
        yield f"{where}: there are traces of a run"
    if TIMING in tags_of(cell) and cell.outputs:
        yield f"{where}: the output is another in every run"
    for output in cell.outputs:
        if output.output_type == "error" or output.get("name") == "stderr":
            yield f"{where}: there is an error or a warning"
        if TRACES.search("".join(text for kind, text in _output_text(output).items() if kind not in FIGURES)):
            yield f"{where}: there is a path or an address of this machine"


def main(
    files: Annotated[list[Path], typer.Argument(exists=True, dir_okay=False, help="Notebooks to run.")],
    root: Annotated[Path, typer.Option(help="Folder below which pictures are also written as files.")] = Path(),
) -> None:
    """Run notebooks and overwrite them, tidied.

    Writes the pictures that other pages show, too.
    """
    for path in track(files, "running"):
        notebook = execute(path)
        write_text(path, nbformat.writes(notebook) + "\n")
        for name, data in pictures(notebook).items():
            write_atomically(root / name, lambda file, data=data: file.write_bytes(data))  # type: ignore[misc]
