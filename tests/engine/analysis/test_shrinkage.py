"""Ridge and the Gaussian process over all λ, against fitting them one by one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.algorithms.ridge import Ridge
from kernelviz.engine.analysis.shrinkage import Shrinkage, shrinkage
from kernelviz.engine.core.arrays import read_only
from kernelviz.engine.core.data import Data
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.numbers.of_fit import degrees_of_freedom, on_held_out, residual_table

SINE, MOONS = kernelviz.dataset("sine(n=25)"), kernelviz.dataset("moons(n=30, noise=0.4)")
VALUES = np.geomspace(1e-4, 10, 7)


def curve(data: Data, algorithm: str) -> Shrinkage:
    return shrinkage(
        Problem(data, kernelviz.kernel("rbf(gamma=2)")), kernelviz.algorithm(algorithm), VALUES.tolist()
    )


@pytest.mark.parametrize(("name", "parameter"), [("ridge", "lam"), ("gaussian-process", "noise")])
def test_of_real_targets_it_says_what_the_fits_say(name: str, parameter: str) -> None:
    found = curve(SINE, name)
    assert found.parameter == parameter
    for k, value in enumerate(VALUES.tolist()):
        model = kernelviz.fit(SINE, kernel="rbf(gamma=2)", algorithm=f"{name}({parameter}={value!r})")
        table = residual_table(model)
        assert found.training_error[k] == pytest.approx(model.numbers["mean_squared_error"], rel=1e-8)
        assert found.left_out_error[k] == pytest.approx(np.mean(table.left_out**2), rel=1e-6)
        assert found.degrees_of_freedom[k] == pytest.approx(degrees_of_freedom(model), rel=1e-8)
        if found.log_marginal_likelihood is not None:
            assert found.log_marginal_likelihood[k] == pytest.approx(model.log_marginal_likelihood, rel=1e-8)


@pytest.mark.parametrize("targets", ["signs", "zero-one"])
def test_of_classes_leaving_one_out_is_leaving_it_out(targets: str) -> None:
    found = curve(MOONS, f"ridge(targets={targets})")
    for k, value in enumerate(VALUES.tolist()):
        fit = {"kernel": "rbf(gamma=2)", "algorithm": f"ridge(lam={value!r}, targets={targets})"}
        mistakes = 0
        for i in range(MOONS.n):
            without = kernelviz.fit(MOONS.subset(np.arange(MOONS.n) != i), **fit)
            mistakes += bool(MOONS.z[i] * without.score(MOONS.X[i : i + 1])[0] <= 0)
        assert found.left_out_error[k] == pytest.approx(mistakes / MOONS.n)
        assert found.training_error[k] == kernelviz.fit(MOONS, **fit).numbers["training_error"]


@pytest.mark.parametrize("lam", [1e-6, 1.0, 1e4])
@pytest.mark.parametrize("gamma", [1e2, 1e3, 1e4])
def test_of_a_narrow_kernel_the_tiny_scores_of_points_left_out_have_their_sign(
    gamma: float, lam: float
) -> None:
    kernel, algorithm = f"rbf(gamma={gamma})", f"ridge(lam={lam})"
    found = shrinkage(
        Problem(MOONS, kernelviz.kernel(kernel)), kernelviz.algorithm(algorithm), np.array([lam])
    )
    scores = [
        kernelviz.fit(MOONS.subset(np.arange(MOONS.n) != i), kernel=kernel, algorithm=algorithm).score(
            MOONS.X[i : i + 1]
        )[0]
        for i in range(MOONS.n)
    ]
    assert found.left_out_error[0] == np.mean(MOONS.z * scores <= 0.0)


def test_more_of_it_is_less_freedom() -> None:
    assert (np.diff(curve(SINE, "ridge").degrees_of_freedom) < 0).all()


@pytest.mark.parametrize("algorithm", ["ridge", "ridge(targets=zero-one)", "gaussian-process"])
def test_the_held_out_error_is_that_of_the_fits(algorithm: str) -> None:
    data, fresh = (SINE, kernelviz.dataset("sine(n=15, seed=9)"))
    if "gaussian" not in algorithm:
        data, fresh = MOONS, kernelviz.dataset("moons(n=50, noise=0.4, seed=9)")
    posed, setting = kernelviz.kernel("rbf(gamma=2)"), kernelviz.algorithm(algorithm)
    found = shrinkage(Problem(data, posed), setting, VALUES, held=fresh)
    for k, value in enumerate(VALUES.tolist()):
        fit = setting.replace(**{found.parameter: value})
        scores = kernelviz.fit(data, kernel=posed, algorithm=fit).score(fresh.X)
        errors = (scores - fresh.y) ** 2 if data is SINE else fresh.z * scores <= 0
        assert found.held_out_error[k] == pytest.approx(np.mean(errors), rel=1e-6)


@pytest.mark.parametrize("unit", [1e-8, 1e-6, 1e-3, 1.0, 1e3])
@pytest.mark.parametrize("targets", ["signs", "zero-one"])
def test_the_errors_of_small_scores_are_those_of_the_fits(unit: float, targets: str) -> None:
    """Inputs of 1e-8 have scores of 1e-19, which the targets 1 less the residuals do not show."""
    data, held = (
        replace(found, X=read_only(unit * found.X))
        for found in (kernelviz.dataset(f"gaussians(n=40, seed={seed})") for seed in (3, 4))
    )
    problem, values = Problem(data, kernelviz.kernel("linear")), [1e-3, 1.0, 1e3]
    found = shrinkage(problem, Ridge(targets=targets), values, held=held)
    models = [Ridge(lam=value, targets=targets).fit(problem) for value in values]
    assert found.training_error.tolist() == [model.training_error for model in models]
    assert found.held_out_error.tolist() == [on_held_out(model, held).error for model in models]
