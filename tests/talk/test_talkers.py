"""Dwarfs at tables that talk: those that say nothing, those that claim, and what is believed of claims."""

import numpy as np
import pytest

from saboteur_env import Game
from saboteur_env.agents import Belief, make_agent
from saboteur_env.agents.matches.matchups import Matchup, play_match
from saboteur_env.agents.matches.talking_matches import play_talking
from saboteur_env.agents.talk.claims import ClaimModel, Together, claim_rates, fit_claim_rates
from saboteur_env.agents.talk.talker import HEARD, believe, talking
from saboteur_env.agents.talk.words import TalkingBelief
from saboteur_env.core.compiled.jit import kernel
from saboteur_env.engine.cards import ROLES, STONE_NE, TREASURE, UNKNOWN
from saboteur_env.engine.editions import Rules
from saboteur_env.engine.moves import CLAIMS
from tests.support.positions import data_of, played, position
from tests.talk.test_words import TALK, reader

WORDS = ("claim", "accuse", "vouch")
MAPS = {"deck": {"NESW": 24, "map": 16}, **TALK}


def match_of(name, seed, options=TALK, players=4):
    """A round that an agent plays in all seats."""
    game, agent = Game(players, seed=seed, rounds=1, options=options), make_agent(name)
    while not game.round_over:
        game.play(agent.act(game.view(game.seat), seed=len(game.view(0).record)))
    return game


def words_of(game):
    return [(seat, move) for seat, move in game.view(0).record if move.startswith(WORDS)]


@pytest.mark.parametrize("name", ["scripted", "careless", "held-out:bookkeeper", "search:iterations=8"])
def test_an_agent_without_words_says_nothing(name):
    words = [move for _, move in words_of(match_of(name, 1))]
    assert words and all(move.endswith(":nothing") for move in words)


def test_a_random_dwarf_says_anything():
    said = {move.split(":")[0] for _, move in words_of(match_of("random", 1, MAPS))}
    assert said == {"claim", "accuse", "vouch"}


def test_weights_without_words_play_on_and_hear_nothing():
    pytest.importorskip("torch", reason="the learned extra is not installed")
    agent = make_agent("ppo")
    for options in (TALK, {"talk": "free"}):
        game = played(reader(options=options), "accuse:2", "map:1")
        assert agent.probabilities(game.view(0)) == {"claim:1:nothing": 1.0}
        game.play("claim:1:treasure")
        silent = played(reader(options={}), "map:1").view(1)
        assert game.view(1).without_words() == silent
        assert agent.probabilities(game.view(1)) == agent.probabilities(silent)
        assert agent.beliefs(game.view(1)) == agent.beliefs(silent)


def test_honest_miners_tell_the_truth_and_lying_saboteurs_do_not():
    told = set()
    for seed in range(12):
        game = match_of("talk:names=nobody", seed, MAPS)
        data = data_of(game)
        for seat, move in words_of(game):
            _, goal, said = move.split(":")
            truth = data["goals"][int(goal)]["face"].split(":")[0]
            told.add((data["roles"][seat], said == truth))
    assert told == {("miner", True), ("saboteur", False)}


def test_at_a_silent_table_a_talker_is_the_dwarf_that_plays_its_cards():
    assert match_of("talk:dwarf=careless", 3, {}) == match_of("careless", 3, {})


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("talk:say=honest", "there is no setting 'say'"),
        ("talk:says=honest+troll", "there is no claimant 'troll'"),
        ("talk:names=all", "names must be one of suspects, nobody"),
        ("talk:hears=all", "hears must be one of weighed, believed, nothing"),
        ("talk:dwarf=tall", "there is no dwarf 'tall'"),
    ],
)
def test_a_bad_setting_is_named(text, fault):
    with pytest.raises(ValueError, match=fault):
        make_agent(text)


