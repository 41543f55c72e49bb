import pytest

pytest.importorskip("openai", reason="openai is not installed (extra chat)")
pytest.importorskip("scipy", reason="scipy is not installed (extra report)")

from saboteur_env.experiments.beliefs.model_beliefs import (
    Suspicion,
    ask,
    belief_rows,
    contradiction_rows,
    contradicts,
    truth_of,
)
from tests.support import chat_server
from tests.support.chat_server import serving


def test_a_model_is_asked_before_each_move_and_scored_beside_the_filter():
    with serving(chat_server.good) as (url, server):
        suspicions, roles = ask(f"chat:model=m:base_url={url}", 5, 2)
    assert {len(found) for found in roles} == {5}
    assert len(server.asked) == 2 * len({(item.deal, item.turn) for item in suspicions})
    assert {item.seat for item in suspicions} == {0, 1}
    assert all(item.about != item.seat and item.model == 0.5 for item in suspicions)
    scored = {row["source"]: row for row in belief_rows(suspicions, roles)}
    assert scored["model"]["log_loss"] == pytest.approx(0.6931, abs=1e-4)
    first = [item for item in suspicions if item.deal == 0][:4]
    assert sum(item.prior for item in first) == pytest.approx(4 * first[0].prior)
    assert any(item.filter != item.prior for item in suspicions)


def test_scores_hold_it_against_the_truth():
    roles = [["miner", "saboteur", "miner"]]
    suspicions = [
        Suspicion(0, 0, 1, 3, 1.0, 0.9, 0.4, "break:cart:1"),
        Suspicion(0, 0, 2, 3, 0.0, 0.1, 0.4, ""),
        Suspicion(0, 0, 2, 6, 0.1, 0.1, 0.4, "break:cart:2"),
        Suspicion(0, 1, 2, 7, 0.1, 0.1, 0.4, "break:cart:2"),
    ]
    assert truth_of(suspicions, roles).tolist() == [1, 0, 0, 0]
    by_source = {row["source"]: row["log_loss"] for row in belief_rows(suspicions, roles)}
    assert by_source["model"] < by_source["filter"] < by_source["prior"]
    assert [(row["moves"], row["contradictions"]) for row in contradiction_rows(suspicions, roles)] == [(2, 1), (1, 0)]


@pytest.mark.parametrize(
    ("role", "move", "model", "denies"),
    [
        ("miner", "break:cart:1", 0.9, False),
        ("miner", "repair:cart:cart:1", 0.9, True),
        ("miner", "repair:cart:cart:1", 0.1, False),
        ("saboteur", "break:cart:1", 0.9, True),
        ("saboteur", "repair:cart:cart:1", 0.9, False),
        ("miner", "break:cart:1", 0.5, False),
    ],
)
def test_cards_that_deny_words(role, move, model, denies):
    assert contradicts(role, move, model) is denies


def test_only_who_can_be_asked_is_asked():
    with pytest.raises(ValueError, match="scripted cannot be asked whom it suspects"):
        ask("scripted", 3, 1)
