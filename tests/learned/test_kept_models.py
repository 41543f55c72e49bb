"""Action models stay in the package when others are fitted, so that weights go on playing as they were trained."""

import shutil
from fnmatch import fnmatch
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

import saboteur_env
from saboteur_env.agents import Belief
from saboteur_env.agents.beliefs import action_model_file
from saboteur_env.agents.beliefs.action_model import ActionModel
from saboteur_env.agents.beliefs.action_model_file import (
    action_model_text,
    default_digest,
    file_name,
    fitted,
    kept_model,
)

ROOT = Path(__file__).parents[2]


@pytest.fixture
def models(tmp_path, monkeypatch):
    """The models of a package that a test may change."""
    folder = tmp_path / "package"
    shutil.copytree(action_model_file.MODELS, folder)
    monkeypatch.setattr(action_model_file, "MODELS", folder)
    return folder


def turned():
    """An action model with the opposite preferences of the default one."""
    old = fitted()
    return ActionModel(old.names, old.styles._replace(preference=-old.styles.preference))


def views():
    """What each seat to move sees in the first moves of a round."""
    game = saboteur_env.Game(players=5, seed=3, rounds=1)
    for step in range(16):
        yield game.view(game.seat)
        game.play(game.legal_moves()[step % len(game.legal_moves())])


def test_a_refit_is_the_new_default_and_the_old_model_stays(models):
    old, digest, new = fitted(), default_digest(), turned()
    file = action_model_file.keep_model(new)
    assert file.parent == models and file.read_text() == action_model_text(new)
    assert default_digest() == sha256(file.read_bytes()).hexdigest() != digest
    assert np.array_equal(fitted().styles.preference, -np.round(old.styles.preference, 3))
    assert np.array_equal(Belief().model.styles.preference, fitted().styles.preference)
    assert np.array_equal(kept_model(digest).styles.preference, old.styles.preference)


def test_after_a_refit_the_weights_of_the_package_play_as_before(models):
    ppo = pytest.importorskip("saboteur_env.agents.learned.ppo", reason="the learned extra is not installed")
    before, seen = ppo.Ppo(), list(views())
    wanted = [before.probabilities(view) for view in seen]
    action_model_file.keep_model(turned())
    after = ppo.Ppo()
    assert [after.probabilities(view) for view in seen] == wanted
    after.action_model = fitted()
    assert [after.probabilities(view) for view in seen] != wanted, "the network does not look at beliefs"


def test_weights_whose_model_is_missing_are_refused_until_it_lies_beside_them(models, tmp_path):
    ppo = pytest.importorskip("saboteur_env.agents.learned.ppo", reason="the learned extra is not installed")
    digest = default_digest()
    weights, file = tmp_path / "weights.safetensors", models / file_name(digest)
    shutil.copy(ppo.SHIPPED, weights)
    action_model_file.keep_model(turned())
    file.rename(tmp_path / "elsewhere")
    with pytest.raises(ValueError, match=rf"weights.*{file.name} is missing: .*put the file of that name there"):
        ppo.Ppo(weights)
    beside = tmp_path / file.name
    shutil.copy(tmp_path / "elsewhere", beside)
    assert action_model_text(ppo.Ppo(weights).action_model).encode() == beside.read_bytes()


def test_a_model_of_other_content_than_its_name_says_is_refused(models):
    file = models / file_name(default_digest())
    file.write_bytes(file.read_bytes() + b"\n")
    with pytest.raises(ValueError, match=f"{file.name} was changed"):
        fitted()


@pytest.mark.parametrize("digest", [None, 7, "", "../../secret", "D5" * 32])
def test_what_is_no_digest_names_no_model(digest):
    with pytest.raises(ValueError, match="64 hexadecimal digits"):
        kept_model(digest)


def test_the_package_carries_every_model():
    tomllib = pytest.importorskip("tomllib", reason="comes with Python 3.11")
    folder = ROOT / "agents"
    data = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    kept = [path.relative_to(folder) for path in (folder / "models").rglob("*") if path.is_file()]
    patterns = data["saboteur_env.agents"]
    assert Path("models/beliefs", file_name(default_digest())) in kept
    for path in kept:
        assert any(fnmatch(str(path), item) and item.count("/") == str(path).count("/") for item in patterns), path
