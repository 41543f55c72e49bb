"""A learned dwarf decides a single view as its network does in torch: the same outputs, the same moves."""

from itertools import islice

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra learned")
import torch

from saboteur_env import Game
from saboteur_env.agents.beliefs.action_model import ActionModel
from saboteur_env.agents.beliefs.action_model_file import fitted
from saboteur_env.agents.beliefs.filter import Belief
from saboteur_env.agents.learned.network import READERS, Network, NetworkConfig
from saboteur_env.agents.learned.ppo import Ppo
from saboteur_env.agents.learned.single import NumpyForward, SingleOutput, TorchForward, single_forward
from saboteur_env.agents.scripted.agent import KernelAgent
from saboteur_env.environment.actions import Actions
from saboteur_env.environment.observations import Observations

VIEWS = 2500


def views(players=range(3, 11)):
    """Views of whoever is to move, for all numbers of players in turn."""
    dwarfs, seed = [KernelAgent("scripted"), KernelAgent("careless+two-faced")], 0
    while True:
        for count in players:
            game = Game(players=count, seed=seed, rounds=1)
            while not game.over:
                view = game.view(game.seat)
                yield view
                game.play(dwarfs[seed % 2].act(view, seed))
            seed += 1


def in_batches(network, asked):
    """The outputs of a network in torch for what single views asked, a few hundred rows at once."""
    for first in range(0, len(asked), 250):
        seen, actions, suspects = zip(*asked[first : first + 250], strict=True)
        counts = [len(legal) for legal in actions]
        parts = np.array(seen), np.concatenate(actions), np.array(counts), np.array(suspects)
        with torch.inference_mode():
            logits, value, roles = network(*map(torch.from_numpy, parts))
        for row, count in enumerate(counts):
            yield SingleOutput(logits[row, :count].numpy(), float(value[row]), roles[row].numpy())


def test_the_same_moves_as_by_torch():
    agent, asked, seated = Ppo(), [], [*islice(views(), VIEWS)]
    single = agent.forward
    assert isinstance(single, NumpyForward)
    agent.forward = lambda *inputs: asked.append(inputs) or single(*inputs)
    moves = [agent.act(view, number) for number, view in enumerate(seated)]
    by_torch = in_batches(agent.network, asked)
    agent.forward = lambda *inputs: next(by_torch)
    assert moves == [agent.act(view, number) for number, view in enumerate(seated)]
    assert {view.role for view in seated} == {"miner", "saboteur"}
    assert {view.rules.players for view in seated} == {*range(3, 11)}


@pytest.mark.parametrize(("reader", "history"), [*((reader, 8) for reader in READERS), ("sum", 0)])
@pytest.mark.parametrize("suspects", [False, True])
def test_the_same_outputs_as_by_torch(reader, history, suspects):
    torch.manual_seed(1)
    network = Network("small", history, NetworkConfig(4, 16, 8, 8, blocks=2, events=reader, suspects=suspects)).eval()
    with torch.no_grad():
        for weight in network.parameters():
            weight.normal_(std=0.3)
    single, by_torch, rng = single_forward(network), TorchForward(network), np.random.default_rng(1)
    for view in islice(views([4, 10]), 0, 120, 7):
        seen, actions = Observations("small", history).observe(view), rng.integers(Actions("small").count, size=9)
        beliefs = Belief().clockwise(view) if suspects else None
        expected = by_torch(seen, actions, beliefs)
        for here, there in zip(single(seen, actions, beliefs), expected, strict=True):
            assert here == pytest.approx(there, rel=1e-3, abs=1e-3)


def test_beliefs_of_rounds_that_are_asked_about_in_turn_are_those_of_each_alone():
    styles, shared = fitted().styles, Belief()
    for pair in zip(*(islice(views([count]), 40) for count in (4, 5, 4)), strict=False):
        for view in pair:
            alone = Belief(ActionModel(fitted().names, styles))
            assert shared.clockwise(view).tolist() == alone.clockwise(view).tolist()


def test_the_beliefs_of_a_view_are_those_of_its_posterior():
    for view in islice(views([3, 7]), 0, 60, 5):
        saboteur = Belief().of(view).saboteur
        clockwise = np.roll(saboteur, -view.seat)
        assert Belief().clockwise(view)[: len(saboteur)] == pytest.approx(clockwise, abs=1e-6)
