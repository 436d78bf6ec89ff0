"""Local averages."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kernelviz
from kernelviz.engine.algorithms.neighbours import NadarayaWatson
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.numbers.of_fit import on_held_out
from tests.strategies import kernels

x = np.linspace(-3, 3, 101)[:, None]


def fitted(kernel: str, source: str = "sine"):
    return NadarayaWatson().fit(Problem(kernelviz.dataset(source), kernelviz.kernel(kernel)))


@pytest.mark.parametrize(
    "kernel", ["rbf(gamma=3)", "laplacian", "rbf(gamma=2) + 0.1*periodic", "exponential"]
)
def test_it_is_the_mean_of_the_targets_weighted_by_the_kernel(kernel: str) -> None:
    model = fitted(kernel)
    K = model.problem.kernel(x, model.problem.X)
    np.testing.assert_allclose(model.score(x), K @ model.problem.y / K.sum(axis=1), rtol=1e-9, atol=1e-12)


@settings(deadline=None, max_examples=40)
@given(kernel=kernels(), seed=st.integers(0, 20))
def test_it_stays_between_the_targets_where_it_has_a_value_or_is_refused(kernel, seed: int) -> None:
    data = kernelviz.dataset(f"outliers(n=15, seed={seed})")
    try:
        scores = NadarayaWatson().fit(Problem(data, kernel)).score(x)
    except BadInput:
        return
    defined = scores[kernel(x, data.X).any(axis=1)]
    assert not np.isnan(defined).any()
    assert ((data.y.min() <= defined) & (defined <= data.y.max())).all()


def test_a_kernel_that_can_be_negative_is_refused_in_words() -> None:
    for kernel in ("linear", "polynomial(degree=3)", "rbf(gamma=1) + linear", "sigmoid"):
        with pytest.raises(BadInput, match="can be negative"):
            fitted(kernel)


@pytest.mark.parametrize("kernel", ["rbf(gamma={})", "laplacian(gamma={})", "matern52(l={})"])
def test_as_the_width_goes_to_zero_it_is_the_nearest_neighbour(kernel: str) -> None:
    width = 1e-6 if "matern" in kernel else 1e10
    model = fitted(kernel.format(width))
    nearest = np.abs(x - model.problem.X[:, 0]).argmin(axis=1)
    np.testing.assert_allclose(model.score(x), model.problem.y[nearest], atol=1e-9)


@pytest.mark.parametrize("kernel", ["rbf(gamma=1e-10)", "laplacian(gamma=1e-10)", "matern52(l=1e6)"])
def test_as_the_width_goes_to_infinity_it_is_the_mean(kernel: str) -> None:
    model = fitted(kernel)
    np.testing.assert_allclose(model.score(x), model.problem.y.mean(), atol=1e-6)


def test_it_is_not_kernel_ridge() -> None:
    data = kernelviz.dataset("sine")
    ridge = kernelviz.fit(data, kernel="rbf(gamma=3)", algorithm="ridge(lam=0.1)")
    assert np.abs(fitted("rbf(gamma=3)").score(x) - ridge.score(x)).max() > 0.2


def test_far_from_all_points_it_does_not_lose_its_digits() -> None:
    model = NadarayaWatson().fit(
        Problem(Data.regression([[0.0], [1.0]], [5.0, 7.0]), kernelviz.kernel("rbf"))
    )
    np.testing.assert_allclose(model.score([[-100.0], [100.0], [0.5]]), [5.0, 7.0, 6.0], rtol=1e-12)


def test_a_square_is_not_negative_whatever_is_squared() -> None:
    data = kernelviz.dataset("sine(n=20)")
    model = kernelviz.fit(data, kernel="2*linear*linear", algorithm="nadaraya-watson")
    weights = (data.X @ data.X.T) ** 2
    assert model.score(data.X) == pytest.approx(weights @ data.y / weights.sum(axis=1))
    with pytest.raises(BadInput, match="can be negative"):
        kernelviz.fit(data, kernel="linear*linear*linear", algorithm="nadaraya-watson")


@pytest.mark.parametrize("kernel", ["box(l=0.5)", "2*box(l=0.5)", "box(l=0.5)*rbf(gamma=2)"])
def test_where_no_training_point_has_a_weight_there_is_no_value(kernel: str) -> None:
    data = Data.regression([[0.0], [1.0], [4.0]], [5.0, 7.0, 9.0])
    model = NadarayaWatson().fit(Problem(data, kernelviz.kernel(kernel)))
    places = [[-0.4], [0.1], [2.5], [4.0], [100.0]]
    np.testing.assert_allclose(model.score(places), [5.0, 5.0, np.nan, 9.0, np.nan])
    np.testing.assert_array_equal(model.predict(places), model.score(places))
    assert model.summary()["mean_squared_error"] == 0.0


def test_the_mean_error_does_not_exist_where_a_held_out_point_has_no_value() -> None:
    model = fitted("box(l=0.2)")
    near, far = (Data.regression(model.problem.X + move, model.problem.y) for move in (0.0, 100.0))
    assert on_held_out(model, near).mean_squared_error == model.numbers["mean_squared_error"] is not None
    assert on_held_out(model, far).summary() == dict.fromkeys(on_held_out(model, far).summary())


def test_a_training_point_without_any_weight_is_named_and_has_no_numbers() -> None:
    data = Data.regression([[0.0], [1.0], [2.0]], [5.0, 7.0, 9.0])
    model = NadarayaWatson().fit(Problem(data, kernelviz.kernel("linear*linear")))
    np.testing.assert_allclose(model.training_scores, [np.nan, 8.6, 8.6])
    assert "undefined at 1 of the points" in model.message
    assert model.summary()["mean_squared_error"] is model.summary()["r2"] is None
    assert model.accuracy == pytest.approx(8.6e-11)


def test_settings_that_leave_points_without_a_value_are_not_chosen() -> None:
    found = kernelviz.select(
        kernelviz.dataset("sine(n=40)"), None, "box", "nadaraya-watson", ["l=0.01:0.5:2"]
    )
    assert np.isnan([row["error"] for row in found.table]).tolist() == [True, False]
    assert found.best == 1


def test_without_any_weight_it_is_refused_in_words() -> None:
    with pytest.raises(BadInput, match="no weights for a mean"):
        fitted("0*rbf")
