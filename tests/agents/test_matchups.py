"""Who plays: names, substitutes, and the same match in the kernel and in the checked game."""

import numpy as np
import pytest

from saboteur_env import Game
from saboteur_env.agents.matches.matchups import Matchup, play_match, play_matchup
from saboteur_env.agents.registry import fingerprints, make_agent
from saboteur_env.agents.scripted.agent import KernelAgent
from saboteur_env.engine.editions import Rules

RULES = Rules.make(4, "uk", 2, {"draft": True})
CASTS = [
    Matchup("scripted", "random"),
    Matchup("scripted", "scripted", "random", "saboteur"),
    Matchup("random", "scripted", "scripted", "miner"),
]


@pytest.mark.parametrize("matchup", CASTS)
def test_the_checked_game_plays_the_match_of_the_kernel(matchup):
    seeds = [1, 2, 1 << 63]
    slow = np.concatenate([play_match(RULES, seed, matchup)[1] for seed in seeds])
    assert play_matchup(RULES, seeds, matchup).tobytes() == slow.tobytes()


@pytest.mark.parametrize("matchup", CASTS)
def test_a_substitute_takes_one_seat_of_the_role_and_others_play_theirs(matchup):
    substitutes = set()

    def look(game, seats):
        roles = [game.view(seat).role for seat in range(4)]
        taken = [
            seat
            for seat, name in enumerate(seats)
            if name != {"miner": matchup.miners, "saboteur": matchup.saboteurs}[roles[seat]]
        ]
        assert [(seats[seat], roles[seat]) for seat in taken] in ([], [(matchup.substitute, matchup.replaced_role)])
        assert bool(taken) == (matchup.replaced_role in roles)
        substitutes.update(taken)

    for seed in range(8):
        play_match(RULES, seed, matchup, look)
    assert len(substitutes) > 1 or not matchup.replaced_role


def test_all_miners_are_as_likely_to_be_replaced():
    seats = play_matchup(
        Rules.make(3, rounds=1, options={"role_table": {"saboteurs": 0, "miners": 3}}), range(600), CASTS[2]
    )["substitute"]
    assert np.bincount(seats, minlength=3).min() > 150


def test_agents_in_python_play_with_dwarfs():
    matchup = Matchup("tests.support.dwarfs.First:0.3", "scripted")
    game, result = play_match(Rules.make(3, rounds=1), 5, matchup)
    assert game.over
    assert play_matchup(Rules.make(3, rounds=1), [5], matchup).tobytes() == result.tobytes()
    assert make_agent("tests.support.dwarfs.First:0.3").suspicion == 0.3
    assert make_agent("tests.support.dwarfs.First").suspicion == 0.5
    assert isinstance(make_agent("random"), KernelAgent)


def test_an_illegal_move_names_who_played_it_and_where():
    with pytest.raises(
        ValueError, match=r"tests.support.dwarfs.Cheat, seat \d in round 1 of Game\(seed=5\): map:2 is not legal"
    ):
        play_matchup(Rules.make(3), [5], Matchup("tests.support.dwarfs.Cheat", "tests.support.dwarfs.Cheat"))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("grumpy", "no dwarf 'grumpy'; there are random, scripted"),
        ("tests.support.dwarfs.Nobody", "cannot be loaded: module 'tests.support.dwarfs' has no attribute"),
        ("no_such_module.Agent", "cannot be loaded: No module named"),
        ("tests.support.dwarfs.Idle", "does not play: it lacks act"),
    ],
)
def test_agents_that_cannot_be_had_are_explained(name, said):
    with pytest.raises(ValueError, match=said):
        make_agent(name)


def test_a_file_of_an_agent_has_a_fingerprint(tmp_path):
    weights = tmp_path / "weights"
    weights.write_text("1")
    names = ["scripted", f"tests.support.dwarfs.First:{weights}", "tests.support.dwarfs.First:0.5"]
    before = fingerprints(names)
    weights.write_text("2")
    assert names[1] in before and names[2] not in before
    assert before != fingerprints(names)


def test_what_an_agent_knows_by_fitting_has_a_fingerprint_and_a_script_is_its_source():
    assert "models/beliefs/default.txt" in fingerprints(["search"])
    assert fingerprints(["scripted", ""]) == {}


def test_the_probabilities_of_a_dwarf_are_over_legal_moves():
    view = (game := Game(players=3, seed=1)).view(game.seat)
    result = KernelAgent("random").probabilities(view)
    assert set(result) <= set(game.legal_moves())
    assert sum(result.values()) == pytest.approx(1)
    assert max(result.values()) < 0.5
