"""The checked game: turns, rounds, copies."""

import random

import pytest

from saboteur_env import Game
from tests.support.matches import NEAR, finished_round
from tests.support.positions import EMPTY, data_of, played, position


@pytest.mark.parametrize("players", range(3, 11))
def test_a_match_at_its_beginning(players):
    game = Game(players=players, seed=players)
    assert (game.round, game.round_over, game.over, game.winner) == (1, False, False, None)
    assert game.nuggets == [0] * players
    assert 0 <= game.seat < players
    assert str(game) == EMPTY.strip("\n")
    assert f"Game of {players}, edition lv, round 1 of 3, seat {game.seat} to move" in repr(game)


def test_seats_take_turns_clockwise_and_the_round_ends():
    game = Game(players=3, seed=1, options={"first_seat": 2})
    seats = []
    while not game.round_over:
        seats.append(game.seat)
        game.play(next(move for move in game.legal_moves() if move.startswith("discard")))
    assert seats == [(2 + turn) % 3 for turn in range(67)]
    assert (game.seat, game.legal_moves(), game.over) == (seats[-1], [], False)
    assert f"won by {game.winner}" in repr(game)


def test_a_round_that_is_over_waits_for_its_draft():
    mine = """
 |
-S-. ?
 |
"""
    game = played(position(mine, [["EW"]], options={"draft": True}, rounds=1), "EW@1,0")
    assert (game.winner, game.round_over, game.over) == ("miners", False, False)
    while not game.round_over:
        game.play(game.legal_moves()[0])
    assert (game.winner, game.round_over, game.over) == ("miners", True, True)


@pytest.mark.parametrize("seed", range(6))
def test_legal_moves_are_in_plain_string_order_and_all_different(seed):
    game, rng = Game(players=5, edition="ru", seed=seed, options=NEAR), random.Random(seed)
    while not game.round_over:
        moves = game.legal_moves()
        assert moves == sorted(set(moves))
        assert moves == game.view(game.seat).legal_moves()
        game.play(rng.choice(moves))
    assert game.legal_moves() == []


def test_every_legal_move_can_be_played_and_a_copy_is_independent():
    game = Game(players=3, seed=3)
    for _ in range(12):
        before, text = game.copy(), game.transcript()
        for move in game.legal_moves():
            twin = played(game.copy(), move)
            assert twin != game
            assert game == before
        assert game.transcript() == text
        game.play(game.legal_moves()[0])


def test_a_copy_goes_its_own_way_into_the_next_round():
    game = finished_round()
    twin = game.copy()
    twin.next_round()
    twin.play(twin.legal_moves()[0])
    assert (game.round, twin.round) == (1, 2)
    assert Game.replay(game.transcript()) == game
    assert Game.replay(twin.transcript()) == twin


def test_games_are_compared_by_what_they_are():
    assert Game(players=3, seed=1) == Game(players=3, seed=1) != Game(players=3, seed=2)
    assert Game(players=3, seed=1) != Game(players=3, seed=1, edition="lt")
    assert Game(players=3, seed=1) != "a game"
    with pytest.raises(TypeError, match="unhashable"):
        hash(Game(players=3, seed=1))


@pytest.mark.parametrize("seat", [-1, 3, 10, 1.0, "0", None])
def test_there_is_no_view_of_a_seat_nobody_has(seat):
    with pytest.raises(ValueError, match="seats go from 0 to 2; there is no seat"):
        Game(players=3, seed=1).view(seat)


def test_only_what_differs_from_the_edition_is_an_option():
    game = Game(players=5, edition="uk", seed=1, options={"placement": "touching", "draft": True, "hand_size": 6})
    assert data_of(game)["options"] == {"draft": True}
