"""A trained network as a file to share: safetensors, with a JSON card that describes it.

Loading executes nothing of the file. The card holds `format`, `versions` of observations and actions, `window`,
`history` and `shape` of the network, the digest of the `fitted` action model behind its belief inputs, the
`temperature` at which it plays, and further metadata: the training record and the evaluation.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from saboteur_env.core.extras import extra

with extra("learned"):
    import torch
    from safetensors import SafetensorError, safe_open
    from safetensors.torch import save
    from torch import Tensor

from saboteur_env.core.schema import shown
from saboteur_env.core.versions import VERSIONS

from ..beliefs.action_model import ActionModel
from ..beliefs.action_model_file import default_digest, kept_model
from .network import Network, NetworkConfig

FORMAT = "saboteur-network/2"
_BEFORE = "saboteur-network/1"
_CHANGED = f"Its card calls `network` shape and `action_model` habits; {FORMAT} also renames settings (CHANGELOG.md)"


def weights_of(network: Network, facts: Mapping[str, Any]) -> bytes:
    """A network and its card as the bytes of a file.

    Args:
        facts: what else the card is to say, as JSON data.
    """
    card = {
        "format": FORMAT,
        "versions": VERSIONS,
        "window": network.window,
        "history": network.history,
        "network": asdict(network.config),
        "action_model": default_digest() if network.config.suspects else None,
        **facts,
    }
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in network.state_dict().items()}
    return save(tensors, {"card": json.dumps(card)})


def load_network(path: str | Path) -> tuple[Network, dict[str, Any]]:
    """A network and its card.

    Raises: ValueError for a file that is damaged, none of ours, or made for another version of observations or actions,
        or trained with an action model that is missing.
    """
    tensors, metadata = read_tensors(path)
    try:
        card = json.loads(metadata["card"])
        if card["format"] not in (FORMAT, _BEFORE):
            raise KeyError("format")
    except (KeyError, TypeError, ValueError, RecursionError):
        raise ValueError(f"{path} holds no weights of this library ({FORMAT})") from None
    if card["format"] == _BEFORE:
        raise ValueError(f"{path} is of format {_BEFORE}. {_CHANGED}")
    if card.get("versions") != VERSIONS:
        raise ValueError(f"{path} was trained with versions {shown(card.get('versions'))}; this library has {VERSIONS}")
    try:
        result = card["window"], card["history"], NetworkConfig(**card["network"])
        with torch.device("meta"):  # without memory, as the card may tell of any size
            _check_sizes(Network(*result), tensors)
        network = Network(*result)
        network.load_state_dict(tensors)
        check_temperature(card.setdefault("temperature", 1.0))
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise ValueError(f"{path} does not fit the network of its card: {error}") from None
    action_model_of(path, network, card)
    return network.eval(), card


def _check_sizes(network: Network, tensors: Mapping[str, Tensor]) -> None:
    wanted = {name: tuple(tensor.shape) for name, tensor in network.state_dict().items()}
    there = {name: tuple(tensor.shape) for name, tensor in tensors.items()}
    wrong = sorted(name for name in wanted.keys() | there.keys() if wanted.get(name) != there.get(name))
    if wrong:
        raise ValueError(f"the sizes of {', '.join(wrong[:3])} are others")


def check_temperature(temperature: float) -> None:
    """Raises: ValueError for a temperature that is not above 0."""
    if not 0 < temperature < math.inf:
        raise ValueError(f"temperature must be a number above 0, not {temperature}")


def action_model_of(path: str | Path, network: Network, card: Mapping[str, Any]) -> ActionModel | None:
    """The action model that weights were trained with: of the package, or of a file beside the weights.

    Returns: None for a network without belief inputs.

    Raises: ValueError for a model that cannot be had, with what to do.
    """
    digest = card.get("action_model")
    if not network.config.suspects and digest is None:
        return None
    try:
        if not network.config.suspects:
            raise ValueError("its card names an action model, but its network has no belief inputs")
        return kept_model(digest, Path(path).parent)
    except ValueError as error:
        raise ValueError(f"{path} cannot be played: {error}") from None


def read_tensors(path: str | Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    """All tensors and the metadata of a safetensors file. Raises: ValueError where it cannot be read as one."""
    try:
        with safe_open(path, "pt") as file:
            return {name: file.get_tensor(name) for name in file.keys()}, file.metadata() or {}  # noqa: SIM118
    except (OSError, SafetensorError) as error:
        raise ValueError(f"cannot read {path} as safetensors: {error}") from None
