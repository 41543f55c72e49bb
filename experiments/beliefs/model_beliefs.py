"""Whom a language model suspects, against what was true and against the Bayes filter on the same positions.

Run as ``saboteur-env study model-beliefs``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import typer

from saboteur_env.agents.base import Agent, Decision
from saboteur_env.agents.beliefs.filter import Belief
from saboteur_env.agents.matches.turns import Match, game_turns, play_together
from saboteur_env.agents.registry import make_agent
from saboteur_env.core.seeds import Purpose, deal_seed
from saboteur_env.engine.cards import ROLES
from saboteur_env.game.game import Game
from saboteur_env.game.view import View

from ..common.options import Seed
from ..common.page import markdown_table
from ..common.report import need_report_extra, write_csv, write_text
from ..common.statistics import Row
from .calibration import plot_reliability, scores

STUDY = "model-beliefs"

Floats = npt.NDArray[np.float64]

SOURCES = {"model": "the model", "filter": "the Bayes filter", "prior": "the prior of the rules"}
MATES = {"miner": ("loyal", "careless"), "saboteur": ("blatant", "patient", "two-faced")}


class NoEvidence:
    """A model of acts that learns nothing from them: the filter with it gives the prior of the rules."""

    def log_likelihood(self, public: Any) -> Floats:
        """Zeros: float64[10, 2, 3]."""
        return np.zeros((10, len(ROLES), 3))


class Suspicion(NamedTuple):
    """What was believed of one seat before one move, by whom, and the move where it was aimed at that seat."""

    deal: int
    seat: int
    about: int
    turn: int
    model: float
    filter: float
    prior: float
    move: str  # empty where it was aimed at nobody, or at another seat


@dataclass
class Questioned:
    """A chat dwarf that is asked whom it suspects before each of its moves.

    Attributes:
        suspicions: what was said so far; where the model says nothing there is no entry.
    """

    chat: Any
    deal: int
    filters: tuple[Belief, Belief]
    suspicions: list[Suspicion] = field(default_factory=list)

    def act(self, view: View, seed: int) -> str:
        """A legal move."""
        return self.decide(view, seed).move

    def decide(self, view: View, seed: int) -> Decision:
        """A legal move, the beliefs noted."""
        return self._note(view, self.chat.suspects(view), self.chat.decide(view, seed))

    async def decide_async(self, view: View, seed: int) -> Decision:
        """As `decide`, while others play."""
        return self._note(view, await self.chat.suspects_async(view), await self.chat.decide_async(view, seed))

    async def aclose(self) -> None:
        """Let go of the event loop."""
        await self.chat.aclose()

    def __hash__(self) -> int:
        return id(self)

    def _note(self, view: View, said: Sequence[float | None], decision: Decision) -> Decision:
        posterior, prior = (belief.of(view).saboteur for belief in self.filters)
        for about, value in enumerate(said):
            if value is not None:
                move = decision.move if aim_of(decision.move) == about else ""
                turn, exact = int(view.public.event_count), (float(posterior[about]), float(prior[about]))
                self.suspicions.append(Suspicion(self.deal, view.seat, about, turn, value, *exact, move))
        return decision


def aim_of(move: str) -> int | None:
    """The seat that a move helps or harms, None for others.

    >>> aim_of("break:lantern:2"), aim_of("repair:cart:cart:0"), aim_of("map:1")
    (2, 0, None)
    """
    head, _, rest = move.partition(":")
    return int(rest.rpartition(":")[2]) if head in ("break", "repair") else None


def contradicts(role: str, move: str, model: float) -> bool:
    """Whether a move denies what was just said of its target.

    Miners harm those whom they hold for saboteurs and help the others; saboteurs do the contrary.

    >>> contradicts("miner", "break:lantern:2", 0.1), contradicts("saboteur", "break:lantern:2", 0.1)
    (True, False)
    """
    harms_saboteur = (model > 0.5) == move.startswith("break")
    return model != 0.5 and harms_saboteur != (role == "miner")


def ask(agent: str, players: int, deals: int, seed: int = 0) -> tuple[list[Suspicion], list[list[str]]]:
    """Let a model play one seat of every deal, among preset dwarfs.

    Args:
        agent: the name of a chat dwarf.

    Returns: all that was believed, and the roles of all seats for each deal.

    Raises: ValueError for an agent that cannot be asked whom it suspects.
    """
    chat = make_agent(agent)
    if not hasattr(chat, "suspects_async"):
        raise ValueError(f"{agent} cannot be asked whom it suspects: name a chat dwarf, as chat:model=NAME")
    filters = Belief(), Belief(NoEvidence())
    models = [Questioned(chat, deal, filters) for deal in range(deals)]
    games = [Game(players, seed=deal_seed(seed, Purpose.BELIEFS, deal, players), rounds=1) for deal in range(deals)]
    asyncio.run(play_together(_matches(games, models)))
    roles = [game.view(0).roles or [] for game in games]
    return [suspicion for model in models for suspicion in model.suspicions], roles


def _matches(games: Sequence[Game], models: Sequence[Questioned]) -> Iterator[Match[list[Decision]]]:
    for deal, (game, model) in enumerate(zip(games, models, strict=True)):
        rng = np.random.default_rng(deal)
        seats: list[Agent] = []
        for seat in range(game.rules.players):
            mates = MATES[game.view(seat).role]
            seats.append(model if seat == deal % game.rules.players else make_agent(str(rng.choice(mates))))
        yield game_turns(game, seats, deal)


def belief_rows(suspicions: Sequence[Suspicion], roles: Sequence[Sequence[str]]) -> list[Row]:
    """Log loss, Brier score, AUC and calibration error of the model, the filter and the prior on the same questions."""
    true = truth_of(suspicions, roles)
    said = {name: np.array([getattr(item, name) for item in suspicions], np.float64) for name in SOURCES}
    return [{"source": name, "beliefs": len(true), **scores(values, true)} for name, values in said.items()]


def truth_of(suspicions: Sequence[Suspicion], roles: Sequence[Sequence[str]]) -> Floats:
    """What was true of each: float64[n], 1 for a saboteur."""
    return np.array([roles[item.deal][item.about] == "saboteur" for item in suspicions], np.float64)


def contradiction_rows(suspicions: Sequence[Suspicion], roles: Sequence[Sequence[str]]) -> list[Row]:
    """For each role how many moves helped or harmed another dwarf, and how many of them deny what was said of it."""
    rows = []
    for role in ROLES:
        aimed = [item for item in suspicions if item.move and roles[item.deal][item.seat] == role]
        denied = sum(contradicts(role, item.move, item.model) for item in aimed)
        rows.append({"role": role, "moves": len(aimed), "contradictions": denied})
    return rows


def main(
    agent: Annotated[str, typer.Option(help="The model: chat:model=NAME:base_url=URL.")],
    players: Annotated[int, typer.Option(min=3, max=10, help="Dwarfs at the table.")] = 5,
    deals: Annotated[int, typer.Option(min=1, help="Rounds; the model plays one seat of each.")] = 20,
    seed: Seed = 0,
    out: Annotated[Path, typer.Option(help="Folder for what was measured.")] = Path("results/model_beliefs"),
) -> None:
    """Whom a language model suspects: its beliefs scored against the truth and the Bayes filter.

    Writes README.md, beliefs.csv, scores.csv and a reliability diagram.
    """
    need_report_extra()
    suspicions, roles = ask(agent, players, deals, seed)
    if not suspicions:
        raise typer.BadParameter("the model said nothing that could be read as probabilities", param_hint="--agent")
    rows, denied = belief_rows(suspicions, roles), contradiction_rows(suspicions, roles)
    true = truth_of(suspicions, roles)
    write_csv(
        out / "beliefs.csv",
        [{**item._asdict(), "saboteur": int(one)} for item, one in zip(suspicions, true, strict=True)],
    )
    write_csv(out / "scores.csv", rows)
    lines = {SOURCES[name]: (np.array([getattr(item, name) for item in suspicions]), true) for name in SOURCES}
    plot_reliability(lines, f"Whom {agent.partition(':')[2][:40]} suspects").save(out / "reliability.png")
    text = page(agent, rows, denied)
    write_text(out / "README.md", text)
    typer.echo(text)


def page(agent: str, rows: Sequence[Row], denied: Sequence[Row]) -> str:
    """The scores in Markdown."""
    names = ("log_loss", "brier", "auc", "ece")
    scored = [(SOURCES[row["source"]], f"{row['beliefs']:,}", *(f"{row[name]:.3f}" for name in names)) for row in rows]
    aimed = [(row["role"], f"{row['moves']:,}", f"{row['contradictions']:,}") for row in denied]
    return f"""# Whom {agent} suspects

Before each of its moves the model was asked how likely each other dwarf is a saboteur. Its answers are scored against
the truth, beside the Bayes filter and the prior of the rules on the same questions. Log loss in nats.

{markdown_table(("beliefs of", "questions", "log loss", "Brier score", "AUC", "calibration error"), scored)}

A move contradicts the words before it where a miner harms a dwarf that it holds for a miner or helps one that it holds
for a saboteur, and where a saboteur does the contrary.

{markdown_table(("role of the model", "moves that help or harm", "contradictions"), aimed)}

![Reliability](reliability.png)
"""
