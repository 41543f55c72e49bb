"""Tables of a learned team in the place of a scripted one: the same deals, however they were played."""

import json

import numpy as np
import pytest

pytest.importorskip("safetensors", reason="needs the extra learned")
pytest.importorskip("pyarrow", reason="needs the extra report")
import torch

from saboteur_env import Game
from saboteur_env.agents.learned import ppo
from saboteur_env.agents.learned.network import Network, NetworkConfig
from saboteur_env.agents.learned.weights import weights_of
from saboteur_env.agents.matches.kernel_matches import random_key_of
from saboteur_env.agents.registry import MADE, make_agent
from saboteur_env.agents.scripted.agent import KernelAgent
from saboteur_env.engine.cards import ROLES
from saboteur_env.environment.settings import Settings
from saboteur_env.experiments.training.evaluation import Policy, play_deals
from saboteur_env.experiments.training_studies import learned_tables
from saboteur_env.experiments.training_studies.learned_tables import Study, gain_rows, page, play

torch.set_num_threads(1)


@pytest.fixture
def weights(tmp_path):
    """Those of a network that has learned nothing."""
    torch.manual_seed(1)
    path = tmp_path / "weights.safetensors"
    path.write_bytes(weights_of(Network("medium", 4, NetworkConfig(4, 16, 8, 8)), {"training": {"decisions": 7}}))
    return path


@pytest.fixture
def study(weights, monkeypatch):
    monkeypatch.setattr(learned_tables, "ROUNDS_A_UNIT", 4)
    return Study(f"ppo:{weights}", ("random",), (3, 5), 6)


def test_both_sides_meet_the_deals_of_the_scripted_round():
    settings = Settings(rounds=1, history=0)
    first = lambda inputs: torch.zeros(len(inputs.counts), dtype=torch.int64)  # noqa: E731
    played = play_deals(Policy(first), settings, [3, 4, 6] * 4, "scripted", 3, 1)
    for i, (count, seed) in enumerate(zip(played["players"].tolist(), played["seed"].tolist(), strict=True)):
        roles = {game.view(seat).role for game in [Game(count, seed=seed, rounds=1)] for seat in range(count)}
        assert "saboteur" in roles
        assert played["miner_scripted"][i] == (winner_of(Game(count, seed=seed, rounds=1), seed) == "miners")
        assert played["miner_scripted"][i] != played["saboteur_scripted"][i]
    assert played["miner_scripted"].mean() > played["miner_learned"].mean()


def winner_of(game, seed):
    """Who wins where all seats are scripted."""
    while not game.round_over:
        view = game.view(game.seat)
        game.play(KernelAgent("scripted").act(view, int(random_key_of(view.public, np.uint64(seed)))))
    return game.winner


def test_a_table_that_was_broken_off_goes_on_to_the_same_rounds(study, tmp_path):
    whole, ticks = play(study, tmp_path / "whole"), []

    def killed(deals):
        ticks.append(deals)
        if sum(ticks) >= 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(study, tmp_path / "broken", progress=killed)
    again = []
    assert play(study, tmp_path / "broken", progress=again.append).equals(whole)
    assert again[0] == 6
    assert sum(again) == 12 == play(study, tmp_path / "broken").num_rows


def test_the_gain_is_the_difference_on_the_same_deals(study, tmp_path):
    table = play(study, tmp_path / "out")
    rows, players = gain_rows(table), np.asarray(table["players"])
    assert [(row["players"], row["role"]) for row in rows] == [(n, role) for n in (3, 5) for role in ROLES]
    for row in rows:
        current = players == row["players"]
        won = [np.asarray(table[f"{row['role']}_{who}"])[current] for who in ("learned", "scripted")]
        assert row["gain"] == pytest.approx(won[0].mean() - won[1].mean())
        assert row["gain_low"] <= row["gain"] <= row["gain_high"]
    text = page(rows, "the command", study.learned().card)
    assert "Training: 7 decisions" in text
    assert text.count("%, ") == 1
    assert text.count("\n| 3 | ") == text.count("\n| 5 | ") == 2


def test_the_command_writes_table_rounds_and_card(study, tmp_path):
    learned_tables.main(study.agent, "random", "3", 4, 0, 1, tmp_path / "out", False)
    card = json.loads((tmp_path / "out" / "card.json").read_text())
    assert card["training"] == {"decisions": 7}
    assert [row["role"] for row in card["evaluation"]["rows"]] == [*ROLES]
    assert card["evaluation"]["command"] in (tmp_path / "out" / "README.md").read_text()
    written = {path.name for path in (tmp_path / "out").iterdir()}
    assert written == {"README.md", "card.json", "manifest.json", "rounds.parquet", "table.csv"}


def test_ppo_without_a_file_has_the_weights_of_the_package(weights, monkeypatch):
    MADE.local.cache_clear()
    monkeypatch.setattr(ppo, "SHIPPED", weights)
    assert make_agent("ppo").card["training"] == {"decisions": 7}
    MADE.local.cache_clear()
    monkeypatch.setattr(ppo, "SHIPPED", weights.with_name("missing"))
    with pytest.raises(ValueError, match="without trained weights"):
        make_agent("ppo")


def test_agents_without_a_network_are_refused():
    with pytest.raises(ValueError, match="no network"):
        Study("random")
