"""Plots: what is drawn is what the rows say, in bytes that are the same every time."""

import io
from pathlib import Path

import numpy as np
import pytest

from saboteur_env.experiments.common.plots import DPI, SHOWN_DPI, Plot, apart, called, draw_estimates
from saboteur_env.experiments.common.statistics import turn_rows, win_rate_rows
from saboteur_env.experiments.speed import batch_scaling as scaling
from saboteur_env.experiments.speed.plots import cost_rows, plot_costs, plot_rivals, plot_scaling, speed_rows
from saboteur_env.experiments.tournament.plots import plot_estimates, plot_ratings
from saboteur_env.experiments.tournament.standings import kept_tables, own_kind_rows
from saboteur_env.experiments.tournament.tournament import evaluate
from saboteur_env.experiments.training_studies.learning_curves import plot_evaluated
from saboteur_env.experiments.win_rates.plots import (
    plot_by_saboteurs,
    plot_editions,
    plot_nuggets,
    plot_turns,
    plot_win_rates,
)
from saboteur_env.experiments.win_rates.scripted_tables import scripted_tables
from saboteur_env.experiments.win_rates.win_rates import Study, play

pytest.importorskip("matplotlib", reason="the report extra is not installed")

SPEED = Path(__file__).parents[2] / "docs" / "speed.json"


@pytest.fixture(scope="module")
def rounds():
    return play(Study((3, 5), 40))


@pytest.fixture(scope="module")
def rates(rounds):
    return win_rate_rows(rounds)


def is_points(line):
    return line.get_linestyle() == "None" and line.get_marker() not in (None, "None", "")


def estimated(agents, players, panels, **settings):
    """Rows of an estimate, a little larger with every agent."""
    panel, name, start = settings["panel"], settings["name"], settings["start"]
    return [
        {panel: kind, "agent": agent, "players": count, "deals": 9}
        | {f"{name}{end}": start + 0.05 * index + off for end, off in (("", 0), ("_low", -0.02), ("_high", 0.02))}
        for kind in panels
        for index, agent in enumerate(agents)
        for count in players
    ]


def heights(axes):
    """What each labelled series shows, as arrays of heights."""
    return {box.get_label(): box.lines[0].get_ydata() for box in axes.containers}


def test_the_same_plot_has_the_same_bytes(rates):
    from PIL import Image

    first, second = (plot_win_rates(rates, "A title") for _ in range(2))
    assert first.png() == second.png()
    picture = Image.open(io.BytesIO(first.png()))
    assert picture.size == (round(7 * DPI), round(4 * DPI)) and DPI >= 1.5 * SHOWN_DPI  # for dense screens
    assert first._repr_png_() == (first.png(), {"width": 700, "height": 400})
    assert picture.info.keys() <= {"dpi"}  # no date, no program
    assert repr(first) == "Plot('A title')"


def test_a_plot_is_saved_whole(rates, tmp_path):
    path = plot_win_rates(rates, "A title").save(tmp_path / "new" / "plot.png")
    assert path.read_bytes().startswith(b"\x89PNG")


def test_win_rates_are_drawn_as_they_are(rates):
    (axes,) = plot_win_rates(rates, "").figure.axes
    whole = [row for row in rates if row["saboteurs"] == "all"]
    for side in ("miners", "saboteurs"):
        assert heights(axes)[side].tolist() == [100 * row[f"{side}_won"] for row in whole]
    assert axes.get_ylabel() == "rounds won, % (95 % interval)"


def test_every_number_of_saboteurs_is_a_series(rates):
    (axes,) = plot_by_saboteurs(rates, "").figure.axes
    assert {name: len(series) for name, series in heights(axes).items()} == {
        "0 saboteurs": 1,
        "1 saboteur": 2,
        "2 saboteurs": 1,
    }


def test_nuggets_are_marked_with_the_players(rates):
    (axes,) = plot_nuggets(rates, "").figure.axes
    assert [text.get_text() for text in axes.texts] == ["3", "5"] * 2
    whole = [row for row in rates if row["saboteurs"] == "all"]
    assert axes.lines[1].get_ydata().tolist() == [row["nuggets_a_saboteur"] for row in whole]


