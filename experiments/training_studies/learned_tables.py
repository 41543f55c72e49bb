"""A learned team instead of a scripted one on the same deals: the difference in rounds won.

For each number of players and each side: rounds won by the learned team, by the scripted team, and the difference, with
intervals from a bootstrap over deals. Finished parts are stored, so an interrupted table resumes.

Run as ``saboteur-env study learned-tables --agent ppo --rounds 10000`` (needs the extras ``learned``
and ``report``).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer

from saboteur_env.core.extras import extra

with extra("learned"):
    import torch

from saboteur_env.agents.learned.ppo import Ppo
from saboteur_env.agents.registry import make_agent
from saboteur_env.agents.scripted.presets import number_of
from saboteur_env.core.seeds import Purpose, deal_seed
from saboteur_env.core.versions import VERSIONS
from saboteur_env.engine.editions import Rules
from saboteur_env.environment.settings import Settings
from saboteur_env.terminal import report_files, resumable, warn

from ..common.folders import default_folder
from ..common.options import Fresh, OneWorker, Out, Seed
from ..common.page import markdown_rows, percent
from ..common.report import write_csv, write_text
from ..common.shards import ResultStore
from ..common.statistics import Row, bootstrap, wilson
from ..tournament.trained_on import TrainedOn, rules_like, strange_rules
from ..training.evaluation import WINNER_OF_ROLE, Policy, play_deals

STUDY = "learned-tables"

ROUNDS_A_UNIT = 1000  # deals of a part: about half a minute
MARGIN = 0.1  # better by so much counts
GAIN_COLUMNS = ("learned", "scripted", "gain")


@dataclass(frozen=True)
class Study:
    """The settings of the study. The same settings give the same table on the same machine, with any number of workers.

    Attributes:
        agent: `ppo`, or `ppo:FILE`.
        opponents: preset dwarfs; each plays the other side, and both sides alone.
        players: the numbers of players.
        rounds: for each opponent, number of players and side.
        options: switches besides the edition (docs/rules.md, section 8).

    Raises: ValueError for an agent that has no network, and for dwarfs that nobody knows.
    """

    agent: str = "ppo"
    opponents: tuple[str, ...] = ("scripted",)
    players: tuple[int, ...] = tuple(range(3, 11))
    rounds: int = 10_000
    seed: int = 0
    edition: str = "lv"
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in self.opponents:
            number_of(name)
        for count in self.players:
            self.rules(count)
        self.learned()

    def rules(self, players: int) -> Rules:
        """The settings of a round. Raises: ValueError where they are impossible."""
        return Rules.make(players, self.edition, 1, self.options)

    def strange(self) -> list[str]:
        """A line where the agent was trained on other rules."""
        return strange_rules([self.agent], map(self.rules, self.players))

    def learned(self) -> Ppo:
        """The learned dwarf."""
        agent = make_agent(self.agent)
        if not isinstance(agent, Ppo):
            raise ValueError(f"{self.agent} has no network that plays a batch of games: give ppo, or ppo:FILE")
        return agent

    def units(self) -> list[Unit]:
        """The work, in the order of the table."""
        return [
            Unit(opponent, count, first, min(ROUNDS_A_UNIT, self.rounds - first))
            for opponent in self.opponents
            for count in self.players
            for first in range(0, self.rounds, ROUNDS_A_UNIT)
        ]

    def settings(self) -> dict[str, Any]:
        """All that the table depends on, as JSON data."""
        weights = sha256(self.learned().path.read_bytes()).hexdigest()
        return {**asdict(self), "weights": weights, "versions": VERSIONS}

    def folder(self) -> Path:
        """The default folder of the tournament."""
        return default_folder("results/learned", asdict(self), asdict(Study()))


class Unit(NamedTuple):
    """Some deals, each played by both learned teams and by preset dwarfs alone."""

    opponent: str
    players: int
    first: int
    deals: int

    def __str__(self) -> str:
        return f"{self.opponent}-{self.players}-{self.first:07}"


def play(
    study: Study,
    folder: Path,
    fresh: bool = False,
    workers: int | None = 1,
    progress: Callable[[int], object] = lambda deals: None,
) -> Any:
    """Play a study, or what is left of it: a pyarrow table with the columns of `play_deals`, and `opponent`.

    Args:
        folder: keeps finished parts.
        fresh: throw away what the folder holds.
        workers: processes; all cores where missing.
        progress: called with the number of deals just finished.

    Raises: ValueError where the folder holds another study.
    """
    parts = ResultStore(folder, study.settings(), fresh)
    return parts.complete(study.units(), partial(_play_unit, study), workers, progress=progress)


def _play_unit(study: Study, unit: Unit) -> dict[str, Any]:
    torch.set_num_threads(1)
    seed, agent = deal_seed(study.seed, Purpose.LEARNED, unit.first, unit.players), study.learned()
    network, tables = agent.network, [unit.players] * unit.deals
    rules = study.rules(unit.players)
    settings = Settings(
        rules.players, rules.edition, rules.rounds, study.options, network.window, history=network.history
    )
    decide = partial(agent.act_batch, generator=torch.Generator().manual_seed(seed))
    policy = Policy(decide, action_model=agent.action_model)
    played = play_deals(policy, settings, tables, unit.opponent, seed, 1)
    return {"opponent": [unit.opponent] * unit.deals, **played}


def gain_rows(table: Any) -> list[Row]:
    """A row for each opponent, number of players and side: shares of rounds won with 95 % intervals, and the gain."""
    return list(_gain_rows({name: np.asarray(table[name]) for name in table.column_names}))


def _gain_rows(played: dict[str, Any]) -> Iterator[Row]:
    for opponent in dict.fromkeys(played["opponent"].tolist()):
        for count in dict.fromkeys(played["players"].tolist()):
            current = (played["opponent"] == opponent) & (played["players"] == count)
            for role in WINNER_OF_ROLE:
                teams = [played[f"{role}_{who}"][current] for who in ("learned", "scripted")]
                yield {"opponent": opponent, "players": count, "role": role, "rounds": len(teams[0]), **_gain(*teams)}


def _gain(learned: Any, scripted: Any) -> Row:
    row: Row = {}
    for name, won in (("learned", learned), ("scripted", scripted)):
        low, high = wilson(int(won.sum()), len(won))
        row |= {name: float(won.mean()), f"{name}_low": low, f"{name}_high": high}
    gain = bootstrap((learned.astype(float) - scripted)[:, None], -1)[0]
    return row | dict(zip(("gain", "gain_low", "gain_high"), gain.tolist(), strict=True))


def page(rows: list[Row], command: str, card: dict[str, Any]) -> str:
    """The tables in Markdown, one for each opponent, with what they come to."""
    tables = "\n".join(
        f"## Against {name}\n\n{_table([row for row in rows if row['opponent'] == name])}"
        for name in dict.fromkeys(row["opponent"] for row in rows)
    )
    return f"""# A learned team instead of a scripted one

