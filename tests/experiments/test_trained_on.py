"""Weights are judged on the mine they know, or a line says that they are not."""

import json

import pytest
from typer.testing import CliRunner

pytest.importorskip("safetensors", reason="needs the extra learned")
pytest.importorskip("openskill", reason="needs the extra report")
import torch

from saboteur_env.agents.learned.network import Network, NetworkConfig
from saboteur_env.agents.learned.weights import weights_of
from saboteur_env.cli import app
from saboteur_env.experiments.tournament import report as tournament_report
from saboteur_env.experiments.tournament.tournament import Tournament
from saboteur_env.experiments.tournament.trained_on import TrainedOn, strange_rules, trained_on
from saboteur_env.experiments.training.config import load_config
from saboteur_env.experiments.training_studies import learned_tables

NEAR = [[4, -2], [4, 0], [4, 2]]  # the goals of configs/small.toml


def weights_in(path, told):
    torch.manual_seed(1)
    path.write_bytes(weights_of(Network("small", 4, NetworkConfig(4, 16, 8, 8)), told))
    return path


@pytest.fixture
def small(tmp_path):
    """Weights of a run of configs/small.toml that has learned nothing."""
    told = {"training": {"config": json.loads(load_config("small", ["learning.n_epochs=1"]).as_json())}}
    return weights_in(tmp_path / "weights.safetensors", told)


def tournament(*arguments):
    asked = ["tournament", "--deals", "2", "--workers", "1", *map(str, arguments)]
    answer = CliRunner().invoke(app, asked)
    assert answer.exit_code == 0, answer.output
    return answer


def settings(folder):
    return json.loads((folder / "manifest.json").read_text())["settings"]


def test_the_command_says_that_weights_know_another_mine(small, tmp_path):
    said = tournament("--agents", f"ppo:{small},scripted", "--players", 3, "--out", tmp_path / "far").stderr
    known = f"3, 4, 5 players, edition lv, goal_cells={json.dumps(NEAR)}"
    line = f"ppo:{small} was trained with {known}; it meets other rules here (--like FILE plays those)"
    assert line in said.splitlines()
    assert line in (tmp_path / "far" / "report.md").read_text()


def test_a_tournament_like_weights_takes_mine_and_counts_from_their_card(small, tmp_path):
    out, agents = tmp_path / "near", f"ppo:{small},scripted"
    answer = tournament("--agents", agents, "--like", small, "--out", out)
    assert "was trained" not in answer.stderr
    assert settings(out)["options"] == {"goal_cells": NEAR}
    assert settings(out)["players"] == [3, 4, 5]


def test_what_the_command_says_goes_before_the_card(small, tmp_path):
    out = tmp_path / "out"
    more = ["--option", "hand_size=4", "--players", 4, "--edition", "uk", "--out", out]
    tournament("--agents", "scripted,random", "--like", small, *more)
    result = settings(out)
    assert result["options"] == {"goal_cells": NEAR, "hand_size": 4}
    assert (result["players"], result["editions"]) == ([4], ["uk"])


def test_tables_of_a_learned_team_are_played_like_its_card(small, tmp_path, capsys):
    agent = f"ppo:{small}"
    learned_tables.main(agent, "random", "3", 2, 0, 1, tmp_path / "far")
    assert "was trained with 3, 4, 5 players" in capsys.readouterr().err
    learned_tables.main(agent, "random", "3", 2, 0, 1, tmp_path / "near", like=small)
    assert "was trained" not in capsys.readouterr().err
    assert settings(tmp_path / "near")["options"] == {"goal_cells": NEAR}
    assert f"--players 3 --rounds 2 --seed 0 --like {small}" in (tmp_path / "near" / "README.md").read_text()


def test_a_deck_is_taken_with_what_was_left_out_of_it(tmp_path):
    stage = 'curriculum=[{without=["break"],options={deck={EW=9,NS=3,xEW=1,"break:cart"=2},hand_size=2}}]'
    config = load_config("small", [stage, 'settings.edition="uk"'])
    told = {"training": {"config": json.loads(config.as_json())}}
    known = trained_on(weights_in(tmp_path / "weights", told))
    assert known == TrainedOn((3, 4, 5), "uk", {"deck": {"EW": 9, "NS": 3, "xEW": 1}, "hand_size": 2})
    assert str(known) == "3, 4, 5 players, edition uk, a deck of 13 cards, hand_size=2"


def test_the_last_stage_of_a_curriculum_counts_and_the_weights_of_the_package_know_the_printed_mine():
    assert strange_rules(["ppo", "scripted"], [Tournament(("ppo",)).rules("lv", 5)]) == []
    assert Tournament(("ppo",), editions=("lv", "uk")).strange() == [
        "ppo was trained with 3, 4, 5, 6, 7, 8, 9, 10 players, edition lv; it meets other rules here "
        "(--like FILE plays those)"
    ]


@pytest.mark.parametrize(
    "training",
    [{}, {"config": 3}, {"config": {"players": [2], "settings": {}}}, {"config": {"players": [3], "settings": []}},
     {"config": {"players": [3], "settings": {}, "stages": [{"options": {"deck": 7}}]}}],
)  # fmt: skip
def test_a_card_that_tells_nothing_is_named_where_it_is_asked_and_passed_over_elsewhere(training, tmp_path):
    path = weights_in(tmp_path / "weights", {"training": training})
    with pytest.raises(ValueError, match="does not tell the players, edition and options of its training"):
        trained_on(path)
    assert strange_rules([f"ppo:{path}"], [Tournament(("scripted",)).rules("lv", 5)]) == []


def test_a_tournament_of_others_says_nothing_of_training():
    assert "was trained" not in tournament_report._head(Tournament(("scripted", "random")))
