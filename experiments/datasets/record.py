"""Decisions of whole matches as tables of compact moves: who decided what in which match, and what it brought.

Run as ``saboteur-env dataset``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from saboteur_env import __version__, make_vec
from saboteur_env.agents.matches.players import PresetPlayer, player_of
from saboteur_env.batch.opponents import Player, seeds_of
from saboteur_env.core.checks import COUNTS, SEEDS, checked_int
from saboteur_env.core.extras import extra
from saboteur_env.core.files import write_whole
from saboteur_env.core.frozen import freeze
from saboteur_env.core.seeds import game_seed
from saboteur_env.core.versions import VERSIONS
from saboteur_env.engine.moves import text_of
from saboteur_env.engine.state import MAX_PLAYERS
from saboteur_env.environment.privileged import roles_dealt
from saboteur_env.environment.settings import Settings

FORMAT = "saboteur-decisions/1"
SHARD = 500  # matches of a file, played at once


@dataclass(frozen=True)
class DatasetConfig:
    """What is played. The same config gives the same files.

    Attributes:
        agents: names (agents/registry.py); each seat is one of them in each round, drawn evenly by the seed.
        players: numbers of players, in turn.
        reward: of which `return` is; as in `Settings`.
        views: whether what each decision saw is written too; `read.expand` works it out later otherwise.
        window, history: of these views.

    Raises: ValueError that says which setting is impossible.
    """

    agents: tuple[str, ...] = ("scripted",)
    matches: int = 1000
    players: tuple[int, ...] = (5,)
    edition: str = "lv"
    rounds: int = 1
    reward: str = "side"
    seed: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    views: bool = False
    window: str = "medium"
    history: int = 16

    def __post_init__(self) -> None:
        freeze(self)
        checked_int("matches", self.matches, COUNTS)
        checked_int("seed", self.seed, SEEDS)
        if not self.agents or not self.players:
            raise ValueError("a data set needs agents and numbers of players")
        for count in self.players:
            self.settings(count)
        for name in self.agents:
            player_of(name)

    def settings(self, players: int) -> Settings:
        """The settings of matches of so many players. Raises: ValueError where they are impossible."""
        names = ("edition", "rounds", "reward", "options", "window", "history")
        return Settings(players=players, **{name: getattr(self, name) for name in names})

    def shards(self) -> range:
        """The numbers of the files."""
        return range(-(-self.matches // SHARD))

    def as_json(self) -> str:
        """The config and the versions of the library, as they are kept with each file."""
        facts = {"format": FORMAT, "saboteur_env": __version__, "versions": VERSIONS, **asdict(self)}
        return json.dumps(facts, default=dict)


def write_dataset(
    config: DatasetConfig, folder: Path, progress: Callable[[int], object] = lambda matches: None
) -> list[Path]:
    """Write the files of a data set, or those that are missing (extra `report`).

    Args:
        progress: called with the number of matches just written, or found written.

    Returns: the files.

    Raises: ValueError where the folder holds another data set; OpponentError for an agent that fails.
    """
    with extra("report"):
        import pyarrow.parquet
    folder.mkdir(parents=True, exist_ok=True)
    facts = folder / "dataset.json"
    if facts.exists() and facts.read_text(encoding="utf-8") != config.as_json():
        raise ValueError(f"{folder} holds another data set: choose another folder, or remove it")
    write_whole(facts, lambda file: file.write_text(config.as_json(), encoding="utf-8"))
    files = []
    for shard in config.shards():
        file = folder / f"decisions-{shard:05}.parquet"
        if not file.exists():
            write = partial(pyarrow.parquet.write_table, record_shard(config, shard), compression="zstd")
            write_whole(file, write)
        files.append(file)
        progress(min(SHARD, config.matches - shard * SHARD))
    return files


def record_shard(config: DatasetConfig, shard: int) -> Any:
    """The decisions of a file as a pyarrow.Table, match by match (docs/tables.md).

    Raises: OpponentError for an agent that fails.
    """
    count = min(SHARD, config.matches - shard * SHARD)
    seats = [config.players[(shard * SHARD + i) % len(config.players)] for i in range(count)]
    seed, settings = game_seed(config.seed, shard), config.settings(max(seats))
    vec: Any = make_vec(count, seats, seed, 1, observations=False, mask=None, legal="moves", settings=settings)
    vec.control([[(k, 1) for k in range(len(config.agents))]] * max(seats))
    vec.reset()
    table = _table(config, seed, vec.players, _play(vec, [_player(name) for name in config.agents]))
    if config.views:
        from .read import with_views

        table = with_views(table)
    return table


def _player(name: str) -> Player:
    player = player_of(name)
    return PresetPlayer(player) if isinstance(player, int) else player


def _play(vec: Any, players: list[Player]) -> dict[str, npt.NDArray[Any]]:
    # The decisions of each game's first match, by step: [steps, games]; those after its end do not count.
    games, steps = np.arange(vec.num_games), []
    while not (vec.episode > 0).all():
        running = vec.episode == 0
        acting, moves = vec.playing[games, vec.seat], vec.legal[:, 0].astype(np.int64)
        for k, player in enumerate(players):
            asked = np.flatnonzero(running & (acting == k))
            if len(asked):
                moves[asked] = player.moves(vec, asked, seeds_of(vec.records, vec.results, np.uint64(vec.seed), asked))
        public = vec.records["public"]
        step = {"running": running, "seat": vec.seat, "move": moves, "agent": acting, "roles": roles_dealt(vec.records)}
        step |= {"round": public["round_number"].copy(), "decision": public["event_count"].astype(np.int16)}
        vec.step(moves)
        steps.append(step | {"over": vec.round_over, "winner": vec.winner, "paid": vec.reward})
    return {name: np.stack([step[name] for step in steps]) for name in steps[0]}


def _table(config: DatasetConfig, seed: int, players: Any, played: dict[str, npt.NDArray[Any]]) -> Any:
    import pyarrow

    steps, games = played["seat"].shape
    # How each decision's round ended: backwards from the steps that end rounds.
    back, paid, winner = played["over"][::-1], np.zeros((games, MAX_PLAYERS), np.float32), np.zeros(games, np.int8)
    returns, winners = np.zeros((steps, games), np.float32), np.zeros((steps, games), np.int8)
    for step, over in zip(range(steps - 1, -1, -1), back, strict=True):
        paid = np.where(over[:, None], played["paid"][step], paid)
        winner = np.where(over, played["winner"][step], winner)
        returns[step], winners[step] = paid[np.arange(games), played["seat"][step]], winner
    columns, order = {**played, "return": returns, "winner": winners}, played["running"].T
    column = {name: np.swapaxes(values, 0, 1)[order] for name, values in columns.items()}
    seeds = np.array([game_seed(seed, i) for i in range(games)], np.uint64)
    match = np.repeat(seeds, order.sum(1))
    table_size = np.repeat(players, order.sum(1))
    seated = np.arange(MAX_PLAYERS) < table_size[:, None]
    saboteurs = ((column["roles"] * seated) << np.arange(MAX_PLAYERS)).sum(1)
    numbers, index = np.unique(column["move"], return_inverse=True)
    texts = pyarrow.DictionaryArray.from_arrays(
        index.astype(np.int32), [text_of(number) for number in numbers.tolist()]
    )
    agents = pyarrow.DictionaryArray.from_arrays(column["agent"].astype(np.int8), list(config.agents))
    role = column["roles"][np.arange(len(match)), column["seat"]]
    plain = {name: column[name] for name in ("round", "decision", "seat")}
    outcome = {"saboteurs": saboteurs.astype(np.int16), "winner": column["winner"], "return": column["return"]}
    data = {"match": match, "players": table_size, **plain, "role": role, "move": texts, "agent": agents, **outcome}
    return pyarrow.table(data).replace_schema_metadata({"dataset": config.as_json()})
