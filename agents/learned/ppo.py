"""The learned agent: a network with the weights of a file (weights.py). It samples its moves from the policy.

`ppo` uses the shipped weights (models/ppo), `ppo:FILE` other weights. It needs the extra `learned`: torch and
safetensors. It does not need the packages for training.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from saboteur_env.core.extras import extra

with extra("learned"):
    import torch
    from torch import Tensor

from saboteur_env.core.checks import SEEDS, checked_int
from saboteur_env.core.files import shipped
from saboteur_env.engine.moves import text_of
from saboteur_env.engine.state import MAX_PLAYERS
from saboteur_env.environment.actions import Actions, action_of
from saboteur_env.environment.observations import Observations
from saboteur_env.game.view import View

from ..beliefs.filter import Belief
from .inputs import PolicyInputs
from .network import PolicyOutput, sample
from .player import PolicyPlayer, check_words
from .weights import action_model_of, check_temperature, load_network

SHIPPED = shipped("saboteur_env.agents", "models/ppo/weights.safetensors")


class Ppo:
    """A learned dwarf for the validated single game. Threads may share it.

    Args:
        path: of its weights; those of the package if not given.
        temperature: above 0; the lower, the more often it plays what it likes best. That of the card if not given;
            at 1 it plays each move as often as it has learned to.

    Attributes:
        card: what the weights say of themselves.
        action_model: the one that the weights were trained with; None if the network has no belief inputs.

    Raises: ValueError for weights that cannot be used here, and for a temperature that is not above 0.
    """

    def __init__(self, path: str | Path = "", temperature: float | None = None) -> None:
        self.path = Path(path or SHIPPED)
        if not path and not SHIPPED.exists():
            raise ValueError("this package comes without trained weights: train some, and play them as ppo:FILE")
        self.network, self.card = load_network(self.path)
        self.action_model = action_model_of(self.path, self.network, self.card)
        self.temperature = self.card["temperature"] if temperature is None else temperature
        check_temperature(self.temperature)
        self._observations = Observations(self.network.window, self.network.history)
        self._frame = Actions(self.network.window).codecs[0]

    def __repr__(self) -> str:
        weights = "weights of the package" if self.path == SHIPPED else self.path.name
        return f"<Ppo: {weights}, temperature {self.temperature:g}>"

    def act(self, view: View, seed: int) -> str:
        """The move it plays; the same view and seed give the same.

        Raises: ValueError where the view's seat is not to move, and for a bad seed.
        """
        probabilities, random_key = self.probabilities(view), np.random.default_rng(checked_int("seed", seed, SEEDS))
        return list(probabilities)[random_key.choice(len(probabilities), p=list(probabilities.values()))]

    @torch.inference_mode()
    def act_batch(self, inputs: PolicyInputs, generator: torch.Generator | None = None) -> Tensor:
        """The index of the chosen action among the legal ones of each decision: int64[b].

        Args:
            generator: the source of randomness; torch's default if not given.
        """
        return sample(self.logits(inputs), generator)[0]

    def logits(self, inputs: PolicyInputs) -> Tensor:
        """The logits of the legal actions at its temperature: float32[b, L], -inf beyond the count of each row."""
        return self.network(*inputs).logits / self.temperature

    def in_batches(self, spec: Any) -> PolicyPlayer:
        """What plays for it in batches."""
        return PolicyPlayer(spec, self._observations, self.logits, self.action_model)

    def probabilities(self, view: View) -> dict[str, float]:
        """The probability of each move within its window.

        Raises: as `act`.
        """
        return self.probabilities_of([view])[0]

    def probabilities_of(self, views: Sequence[View]) -> list[dict[str, float]]:
        """`probabilities` of many views, in one pass through the network.

        Raises: as `act`.
        """
        for view in views:
            check_words(view.rules.talks, self._observations)
        texts, actions = zip(*map(self._moves, views), strict=True)
        for view, moves in zip(views, texts, strict=True):
            if not moves:
                raise ValueError(f"seat {view.seat} is not to move")
        rows = (self._look(views, actions).logits.double() / self.temperature).softmax(1).tolist()
        return [dict(sorted(zip(moves, row, strict=False))) for moves, row in zip(texts, rows, strict=True)]

    def beliefs(self, view: View) -> list[float | None]:
        """For each seat the probability that it is a saboteur; its own role is known."""
        others = self._look([view], [[0]]).roles[0].sigmoid().tolist()
        players, seat = view.rules.players, view.seat
        seen = [float(view.role == "saboteur"), *others[1:players]]
        return [seen[(other - seat) % players] for other in range(players)]

    def _moves(self, view: View) -> tuple[list[str], list[int]]:
        numbers = view.legal_numbers().tolist()
        actions = [action_of(number, view.seat, view.rules.players, self._frame) for number in numbers]
        inside = [(text_of(number), action) for number, action in zip(numbers, actions, strict=True) if action >= 0]
        return [text for text, _ in inside], [action for _, action in inside]

    @torch.inference_mode()
    def _look(self, views: Sequence[View], actions: Sequence[list[int]]) -> PolicyOutput:
        seen = torch.from_numpy(np.stack([self._observations.observe(view) for view in views]))
        suspects = torch.cat([self._suspects(view) for view in views]) if self.network.config.suspects else None
        counts = _integers([len(row) for row in actions])
        with one_thread():
            return self.network(*PolicyInputs(seen, _integers([*chain(*actions)]), counts, suspects))

    def _suspects(self, view: View) -> Tensor:
        saboteur, clockwise = Belief(self.action_model).of(view).saboteur, np.zeros((1, MAX_PLAYERS), np.float32)
        clockwise[0, : len(saboteur)] = np.roll(saboteur, -view.seat)
        return torch.from_numpy(clockwise)


def _integers(numbers: list[int]) -> Tensor:
    return torch.from_numpy(np.array(numbers, np.int64))  # on the CPU, whatever torch's default device is


_ALONE = threading.Lock()  # torch has one global number of threads: the code that sets it must reset it


@contextmanager
def one_thread() -> Iterator[None]:
    """Run torch on one thread: a single decision is too small for several, and threads wait long on a busy machine."""
    with _ALONE:
        before = torch.get_num_threads()
        torch.set_num_threads(1)
        try:
            yield
        finally:
            torch.set_num_threads(before)
