"""Self-play of the small network: the learner of self_play.py, with other inputs and a critic that sees everything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from saboteur_env.agents.learned.network import NetworkConfig
from saboteur_env.agents.scripted.presets import network_dwarf
from saboteur_env.agents.scripted.small_network import weights_of
from saboteur_env.agents.search.critic import critic_bytes
from saboteur_env.environment.settings import Settings

from ...common.statistics import Row
from ..config import EvaluationConfig
from ..evaluation import play_dwarf_deals, rows_of, tables_of
from ..rollout import Reader
from ..self_play import SelfPlay
from .inputs import SmallReader
from .network import SmallNetwork


class SmallSelfPlay(SelfPlay):
    """The small network learns at every seat of a batch whose `legal` lists moves. Its weights play in kernels."""

    def _new_network(self, vec: Any, config: NetworkConfig) -> Any:
        return SmallNetwork()

    def _reader(self, vec: Any) -> Reader:
        return SmallReader(vec)

    def weights(self, card: Mapping[str, Any]) -> dict[str, bytes]:
        """See checkpoints.py. The policies play as `ppo-small:FILE`; the critics stand beside them."""
        return {
            "weights": weights_of(self.network.weights(), card),
            "critic": critic_bytes(self.network.judges(), card),
        }

    def evaluate(self, settings: Settings, config: EvaluationConfig, seed: int, threads: int | None) -> list[Row]:
        """As `evaluate_policy`."""
        dwarf = network_dwarf(self.network.weights())
        return rows_of(play_dwarf_deals(dwarf, settings, tables_of(config), config.opponent, seed), config)
