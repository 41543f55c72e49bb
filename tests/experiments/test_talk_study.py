"""The study of what talk is worth: paired deals, rates that follow from what was played, and a stop without loss."""

import csv

import numpy as np
import pytest
import typer

from saboteur_env.experiments.win_rates import talk
from saboteur_env.experiments.win_rates.talk import TABLE_KINDS, Unit, page, play_unit, talk_rows

pyarrow = pytest.importorskip("pyarrow", reason="the report extra is not installed")


@pytest.fixture(scope="module")
def columns():
    return play_unit(1, Unit(7, 0, 30))


def test_a_deal_is_played_alike_in_any_unit(columns):
    again = play_unit(1, Unit(7, 20, 5))
    assert {name: values[20:25].tolist() for name, values in columns.items()} == {
        name: values.tolist() for name, values in again.items()
    }


def test_tables_differ_in_what_their_names_say(columns):
    sums = {name: int(values.sum()) for name, values in columns.items()}
    assert sums["no maps: maps"] == sums["no talk: claims"] == sums["silent saboteurs: lies"] == 0
    assert min(sums["no talk: maps"], sums["silent saboteurs: claims"], sums["lies weighed: lies"]) > 0
    assert sums["lies believed: claims"] == sums["lies believed: maps"]


def table_of(won):
    """Ten deals of three dwarfs, with the share of them that the miners win at each kind of table."""
    columns = {"players": np.full(10, 3), "deal": np.arange(10)}
    for name in TABLE_KINDS:
        columns[f"{name}: won"] = np.arange(10) < 10 * won.get(name, 0.5)
        columns |= {f"{name}: {what}": np.full(10, 2) for what in ("maps", "claims", "lies")}
    return pyarrow.table(columns)


def test_what_talk_is_worth_is_a_difference_of_rates():
    (row,) = talk_rows(table_of({"no talk": 0.6, "no maps": 0.3, "lies weighed": 0.8, "lies believed": 0.4}))
    worth = {name: row[name] for name in talk.WORTH}
    assert worth == pytest.approx(
        {"maps": 0.3, "maps_with_claims": 0.5, "talk_without_lies": -0.1, "talk": 0.2, "credulity": -0.2}
    )
    assert (row["players"], row["deals"], row["maps_read"], row["lies"]) == (3, 10, 2, 2)
    assert all(row[f"{name}_low"] < row[name] < row[f"{name}_high"] for name in worth)
    assert "| 3 | +30.0 [" in page([row], "the command")


def test_a_study_that_was_stopped_goes_on(tmp_path, monkeypatch):
    played = []

    def stop_after_three(seed, unit):
        if len(played) == 3:
            raise KeyboardInterrupt
        played.append(unit)
        return play_unit(seed, unit)

    monkeypatch.setattr(talk, "play_unit", stop_after_three)
    with pytest.raises(typer.Exit):
        talk.main(deals=2, seed=1, workers=1, out=tmp_path)
    monkeypatch.setattr(talk, "play_unit", lambda seed, unit: played.append(unit) or play_unit(seed, unit))
    talk.main(deals=2, seed=1, workers=1, out=tmp_path)
    assert played == [Unit(players, 0, 2) for players in range(3, 11)]
    rows = list(csv.DictReader((tmp_path / "table.csv").read_text().splitlines()))
    assert [row["players"] for row in rows] == [str(players) for players in range(3, 11)]
    assert "saboteur-env study talk --deals 2 --seed 1" in (tmp_path / "README.md").read_text()
