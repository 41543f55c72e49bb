import asyncio
import logging
from functools import cache

import pytest

pytest.importorskip("openai", reason="openai is not installed (extra chat)")

from saboteur_env import Game
from saboteur_env.agents.chat.bill import bills, read_log
from saboteur_env.agents.chat.dwarf import Chat
from saboteur_env.agents.chat.settings import Settings
from saboteur_env.agents.matches.turns import game_turns, play_alone, play_together
from saboteur_env.agents.registry import make_agent
from tests.support import chat_server
from tests.support.chat_server import serving


@cache
def seen():
    return Game(players=5, seed=7).view(2)


def dwarf(url, more=""):
    return Chat(f"model=m:base_url={url}{more}")


def test_it_plays_what_the_model_says_and_keeps_every_word(tmp_path):
    with serving(chat_server.good) as (url, server):
        agent = dwarf(url, f":price_in=2:price_out=10:log={tmp_path}")
        assert agent.act(seen(), 1) == seen().legal_moves()[0]
    assert (agent.bill.moves, agent.bill.prompt_tokens, agent.bill.answer_tokens) == (1, 100, 10)
    assert agent.bill.cost == pytest.approx(0.0003)
    (line,) = read_log(tmp_path)
    assert line["messages"] == server.asked[0]["messages"]
    assert line["answer"].endswith(line["move"])
    assert bills(tmp_path) == {"m": agent.bill}


def test_it_is_an_agent_by_name():
    with serving(chat_server.good) as (url, _):
        assert make_agent(f"chat:model=m:base_url={url}").act(seen(), 1) == seen().legal_moves()[0]


def test_asked_again_it_thinks_better():
    with serving(chat_server.second_thoughts) as (url, _):
        agent = dwarf(url)
        assert agent.act(seen(), 1) == seen().legal_moves()[0]
    assert (agent.bill.answers, agent.bill.unreadable, agent.bill.fallbacks) == (2, 1, 0)


@pytest.mark.parametrize(
    ("behaviour", "unreadable", "failed"),
    [(chat_server.lying, 2, 0), (chat_server.broken, 0, 2), (chat_server.garbled, 0, 2)],
    ids=["lying", "broken", "garbled"],
)
def test_without_an_answer_the_fallback_plays_counted_and_told(behaviour, unreadable, failed, caplog):
    with serving(behaviour) as (url, _), caplog.at_level(logging.WARNING):
        agent = dwarf(url, ":tries=2:retries=1")
        assert agent.act(seen(), 1) in seen().legal_moves()
    assert (agent.bill.moves, agent.bill.fallbacks) == (1, 1)
    assert (agent.bill.unreadable, agent.bill.failed) == (unreadable, failed)
    assert "random plays" in caplog.text


def test_a_slow_server_fails_in_time():
    with serving(chat_server.good, delay=30) as (url, _):
        agent = dwarf(url, ":tries=1:retries=0:timeout=0.05")
        assert agent.act(seen(), 1) in seen().legal_moves()
    assert agent.bill.failed == agent.bill.fallbacks == 1


def test_a_limit_of_rate_is_waited_out():
    with serving(chat_server.limited) as (url, server):
        agent = dwarf(url)
        assert agent.act(seen(), 1) == seen().legal_moves()[0]
    assert len(server.asked) == 2
    assert agent.bill.failed == 0


def test_a_budget_that_is_spent_asks_no_more():
    with serving(chat_server.good) as (url, server):
        agent = dwarf(url, ":token_budget=100")
        agent.act(seen(), 1)
        agent.act(seen(), 1)
    assert len(server.asked) == 1
    assert agent.bill.fallbacks == 1


def test_a_refused_key_is_an_error():
    with serving(chat_server.refusing) as (url, _), pytest.raises(ValueError, match="the server refuses"):
        dwarf(url).act(seen(), 1)


def test_it_says_whom_it_suspects():
    with serving(chat_server.good) as (url, _):
        assert dwarf(url).suspects(seen()) == [0.5, 0.5, None, 0.5, 0.5]
    with serving(chat_server.lying) as (url, _):
        assert dwarf(url).suspects(seen()) == [None] * 5


def test_many_matches_wait_together():
    games = [Game(players=3, seed=seed, rounds=1) for seed in range(4)]
    with serving(chat_server.good) as (url, _):
        agent = dwarf(url)
        seats = [agent, make_agent("random"), agent]
        said = asyncio.run(play_together([game_turns(game, seats) for game in games]))
    assert all(game.over for game in games)
    assert {line.words for line in said[0]} > {""}
    assert agent.bill.fallbacks == 0


def test_what_it_says_to_all_goes_with_its_move_and_into_its_log(tmp_path):
    game = Game(players=3, seed=7, rounds=1, options={"talk": "free"})
    with serving(chat_server.talkative) as (url, server):
        agent = dwarf(url, f":log={tmp_path}")
        play_alone(game_turns(game, [agent, make_agent("scripted"), agent]))
    lines = list(read_log(tmp_path))
    assert {line["message"] for line in lines} == {"<b>I am honest.</b>"}
    assert [(line["event"], line["seat"], line["message"]) for line in lines] == list(game.messages)
    assert 'says "<b>I am honest.</b>"' in server.asked[-1]["messages"][0]["content"]
    assert agent.bill.fallbacks == 0


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "'' is no setting"),
        ("model=", "model: name one"),
        ("model=m:key=abc", "OPENAI_API_KEY alone"),
        ("model=m:tries=x", "tries is a number"),
        ("model=m:size=huge", "size: one of full"),
        ("model=m:model=n", "given twice"),
        ("model=m:timeout=nan", "0 or more"),
    ],
)
def test_bad_names_are_told(text, why):
    with pytest.raises(ValueError, match=why):
        Settings.parse(text)


def test_a_model_without_a_server_needs_a_key(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ValueError, match="set OPENAI_API_KEY"):
        Chat("model=m")


def test_addresses_keep_their_colons():
    assert Settings.parse("model=a:b:base_url=http://h:1/v1:tries=2") == Settings("a:b", "http://h:1/v1", tries=2)


def test_a_tournament_keeps_its_matches_and_counts_what_was_spent(tmp_path):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed (extra report)")
    from saboteur_env.experiments.tournament import report
    from saboteur_env.experiments.tournament.tournament import Tournament, play

    with serving(chat_server.good) as (url, server):
        name = f"chat:model=m:base_url={url}:price_in=2"
        study = Tournament((name, "random"), (3,), deals=2)
        table = play(study, tmp_path, workers=1)
        asked = len(server.asked)
        written = report.write(study, table, report.Results.of(table, tmp_path), tmp_path)
        play(study, tmp_path, workers=1)
        assert len(server.asked) == asked
        with pytest.raises(ValueError, match="leave out ray"):
            play(study, tmp_path, ray="local")
    (row,) = report.Results.of(table, tmp_path).speakers
    assert (row["agent"], row["moves"], row["fallbacks"], row["prompt_tokens"]) == (name, asked, 0, 100 * asked)
    assert row["cost"] == pytest.approx(asked * 100 * 2 / 1e6)
    assert sum(bill.moves for bill in bills(tmp_path / "chats", "agent").values()) == asked
    pages = [path.read_text() for path in written if path.suffix == ".html"]
    assert pages and all("I dig." in page for page in pages)
    assert f"| {asked:,} | 0 | 0 | 0 | {100 * asked:,} |" in (tmp_path / "report.md").read_text()
