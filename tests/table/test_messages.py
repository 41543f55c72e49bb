"""Text messages at a table: who hears them, who may say them, and what is left of them when the server is gone."""

import pytest

from saboteur_env.table.setup import PERSON, Setup
from saboteur_env.table.store import Event, Store
from saboteur_env.table.tables import Refused, Table

FREE = {"options": {"talk": "free", "first_seat": 0}, "rounds": 1}
SEATS = [PERSON, PERSON, "random"]


def test_all_at_the_table_hear_what_is_said_and_no_move_is_late_for_it(server):
    links = server.new(seats=SEATS, watched=True, **FREE)
    with server.client() as one, server.client() as other, server.client() as watcher:
        state = one.enter(links["seat 0"])
        other.enter(links["seat 1"])
        watcher.enter(links["watch"])
        state = one.until(lambda state: state["phase"] == "play")
        assert state["messages"] == []
        other.say("say", text="<b>Dig!</b>")
        for client in (one, other, watcher):
            heard = client.until(lambda state: state.get("messages"))
            assert (heard["messages"], heard["number"]) == ([[1, "<b>Dig!</b>"]], 0)
        one.say("play", number=state["number"], move=state["hand"][0]["uses"][0]["move"])
        assert one.until(lambda state: state["number"] == 1)["messages"] == [[1, "<b>Dig!</b>"]]


@pytest.mark.parametrize(
    ("who", "text", "words"),
    [
        ("watch", "hi", "only those who sit at the table may do this"),
        ("seat 0", "", "text must be a text of 1 to 200 printable characters"),
        ("seat 0", "a\nb", "text must be a text of 1 to 200 printable characters"),
        ("seat 0", "x" * 201, "text must be a text of 1 to 200 printable characters"),
    ],
)
def test_what_may_not_be_said_is_refused(server, who, text, words):
    links = server.new(seats=[PERSON, "random", "random"], watched=True, **FREE)
    with server.client() as client:
        client.enter(links[who])
        assert words in client.ask("say", text=text)["words"]


def test_a_table_without_free_talk_says_so(server):
    links = server.new(seats=[PERSON, "random", "random"], rounds=1)
    with server.client() as client:
        client.enter(links["seat 0"])
        assert client.until(lambda state: state["phase"] == "play")["messages"] is None
        assert "this table has talk: none" in client.ask("say", text="hi")["words"]


def test_messages_are_kept_between_the_moves_that_they_came_between(tmp_path):
    store = Store(tmp_path / "tables.sqlite")
    try:
        table = Table(store, store.new_table(Setup((PERSON, PERSON, "chat"), 1, **FREE)))
        with pytest.raises(Refused, match="not all people have sat down yet"):
            table.say(0, "hi")
        table.start()
        table.say(1, "Who begins?")
        table.say(0, "I do.")
        for player, thought in ((PERSON, None), (PERSON, None), ("chat", {"message": "I dig."})):
            move = next(move for move in table.game.legal_moves() if move.startswith("discard"))
            table.play(table.number, Event(table.game.seat, move, player, thought))
        table.say(1, "Well.")
        with pytest.raises(ValueError, match="a message is a text"):
            table.say(0, "")
        said = [(0, 1, "Who begins?"), (0, 0, "I do."), (2, 2, "I dig."), (3, 1, "Well.")]
        assert list(table.game.messages) == said
        assert Table(store, table.name).game == table.game
    finally:
        store.close()
