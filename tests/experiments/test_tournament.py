"""Tournaments: the same table for a seed, all on the same deals, nothing lost, and numbers that are right."""

import json
import os

import numpy as np
import pytest
from typer.testing import CliRunner

from saboteur_env import Game
from saboteur_env.agents.matches.matchups import Matchup, play_matchup
from saboteur_env.agents.scripted.agent import KernelAgent
from saboteur_env.cli import app
from saboteur_env.core.seeds import Purpose, deal_seed
from saboteur_env.engine.editions import Rules
from saboteur_env.experiments.common.statistics import bootstrap, wilson
from saboteur_env.experiments.tournament.highlights import highlights, save, thought
from saboteur_env.experiments.tournament.ratings import rating_rows
from saboteur_env.experiments.tournament.report import Results, write
from saboteur_env.experiments.tournament.standings import crossplay_rows, seat_rows, standing_rows
from saboteur_env.experiments.tournament.tournament import Tournament, evaluate, play
from tests.support.dwarfs import Idle

pytest.importorskip("openskill", reason="the report extra is not installed")
pytest.importorskip("pyarrow", reason="the report extra is not installed")

AGENTS = ("scripted", "random")
SMALL = Tournament(AGENTS, (3, 5), deals=120, seed=4)


@pytest.fixture(scope="module")
def table():
    return play(SMALL, workers=1)


def of(table, **wanted):
    return [row for row in table.to_pylist() if all(row[name] == value for name, value in wanted.items())]


def test_a_seed_repeats_the_table_whatever_the_number_of_workers(table):
    assert table.equals(play(SMALL, workers=2))
    assert not table.equals(evaluate(AGENTS, (3, 5), deals=120, seed=5, workers=1))


def test_every_round_is_there_once_in_order(table):
    indices = [(row["players"], row["deal"]) for row in table.to_pylist()]
    assert indices == [(players, deal) for players in (3, 5) for deal in range(120) for _ in SMALL.matchups()]
    assert table.num_rows == SMALL.total() == 2 * 120 * 6


def test_all_play_on_the_same_deals(table):
    deals = {}
    for row in table.to_pylist():
        dealt = row["seed"], row["saboteurs"], row["first_seat"]
        assert deals.setdefault((row["players"], row["deal"]), dealt) == dealt
        assert row["seed"] == deal_seed(4, Purpose.TOURNAMENT, row["deal"], row["players"])


def test_a_row_is_the_match_of_its_cast(table):
    for matchup in SMALL.matchups():
        played = play_matchup(Rules.make(5, rounds=1), [SMALL.deal(5, deal) for deal in range(120)], matchup)
        rows = of(
            table, players=5, **dict(zip(("miners_by", "saboteurs_by", "substitute", "replaced"), matchup, strict=True))
        )
        assert [row["turns"] for row in rows] == played["turns"].tolist()


def test_matches_of_several_rounds_with_agents_in_python():
    agents = ("tests.support.dwarfs.First", "random")
    result = evaluate(agents, (3,), ("uk",), deals=3, rounds=2, workers=1)
    assert [row["round"] for row in result.to_pylist()] == [1, 2] * 6 * 3
    assert standing_rows(result)[0]["deals"] == 3
    assert result.equals(evaluate(agents, (3,), ("uk",), deals=3, rounds=2, workers=2))


@pytest.mark.skipif(os.name != "posix", reason="sends SIGKILL")
def test_actors_of_ray_give_the_same_table_and_the_work_of_killed_ones_is_redone(tmp_path):
    pytest.importorskip("ray", reason="the scale extra is not installed")
    deaths = tmp_path / "deaths"
    deaths.write_text("")
    study = Tournament((f"tests.support.dwarfs.Deadly:2@{deaths}", "scripted"), (3,), deals=4)
    table = play(study, workers=2, ray="local")
    assert deaths.read_text() == "xx"
    assert table.equals(play(study, workers=1))


