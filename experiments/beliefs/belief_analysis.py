"""What gives a saboteur away: beliefs by turn, by kind of saboteur, and by type of action."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from saboteur_env.agents.beliefs.action_model_file import fitted
from saboteur_env.agents.beliefs.action_types import ACTION_TYPES
from saboteur_env.agents.beliefs.filter import Belief
from saboteur_env.agents.scripted.agent import KernelAgent
from saboteur_env.core.seeds import Purpose, deal_seed
from saboteur_env.engine.editions import Rules
from saboteur_env.game.game import Game
from saboteur_env.game.view import View
from saboteur_env.render import steps_of

from ..common.plots import COLORS, LINE_STYLES, Plot, distinct, style
from ..common.statistics import Row, wilson
from .belief_scores import score_beliefs, turn_rows
from .fit_action_model import collect_actions
from .mixed_tables import Rounds, play_rounds

MINER_PRESETS, SABOTEUR_PRESETS = ("loyal", "careless"), ("blatant", "patient", "two-faced")


def played(
    players: int, rounds: int, edition: str = "lv", saboteurs: Sequence[str] = SABOTEUR_PRESETS, seed: int = 0
) -> Rounds:
    """Rounds in which every seat is played by a dwarf of its role, drawn at random."""
    seeds = np.array([deal_seed(seed, Purpose.TELLS, deal, players) for deal in range(rounds)], np.uint64)
    return play_rounds(Rules.make(players, edition, 1), seeds, MINER_PRESETS, saboteurs)


def round_rows(transcript: str, eyes: int) -> list[Row]:
    """The beliefs of a seat after every move of a round: by a script's role evidence, and by Bayes' rule.

    Columns: `believer`, `turn` (moves played), `seat`, `role` (its true one), `said` (the probability that it is a
    saboteur).

    Args:
        transcript: as `Game.transcript` writes it; of its first round.
    """
    return list(_round_rows(transcript, eyes))


def _round_rows(transcript: str, eyes: int) -> Iterator[Row]:
    roles = Game.replay(transcript).view(eyes).roles or []
    belief = Belief(fitted())
    believers: dict[str, Callable[[View], list[float]]] = {
        "clues of the scripted dwarf": KernelAgent("scripted").beliefs,
        "Bayes' rule and the action model": lambda view: belief.of(view).saboteur.tolist(),
    }
    steps = [step for step in steps_of(transcript) if step.round == 0][:-1]  # at the end roles are open
    for believer, believes in believers.items():
        for turn, step in enumerate(steps):
            for seat, said in enumerate(believes(step.game.view(eyes))):
                if seat != eyes:
                    yield {"believer": believer, "turn": turn, "seat": seat, "role": roles[seat], "said": said}


def kind_rows(players: int, rounds: int, seed: int = 0) -> list[Row]:
    """Scores of beliefs by turn (`belief_scores.turn_rows`) where all saboteurs are of one kind; `kind` says which."""
    return [
        {"kind": kind, **row}
        for kind in SABOTEUR_PRESETS
        for row in turn_rows(
            score_beliefs(played(players, rounds, saboteurs=(kind,), seed=seed), fitted().styles, "lv")
        )
    ]


def act_rows(rounds: Sequence[Rounds]) -> list[Row]:
    """For each kind of act (action_types.py) the share that saboteurs did, with Wilson's interval; `all` for all acts.

    Columns: `act`, `acts` (how many), `share`, `share_low`, `share_high`; the most telling first.
    """
    actions = [collect_actions(item, fitted().styles) for item in rounds]
    act = np.concatenate([item.action for item in actions])
    guilty = np.concatenate([item.style for item in actions]) >= len(MINER_PRESETS)
    rows = [_act_row(ACTION_TYPES[kind], guilty[act == kind]) for kind in np.unique(act)]
    return [_act_row("all", guilty), *sorted(rows, key=lambda row: -float(row["share"]))]


def _act_row(name: str, guilty: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Row:
    low, high = wilson(int(guilty.sum()), len(guilty))
    return {"act": name, "acts": len(guilty), "share": float(guilty.mean()), "share_low": low, "share_high": high}


def plot_round(rows: Sequence[Row], title: str) -> Plot:
    """Beliefs over one round (rows of `round_rows`): a panel for each believer, solid lines for true saboteurs."""
    plot, believers = Plot(11, 4), distinct(rows, "believer")
    for axes, believer in zip(plot.axes(1, len(believers), sharey=True), believers, strict=True):
        for index, seat in enumerate(distinct(rows, "seat")):
            current = [row for row in rows if (row["believer"], row["seat"]) == (believer, seat)]
            guilty = current[0]["role"] == "saboteur"
            look = style(index) | {
                "linestyle": LINE_STYLES[0] if guilty else LINE_STYLES[3],
                "markevery": 5,
                "markersize": 5,
            }
            said = [row["said"] for row in current]
            axes.plot([row["turn"] for row in current], said, label=f"dwarf {seat}, {current[0]['role']}", **look)
        axes.set(title=believer, xlabel="moves played", ylim=(-0.03, 1.03))
        axes.grid(alpha=0.3)
    first = plot.figure.axes[0]
    first.set_ylabel("believed probability to be a saboteur")
    plot.figure.legend(*first.get_legend_handles_labels(), loc="outside right upper")
    plot.figure.suptitle(title)
    return plot


def plot_kinds(rows: Sequence[Row], title: str) -> Plot:
    """Log loss of beliefs by turn for each kind of saboteur (rows of `kind_rows`), beside the prior of the rules."""
    plot = Plot()
    (axes,) = plot.axes()
    for index, kind in enumerate(distinct(rows, "kind")):
        current = [row for row in rows if row["kind"] == kind]
        axes.plot([row["turn"] for row in current], [row["log_loss"] for row in current], label=kind, **style(index))
    prior = [row for row in rows if row["kind"] == rows[0]["kind"]]
    where, loss = [row["turn"] for row in prior], [row["prior_log_loss"] for row in prior]
    axes.plot(where, loss, color="black", linestyle=":", label="prior of the rules")
    axes.set(xlabel="turns played before", ylabel="log loss, nats", ylim=(0, None), title=title)
    axes.grid(alpha=0.3)
    axes.legend()
    plot.note(f"{rows[0]['rounds']:,} rounds a kind at the beginning, fewer as rounds end")
    return plot


def plot_acts(rows: Sequence[Row], title: str) -> Plot:
    """The share of each kind of act that saboteurs did (rows of `act_rows`), beside their share of all acts."""
    whole, *kinds = rows
    plot = Plot(9, 1.2 + 0.28 * len(kinds))
    (axes,) = plot.axes()
    indices = range(len(kinds) - 1, -1, -1)
    share, low, high = (100 * np.array([row[name] for row in kinds]) for name in ("share", "share_low", "share_high"))
    axes.errorbar(share, indices, xerr=[share - low, high - share], fmt="o", color=COLORS[0], capsize=3)
    axes.axvline(100 * whole["share"], color="black", linestyle="--", label="all acts")
    axes.set_yticks(indices, [f"{row['act']} ({row['acts']:,})" for row in kinds], fontsize=8)
    axes.set(xlabel="done by saboteurs, % (95 % interval)", xlim=(-2, 102), title=title)
    axes.grid(alpha=0.3)
    axes.legend()
    plot.note("in brackets: how many such acts there were")
    return plot
