"""Benchmark cases: their form, and those of this library (those of other libraries are in other_libraries.py).

All cases play uniformly random legal moves. Unless a case says otherwise, one random number selects an index in the
list or mask of legal actions. All cases begin a new episode when one ends. They count decisions of players, not chance
events or resets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count
from random import random
from typing import Any

import numpy as np

import saboteur_env
from saboteur_env.experiments.speed.engine import play_randomly

from .engine import dealt

STATE_ONLY, WITH_OBSERVATIONS = "state and legal actions", "observation and mask"

Play = Callable[[int], int]  # plays at least so many decisions; returns how many it played


@dataclass(frozen=True)
class Case:
    """A game in one library, played through one interface.

    Attributes:
        key: a short name, unique among those of the same view.
        door: how the game is played.
        view: STATE or SHOWN, what each decision is given.
        counted: what is in the time of a decision, in words.
        prepare: makes the games, so many at once, and answers what plays them; raises what the library raises.
        sizes: numbers of games at once to choose the fastest from.
    """

    key: str
    library: str
    game: str
    door: str
    view: str
    counted: str
    prepare: Callable[[int], Play]
    sizes: tuple[int, ...] = (1,)

    @property
    def name(self) -> str:
        """The unique name of the case."""
        return f"{self.title}, {self.view}"

    @property
    def title(self) -> str:
        """Library, game and interface."""
        return f"{self.library}: {self.game}, {self.door}"


def ours(players: int) -> Iterator[Case]:
    """The cases of this library, for a number of players."""
    make = partial(Case, library="saboteur_env", game=f"Saboteur, {players} players")
    yield make(
        "kernel",
        door="kernel loop",
        view=STATE_ONLY,
        counted="compiled loop over one game",
        prepare=partial(_kernel, players),
    )
    unseen, bits = {"observations": False, "mask": None}, {"mask": "packed"}
    for key, view, door, given, form in (
        ("batch", STATE_ONLY, "make_vec, moves by place", "legal moves", {**unseen, "legal": "moves"}),
        ("batch actions", STATE_ONLY, "make_vec", "legal actions", unseen),
        ("batch", WITH_OBSERVATIONS, "make_vec", "int8 observation and mask, legal actions", {}),
        (
            "batch packed",
            WITH_OBSERVATIONS,
            "make_vec, packed mask",
            "int8 observation, mask as bits, legal actions",
            bits,
        ),
    ):
        verb = "take" if "legal" in form else "step"
        counted = f"{verb}() with its checks; {given}, rewards, ends"
        batch = partial(make, door=door, view=view, counted=counted, prepare=partial(_batch, players, form))
        yield batch(key, sizes=(32, 64, 128, 256, 384, 512, 1024, 2048))
        yield batch(f"{key} of 4,096", sizes=(4096,))
    yield make(
        "aec",
        door="AEC loop",
        view=WITH_OBSERVATIONS,
        counted="last(), step(); int8 observation and mask",
        prepare=partial(play_aec, partial(saboteur_env.env, players=players)),
    )


def _kernel(players: int, _size: int) -> Play:
    games, scratch = dealt(players)
    streams = count(2)

    def play(decisions: int) -> int:
        return play_randomly(games, scratch, decisions, np.uint64(next(streams)))[0]

    return play


def _batch(players: int, form: dict[str, Any], size: int) -> Play:
    vec, draws = saboteur_env.make_vec(size, players, 0, threads=1, **form), count()
    take, choose = (vec.take, vec.sample_indices) if "legal" in form else (vec.step, vec.sample)

    def play(decisions: int) -> int:
        steps = -(-decisions // size)
        for _ in range(steps):
            take(choose(next(draws)))
        return steps * size

    return play


def play_aec(make: Callable[[], Any], _size: int) -> Play:
    """Play a PettingZoo AEC environment, dead steps included."""
    env = make()
    env.reset(seed=0)

    def play(decisions: int) -> int:
        result = 0
        while result < decisions:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                if not env.agents:
                    env.reset()
                continue
            legal = observation["action_mask"].view(bool).nonzero()[0]  # int8, read eight times as fast as bool
            env.step(int(legal[int(random() * len(legal))]))
            result += 1
        return result

    return play