def test_turns_are_those_of_treasures_found(rounds):
    rows = turn_rows(rounds)
    won = [row["turns"] for row in rounds if row["players"] == 5 and row["winner"] == "miners"]
    assert rows[1] == {"players": 5, "rounds": len(won), "p50": np.median(won)} | rows[1]
    assert rows[1]["p5"] < rows[1]["p25"] < rows[1]["p50"] < rows[1]["p75"] < rows[1]["p95"]
    (axes,) = plot_turns(rows, "").figure.axes
    assert axes.get_xticks().tolist() == [3, 5]


def test_a_cell_for_every_edition_and_count():
    rows = scripted_tables(rounds=3)
    axes, bar = plot_editions(rows, "").figure.axes
    assert len(axes.texts) == 5 * 8
    assert bar.get_ylabel() == "rounds won by the miners, %"


def test_each_agent_among_its_own_kind(tmp_path):
    assert kept_tables(tmp_path) == []
    table = evaluate(["scripted", "random"], (4,), deals=30, workers=1)
    rows = own_kind_rows(table)
    alone = [
        row
        for row in table.to_pylist()
        if (row["miners_by"], row["saboteurs_by"], row["substitute"]) == ("random", "random", "")
    ]
    (random,) = (row for row in rows if (row["agent"], row["side"]) == ("random", "miners"))
    assert random["won"] == np.mean([row["winner"] == "miners" for row in alone])
    first, second = plot_estimates(rows, "won", "side", "").figure.axes
    assert (first.get_title(), second.get_title()) == ("miners", "saboteurs")
    assert [label.get_text() for label in first.get_yticklabels()] == ["scripted", "random"]
    assert len(second.containers[0].lines[0].get_xdata()) == 2


def test_with_one_number_of_players_each_agent_has_a_row():
    agents = ("scripted", "random", "__main__.Digger")
    rows = estimated(agents, (5,), ("miners", "saboteurs"), panel="side", name="won", start=0.1)
    plot = plot_estimates(rows, "won", "side", "Rounds won")
    assert plot.figure.get_suptitle() == "Rounds won, 5 players"
    first, second = plot.figure.axes
    assert [label.get_text() for label in first.get_yticklabels()] == ["scripted", "random", "Digger"]
    for axes, kind in ((first, "miners"), (second, "saboteurs")):
        assert (axes.get_title(), axes.get_xlabel()) == (kind, "rounds won, % (95 % interval)")
        (box,) = axes.containers
        assert is_points(box.lines[0]) and box.lines[0].get_ydata().tolist() == [0, 1, 2]
        assert box.lines[0].get_xdata() == pytest.approx([10, 15, 20])
        assert next(bar[:, 0].tolist() for bar in box.lines[2][0].get_segments()) == pytest.approx([8, 12])


@pytest.mark.parametrize("players", [(5,), (3, 5)])
@pytest.mark.parametrize("many", [2, 6])
def test_gains_are_seen_beside_zero(players, many):
    agents = [f"dwarf{number}" for number in range(many)]
    rows = estimated(agents, players, ("miner", "saboteur"), panel="role", name="gain", start=-0.9)
    for axes in plot_estimates(rows, "gain", "role", "").figure.axes[: 2 if many == 2 or len(players) == 1 else many]:
        low, high = axes.get_xlim() if len(players) == 1 else axes.get_ylim()
        assert low < -90 and high > 0
        zero = [line for line in axes.lines if 0 in (line.get_xdata()[0], line.get_ydata()[0]) and not is_points(line)]
        assert zero


def test_many_agents_have_a_panel_each_with_the_first_in_grey():
    agents = [f"dwarf{number}" for number in range(7)]
    rows = estimated(agents, (3, 4, 5), ("miners", "saboteurs"), panel="side", name="won", start=0.1)
    axes = plot_estimates(rows, "won", "side", "").figure.axes
    assert [item.get_title() for item in axes if item.axison] == agents
    for index, item in enumerate(axes[:7]):
        shown = {box.get_label(): box.lines[0].get_ydata() for box in item.containers}
        assert shown["miners"] == pytest.approx([10 + 5 * index] * 3)
        assert len(item.containers) == (2 if index == 0 else 4)
        assert all(is_points(box.lines[0]) for box in item.containers)


