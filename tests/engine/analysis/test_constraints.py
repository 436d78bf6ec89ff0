"""The optimum with one constraint, against a solver without multipliers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from scipy.optimize import minimize

from kernelviz.engine.analysis.constraints import CENTRE, ConstrainedOptimum

ANGLES, PLACES = some.floats(-180, 180), some.floats(-2, 2)


@pytest.mark.parametrize("equality", [False, True])
@pytest.mark.parametrize("maximum", [False, True])
@pytest.mark.parametrize(("angle", "t"), [(0, 1.5), (30, -1.0), (120, 0.4), (-75, 2.0)])
def test_the_optimum_is_that_of_a_general_solver(angle, t, maximum, equality) -> None:
    problem = ConstrainedOptimum(angle, t, maximum, equality)
    found = minimize(
        lambda x: problem.sign * problem.f(x),
        np.zeros(2),
        constraints={"type": "eq" if equality else "ineq", "fun": problem.g},
        method="SLSQP",
        options={"ftol": 1e-14},
    )
    np.testing.assert_allclose(problem.place, found.x, atol=1e-6)


@given(ANGLES, PLACES, some.booleans(), some.booleans())
def test_the_conditions_hold_at_the_optimum(angle, t, maximum, equality) -> None:
    problem = ConstrainedOptimum(angle, t, maximum, equality)
    x, lam = problem.place, problem.multiplier
    sign = -1.0 if maximum else 1.0
    np.testing.assert_allclose(problem.gradient(x), sign * lam * problem.normal, atol=1e-9)
    assert lam * problem.g(x) == pytest.approx(0.0, abs=1e-9)
    assert problem.g(x) >= -1e-9
    assert lam >= 0.0 or equality
    assert problem.active == (equality or lam > 0.0)


def test_a_constraint_that_the_free_optimum_satisfies_is_inactive() -> None:
    problem = ConstrainedOptimum(0.0, -1.0)
    assert not problem.active
    assert problem.multiplier == 0.0
    np.testing.assert_array_equal(problem.place, CENTRE)


@given(ANGLES, PLACES)
def test_the_gradient_is_the_slope_of_f(angle, t) -> None:
    problem, x, h = ConstrainedOptimum(angle, t), np.array([0.3, -0.8]), 1e-6
    steps = h * np.eye(2)
    slopes = (problem.f(x + steps) - problem.f(x - steps)) / (2 * h)
    np.testing.assert_allclose(problem.gradient(x), slopes, atol=1e-6)
