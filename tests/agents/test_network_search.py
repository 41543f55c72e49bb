"""Search with a network's judgement: the same for the same seed, blind to what its seat cannot know, and no fool."""

import shutil

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra learned")

from saboteur_env import Game
from saboteur_env.agents.base import Agent
from saboteur_env.agents.learned.ppo import SHIPPED, Ppo
from saboteur_env.agents.matches.matchups import Matchup, play_match
from saboteur_env.agents.registry import fingerprints, make_agent
from saboteur_env.agents.search.ismcts import Search
from saboteur_env.agents.search.network_search import NetworkSearch
from saboteur_env.engine.editions import Rules
from tests.agents.test_search import NO_USE, nearly_there, points

FEW = "net=ppo:iterations=48:rollout_depth=1"
LAST_CARD = ["NEW", "xEW", "map", "NS", "break:cart", "rockfall"]


def test_a_search_that_names_a_network_has_one():
    assert isinstance(make_agent(f"search:{FEW}"), NetworkSearch)
    assert isinstance(make_agent("search:iterations=20"), Search)
    assert isinstance(make_agent("search"), Search)
    assert isinstance(NetworkSearch(FEW), Agent)
    assert "iterations=48" in repr(NetworkSearch(FEW))


@pytest.mark.parametrize("rollout", ["ppo-small", "scripted", "net"])
def test_the_same_seed_gives_the_same_move(rollout):
    (one, other), counts = (NetworkSearch(f"{FEW}:rollout={rollout}") for _ in range(2)), set()
    for game in points(every=11):
        view = game.view(game.seat)
        move = one.act(view, 5)
        assert move == other.act(view, 5) == one.act(view, 5)
        assert move in view.legal_moves()
        counts.add(tuple(one.probabilities(view).items()))
        assert sum(one.probabilities(view).values()) == pytest.approx(1)
    assert len(counts) > 2


def test_the_seed_is_part_of_a_search():
    game = next(iter(points(every=10)))
    view, search, won = game.view(game.seat), NetworkSearch(FEW), []
    for seed in (1, 2):
        search.act(view, seed)
        won.append(search._memory.local[0][0]["won"].tolist())
    assert won[0] != won[1]


def test_what_the_seat_cannot_know_changes_nothing():
    search = NetworkSearch(FEW)
    for game in points(every=9):
        planted = game.copy()
        record, others = planted.records[0], [i for i in range(5) if i != game.seat]
        record.secret.face[:] = np.roll(record.secret.face, 1)
        roles, hands = record.private["role"].copy(), record.private["hand"].copy()
        for one, other in zip(others, others[1:] + others[:1], strict=True):
            record.private[one].role, record.private[one].hand[:] = roles[other], hands[other]
        assert planted.records.tobytes() != game.records.tobytes()
        view, same = game.view(game.seat), planted.view(game.seat)
        assert search.probabilities(view) == search.probabilities(same)
        assert search.act(view, 1) == search.act(same, 1)
        assert search.beliefs(view) == search.beliefs(same)


@pytest.mark.parametrize("iterations", [1, 7, 90, 200])
def test_no_more_games_are_sampled_than_allowed(iterations):
    for game in points(every=15):
        search = NetworkSearch(f"net=ppo:iterations={iterations}:rollout_depth=0")
        search.act(game.view(game.seat), 0)
        assert search.played <= max(iterations, 2)


def test_a_miner_lays_the_card_that_reaches_the_treasure_and_a_saboteur_does_not():
    game = nearly_there(
        LAST_CARD, "miner"
    )  # the network itself likes a map better, where the treasure cannot be missed
    game.play(NetworkSearch("net=ppo:iterations=100").act(game.view(0), 0))
    assert game.winner == "miners"
    game = nearly_there(LAST_CARD, "saboteur")
    assert not NetworkSearch("net=ppo:iterations=100").act(game.view(0), 0).startswith("NEW")


def test_a_miner_does_not_help_the_saboteurs():
    game = nearly_there(NO_USE, "miner")
    move = NetworkSearch("net=ppo:iterations=100").act(game.view(0), 1)
    assert "@" not in move or (move.startswith("x") and not move.endswith("@7,0"))


def test_gold_is_taken_as_the_script_takes_it():
    game, search = nearly_there(["NESW"], "miner", options={"draft": True}), NetworkSearch(FEW)
    game.play("NESW@7,0")
    while not game.round_over:
        best = max(int(move.split(":")[1]) for move in game.legal_moves())
        assert search.act(game.view(game.seat), 0) == f"take:{best}"
        assert search.probabilities(game.view(game.seat)) == {f"take:{best}": 1.0}
        game.play(f"take:{best}")


def test_it_plays_whole_rounds_in_one_seat():
    for players in (3, 7):
        matchup = Matchup("scripted", "scripted", "search:net=ppo:iterations=12", "miner")
        game, rounds = play_match(Rules.make(players, rounds=1), 4, matchup)
        assert game.round_over and rounds["substitute"][0] >= 0


def test_a_network_of_a_file_and_its_digest(tmp_path):
    path = tmp_path / "mine.safetensors"
    shutil.copy(SHIPPED, path)
    spec = f"search:net={path}:iterations=48:rollout_depth=1"
    game = next(iter(points(every=10)))
    view = game.view(game.seat)
    assert make_agent(spec).act(view, 3) == NetworkSearch(FEW).act(view, 3)
    assert make_agent(spec).net.path == path
    assert spec in fingerprints([spec])


def test_more_time_is_more_games():
    game, played = next(iter(points())), []
    for time in (0.001, 1):
        search = NetworkSearch(f"net=ppo:time={time}:rollout_depth=0")
        assert search.act(game.view(game.seat), 0) in game.view(game.seat).legal_moves()
        played.append(search.played)
    assert 0 < played[0] < played[1]


def test_beliefs_are_of_the_other_seats():
    search = NetworkSearch(f"{FEW}:action_model=none")
    game = next(iter(points()))
    view = game.view(game.seat)
    beliefs = search.beliefs(view)
    assert beliefs.pop(game.seat) is None
    assert beliefs == pytest.approx([(2 - view.private.role) / 5] * 4)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("net=nowhere.safetensors", "cannot read nowhere.safetensors as safetensors"),
        ("net=ppo:trees=2", "no setting 'trees'; there are net, iterations, time"),
        ("net=ppo:iterations=0", "iterations must be 1 or more, not 0"),
        ("net=ppo:prior_visits=0", "prior_visits must be 1 or more"),
        ("net=ppo:rollout=grumpy", "no dwarf 'grumpy'"),
        ("net=ppo:action_model=grumpy", "no dwarf 'grumpy'"),
        ("net=ppo:rollout=net:rollout_depth=-1", "roll-outs by the network need a rollout_depth of 0 or more"),
    ],
)
def test_bad_settings_are_refused(text, said):
    with pytest.raises(ValueError, match=said):
        make_agent(f"search:{text}")


def test_a_searcher_whose_turn_it_is_not_is_refused():
    game = Game(players=3, seed=1)
    with pytest.raises(ValueError, match="not to move"):
        NetworkSearch(FEW).act(game.view((game.seat + 1) % 3), 0)


def test_the_network_alone_decides_where_it_knows_one_move():
    game = next(iter(points()))
    view, alone = game.view(game.seat), NetworkSearch("net=ppo:max_candidates=1")
    likes = Ppo().probabilities(view)
    assert alone.act(view, 0) == max(likes, key=likes.__getitem__)
    assert alone.probabilities(view) == {alone.act(view, 0): 1.0}
