"""The role network: what it reads of each seat, beliefs that agree with the roles dealt, no secrets, its file."""

import json

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from saboteur_env import Game
from saboteur_env.agents.beliefs.action_model_file import doubting, fitted
from saboteur_env.agents.beliefs.action_types import ACTION_TYPES
from saboteur_env.agents.beliefs.filter import Belief
from saboteur_env.agents.beliefs.role_inputs import EVIDENCE, N_POPULATIONS, SEAT_ROW, SEAT_ROWS, ReadModels, gather
from saboteur_env.agents.beliefs.role_network import (
    MOST_LOG_ODDS,
    ROLE_NETWORK,
    SHIPPED_ROLE_NETWORK,
    RoleNetwork,
    log_odds,
    network_bytes,
    role_network,
)
from saboteur_env.engine.cards import ROLES, SABOTEUR
from tests.agents.test_belief import NOTHING, play
from tests.support.positions import ONE_TO_GO, position

STYLES = ReadModels(fitted().styles, doubting().styles)


def seats_of(public):
    """The numbers of all seats: float32[players, rows]."""
    room = np.zeros(1, EVIDENCE)
    assert gather(public, STYLES, room)
    return room["seats"][0, : int(public.rules.players)]


def rows(seats, name, count=1):
    at = getattr(SEAT_ROW, name)
    return seats[:, at : at + count].sum(1)


def tool_game():
    """A game in which tools are broken and mended where that is possible."""
    game = Game(players=4, seed=3)
    while len(game.view(0).record) < 30:
        tools = [move for move in game.legal_moves() if move.startswith(("break", "repair"))]
        game.play((tools or game.legal_moves())[-1])
    return game


def counted(record, verb, seat, whose):
    """Half the tools that a seat broke or mended of others, or others of it."""
    acts = [(by, int(move.rpartition(":")[2])) for by, move in record if move.startswith(verb)]
    return sum(by != of and (by, of)[whose] == seat for by, of in acts) / 2


def test_tools_are_counted_by_who_did_it_and_whose_they_were():
    game = tool_game()
    view = game.view(0)
    seats = seats_of(view.public)
    assert rows(seats, "broke", 2).sum() > 1 and rows(seats, "mended", 2).sum() > 0
    for seat in range(4):
        for verb, row in (("break", "broke"), ("repair", "mended")):
            assert rows(seats, row, 2)[seat] == pytest.approx(counted(view.record, verb, seat, 0))
        for verb, row in (("break", "broken_by"), ("repair", "mended_by")):
            assert rows(seats, row, 2)[seat] == pytest.approx(counted(view.record, verb, seat, 1))
        assert rows(seats, "broken")[seat] == bin(int(view.public.broken[seat])).count("1") / 2


def test_every_act_counts_once_as_it_was_and_once_as_it_might_have_been():
    view = tool_game().view(1)
    seats = seats_of(view.public)
    acts = np.bincount([by for by, _ in view.record], minlength=4)
    every = len(ACTION_TYPES)
    assert rows(seats, "acts") == pytest.approx(acts / 8)
    assert rows(seats, "far", every) + rows(seats, "near", every) == pytest.approx(acts / 2)
    assert rows(seats, "chance", every) == pytest.approx(acts / 2, rel=1e-5)
    assert (rows(seats, "recent", every) <= acts / 2).all()
    assert rows(seats, "populations", N_POPULATIONS) == pytest.approx(np.ones(4))
    assert rows(seats, "cards") == pytest.approx(view.public.hand_count[:4] / 6)


def test_the_numbers_of_a_drawn_table():
    game = position(ONE_TO_GO, [["EW", "xNS"]], players=5, deck=[])
    room = np.zeros(1, EVIDENCE)
    assert not gather(game.view(0).public, STYLES, room), "a drawn table has no record of its round"
    assert not Belief(RoleNetwork(np.ones(1, ROLE_NETWORK), STYLES)).of(game.view(0)).weights.std()
    start = seats_of(Game(players=5, seed=1).view(0).public)
    assert (start == start[0]).all(), "before the first move all seats are alike"
    assert rows(start, "nearest") == pytest.approx(np.full(5, 7 / 8))


@pytest.mark.parametrize(
    ("players", "names"), [(3, ["loyal"] * 3), (5, ["two-faced", "random"] * 3), (10, ["loyal"] * 10)]
)
def test_beliefs_add_up_to_the_saboteurs_dealt(players, names):
    game, belief = Game(players, seed=players), Belief(role_network())
    publics = play(game, names, 25)
    assert np.ptp(role_network().log_likelihood(publics[-1])[:players, SABOTEUR, 0]) > 0
    for seat in range(players):
        believed = belief.of(game.view(seat))
        assert believed.saboteur.sum() + believed.aside == pytest.approx(game.rules.role_table[0])
        assert believed.treasure.sum() == pytest.approx(1)


