"""What self-play stores and learns from, against one seat after the other, slowly."""

from itertools import pairwise

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="needs the extra train")
import torch

from saboteur_env import Game, game_seed, make_vec
from saboteur_env.agents.learned.network import NetworkConfig
from saboteur_env.agents.scripted.presets import number_of
from saboteur_env.batch.seats import LEARNER
from saboteur_env.environment.settings import Settings
from saboteur_env.experiments.training import ppo
from saboteur_env.experiments.training.config import REGULARIZERS, Learning
from saboteur_env.experiments.training.opponents import Opponents
from saboteur_env.experiments.training.seating import Seating
from saboteur_env.experiments.training.self_play import SelfPlay

DECK = {"NESW": 20, "map": 10, "break:cart": 6, "repair:cart": 4}
SHORT = Settings(rounds=2, window="small", history=8, reward="nuggets", options={"goal_cells": [[3, 0]], "deck": DECK})
PLAYERS, STEPS, GAMMA, LAMBDA = [3, 4, 5, 10], 100, 0.9, 0.7
TINY = NetworkConfig(channels=4, width=16, seat=8, choice=8)


def small_learner(opponents=Opponents(), steps=STEPS, settings=SHORT, players=PLAYERS):  # noqa: B008
    vec = make_vec(len(players), players, 3, 1, mask=None, settings=settings)
    seating = Seating(opponents, vec, np.random.default_rng(1))
    learning = Learning(n_steps=steps, batch_size=50, n_epochs=1, gamma=GAMMA, gae_lambda=LAMBDA)
    return SelfPlay(vec, seating, TINY, learning, 2, torch.device("cpu"))


def play(learner):
    """One rollout, played."""
    learner.collect()
    return learner.rollout


def slow_advantages(rollout, game):
    """(step, seat) -> (advantage, learned) of one game, a seat and a round at a time, from the definition."""
    result, last_end = {}, -1
    ends = [*np.flatnonzero(rollout.ended[:, game]).tolist(), rollout.steps - 1]
    for end in ends:
        for seat in range(10):
            own = [t for t in range(last_end + 1, end + 1) if rollout.seat[t, game] == seat]
            whole = bool(rollout.ended[end, game])
            values = [float(rollout.value[t, game]) for t in own]
            paid = [rollout.reward[a:b, game, seat].sum() for a, b in pairwise([*own, end + 1])]
            for k, t in enumerate(own):
                if not whole and k == len(own) - 1:
                    result[t] = 0.0, False
                    continue
                steps = range(k, len(own) if whole else len(own) - 1)
                ahead = [values[j + 1] if j + 1 < len(own) else 0.0 for j in steps]
                surprises = [paid[j] + GAMMA * v - values[j] for j, v in zip(steps, ahead, strict=True)]
                result[t] = sum((GAMMA * LAMBDA) ** i * s for i, s in enumerate(surprises)), True
        last_end = end
    return result


def test_advantages_are_those_of_each_seat_alone():
    rollout = play(small_learner())
    ended = 0
    for game in range(rollout.games):
        slow = slow_advantages(rollout, game)
        for step in range(STEPS):
            advantage, learned = slow[step]
            assert rollout.learned[step, game] == learned
            assert float(rollout.advantage[step, game]) == pytest.approx(advantage, abs=1e-5)
        ended += rollout.ended[:, game].sum()
    assert ended > 4
    assert np.ptp(rollout.reward) > 0


def test_what_is_stored_is_what_was_acted_on():
    learner = small_learner()
    rollout = play(learner)
    actions = learner.vec.settings.actions
    games = [Game(n, seed=game_seed(3, i), rounds=2, options=SHORT.options) for i, n in enumerate(PLAYERS)]
    episode = [0] * len(PLAYERS)
    order = torch.randperm(STEPS * len(PLAYERS))
    batch = rollout.batch(order)
    index = torch.argsort(order)
    starts = batch.inputs.counts.cumsum(0) - batch.inputs.counts
    for step in range(STEPS):
        for i, game in enumerate(games):
            row = int(index[step * len(PLAYERS) + i])
            seat, view = game.seat, game.view(game.seat)
            legal = batch.inputs.legal[starts[row] : starts[row] + batch.inputs.counts[row]].tolist()
            texts = [actions.text(action, seat, PLAYERS[i]) for action in legal]
            assert sorted(texts) == [t for t in game.legal_moves() if actions.number(t, seat, PLAYERS[i]) >= 0]
            assert np.array_equal(batch.inputs.observation[row], learner.vec.settings.observations.observe(view))
            told = [1 * (game.view((seat + k) % PLAYERS[i]).role == "saboteur") for k in range(PLAYERS[i])]
            assert batch.roles[row].tolist() == told + [-1] * (10 - PLAYERS[i])
            game.play(texts[batch.action_index[row]])
            if game.round_over and game.over:
                episode[i] += 1
                games[i] = Game(PLAYERS[i], seed=game_seed(3, i, episode[i]), rounds=2, options=SHORT.options)
            elif game.round_over:
                game.next_round()
    assert sum(episode) > 1
    output = ppo.predict(learner.network, batch.inputs, bf16=False)
    log_prob = output.logits.log_softmax(1).gather(1, batch.action_index[:, None]).squeeze(1)
    assert torch.allclose(log_prob, batch.log_prob, atol=1e-5)
    assert torch.allclose(output.value, batch.value, atol=1e-5)


