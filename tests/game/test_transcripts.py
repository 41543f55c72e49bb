"""Matches kept in tests/transcripts replay to the same end, by the engine and by the slow twin."""

import json

import pytest

from saboteur_env import Game
from tests.long.make_transcripts import FOLDER, MATCHES
from tests.twins.oracle import Oracle
from tests.twins.rounds import canonical, check_deal

FILES = sorted(FOLDER.glob("*.json"))


def test_all_matches_are_kept():
    assert {path.stem for path in FILES} == set(MATCHES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_kept_match_replays_to_the_same_end(path):
    game = Game.replay(path.read_text())
    assert game.over
    assert json.loads(game.transcript()) == json.loads(path.read_text())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_slow_twin_replays_it_too(path):
    data = json.loads(path.read_text())
    ends = []
    for chapter in data["rounds"]:
        if ends:
            check_deal(ends[-1], chapter["deal"])
        twin = Oracle(chapter["deal"])
        for seat, move in chapter["moves"]:
            assert twin.position()["seat"] == seat
            twin.play(move)
        assert twin.round_over
        ends.append(twin.position())
    assert canonical(ends[-1]) == canonical(data["end"])


def test_the_matches_show_what_is_rare():
    rounds = [item for path in FILES for item in json.loads(path.read_text())["rounds"]]
    assert {"take", "reveal", "turn"} <= {move.partition(":")[0] for item in rounds for _, move in item["moves"]}
