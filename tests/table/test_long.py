"""A part of each long check of tables (tests/table/long), and faults planted to see that they would be found."""

import asyncio
import json

import pytest

from saboteur_env.table.rooms import Room
from tests.table.long import fuzz as table_fuzz
from tests.table.long import kills as table_kills
from tests.table.long import leaks as table_leaks


def test_all_that_a_seat_is_sent_is_the_same_in_a_resample(tmp_path):
    met = asyncio.run(table_leaks.run(points=40, seed=1, folder=tmp_path))
    assert met["resamples that differ"] > 0.99 * met["resamples"]


def test_a_leak_would_be_found(tmp_path, monkeypatch):
    real = Room._state

    def leaking(room, connection):
        return json.dumps({**json.loads(real(room, connection)), "deck": room.table.game.to_json()})

    monkeypatch.setattr(Room, "_state", leaking)
    with pytest.raises(AssertionError, match=r"\['deck'\] differ"):
        asyncio.run(table_leaks.run(points=1, seed=1, folder=tmp_path))


def test_what_no_browser_should_send_is_answered_in_words_and_changes_nothing(tmp_path):
    met = asyncio.run(table_fuzz.run(messages=1500, seed=1, folder=tmp_path))
    assert met["error"] > 1400


def test_a_change_would_be_found(tmp_path, monkeypatch):
    monkeypatch.setattr(table_fuzz, "allowed", lambda *_: False)
    with pytest.raises(AssertionError, match=r"got|changed"):
        asyncio.run(table_fuzz.run(messages=1500, seed=1, folder=tmp_path))


def test_no_answered_move_is_lost_when_the_server_is_killed(tmp_path):
    assert table_kills.run(kills=3, seed=1, folder=tmp_path, tables=2, rounds=1) > 10
