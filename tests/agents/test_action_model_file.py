"""An action model comes back from a file as it was written. A file without one is refused with the reason."""

import json

import numpy as np
import pytest

from saboteur_env.agents.beliefs.action_model import ActionModel
from saboteur_env.agents.beliefs.action_model_file import (
    MODELS,
    action_model_text,
    default_digest,
    doubting,
    file_name,
    fitted,
    read_action_model,
)

FITTED = MODELS / file_name(default_digest())


def test_action_model_come_back_as_they_were_written(tmp_path):
    (tmp_path / "action_model.json").write_text(action_model_text(fitted()))
    again = read_action_model(tmp_path / "action_model.json")
    assert again.names == fitted().names
    assert all(map(np.array_equal, again.styles, fitted().styles))
    assert action_model_text(fitted()) == FITTED.read_text()


def test_populations_come_back_as_they_were_written(tmp_path):
    (tmp_path / "doubting.json").write_text(action_model_text(doubting()))
    again = read_action_model(tmp_path / "doubting.json")
    assert again.names == doubting().names
    assert all(map(np.array_equal, again.styles, doubting().styles))
    assert again.styles.pooling > 0
    assert fitted().styles.pooling == 0
    assert len(set(again.styles.population.tolist())) == 5


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: data["types"][0].update(population=1), "a population has the same share among both roles"),
        (lambda data: data["types"][0].update(population=16), "populations are numbers below 16"),
        (lambda data: data["types"][0].update(population=0.5), "populations are numbers below 16"),
        (lambda data: data.update(pooling=-1), "pooling must be 0 or more, not -1"),
        (lambda data: without(data, "pooling"), "holds no action model: KeyError"),
    ],
)
def test_populations_that_are_none_are_refused(change, said, tmp_path):
    data = json.loads(action_model_text(doubting()))
    change(data)
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(data))
    with pytest.raises(ValueError, match=said):
        read_action_model(path)


def test_the_files_that_come_along_are_small():
    assert all(path.stat().st_size < 60_000 for path in MODELS.iterdir())


def without(data, *keys):
    for key in keys[:-1]:
        data = data[key]
    del data[keys[-1]]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda data: data.update(format="saboteur-action-model/0"),
            "reads 'saboteur-action-model/1' and 'saboteur-action-model/2': fit them again",
        ),
        (lambda data: data["action_types"].reverse(), "fitted for other action types or contexts"),
        (lambda data: data["types"][0]["preference"].popitem(), "fitted for other action types or contexts"),
        (lambda data: data["types"][0].update(role="elf"), "roles are miner, saboteur, not"),
        (lambda data: data["types"][0].update(share=0.9), "shares of the styles of a miner must add up to 1"),
        (
            lambda data: data.update(types=[item for item in data["types"] if item["role"] == "miner"]),
            "shares of the styles of a saboteur must add up to 1",
        ),
        (lambda data: data.update(types=data["types"] * 3), "from 1 to 16 styles with names of their own"),
        (lambda data: without(data, "types", 0, "name"), "holds no action model: KeyError"),
        (
            lambda data: data["types"][0]["preference"].update({key: [1] for key in data["types"][0]["preference"]}),
            "inhomogen",
        ),
        (lambda data: data["types"][1].update(share=float("nan")), "share must be numbers"),
    ],
)
def test_a_file_of_no_action_model_is_refused(change, said, tmp_path):
    data = json.loads(FITTED.read_text())
    change(data)
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(data))
    with pytest.raises(ValueError, match=said) as refused:
        read_action_model(path)
    assert str(path) in str(refused.value)


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    (tmp_path / "half.json").write_text('{"format": ')
    for name in ("none.json", "half.json"):
        with pytest.raises(ValueError, match=f"cannot read an action model from .*{name}"):
            read_action_model(tmp_path / name)


def test_action_model_of_the_wrong_shape_are_refused():
    names, styles = fitted().names, fitted().styles
    with pytest.raises(
        ValueError, match=r"preference must be numbers of shape \(\d+, 16, 21\), not of \(\d+, 15, 21\)"
    ):
        ActionModel(names, styles._replace(preference=styles.preference[:, 1:]))
