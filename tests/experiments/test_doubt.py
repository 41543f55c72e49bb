"""Populations are fitted and judged: on rounds of any agents, with the tables of a study."""

import csv

import numpy as np
import pytest

from saboteur_env.agents.beliefs.action_model_file import doubting
from saboteur_env.agents.beliefs.script_model import ScriptModel
from saboteur_env.agents.scripted.agent import KernelAgent
from saboteur_env.agents.scripted.params import NEVER_FALLS
from saboteur_env.engine.editions import Rules
from saboteur_env.experiments.beliefs import strangers
from saboteur_env.experiments.beliefs.any_tables import play_any
from saboteur_env.experiments.beliefs.belief_scores import script_evidence, style_evidence
from saboteur_env.experiments.beliefs.fit_populations import POOLING, POPULATION_SHARES, Deals, fit_populations
from saboteur_env.experiments.beliefs.mixed_tables import Rounds, play_rounds
from saboteur_env.experiments.common.drawn_characters import drawn_characters
from saboteur_env.game.game import Game


def test_rounds_of_any_agents_are_those_of_the_kernel_where_both_can_play():
    rules, seeds = Rules.make(5, rounds=1), np.arange(6, dtype=np.uint64)
    dwarfs, ended = (["loyal", "careless"], ["blatant", "patient"]), []
    by_kernel, by_any = play_rounds(rules, seeds, *dwarfs), play_any(rules, seeds, *dwarfs, ended.append)
    assert by_kernel.games.tobytes() == by_any.games.tobytes()
    assert np.array_equal(by_kernel.dwarfs, by_any.dwarfs)
    assert sum(ended) == 6


def test_agents_made_in_python_sit_at_a_table_too():
    rounds = play_any(Rules.make(4, rounds=1), np.arange(3, dtype=np.uint64), ["loyal", "held-out:quiet"], ["blatant"])
    assert (rounds.games["public"]["over"] == 1).all()
    assert {*np.unique(rounds.dwarfs[:, :4])} == {0, 1, 2}


def test_characters_are_drawn_by_the_seed_and_differ():
    once, again, other = (drawn_characters(8, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert once.tobytes() == again.tobytes() != other.tobytes()
    assert len({row.tobytes() for row in once}) == 8
    assert (once["characters"]["rockfall"][:, 1] == NEVER_FALLS).any(), "what a facade never does it never does"


def test_populations_are_fitted_with_their_shares():
    model = fit_populations(Deals(rounds=3, players=(4, 6)), learned="ppo-small")
    styles = model.styles
    assert len(model.names) == 13 and styles.pooling == POOLING
    for number, share in enumerate(POPULATION_SHARES.values()):
        for role in (0, 1):
            here = (styles.population == number) & (styles.role == role)
            assert styles.share[here].sum() == pytest.approx(share)
    for name in ("random", "anybody"):
        miner, saboteur = (styles.preference[model.names.index(f"{name} {role}")] for role in ("miner", "saboteur"))
        assert np.array_equal(miner, saboteur), "it says nothing of a role"


def test_evidence_along_a_round_is_that_of_each_view():
    game, dwarf, publics = Game(5, seed=4, rounds=1), KernelAgent("ppo-small"), []
    while not game.round_over:
        publics.append(game.view(0).public.copy())
        game.play(dwarf.act(game.view(game.seat), len(publics)))
    rounds, script = Rounds(game.records, np.zeros((1, 10), np.int64)), ScriptModel("ppo-small", hands=3)
    for model, along in (
        (doubting(), style_evidence(rounds, doubting().styles)),
        (script, script_evidence(rounds, script.script)),
    ):
        for public in publics:
            said = along[int(public["event_count"])]
            assert said.ravel() == pytest.approx(model.log_likelihood(public).ravel())


def test_a_study_of_tables_writes_scores_with_intervals(tmp_path):
    strangers.main(tables="family,random", deals=6, players="4", workers=1, out=tmp_path)
    rows = list(csv.DictReader((tmp_path / "scores.csv").read_text().splitlines()))
    assert [(row["table"], row["third"]) for row in rows] == [
        (table, third) for table in ("family", "random") for third in ("first", "second", "last")
    ]
    for row in rows:
        for source in ("prior", "fitted", "doubting", "doubting+ppo-small", "network"):
            assert float(row[f"{source}_low"]) <= float(row[f"{source}_log_loss"]) <= float(row[f"{source}_high"])
    assert "| random | last | 6 |" in (tmp_path / "README.md").read_text()


def test_a_table_there_is_not_is_refused(tmp_path):
    with pytest.raises(ValueError, match="there is no table elves; there are family, random, ppo"):
        strangers.main(tables="elves", deals=1, players="4", out=tmp_path / "none")
