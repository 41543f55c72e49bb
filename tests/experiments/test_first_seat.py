"""Who begins: the same deals for every beginner, and a gain that is found where there is one."""

import pytest

from saboteur_env import Game
from saboteur_env.core.seeds import Purpose, deal_seed
from saboteur_env.experiments.win_rates.first_seat import first_seat_rows, play


def test_every_seat_begins_every_deal():
    rows = play((3, 4), deals=5, seed=2)
    assert [(row["players"], row["first_seat"], row["deal"]) for row in rows] == [
        (players, seat, deal) for players in (3, 4) for seat in range(players) for deal in range(5)
    ]
    for row in rows:
        seed = deal_seed(2, Purpose.FIRST_SEAT, row["deal"], row["players"])
        game = Game(row["players"], "lv", seed, 1, {"first_seat": row["first_seat"]})
        assert game.seat == row["first_seat"]
        assert game.view(game.seat).role == row["first_role"]


def test_workers_change_nothing():
    assert play((3,), deals=30, workers=1) == play((3,), deals=30, workers=3)


def rounds(won, nuggets):
    """Ten deals of three seats, of which seat 2 is the saboteur."""
    return [
        {
            "players": 3,
            "deal": deal,
            "first_seat": seat,
            "first_role": "saboteur" if seat == 2 else "miner",
            "miners_won": won(seat),
            "first_nuggets": nuggets,
            "other_nuggets": 1.0,
        }
        for seat in range(3)
        for deal in range(10)
    ]


def test_a_gain_is_the_difference_between_beginners_of_either_role():
    (row,) = first_seat_rows(rounds(lambda seat: seat == 0, nuggets=2))
    assert (row["players"], row["deals"]) == (3, 10)
    assert row["gain"] == pytest.approx(0.5)
    assert row["gain_low"] < 0.5 < row["gain_high"]
    assert row["nuggets"] == pytest.approx(1)


def test_deals_without_a_saboteur_say_nothing_of_the_gain():
    honest = [row | {"first_role": "miner"} for row in rounds(lambda seat: True, nuggets=1)]
    (row,) = first_seat_rows(honest)
    assert (row["deals"], row["gain"], row["nuggets"]) == (0, None, 0)
