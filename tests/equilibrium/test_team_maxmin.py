"""What miners secure who agree on everything beforehand: bounds that meet, beside the equilibria that are known."""

import pytest

from saboteur_env.engine.editions import Rules
from saboteur_env.experiments.equilibrium.cfr import DISCOUNTED, Cfr
from saboteur_env.experiments.equilibrium.team_maxmin import team_maxmin
from saboteur_env.experiments.equilibrium.tree import build
from saboteur_env.experiments.equilibrium.values import saboteur_response
from saboteur_env.mines import MINES

HIDDEN, OPEN = 5 / 36, 1 / 6  # how often the miners win in K3


@pytest.mark.parametrize(("roles_open", "expected"), [(False, HIDDEN), (True, OPEN)])
def test_correlation_adds_nothing_on_k3(roles_open, expected):
    tree, bounds = build(MINES["K3"].rules(), roles_open=roles_open), []
    secured = team_maxmin(tree, lambda value, above: bounds.append((value, above)))
    assert secured.value == pytest.approx(expected, abs=1e-8)
    assert secured.above == pytest.approx(expected, abs=1e-8)
    values = [value for value, _ in bounds]
    assert values == sorted(values)
    assert values[0] == 0  # the saboteur against no plan
    assert all(above >= expected - 1e-8 for _, above in bounds)
    assert secured.plans == len(bounds) - 1 > 1


def test_no_profile_secures_more_than_a_team_that_agrees():
    tree = build(MINES["K3"].rules())
    solver = Cfr(tree, DISCOUNTED)
    for iterations in (1, 5, 50):
        solver.step(iterations)
        worst = (1 - saboteur_response(tree, solver.profile()).value) / 2
        assert worst <= team_maxmin(tree).value + 1e-9


def test_several_saboteurs_are_refused():
    options = dict(MINES["K3"].options) | {"role_table": {"saboteurs": 2, "miners": 1}}
    with pytest.raises(ValueError, match="computed for one saboteur, not 2"):
        team_maxmin(build(Rules.make(3, "lv", 1, options)))
