"""Whole trees: their counts, their information sets, and profiles valued on them."""

from copy import deepcopy

import numpy as np
import pytest

from saboteur_env import Game
from saboteur_env.agents.registry import make_agent
from saboteur_env.core.errors import IllegalMove
from saboteur_env.engine.moves import text_of
from saboteur_env.experiments.equilibrium.passes import in_sets
from saboteur_env.experiments.equilibrium.profiles import profile_of, view_at
from saboteur_env.experiments.equilibrium.tree import build
from saboteur_env.experiments.equilibrium.values import (
    best_response,
    miners_win,
    nash_conv,
    saboteur_response,
    values,
)
from saboteur_env.extensive_form.explicit_chance import ExplicitChance
from saboteur_env.extensive_form.information_state import information_state
from saboteur_env.mines import MINES


@pytest.fixture(scope="module")
def k3():
    return build(MINES["K3"].rules())


def mixed(tree, seed):
    return in_sets(tree, np.random.default_rng(seed).random(tree.first[-1]))


@pytest.mark.parametrize("name", MINES)
def test_the_counts_of_a_mine_are_those_of_its_tree(name):
    mine = MINES[name]
    tree = build(mine.rules())
    assert len(tree.deals.chances) == mine.deals
    assert tree.decisions == mine.decisions
    assert nodes_with_draws(tree) == mine.nodes
    assert tree.deals.chances.sum() == pytest.approx(1)


def nodes_with_draws(tree):
    """The nodes of the same game where chance draws each card when it is drawn, if several kinds can be."""
    decks = [game.secret.deck[: game.public.deck_count][::-1].tolist() for game in tree.deals.games]
    starts = [_start(game) for game in tree.deals.games]
    drawn, moves, found = [0] * tree.nodes, [()] * tree.nodes, {()}
    for node in range(1, tree.nodes):
        above, deal = tree.parent[node], tree.deal[node]
        deck, before = decks[deal], drawn[above]
        if above > 0:
            moves[node] = (*moves[above], int(tree.move[node]))
            chooses_on = tree.seat[node] == tree.seat[above]
            drawn[node] = before + (not chooses_on and not tree.miners_won[node] and before < len(deck))
        if drawn[node] > before and len(set(deck[before:])) > 1:
            found.add((starts[deal], moves[node], *deck[:before], "draw"))
        found.add((starts[deal], moves[node], *deck[: drawn[node]]))
    return len(found)


def _start(game):
    seats = [(int(own.role), own.hand.tobytes()) for own in game.private[: game.public.rules.players]]
    return (*seats, int(game.secret.aside), game.secret.face.tobytes())


def test_explicit_chance_has_the_same_nodes():
    options = {"goal_cells": [[2, 0]], "deck": {"EW": 3, "xEW": 2}, "hand_size": 1, "first_seat": 0}
    tree = build(Game(3, rounds=1, options=options | {"role_table": {"saboteurs": 1, "miners": 2}}).rules)
    starts = {_start(deal): Game.of_records(deal[None].copy(), tree.rules) for deal in tree.deals.games}
    assert len(starts) < len(tree.deals.games)
    assert 1 + sum(_nodes(ExplicitChance(game)) for game in starts.values()) == nodes_with_draws(tree)


def _nodes(round):
    if round.outcomes():
        assert sum(round.outcomes().values()) == pytest.approx(1)
        steps = [("draw", card) for card in round.outcomes()]
    else:
        steps = [("play", move) for move in ([] if round.game.winner else round.game.legal_moves())]
    return 1 + sum(_nodes(_after(round, *step)) for step in steps)


def _after(round, what, value):
    after = deepcopy(round)
    getattr(after, what)(value)
    return after


def test_chance_draws_what_it_is_told_and_a_transcript_knows():
    round = ExplicitChance(Game(3, seed=7, options={"first_seat": 0}))
    move = round.game.legal_moves()[0]
    with pytest.raises(IllegalMove, match="'map' cannot be drawn: a seat is to move"):
        round.draw("map")
    round.play(move)
    with pytest.raises(IllegalMove, match="while chance is to move"):
        round.play(move)
    with pytest.raises(IllegalMove, match="'gold' cannot be drawn"):
        round.draw("gold")
    held = round.game.view(0).hand.count("map")
    round.draw("map")
    assert round.game.view(0).hand.count("map") == held + 1
    assert Game.replay(round.game.transcript()) == round.game


