"""The taskset of verifiers, loaded by verifiers itself, and a whole run of it with a model of the tests' own server."""

import asyncio
import json
import os
import re
import subprocess
import sys
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest

pytest.importorskip("verifiers.v1", reason="verifiers is not installed (extra verifiers)")

from verifiers.v1.utils.loaders import environment_class, taskset_class

from saboteur_env.single_agent.verifiers import SaboteurConfig, SaboteurEnv, SaboteurTaskset
from tests.support import chat_server
from tests.support.chat_server import serving


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


PLAYER = '''
from openai import AsyncOpenAI
from verifiers.v1.configs.harness import HarnessConfig
from verifiers.v1.dialects.chat import message_to_wire
from verifiers.v1.harness import Harness
from verifiers.v1.runtimes import ProgramResult

__all__ = ["PlainHarness"]


class PlainHarness(Harness[HarnessConfig]):
    """Asks the model in this process, where the harnesses of verifiers need a program of their own, and uv."""

    SUPPORTS_RESUME, EXECUTES_CODE, NEEDS_CONTAINER = True, False, False

    async def launch(self, ctx, trace, runtime, endpoint, secret, mcp_urls, data):
        messages = [message_to_wire(message) for message in self.resolve_prompt(data)[1]]
        async with AsyncOpenAI(base_url=endpoint, api_key=secret) as client:
            await client.chat.completions.create(model=ctx.model, messages=messages)
        return ProgramResult(0, "", "")
'''
RUN = "from verifiers.v1.cli.eval.main import main; main()"


def test_verifiers_evaluates_a_model_on_a_match(tmp_path):
    (tmp_path / "my_saboteur.py").write_text("from saboteur_env.single_agent.verifiers import *\n__all__ = dir()\n")
    (tmp_path / "plain.py").write_text(PLAYER)
    with serving(chat_server.last_good) as (url, server):
        given = {
            "--env.taskset.players": "3",
            "--env.taskset.dwarfs": "random",
            "--env.player.harness.id": "plain",
            "--env.player.runtime.type": "subprocess",
            "--client.base-url": url,
            "--client.api-key-var": "NO_KEY",
            "--model": "m",
            "-n": "1",
            "--output-dir": "out",
            "--run.name": "match",
        }
        options = [part for pair in given.items() for part in pair]
        run = subprocess.run(
            [sys.executable, "-c", RUN, "my-saboteur", *options, "--no-push", "--no-rich"],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), os.getcwd()]), "NO_KEY": "none"},
            capture_output=True,
            text=True,
        )
    assert run.returncode == 0, run.stdout + run.stderr
    (episode,) = map(json.loads, next((tmp_path / "out").rglob("traces.jsonl")).read_text().splitlines())
    (trace,) = episode["traces"]
    assert episode["ok"] and trace["rewards"]["won"]["score"] in (0, 1)
    assert trace["metrics"]["fallbacks"] == 0
    assert len(server.asked) > 5
