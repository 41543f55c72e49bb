"""An action model comes back from a file as it was written. A file without one is refused with the reason."""

import json

import numpy as np
import pytest

from saboteur_env.agents.beliefs.action_model import ActionModel
from saboteur_env.agents.beliefs.action_model_file import (
    MODELS,
    action_model_text,
    default_digest,
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


def test_the_file_that_comes_along_is_small():
    assert FITTED.stat().st_size < 50_000


def without(data, *keys):
    for key in keys[:-1]:
        data = data[key]
    del data[keys[-1]]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda data: data.update(format="saboteur-action-model/0"),
            "this version reads 'saboteur-action-model/1': fit them again",
        ),
        (lambda data: data["action_types"].reverse(), "fitted for other action types or contexts"),
        (lambda data: data["types"][0]["preference"].popitem(), "fitted for other action types or contexts"),
        (lambda data: data["types"][0].update(role="elf"), "roles are miner, saboteur, not"),
        (lambda data: data["types"][0].update(share=0.9), "shares of the styles of a miner must add up to 1"),
        (
            lambda data: data.update(types=[item for item in data["types"] if item["role"] == "miner"]),
            "shares of the styles of a saboteur must add up to 1",
        ),
        (lambda data: data.update(types=data["types"] * 3), "from 1 to 8 styles with names of their own"),
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
