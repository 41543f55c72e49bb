"""Weights as ONNX: onnxruntime decides as torch does."""

import json

import numpy as np
import pytest

pytest.importorskip("onnx", reason="needs onnx (extra bridges)")
pytest.importorskip("onnxruntime", reason="needs onnxruntime (extra bridges)")
pytest.importorskip("torch", reason="needs the extra learned")
import onnxruntime
import torch

from saboteur_env import make_vec
from saboteur_env.agents.beliefs.tracker import BeliefTracker
from saboteur_env.agents.learned.inputs import inputs_of
from saboteur_env.agents.learned.onnx import export_onnx
from saboteur_env.agents.learned.ppo import SHIPPED, Ppo


def test_onnxruntime_plays_the_moves_of_the_shipped_weights(tmp_path):
    agent, file = Ppo(), export_onnx(SHIPPED, tmp_path / "ppo.onnx")
    session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
    assert json.loads(session.get_modelmeta().custom_metadata_map["card"])["window"] == agent.network.window
    settings = {"window": agent.network.window, "history": agent.network.history}
    vec = make_vec(5, [3, 4, 5, 7, 10], 1, 1, mask=None, **settings)
    tracker = BeliefTracker(vec, agent.action_model)
    for step in range(40):
        inputs = inputs_of(vec, tracker=tracker)
        with torch.inference_mode():
            expected = agent.network(*inputs)
        legal = vec.legal[:, : vec.legal_count.max()].astype(np.int64)
        seen = {"observation": vec.observation, "legal": legal, "suspects": inputs.suspects.numpy()}
        logits, value, roles = session.run(None, seen)
        beyond = np.arange(legal.shape[1]) >= vec.legal_count[:, None]
        logits[beyond] = -np.inf
        assert value == pytest.approx(expected.value.numpy(), abs=1e-4)
        assert roles == pytest.approx(expected.roles.numpy(), abs=1e-3)
        assert logits[~beyond] == pytest.approx(expected.logits.numpy()[~beyond], abs=1e-3)
        chosen = logits.argmax(1)
        assert np.array_equal(chosen, expected.logits.argmax(1).numpy())
        vec.take(chosen if step % 2 else vec.sample_indices(step))


def test_weights_that_cannot_be_used_are_refused(tmp_path):
    with pytest.raises(ValueError, match="cannot read"):
        export_onnx(tmp_path / "none", tmp_path / "none.onnx")
    assert not any(tmp_path.iterdir())
