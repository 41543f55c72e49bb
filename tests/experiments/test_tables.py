"""Tables have the columns that docs/tables.md says."""

import re
from pathlib import Path

import pytest

from saboteur_env.experiments.common.report import read_parquet, write_parquet
from saboteur_env.experiments.common.statistics import win_rate_rows
from saboteur_env.experiments.speed import batch_scaling as scaling
from saboteur_env.experiments.tournament.tournament import evaluate
from saboteur_env.experiments.training_studies.learning_curves import curve_rows
from saboteur_env.experiments.win_rates import first_seat, win_rates

pyarrow = pytest.importorskip("pyarrow.parquet", reason="the report extra is not installed")

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "tables.md").read_text()


def documented(title):
    """The columns and types of a section of the page."""
    section = PAGE.split(f"## {title}\n")[1].split("\n## ")[0]
    return dict(re.findall(r"^\| (\w+) \| (\w+) \|", section, flags=re.MULTILINE)[1:])


def written(rows, folder):
    """The columns and types of a table on disk."""
    schema = pyarrow.read_schema(write_parquet(folder / "table.parquet", rows))
    return dict(zip(schema.names, map(str, schema.types), strict=True))


def without_intervals(columns):
    return {name: kind for name, kind in columns.items() if not name.endswith(("_low", "_high"))}


def test_rounds_and_win_rates(tmp_path):
    rounds = win_rates.play(win_rates.Study((3,), 20))
    assert written(rounds, tmp_path) == documented("A round")
    assert without_intervals(written(win_rate_rows(rounds), tmp_path)) == documented("Win rates")


def test_rounds_of_a_tournament():
    schema = evaluate(["scripted", "random"], (3,), deals=2, workers=1).schema
    types = dict(zip(schema.names, map(str, schema.types), strict=True))
    assert list(types) == [*documented("A round of a tournament"), *documented("A round")]
    assert types.items() >= documented("A round of a tournament").items()


def test_rounds_by_who_begins(tmp_path):
    assert written(first_seat.play((3,), deals=2), tmp_path) == documented("First seat")


def test_speed_of_batches_as_measured_now_and_as_kept(tmp_path):
    columns = written(scaling.measure((1, 2), (1, 2), seconds=0, runs=1), tmp_path)
    assert {name: kind for name, kind in columns.items() if name not in ("slowest", "fastest")} == documented(
        "Speed of batches"
    )
    assert list(read_parquet(ROOT / "results" / "speed" / "scaling.parquet")[0]) == list(columns)


def test_curves_of_training(tmp_path):
    (tmp_path / "config.json").write_text('{"evaluation": {"rounds": 200}}')
    (tmp_path / "curve.jsonl").write_text('{"decisions": 7, "train/entropy": 1.5}\n')
    assert written(curve_rows(tmp_path), tmp_path) == documented("Learning curves")


def test_runs_of_the_ablation():
    schema = pyarrow.read_schema(ROOT / "results" / "ablation" / "runs.parquet")
    assert dict(zip(schema.names, map(str, schema.types), strict=True)) == documented("Runs of the ablation")


def test_a_table_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"there is no table .*none\.parquet; docs/tables\.md says"):
        read_parquet(tmp_path / "none.parquet")
