"""Matches over the wire: who is told what, who may do what, and what an error leaves as it was."""

import random

import pytest

from saboteur_env import Game
from tests.support.tables import PERSON, lively, moves_in, my_turn, play_out, with_dwarfs


def test_one_person_plays_a_match_with_four_dwarfs_and_keeps_it(server):
    links = server.new(seats=with_dwarfs(), rounds=2)
    with server.client() as client:
        end = play_out(client, client.enter(links["seat 0"]))
        assert "win round 2" in end["state"] or "wins round 2" in end["state"]
        game = Game.replay(client.ask("keep", "kept", form="transcript")["text"])
        assert game.over
        assert game.rules.rounds == 2
        page = client.ask("keep", "kept", form="page")["text"]
        assert page.startswith("<!DOCTYPE html>")
        assert "Probability of each move" in page


def test_a_match_begins_when_all_people_sit(server):
    links = server.new(seats=[PERSON, "random", PERSON], rounds=1)
    assert set(links) == {"seat 0", "seat 2"}
    with server.client() as one, server.client() as other:
        waiting = one.enter(links["seat 0"])
        assert waiting["phase"] == "waiting"
        assert "hand" not in waiting
        assert waiting["here"] == [True, True, False]
        assert other.enter(links["seat 2"])["phase"] == "play"
        state = one.until(lambda state: state["phase"] == "play")
        assert all(state["here"])


def test_the_first_pair_of_eyes_sees_its_own_hand_alone(server):
    links = server.new(seats=[PERSON, PERSON, "random"], rounds=1, watched=True)
    with server.client() as one, server.client() as other, server.client() as watcher:
        one.enter(links["seat 0"])
        mine = other.enter(links["seat 1"])
        seen = watcher.enter(links["watch"])
        assert mine["seat"] == 1
        assert mine["role"] in ("miner", "saboteur")
        assert "sab-hand" in mine["dwarfs"]["layers"][1]
        assert "sab-backs" in mine["dwarfs"]["layers"][0]
        assert all("sab-hand" in layer for layer in seen["dwarfs"]["layers"])
        assert "hand" not in seen


@pytest.mark.parametrize(
    ("kind", "data", "words"),
    [
        ("play", {"number": 0, "move": "warp:1"}, "warp"),
        ("play", {"number": 7, "move": "pass"}, "the table has moved on"),
        ("next round", {"number": 0}, "no round can be dealt now"),
        ("thoughts", {"round": 1}, "round 1 is not over yet"),
        ("keep", {"form": "page"}, "the match is not over yet"),
        ("advice", {"number": 0}, "nobody advises this seat"),
        ("new", {"seats": ["random"] * 3}, "tables are made in the lobby"),
        ("enter", {"table": "x", "who": "seat 0", "key": "y"}, "does not open a seat"),
        ("lobby", {"key": "y"}, "does not open the lobby"),
        ("hand over", {"table": "x", "seat": 1, "player": "random"}, "handed over by who sits in it"),
    ],
)
def test_what_is_not_possible_is_refused_and_changes_nothing(server, kind, data, words):
    links = server.new(seats=[PERSON, PERSON, PERSON], rounds=1, options={"first_seat": 0})
    with server.client() as one, server.client() as other, server.client() as third:
        one.enter(links["seat 0"])
        other.enter(links["seat 1"])
        third.enter(links["seat 2"])
        before = one.until(lambda state: state["started"])
        assert words in one.ask(kind, **data)["words"]
        if "warp" in words:  # an impossible move is not out of date: the table is not told again
            return
        assert one.hear("state")["number"] == before["number"]


def test_out_of_turn_and_replayed_moves_are_refused(server):
    links = server.new(seats=[PERSON, PERSON, "random"], rounds=1, options={"first_seat": 0})
    with server.client() as one, server.client() as other:
        one.enter(links["seat 0"])
        waits = other.enter(links["seat 1"])
        state = one.until(my_turn)
        assert "it is the turn of dwarf 0" in other.ask("play", number=0, move="pass")["words"]
        assert waits["choices"] == []
        move = moves_in(state)[0]
        one.say("play", number=0, move=move)
        one.until(lambda state: state["number"] == 1)
        assert "the table has moved on" in one.ask("play", number=0, move=move)["words"]
        assert other.until(lambda state: state["number"] == 1)["turn"] == 1