def test_a_base_dwarf_from_outside_plays_once_itself():
    assert Tournament(("random",), base="scripted").matchups() == [
        Matchup("random", "random"),
        Matchup("scripted", "scripted"),
        Matchup("scripted", "scripted", "random", "miner"),
        Matchup("scripted", "scripted", "random", "saboteur"),
    ]


def test_standings_are_means_over_opponents(table):
    miners, saboteurs = (
        [row for row in standing_rows(table) if (row["players"], row["side"]) == (5, side)]
        for side in ("miners", "saboteurs")
    )
    for row in miners:
        mine = of(table, players=5, miners_by=row["agent"], substitute="")
        assert row["won"] == pytest.approx(np.mean([item["winner"] == "miners" for item in mine]))
        assert row["won_low"] < row["won"] < row["won_high"] or row["won"] in (0, 1)
    assert miners[0]["ahead"] is None
    assert miners[1]["ahead"] == pytest.approx(miners[1]["won"] - miners[0]["won"])
    assert sum(row["won"] for row in miners) + sum(row["won"] for row in saboteurs) == pytest.approx(2)


def test_a_difference_on_the_same_deals_is_known_better_than_on_others():
    deals, noise = np.random.default_rng(1).random((2, 400, 1))
    good, bad = (deals < 0.6) * 1.0, (deals < 0.5) * 1.0
    paired, apart = bootstrap(np.hstack([good - bad, good - (noise < 0.5)]), -1)
    assert paired[0] == pytest.approx(0.1, abs=0.05)
    assert np.ptp(paired[1:]) < 0.6 * np.ptp(apart[1:])


def test_crossplay_and_seats_agree_with_the_rows(table):
    for row in crossplay_rows(table):
        mine = of(table, players=row["players"], miners_by=row["miners"], saboteurs_by=row["saboteurs"], substitute="")
        assert row["won"] == pytest.approx(np.mean([one["winner"] == "miners" for one in mine]))
    for row in seat_rows(table):
        side = row["role"] + "s"
        mine = of(table, players=row["players"], substitute="random", replaced=row["role"])
        base = of(table, players=row["players"], substitute="", miners_by="scripted", saboteurs_by="scripted")
        pairs = [(one, other) for one, other in zip(mine, base, strict=True) if one["substitute_seat"] >= 0]
        assert row["deals"] == len(pairs) < 120 or row["role"] == "miner" or row["players"] == 5
        assert row["gain"] == pytest.approx(np.mean([(a["winner"] == side) - (b["winner"] == side) for a, b in pairs]))
        assert row["gain_high"] < 0  # a random dwarf in the place of a scripted one


def test_all_counts_together_weigh_each_deal_alike(table):
    (whole,) = [row for row in crossplay_rows(table, pool=True) if row["miners"] == row["saboteurs"] == "random"]
    played = [row for row in of(table, miners_by="random", saboteurs_by="random") if not row["substitute"]]
    assert whole["won"] == pytest.approx(np.mean([row["winner"] == "miners" for row in played]))
    assert (whole["players"], whole["edition"], whole["deals"]) == ("all", "all", 240)
    apart = {(row["role"], row["players"]): row for row in seat_rows(table)}
    for row in seat_rows(table, pool=True):
        three, five = (apart[row["role"], players] for players in (3, 5))
        assert row["deals"] == three["deals"] + five["deals"]
        summed = three["gain"] * three["deals"] + five["gain"] * five["deals"]
        assert row["gain"] == pytest.approx(summed / row["deals"])


def test_the_pairs_of_many_agents_are_told_apart():
    agents = ("blatant", "patient", "two-faced", "careless", "random")
    table = evaluate(agents, deals=100, workers=1)
    rounds = table.to_pylist()
    for row in crossplay_rows(table):
        names = row["miners"], row["saboteurs"], ""
        won = [
            item["winner"] for item in rounds if names == (item["miners_by"], item["saboteurs_by"], item["substitute"])
        ]
        assert row["won"] == won.count("miners") / len(won) and len(won) == 100


