"""The notebooks run top to bottom and say what they said; what is kept of them is figures and no trace of a run."""

from pathlib import Path

import pytest

pytest.importorskip("nbclient", reason="the notebooks extra is not installed")
nbformat = pytest.importorskip("nbformat", reason="the notebooks extra is not installed")

from saboteur_env.experiments.maintenance.notebooks import execute, faults, outputs_of, pictures, read, tidied  # noqa: E402

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
V4 = nbformat.v4


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_says_what_it_said(path):
    assert outputs_of(execute(path)) == outputs_of(read(path)), f"run it: saboteur-env study notebooks {path}"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_nothing_is_wrong_with_a_notebook_as_it_is_kept(path):
    assert faults(read(path)) == []
    assert path.stat().st_size < 600_000


def test_pictures_on_other_pages_are_those_of_the_notebooks():
    kept = {name: data for path in NOTEBOOKS for name, data in pictures(read(path)).items()}
    assert "docs/win_rates.png" in kept
    for name, data in kept.items():
        assert (ROOT / name).read_bytes() == data
    assert "](docs/win_rates.png)" in (ROOT / "README.md").read_text()


def notebook(*cells):
    """A notebook without faults, and some cells."""
    title = V4.new_markdown_cell("# A title\n\nWhat is answered?")
    sizes = V4.new_code_cell("fast = True", metadata={"tags": ["parameters"]})
    figure = V4.new_output("display_data", {"image/png": "AAAA"})
    return V4.new_notebook(cells=[title, sizes, V4.new_code_cell("plot()", outputs=[figure]), *cells])


def said(text, cell="say()", tags=(), name="stdout"):
    return V4.new_code_cell(cell, outputs=[V4.new_output("stream", name=name, text=text)], metadata={"tags": [*tags]})


def test_what_is_right_has_no_faults():
    assert faults(notebook(V4.new_markdown_cell("See [page](02_page.ipynb) and `seed=7`."), said("3 games"))) == []


@pytest.mark.parametrize(
    ("cell", "fault"),
    [
        (V4.new_markdown_cell("Miners win 52 % of it."), "'Miners win 52 % of it.': a number is typed in the text"),
        (V4.new_code_cell("fast = True", metadata={"tags": ["parameters"]}), "one cell, tagged parameters"),
        (V4.new_code_cell("run()", execution_count=3), "'run()': there are traces of a run"),
        (V4.new_code_cell("run()", metadata={"execution": {"begun": "now"}}), "there are traces of a run"),
        (said("took 3 s", tags=["timing"]), "the output is another in every run"),
        (said("DeprecationWarning", name="stderr"), "there is an error or a warning"),
        (V4.new_code_cell("1 / 0", outputs=[V4.new_output("error")]), "there is an error or a warning"),
        (said("in /home/somebody/saboteur"), "a path or an address of this machine"),
        (said("<Plot at 0x7f3a2c1b>"), "a path or an address of this machine"),
    ],
)
def test_what_is_wrong_is_named(cell, fault):
    (result,) = faults(notebook(cell))
    assert fault in result


def test_a_notebook_without_questions_and_figures_is_refused():
    bare = V4.new_notebook(cells=[V4.new_markdown_cell("Some words."), *notebook().cells[1:2]])
    assert [fault.split(":")[0] for fault in faults(bare)] == [
        "the first cell must say under a heading which questions are answered",
        "there is no figure",
    ]


def test_what_differs_from_run_to_run_is_not_kept():
    shown = V4.new_output(
        "execute_result", {"image/png": "AAAA", "text/plain": "<Plot at 0x7f3a2c1b>"}, execution_count=5
    )
    ran = V4.new_code_cell("plot()", outputs=[shown], execution_count=5, metadata={"execution": {"begun": "now"}})
    kept = tidied(notebook(ran, said("took 3 s", tags=["timing"])))
    assert faults(kept) == []
    assert kept.cells[3].outputs[0].data == {"image/png": "AAAA"}
    assert kept.cells[4].outputs == []
