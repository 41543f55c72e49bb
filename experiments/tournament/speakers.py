"""Matches with dwarfs that speak, as chat dwarfs do: many are played together, and all of them are kept.

Asked again, a model may answer otherwise, and is paid again. So `chats/` in the folder of a tournament has the
transcript of every such match, and beside it what was asked and answered, a line of JSON each.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from saboteur_env.agents.base import Decision, Speaker
from saboteur_env.agents.matches.matchups import Matchup, Played, matchup_turns, play_matchup
from saboteur_env.agents.matches.turns import play_together
from saboteur_env.agents.registry import make_agent
from saboteur_env.engine.editions import Rules

from ..common.report import write_text
from ..common.statistics import Row, Values

if TYPE_CHECKING:
    from .tournament import Tournament, Unit

CHATS = "chats"
MATCHES_AT_ONCE = 64  # matches that wait for answers at the same time

TALLIED = ("moves", "fallbacks", "unreadable", "failed", "answers", "prompt_tokens", "answer_tokens", "seconds", "cost")


def speaks(matchup: Matchup) -> bool:
    """Whether one who plays speaks."""
    return any(isinstance(make_agent(name), Speaker) for name in matchup[:3] if name)


def play_kept(tournament: Tournament, unit: Unit, folder: Path) -> list[Values]:
    """All matches of a unit: ROUND[deals * rounds] for each matchup. Those of speakers are kept in the folder."""
    rules, matchups = tournament.rules(unit.edition, unit.players), tournament.matchups()
    numbers = range(unit.first, unit.first + unit.deals)
    seeds = [tournament.deal(unit.players, deal) for deal in numbers]
    spoken = [matchup for matchup in matchups if speaks(matchup)]
    played = iter(_together(rules, seeds, spoken))
    results = []
    for matchup in matchups:
        if matchup not in spoken:
            results.append(play_matchup(rules, seeds, matchup))
            continue
        matches = [next(played) for _ in seeds]
        for deal, match in zip(numbers, matches, strict=True):
            _keep(match, folder / match_name(tournament, unit.edition, unit.players, matchup, deal))
        results.append(np.concatenate([match.rounds for match in matches]))
    return results


def match_name(tournament: Tournament, edition: str, players: int, matchup: Matchup, deal: int) -> str:
    """What the files of a match are called."""
    return f"{edition}-{players}-{deal:07}-{tournament.matchups().index(matchup):03}"


def _together(rules: Rules, seeds: Sequence[int], matchups: Sequence[Matchup]) -> list[Played]:
    turns = [matchup_turns(rules, seed, matchup) for matchup in matchups for seed in seeds]
    return _waited_for(play_together(turns, MATCHES_AT_ONCE)) if turns else []


def _waited_for(matches: Coroutine[Any, Any, list[Played]]) -> list[Played]:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(matches)
    with ThreadPoolExecutor(1) as pool:  # a notebook runs in an event loop of its own
        return pool.submit(asyncio.run, matches).result()


def _keep(match: Played, path: Path) -> None:
    write_text(path.with_suffix(".json"), match.game.transcript())
    lines = [line for agent, decision in match.decisions for line in _lines(path.name, agent, decision)]
    write_text(path.with_suffix(".jsonl"), "".join(lines))


def _lines(match: str, agent: str, decision: Decision) -> list[str]:
    return [json.dumps({"match": match, "agent": agent, **line}) + "\n" for line in decision.log]


def speaker_rows(folder: Path) -> list[Row]:
    """For each agent that spoke in a tournament its counts: moves, fallbacks, answers, tokens, seconds, cost.

    Args:
        folder: of the tournament.
    """
    totals: dict[str, Row] = {}
    for path in sorted((folder / CHATS).glob("*.jsonl")):
        for line in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            row = totals.setdefault(line["agent"], {"agent": line["agent"], **dict.fromkeys(TALLIED, 0)})
            row |= {name: row[name] + line.get(name, 0) for name in TALLIED}
    return list(totals.values())


def kept_match(path: Path) -> tuple[str, dict[tuple[int, int], str]] | None:
    """The transcript of a kept match and what was said in it, by round and number of the event; None without it.

    Args:
        path: without the ending.
    """
    if not path.with_suffix(".jsonl").is_file():
        return None
    lines: list[dict[str, Any]] = [
        json.loads(line) for line in path.with_suffix(".jsonl").read_text(encoding="utf-8").splitlines()
    ]
    said = {(line["round"], line["event"]): line["answer"] for line in lines if line.get("answer")}
    return path.with_suffix(".json").read_text(encoding="utf-8"), said
