"""The small network: its inputs on drawn tables, the same numbers as NumPy computes, its file."""

import json

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from saboteur_env import Game, make_vec
from saboteur_env.agents.registry import fingerprints
from saboteur_env.agents.scripted.agent import KernelAgent
from saboteur_env.agents.scripted.net_inputs import look_at_move, look_at_table
from saboteur_env.agents.scripted.net_rows import DEEDS, KIND_ROW, MOVE_ROW, NETWORK, STATE_ROW
from saboteur_env.agents.scripted.policy import WORKSPACE
from saboteur_env.agents.scripted.presets import DWARFS, PPO_SMALL, number_of
from saboteur_env.agents.scripted.small_network import SHIPPED_SMALL, load_network, weights_of
from saboteur_env.core.compiled.jit import kernel
from saboteur_env.engine.moves import parse
from tests.support.positions import ONE_TO_GO, TWO_OF_FIVE, position


@kernel
def _look(dwarfs, known, spaces, number):
    goals = look_at_table(dwarfs[0], known, spaces[0])
    look_at_move(known, goals, number, spaces[0])


def inputs(game, move):
    """The numbers of the state, and of a move of the seat to move."""
    spaces = np.zeros(1, WORKSPACE)
    _look(DWARFS[[number_of(PPO_SMALL)]], game.view(game.seat).info_state, spaces, parse(move))
    return spaces["net"]["state"][0], spaces["net"]["move"][0]


STONES = ["stone:NE", "stone:NW"]


def at_table(middle):
    """Seat 0 has read the goal in the middle."""
    faces = [*STONES[:1], middle, *([STONES[1]] if middle == "treasure" else ["treasure"])]
    maps = [[1], [], [], [], []]
    return position(ONE_TO_GO, [["EW", "xNS"]], players=5, roles=TWO_OF_FIVE, deck=[], maps=maps, faces=faces)


@pytest.mark.parametrize(
    ("middle", "hopes", "saved", "reaches"), [("treasure", [0, 1, 0], 1, 1), ("stone:NW", [0.5, 0, 0.5], -1.5, 0)]
)
def test_the_card_that_reaches_a_goal_that_was_read(middle, hopes, saved, reaches):
    state, move = inputs(at_table(middle), "EW@7,0")
    assert state[STATE_ROW.hopes : STATE_ROW.hopes + 3].tolist() == hopes
    assert state[STATE_ROW.known] == (middle == "treasure")
    assert move[MOVE_ROW.lay_sides : MOVE_ROW.lay_sides + 4].tolist() == [0, 1, 0, 1]
    assert move[MOVE_ROW.lay_met : MOVE_ROW.lay_met + 8].tolist() == [0, 0, 0, 1, 0, 0, 0, 0]
    assert move[MOVE_ROW.lay_column] == 7 / 8
    assert (move[MOVE_ROW.lay_saved], move[MOVE_ROW.lay_reaches]) == (saved, reaches)


def test_what_a_seat_did_is_counted():
    game = Game(players=4, seed=3)
    while not any("rockfall" in move for _, move in game.view(0).record):
        breaks = [move for move in game.legal_moves() if move.startswith(("break", "rockfall"))]
        game.play((breaks or game.legal_moves())[-1])
    record, seat = game.view(0).record, game.seat
    state, _ = inputs(game, game.legal_moves()[0])
    deeds = dict(zip(DEEDS, 2 * state[STATE_ROW.deeds : STATE_ROW.deeds + len(DEEDS)], strict=True))
    own = [move for by, move in record if by == seat]
    struck = [move for _, move in record if move.startswith("break") and move.endswith(f":{seat}")]
    assert deeds["cards laid face down"] == sum(move.startswith("discard") for move in own)
    assert deeds["tools broken of this seat"] == len(struck)
    broken = deeds["tools broken of seats that look honest"] + deeds["tools broken of seats that look guilty"]
    assert broken == pytest.approx(sum(move.startswith("break") for move in own))


def by_numpy(network, role, state, moves, kinds):
    """The logits of moves as the formula of the module says."""
    weights = {name: network[name][0, role].astype(np.float64) for name in NETWORK.names}
    hidden = np.maximum(state @ weights["first"] + weights["first_bias"], 0)
    whole = np.maximum(hidden @ weights["inner"] + weights["inner_bias"], 0) + hidden
    context, query = (whole @ weights[name] + weights[f"{name}_bias"] for name in ("context", "query"))
    return np.maximum(context + weights["kind"][kinds] + moves @ weights["move"], 0) @ query


@pytest.mark.parametrize("players", [3, 5, 10])
def test_the_kernel_plays_what_numpy_computes(players):
    dwarf, network, game = (
        KernelAgent(PPO_SMALL),
        load_network(SHIPPED_SMALL)[0],
        Game(players=players, seed=2, rounds=1),
    )
    roles = set()
    for turn in range(30):
        view, texts = game.view(game.seat), game.legal_moves()
        rows = [inputs(game, text) for text in texts]
        kinds = [KIND_ROW[parse(text) >> 12] for text in texts]
        role = int(view.role == "saboteur")
        logits = by_numpy(network, role, rows[0][0], np.array([move for _, move in rows]), kinds)
        logits[[text.startswith("break") and text.endswith(f":{game.seat}") for text in texts]] = -50.0
        expected = np.exp(logits - logits.max())
        likely = dwarf.probabilities(view)
        assert [likely[text] for text in texts] == pytest.approx(expected / expected.sum(), abs=1e-4)
        roles.add(role)
        game.play(dwarf.act(view, turn))
    assert roles == {0, 1}


def test_it_plays_inside_a_batch():
    vec = make_vec(8, players=[3, 10] * 4, seed=1, rounds=1, observations=False)
    vec.control({"miners": 0, "saboteurs": PPO_SMALL})
    vec.reset()
    for step in range(60):
        vec.step(vec.sample(step))
    assert vec.episode.max() > 0


def test_weights_are_written_and_read_back(tmp_path):
    network, rng = np.zeros(1, NETWORK), np.random.default_rng(1)
    for name in NETWORK.names:
        network[name] = rng.integers(-64, 64, network[name].shape) / 16
    file = tmp_path / "weights.safetensors"
    file.write_bytes(weights_of(network, {"decisions": 7}))
    there, card = load_network(file)
    assert there == network
    assert card["decisions"] == 7


def test_the_shipped_file_is_small():
    assert SHIPPED_SMALL.stat().st_size < 300_000


def test_other_files_are_refused(tmp_path):
    file = tmp_path / "weights.safetensors"
    file.write_bytes(SHIPPED_SMALL.read_bytes()[:-100])
    with pytest.raises(ValueError, match="cannot read"):
        load_network(file)
    tensors, card = load_file(SHIPPED_SMALL), load_network(SHIPPED_SMALL)[1]
    save_file(tensors, file, {"card": json.dumps({**card, "rows": "others"})})
    with pytest.raises(ValueError, match="train it again"):
        load_network(file)
    save_file({**tensors, "first": tensors["first"][:, 1:].copy()}, file, {"card": json.dumps(card)})
    with pytest.raises(ValueError, match="train it again"):
        load_network(file)
    save_file(tensors, file)
    with pytest.raises(ValueError, match="no weights of saboteur-small-network"):
        load_network(file)


def test_its_weights_are_part_of_what_a_study_depends_on():
    assert "models/ppo-small/weights.safetensors" in fingerprints([PPO_SMALL])
    assert not fingerprints(["scripted"])
