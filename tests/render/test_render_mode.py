"""PettingZoo's render_test: `ansi`, `rgb_array` and `human`, the window without a screen."""

import os
import warnings

import pytest

import saboteur_env

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
pytest.importorskip("resvg_py", reason="the render extra is not installed")

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # of PettingZoo's test package itself
    from pettingzoo.test.render_test import render_test

# Each edition and each count once; all pairs pass too, and take three times as long.
PAIRS = [(3, "lv"), (5, "lt"), (10, "uk"), (3, "ru"), (5, "fa")]


@pytest.mark.parametrize(("players", "edition"), PAIRS)
def test_every_mode_passes_the_official_test(players, edition):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        render_test(
            lambda **keywords: saboteur_env.env(players=players, edition=edition, illegal="penalty", **keywords)
        )


def test_a_mode_there_is_not_is_refused():
    with pytest.raises(ValueError, match="render_mode must be one of"):
        saboteur_env.env(render_mode="smell")
    env = saboteur_env.env()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="needs a render_mode"):
        env.render()
    env.close()