def test_claims_are_weighed_by_the_rule_of_bayes():
    # Three dwarfs, one saboteur among four role cards; seat 1 is a miner that has heard seat 0 say "treasure".
    game = played(reader(roles=["miner", "miner", "saboteur"]), "map:0", "claim:0:treasure")
    believed = Belief(ClaimModel(claim_rates("honest", "liar"), slip=0.03)).of(game.view(1))
    honest, lie = 0.98, 0.01  # with a slip of 3 %, one claim of three each
    weight = {
        (role, here): (2 / 3 if role == "miner" else 1 / 3)
        * (1 / 3 if here else 2 / 3)
        * (honest if (role == "miner") == here else lie)
        for role in ROLES
        for here in (True, False)
    }
    total = sum(weight.values())
    assert believed.treasure[0] == pytest.approx((weight["miner", True] + weight["saboteur", True]) / total)
    assert believed.saboteur[0] == pytest.approx((weight["saboteur", True] + weight["saboteur", False]) / total)


def test_models_of_cards_and_claims_add_up():
    game = played(reader(), "map:0", "claim:0:treasure")
    claims = ClaimModel(claim_rates("honest", "liar"))
    both = Together([claims, claims]).log_likelihood(game.view(1).public)
    assert np.allclose(both, 2 * claims.log_likelihood(game.view(1).public))


@kernel
def heard(talker, known, rooms):
    return believe(talker, known, rooms[0])


@pytest.mark.parametrize(
    ("hears", "said", "faces"),
    [
        ("believed", ["treasure", "treasure"], [UNKNOWN, TREASURE, UNKNOWN]),
        ("believed", ["stone", "nothing"], [UNKNOWN, STONE_NE, UNKNOWN]),
        ("weighed", ["treasure", "treasure"], [UNKNOWN, TREASURE, UNKNOWN]),  # one of the two is a miner
        ("weighed", ["stone", "stone"], [UNKNOWN, STONE_NE, UNKNOWN]),
        ("believed", ["nothing", "nothing"], [UNKNOWN, UNKNOWN, UNKNOWN]),
        ("nothing", ["nothing", "nothing"], [UNKNOWN, UNKNOWN, UNKNOWN]),
    ],
)
def test_a_goal_is_taken_for_read_where_claims_make_it_sure(hears, said, faces):
    hands = [["map", "xE"], ["xN"], ["map"]]
    game = position(hands=hands, roles=["miner", "miner", "saboteur"], options=TALK)
    first, second = (f"claim:1:{claim}" for claim in said)
    played(game, "map:1", first, "discard:xN", "map:1", second, "discard:xE")
    room = np.zeros(1, HEARD)
    sure = heard(talking("honest", "liar", hears), game.view(1).info_state, room)
    assert sure == any(faces)
    assert room["private"]["face"][0].tolist() == faces


@pytest.mark.parametrize(
    ("hears", "faces"), [("weighed", [UNKNOWN, UNKNOWN, UNKNOWN]), ("believed", [UNKNOWN, TREASURE, UNKNOWN])]
)
def test_who_has_broken_tools_is_believed_by_the_credulous_alone(hears, faces):
    hands = [["break:cart", "map"], ["xN"], ["xE"]]
    game = position(hands=hands, roles=["saboteur", "miner", "miner"], options=TALK)
    played(game, "break:cart:1", "discard:xN", "discard:xE", "map:1", "claim:1:treasure")
    room = np.zeros(1, HEARD)
    heard(talking("honest", "liar", hears), game.view(1).info_state, room)
    assert room["private"]["face"][0].tolist() == faces


def test_a_dwarf_believes_its_own_eyes():
    game = played(reader(("stone:NE", "treasure", "stone:NW")), "map:0", "claim:0:treasure")
    room = np.zeros(1, HEARD)
    assert not heard(talking("honest", "liar", "believed"), game.view(0).info_state, room)


def test_the_kernel_plays_what_the_agents_play():
    rules = Rules.make(5, rounds=2, options=TALK)
    miner = talking("honest", "liar", names="suspects")
    rounds, said = play_talking(rules, np.array([7, 8], np.uint64), miner, miner)
    checked = np.concatenate([play_match(rules, seed, Matchup("talk", "talk"))[1] for seed in (7, 8)])
    assert rounds.tobytes() == checked.tobytes()
    assert said["claims"].sum() == said["maps"].sum() > 0
    assert said["words"].sum() > 0


