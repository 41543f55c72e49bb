"""What was fitted is judged on deals it has not seen: no two purposes share a deal, and no two streams a key."""

from itertools import chain

import pytest

from saboteur_env import Game, game_seed
from saboteur_env.core import prng
from saboteur_env.core.seeds import Purpose, deal_seed
from saboteur_env.engine.editions import EDITIONS, PLAYERS
from saboteur_env.engine.state import MAX_ROUNDS
from saboteur_env.experiments.beliefs.fit_action_model import Study as FitStudy
from saboteur_env.experiments.tournament.tournament import Tournament
from saboteur_env.experiments.win_rates import win_rates
from saboteur_env.experiments.win_rates.first_seat import play as play_first_seat


def test_no_two_purposes_ever_share_a_deal():
    seen = {}
    for purpose in Purpose:
        for seed, cell, index in ((s, c, i) for s in range(3) for c in range(45) for i in range(60)):
            deal = deal_seed(seed, purpose, index, cell)
            assert seen.setdefault(deal, (purpose, seed, index, cell)) == (purpose, seed, index, cell)
    assert len(seen) == len(Purpose) * 3 * 45 * 60


def test_what_is_fitted_keeps_the_deals_of_a_batch():
    fitted, judged = FitStudy(fitted=5, evaluated=5).seeds("lv", 4)
    assert fitted == [game_seed(0, i, 4) for i in range(5)]
    assert judged == [deal_seed(0, Purpose.BELIEFS, i, 4) for i in range(5)]
    assert deal_seed(7, Purpose.LEARNING, 3) == game_seed(7, 3)


def test_no_table_is_played_on_deals_that_action_model_or_evaluation_were_fitted_on():
    fitted = set(chain(*(FitStudy(500, 1).seeds(edition, players)[0] for edition in EDITIONS for players in PLAYERS)))
    fitted |= {game_seed(0, i, players) for i in range(20_000) for players in (3, 5)}  # fit_evaluation.py
    tournament = Tournament(("scripted", "random"), (3, 5))
    tables = {tournament.deal(players, deal) for players in (3, 5) for deal in range(1000)}
    tables |= {row["seed"] for row in win_rates.play(win_rates.Study((3, 5), 30))}
    tables |= {row["seed"] for row in win_rates.play(win_rates.Study((3, 5), 30, purpose=Purpose.SCRIPTED))}
    assert len(tables) == 2000 + 2 * 60
    assert not tables & fitted


def test_each_purpose_deals_another_game():
    assert len({str(Game(5, seed=deal_seed(0, purpose, 0, 5)).view(0).hand) for purpose in Purpose}) > 8
    assert play_first_seat([3], 4, seed=1) != play_first_seat([3], 4, seed=2)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, True])
def test_a_seed_that_is_none_is_refused_for_every_purpose(seed):
    for purpose in Purpose:
        with pytest.raises(ValueError, match="seed must be a whole number"):
            deal_seed(seed, purpose, 0)


def test_no_two_streams_of_a_match_share_a_key():
    rounds, alone = range(MAX_ROUNDS + 1), ("RESAMPLED", "IMAGINED", "SEAT_DRAWS", "SAMPLED", "RANDOM_MOVES")
    indices = [*rounds, *(getattr(prng, name) for name in alone)]
    for name in ("AGENTS", "EMBEDDED", "SUBSTITUTES", "MIXTURES", "LEARNER_SEAT"):
        indices += [getattr(prng, name) + number for number in rounds]
    assert len(set(indices)) == len(indices) == 6 * len(rounds) + len(alone)