def test_information_sets_are_what_a_seat_has_known_in_order(k3):
    nodes = np.random.default_rng(1).choice(np.flatnonzero(k3.seat >= 0), 300, replace=False)
    names = {}
    for node in nodes:
        name = information_state(_played(k3, node), int(k3.seat[node]))
        names.setdefault(int(k3.info[node]), set()).add(name)
    assert all(len(texts) == 1 for texts in names.values())
    assert len(set.union(*names.values())) == len(names) < len(nodes)


def _played(tree, node):
    moves, deal = [], tree.deals.games[tree.deal[node]]
    while tree.edge[node] >= 0:
        moves.append(text_of(int(tree.move[node])))
        node = tree.parent[node]
    game = Game.of_records(deal[None].copy(), tree.rules)
    for move in reversed(moves):
        game.play(move)
    return game


def test_what_was_drawn_when_is_remembered():
    options = dict(MINES["K3"].options) | {"deck": {"xEW": 4, "xNS": 4}, "goal_cells": [[2, 0]]}
    first, second = (ExplicitChance(Game(3, seed=1, rounds=1, options=options)) for _ in range(2))
    for round, cards in ((first, ("xEW", "xNS")), (second, ("xNS", "xEW"))):
        for drawn in cards:
            for seat in range(3):
                round.play(f"discard:{round.game.view(seat).hand[0]}")
                if round.outcomes():
                    round.draw(drawn if seat == 0 and drawn in round.outcomes() else next(iter(round.outcomes())))
    assert first.game.view(1) == second.game.view(1)
    assert information_state(first.game, 1) == information_state(second.game, 1)
    assert information_state(first.game, 0) != information_state(second.game, 0)


def test_full_enumeration_says_what_play_shows(k3):
    profile, agent = profile_of(k3, make_agent("scripted")), make_agent("scripted")
    won = 0
    for seed in range(1500):
        game = MINES["K3"].game(seed)
        while not game.winner:
            game.play(agent.act(game.view(game.seat), seed))
        won += game.winner == "miners"
    expected = miners_win(k3, profile)
    assert abs(won / 1500 - expected) < 4 * (expected * (1 - expected) / 1500) ** 0.5


def test_a_profile_is_what_the_agent_says(k3):
    profile, agent = profile_of(k3, make_agent("careless")), make_agent("careless")
    info = int(np.flatnonzero(np.diff(k3.first) > 2)[5])
    begin, end = k3.first[info : info + 2]
    view = view_at(k3, k3.info_node[info])
    assert sorted(profile[begin:end]) == pytest.approx(sorted(agent.probabilities(view).values()))
    with pytest.raises(ValueError, match="has no probabilities"):
        profile_of(k3, object())


@pytest.mark.parametrize("seed", range(3))
def test_no_answer_is_worse_than_what_was_played(k3, seed):
    profile = mixed(k3, seed)
    for seat in range(3):
        found = best_response(k3, profile, seat)
        assert found.gain >= -1e-12
        assert values(k3, found.profile)[seat] == pytest.approx(found.value)
        assert best_response(k3, found.profile, seat).gain == pytest.approx(0, abs=1e-12)
    assert saboteur_response(k3, profile).gain >= -1e-12


def test_no_other_answer_is_better(k3):
    profile, best = mixed(k3, 7), best_response(k3, mixed(k3, 7), 1).value
    own = np.repeat(k3.info_seat == 1, np.diff(k3.first))
    for seed in range(200):
        assert values(k3, np.where(own, mixed(k3, seed), profile))[1] <= best


def test_uniform_play_is_as_exploitable_as_was_published():
    k8 = build(MINES["K8"].rules())
    assert nash_conv(k8, k8.uniform()) == pytest.approx(1.359, abs=5e-4)


def test_what_a_tree_needs():
    with pytest.raises(ValueError, match="first_seat"):
        build(Game(3).rules)
    two = {"role_table": {"saboteurs": 2, "miners": 1}}
    tree = build(Game(3, rounds=1, options=MINES["K3"].options | two).rules)
    with pytest.raises(ValueError, match="one saboteur, not 2"):
        saboteur_response(tree, tree.uniform())