def test_accusations_are_weighed_by_the_rule_of_bayes():
    # Three dwarfs, one saboteur among four role cards; seat 1 is a miner that has heard seat 0 accuse seat 2.
    game = played(reader(roles=["miner", "miner", "saboteur"]), "accuse:2")
    rates = [[0.2, 0.9], [0.7, 0.5]]  # accusations by miners and saboteurs, of miners and saboteurs
    believed = TalkingBelief(ClaimModel(claim_rates("honest", "liar")), rates).of(game.view(1))
    # The saboteur is seat 0, seat 2, or aside: alike likely, as one of the other three role cards is a saboteur.
    weight = {"seat 0": 0.7, "seat 2": 0.9, "aside": 0.2}
    assert believed.saboteur.tolist() == pytest.approx([0.7 / sum(weight.values()), 0, 0.9 / sum(weight.values())])
    vouched = TalkingBelief(ClaimModel(claim_rates("honest", "liar")), rates)
    game = played(reader(roles=["miner", "miner", "saboteur"]), "vouch:2")
    assert vouched.of(game.view(1)).saboteur.tolist() == pytest.approx([0.3 / 1.2, 0, 0.1 / 1.2])
    assert vouched.of(game.view(0)).saboteur.tolist() == pytest.approx([0, 1 / 3, 1 / 3])  # one's own word is no news
    from_seat_1 = [0, 0.1 / 1.2, 0.3 / 1.2, *[0] * 7]
    assert vouched.clockwise(game.view(1)).tolist() == pytest.approx(from_seat_1)


@pytest.mark.parametrize("rates", [[[0.5, 0.5]], [[0, 0.5], [0.5, 0.5]], [[1.5, 0.5], [0.5, 0.5]]])
def test_rates_of_words_lie_between_0_and_1(rates):
    with pytest.raises(ValueError, match="rates must be probabilities"):
        TalkingBelief(rates=rates)


@pytest.mark.parametrize(("role", "word"), [("miner", "accuse:0"), ("saboteur", "accuse:1")])
def test_miners_accuse_who_breaks_tools_and_saboteurs_its_victim(role, word):
    hands = [["break:cart", "break:lantern", "break:pickaxe"]]
    roles = ["saboteur", "miner", role, "miner", "miner" if role == "saboteur" else "saboteur"]
    game = position(players=5, hands=hands, roles=roles, options=TALK)
    for tool in ("cart", "lantern"):
        game.play(f"break:{tool}:1")
        while game.seat != (0 if tool == "cart" else 2):
            game.play(next(move for move in game.legal_moves() if move.startswith("discard")))
    said = make_agent("talk").act(game.view(2), 1)
    assert said == word
    game.play(said)
    assert make_agent("talk").act(game.view(2), 1).split(":")[0] not in WORDS


def test_nothing_is_said_twice():
    for seed in range(3):
        words = [line for line in words_of(match_of("talk", seed)) if not line[1].startswith("claim")]
        assert words and len(set(words)) == len(words)


def test_who_does_not_read_throws_maps_away():
    rules = Rules.make(5, rounds=1, options=TALK)
    blind = talking("honest", "liar", reads=False)
    _, said = play_talking(rules, np.arange(20, dtype=np.uint64), blind, blind)
    assert said["maps"].sum() == 0


def test_claims_whose_truth_is_known_give_the_rates_back():
    rng, rates = np.random.default_rng(1), claim_rates("honest", "hider")
    rows = [(role, face, rng.choice(len(CLAIMS), p=rates[role, face])) for role in (0, 1) for face in (0, 1)] * 200
    assert np.allclose(fit_claim_rates(np.array(rows)), rates, atol=0.02)


@pytest.mark.parametrize("rates", [[[[1, 0, 0]] * 2], np.full((2, 2, 3), 0.5), [[[-1, 1, 1]] * 2] * 2])
def test_rates_that_are_no_probabilities_are_refused(rates):
    with pytest.raises(ValueError, match="rates must be probabilities"):
        ClaimModel(rates)
