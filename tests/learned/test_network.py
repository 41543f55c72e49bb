"""The network reads the history as its shape says."""

import pytest

pytest.importorskip("torch", reason="needs the extra learned")
import torch

from saboteur_env import make_vec
from saboteur_env.agents.beliefs.tracker import BeliefTracker
from saboteur_env.agents.learned.inputs import inputs_of
from saboteur_env.agents.learned.network import READERS, Network, NetworkConfig
from saboteur_env.environment.encoder import EVENT_PARTS
from saboteur_env.environment.settings import Settings

HISTORY = 8
ACTOR, CARD = EVENT_PARTS.index("seat + 1"), EVENT_PARTS.index("card")


def deeds(reader, card):
    """What is read of each seat's deeds where seat k acted k-th to last, and seat 3 with this card."""
    torch.manual_seed(1)
    events = torch.ones(1, HISTORY, len(EVENT_PARTS), dtype=torch.int64)
    events[0, :, ACTOR] = torch.arange(1, HISTORY + 1)
    events[0, 3, CARD] = card
    return Network("small", HISTORY, NetworkConfig(4, 16, 8, 8, events=reader)).seats._deeds(events)[0][0]


@pytest.mark.parametrize(("reader", "touched"), [("sum", {3}), ("attention", set(range(8))), ("gru", {0, 1, 2, 3})])
def test_an_event_changes_what_is_read_of(reader, touched):
    differ = (deeds(reader, 1) - deeds(reader, 5)).abs().amax(1) > 1e-7
    assert set(torch.nonzero(differ).flatten().tolist()) == touched


@pytest.mark.parametrize("reader", READERS)
def test_only_a_reader_of_events_is_moved_by_them(reader):
    vec = make_vec(6, [3, 5, 10] * 2, 1, mask=None, settings=Settings(rounds=1, window="small", history=HISTORY))
    for step in range(20):
        vec.step(vec.sample(step))
    network, inputs = Network("small", HISTORY, NetworkConfig(4, 16, 8, 8, events=reader)), inputs_of(vec)
    before = network(*inputs)
    first = vec.settings.observations.fields[0].size
    inputs.observation[:, first : first + HISTORY * len(EVENT_PARTS)] = 0
    assert torch.equal(before.roles, network(*inputs).roles) == (reader == "none")


def test_another_reader_is_refused():
    with pytest.raises(ValueError, match="attention"):
        NetworkConfig(events="memory")


def test_suspects_are_told_seat_by_seat():
    vec = make_vec(6, [3, 5, 10] * 2, 1, mask=None, settings=Settings(rounds=1, window="small", history=0))
    tracker = BeliefTracker(vec)
    network = Network("small", 0, NetworkConfig(4, 16, 8, 8, suspects=True))
    inputs = inputs_of(vec, "cpu", tracker)
    before = network(*inputs).roles
    changed = inputs.suspects.clone()
    changed[2, 4] = 0.9
    after = network(*inputs._replace(suspects=changed)).roles
    assert torch.nonzero((before != after).any(1)).flatten().tolist() == [2]
    assert (before[2] - after[2]).abs().argmax() == 4
    part = inputs.rows(torch.tensor([2, 5]))
    assert torch.allclose(network(*part).roles, before[[2, 5]], atol=1e-6)
