"""A data set of decisions as one of Minari, for offline learners: an episode for each seat of each match."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from saboteur_env.core.extras import extra

from .read import config_of, expand


def to_minari(table: Any, dataset_id: str, window: str | None = None, history: int | None = None) -> Any:
    """Write the decisions of whole matches as a `minari.MinariDataset` (extra `bridges`), and return it.

    An observation is int8[bytes], an action a number. Infos are `action_mask` int8[actions], zeros at the end, and
    `role`. The last decision of a round is paid its `return`. As there is no decision after the last one of a match,
    its observation stands there once more.

    Args:
        table: of `record_shard`, or of a file, whole matches.
        dataset_id: as Minari names data sets, such as `saboteur/scripted-v0`.
        window, history: of the observations; those of the data set if not given.

    Raises: ValueError where a move lies outside the window, and as `expand`.
    """
    with extra("bridges"):
        import minari

    views, config = expand(table, window, history), config_of(table)
    if outside := int((views.action < 0).sum()):
        raise ValueError(f"{outside} moves lie outside the window: choose a larger one, such as window='full'")
    given = {"window": window or config.window, "history": config.history if history is None else history}
    settings = type(config)(**{**vars(config), **given}).settings(config.players[0])
    mask = views.mask(settings.actions.count).astype(np.int8)
    buffers = [_buffer(table, rows, views, mask) for rows in _episodes(table)]
    return minari.create_dataset_from_buffers(
        dataset_id,
        buffers,
        observation_space=settings.observations.flat_space(),
        action_space=spaces.Discrete(settings.actions.count),
        algorithm_name=",".join(config.agents),
        data_format="arrow",
    )


def _episodes(table: Any) -> list[Any]:
    # The rows of each seat of each match, in their order.
    match, seat = table["match"].to_numpy(), table["seat"].to_numpy()
    order = np.lexsort((np.arange(len(seat)), seat, match))
    begins = np.flatnonzero((np.diff(match[order]) != 0) | (np.diff(seat[order]) != 0)) + 1
    return np.split(order, begins)


def _buffer(table: Any, rows: Any, views: Any, mask: Any) -> Any:
    from minari.data_collector import EpisodeBuffer

    rounds, role = table["round"].to_numpy()[rows], table["role"].to_numpy()[rows]
    last_of_round = np.append(np.diff(rounds) != 0, True)
    over = np.arange(len(rows)) == len(rows) - 1
    shown = np.append(rows, rows[-1])
    masks = mask[shown]
    masks[-1] = 0
    return EpisodeBuffer(
        observations=list(views.observation[shown]),
        actions=list(views.action[rows]),
        rewards=np.where(last_of_round, table["return"].to_numpy()[rows], 0.0).tolist(),
        terminations=over.tolist(),
        truncations=[False] * len(rows),
        infos={"action_mask": list(masks), "role": np.append(role, role[-1]).tolist()},
    )