def test_a_batch_learned_from_in_parts_gives_the_gradient_of_the_whole(monkeypatch):
    learner = small_learner()
    play(learner)
    learner.network.query.weight.data *= 50  # as after much training: what is told differs from row to row
    batch = next(learner.rollout.batches(1000))
    result = {}
    for size in (len(batch.action_index), 7):
        monkeypatch.setattr(ppo, "CHUNK", size)
        learner.optimizer.zero_grad()
        facts = ppo.gradient(learner.network, batch, learner.learning)
        result[size] = facts, [weights.grad.clone() for weights in learner.network.parameters()]
    (whole, wanted), (parts, gradients) = result.values()
    assert {name: float(fact) for name, fact in parts.items()} == pytest.approx(
        {name: float(fact) for name, fact in whole.items()}, abs=1e-5
    )
    assert all(torch.allclose(one, other, atol=1e-5) for one, other in zip(wanted, gradients, strict=True))
    assert max(float(one.abs().max()) for one in wanted) > 0.01


def test_the_barrier_is_the_mean_log_probability_of_what_is_legal():
    logits = torch.tensor([[0.0, 2.0, -30.0], [1.0, 1.0, -torch.inf]], requires_grad=True)
    ppo.log_barrier(logits.log_softmax(1)).backward()
    likely = logits.detach().softmax(1)
    even = torch.tensor([[1 / 3] * 3, [1 / 2, 1 / 2, 0]])
    assert torch.allclose(logits.grad, (even - likely) / 2, atol=1e-6)  # a rare action is pulled at full strength


@pytest.mark.parametrize("regularizer", REGULARIZERS)
def test_what_the_bonus_weighs_is_what_the_settings_say(regularizer):
    learner = small_learner()
    play(learner)
    learner.network.query.weight.data *= 50
    batch = next(learner.rollout.batches(1000))
    log_probs = ppo.predict(learner.network, batch.inputs, bf16=False).logits.log_softmax(1).detach()
    legal = log_probs > -torch.inf
    rows = [row[kept] for row, kept in zip(log_probs, legal, strict=True)]
    of_row = {"entropy": lambda row: -(row.exp() * row).sum(), "log_barrier": torch.mean}[regularizer]
    expected = 0.3 * float(torch.stack([of_row(row) for row in rows]).mean())
    settings = [Learning(ent_coef=weight, regularizer=regularizer) for weight in (0.0, 0.3)]
    with torch.no_grad():
        losses = [float(ppo._loss(learner.network, batch, learning)[0]) for learning in settings]
    assert losses[0] - losses[1] == pytest.approx(expected, abs=1e-4)


def test_batches_hold_every_learned_decision_once():
    learner = small_learner(Opponents(mixed=1.0))
    rollout = play(learner)
    batches = list(rollout.batches(50))
    learned = rollout.learned
    assert 0 < learned.sum() < learned.size
    for name in ("advantage", "returns", "value", "log_prob"):
        together = torch.cat([getattr(batch, name) for batch in batches]).sort().values
        assert torch.equal(together, getattr(rollout, name)[torch.from_numpy(learned)].sort().values)
    assert all(abs(len(batch.action_index) - 50) < 25 for batch in batches)


def test_one_side_is_the_learners_in_whole_rounds():
    vec = make_vec(40, [3, 5, 7, 10] * 10, 5, 1, mask=None, rounds=2)
    seating = Seating(Opponents(0.4, 0.4), vec, np.random.default_rng(1))
    sides = {"miners": 0, "saboteurs": 0, "all": 0}
    for step in range(150):
        roles, seated = vec.records["private"]["role"], np.arange(10) < vec.players[:, None]
        for i in range(vec.num_games):
            games = set(roles[i][seated[i] & (vec.playing[i] == LEARNER)].tolist())
            others = set(roles[i][seated[i] & (vec.playing[i] == -1 - number_of("scripted"))].tolist())
            assert not games & others
            sides["all" if not others else "miners" if games == {0} else "saboteurs"] += 1
        vec.step(vec.sample(step))
        assert (vec.playing[np.arange(40), vec.seat] == LEARNER).all()
        seating.after_step(vec, np.flatnonzero(vec.round_over))
    assert min(sides.values()) > 600


@pytest.mark.parametrize("shares", [{"miners": 1.5}, {"saboteurs": -0.1}, {"miners": 0.5, "pool": ()}])
def test_bad_shares_are_refused(shares):
    with pytest.raises(ValueError, match="shares of 1"):
        Opponents(**shares)


def test_what_a_round_paid_counts_once_however_long_it_was():
    rollout = play(small_learner(Opponents(mixed=0.5)))
    for role in (0, 1):
        paid = []
        for game in range(rollout.games):
            first = 0
            for last in np.flatnonzero(rollout.ended[:, game]):
                steps = range(first, last + 1)
                own = [step for step in steps if rollout.learned[step, game] and rollout.roles[step, game, 0] == role]
                seats = {rollout.seat[step, game] for step in own}
                paid += [np.mean([rollout.reward[last, game, seat] for seat in seats])] if seats else []
                first = last + 1
        assert sorted(rollout.paid(role)) == pytest.approx(sorted(paid))
        assert len(paid) > 2
