"""The small network learns: what it reads and plays, what its critic sees, its runs, best responses by it."""

import json

import numpy as np
import pytest

pytest.importorskip("tensorboard", reason="needs the extra train")

import torch
from safetensors.torch import load_file

from saboteur_env.agents.registry import make_agent
from saboteur_env.agents.scripted.net_rows import STATE_ROW
from saboteur_env.agents.scripted.policy import WORKSPACE
from saboteur_env.agents.scripted.presets import PPO_SMALL, dwarf_of
from saboteur_env.agents.scripted.small_network import DISTILLED, load_network
from saboteur_env.agents.search.critic import CRITIC_ROOM, SECRET_ROW, load_critic, miners_chance
from saboteur_env.core.compiled.jit import kernel
from saboteur_env.engine.cards import KINDS
from saboteur_env.engine.moves import text_of
from saboteur_env.experiments.exploitability.best_response import SMALL_RESPONSE, BestResponse
from saboteur_env.experiments.exploitability.exploit import exploit
from saboteur_env.experiments.training.build import make_learner
from saboteur_env.experiments.training.config import EvaluationConfig, load_config
from saboteur_env.experiments.training.evaluation import (
    Policy,
    play_deals,
    play_dwarf_deals,
    tables_of,
)
from saboteur_env.experiments.training.small.inputs import SmallInputs
from saboteur_env.experiments.training.train_ppo import train
from tests.training.test_train_ppo import curve, same_tensors

torch.set_num_threads(1)
TINY = [
    "games=16", "decisions=2000", "minutes=0", "learning.n_steps=16", "learning.batch_size=100", "opponents.drawn=3",
    "league.mixed=0.2", "league.interval=500", "opponents.seat=0.0", "evaluation.interval=900", "evaluation.rounds=6",
]  # fmt: skip


