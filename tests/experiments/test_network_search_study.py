"""The study of search with a network: one seat, the same deals, a row for each searcher."""

import csv

import pytest

from saboteur_env.experiments.search import network_strength
from saboteur_env.experiments.search.network_strength import play_unit
from saboteur_env.experiments.search.strength import Cell, Unit


def test_a_study_writes_a_row_for_each_searcher_and_role(tmp_path):
    searchers = "search:iterations=2,scripted"
    network_strength.main(searchers, base="scripted", players="3", deals=6, workers=1, out=tmp_path)
    rows = list(csv.DictReader((tmp_path / "table.csv").read_text().splitlines()))
    assert [(row["seats"], row["search"]) for row in rows] == [
        (seat, name) for seat in ("one miner", "one saboteur", "all") for name in searchers.split(",")
    ]
    assert [float(row["more_won"]) for row in rows if row["search"] == "scripted"] == [0, 0, 0], "the base agent itself"
    assert int(rows[4]["rounds"]) == int(rows[0]["rounds"]) + int(rows[2]["rounds"])
    assert "| 3 | one miner | `search:iterations=2` | 6 |" in (tmp_path / "README.md").read_text()


def test_deals_do_not_depend_on_how_they_are_cut():
    cell = Cell("scripted", 4, "one miner", "careless")
    whole, part = play_unit(1, "scripted", Unit(cell, 0, 5)), play_unit(1, "scripted", Unit(cell, 3, 2))
    for name in ("deal", "seated", "plain_won", "search_won", "turns"):
        assert whole[name][3:].tolist() == part[name].tolist()


def test_an_unknown_searcher_is_refused(tmp_path):
    with pytest.raises(ValueError, match="there is no dwarf 'elf'"):
        network_strength.main("elf", base="scripted", players="3", deals=1, out=tmp_path / "none")
