"""Functions of a kernel's space, against explicit features."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.api import fit
from kernelviz.engine.analysis.functions import compared, inner_product, norm_terms
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
