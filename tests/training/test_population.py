"""A population to train in: characters drawn at random inside the batch, shipped weights by name, doubting suspects."""

import numpy as np
import pytest

pytest.importorskip("tensorboard", reason="needs the extra train")

import torch

from saboteur_env import make_vec
from saboteur_env.agents.beliefs.action_model_file import digest_of
from saboteur_env.agents.learned.ppo import SHIPPED
from saboteur_env.agents.learned.weights import load_network
from saboteur_env.agents.matches.embedded import embedded_dwarfs
from saboteur_env.agents.scripted.presets import DWARFS, PRESETS, number_of
from saboteur_env.experiments.common.drawn_characters import drawn_characters
from saboteur_env.experiments.training.build import make_games, make_learner
from saboteur_env.experiments.training.config import load_config
from saboteur_env.experiments.training.opponents import MOST_DRAWN, League, Opponents, Snapshots

FEW = ["games=8", "learning.n_steps=4", "opponents.drawn=3", "init_from=ppo", "logit_scale=1.0"]
FIRST_DRAWN = -1 - len(PRESETS)


def played(controller, more):
    """The records of some games after a while, the learner drawn at random at one side."""
    vec = make_vec(6, 5, 3, mask=None, rounds=1, opponents=embedded_dwarfs(more))
    vec.control({"miners": 0, "saboteurs": controller})
    vec.begin(vec.episode)
    for step in range(12):
        vec.take(vec.sample_indices(step))
    return vec.records.tobytes()


def test_presets_play_alike_beside_further_dwarfs():
    drawn = drawn_characters(3, np.random.default_rng(1))
    assert played("patient", DWARFS[:0]) == played("patient", drawn)


def test_a_further_dwarf_plays_by_its_own_parameters():
    drawn = drawn_characters(1, np.random.default_rng(1))
    more = np.concatenate([drawn, DWARFS[[number_of("patient")]]])
    assert played(FIRST_DRAWN - 1, more) == played("patient", more)
    assert played(FIRST_DRAWN, more) != played("patient", more)


def test_drawn_characters_play_about_half_of_the_rounds():
    shares = {"opponents": (0.5, 0.5, 0, 0), "league": (0, 0, 0, 0)}
    names = ("miners", "saboteurs", "mixed", "seat")
    changes = [f"{part}.{name}={share}" for part in shares for name, share in zip(names, shares[part], strict=True)]
    config = load_config("small-network", ["games=400", "players=[5]", *changes])
    vec, _ = make_games(config, 0, Snapshots(League()))
    rival = vec.playing.min(1)
    assert {*rival[rival > FIRST_DRAWN].tolist()} == {-1 - number_of(name) for name in config.opponents.pool}
    assert 0.4 < (rival <= FIRST_DRAWN).mean() < 0.6
    assert len({*rival[rival <= FIRST_DRAWN].tolist()}) > config.opponents.drawn / 2


def test_a_run_begins_from_the_shipped_weights_by_name():
    network = make_learner(load_config("finetune", FEW), 0, torch.device("cpu")).network
    shipped = load_network(SHIPPED)[0].state_dict()
    assert all(torch.equal(weights, shipped[name]) for name, weights in network.state_dict().items())


def test_suspects_are_taken_from_the_action_model_of_the_config():
    learner = make_learner(load_config("finetune", [*FEW, "learning.action_model=doubting"]), 0, torch.device("cpu"))
    assert learner.action_model_name == digest_of("doubting") != digest_of("fitted")
    with pytest.raises(ValueError, match="no action model 'trusting'; there are fitted, doubting"):
        load_config("finetune", ["learning.action_model=trusting"])


def test_more_characters_than_a_batch_can_number_are_refused():
    with pytest.raises(ValueError, match=f"drawn must be from 0 to {MOST_DRAWN}, not {MOST_DRAWN + 1}"):
        Opponents(0.5, drawn=MOST_DRAWN + 1)
