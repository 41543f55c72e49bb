"""A trained network as a file of ONNX, to be played without torch. Needs the extra `bridges` to write.

Inputs are `observation` int8[b, bytes], `legal` int64[b, L], the legal actions of each decision, padded by any action,
and for networks that are told beliefs `suspects` float32[b, 10]. Outputs are `logits` float32[b, L], `value` float32[b]
and `roles` float32[b, 10], the logit of each seat to be a saboteur, from oneself clockwise.
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

from saboteur_env.core.extras import extra
from saboteur_env.core.files import write_whole

with extra("bridges"):
    import onnx

with extra("learned"):
    import torch
    from torch import Tensor, nn

from saboteur_env.engine.state import MAX_PLAYERS

from .network import Network
from .weights import load_network


def export_onnx(weights: str | Path, target: str | Path) -> Path:
    """Write weights (weights.py) as ONNX, their card as its metadata entry `card`.

    Raises: ValueError for weights that cannot be used here.
    """
    network, card = load_network(weights)
    return write_whole(Path(target), lambda draft: _write(network, card, draft))


def _write(network: Network, card: dict[str, Any], file: Path) -> None:
    width = sum(field.size for field in network.fields)
    inputs = [torch.zeros(2, width, dtype=torch.int8), torch.zeros(2, 3, dtype=torch.int64)]
    names = ["observation", "legal"]
    if network.config.suspects:
        inputs.append(torch.zeros(2, MAX_PLAYERS))
        names.append("suspects")
    outputs = ["logits", "value", "roles"]
    axes: dict[str, dict[int, str]] = {name: {0: "decisions"} for name in (*names, *outputs)}
    axes["legal"][1] = axes["logits"][1] = "actions"
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")  # of tracing: no branch of the network depends on its inputs
        torch.onnx.export(
            _Padded(network).eval(), tuple(inputs), str(file), dynamo=False, input_names=names,
            output_names=outputs, dynamic_axes=axes, opset_version=17,
        )  # fmt: skip
    model = onnx.load(str(file))
    onnx.helper.set_model_props(model, {"card": json.dumps(card)})
    onnx.save(model, str(file))


class _Padded(nn.Module):
    """A network whose decisions all have as many actions."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, observation: Tensor, legal: Tensor, suspects: Tensor | None = None) -> Any:
        owner = torch.arange(legal.shape[0])[:, None].expand_as(legal).flatten()
        scores, value, roles = self.network.score(observation, legal.flatten(), owner, suspects)
        return scores.view_as(legal), value, roles
