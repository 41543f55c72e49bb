"""The taskset of verifiers, loaded by verifiers itself; the model is a stand-in that reads what it is asked."""

import asyncio
import re
import sys
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest

pytest.importorskip("verifiers.v1", reason="verifiers is not installed (extra verifiers)")

from verifiers.v1.utils.loaders import environment_class, taskset_class

from saboteur_env.single_agent.verifiers import SaboteurConfig, SaboteurEnv, SaboteurTaskset


class Trace:
    def __init__(self):
        self.noted = {}

    def record_reward(self, name, value):
        self.noted[name] = value

    def record_metric(self, name, value):
        self.noted[name] = value


def played(answer, last=10**6, **settings):
    """Play match 1 with a model that answers so, for so many turns: what is recorded, and the prompts."""
    taskset, asked, trace = SaboteurTaskset(SaboteurConfig(**settings)), [], Trace()
    task = next(task for task in taskset if task.data.idx == 1)

    async def turn(told):
        asked.append(told)
        return SimpleNamespace(terminated=len(asked) > last, last_reply=answer(told))

    @asynccontextmanager
    async def interaction(_):
        yield SimpleNamespace(turn=turn, trace=trace)

    player = SimpleNamespace(interaction=interaction)
    asyncio.run(SaboteurEnv.run(None, task, SimpleNamespace(player=player)))
    return trace.noted, asked


def first_move(told):
    return re.search(r"^1\. (\S+)$", told, re.MULTILINE)[1]


def test_a_model_plays_a_match_among_dwarfs():
    noted, asked = played(first_move, players=3, dwarfs="random")
    assert noted["won"] in (0, 1) and noted["fallbacks"] == 0
    assert all("You are dwarf 1" in told for told in asked) and len(asked) > 5


def test_what_cannot_be_read_is_counted_and_who_stops_ends_the_match():
    noted, asked = played(lambda told: "hm", last=4, players=3, dwarfs="random", tries=2)
    assert noted == {"won": 0, "fallbacks": 2}
    assert "Answer again." in asked[1] and "Answer again." not in asked[2]


def test_seats_and_seeds_go_round():
    tasks = SaboteurTaskset(SaboteurConfig(players=3)).take(4)
    assert [(task.data.seed, task.data.seat) for task in tasks] == [(0, 0), (1, 1), (2, 2), (3, 0)]


def test_verifiers_finds_it_in_a_module_of_ones_own(tmp_path, monkeypatch):
    (tmp_path / "my_saboteur.py").write_text("from saboteur_env.single_agent.verifiers import *\n__all__ = dir()\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "my_saboteur", raising=False)
    assert taskset_class("my-saboteur") is SaboteurTaskset
    assert environment_class("my-saboteur") is SaboteurEnv