def test_before_the_first_move_it_says_nothing():
    assert not role_network().log_likelihood(Game(players=7, seed=1).view(0).public).any()


def test_it_never_sees_secrets():
    game = Game(players=5, seed=4)
    play(game, ["loyal", "careless", "two-faced", "loyal", "random"], 20)
    said, hidden = role_network().log_likelihood(game.view(2).public), set()
    for seed in range(20):
        imagined = Belief(NOTHING).game(game.view(2), seed)
        hidden.add((tuple(imagined.view(seat).role for seat in range(5)), tuple(map(tuple, (imagined.view(0).hand,)))))
        assert np.array_equal(role_network().log_likelihood(imagined.view(2).public), said)
        assert np.array_equal(role_network().log_likelihood(imagined.view(0).public), said)
    assert len(hidden) > 10, "hands and roles differ"


def by_hand(weights, seats):
    """The log odds of seats, one after the other, as the module says."""
    hidden = [np.maximum(seat @ weights["first"] + weights["first_bias"], 0) for seat in seats]
    for layer in ("inner", "last"):
        table = np.mean(hidden, 0), np.max(hidden, 0)
        beside = [np.concatenate([item, *table]) for item in hidden]
        hidden = [np.maximum(item @ weights[layer] + weights[f"{layer}_bias"], 0) for item in beside]
    pairs = zip(hidden, seats, strict=True)
    return [item @ weights["out"] + seat @ weights["direct"] + weights["bias"][0] for item, seat in pairs]


def drawn_weights(spread=0.1):
    weights, rng = np.zeros(1, ROLE_NETWORK), np.random.default_rng(1)
    for name in ROLE_NETWORK.names:
        weights[name] = rng.normal(0, spread, weights[name].shape).astype(np.float16)
    return weights


def test_all_seats_share_the_weights_and_see_the_table():
    weights, seats = drawn_weights(), np.random.default_rng(2).random((2, 6, len(SEAT_ROWS))).astype(np.float32)
    said = log_odds(weights[0], seats)
    for table in range(2):
        assert said[table] == pytest.approx(by_hand(weights[0], seats[table]), abs=1e-4)
    assert log_odds(weights[0], seats[:, ::-1]) == pytest.approx(said[:, ::-1], abs=1e-4)
    assert np.abs(log_odds(drawn_weights(9.0)[0], seats)).max() == MOST_LOG_ODDS


def test_a_file_is_written_and_read_back(tmp_path):
    weights, card = drawn_weights(), json.loads(card_of(SHIPPED_ROLE_NETWORK))
    file = tmp_path / "network.safetensors"
    file.write_bytes(network_bytes(weights, {name: card[name] for name in ReadModels._fields}, {"steps": 7}))
    network = role_network(file)
    assert network.weights == weights
    game = Game(players=4, seed=1)
    public = play(game, ["loyal"] * 4, 9)[-1]
    expected = log_odds(weights[0], seats_of(public)[None])[0]
    result = network.log_likelihood(public)
    assert result.shape == (10, len(ROLES), 3)
    assert result[:4, SABOTEUR] == pytest.approx(np.repeat(expected[:, None], 3, 1), abs=1e-5)
    assert not result[:, 1 - SABOTEUR].any() and not result[4:].any()


def card_of(file):
    from safetensors import safe_open

    with safe_open(file, "np") as opened:
        return opened.metadata()["card"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rows": "others"}, "made for other inputs"),
        ({"format": "saboteur-small-network/1"}, "holds no weights of saboteur-role-network/1"),
        ({"fitted": "0" * 64}, "action-model-0000000000000000.json is missing"),
        ({"doubting": None}, "named by its SHA-256"),
    ],
)
def test_other_files_are_refused(tmp_path, change, message):
    file = tmp_path / "network.safetensors"
    save_file(
        load_file(SHIPPED_ROLE_NETWORK),
        file,
        {"card": json.dumps({**json.loads(card_of(SHIPPED_ROLE_NETWORK)), **change})},
    )
    with pytest.raises(ValueError, match=message):
        role_network(file)


def test_a_damaged_file_is_refused(tmp_path):
    file = tmp_path / "network.safetensors"
    file.write_bytes(SHIPPED_ROLE_NETWORK.read_bytes()[:-100])
    with pytest.raises(ValueError, match="cannot read"):
        role_network(file)


def test_the_shipped_file_is_small():
    assert SHIPPED_ROLE_NETWORK.stat().st_size < 150_000
