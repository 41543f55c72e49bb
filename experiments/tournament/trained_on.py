"""The rules that learned weights were trained on, read from their card, compared with the rules they are to play."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from saboteur_env.agents.registry import make_agent
from saboteur_env.engine.editions import PLAYERS, Rules
from saboteur_env.terminal import options as read_options
from saboteur_env.terminal import parse_players


@dataclass(frozen=True)
class TrainedOn:
    """The settings at the end of a training run.

    Attributes:
        options: switches besides the edition, the mine and the deck among them (docs/rules.md, section 8).
    """

    players: tuple[int, ...] = tuple(PLAYERS)
    edition: str = "lv"
    options: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of_card(cls, card: Any) -> TrainedOn | None:
        """The settings on a card (agents/learned/weights.py); None where it does not tell them."""
        try:
            config = card["training"]["config"]
            from ..training.config import CurriculumStage  # needs torch

            stage = CurriculumStage(**[{}, *config.get("curriculum", config.get("stages", []))][-1])
            stage = replace(stage, without=tuple(stage.without))  # JSON knows no tuples
            result = cls(tuple(config["players"]), config["settings"].get("edition", "lv"), stage.rules)
            for players in result.players:
                result.rules(players)
        except (AttributeError, KeyError, TypeError, ValueError):
            return None
        return result

    def rules(self, players: int, rounds: int = 1) -> Rules:
        """The rules for a number of players. Raises: ValueError where these do not allow it."""
        return Rules.make(players, self.edition, rounds, self.options)

    def has(self, rules: Rules) -> bool:
        """Whether these rules were met in training."""
        return rules.players in self.players and self.rules(rules.players, rules.rounds) == rules

    def __str__(self) -> str:
        options = {**self.options}
        deck = f", a deck of {sum(options.pop('deck').values())} cards" if "deck" in options else ""
        said = "".join(f", {name}={json.dumps(value)}" for name, value in options.items())
        return f"{', '.join(map(str, self.players))} players, edition {self.edition}{deck}{said}"


def trained_on(file: Path) -> TrainedOn:
    """The settings on the card of a file of weights (extra `learned`).

    Raises: ValueError where the file cannot be read, or its card does not tell them.
    """
    from saboteur_env.agents.learned.weights import load_network

    result = TrainedOn.of_card(load_network(file)[1])
    if result is None:
        raise ValueError(f"the card of {file} does not tell the players, edition and options of its training")
    return result


def rules_like(
    file: Path | None, players: str, edition: str, option: Iterable[str], otherwise: TrainedOn
) -> tuple[tuple[int, ...], tuple[str, ...], dict[str, Any]]:
    """Numbers of players, editions and options of a command: as its texts say, or else as the weights were trained.

    Args:
        file: weights; None for `otherwise`.
        players, edition: as for `saboteur-env tournament`; empty if not given.
        option: texts NAME=JSON.

    Raises: ValueError as `trained_on`, BadParameter as the functions of terminal.py.
    """
    known = trained_on(file) if file else otherwise
    counts = parse_players(players) if players else known.players
    editions = tuple(edition.split(",")) if edition else (known.edition,)
    return counts, editions, {**known.options, **read_options(option)}


def strange_rules(agents: Iterable[str], played: Iterable[Rules]) -> list[str]:
    """A line for each agent whose card tells of other rules or numbers of players than those played."""
    rules, lines = list(played), []
    for name in agents:
        known = TrainedOn.of_card(getattr(make_agent(name), "card", None))
        if known and not all(known.has(item) for item in rules):
            lines.append(f"{name} was trained with {known}; it meets other rules here (--like FILE plays those)")
    return lines
