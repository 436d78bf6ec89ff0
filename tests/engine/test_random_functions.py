"""Functions drawn from the prior."""

from __future__ import annotations

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.algorithms.gaussian_process import LARGEST, random_functions

X = np.linspace(-2.0, 2.0, 15)[:, None]


def test_more_functions_leave_the_first_ones_alone_and_another_seed_draws_others() -> None:
    few, more, others = (random_functions(kernelviz.kernel("rbf"), X, *n) for n in ((2, 0), (5, 0), (2, 1)))
    np.testing.assert_array_equal(more[:2], few)
    assert np.abs(others - few).max() > 0.1


def test_functions_of_a_periodic_kernel_repeat_themselves() -> None:
    kernel = kernelviz.kernel("periodic(period=0.7)")
    here, there = (random_functions(kernel, X + shift, 3, 0) for shift in (0.0, 7.0))
    np.testing.assert_allclose(there, here, atol=1e-9)


@pytest.mark.parametrize("text", ["polynomial(degree=10)", "exponential", "polynomial(degree=10)*rbf"])
def test_far_out_they_are_still_numbers(text: str) -> None:
    functions = random_functions(kernelviz.kernel(text), 1e30 * X, 3, 0)
    assert functions is not None
    assert (np.abs(functions) <= LARGEST).all()


def test_without_known_features_a_process_draws_what_fits_where_one_looks() -> None:
    kernel = kernelviz.kernel("rbf + 0.01*sigmoid(gamma=0.1, c=1)")
    assert random_functions(kernel, X, 3, 0) is None
    data = kernelviz.Data.regression(X, np.sin(X[:, 0]))
    drawn = kernelviz.fit(data, kernel=kernel, algorithm="gaussian-process(noise=1e-4)").draws(X, 3)
    np.testing.assert_allclose(drawn, np.tile(data.y, (3, 1)), atol=0.1)
