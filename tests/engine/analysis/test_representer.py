"""The representer theorem, the RKHS norm, and sums of kernels as sums of functions."""

from __future__ import annotations

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.analysis.functions import bump_beside, orthogonal_bump, terms_of_a_sum, with_bump
from kernelviz.engine.models.problem import Problem

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
    fit, complexity = model.algorithm.fit_and_complexity(model)
    assert fit + complexity == pytest.approx(model.numbers["primal_objective"], rel=1e-6)
    stayed, grown = with_bump(model, bump_beside(model.algorithm, model.problem))
    assert stayed == fit
    assert grown > complexity


def test_a_bump_has_no_say_where_the_score_is_no_kernel_expansion() -> None:
    model = kernelviz.fit(kernelviz.dataset("sine(n=20)"), algorithm="random-features(model=ridge)")
    assert with_bump(model, orthogonal_bump(model.problem, [[2.5]])) is None


def test_of_too_many_points_and_without_a_price_on_the_norm_there_is_no_bump() -> None:
    few, many = (Problem(kernelviz.dataset(f"sine(n={n})"), kernelviz.kernel("matern32")) for n in (20, 401))
    assert bump_beside(kernelviz.algorithm("ridge"), few) is not None
    assert bump_beside(kernelviz.algorithm("ridge"), many) is None
    assert bump_beside(kernelviz.algorithm("nadaraya-watson"), few) is None


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
