"""The kernel density estimate, the box kernel, and least squares without a penalty."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.neighbors import KernelDensity

import kernelviz
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import dataset
from kernelviz.engine.models.base import Status
from kernelviz.engine.numbers.bounds import bound_compression


def test_the_gaussian_estimate_is_the_density_of_scikit_learn():
    X = dataset("mixture(n=60)").X
    model = kernelviz.fit(X, None, "rbf(sigma=0.4)", "density")
    places = np.random.default_rng(0).normal(size=(50, 2))
    other = KernelDensity(bandwidth=0.4).fit(X)
    assert model.score(places) == pytest.approx(np.exp(other.score_samples(places)))


def test_the_estimate_integrates_to_one():
    model = kernelviz.fit(dataset("three_points").X, None, "rbf(gamma=2)", "density")
    x = np.linspace(-6.0, 6.0, 241)
    total = np.trapezoid(np.trapezoid(model.on_grid(x, x), x, axis=1), x)
    assert total == pytest.approx(1.0)


def test_a_kernel_that_can_be_negative_is_no_bump():
    with pytest.raises(BadInput, match="never negative"):
        kernelviz.fit([[0.0, 1.0], [1.0, 0.0]], None, "linear", "density")


def test_nadaraya_watson_with_a_box_is_the_mean_of_the_targets_within_reach():
    x, y = np.array([[0.0], [0.5], [2.0]]), np.array([1.0, 3.0, 10.0])
    model = kernelviz.fit(x, y, "box(l=1)", "nadaraya-watson")
    assert model.score(np.array([[0.2], [1.75]])) == pytest.approx([2.0, 10.0])


def test_a_box_is_no_inner_product():
    """Three points in a row, neighbours within reach and the ends not: 1 − √2 is an eigenvalue."""
    K = kernelviz.kernel("box(l=1)")(np.array([[0.0], [1.0], [2.0]]))
    assert np.linalg.eigvalsh(K)[0] == pytest.approx(1 - np.sqrt(2))
    assert not kernelviz.kernel("box").positive_definite


@pytest.mark.parametrize("kernel", ["box", "2*box", "rbf + box", "box(l=0.5)*rbf"])
def test_only_means_take_a_kernel_that_gives_weights_alone(kernel):
    classes, curve = dataset("gaussians(n=20)"), dataset("sine(n=20)")
    for data, algorithm in (
        *((classes, name) for name in ("soft-margin-svm", "hard-margin-svm", "logistic", "perceptron")),
        (curve, "ridge"),
        (curve, "svr"),
    ):
        with pytest.raises(BadInput, match=f"{algorithm} needs an inner product, and .* is none"):
            kernelviz.fit(data, kernel=kernel, algorithm=algorithm)
    kernelviz.fit(classes, kernel=kernel, algorithm="density")
    kernelviz.fit(curve, kernel=kernel, algorithm="nadaraya-watson")
    kernelviz.fit(classes, kernel="sigmoid", algorithm="soft-margin-svm")  # lessons show how it fails


def test_without_a_penalty_ridge_interpolates_where_the_gram_matrix_can_be_inverted():
    data = dataset("sine(n=30)")
    model = kernelviz.fit(data, None, "rbf(gamma=300)", "ridge(lam=0)")
    assert model.status is Status.CONVERGED
    assert model.training_scores == pytest.approx(data.y)
    assert model.beta == pytest.approx(np.linalg.solve(model.problem.gram, data.y))


def test_where_it_cannot_a_sentence_says_so():
    x, y = [[0.0], [0.0], [1.0]], [1.0, 2.0, 3.0]
    model = kernelviz.fit(x, y, "rbf(gamma=1)", "ridge(lam=0)")
    assert model.status is Status.LIMIT
    assert "inverse of K" in model.message
    assert all(value is None or np.isfinite(value) for value in model.summary().values())


def test_the_counting_argument_of_the_compression_bound_is_given_in_numbers():
    """C(100, 2) = 4950 choices; the chance of each is δ/(n C(n, k)) or less, by the choice of ε."""
    bound = bound_compression(100, 2, 0.0, 0.05)
    assert "4,950 choices of 2 points of 100" in bound.sentence
    assert (1 - bound.value) ** 98 <= 0.05 / (100 * 4950)
