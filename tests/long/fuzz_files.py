"""Files that may be damaged or forged: checkpoints of a training run, and trained weights with their cards."""

import json
import tempfile
from functools import cache
from pathlib import Path

import torch
from safetensors.torch import load, save

from saboteur_env.agents.learned.network import Network, NetworkConfig
from saboteur_env.agents.learned.weights import load_network, weights_of
from saboteur_env.core.versions import VERSIONS
from saboteur_env.experiments.training.checkpoints import FORMAT, _digest, read_checkpoint
from tests.long.fuzz_doors import refused
from tests.long.fuzz_inputs import junk, mutated


@cache
def _folder():
    return tempfile.TemporaryDirectory()


def _read(read, content):
    path = Path(_folder().name) / "file.safetensors"
    path.write_bytes(content)
    try:
        return read(path)
    except ValueError as error:
        assert refused(error) and "file.safetensors" in str(error)
        return None


@cache
def _weights():
    shape = NetworkConfig(channels=2, width=4, seat=2, choice=2)
    return weights_of(Network("small", 4, shape), {"temperature": 0.5})


@cache
def _checkpoint():
    tensors = {"network.weight": torch.zeros(2, 3), "chance.cpu": torch.zeros(5, dtype=torch.uint8)}
    data = {"format": FORMAT, "versions": VERSIONS, "counters": {"decisions": 5, "updates": 2}, "batch_seed": 3}
    text = json.dumps(data)
    return save(tensors, {"data": text, "digest": _digest(tensors, text)})


def _damaged(rng, content):
    """Some bytes lost, changed or doubled, in the header more often than not."""
    content = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 5])):
        at = rng.randrange(rng.choice([8, 200, len(content)]))
        content[at : at + rng.choice([0, 1, 1, 30])] = rng.choice(
            [b"", b"\x00", b"\xff", bytes([rng.randrange(256)]), b'"']
        )
    return bytes(content[: rng.choice([len(content), len(content), rng.randint(0, len(content))])])


def _forged(rng, content, name, sealed):
    """Another JSON part in the same file; `sealed` with a digest that fits it."""
    tensors, data = load(content), json.loads(_metadata(content)[name])
    data = rng.choice([mutated(rng, data), mutated(rng, data), junk(rng)])
    text = json.dumps(data) if rng.random() < 0.9 else rng.choice(["", "{", "[" * 10**5])
    return save(tensors, {name: text, **({"digest": _digest(tensors, text)} if sealed else {})})


def _metadata(content):
    size = int.from_bytes(content[:8], "little")
    return json.loads(content[8 : 8 + size])["__metadata__"]


def a_card(rng):
    content = _forged(rng, _weights(), "card", sealed=False) if rng.random() < 0.7 else _damaged(rng, _weights())
    return _read(load_network, content) is not None


def a_checkpoint(rng):
    sealed = rng.random() < 0.5
    content = _forged(rng, _checkpoint(), "data", True) if sealed else _damaged(rng, _checkpoint())
    return _read(read_checkpoint, content) is not None
