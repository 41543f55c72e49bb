"""Data sets read again: lazily as tables, and with what each decision saw, worked out by playing the moves again.

Nothing of the files is executed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from saboteur_env.core.compiled.jit import kernel
from saboteur_env.core.compiled.memory import copy_record
from saboteur_env.core.extras import extra
from saboteur_env.engine.deal import start_match
from saboteur_env.engine.legal import MAX_MOVES, legal_moves
from saboteur_env.engine.moves import parse
from saboteur_env.engine.play import next_round_unchecked, play_unchecked
from saboteur_env.engine.state import blank
from saboteur_env.environment.actions import action_of, legal_actions
from saboteur_env.environment.encoder import observe

from .record import FORMAT, DatasetConfig

ILLEGAL_ACTION, OUT_OF_STEP = -1, -2


class Views(NamedTuple):
    """What decisions saw.

    Attributes:
        observation: int8[n, bytes], of the seat that decided.
        legal: int32[sum of counts], the legal actions of all decisions, one after the other.
        counts: int64[n], how many each has.
        action: int64[n], the one that was taken; -1 outside the window.
    """

    observation: npt.NDArray[np.int8]
    legal: npt.NDArray[np.int32]
    counts: npt.NDArray[np.int64]
    action: npt.NDArray[np.int64]

    def mask(self, actions: int) -> npt.NDArray[np.bool_]:
        """The legal actions as bool[n, actions]."""
        mask = np.zeros((len(self.counts), actions), np.bool_)
        mask[np.repeat(np.arange(len(self.counts)), self.counts), self.legal] = True
        return mask


def open_dataset(folder: str | Path) -> Any:
    """The files of a folder as one `pyarrow.dataset.Dataset`, read when it is asked for rows (extra `report`).

    Raises: ValueError where the folder holds none.
    """
    with extra("report"):
        import pyarrow.dataset
    files = sorted(map(str, Path(folder).glob("decisions-*.parquet")))
    if not files:
        raise ValueError(f"{folder} holds no decisions-*.parquet: saboteur-env dataset writes them")
    return pyarrow.dataset.dataset(files)


def config_of(table: Any) -> DatasetConfig:
    """What was played. Raises: ValueError for a table without it, and for one of another format."""
    try:
        facts = json.loads((table.schema.metadata or {})[b"dataset"])
        if facts.pop("format") != FORMAT:
            raise KeyError("format")
        del facts["saboteur_env"], facts["versions"]
        lists = {name: tuple(facts[name]) for name in ("agents", "players")}
    except (KeyError, TypeError, ValueError):
        raise ValueError(f"the table holds no decisions of this library ({FORMAT})") from None
    return DatasetConfig(**{**facts, **lists})


def expand(table: Any, window: str | None = None, history: int | None = None) -> Views:
    """What the decisions of whole matches saw, in the order of the table.

    Args:
        table: whole matches, as they are in a file.
        window, history: of the observations; those of the data set if not given.

    Raises: ValueError that names the row whose move does not follow from the rows before.
    """
    config = config_of(table)
    given = {"window": window or config.window, "history": config.history if history is None else history}
    config = DatasetConfig(**{**vars(config), "agents": ("random",), **given})
    settings = config.settings(config.players[0])
    columns = {name: table[name].to_numpy() for name in ("match", "players", "round", "seat")}
    move = table["move"].combine_chunks()
    numbers = np.array([parse(text) for text in move.dictionary.to_pylist()], np.int64)[move.indices.to_numpy()]
    rules = blank(11)
    for count in config.players:
        config.settings(count).rules.write(rules[count].public.rules)
    rows = len(numbers)
    observation = np.zeros((rows, settings.observations.bytes), np.int8)
    counts, action, legal = np.zeros(rows, np.int64), np.zeros(rows, np.int64), np.zeros(1 << 16, np.int32)
    coding, total, row = (settings.actions.codecs, settings.history), 0, 0
    game = blank()
    while row < rows:
        if len(legal) - total < MAX_MOVES:
            legal = np.concatenate([legal, np.zeros_like(legal)])
        row, total = _expand(
            game, rules, (*columns.values(), numbers), row, coding, (observation, counts, action, legal, total)
        )
        if row < 0:
            raise ValueError(f"row {-1 - row}: the move does not follow from the rows before it")
    return Views(observation, legal[:total], counts, action)


def with_views(table: Any) -> Any:
    """The table with columns `observation`, `legal` and `action`."""
    import pyarrow

    views = expand(table)
    flat = pyarrow.array(views.observation.ravel())
    observation = pyarrow.FixedSizeListArray.from_arrays(flat, views.observation.shape[1])
    offsets = np.concatenate([[0], views.counts.cumsum()]).astype(np.int32)
    table = table.append_column("observation", observation)
    table = table.append_column("legal", pyarrow.ListArray.from_arrays(offsets, views.legal))
    return table.append_column("action", pyarrow.array(views.action.astype(np.int32)))


@kernel
def _expand(games: Any, rules: Any, columns: Any, row: int, coding: Any, outputs: Any) -> Any:
    # Plays rows until the room for legal actions is used up: the next row, -1 - row for a wrong one; and the room used.
    match, players, rounds, seat, moves = columns
    codecs, history = coding
    observation, counts, action, legal, total = outputs
    game, codec, before = games[0], codecs[0], row - 1
    public = game.public
    while row < len(moves) and total + MAX_MOVES <= len(legal):
        if row == 0 or match[row] != match[before]:
            copy_record(game, rules[players[row]])
            start_match(game, match[row])
        elif rounds[row] != rounds[before] and public.over:
            next_round_unchecked(game)
        mover, room = np.int64(public.seat), legal[total:]
        private = game.private[mover]
        count, found = legal_moves(public, private, room), False
        for i in range(count):
            found |= room[i] == moves[row]
        if not found or mover != seat[row] or public.round_number != rounds[row]:
            return -1 - row, total
        counts[row] = legal_actions(room, count, mover, np.int64(players[row]), codec, room)
        action[row] = max(-1, action_of(moves[row], mover, np.int64(players[row]), codec))
        observe(public, private, mover, codec, history, observation[row])
        total += counts[row]
        play_unchecked(game, moves[row])
        before, row = row, row + 1
    return row, total
