"""A round as a strip of moments, and all cards of a deck: drawings that hold what they say, and no secrets."""

import re
from itertools import pairwise

import pytest

from saboteur_env import Game
from saboteur_env.agents.scripted.agent import KernelAgent
from saboteur_env.engine.editions import Rules
from saboteur_env.render import draw_cards, draw_strip, steps_of


@pytest.fixture(scope="module")
def transcript():
    game, dwarf = Game(players=4, seed=3, rounds=1), KernelAgent("scripted")
    while not game.round_over:
        game.play(dwarf.act(game.view(game.seat), seed=1))
    return game.transcript()


def moments(svg):
    return [int(number) for number in re.findall(r'<tspan font-weight="bold">(\d+)</tspan> ', svg)]


def test_moments_go_from_the_deal_to_the_end(transcript):
    moves = len(Game.replay(transcript).view(0).record)
    result = moments(draw_strip(transcript, frames=5))
    assert (len(result), result[0], result[-1]) == (5, 0, moves)
    assert result == sorted(result)


def test_no_mine_is_shown_twice_in_a_row(transcript):
    game = Game.replay(transcript)
    laid = [move for _, move in game.view(0).record if "@" in move]
    result = moments(draw_strip(transcript, frames=500))
    assert len(result) == 1 + len(laid) < len(game.view(0).record)
    steps = list(steps_of(transcript))
    mines = [str(steps[moment].game.mine) for moment in result]
    assert all(one != other for one, other in pairwise(mines)) and mines[-1] == str(game.mine)


def test_a_round_in_which_nothing_was_laid_is_its_deal_and_its_end():
    game = Game(players=3, seed=1, rounds=1)
    while not game.round_over:
        game.play(next(move for move in game.legal_moves() if "@" not in move))
    assert moments(draw_strip(game.transcript(), 6)) == [0, len(game.view(0).record)]


def test_goals_that_eyes_have_not_seen_stay_hidden(transcript):
    game = Game.replay(transcript)
    blind = next(seat for seat in range(4) if None in game.view(seat).faces)
    assert ">?</text>" in draw_strip(transcript, 2, eyes=blind)
    assert ">?</text>" not in draw_strip(transcript, 2)


@pytest.mark.parametrize(("frames", "number"), [(1, 1), (9, 2)])
def test_strips_of_nothing_are_refused(transcript, frames, number):
    with pytest.raises(ValueError, match=f"{frames} moments of round {number}"):
        draw_strip(transcript, frames, round_number=number)


def test_all_cards_are_drawn_with_their_copies():
    rules = Rules.make(5)
    svg = draw_cards(rules)
    assert sum(map(int, re.findall(r">x(\d+)</tspan>", svg))) == sum(rules.deck)
    assert svg.count("<use ") == len([copies for copies in rules.deck if copies]) + 1 + len(rules.goal_cells)


def test_a_deck_of_ones_own_shows_its_cards_alone():
    svg = draw_cards(Rules.make(3, options={"deck": {"NESW": 20, "map": 1}}))
    assert re.findall(r">x(\d+)</tspan>", svg) == ["20", "1"]
    assert "Dead ends" not in svg