def learner_of(*changes):
    return make_learner(load_config("small-network", [*TINY, *changes]), 0, torch.device("cpu"))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The folder of a run from beginning to end."""
    out = tmp_path_factory.mktemp("runs") / "whole"
    train(load_config("small-network", TINY), out)
    return out


def seen_after(learner, steps):
    """What the seats to move decide from, after some steps."""
    for step in range(steps):
        learner.vec.take(learner.vec.sample_indices(step))
    learner.rollout.reset()
    return learner.rollout.see(learner.vec)


@pytest.mark.parametrize("steps", [0, 40])
def test_torch_and_kernels_play_alike(steps):
    learner = learner_of()
    inputs = seen_after(learner, steps)
    shares = learner.network(*inputs).logits.softmax(1).detach().numpy()
    dwarf, roles = make_agent(f"{PPO_SMALL}:{DISTILLED}"), set()
    for i in range(learner.vec.num_games):
        game = learner.vec.game(i)
        view = game.view(game.seat)
        likely, moves = dwarf.probabilities(view), learner.vec.legal[i, : learner.vec.legal_count[i]].tolist()
        assert [likely[text_of(move)] for move in moves] == pytest.approx(shares[i, : len(moves)].tolist(), abs=1e-4)
        roles.add(view.role)
    assert roles == {"miner", "saboteur"} or not steps


def test_some_rows_of_the_inputs_are_those_decisions():
    learner = learner_of()
    inputs = seen_after(learner, 30)
    rows = torch.tensor([3, 0, 9])
    logits = learner.network(*inputs).logits
    for row, alone in zip(rows.tolist(), learner.network(*inputs.rows(rows)).logits, strict=True):
        count = int(inputs.counts[row])
        assert torch.allclose(logits[row, :count], alone[:count], atol=1e-5)


def test_the_critic_is_told_the_truth_and_the_policy_is_not():
    learner = learner_of()
    inputs = seen_after(learner, 25)
    for i in range(learner.vec.num_games):
        data, secrets = json.loads(learner.vec.game(i).to_json()), inputs.secrets[i]
        seat, players = data["seat"], data["players"]
        clockwise = [data["roles"][(seat + k) % players] == "saboteur" for k in range(1, players)]
        assert secrets[SECRET_ROW.saboteur : SECRET_ROW.saboteur + players - 1].tolist() == clockwise
        assert secrets[SECRET_ROW.treasure + [goal["face"] for goal in data["goals"]].index("treasure")] == 1
        hands = secrets[SECRET_ROW.hands :].reshape(2, len(KINDS)) * 2
        for side, role in enumerate(("miner", "saboteur")):
            held = [len(hand) for hand, own in zip(data["hands"], data["roles"], strict=True) if own == role]
            assert hands[side].sum() == sum(held)
    blind = inputs._replace(secrets=torch.zeros_like(inputs.secrets))
    told, untold = learner.network(*inputs), learner.network(*blind)
    assert torch.equal(told.logits, untold.logits)
    assert not torch.allclose(told.value, untold.value)


@kernel
def _judge(games, dwarfs, critics, spaces, rooms):
    return miners_chance(games[0], dwarfs[0], critics[0], spaces[0], rooms[0])


def test_torch_and_the_search_judge_alike(run):
    learner = learner_of()
    learner.network.load_state_dict(
        {
            name.removeprefix("network."): tensor
            for name, tensor in load_file(run / "checkpoint.safetensors").items()
            if name.startswith("network.")
        }
    )
    value = learner.network(*seen_after(learner, 30)).value.detach().numpy().clip(-1, 1)
    rooms = dwarf_of(f"{PPO_SMALL}:{run / 'weights.safetensors'}"), load_critic(run / "critic.safetensors")
    for i, own in enumerate(value):
        game = learner.vec.game(i)
        chance = _judge(game.records, *rooms, np.zeros(1, WORKSPACE), np.zeros(1, CRITIC_ROOM))
        miner = game.view(game.seat).role == "miner"
        assert chance == pytest.approx((1 + own) / 2 if miner else (1 - own) / 2, abs=5e-3)


def test_interrupted_and_resumed_it_gives_the_undisturbed_curve(run, tmp_path):
    for minutes in (1e-6, 1e-6, 0):
        train(load_config("small-network", TINY), tmp_path, minutes=minutes)
    assert curve(tmp_path) == curve(run)
    for name in ("checkpoint", "weights", "critic"):
        assert same_tensors(*(load_file(folder / f"{name}.safetensors") for folder in (tmp_path, run)))


def test_weights_of_a_run_play_tell_of_it_and_start_another(run):
    network, card = load_network(run / "weights.safetensors")
    assert card["training"]["config"]["decisions"] == 2000
    assert card["training"]["before"] == load_network(DISTILLED)[1].get("training")
    learner = learner_of(f"init_from={run / 'weights.safetensors'}")
    assert all(np.array_equal(learner.network.weights()[name], network[name]) for name in network.dtype.names)
    sharp = learner_of(f"init_from={run / 'weights.safetensors'}", "logit_scale=2.0").network.weights()
    assert np.allclose(sharp["query"], 2 * network["query"])


def test_a_frozen_network_plays_in_the_place_of_the_past(run):
    learner = learner_of(f"league.frozen={DISTILLED}", "league.mixed=0.4")
    learner.collect()
    (frozen,) = learner.seating.snapshots.networks.values()
    assert np.array_equal(frozen.weights()["first"], load_network(DISTILLED)[0]["first"])
    assert 0.1 < (learner.rollout.controller > 0).mean() < 0.9
    assert not learner.rollout.learned[learner.rollout.controller > 0].any()


def test_scripted_dwarfs_in_kernels_win_the_same_deals_as_in_a_batch():
    config = load_config("small-network", TINY)
    settings = config.settings_of(config.curriculum[0])
    tables = tables_of(EvaluationConfig(rounds=20, players=(3, 6)))
    in_kernels = play_dwarf_deals(dwarf_of("scripted"), settings, tables, "scripted", 4)
    nobody = Policy(lambda inputs: torch.zeros(len(inputs.counts), dtype=torch.int64))
    in_batch = play_deals(nobody, settings, tables, "scripted", 4, 1)
    for name in ("players", "seed", "miner_scripted", "saboteur_scripted"):
        assert in_kernels[name].tolist() == in_batch[name].tolist()
    assert in_kernels["miner_learned"].tolist() == in_kernels["miner_scripted"].tolist()


@pytest.mark.parametrize(
    ("agent", "role", "start"), [("careless", "saboteur", PPO_SMALL), ("ppo-small:{file}", "miner", SMALL_RESPONSE)]
)
def test_the_small_network_answers_to_a_preset_and_to_a_file(run, tmp_path, agent, role, start):
    agent = agent.format(file=run / "weights.safetensors")
    task = BestResponse(agent, role, players=4, start=start, decisions=30_000)
    row = exploit(task, tmp_path, deals=100)
    assert row["deals"] == 100
    assert row["gain"] == pytest.approx(row["won"] - row["agent_won"])
    assert row["low"] <= row["gain"] <= row["high"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"role": "seat"}, "as a whole side of the full game"),
        ({"mine": "K8", "role": "saboteur"}, "as a whole side of the full game"),
    ],
)
def test_the_small_network_answers_as_a_side_alone(given, said):
    with pytest.raises(ValueError, match=said):
        BestResponse("scripted", start=SMALL_RESPONSE, **given)
    with pytest.raises(ValueError, match="start small or ppo-small"):
        BestResponse(f"ppo-small:{DISTILLED}", start="scratch")


def test_two_learners_at_once_are_refused():
    with pytest.raises(ValueError, match="stock and small name two learners"):
        load_config("small-network", ["stock=true", "opponents={}", "league={}"])


def test_the_inputs_are_named_as_the_network_takes_them():
    learner = learner_of()
    inputs = seen_after(learner, 0)
    assert isinstance(inputs, SmallInputs)
    assert inputs.state[:, STATE_ROW.players : STATE_ROW.players + 8].sum(1).tolist() == [1] * 16
    assert len(inputs.move) == len(inputs.kind) == int(inputs.counts.sum()) == int(learner.vec.legal_count.sum())