def test_ratings_put_a_better_dwarf_first_and_leave_out_who_met_no_saboteur(table):
    result = {(row["agent"], row["side"]): row for row in rating_rows(table)}
    for side in ("miners", "saboteurs"):
        assert result["scripted", side]["rating"] > result["random", side]["rating"]
    met = [row for row in of(table, miners_by="random", substitute="") if row["saboteurs"]]
    assert result["random", "miners"]["rounds"] == len(met) < 480


def test_the_bootstrap_is_right_where_theory_is():
    values = (np.random.default_rng(0).random((2000, 2)) < [0.5, 0.1]) * 1.0
    for (mean, low, high), column in zip(bootstrap(values), values.T, strict=True):
        assert mean == pytest.approx(column.mean())
        assert (low, high) == pytest.approx(wilson(int(column.sum()), 2000), abs=0.003)


@pytest.mark.parametrize(("likely", "unlikely"), [(0.35, 0), (0.2, 0), (0.25, 0.1), (0.4, 0.1)])
def test_of_twenty_deals_the_interval_holds_the_truth_as_often_as_it_says(likely, unlikely):
    values = np.random.default_rng(2).choice([-1.0, 0, 1], (20, 1500), p=[unlikely, 1 - likely - unlikely, likely])
    result = bootstrap(values, -1)
    held = (result[:, 1] <= likely - unlikely) & (likely - unlikely <= result[:, 2])
    assert 0.935 < held.mean() < 0.985


def test_the_bootstrap_where_deals_say_nothing_or_all_the_same():
    nan = np.nan
    values = np.array([[1.0, 0.0, nan, nan], [1.0, 0.0, nan, 1.0], [1.0, 0.0, nan, 0.0]])
    sure, equal, nothing, half = bootstrap(values, [0, -1, 0, 0])
    assert sure.tolist() == pytest.approx([1, wilson(3, 3)[0], 1])
    assert equal.tolist() == pytest.approx([0, -wilson(0, 3)[1], wilson(0, 3)[1]])
    assert np.isnan(nothing).all()
    assert half.tolist() == [0.5, 0, 1]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"agents": ("grumpy",)}, "no dwarf 'grumpy'"),
        ({"agents": ("random", "random")}, "each once"),
        ({"agents": "random"}, "give one or more"),
        ({"agents": ("random",), "base": "grumpy"}, "no dwarf 'grumpy'"),
        ({"agents": ("random",), "players": (2,)}, "players must be"),
        ({"agents": ("random",), "editions": ("xx",)}, "edition must be one of"),
        ({"agents": ("random",), "deals": 0}, "deals must be a whole number from 1"),
        ({"agents": ("random",), "seed": -1}, "seed must be"),
        ({"agents": ("random",), "options": {"draft": 1}}, "option draft"),
    ],
)
def test_impossible_tournaments_are_refused(settings, said):
    with pytest.raises(ValueError, match=said):
        Tournament(**settings)


class Second:
    """Plays the last legal move."""

    def act(self, view, seed):
        return view.legal_moves()[-1]


def test_agents_given_as_objects_play_in_this_process():
    result = evaluate([Second(), "random", Second()], players=(3,), deals=1, seed=2)
    assert set(result["miners_by"].to_pylist()) == {"Second", "Second 2", "random"}
    lines = result.select(["winner", "turns", "miner_nuggets"]).to_pylist()
    named = evaluate(["tests.experiments.test_tournament.Second", "random"], players=(3,), deals=1, seed=2, workers=1)
    assert named.select(["winner", "turns", "miner_nuggets"]).to_pylist()[0] == lines[0]
    by_class = evaluate([Second, lambda view: view.legal_moves()[-1]], players=(3,), deals=1, seed=2)
    assert by_class.select(["winner", "turns", "miner_nuggets"]).to_pylist()[0] == lines[0]
    assert set(by_class["miners_by"].to_pylist()) == {"Second", "<lambda>"}
    with pytest.raises(ValueError, match="there is no dwarf 'Second'"):
        evaluate(["Second"], players=(3,), deals=1)