def test_a_seat_is_handed_to_a_dwarf_and_taken_back(server):
    links = server.new(seats=[PERSON, "random", "random"], rounds=1)
    table = links["seat 0"].partition("#")[2].split("/")[0]
    with server.client() as client:
        client.enter(links["seat 0"])
        client.until(my_turn)
        client.say("hand over", table=table, seat=0, player="scripted")
        state = client.until(lambda state: state["sitting"][0] == "scripted" and my_turn(state) is False)
        assert "plays this seat now" in client.ask("play", number=state["number"], move="pass")["words"]
        client.say("hand over", table=table, seat=0, player=PERSON)
        state = client.until(lambda state: state["sitting"][0] == PERSON)
        assert state["phase"] in ("play", "match over")
        assert "there is no dwarf" in client.ask("hand over", table=table, seat=0, player="os.system")["words"]


def test_thoughts_are_told_after_the_round_and_to_watchers_at_once(server):
    links = server.new(seats=with_dwarfs(2), rounds=2, watched=True, options={"first_seat": 1})
    with server.client() as item, server.client() as watcher:
        item.enter(links["seat 0"])
        watcher.enter(links["watch"])
        state = item.until(my_turn)
        told = watcher.ask("thoughts", "thoughts", round=1)["moves"]
        assert [move["player"] for move in told] == ["scripted", "scripted"]
        assert all(move["odds"] and len(move["beliefs"]) == 3 for move in told)
        assert "not over yet" in item.ask("thoughts", round=1)["words"]
        rng = random.Random(1)
        while state["phase"] == "play":
            if my_turn(state):
                item.say("play", number=state["number"], move=lively(rng, state))
            number = state["number"]
            state = item.until(lambda state, number=number: state["number"] > number)
        told = item.ask("thoughts", "thoughts", round=1)["moves"]
        assert {move["player"] for move in told} == {"scripted", PERSON}
        assert not any(" takes " in move["words"] for move in told)


def test_one_seat_is_advised_from_its_own_view(server):
    links = server.new(seats=with_dwarfs(2), rounds=1, advised=0)
    with server.client() as client:
        client.enter(links["seat 0"])
        state = client.until(my_turn)
        advice = client.ask("advice", "advice", number=state["number"])
        assert advice["move"] in moves_in(state)
        assert sum(played for *_, played in advice["odds"]) == 1
        assert "advice is for the seat to move" in client.ask("advice", number=state["number"] + 1)["words"]


def test_the_clock_lets_a_dwarf_move(server):
    links = server.new(seats=with_dwarfs(2), rounds=1, clock=1, options={"first_seat": 0})
    with server.client() as client:
        client.enter(links["seat 0"])
        assert client.until(my_turn)["deadline"] <= 1
        assert client.until(lambda state: state["number"] >= 1)["record"]


@pytest.mark.parametrize(
    ("setup", "words"),
    [
        ({"seats": [PERSON, "random"]}, "players must be a whole number from 3 to 10"),
        ({"seats": [PERSON, "random", "os.system"]}, "there is no dwarf 'os.system' at this server"),
        ({"seats": [PERSON, "random", "random"], "options": {"draft": "maybe"}}, "option draft must be one of"),
        ({"seats": ["random"] * 3}, "nobody could see this table"),
        ({"seats": [PERSON, "random", "random"], "advised": 1}, "advice needs --teach"),
        ({"seats": [PERSON, "random", "random"], "rounds": 0}, "rounds must be a whole number from 1 to 10"),
        ({"seats": [PERSON, "random", "random"], "seed": 1}, "there is no 'seed'"),
    ],
)
def test_bad_tables_are_refused(server, setup, words):
    with server.client() as client:
        client.ask("lobby", "lobby", key=server.key)
        assert words in client.ask("new", **setup)["words"]
