"""The ablation: every variant is a run that differs in what its name says, and the table is made from runs that end."""

import math

import pytest

pytest.importorskip("sb3_contrib", reason="needs the extra train")
pytest.importorskip("tensorboard", reason="needs the extra train")

from saboteur_env.experiments.training_studies.ablation import VARIANTS, WHOLE, config_of, page, play, summary

TINY = [
    "decisions=400", "games=8", "threads=1", "network.channels=4", "network.width=16", "network.seat=8",
    "network.choice=8", "learning.n_steps=16", "learning.batch_size=64", "evaluation.rounds=4", "league.interval=100",
]  # fmt: skip


def test_every_variant_lacks_what_its_name_says():
    whole, changed = config_of(WHOLE, 1), set()
    for name in VARIANTS:
        config = config_of(name, 1)
        differ = {field for field in whole.__dataclass_fields__ if getattr(config, field) != getattr(whole, field)}
        assert len(differ) == (name != WHOLE)
        changed |= differ
    assert changed == {"network", "learning", "curriculum", "league", "opponents"}
    assert whole.league.played
    assert config_of("no curriculum", 1).curriculum[0].options == whole.curriculum[-1].options


def test_runs_are_kept_and_the_table_has_intervals_over_seeds(tmp_path):
    rows = play([WHOLE, "no history"], [1, 2], tmp_path, TINY)
    stamps = {path: path.stat().st_mtime_ns for path in tmp_path.glob("*/checkpoint.safetensors")}
    assert len(stamps) == 4
    assert play([WHOLE, "no history"], [1, 2], tmp_path, TINY) == rows
    assert stamps == {path: path.stat().st_mtime_ns for path in stamps}
    first, second = summary(rows)
    assert (first["difference"], first["difference_low"], first["difference_high"]) == (0, 0, 0)
    both = {(row["variant"], row["seed"]): row["both"] for row in rows}
    gain = [both["no history", seed] - both[WHOLE, seed] for seed in (1, 2)]
    assert second["difference"] == pytest.approx(sum(gain) / 2)
    assert second["difference_high"] - second["difference"] == pytest.approx(
        12.706 * abs(gain[0] - gain[1]) / 2, rel=1e-3
    )
    assert math.isnan(summary(rows[:1])[0]["miner_low"])
    assert "| no history | 2 |" in page(rows, "the command")


def test_runs_that_are_not_judged_are_refused_before_they_begin(tmp_path):
    with pytest.raises(ValueError, match=r"evaluation\.interval=0"):
        play([WHOLE], [1], tmp_path, ["evaluation.interval=0"])
    assert not [*tmp_path.iterdir()]


def test_a_variant_there_is_not_is_refused():
    with pytest.raises(ValueError, match="no league"):
        config_of("no luck", 1)
