"""Agents shared by threads: each thread is answered as if it were alone."""

import copy
import pickle
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from saboteur_env import Game
from saboteur_env.agents import wazabi
from saboteur_env.agents.beliefs.action_model_file import fitted
from saboteur_env.agents.beliefs.filter import Belief
from saboteur_env.agents.beliefs.script_model import Mixture, ScriptModel
from saboteur_env.agents.matches.matchups import Matchup, play_match
from saboteur_env.agents.registry import make_agent
from saboteur_env.agents.scripted.agent import KernelAgent
from saboteur_env.agents.scripted.presets import PRESETS
from saboteur_env.agents.search.ismcts import Search
from saboteur_env.agents.wazabi import WAZABI_PRESETS, WazabiAgent
from saboteur_env.engine.editions import Rules
from saboteur_env.wazabi import Game as Wazabi
from tests.support.dwarfs import Scribbler

THREADS = 8


def views_of(make, counts):
    """What the seats to move see in some matches, one for each number of players."""
    views = []
    for players in counts:
        game = make(players=players, seed=players)
        for step in range(24):
            moves = game.legal_moves()
            if moves:
                views.append(game.view(game.seat))
                game.play(moves[step * 7 % len(moves)])
    return views


def asked(ask, views, rounds):
    """What each of many threads is answered, each beginning with another view; and what one alone is."""
    alone, gate = [ask(view) for view in views], threading.Barrier(THREADS)

    def answers(first):
        gate.wait()
        return [ask(views[(first + i) % len(views)]) for i in range(rounds * len(views))]

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # seconds that a thread runs on while others wait
    try:
        with ThreadPoolExecutor(THREADS) as pool:
            together = list(pool.map(answers, range(THREADS)))
    finally:
        sys.setswitchinterval(before)
    expected = [[alone[(first + i) % len(views)] for i in range(rounds * len(views))] for first in range(THREADS)]
    return together, expected


def answered(agent):
    """All that an agent answers to a view."""
    doors = [lambda view: agent.act(view, 5)]
    doors += [getattr(agent, name) for name in ("probabilities", "beliefs") if hasattr(agent, name)]
    return lambda view: [door(view) for door in doors]


SEARCH = "iterations=4:trees=2:threads=2:rollout_depth=1"


@pytest.mark.parametrize("name", PRESETS)
def test_a_dwarf_is_shared(name):
    together, expected = asked(answered(KernelAgent(name)), views_of(Game, (3, 5, 10)), 3)
    assert together == expected


@pytest.mark.parametrize("name", WAZABI_PRESETS)
def test_a_player_of_wazabi_is_shared(name, monkeypatch):
    agent, gate, used = WazabiAgent(name), threading.Barrier(2), []
    views, act = views_of(Wazabi, (2, 4)), wazabi._act

    def act_at_once(public, private, number, moves, seed):
        used.append(moves)  # too quick for threads to meet in it by chance
        gate.wait()
        return act(public, private, number, moves, seed)

    alone = [agent.act(view, 5) for view in views]
    monkeypatch.setattr(wazabi, "_act", act_at_once)
    with ThreadPoolExecutor(2) as pool:
        halves = [pool.submit(lambda half: [agent.act(view, 5) for view in half], views[i::2]) for i in range(2)]
        assert [half.result() for half in halves] == [alone[::2], alone[1::2]]
    assert all(not np.shares_memory(*pair) for pair in zip(used[::2], used[1::2], strict=True))


def test_a_searcher_is_shared():
    search = Search(SEARCH)
    together, expected = asked(answered(search), views_of(Game, (3, 5))[::8], 2)
    assert together == expected


def test_the_learned_dwarf_is_shared_and_leaves_torch_its_threads():
    torch = pytest.importorskip("torch", reason="needs the extra learned")
    before = torch.get_num_threads()
    together, expected = asked(answered(make_agent("ppo")), views_of(Game, (3, 5))[::8], 1)
    assert together == expected
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(torch.get_num_threads).result() == torch.get_num_threads() == before


MODELS = {
    "fitted": fitted,
    "script": lambda: ScriptModel("scripted", hands=1),
    "mixture": lambda: Mixture([fitted(), ScriptModel("blatant", hands=1)]),
}


@pytest.mark.parametrize("model", MODELS)
def test_a_belief_is_shared(model):
    belief = Belief(MODELS[model]())

    def ask(view):
        posterior = belief.of(view)
        return posterior.worlds.tolist(), posterior.weights.tolist(), belief.game(view, 3).to_json()

    together, expected = asked(ask, views_of(Game, (3, 5))[::4], 3)
    assert together == expected


@pytest.mark.parametrize("name", ["scripted", f"search:{SEARCH}", "tests.support.dwarfs.Scribbler"])
def test_matches_of_agents_by_name_are_those_played_alone(name):
    def play(seed):
        return play_match(Rules.make(3, rounds=1), seed, Matchup(name, name))[0].transcript()

    alone = [play(seed) for seed in range(8)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(play, range(8))) == alone


def test_a_thread_has_agents_of_its_own():
    with ThreadPoolExecutor(1) as pool:
        theirs = [pool.submit(make_agent, "tests.support.dwarfs.Scribbler").result() for _ in range(2)]
    assert theirs[0] is theirs[1]
    assert theirs[0] is not make_agent("tests.support.dwarfs.Scribbler")
    assert isinstance(theirs[0], Scribbler)


COPIES = {"copy": copy.copy, "deepcopy": copy.deepcopy, "pickle": lambda agent: pickle.loads(pickle.dumps(agent))}


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("make", [lambda: KernelAgent("scripted"), lambda: Search(SEARCH)], ids=["scripted", "search"])
def test_a_copy_of_an_agent_plays_the_same(make, how):
    agent = make()
    twin, ask = answered(COPIES[how](agent)), answered(agent)
    for view in views_of(Game, (3,))[::6]:
        assert twin(view) == ask(view)