@pytest.mark.parametrize(
    ("given", "how", "said"),
    [
        ([Second()], {"workers": 2}, "agents given as objects play in this process: leave out workers"),
        ([Second()], {"folder": "somewhere"}, "agents given as objects play in this process"),
        ([Idle], {}, "there is no opponent .*Idle.*; there are random, scripted"),
        ([None], {}, "there is no opponent None; there are random, scripted"),
        ("random", {}, "agents: give one or more"),
        (Second(), {}, "agents: give one or more"),
    ],
)
def test_what_is_no_agent_is_refused(given, how, said):
    with pytest.raises(ValueError, match=said):
        evaluate(given, players=(3,), deals=1, **how)


def test_highlights_are_what_they_say_and_show_what_was_thought(tmp_path):
    study = Tournament(("scripted", "tests.support.dwarfs.First:0.3"), (4,), deals=12)
    result = play(study, workers=1)
    rows = result.to_pylist()
    fastest, latest, upset = highlights(result)
    turns = [row["turns"] for row in rows if row["winner"] == "miners" and row["saboteurs"]]
    assert (fastest.rank, -latest.rank) == (min(turns), max(turns))
    assert 0 < upset.rank <= 0.5
    paths = save(study, fastest, tmp_path)
    game = Game.replay(paths[0].read_text())
    assert game.winner == "miners"
    assert fastest.why == f"{len(game.view(0).record)} turns to the treasure"
    assert '"odds":[[' in paths[1].read_text()


def test_a_thought_is_that_of_the_dwarf_who_moves_and_of_all_who_suspect():
    game = Game(players=3, seed=1)
    seats = ["random"] * 3
    seats[(game.seat + 1) % 3] = "tests.support.dwarfs.First:0.3"
    suspicious = (game.seat + 1) % 3
    result = thought(game, seats)
    assert set(result["moves"]) <= set(game.legal_moves())
    assert result["beliefs"][suspicious] == [None if seat == suspicious else 0.3 for seat in range(3)]
    assert result["beliefs"][game.seat] == KernelAgent("random").beliefs(game.view(game.seat))
    assert thought(game, ["tests.support.dwarfs.Silent"] * 3) == {"moves": {}, "beliefs": {}}


def test_where_no_saboteur_is_dealt_there_is_less_to_tell(tmp_path):
    study = Tournament(AGENTS, (3,), deals=4, options={"role_table": {"saboteurs": 0, "miners": 3}})
    result = play(study, workers=1)
    results = Results.of(result)
    assert [row["role"] for row in results.seats] == ["miner"]
    assert highlights(result) == results.ratings == []
    assert (tmp_path / "report.md") in write(study, result, results, tmp_path)


def test_the_command_answers_with_tables_intervals_and_plots(tmp_path):
    options = [
        "--agents",
        "scripted,random",
        "--players",
        "4,5",
        "--deals",
        "20",
        "--workers",
        "1",
        "--out",
        str(tmp_path),
    ]
    answer = CliRunner().invoke(app, ["tournament", *options])
    assert answer.exit_code == 0, answer.output
    said, report = answer.output, (tmp_path / "report.md").read_text()
    for row in standing_rows(evaluate(AGENTS, (4, 5), deals=20, workers=1)):
        interval = f"{100 * row['won']:.1f} [{100 * row['won_low']:.1f}, {100 * row['won_high']:.1f}]"
        assert interval in said
        assert f"| {row['players']} | {row['side']} | {row['agent']} | {interval} |" in report
    for name in ("won-lv.png", "crossplay-lv.png", "seats-lv.png"):
        assert name in report
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")
    assert json.loads((tmp_path / "manifest.json").read_text())["settings"]["deals"] == 20
    assert CliRunner().invoke(app, ["tournament", *options]).output == said
