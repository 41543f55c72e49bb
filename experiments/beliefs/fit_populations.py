"""Fit the doubting action model: styles of several populations, that of the unknown among them.

Run as ``saboteur-env study fit-doubt``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt
import typer

from saboteur_env.agents.beliefs.action_model import ActionModel, PlayerTypes
from saboteur_env.agents.beliefs.action_model_file import action_model_text, fitted, keep_model
from saboteur_env.core.seeds import Purpose, deal_seed
from saboteur_env.engine.cards import ROLES
from saboteur_env.engine.editions import PLAYERS, Rules

from ..common.drawn_characters import drawn_characters
from ..common.options import Seed
from ..common.report import write_text
from .any_tables import play_any
from .fit_action_model import ActionDataset, Floats, Study, collect_actions, fit_preferences
from .mixed_tables import Rounds, play_dwarfs, play_rounds

STUDY = "fit-doubt"

Play = Callable[[Rules, npt.NDArray[np.uint64]], Rounds]

LEARNED = "ppo"
CHARACTERS_DRAWN = 60  # drawn at random
# How many dwarfs of a table are of each population, and how far its seats are pooled. Chosen by hand after 17 draws at
# random, by the log loss on other rounds of each population, of `ppo` without its population and of drawn characters
# without theirs.
POPULATION_SHARES = {"family": 0.35, "learned": 0.2, "random": 0.2, "drawn": 0.2, "anybody": 0.05}
POOLING = 2.0


@dataclass(frozen=True)
class Deals:
    """The deals that populations are fitted on.

    Attributes:
        rounds: for each number of players.
    """

    rounds: int = 500
    seed: int = 0
    players: tuple[int, ...] = tuple(PLAYERS)

    def acts(self, play: Play) -> ActionDataset:
        """What dwarfs did in these deals, by role: the styles are 0 for miners and 1 for saboteurs."""
        parts = []
        for players in self.players:
            seeds = np.array(
                [deal_seed(self.seed, Purpose.LEARNING, i, players) for i in range(self.rounds)], np.uint64
            )
            rounds = play(Rules.make(players, rounds=1), seeds)
            roles = rounds.games["private"]["role"].astype(np.int64)
            parts.append(collect_actions(rounds._replace(dwarfs=roles), fitted().styles))
        return joined(parts)


class Style(NamedTuple):
    """A style of play of a population.

    Attributes:
        preference: float64[contexts, acts].
    """

    name: str
    role: int
    share: float
    preference: Floats


def fit_populations(deals: Deals, learned: str = LEARNED) -> ActionModel:
    """The action model of the scripted family, of learned, random and drawn dwarfs, and of anybody.

    Args:
        learned: the agent that the learned population is.
    """
    drawn = drawn_characters(CHARACTERS_DRAWN, np.random.default_rng(deals.seed))
    plays: dict[str, Play] = {
        "family": lambda rules, seeds: play_rounds(rules, seeds, Study.miners, Study.saboteurs),
        "learned": lambda rules, seeds: play_any(rules, seeds, [learned], [learned]),
        "random": lambda rules, seeds: play_rounds(rules, seeds, ["random"], ["random"]),
        "drawn": lambda rules, seeds: play_dwarfs(rules, seeds, drawn, drawn),
    }
    acts = {population: deals.acts(play) for population, play in plays.items()}
    populations = {
        "family": known_styles(fitted()),
        "learned": styles_by_role("learned", acts["learned"]),
        "random": style_of_both("random", acts["random"]),
        "drawn": styles_by_role("drawn", acts["drawn"]),
        "anybody": style_of_both("anybody", joined(acts.values())),
    }
    return model_of(populations)


def known_styles(model: ActionModel) -> list[Style]:
    """The styles of a fitted model but those that like everything alike."""
    styles = model.styles
    known = [i for i in range(len(styles.share)) if np.ptp(styles.preference[i])]
    whole = [sum(styles.share[i] for i in known if styles.role[i] == role) for role in range(len(ROLES))]
    rows = ((model.names[i], int(styles.role[i]), float(styles.share[i]), styles.preference[i]) for i in known)
    return [Style(name, role, share / whole[role], preference) for name, role, share, preference in rows]


def styles_by_role(population: str, acts: ActionDataset) -> list[Style]:
    """A style for each role, fitted on what dwarfs of the role did."""
    preferences = fit_preferences(acts, len(ROLES))
    return [Style(f"{population} {name}", role, 1.0, preferences[role]) for role, name in enumerate(ROLES)]


def style_of_both(population: str, acts: ActionDataset) -> list[Style]:
    """One style that both roles share, so that it says nothing of a role."""
    (preference,) = fit_preferences(acts._replace(style=np.zeros_like(acts.style)), 1)
    return [Style(f"{population} {name}", role, 1.0, preference) for role, name in enumerate(ROLES)]


def model_of(populations: dict[str, list[Style]]) -> ActionModel:
    """The action model of styles by population, with the shares and the pooling of this study."""
    rows = [(*style, number) for number, styles in enumerate(populations.values()) for style in styles]
    weight = np.array([POPULATION_SHARES[population] for population, styles in populations.items() for _ in styles])
    names, roles, shares, preferences, numbers = zip(*rows, strict=True)
    types = PlayerTypes(np.array(preferences), np.array(roles), np.array(shares) * weight, np.array(numbers), POOLING)
    return ActionModel(names, types)


def joined(parts: Iterable[ActionDataset]) -> ActionDataset:
    """All acts of several parts."""
    return ActionDataset(*map(np.concatenate, zip(*parts, strict=True)))


def main(
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of each population for each number of players.")] = 500,
    seed: Seed = 0,
    learned: Annotated[str, typer.Option(help="The agent that the learned population is.")] = LEARNED,
    out: Annotated[Path, typer.Option(help="Folder for the action model.")] = Path("runs/doubt"),
    keep: Annotated[bool, typer.Option("--keep", help="Make this the doubting model of the package.")] = False,
) -> None:
    """Fit the doubting action model: scripted, learned, random and drawn dwarfs, and anybody.

    Writes action_model.json. `study doubt` evaluates it.
    """
    model = fit_populations(Deals(rounds, seed), learned)
    typer.echo(write_text(out / "action_model.json", action_model_text(model)))
    if keep:
        typer.echo(f"The doubting action model is now {keep_model(model, 'doubting')}", err=True)