Rounds won by the team, in %, with 95 % intervals. The shares have Wilson intervals. The gain has intervals from a
bootstrap over deals, because both teams play on the same deals. Deals without a saboteur are left out.

Training: {_training(card)}.

{tables}
```
{command}
```
"""


def _training(card: dict[str, Any]) -> str:
    state = card.get("training", {})
    named = [f"{state[name]:,.{digits}f} {name}" for name, digits in (("decisions", 0), ("hours", 1)) if name in state]
    run = ", ".join([*named, state.get("machine", "unknown")])
    return f"{_training({'training': state['before']})}; then {run}" if state.get("before") else run


def _table(rows: list[Row]) -> str:
    state = [{**row, **{name: _interval(row, name) for name in GAIN_COLUMNS}} for row in rows]
    heads = {"players": "{players}", "side": "{role}s", "rounds": "{rounds:,}"}
    table = markdown_rows(state, heads | {name: f"{{{name}}}" for name in GAIN_COLUMNS})
    said = [f"As the {role}s: {_verdict([row for row in rows if row['role'] == role])}." for role in WINNER_OF_ROLE]
    return "\n".join([table, "", *said, ""])


def _interval(row: Row, name: str) -> str:
    return percent(*(row[f"{name}{end}"] for end in ("", "_low", "_high")))


def _verdict(rows: Sequence[Row]) -> str:
    much = sum(row["gain"] >= MARGIN and row["learned_low"] > row["scripted_high"] for row in rows)
    worse = [str(row["players"]) for row in rows if row["gain_high"] < 0]
    clearly = f"clearly worse with {', '.join(worse)}" if worse else "clearly worse at none"
    return f"better by {100 * MARGIN:.0f} points or more, intervals apart, at {much} of {len(rows)} counts; {clearly}"


def main(
    agent: Annotated[str, typer.Option(help="The agent: ppo, or ppo:FILE.")] = "ppo",
    opponents: Annotated[str, typer.Option(help="Preset dwarfs, such as scripted,random.")] = "scripted",
    players: Annotated[
        str, typer.Option(help="Numbers of players: 3-10, 5, or 3,5,10; all if not given.", show_default=False)
    ] = "",
    rounds: Annotated[int, typer.Option(min=1, help="Rounds for each count, side and opponent.")] = 10_000,
    seed: Seed = 0,
    workers: OneWorker = 1,
    out: Out = None,
    fresh: Fresh = False,
    like: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Weights; the players and rules are those of their training."),
    ] = None,
) -> None:
    """How much better a learned team plays than a scripted one in its place.

    Writes README.md, CSV, the rounds as Parquet, and the card of the weights with its table.
    """
    counts, (edition, *_), options = rules_like(like, players, "", [], TrainedOn())
    study = Study(agent, tuple(opponents.split(",")), counts, rounds, seed, edition, options)
    warn(study.strange())
    out = out or study.folder()
    with resumable(out) as bar:
        task = bar.add_task("deals", total=sum(unit.deals for unit in study.units()))
        table = play(study, out, fresh, workers, lambda deals: bar.advance(task, deals))
    rows, card = gain_rows(table), study.learned().card
    asked = f"--players {','.join(map(str, counts))} --rounds {rounds} --seed {seed}" + (
        f" --like {like}" if like else ""
    )
    command = f"saboteur-env study learned-tables --agent {agent} --opponents {opponents} {asked}"
    state = json.dumps({**card, "evaluation": {"command": command, "rows": rows}}, indent=2) + "\n"
    written = [out / "rounds.parquet", write_csv(out / "table.csv", rows), write_text(out / "card.json", state)]
    report_files([*written, write_text(out / "README.md", page(rows, command, card))])