def test_what_is_counted_by_players_is_never_joined_by_lines(rates):
    judged = [
        {"role": role, "players": players, "decisions": when, "rounds": 9, "won": 0.5, "gain": 0.1}
        for role in ("miner", "saboteur")
        for when in (10, 20)
        for players in (3, 4)
    ]
    for plot in (plot_win_rates(rates, ""), plot_by_saboteurs(rates, ""), plot_evaluated(judged, "")):
        for axes in plot.figure.axes:
            assert axes.lines and not [line for line in axes.lines if line.get_linestyle() != "None"]


def test_ratings_are_drawn_with_two_deviations():
    rows = [
        {"agent": agent, "side": side, "rounds": 9, "rating": rating, "uncertainty": 1.5}
        for agent, side, rating in (("a", "miners", 30.0), ("b", "miners", 20.0), ("b", "saboteurs", 25.0))
    ]
    (axes,) = plot_ratings(rows, "").figure.axes
    miners, saboteurs = axes.containers
    assert miners.lines[0].get_xdata().tolist() == [30, 20]
    assert [bar[:, 0].tolist() for bar in saboteurs.lines[2][0].get_segments()] == [[22, 28]]


def test_the_tournament_in_a_folder_is_read(tmp_path):
    from saboteur_env.experiments.tournament.tournament import Tournament
    from saboteur_env.experiments.tournament.tournament import play as play_tournament

    table = play_tournament(Tournament(("random",), (3,), deals=2), tmp_path, workers=1)
    (result,) = kept_tables(tmp_path)
    assert result.equals(table)


def test_an_estimate_that_nothing_is_known_of_leaves_a_gap():
    (axes,) = Plot().axes()
    known = {"x": 1, "won": 0.5, "won_low": 0.4, "won_high": 0.6}
    draw_estimates(axes, [known, {"x": 2, "won": None, "won_low": None, "won_high": None}], "x", "won", 0, 0)
    assert np.isnan(axes.lines[0].get_ydata()).tolist() == [False, True]


def test_series_share_the_room_around_a_tick():
    assert [apart(index, 4, 1) for index in range(4)] == [-0.375, -0.125, 0.125, 0.375]
    assert called("__main__.Digger") == "Digger"
    assert called("search:iterations=200") == "search:iterations=200"


def test_rivals_are_ordered_by_speed():
    rows = speed_rows(SPEED)
    assert all(row["laps"] > 0 for row in rows)
    (axes,) = plot_rivals(rows, "").figure.axes
    points = sorted((y, x) for line in axes.lines for x, y in zip(*line.get_data(), strict=True))
    assert [x for _, x in points] == sorted(row["decisions_a_second"] for row in rows)
    assert axes.get_xscale() == "log" and not axes.patches  # a bar has no beginning on such a scale
    assert len({line.get_marker() for line in axes.lines}) == 2 and all(is_points(line) for line in axes.lines)


def test_a_file_that_is_no_report_of_speed_is_refused(tmp_path):
    path = tmp_path / "speed.json"
    path.write_text('{"format": "something/1"}')
    with pytest.raises(ValueError, match="is no report of speed"):
        speed_rows(path)


def test_batches_are_measured_and_their_parts_add_up():
    rows = scaling.measure((1, 4), (1, 2), seconds=0.001, runs=3)
    assert [(row["games"], row["threads"]) for row in rows[:3]] == [(1, 1), (4, 1), (4, 2)]
    assert all(0 < row["slowest"] <= row["decisions_a_second"] <= row["fastest"] for row in rows)
    costs = cost_rows(rows)
    last = [row for row in rows if row["shown"] == "and observation" and row["threads"] == 1]
    for row in last:
        parts = [cost["nanoseconds"] for cost in costs if cost["games"] == row["games"]]
        assert sum(parts) == pytest.approx(1e9 / row["fastest"])
    assert len(plot_scaling(rows, "").figure.axes) == 4
    assert len(plot_costs(costs, "").figure.axes[0].patches) == len(costs)
