"""What a batch's seats suspect, followed move by move, is what each view leads to believe."""

import numpy as np
import pytest

from saboteur_env import make_vec
from saboteur_env.agents.beliefs.action_model_file import fitted
from saboteur_env.agents.beliefs.filter import Belief
from saboteur_env.agents.beliefs.tracker import BeliefTracker
from saboteur_env.agents.scripted.presets import number_of

PLAYERS = [3, 4, 5, 7, 10]


@pytest.mark.parametrize("edition", ["lv", "uk"])
def test_all_that_was_followed_is_what_the_view_leads_to_believe(edition):
    vec, belief = make_vec(5, PLAYERS, 4, mask=None, rounds=2, edition=edition, window="full"), Belief(fitted())
    vec.control([0, 0, *[-1 - number_of("scripted")] * 8])
    vec.reset()
    tracker, sure, rounds = BeliefTracker(vec), 0, 0
    for step in range(60):
        seen = tracker.saboteur_probabilities()
        for i, players in enumerate(PLAYERS):
            game = vec.game(i)
            saboteur = belief.of(game.view(game.seat)).saboteur
            clockwise = [saboteur[(game.seat + index) % players] for index in range(players)]
            assert seen[i].tolist() == pytest.approx([*clockwise, *[0] * (10 - players)], abs=1e-5)
            sure += 0.001 < seen[i, 1:players].min() < 0.1
        vec.step(vec.sample(step))
        rounds += vec.round_over.sum()
    assert rounds > 8
    assert sure > 50


def test_threads_follow_the_games_as_one_does():
    vec, same = (make_vec(50, 5, 4, mask=None, observations=False, threads=threads) for threads in (3, 1))
    tracker, other = BeliefTracker(vec), BeliefTracker(same)
    for step in range(40):
        asked = np.flatnonzero(vec.legal_count % 2) if step % 3 else None
        assert np.array_equal(tracker.saboteur_probabilities(asked), other.saboteur_probabilities(asked))
        for one in (vec, same):
            one.step(one.sample(step))
    vec.close()
