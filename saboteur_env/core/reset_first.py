"""The errors of a PettingZoo environment before its first reset."""

from __future__ import annotations

from typing import Any


class _OfAMatch:
    # Every reset sets this attribute; until then it is found here. `hasattr` needs an AttributeError.
    def __set_name__(self, owner: type[Any], name: str) -> None:
        self._name = name

    def __get__(self, env: Any, owner: type[Any]) -> Any:
        if env is None:
            raise AttributeError(f"{owner.__name__} has no attribute {self._name!r}")
        raise AttributeError(f"call reset() before {self._name}")


class ResetFirst:
    """Raises an error about a missing reset if a property of a match is used. It precedes `AECEnv` among the bases."""

    agents: Any = _OfAMatch()
    agent_selection: Any = _OfAMatch()
    rewards: Any = _OfAMatch()
    terminations: Any = _OfAMatch()
    truncations: Any = _OfAMatch()
    infos: Any = _OfAMatch()
    _cumulative_rewards: Any = _OfAMatch()

    def last(self, observe: bool = True) -> Any:
        """Observation, reward since its last decision, termination, truncation and info of the selected agent.

        Raises: RuntimeError before the first reset.
        """
        if "agents" not in self.__dict__:
            raise RuntimeError("call reset() before last()")
        return super().last(observe)  # type: ignore[misc]
