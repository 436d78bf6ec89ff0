"""Functions of a kernel's space against explicit features: inner products, representers, Taylor sums."""

from __future__ import annotations

import numpy as np
import pytest

import kernelviz
from kernelviz.api import fit
from kernelviz.engine.analysis.functions import (
    bump_between_points,
    compared,
    inner_product,
    norm_terms,
    orthogonal_bump,
    response,
    target_weights,
    taylor_sums,
    terms_of_a_sum,
    with_bump,
)
from kernelviz.engine.fits.parsing import dataset, kernel
from kernelviz.engine.models.problem import Problem

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


x = np.linspace(-3, 3, 121)[:, None]


@pytest.mark.parametrize("kernel", ["rbf(gamma=3)", "matern32(l=0.5)", "rbf(gamma=3) + periodic(period=1)"])
@pytest.mark.parametrize("place", [0.0, 2.6])
def test_a_function_orthogonal_to_the_span_leaves_the_fit_and_raises_the_norm(
    kernel: str, place: float
) -> None:
    model = kernelviz.fit(kernelviz.dataset("gap(n=14)"), kernel=kernel, algorithm="ridge(lam=0.1)")
    p = model.problem
    bump = orthogonal_bump(p, [[place]], height=0.7)
    np.testing.assert_allclose(bump(p.X), 0.0, atol=1e-6)
    assert bump([[place]])[0] == pytest.approx(0.7)
    # ||s + u||² from one Gram matrix of all places.
    places = np.vstack([p.X, [[place]]])
    weights = np.append(model.beta - bump.scale * bump.weights, bump.scale)
    whole = weights @ p.kernel(places) @ weights
    assert whole == pytest.approx(model.squared_norm + bump.squared_norm, rel=1e-6)
    assert bump.squared_norm > 0


@pytest.mark.parametrize(
    ("data", "algorithm"),
    [
        ("sine(n=20)", "ridge(lam=0.3)"),
        ("sine(n=20)", "svr"),
        ("sine(n=20)", "nu-svr"),
        ("sine(n=20)", "gaussian-process"),
        ("rings(n=40)", "ridge(targets=zero-one)"),
        ("rings(n=40)", "soft-margin-svm(C=2)"),
        ("rings(n=40)", "squared-slack-svm"),
        ("rings(n=40)", "logistic"),
    ],
)
def test_fit_and_complexity_are_what_is_minimised_and_a_bump_raises_the_second_alone(
    data: str, algorithm: str
) -> None:
    model = kernelviz.fit(kernelviz.dataset(data), kernel="matern32(l=0.5)", algorithm=algorithm)
    fit, complexity = model.fit_and_complexity
    assert fit + complexity == pytest.approx(model.numbers["primal_objective"], rel=1e-6)
    stayed, grown = with_bump(model, bump_between_points(model.algorithm, model.problem))
    assert stayed == fit
    assert grown > complexity


def test_a_bump_has_no_terms_where_the_score_is_no_kernel_expansion() -> None:
    model = kernelviz.fit(kernelviz.dataset("sine(n=20)"), algorithm="random-features(model=ridge)")
    assert with_bump(model, orthogonal_bump(model.problem, [[2.5]])) is None


def test_of_too_many_points_and_without_a_price_on_the_norm_there_is_no_bump() -> None:
    few, many = (Problem(kernelviz.dataset(f"sine(n={n})"), kernelviz.kernel("matern32")) for n in (20, 401))
    assert bump_between_points(kernelviz.algorithm("ridge"), few) is not None
    assert bump_between_points(kernelviz.algorithm("ridge"), many) is None
    assert bump_between_points(kernelviz.algorithm("nadaraya-watson"), few) is None


def test_in_the_span_there_is_no_such_function() -> None:
    p = Problem(kernelviz.dataset("sine(n=30)"), kernelviz.kernel("rbf(gamma=1)"))
    assert orthogonal_bump(p, p.X[3]) is None
    linear = Problem(kernelviz.dataset("sine(n=30)"), kernelviz.kernel("polynomial(degree=3)"))
    assert orthogonal_bump(linear, [[0.77]]) is None, "a few features are spanned by thirty points"


@pytest.mark.parametrize("kernel", ["polynomial(degree=3)", "linear", "linear + 0.5*homogeneous(degree=2)"])
def test_the_norm_by_the_gram_matrix_is_the_norm_by_features(kernel: str) -> None:
    model = kernelviz.fit(kernelviz.dataset("cubic"), kernel=kernel, algorithm="ridge(lam=0.1)")
    w = model.beta @ model.problem.kernel.feature_map(1)(model.problem.X)
    assert model.squared_norm == pytest.approx(w @ w, rel=1e-8)


@pytest.mark.parametrize("algorithm", ["ridge", "svr", "gaussian-process", "kernel-sgd(rate=0.1)"])
@pytest.mark.parametrize("kernel", ["2*rbf(gamma=3) + periodic(period=2) + linear", "0.5*(linear + rbf)"])
def test_the_terms_of_a_sum_kernel_add_up_to_the_curve(algorithm: str, kernel: str) -> None:
    model = kernelviz.fit(kernelviz.dataset("sine"), kernel=kernel, algorithm=algorithm)
    terms = terms_of_a_sum(model, x)
    assert len(terms) == kernel.count(" + ") + 1
    np.testing.assert_allclose(sum(values for _, values in terms) + model.b, model.score(x), atol=1e-9)


def test_other_kernels_have_no_terms() -> None:
    assert terms_of_a_sum(kernelviz.fit(kernelviz.dataset("sine"), algorithm="ridge"), x) == ()


RNG = np.random.default_rng(5)
X, CENTRE = RNG.normal(size=(20, 2)), np.array([0.7, -0.4])


@pytest.mark.parametrize("text", ["rbf(gamma=0.8)", "exponential(gamma=1.5)"])
def test_the_sums_tend_to_the_kernel(text: str) -> None:
    exact = kernel(text)(X, CENTRE[None])[:, 0]
    errors = [float(np.abs(row - exact).max()) for row in taylor_sums(kernel(text), X, CENTRE, 30)]
    assert errors[30] < 1e-12
    assert errors[30] < errors[8] < errors[2] < errors[0]


def test_up_to_a_degree_they_are_the_monomials_of_that_degree() -> None:
    """The terms t^d/d!, worked out one by one; of the Gaussian damped by exp(-γ|x|²)."""
    t = X @ CENTRE
    second = 1 + t + t**2 / 2
    weight = np.exp(-0.5 * (np.square(X).sum(axis=1) + CENTRE @ CENTRE))
    assert taylor_sums(kernel("exponential(gamma=1)"), X, CENTRE, 2)[2] == pytest.approx(second)
    assert taylor_sums(kernel("rbf(gamma=0.5)"), X, CENTRE, 2)[2] == pytest.approx(weight * second)
