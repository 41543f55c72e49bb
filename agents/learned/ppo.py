"""The learned agent: a network with the weights of a file (weights.py). It samples its moves from the policy.

`ppo` uses the shipped weights (models/ppo), `ppo:FILE` other weights. It needs the extra `learned`: torch and
safetensors. It does not need the packages for training.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from saboteur_env.core.extras import extra

with extra("learned"):
    import torch
    from torch import Tensor

from saboteur_env.core.checks import SEEDS, checked_int
from saboteur_env.core.files import shipped
from saboteur_env.engine.legal import MAX_MOVES
from saboteur_env.engine.moves import text_of
from saboteur_env.engine.state import CHOOSE_CLAIM
from saboteur_env.environment.actions import Actions
from saboteur_env.environment.observations import Observations
from saboteur_env.game.view import View

from ..beliefs.filter import Belief
from .inputs import PolicyInputs
from .network import sample
from .player import PolicyPlayer, moves_in_window
from .single import Integers, SingleOutput, single_forward
from .weights import action_model_of, check_temperature, load_network

SHIPPED = shipped("saboteur_env.agents", "models/ppo/weights.safetensors")

_text = lru_cache(1 << 12)(text_of)  # legal moves come again


class Ppo:
    """A learned dwarf for the validated single game. Threads may share it.

    Args:
        path: of its weights; those of the package if not given.
        temperature: above 0; the lower, the more often it plays what it likes best. That of the card if not given;
            at 1 it plays each move as often as it has learned to.

    Attributes:
        card: what the weights say of themselves.
        action_model: the one that the weights were trained with; None if the network has no belief inputs.
        forward: computes the outputs for single views.

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
        self._codecs = Actions(self.network.window).codecs
        self.forward = single_forward(self.network)

    def __repr__(self) -> str:
        weights = "weights of the package" if self.path == SHIPPED else self.path.name
        return f"<Ppo: {weights}, temperature {self.temperature:g}>"

    def act(self, view: View, seed: int) -> str:
        """The move it plays; the same view and seed give the same.

        Raises: ValueError where the view's seat is not to move, and for a bad seed.
        """
        probabilities, random_key = self.probabilities(view), np.random.default_rng(checked_int("seed", seed, SEEDS))
        limits = np.cumsum([*probabilities.values()])
        return list(probabilities)[int((limits / limits[-1]).searchsorted(random_key.random(), "right"))]

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
        """The probability of each move within its window. At a table that talks it says nothing and hears nothing.

        Raises: as `act`.
        """
        if view.public.choice == CHOOSE_CLAIM:
            return dict.fromkeys(view.quiet_moves(), 1.0)
        view = view.without_words()
        moves, actions = self._moves(view)
        if not len(moves):
            raise ValueError(f"seat {view.seat} is not to move")
        logits = self._look(view, actions).logits / self.temperature
        shares = np.exp(logits.astype(np.float64) - logits.max())
        return dict(sorted(zip(map(_text, moves.tolist()), (shares / shares.sum()).tolist(), strict=True)))

    def beliefs(self, view: View) -> list[float | None]:
        """For each seat the probability that it is a saboteur; its own role is known."""
        roles = self._look(view.without_words(), np.zeros(1, np.int64)).roles.astype(np.float64)
        players, seat = view.rules.players, view.seat
        seen = [float(view.role == "saboteur"), *(0.5 + 0.5 * np.tanh(roles[1:players] / 2)).tolist()]
        return [seen[(other - seat) % players] for other in range(players)]

    def _moves(self, view: View) -> tuple[Integers, Integers]:
        # The legal moves within the window, and their actions.
        (actions, moves), count = np.empty((2, MAX_MOVES), np.int64), 0
        if view.turn == view.seat:
            count = moves_in_window(view.info_state, self._codecs, np.empty(MAX_MOVES, np.int32), actions, moves)
        return moves[:count], actions[:count]

    def _look(self, view: View, actions: Integers) -> SingleOutput:
        suspects = Belief(self.action_model).clockwise(view) if self.network.config.suspects else None
        return self.forward(self._observations.observe(view), actions, suspects)
