"""Saboteur as a taskset of verifiers (extra `verifiers`): a language model plays one seat, dwarfs play the others.

Verifiers finds a taskset by the name of a top-level module, so its runs need a module of yours that imports both
classes and names them in `__all__` (docs/chat.md).
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

from ..agents.registry import make_agent
from ..core.extras import extra
from ..engine.cards import ROLES
from ..text import TextEnv

with extra("verifiers"):
    import verifiers.v1 as vf

__all__ = ["SaboteurEnv", "SaboteurTaskset"]

TEAM_OF = dict(zip(ROLES, ("miners", "saboteurs"), strict=True))


class SaboteurConfig(vf.TasksetConfig):
    """The settings of all matches: as for `TextEnv`, and `dwarfs`, who plays the other seats (agents/registry.py)."""

    players: int = 5
    edition: str = "lv"
    rounds: int = 1
    size: str = "full"
    tries: int = 3
    dwarfs: str = "scripted"


class SaboteurData(vf.TaskData):
    """A match: `seed` of its deals, `seat` of the model, `settings` of the text environment, `dwarfs`."""

    seed: int
    seat: int
    settings: dict[str, Any]
    dwarfs: str


class SaboteurTask(vf.Task[SaboteurData, vf.State, vf.TaskConfig]):
    """A match to be played; the environment pays for it."""


class SaboteurTaskset(vf.Taskset[SaboteurTask, SaboteurConfig]):
    """Matches without end: match `i` has seed `i`, and the model sits in each seat in turn."""

    INFINITE = True

    def load(self) -> Iterator[SaboteurTask]:
        """The matches, in the order of their seeds."""
        given = self.config
        settings = {name: getattr(given, name) for name in ("players", "edition", "rounds", "size", "tries")}
        for seed in itertools.count():
            seat = seed % given.players
            data = SaboteurData(name=f"saboteur#{seed}", seed=seed, seat=seat, settings=settings, dwarfs=given.dwarfs)
            yield SaboteurTask(data, given.task)


class SaboteurEnvConfig(vf.EnvConfig):
    """Who plays: `player`, the model."""

    player: vf.AgentConfig = vf.AgentConfig()


class SaboteurEnv(vf.Env[SaboteurEnvConfig]):
    """A match turn by turn. The reward is the share of rounds that the model's side wins."""

    async def run(self, task: Any, agents: Any) -> None:
        """Play a match; where the model stops answering, what it has won so far counts."""
        data = task.data
        table = TextEnv(**data.settings)
        table.reset(data.seed)
        dwarf, rng = make_agent(data.dwarfs), random.Random(data.seed)
        won, done = 0, False
        async with agents.player.interaction(task) as interaction:
            while not done:
                seat, told = table.get_observation()
                if seat == data.seat:
                    segment = await interaction.turn(told)
                    if segment.terminated:
                        break
                    answer = segment.last_reply
                else:
                    answer = dwarf.act(table.game.view(seat), rng.getrandbits(63))
                done, info = table.step(answer)
                won += bool(info["roles"]) and info["winner"] == TEAM_OF[info["roles"][data.seat]]
        interaction.trace.record_reward("won", won / data.settings["rounds"])
        interaction.trace.record_metric("fallbacks", float(table.close()[1][data.seat]["fallbacks"]))
