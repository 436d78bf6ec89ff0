"""Functions of a kernel's space, against explicit features."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.api import fit
from kernelviz.engine.analysis.functions import compared, inner_product, norm_terms, response, target_weights
from kernelviz.engine.fits.parsing import dataset, kernel

DATA = dataset("gaussians(n=30, seed=1)")
QUADRATIC = "polynomial(degree=2)"


def fitted(how: str, data=DATA, text: str = QUADRATIC):
    return fit(data, kernel=text, algorithm=how)


def vector(model) -> np.ndarray:
    """w = sum beta_i phi(x_i), by the features themselves."""
    return kernel(QUADRATIC).feature_map(2)(model.problem.X).T @ model.beta


F, G = fitted("ridge(lam=0.5)"), fitted("soft-margin-svm(C=1)")
ELSEWHERE = fitted("ridge(lam=0.5)", dataset("gaussians(n=17, seed=8)"))


@pytest.mark.parametrize("g", [F, G, ELSEWHERE], ids=["itself", "of the same points", "of other points"])
def test_the_inner_product_is_that_of_the_weight_vectors(g) -> None:
    found = compared(F, g)
    v, w = vector(F), vector(g)
    assert found.product == pytest.approx(v @ w, abs=1e-9)
    assert found.norms == pytest.approx((np.linalg.norm(v), np.linalg.norm(w)))
    assert found.distance == pytest.approx(np.linalg.norm(v - w), abs=1e-6)


def test_it_is_symmetric_and_bounded_by_the_norms() -> None:
    assert inner_product(F, G) == pytest.approx(inner_product(G, F))
    assert abs(compared(F, G).cosine) <= 1.0


def test_the_norm_is_a_sum_over_the_points() -> None:
    assert norm_terms(G).sum() == pytest.approx(G.squared_norm)
    assert (norm_terms(G)[np.setdiff1d(np.arange(30), G.support)] == 0.0).all()


def test_two_functions_are_nowhere_further_apart_than_their_distance_times_the_length_of_k() -> None:
    """|f(x) - g(x)| <= ||f - g|| sqrt(K(x, x)): the reproducing property and Cauchy-Schwarz."""
    X = np.random.default_rng(0).normal(size=(200, 2))
    apart = np.abs((F.score(X) - F.b) - (G.score(X) - G.b))
    assert (apart <= compared(F, G).distance * np.sqrt(kernel(QUADRATIC).diagonal(X)) + 1e-9).all()


def test_functions_of_two_kernels_have_no_common_space() -> None:
    with pytest.raises(ValueError, match="common space"):
        inner_product(F, fitted("ridge", text="linear"))


def test_a_function_of_no_points_is_zero() -> None:
    far = fitted("soft-margin-svm(C=1)")
    from dataclasses import replace

    nothing = replace(ELSEWHERE, weights=np.zeros(17), known_scores=None)
    assert inner_product(far, nothing) == 0.0
    assert compared(far, nothing).cosine is None


@pytest.mark.parametrize("f", [F, G], ids=["ridge", "soft margin"])
def test_the_inner_product_with_the_kernel_at_a_place_is_the_value_there(f) -> None:
    """The reproducing property: <f, K(x0, ·)> = s(x0) - b."""
    place = np.array([[0.3, -0.7]])
    at_place = response(f.problem.kernel, place, f.algorithm)
    np.testing.assert_allclose(inner_product(f, at_place), f.score(place)[0] - f.b)


SINE, PLACES = dataset("sine(n=20, seed=1)"), np.linspace(-2, 2, 7)[:, None]


@pytest.mark.parametrize("how", ["ridge(lam=0.1)", "gaussian-process(noise=0.1)", "nadaraya-watson"])
def test_a_prediction_is_a_weighted_sum_of_the_targets(how: str) -> None:
    model = fit(SINE, kernel="rbf(gamma=3)", algorithm=how)
    weights = target_weights(model, PLACES)
    assert weights.shape == (7, 20)
    np.testing.assert_allclose(weights @ SINE.y, model.score(PLACES), atol=1e-9)
    if how == "nadaraya-watson":
        assert (weights >= 0).all()
        np.testing.assert_allclose(weights.sum(axis=1), 1.0)
    else:
        assert (weights < 0).any()  # no average: some targets count against the prediction


def test_an_indefinite_kernel_has_weights_on_the_targets_too() -> None:
    model = fit(SINE, kernel="sigmoid(gamma=1, c=-1)", algorithm="ridge(lam=0.1)")
    np.testing.assert_allclose(target_weights(model, PLACES) @ SINE.y, model.score(PLACES), rtol=1e-6)


def test_fits_that_are_not_linear_in_the_targets_have_no_weights_on_them() -> None:
    assert target_weights(fit(SINE, kernel="rbf", algorithm="svr"), PLACES) is None
    assert target_weights(F, np.zeros((1, 2))) is None
