"""A mine that fits its own number of players alone can be played at every door of a batch, trained on and judged on."""

import pytest

from saboteur_env import make_vec
from saboteur_env.single_agent.gym_env import SingleAgentEnv
from saboteur_env.single_agent.gym_vec import GymVec

THREE = {
    "role_table": {"saboteurs": 1, "miners": 2},
    "goal_cells": [[3, 0]],
    "deck": {"EW": 3, "xEW": 1, "break:pickaxe": 2},
    "hand_size": 2,
}
STAGE = (
    'curriculum=[{options={role_table={saboteurs=1,miners=2},goal_cells=[[3,0]],deck={EW=3,xEW=1,"break:pickaxe"=2},'
    "hand_size=2}}]"
)


@pytest.mark.parametrize("players", [3, [3, 3]])
def test_a_batch_asks_for_nobody_but_its_players(players):
    vec = make_vec(2, players, seed=1, options=THREE)
    assert vec.game(0).rules.role_table == (1, 2)
    assert sorted(vec.game(1).view(seat).role for seat in range(3)) == ["miner", "miner", "saboteur"]
    with pytest.raises(ValueError, match=r"role_table: \d players need"):
        make_vec(2, [3, 4], options=THREE)


def test_a_learner_sits_at_a_table_of_its_own_players():
    assert SingleAgentEnv(3, options=THREE).reset(seed=1)[1]["action_mask"].any()
    assert GymVec(2, 3, options=THREE).reset(seed=1)[1]["action_mask"].any(1).all()
    sb3 = pytest.importorskip("saboteur_env.single_agent.sb3", reason="needs the extra sb3")
    assert sb3.SaboteurVecEnv(2, 3, options=THREE).reset().shape[0] == 2


def test_it_is_trained_and_judged_on(tmp_path):
    pytest.importorskip("sb3_contrib", reason="needs the extra train")
    pytest.importorskip("tensorboard", reason="needs the extra train")
    from saboteur_env.experiments.training.config import load_config
    from saboteur_env.experiments.training.train_ppo import train
    from saboteur_env.experiments.training_studies import learned_tables

    tiny = [
        STAGE, "players=[3]", "decisions=300", "games=6", "threads=1", "network.channels=4", "network.width=16",
        "learning.n_steps=16", "learning.batch_size=64", "evaluation.interval=200", "evaluation.rounds=4",
        "settings.history=0",
    ]  # fmt: skip
    run = train(load_config("small", tiny), tmp_path / "run", "cpu")
    assert [(row["players"], row["role"]) for row in run.evaluated] == [(3, "miner"), (3, "saboteur")]
    weights = tmp_path / "run" / "weights.safetensors"
    learned_tables.main(f"ppo:{weights}", "random", "", 4, 0, 1, tmp_path / "table", like=weights)
    assert (tmp_path / "table" / "README.md").read_text().count("\n| 3 | ") == 2
    stock = load_config("stock", [*tiny, "network={width=8}", "decisions=100"])
    assert train(stock, tmp_path / "stock", "cpu").evaluated[0]["players"] == 3
    with pytest.raises(ValueError, match=r"role_table: \d players need"):
        load_config("small", [*tiny, "evaluation.players=[3, 5]"])
