"""A model of stable-baselines3 as an agent: from a file, live, or as it was some time ago.

The window and the history are those of its spaces. Needs the extra `sb3`.
"""

from __future__ import annotations

from copy import deepcopy
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from saboteur_env.core.extras import extra

with extra("sb3"):
    import torch
    from sb3_contrib import MaskablePPO
    from torch import Tensor

from saboteur_env.core.checks import COUNTS, SEEDS, checked_int
from saboteur_env.engine.moves import text_of
from saboteur_env.engine.state import MAX_EVENTS
from saboteur_env.environment.actions import WINDOWS, Actions, action_of
from saboteur_env.environment.observations import Observations
from saboteur_env.game.view import View

from .inputs import PolicyInputs
from .network import pad_rows
from .player import PolicyPlayer, check_words


class Sb3Agent:
    """An agent that draws its moves as an actor-critic policy of stable-baselines3 does: MaskablePPO, PPO, A2C.

    Args:
        model: the live model, whose weights are those of the moment; or the file of a `MaskablePPO`. Such a file is
            unpickled, as stable-baselines3 does: load those you trust.

    Raises: ValueError for a file that cannot be loaded, and for the spaces of another environment.
    """

    def __init__(self, model: Any) -> None:
        self.name = str(model) if isinstance(model, str | Path) else type(model).__name__
        self.model = _load(model) if isinstance(model, str | Path) else model
        self.observations = observations_of(self.model.observation_space, self.model.action_space)
        self._dict = hasattr(self.model.observation_space, "spaces")
        self._codec = Actions(self.observations.window).codecs[0]

    @property
    def policy(self) -> Any:
        """The policy that plays."""
        return self.model.policy

    def in_batches(self, spec: Any) -> PolicyPlayer:
        """What plays for it in batches."""
        return PolicyPlayer(spec, self.observations, self.logits)

    def logits(self, inputs: PolicyInputs) -> Tensor:
        """The logits of the legal actions: float32[b, L], -inf beyond the count of each row."""
        seen: Any = inputs.observation.numpy()
        policy = self.policy
        tensors, _ = policy.obs_to_tensor(self.observations.split(seen) if self._dict else seen)
        policy.set_training_mode(False)
        scores = policy.get_distribution(tensors).distribution.logits.cpu()
        owner = torch.repeat_interleave(inputs.counts)
        return pad_rows(scores[owner, inputs.legal], owner, inputs.counts)

    def probabilities(self, view: View) -> dict[str, float]:
        """How likely it plays each move within its window.

        Raises: ValueError where the view's seat is not to move.
        """
        check_words(view.rules.talks, self.observations)
        moves = [(int(move), self._action(view, int(move))) for move in view.legal_numbers()]
        inside = {text_of(move): action for move, action in moves if action >= 0}
        if not inside:
            raise ValueError(f"seat {view.seat} is not to move")
        seen, legal = self.observations.observe(view)[None], np.array([*inside.values()])
        parts = (torch.from_numpy(part) for part in (seen, legal, np.array([len(legal)])))
        with torch.inference_mode():
            likely = self.logits(PolicyInputs(*parts))[0].double().softmax(0).tolist()
        return dict(sorted(zip(inside, likely, strict=True)))

    def act(self, view: View, seed: int) -> str:
        """The move it plays; the same weights, view and seed give the same.

        Raises: as `probabilities`; ValueError for a bad seed.
        """
        probabilities, rng = self.probabilities(view), np.random.default_rng(checked_int("seed", seed, SEEDS))
        return list(probabilities)[rng.choice(len(probabilities), p=list(probabilities.values()))]

    def _action(self, view: View, move: int) -> int:
        return int(action_of(move, view.seat, view.rules.players, self._codec))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.name}>"


class PastSelf(Sb3Agent):
    """A live model as it was at its last update here: self-play against a self that stands still for a while.

    Args:
        model: the model that learns.
        interval: timesteps of the model from one update to the next.

    Raises: ValueError for an interval below 1, and as `Sb3Agent`.
    """

    def __init__(self, model: Any, interval: int = 100_000) -> None:
        super().__init__(model)
        self.interval = checked_int("interval", interval, COUNTS)
        self._taken, self._past = model.num_timesteps, deepcopy(model.policy)

    @property
    def policy(self) -> Any:
        """The copy that plays, updated where it is due."""
        if not 0 <= self.model.num_timesteps - self._taken < self.interval:
            self._past.load_state_dict(self.model.policy.state_dict())
            self._taken = self.model.num_timesteps
        return self._past


def observations_of(observation_space: Any, action_space: Any) -> Observations:
    """The window and the history of a model, by its spaces.

    Raises: ValueError for spaces of another environment.
    """
    actions = (Actions(window, talk) for window, talk in product(WINDOWS, (False, True)))
    for fitting in [item for item in actions if item.count == getattr(action_space, "n", None)]:
        for history in range(MAX_EVENTS + 1):
            seen = Observations(fitting.window, history, fitting.talk)
            if observation_space in (seen.flat_space(), seen.space()):
                return seen
    raise ValueError(f"the model's spaces {observation_space} and {action_space} are none of this environment")


def _load(path: str | Path) -> Any:
    try:
        return MaskablePPO.load(path, device="cpu")
    except Exception as error:  # whatever a pickle raises
        raise ValueError(f"cannot load {path} as a MaskablePPO of stable-baselines3: {error}") from error
