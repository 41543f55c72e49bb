"""The round that is played again from the public record alone is the one that was seen, at each of its moves."""

import json
import random
from collections import Counter

import numpy as np
import pytest

from saboteur_env import Game
from saboteur_env.agents.scripted.agent import KernelAgent
from saboteur_env.core.compiled.jit import kernel
from saboteur_env.engine.editions import EDITIONS, Rules
from saboteur_env.engine.legal import MAX_MOVES
from saboteur_env.engine.state import PUBLIC, blank
from saboteur_env.inference.rewind import begins_with_round, replay, rewind
from tests.long.lockstep import table
from tests.support.positions import load
from tests.support.samples import begin, step, table_of

OF_GOLD = ("gold_left", "gold_count", "gold_seat", "gold_round", "shortfall", "nuggets", "past")
SEEN = [name for name in PUBLIC.names if name not in OF_GOLD]


@kernel
def again(public, games, seen):
    """Write the public record before each event and at the end."""
    rewind(public, games[0])
    for i in range(public.event_count):
        seen[i] = games[0].public
        replay(games[0], np.int64(public.events[i]))
    seen[public.event_count] = games[0].public


def assert_the_same(public, history):
    """Playing again leads to the tables that were seen, but for gold; by the draft the round is over."""
    seen = np.zeros(public.event_count + 1, PUBLIC)
    again(public, blank(), seen)
    for now, then in zip(seen, history, strict=True):
        drafting = then["winner"] != 0
        differ = [name for name in SEEN if not np.array_equal(now[name], then[name])]
        assert not drafting or set(differ) <= {"events", "event_count", "seat", "over", "choice"}, differ
        assert drafting or not differ, differ


def test_random_rounds_at_all_kinds_of_tables_are_played_again():
    rng, moves, seen = random.Random(4), np.empty(MAX_MOVES, np.int32), Counter()
    while seen["rounds"] < 200:
        try:
            rules = Rules.make(**table(rng))
        except ValueError:
            continue
        games, eager = table_of(rules), rng.choice([0, 60, 95])
        begin(games, np.uint64(rng.getrandbits(64)))
        public, history = games[0].public, []
        while True:
            history.append(public.copy())
            if public.over:
                assert_the_same(public, history)
                seen["rounds"] += 1
                seen["winner", int(public.winner)] += 1
                history = []
                if public.round_number == rules.rounds:
                    break
            elif public.choice or rng.random() < 0.01:
                assert_the_same(public, history)
                seen["choice", int(public.choice)] += 1
            step(games, moves, np.uint64(rng.getrandbits(64)), eager)
    assert len([kind for kind in seen if kind[0] == "winner"]) == 3, seen
    assert all(seen["choice", choice] for choice in range(4)), seen


@pytest.mark.parametrize("edition", EDITIONS)
def test_scripted_rounds_are_played_again(edition):
    agent = KernelAgent("scripted")
    for players in (3, 6, 10):
        game, history = Game(players, edition, seed=players), []
        while not game.round_over:
            view = game.view(game.seat)
            history.append(view.public)
            game.play(agent.act(view, len(history)))
        history.append(game.view(0).public)
        assert_the_same(history[-1], history)


def test_a_record_that_begins_later_is_told_from_a_whole_one():
    game, agent = Game(5, seed=4), KernelAgent("scripted")
    for turn in range(20):
        game.play(agent.act(game.view(game.seat), turn))
    data = json.loads(game.to_json())
    for first in (0, 3, 20):
        public = load(data | {"record": data["record"][first:]}).view(0).public
        assert whole(public) == (first == 0)


@kernel
def whole(public):
    return begins_with_round(public)
