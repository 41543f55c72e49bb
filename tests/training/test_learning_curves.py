"""Curves of training runs: kept as tidy tables, thinned without a bias, drawn as they are."""

import json

import pytest
from typer.testing import CliRunner

from saboteur_env.experiments.common.report import read_parquet
from saboteur_env.experiments.training_studies import learning_curves as curves
from saboteur_env.experiments.training_studies.learning_curves import (
    curve_rows,
    evaluated_rows,
    kept_curves,
    plot_ablation,
    plot_evaluated,
    plot_learning,
)

pytest.importorskip("pyarrow", reason="the report extra is not installed")


def run_in(folder, won=0.5):
    """The folder of a run of ten rollouts that was judged twice."""
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"evaluation": {"rounds": 200}}))
    lines = []
    for rollout in range(10):
        line = {"decisions": 100 * rollout, "train/entropy": 2.0 - rollout / 10}
        line |= {f"rollout/paid_{side}": 0.1 * rollout for side in ("miners", "saboteurs")}
        if rollout in (4, 9):
            for role, players in (("miner", 3), ("miner", 10), ("saboteur", 3), ("saboteur", 10)):
                line |= {f"judged/{role}_{players}": won + rollout / 100, f"judged_gain/{role}_{players}": 0.25}
        lines.append(json.dumps(line))
    (folder / "curve.jsonl").write_text("\n".join(lines) + "\n")
    return folder


def test_long_series_are_thinned_and_short_ones_kept(tmp_path):
    rows = curve_rows(run_in(tmp_path / "small"), points=5)
    entropy = [row for row in rows if row["quantity"] == "train/entropy"]
    assert [row["decisions"] for row in entropy] == [50, 250, 450, 650, 850]
    assert [row["value"] for row in entropy] == pytest.approx([1.95, 1.75, 1.55, 1.35, 1.15])
    evaluated = [row for row in rows if row["quantity"] == "judged/miner_10"]
    assert [(row["run"], row["decisions"], row["value"]) for row in evaluated] == [
        ("small", 400, 0.54),
        ("small", 900, 0.59),
    ]


def test_judgements_are_read_from_the_curve(tmp_path):
    rows = evaluated_rows(curve_rows(run_in(tmp_path / "small")))
    assert len(rows) == 8
    assert rows[0] == {"role": "miner", "players": 3, "decisions": 400, "rounds": 200, "won": 0.54, "gain": 0.25}
    assert evaluated_rows([]) == []
    miners, saboteurs = plot_evaluated(rows, "").figure.axes
    assert miners.get_legend_handles_labels()[1] == [
        "after 0.0 million",
        "after 0.0 million",
        "scripted in its place",
    ]
    assert saboteurs.collections[0].get_offsets()[:, 1].tolist() == pytest.approx([34, 34])


def test_of_many_judgements_some_are_drawn_the_first_and_the_last_among_them():
    rows = [
        {"role": role, "players": 3, "decisions": 1_000_000 * when, "rounds": 9, "won": 0.5, "gain": 0.1}
        for when in range(1, 12)
        for role in ("miner", "saboteur")
    ]
    for axes in plot_evaluated(rows, "").figure.axes:
        told = [f"after {when:.1f} million" for when in (1, 4, 8, 11)]
        assert axes.get_legend_handles_labels()[1] == [*told, "scripted in its place"]


def test_runs_are_kept_in_one_table(tmp_path):
    kept = tmp_path / "kept" / "curve.parquet"
    assert kept_curves(kept) == {}
    runs = [run_in(tmp_path / "whole"), run_in(tmp_path / "without-roles", won=0.3)]
    app = curves.typer.Typer()
    app.command()(curves.main)
    assert CliRunner().invoke(app, [*map(str, runs), "--out", str(kept)]).exit_code == 0
    result = kept_curves(kept)
    assert list(result) == ["whole", "without-roles"]
    assert result["whole"] == curve_rows(runs[0]) == read_parquet(kept)[: len(result["whole"])]


def test_an_ablation_shows_every_run_and_the_means():
    runs = [
        {"variant": name, "seed": seed, "miner": miner + seed / 10, "saboteur": 0.5}
        for seed in (1, 3)
        for name, miner in (("whole", 0.2), ("no history", 0.1))
    ]
    miners, _ = plot_ablation(runs, "").figure.axes
    means, every, whole = miners.lines
    assert means.get_xdata().tolist() == pytest.approx([40, 30])
    assert every.get_xdata().tolist() == pytest.approx([30, 50, 20, 40])
    assert every.get_ydata().tolist() == [0, 0, 1, 1]
    assert whole.get_xdata() == pytest.approx([40, 40])
    assert [label.get_text() for label in miners.get_yticklabels()] == ["whole", "no history"]


def test_what_was_not_measured_is_left_empty(tmp_path):
    first, entropy, *others = plot_learning(curve_rows(run_in(tmp_path / "small")), "").figure.axes
    assert [line.get_label() for line in first.lines] == ["miners", "saboteurs"]
    assert len(entropy.lines[0].get_xdata()) == 10
    assert not any(len(axes.lines[0].get_xdata()) for axes in others)


def test_a_folder_without_a_run_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"lacks curve\.jsonl or config\.json: give the folder of a run"):
        curve_rows(tmp_path)
