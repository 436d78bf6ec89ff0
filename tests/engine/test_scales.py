"""No answer depends on the units: targets or inputs times a number give the same answer, scaled."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.analysis.path import path
from kernelviz.engine.analysis.points import point_table
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.fits import registry
from kernelviz.engine.fits.solve import MOST_POLISHED
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.selection.choice import Selection
from kernelviz.runtime.parallel_selection import select

TIMES = (1e-6, 1e-3, 1e3, 1e6)
CURVES = [name for name, cls in registry.datasets().items() if cls.shown_in == "curve"]
PLANES = [name for name, cls in registry.datasets().items() if cls.shown_in == "plane"]


def fitted(data: Data, kernel: str, algorithm: str) -> Model:
    return kernelviz.fit(data, kernel=kernel, algorithm=algorithm)


@cache
def plain_fit(source: str, kernel: str, algorithm: str) -> Model:
    return fitted(kernelviz.dataset(source), kernel, algorithm)


def with_targets(data: Data, times: float) -> Data:
    return Data.regression(data.X, times * data.y)


def with_inputs(data: Data, times: float) -> Data:
    return replace(data, X=times * data.X)


def agree(scaled: Array, plain: Array) -> None:
    assert scaled == pytest.approx(plain, rel=1e-6, abs=1e-6 * float(np.abs(plain).max()))


@pytest.mark.parametrize("times", TIMES)
@pytest.mark.parametrize(
    "algorithm",
    [
        "svr(C={C!r}, epsilon={epsilon!r})",
        "nu-svr(C={C!r})",
        "ridge",
        "gaussian-process",
        "kernel-sgd(rate=0.1)",
        "nadaraya-watson",
        "nearest-neighbours",
    ],
)
def test_targets_times_a_number_give_scores_times_that_number(algorithm: str, times: float) -> None:
    for name in CURVES:
        plain = plain_fit(f"{name}(n=30)", "rbf(gamma=1)", algorithm.format(C=10.0, epsilon=0.1))
        data = plain.problem.data
        asked = algorithm.format(C=10.0 * times, epsilon=0.1 * times)
        scaled = fitted(with_targets(data, times), "rbf(gamma=1)", asked)
        agree(scaled.training_scores / times, plain.training_scores)
        assert scaled.status == plain.status


@pytest.mark.parametrize("times", [3e-4, 1e6])
@pytest.mark.parametrize("algorithm", ["svr(C={C!r}, epsilon={epsilon!r})", "nu-svr(C={C!r})"])
def test_a_fit_of_more_points_than_are_polished_follows_small_targets_too(
    algorithm: str, times: float
) -> None:
    data = kernelviz.dataset(f"sine(n={MOST_POLISHED + 1})")
    plain = fitted(data, "rbf(gamma=1)", algorithm.format(C=10.0, epsilon=0.1))
    asked = algorithm.format(C=10.0 * times, epsilon=0.1 * times)
    scaled = fitted(with_targets(data, times), "rbf(gamma=1)", asked)
    assert scaled.summary()["r2"] == pytest.approx(plain.summary()["r2"])
    assert len(scaled.support) == len(plain.support) > 0


def test_what_a_violation_is_measured_by_has_the_unit_of_the_targets() -> None:
    data = kernelviz.dataset(f"sine(n={MOST_POLISHED + 1})")
    model = fitted(with_targets(data, 1e-3), "rbf(gamma=1)", "svr(C=0.01, epsilon=0.0001)")
    half_the_range = 0.5 * 1e-3 * np.ptp(data.y)
    assert point_table(model).tolerance == pytest.approx(1e-3 * half_the_range)
    assert "below 1.3e-06" in model.message


def test_targets_that_differ_by_rounding_alone_are_fitted() -> None:
    model = fitted(Data.regression([[0.0], [1.0], [2.0]], [0.1 + 0.2, 0.3, 0.3]), "rbf(gamma=1)", "svr")
    assert model.converged
    assert model.training_scores == pytest.approx([0.3] * 3)


OF_THE_KERNEL = {
    "rbf(gamma={gamma!r})": lambda times: 1.0,
    "linear": lambda times: times**2,
    "homogeneous(degree=2)": lambda times: times**4,
}
"""By what the kernel is multiplied when the inputs are."""


@pytest.mark.parametrize("times", TIMES)
@pytest.mark.parametrize("kernel", OF_THE_KERNEL)
@pytest.mark.parametrize(
    "algorithm", ["soft-margin-svm(C={C!r})", "nu-svm(nu=0.5)", "squared-slack-svm(lam={lam!r})"]
)
def test_inputs_times_a_number_give_the_same_scores(algorithm: str, kernel: str, times: float) -> None:
    size = OF_THE_KERNEL[kernel](times)
    if not 1e-8 <= 10.0 / size <= 1e10:
        return  # no such C or lambda can be asked for
    for name in PLANES:
        data = kernelviz.dataset(name)
        if data.task is not Task.TWO_CLASSES:
            continue
        plain = plain_fit(name, kernel.format(gamma=1.0), algorithm.format(C=10.0, lam=0.1))
        asked = algorithm.format(C=10.0 / size, lam=0.1 * size)
        scaled = fitted(with_inputs(data, times), kernel.format(gamma=times**-2), asked)
        agree(scaled.training_scores, plain.training_scores)
        assert scaled.status == plain.status


@pytest.mark.parametrize("n", [60, MOST_POLISHED + 2])
@pytest.mark.parametrize("times", TIMES)
def test_the_region_of_one_class_is_that_of_the_inputs_in_any_unit(times: float, n: int) -> None:
    data = kernelviz.dataset(f"moons(n={n})")
    plain = fitted(data, "homogeneous(degree=2)", "one-class-svm(nu=0.2)")
    scaled = fitted(with_inputs(data, times), "homogeneous(degree=2)", "one-class-svm(nu=0.2)")
    agree(scaled.training_scores / times**4, plain.training_scores)


@cache
def chosen(source: str, algorithm: str, over: str, times: float = 1.0) -> Selection:
    asked = algorithm.format(C=10.0 * times, epsilon=0.1 * times)
    return select(with_targets(kernelviz.dataset(source), times), None, "rbf(gamma=1)", asked, [over])


@pytest.mark.parametrize("times", TIMES)
@pytest.mark.parametrize(
    ("algorithm", "over"),
    [
        ("svr(C={C!r}, epsilon={epsilon!r})", "gamma=0.1:10:3"),
        ("nu-svr(C={C!r})", "gamma=0.1:10:3"),
        ("ridge", "lam=0.0001:10:9"),
        ("gaussian-process", "noise=0.0001:10:9"),
    ],
)
def test_model_selection_chooses_the_same_in_any_unit_of_the_targets(
    algorithm: str, over: str, times: float
) -> None:
    for name in CURVES:
        plain, scaled = (chosen(f"{name}(n=25)", algorithm, over, factor) for factor in (1.0, times))
        agree(scaled.face("error") / times**2, plain.face("error"))
        assert (scaled.best, scaled.ties) == (plain.best, plain.ties)
        assert (scaled.one_standard_error, scaled.misled) == (plain.one_standard_error, plain.misled)


def test_small_errors_that_differ_are_no_tie() -> None:
    found = chosen("sine(n=60)", "ridge", "lam=0.0001:10:9", 1e-6)
    assert len(found.ties) == 1
    assert "tie" not in found.message


@pytest.mark.parametrize("times", [1e-4, 1e-3, 1e-2, 10.0])
def test_the_path_has_the_errors_and_widths_of_the_fits_in_any_unit_of_the_inputs(times: float) -> None:
    data = with_inputs(kernelviz.dataset("gaussians(n=40, seed=1)"), times)
    found = path(Problem(data, kernelviz.kernel("linear")), 1e-3, 1e2)
    for k in range(0, len(found.C), 10):
        numbers = fitted(data, "linear", f"soft-margin-svm(C={float(found.C[k])!r})").numbers
        assert found.training_error[k] == numbers["training_error"] < 0.1
        assert found.margin_width[k] == pytest.approx(numbers["margin_width"], rel=1e-6)


def test_at_a_tiny_C_the_path_has_all_digits_of_the_margins_width() -> None:
    data = kernelviz.dataset("gaussians(n=41)")
    found = path(Problem(data, kernelviz.kernel("rbf(gamma=1)")), 1e-8, 1e-3)
    beta, K = found.beta.astype(np.longdouble), found.problem.gram.astype(np.longdouble)
    widths = 1.0 / np.sqrt(np.einsum("kn,nm,km->k", beta, K, beta))
    assert found.margin_width == pytest.approx(widths.astype(float), rel=1e-13)
