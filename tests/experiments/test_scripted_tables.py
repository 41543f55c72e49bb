"""Tables of all counts and editions: every cell once, the numbers of the main job, a page that says how it was made."""

from saboteur_env.core.seeds import Purpose
from saboteur_env.engine.editions import EDITIONS
from saboteur_env.experiments.common.statistics import wilson, win_rate_rows
from saboteur_env.experiments.win_rates.scripted_tables import DEFAULT_ROUNDS, page, scripted_tables
from saboteur_env.experiments.win_rates.win_rates import Study, play


def test_every_count_and_edition_has_its_cell():
    rows = scripted_tables("random", "scripted", rounds=2)
    whole = [(row["edition"], row["players"]) for row in rows if row["saboteurs"] == "all"]
    assert whole == [(edition, players) for edition in EDITIONS for players in range(3, 11)]
    (expected, *_) = win_rate_rows(play(Study((4,), 2, "ru", 1, "random", purpose=Purpose.SCRIPTED)))
    assert {"edition": "ru", **expected} in rows
    text = page(rows, "the command", "Random miners")
    assert text.startswith("# Random miners\n")
    assert "\nthe command\n" in text
    assert f"| {' | '.join(['players', *EDITIONS])} |" in text
    assert text.count("[") == len(whole)


def test_the_intervals_are_less_than_a_point_wide():
    low, high = wilson(DEFAULT_ROUNDS // 2, DEFAULT_ROUNDS)
    assert high - low < 0.01
