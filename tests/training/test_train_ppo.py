"""Training runs: killed and resumed, refused, kept whole; what the trainer learns, and what it cannot learn."""

import json
import multiprocessing
import subprocess
import sys
import time

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="needs the extra train")
pytest.importorskip("tensorboard", reason="needs the extra train")
import torch
from safetensors.torch import load_file, save_file

from saboteur_env import Game, make_vec
from saboteur_env.agents.beliefs.tracker import BeliefTracker
from saboteur_env.agents.learned.inputs import inputs_of
from saboteur_env.agents.learned.ppo import Ppo
from saboteur_env.agents.learned.weights import load_network, read_tensors
from saboteur_env.agents.registry import make_agent
from saboteur_env.experiments.common.machine import commit_of, machine
from saboteur_env.experiments.training.build import make_learner
from saboteur_env.experiments.training.checkpoints import FORMAT, _digest, read_checkpoint, restore
from saboteur_env.experiments.training.config import CurriculumStage, Learning, RunConfig, load_config
from saboteur_env.experiments.training.train_ppo import train

torch.set_num_threads(1)
TINY = [
    "decisions=4000", "games=12", "threads=1", "minutes=0", "players=[3, 4]", "network.channels=4", "network.width=16",
    "network.seat=8", "network.choice=8", "learning.n_steps=16", "learning.batch_size=64", "evaluation.interval=1500",
    "evaluation.rounds=4", "settings.history=8", "opponents.mixed=0.2", "league.mixed=0.3", "league.interval=600",
    "league.keep=2",
]  # fmt: skip


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The folder of a run from beginning to end."""
    out = tmp_path_factory.mktemp("runs") / "undisturbed"
    train(load_config("small", TINY), out)
    return out


def curve(out):
    """What a run measured, without times."""
    lines = [json.loads(line) for line in (out / "curve.jsonl").read_text().splitlines()]
    return [{name: value for name, value in line.items() if not name.startswith("time/")} for line in lines]


def same_tensors(one, other):
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


STOCK = [
    "decisions=3000", "games=12", "threads=1", "minutes=0", "network.width=8", "learning.n_steps=16",
    "learning.batch_size=96",
    "learning.n_epochs=2", "evaluation.interval=900", "evaluation.rounds=4", "settings.history=0",
]  # fmt: skip


@pytest.fixture(scope="module")
def stock(tmp_path_factory):
    """The folder of a stock run from beginning to end."""
    out = tmp_path_factory.mktemp("runs") / "stock"
    train(load_config("stock", STOCK), out)
    return out


def train_alone(config, changes, out):
    torch.set_num_threads(1)
    train(load_config(config, changes), out)


def train_and_kill(config, changes, out, lines, seconds=0.0):
    """Train in another process, and kill it once the curve has so many lines; whether it was still running."""
    context = multiprocessing.get_context("forkserver")  # loads the libraries once for all that are killed
    context.set_forkserver_preload(["saboteur_env.experiments.training.train_ppo"])
    child = context.Process(target=train_alone, args=(config, changes, out))
    child.start()
    while child.is_alive() and (not (out / "curve.jsonl").exists() or len(curve(out)) < lines):
        time.sleep(0.01)
    time.sleep(seconds)
    running = child.is_alive()
    child.kill()
    child.join()
    return running


def test_killed_at_any_moment_and_resumed_it_gives_the_undisturbed_curve(undisturbed, tmp_path):
    assert train_and_kill("small", TINY, tmp_path, 5)
    assert train_and_kill("small", TINY, tmp_path, 12, 0.03)
    train(load_config("small", TINY), tmp_path)
    assert curve(tmp_path) == curve(undisturbed)
    names = ("checkpoint.safetensors", "weights.safetensors")
    assert all(same_tensors(load_file(tmp_path / name), load_file(undisturbed / name)) for name in names)


def test_a_killed_stock_run_gives_the_undisturbed_curve_too(stock, tmp_path):
    assert train_and_kill("stock", STOCK, tmp_path, 4, 0.03)
    train(load_config("stock", STOCK), tmp_path, minutes=1e-6)
    train(load_config("stock", STOCK), tmp_path)
    assert curve(tmp_path) == curve(stock)
    name = "checkpoint.safetensors"
    assert same_tensors(load_file(tmp_path / name), load_file(stock / name))
    assert not (stock / "weights.safetensors").exists()
    assert any(name.startswith("judged/miner") for name in curve(stock)[-1])


def test_the_stock_learner_is_judged_by_legal_moves_of_its_own(stock):
    config, table = load_config("stock", STOCK), np.arange(40)
    learner, vec = (
        make_learner(config, 0, torch.device("cpu")),
        make_vec(40, 5, 2, settings=config.settings_of(CurriculumStage())),
    )
    restore(learner, *read_checkpoint(stock / "checkpoint.safetensors"))
    sharp = learner.policy.action_net.weight.data
    sharp *= 1e6
    for _ in range(30):
        index = learner.choose(inputs_of(vec)).numpy()
        best = learner.predict(vec.observation, deterministic=True, action_masks=vec.mask)[0]
        assert (vec.legal[table, index] == best).mean() > 0.9
        vec.step(vec.legal[table, index])


def test_a_network_that_is_told_beliefs_plays_alike_alone_and_in_a_batch(tmp_path):
    told = [*TINY, "network.suspects=true", "evaluation.interval=0", "decisions=1000"]
    learner = train(load_config("small", told), tmp_path).learner
    weights = tmp_path / "weights.safetensors"
    agent = make_agent(f"ppo:{weights}")
    vec, tracker = learner.vec, BeliefTracker(learner.vec)
    output = learner.network(*inputs_of(vec, "cpu", tracker))
    for i in range(vec.num_games):
        game = vec.game(i)
        view = game.view(game.seat)
        number = vec.settings.actions.number
        probabilities = {
            number(text, view.seat, view.rules.players): probability
            for text, probability in agent.probabilities(view).items()
        }
        legal = vec.legal[i, : vec.legal_count[i]].tolist()
        batch = output.logits[i, : len(legal)].softmax(0).tolist()
        assert [probabilities[action] for action in legal] == pytest.approx(batch, abs=1e-4)
    assert learner.rollout.batch(torch.arange(3)).inputs.suspects.shape == (3, 10)
    tensors, metadata = read_tensors(weights)
    save_file(tensors, weights, {"card": json.dumps({**json.loads(metadata["card"]), "action_model": "0" * 64})})
    with pytest.raises(ValueError, match=r"action-model-0{16}\.json is missing"):
        load_network(weights)


def test_a_run_begins_from_weights(undisturbed, tmp_path):
    path = str(undisturbed / "weights.safetensors")
    config = load_config("small", [*TINY, f"init_from={path}"])
    there = load_network(path)[0].state_dict()
    assert same_tensors(make_learner(config, 0, torch.device("cpu")).network.state_dict(), there)
    told = make_learner(
        load_config("small", [*TINY, f"init_from={path}", "network.suspects=true"]), 0, torch.device("cpu")
    )
    plain, inputs = load_network(path)[0], inputs_of(told.vec, "cpu", BeliefTracker(told.vec, told.action_model))
    with torch.inference_mode():
        assert torch.equal(told.network(*inputs).roles, plain(*inputs[:3]).roles)
        sharp = make_learner(
            load_config("small", [*TINY, f"init_from={path}", "logit_scale=2.0"]), 0, torch.device("cpu")
        )
        assert torch.equal(sharp.network(*inputs[:3]).logits, 2 * plain(*inputs[:3]).logits)
    more = train(load_config("small", [*TINY, f"init_from={path}", "decisions=200", "evaluation.interval=0"]), tmp_path)
    assert more.card()["training"]["before"] == load_network(path)[1]["training"]
    with pytest.raises(ValueError, match="history"):
        make_learner(load_config("small", [*TINY, f"init_from={path}", "settings.history=9"]), 0, torch.device("cpu"))


def test_a_finished_run_stays_as_it_is(undisturbed):
    before = {path.name: path.read_bytes() for path in undisturbed.glob("*.safetensors")}
    train(load_config("small", TINY), undisturbed)
    assert before == {path.name: path.read_bytes() for path in undisturbed.glob("*.safetensors")}


def test_a_folder_with_another_run_is_refused(undisturbed):
    with pytest.raises(ValueError, match=r"other settings \(games was"):
        train(load_config("small", [*TINY, "games=14"]), undisturbed)


def test_a_card_names_the_commit_of_the_sources(tmp_path):
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@b", "-C", str(tmp_path)]
    source = tmp_path / "source.py"
    source.write_text("1")
    assert commit_of(source) is None
    for asked in (["init", "-q"], ["add", "source.py"], ["commit", "-qm", "first"]):
        subprocess.run([*git, *asked], check=True)
    head = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout
    assert commit_of(source) == head[:12]
    source.write_text("2")
    assert commit_of(source) == f"{head[:12]}-dirty"
    (tmp_path / "strange.py").touch()
    assert commit_of(tmp_path / "strange.py") is None


@pytest.mark.parametrize("harm", ["cut", "flip", "foreign", "other tensors", "empty"])
def test_a_damaged_or_foreign_checkpoint_is_refused(undisturbed, tmp_path, harm):
    whole, path = (undisturbed / "checkpoint.safetensors").read_bytes(), tmp_path / "checkpoint.safetensors"
    flipped = bytearray(whole)
    flipped[-20] ^= 1
    harmed = {"cut": whole[:-100], "flip": bytes(flipped), "foreign": b"PK\x03\x04" + whole, "empty": b""}
    if harm == "other tensors":
        save_file({"x": torch.zeros(3)}, path)
    else:
        path.write_bytes(harmed[harm])
    with pytest.raises(ValueError, match=r"checkpoint\.safetensors"):
        read_checkpoint(path)


def test_a_checkpoint_of_another_format_is_refused_in_words(undisturbed, tmp_path):
    tensors, metadata = read_tensors(undisturbed / "checkpoint.safetensors")
    text = metadata["data"].replace(FORMAT, "saboteur-checkpoint/2")
    path = tmp_path / "checkpoint.safetensors"
    save_file(tensors, path, {"data": text, "digest": _digest(tensors, text)})
    with pytest.raises(ValueError, match=r"is a checkpoint of 'saboteur-checkpoint/2' .* another folder"):
        train(load_config("small", TINY), tmp_path)


def test_weights_of_another_version_are_refused(undisturbed, tmp_path):
    tensors, metadata = read_tensors(undisturbed / "weights.safetensors")
    card = json.loads(metadata["card"])
    changes = {
        "trained with versions": {"versions": {**card["versions"], "observations": 99}},
        "holds no weights": {"format": "other"},
        "does not fit": {"network": {**card["network"], "width": 20}},
        "does not fit.*'<'": {"temperature": "cold"},
        "must be a number above 0, not 0": {"temperature": 0},
    }
    for said, change in changes.items():
        save_file(tensors, tmp_path / "w", {"card": json.dumps({**card, **change})})
        with pytest.raises(ValueError, match=said):
            load_network(tmp_path / "w")


def test_the_learned_dwarf_plays_what_its_network_says(undisturbed):
    agent = make_agent(f"ppo:{undisturbed / 'weights.safetensors'}")
    assert agent.card["training"]["decisions"] >= 4000
    assert agent.card["training"]["machine"] == machine()
    assert {row["players"] for row in agent.card["evaluation"]} == {3, 4}
    game = Game(4, seed=3, rounds=1)
    played = {}
    while not game.round_over:
        view = game.view(game.seat)
        probabilities = agent.probabilities(view)
        assert list(probabilities) == sorted(probabilities)
        assert set(probabilities) <= set(game.legal_moves())
        assert sum(probabilities.values()) == pytest.approx(1)
        beliefs = agent.beliefs(view)
        assert len(beliefs) == 4
        assert beliefs[view.seat] == (view.role == "saboteur")
        assert all(0 <= belief <= 1 for belief in beliefs)
        assert agent.act(view, 5) == agent.act(view, 5)
        played = {agent.act(view, seed) for seed in range(20)} | {*played} if len(probabilities) > 3 else played
        game.play(agent.act(view, 5))
    assert len(played) > 3
    with pytest.raises(ValueError, match="not to move"):
        agent.act(game.view(0), 1)


def test_the_colder_the_more_it_plays_what_it_likes_best(undisturbed, tmp_path):
    path = undisturbed / "weights.safetensors"
    game = Game(4, seed=3, rounds=1)
    view = game.view(game.seat)
    plain, cold = Ppo(path), Ppo(path, 0.5)
    probabilities, colder = plain.probabilities(view), cold.probabilities(view)
    squares = sum(rng**2 for rng in probabilities.values())
    assert colder == pytest.approx({text: probability**2 / squares for text, probability in probabilities.items()})
    frozen = Ppo(path, 1e-9)
    assert {probabilities[frozen.act(view, seed)] for seed in range(9)} == {max(probabilities.values())}
    vec = make_vec(64, 4, 3, mask=None, settings=load_config("small", TINY).settings_of(CurriculumStage()))
    likes = plain.network(*inputs_of(vec)).logits.detach()
    assert torch.equal(likes.gather(1, frozen.act_batch(inputs_of(vec))[:, None])[:, 0], likes.amax(1))
    tensors, metadata = read_tensors(path)
    card = {**json.loads(metadata["card"]), "temperature": 0.5}
    save_file(tensors, tmp_path / "w", {"card": json.dumps(card)})
    assert Ppo(tmp_path / "w").probabilities(view) == colder
    with pytest.raises(ValueError, match="above 0, not 0"):
        Ppo(path, 0)


def test_playing_loads_neither_trainer_nor_stable_baselines3(undisturbed):
    code = (
        "import sys; from saboteur_env import Game; from saboteur_env.agents.registry import make_agent;"
        "game = Game(3, seed=1); agent = make_agent('ppo:' + sys.argv[1]); agent.act(game.view(game.seat), 1);"
        "assert not {'stable_baselines3', 'sb3_contrib', 'pickle5'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code, str(undisturbed / "weights.safetensors")], check=True)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("learning.epoch=3", "no setting learning.epoch"),
        ("games=1", "cannot hold"),
        ('curriculum=[{without = ["y"]}]', "begins with 'y'"),
        ("league.mixed=0.7", "more than 1 together"),
        ("stock=true", "a stock run has one stage, and no shares"),
        ("league.keep=1", "keep from 2"),
        ("curriculum=[{start = 0.5}]", "start at 0"),
        ("settings.window=huge", "window"),
        ('opponents.pool=["nobody"]', "no dwarf 'nobody'"),
        ("games", "NAME=VALUE"),
        ("temperature=0.0", "above 0, not 0"),
        ("logit_scale=2.0", "1 without weights to begin from"),
        ("learning.regularizer=cubic", "one of entropy, log_barrier, not 'cubic'"),
        ("learning.ent_decay=cubic", "one of linear, exponential, not 'cubic'"),
        ("learning={ent_decay='exponential', final_ent_coef=0.0}", "needs ent_coef and final_ent_coef above 0"),
    ],
)
def test_bad_settings_are_refused(change, said):
    with pytest.raises(ValueError, match=said):
        load_config("small", [change])


def test_configs_are_sound_and_come_back_from_json():
    for name in ("smoke", "small", "default", "gpu", "finetune", "stock"):
        config = load_config(name)
        assert RunConfig.of_json(config.as_json()) == config
    with pytest.raises(ValueError, match="small"):
        load_config("nothing")


def test_the_bonus_falls_where_the_config_says_so():
    falling = Learning(ent_coef=0.1, final_ent_coef=0.02)
    assert [falling.at(left).ent_coef for left in (1.0, 0.5, 0.0)] == pytest.approx([0.1, 0.06, 0.02])
    assert {Learning(ent_coef=0.1).at(left).ent_coef for left in (1.0, 0.7, 0.1, 0.0)} == {0.1}


def test_an_exponential_bonus_falls_by_the_same_factor():
    falling = Learning(ent_coef=0.1, final_ent_coef=0.001, ent_decay="exponential")
    assert [falling.at(left).ent_coef for left in (1.0, 0.5, 0.0)] == pytest.approx([0.1, 0.01, 0.001])


def test_stages_follow_the_decisions(tmp_path):
    stages = """curriculum=[{options = {goal_cells = [[3, 0]]}, without = ["x", "break"]},
        {start = 0.5, options = {goal_cells = [[4, 0]]}}]"""
    config = load_config("small", [*TINY, " ".join(stages.split()), "evaluation.interval=0"])
    easy, printed = (config.settings_of(stage).rules.deck for stage in config.curriculum)
    assert (sum(easy), sum(printed)) == (67 - 9 - 9, 67)
    learner = train(config, tmp_path).learner
    assert learner.vec.settings.options == {"goal_cells": [[4, 0]]}
    assert len(learner.seating.snapshots.taken) == 2
    assert {line["rollout/stage"] for line in curve(tmp_path)} == {0, 1}
    assert np.isfinite(curve(tmp_path)[-1]["train/value_loss"])


def test_a_minute_of_training_beats_random_by_far(tmp_path):
    learner = train(load_config("smoke", ["threads=1"]), tmp_path).learner
    assert learner.decisions >= 60_000
    last = curve(tmp_path)[-1]
    assert last["judged_gain/miner_3"] > 0.4
    assert last["judged_gain/saboteur_3"] > 0.05
