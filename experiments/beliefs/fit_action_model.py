"""Fit the action model (action_model.py) on self-play, and evaluate beliefs on other deals.

Run as ``saboteur-env study beliefs``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import typer
from scipy.optimize import minimize

from saboteur_env.agents.beliefs.action_model import TRACE, ActionModel, PlayerTypes, begin, update_action
from saboteur_env.agents.beliefs.action_model_file import action_model_text, keep_model
from saboteur_env.agents.beliefs.action_types import ACTION_TYPES, CONTEXTS
from saboteur_env.core.compiled.jit import kernel
from saboteur_env.core.seeds import Purpose, deal_seed
from saboteur_env.engine.cards import MINER, ROLES, SABOTEUR, TREASURE
from saboteur_env.engine.editions import EDITIONS, PLAYERS, Rules
from saboteur_env.engine.moves import PASS, move_of, seat_of, verb_of
from saboteur_env.engine.state import Games, blank
from saboteur_env.inference.rewind import replay, rewind

from ..common.options import Seed
from ..common.report import need_report_extra, write_csv, write_text
from .belief_scores import THIRDS, page, score_beliefs, score_rows, turn_rows
from .calibration import plot_by_turn, plot_reliability
from .mixed_tables import Rounds, play_rounds

STUDY = "beliefs"

Floats = npt.NDArray[np.float64]

PASSES = 2  # who looks honest depends on the action model themselves: at first everybody looks like either
RIDGE = 0.5  # of a squared preference, in nats
STRANGERS = 0.05  # share of dwarfs of either role that may do anything: unknown styles give no strong evidence


@dataclass(frozen=True)
class Study:
    """The rounds of the study: rounds to fit on, and others to evaluate beliefs on.

    Attributes:
        fitted, evaluated: rounds for each number of players and edition.
        miners, saboteurs: the family, by name (agents/scripted/presets.py): every seat draws one for its role.
    """

    fitted: int = 200
    evaluated: int = 100
    miners: tuple[str, ...] = ("loyal", "careless")
    saboteurs: tuple[str, ...] = ("blatant", "patient", "two-faced")
    seed: int = 0
    players: tuple[int, ...] = tuple(PLAYERS)
    editions: tuple[str, ...] = tuple(EDITIONS)

    def seeds(self, edition: str, players: int) -> tuple[list[int], list[int]]:
        """The seeds of the deals to fit on and of those to evaluate on."""
        cell = len(PLAYERS) * list(EDITIONS).index(edition) + players
        fitted = [deal_seed(self.seed, Purpose.LEARNING, i, cell) for i in range(self.fitted)]
        return fitted, [deal_seed(self.seed, Purpose.BELIEFS, i, cell) for i in range(self.evaluated)]

    def play(self, evaluated: bool) -> Iterator[tuple[str, Rounds]]:
        """The rounds of each edition and number of players.

        Raises: ValueError for an unknown dwarf.
        """
        for edition, players in product(self.editions, self.players):
            seeds = np.array(self.seeds(edition, players)[evaluated], np.uint64)
            yield edition, play_rounds(Rules.make(players, edition, 1), seeds, self.miners, self.saboteurs)


class ActionDataset(NamedTuple):
    """Acts of dwarfs whose style is known, as `ActionModel` looks at them.

    Attributes:
        style, context, action: int64[n].
        held: float64[n, acts], the chance that the hand allowed each act.
    """

    style: Any
    context: Any
    action: Any
    held: Any


def fit(study: Study) -> ActionModel:
    """The action model of a family: its dwarfs are the types, and one more of each role likes everything alike."""
    rounds = [played for _, played in study.play(evaluated=False)]
    names = (*study.miners, *study.saboteurs, *(f"any {role}" for role in ROLES))
    miners, saboteurs, known = len(study.miners), len(study.saboteurs), 1 - STRANGERS
    sizes = miners, saboteurs, 1, 1
    role = np.repeat([MINER, SABOTEUR, MINER, SABOTEUR], sizes)
    share = np.repeat([known / miners, known / saboteurs, STRANGERS, STRANGERS], sizes)
    likes = np.zeros((len(names), len(CONTEXTS), len(ACTION_TYPES)))
    styles = PlayerTypes(likes, role, share, np.zeros_like(role), 0.0)
    for _ in range(PASSES):
        actions = ActionDataset(
            *map(np.concatenate, zip(*(collect_actions(item, styles) for item in rounds), strict=True))
        )
        styles = styles._replace(preference=fit_preferences(actions, len(names)))
    return ActionModel(names, styles)


def collect_actions(rounds: Rounds, styles: PlayerTypes) -> ActionDataset:
    """All actions of finished rounds. The given styles decide who looks honest."""
    size = int(rounds.games["public"]["event_count"].sum())
    style, context, act = np.empty((3, size), np.int64)
    actions = ActionDataset(style, context, act, np.empty((size, len(ACTION_TYPES))))
    done = _collect_actions(rounds.games, rounds.dwarfs, styles, blank(), np.zeros(1, TRACE), actions)
    return ActionDataset(*(column[:done] for column in actions))


@kernel
def _collect_actions(
    games: Games, dwarfs: Any, styles: PlayerTypes, scratch: Games, traces: Any, actions: ActionDataset
) -> int:
    game, trace, done = scratch[0], traces[0], 0
    for i in range(len(games)):
        public, treasure = games[i].public, treasure_of(games[i])
        begin(trace)
        rewind(public, game)
        for j in range(public.event_count):
            event = np.int64(public.events[j])
            update_action(game.public, event, styles, trace)
            if verb_of(move_of(event)) < PASS:
                actions.style[done] = dwarfs[i, seat_of(event)]
                actions.context[done] = trace.choices.context[treasure]
                actions.action[done] = trace.choices.act[treasure]
                actions.held[done] = trace.choices.held[treasure]
                done += 1
            replay(game, event)
    return done


@kernel
def treasure_of(game: Any) -> int:
    """The goal with the treasure."""
    goal = 0
    while game.secret.face[goal] != TREASURE:
        goal += 1
    return goal


def fit_preferences(actions: ActionDataset, styles: int) -> Floats:
    """How much each style likes each act: the likeliest, with a ridge: float64[styles, contexts, acts]."""
    preference = np.zeros((styles, len(CONTEXTS), len(ACTION_TYPES)))
    for style, context in product(range(styles), range(len(CONTEXTS))):
        here = (actions.style == style) & (actions.context == context)
        preference[style, context] = _likeliest(actions.action[here], actions.held[here])
    return preference


def _likeliest(act: Any, held: Floats) -> Floats:
    done = np.bincount(act, minlength=len(ACTION_TYPES))

    def loss(preference: Floats) -> tuple[float, Floats]:
        weight = held * np.exp(preference)
        total = weight.sum(axis=1)
        slope = (weight / total[:, None]).sum(axis=0) - done + 2 * RIDGE * preference
        return float(np.log(total).sum() - done @ preference + RIDGE * preference @ preference), slope

    return minimize(loss, np.zeros(len(ACTION_TYPES)), jac=True, method="L-BFGS-B").x


def main(
    fitted: Annotated[int, typer.Option(min=1, help="Rounds to fit on, for each number of players and edition.")] = 200,
    evaluated: Annotated[int, typer.Option(min=1, help="Other rounds to evaluate on, for each.")] = 100,
    miners: Annotated[str, typer.Option(help="Dwarfs that play miners.")] = ",".join(Study.miners),
    saboteurs: Annotated[str, typer.Option(help="Dwarfs that play saboteurs.")] = ",".join(Study.saboteurs),
    seed: Seed = 0,
    out: Annotated[Path, typer.Option(help="Folder for the action model and the measurements.")] = Path(
        "results/beliefs"
    ),
    keep: Annotated[bool, typer.Option("--keep", help="Make this action model the default of the package.")] = False,
) -> None:
    """Fit an action model, and evaluate beliefs on other deals.

    Writes action_model.json, README.md, scores and pictures. The package keeps its
    default of before.
    """
    need_report_extra()
    study = Study(fitted, evaluated, _names(miners), _names(saboteurs), seed)
    options = f"--fitted {fitted} --evaluated {evaluated} --miners {miners} --saboteurs {saboteurs} --seed {seed}"
    action_model = fit(study)
    beliefs = score_fitted_beliefs(study, action_model)
    rows = score_rows(beliefs)
    text = page(rows, f"saboteur-env study beliefs {options}", _about(study))
    by_turn = turn_rows(beliefs)
    write_text(out / "action_model.json", action_model_text(action_model))
    write_csv(out / "scores.csv", rows)
    write_csv(out / "by_turn.csv", by_turn)
    plot_reliability(by_third(beliefs), "Beliefs by third of the round").save(out / "reliability.png")
    plot_by_turn(by_turn).save(out / "by_turn.png", 100)
    write_text(out / "README.md", text)
    typer.echo(text)
    if keep:
        typer.echo(f"The default action model is now {keep_model(action_model)}", err=True)


def score_fitted_beliefs(study: Study, action_model: ActionModel) -> Any:
    """The beliefs by the action model in rounds that it was not fitted on: BELIEF[n]."""
    return np.concatenate(
        [score_beliefs(rounds, action_model.styles, edition) for edition, rounds in study.play(evaluated=True)]
    )


def by_third(beliefs: Any) -> dict[str, tuple[Floats, Floats]]:
    """The beliefs and the truth for each third of the round."""
    thirds = {f"{name} third": beliefs[beliefs["third"] == third] for third, name in enumerate(THIRDS)}
    return {name: (part["said"], part["saboteur"].astype(np.float64)) for name, part in thirds.items()}


def _about(study: Study) -> str:
    cells = len(study.players) * len(study.editions)
    family = f"{', '.join(study.miners)} as miners, {', '.join(study.saboteurs)} as saboteurs"
    return (
        f"A dwarf drawn at random for its role plays every seat: {family}. The action model was fitted on "
        f"{cells * study.fitted:,} rounds of {min(study.players)} to {max(study.players)} players in the editions "
        f"{', '.join(study.editions)}, and evaluated on {cells * study.evaluated:,} other rounds."
    )


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))
