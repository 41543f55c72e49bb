"""One command measures the pages on learned agents again: its studies exist, and take what it gives them."""

import inspect

import pytest

pytest.importorskip("tensorboard", reason="needs the extra train")
pytest.importorskip("pyarrow", reason="needs the extra report")

from saboteur_env.experiments import learned_page
from saboteur_env.experiments.benchmark.populations import POPULATIONS
from saboteur_env.experiments.studies import find_studies


def test_every_part_is_a_study_that_takes_its_options():
    studies = find_studies()
    for name, options in learned_page.PARTS:
        taken = inspect.signature(studies[name].main()).parameters
        assert {*options, "workers", "fresh"} <= {*taken}


def test_the_arms_that_are_answered_are_those_that_are_trained():
    assert [*learned_page.ANSWERED_ARMS] == [*POPULATIONS]


def test_the_parts_are_run_in_their_order(monkeypatch):
    run = []

    class Listed:
        def main(self):
            return lambda **options: run.append(options)

    monkeypatch.setattr(learned_page, "find_studies", lambda: dict.fromkeys(dict(learned_page.PARTS), Listed()))
    learned_page.main(only="unknown,small-tables", workers=2)
    assert run == [{**options, "workers": 2, "fresh": False} for name, options in learned_page.PARTS
                   if name in ("unknown", "small-tables")]  # fmt: skip


def test_other_studies_are_refused():
    with pytest.raises(ValueError, match="no study of the page: bridges; there are learned-tables"):
        learned_page.main(only="bridges")
