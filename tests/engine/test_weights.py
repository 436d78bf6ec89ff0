"""Weights of points: identities, other libraries, and that they follow their points."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC, SVR

import kernelviz
from kernelviz.engine.analysis.path import path
from kernelviz.engine.analysis.points import point_table
from kernelviz.engine.analysis.shrinkage import shrinkage
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.held_out import set_aside
from kernelviz.engine.fits.parsing import Fit, algorithm, kernel
from kernelviz.engine.fits.registry import algorithms
from kernelviz.engine.fits.solve import fit_data
from kernelviz.engine.models.base import Status
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.selection.assess import assess
from kernelviz.engine.selection.folds import Trial
from tests.campaign_weights import campaign

RNG = np.random.default_rng(6)
N = 40
X, ELSEWHERE = RNG.normal(size=(N, 2)), RNG.normal(size=(30, 2))
Z = np.where(X[:, 0] * X[:, 1] + 0.3 * RNG.normal(size=N) > 0, 1, -1)
Y = np.sin(X[:, 0]) + 0.2 * RNG.normal(size=N)
W = RNG.choice([0.0, 1.0, 2.0, 5.0], size=N)
KERNEL = "rbf(gamma=0.7)"

# Every algorithm that takes weights, and the same one at twice the price of losses.
ALGORITHMS = {
    "soft-margin-svm(C=3)": "soft-margin-svm(C=6)",
    "squared-slack-svm(lam=0.4)": "squared-slack-svm(lam=0.2)",
    "logistic(lam=0.4)": "logistic(lam=0.2)",
    "ridge(lam=0.4)": "ridge(lam=0.2)",
    "ridge(lam=0.4, targets=zero-one)": "ridge(lam=0.2, targets=zero-one)",
    "svr(C=3, epsilon=0.05)": "svr(C=6, epsilon=0.05)",
    "svr(C=3, epsilon=0)": "svr(C=6, epsilon=0)",
}


def data(text: str, rows=slice(None)) -> Data:
    """The points with the targets that the algorithm learns."""
    return Data.regression(X[rows], Y[rows]) if "svr" in text else Data.labelled(X[rows], Z[rows])


def same(one, other, price: float = 1.0) -> None:
    """Both models are solved, and are the same function with the same objectives."""
    assert (one.status, other.status) == (Status.CONVERGED, Status.CONVERGED)
    np.testing.assert_allclose(one.score(ELSEWHERE), other.score(ELSEWHERE), atol=1e-8)
    for mine, theirs in zip(one.objectives, other.objectives, strict=True):
        assert mine == theirs if theirs is None else mine == pytest.approx(price * theirs, rel=1e-6)


def test_all_of_them_are_here() -> None:
    assert {text.partition("(")[0] for text in ALGORITHMS} == {
        name for name, kind in algorithms().items() if kind.accepts_weights
    }


@pytest.mark.parametrize("text", ALGORITHMS)
def test_a_weight_of_2_is_the_point_twice_and_of_0_the_point_left_out(text: str) -> None:
    rows = np.repeat(np.arange(N), W.astype(int))
    weighted = fit_data(data(text).weighted(W), KERNEL, text)
    same(weighted, fit_data(data(text, rows), KERNEL, text))
    np.testing.assert_array_equal(weighted.beta[W == 0], 0.0)


@pytest.mark.parametrize("text", ALGORITHMS)
def test_doubling_all_weights_is_doubling_the_price_of_losses(text: str) -> None:
    priced = 1.0 if "C=" in text or "squared" in text else 2.0  # λ halved is half of the objective
    same(
        fit_data(data(text).weighted(np.full(N, 2.0)), KERNEL, text),
        fit_data(data(text), KERNEL, ALGORITHMS[text]),
        priced,
    )


@pytest.mark.parametrize("text", ALGORITHMS)
def test_weights_of_1_are_no_weights(text: str) -> None:
    plain = data(text)
    assert plain.weighted(np.ones(N)).weights is None
    # As numbers that are not left out they change no digit that is shown.
    weighted = replace(plain, weights=np.ones(N))
    same(fit_data(weighted, KERNEL, text), fit_data(plain, KERNEL, text))


@settings(max_examples=15)
@given(seed=st.integers(0, 10**6), text=st.sampled_from(sorted(ALGORITHMS)))
def test_a_fit_that_starts_from_other_weights_ends_as_one_from_scratch(seed: int, text: str) -> None:
    rng, model = np.random.default_rng(seed), None
    points = data(text)
    for _ in range(3):
        weights = rng.choice([0.0, 0.5, 1.0, 30.0], size=N)
        assume("svr" in text or len(set(Z[weights > 0])) == 2)
        model = fit_data(points.weighted(weights) if rng.random() < 0.8 else points, KERNEL, text, model)
        same(model, fit_data(model.problem.data, KERNEL, text))


@pytest.mark.parametrize("text", ALGORITHMS)
def test_a_fit_takes_over_no_bound_of_earlier_weights(text: str) -> None:
    how, known = algorithm(text), kernel(KERNEL)
    if "tol" in how.values():
        how = how.replace(tol=1e-9)
    model = how.fit(Problem(data(text).weighted(W), known))  # as while points are dragged
    for weights in (W + 0.5, np.ones(N), W):
        model = how.fit(Problem(data(text).weighted(weights), known), model)
        same(model, how.fit(Problem(data(text).weighted(weights), known)))


def test_other_libraries_find_the_same() -> None:
    def ours(text: str, target, **how):
        return kernelviz.fit(X, target, KERNEL, text, sample_weight=W, **how).score(ELSEWHERE)

    theirs = SVC(C=3, gamma=0.7, tol=1e-10).fit(X, Z, W).decision_function(ELSEWHERE)
    np.testing.assert_allclose(ours("soft-margin-svm(C=3)", Z), theirs, atol=1e-6)
    theirs = SVR(C=3, gamma=0.7, epsilon=0.05, tol=1e-10).fit(X, Y, W).predict(ELSEWHERE)
    np.testing.assert_allclose(ours("svr(C=3, epsilon=0.05)", Y), theirs, atol=1e-6)
    kept = W > 0  # it warns of divisions by 0
    theirs = KernelRidge(alpha=0.4, kernel="rbf", gamma=0.7).fit(X[kept], Y[kept], W[kept]).predict(ELSEWHERE)
    np.testing.assert_allclose(ours("ridge(lam=0.4)", Y, task="regression"), theirs, atol=1e-10)
    theirs = LogisticRegression(C=2.5, tol=1e-10, max_iter=10_000).fit(X, Z, W).decision_function(ELSEWHERE)
    found = kernelviz.fit(X, Z, "linear", "logistic(lam=0.4)", sample_weight=W).score(ELSEWHERE)
    np.testing.assert_allclose(found, theirs, atol=1e-5)


@pytest.mark.parametrize("class_weight", ["balanced", {"b": 3.0}, {"a": 0.2, "b": 2}])
def test_class_weights_are_those_of_scikit_learn(class_weight) -> None:
    y = np.array(["a", "b", "c"])[(X[:, 0] > 0.5).astype(int) + (X[:, 1] > 1)]
    ours = kernelviz.fit(
        X, y, KERNEL, "soft-margin-svm(C=3)", class_weight=class_weight, sample_weight=W + 1.0
    )
    theirs = SVC(C=3, gamma=0.7, tol=1e-10, class_weight=class_weight).fit(X, y, W + 1.0)
    np.testing.assert_allclose(ours.score(ELSEWHERE), theirs.decision_function(ELSEWHERE), atol=1e-6)


def test_the_residual_of_a_point_left_out_of_weighted_ridge() -> None:
    points = Data.regression(X, Y).weighted(W)
    model = fit_data(points, KERNEL, "ridge(lam=0.3)")
    for i in (0, 1, int(np.flatnonzero(W == 0)[0])):
        rest = np.arange(N) != i
        alone = fit_data(points.subset(rest), KERNEL, "ridge(lam=0.3)")
        assert model.left_out[i] == pytest.approx(Y[i] - alone.score(X[[i]])[0], abs=1e-9)
    np.testing.assert_allclose(model.hat @ Y, model.training_scores, atol=1e-10)


def test_weights_follow_their_points() -> None:
    points = Data.labelled(X, Z).weighted(W)
    train, held = set_aside(points, 0.3, seed=2)
    where = {tuple(x): w for x, w in zip(X.tolist(), W.tolist(), strict=True)}
    for part in (train, held.data, held.joined(train), points.subset(points.z > 0)):
        np.testing.assert_array_equal(part.weights, [where[tuple(x)] for x in part.X.tolist()])
    more = replace(points, X=np.vstack([X, [[9.0, 9.0]]]), target=np.append(points.z, 1.0))
    assert more.weights.tolist() == [*W.tolist(), 1.0]  # a point that is added weighs 1
    gaps = X.copy()
    gaps[3] = np.nan
    model = kernelviz.fit(gaps, Z, sample_weight=W, missing="drop")
    np.testing.assert_array_equal(model.problem.data.weights, np.delete(W, 3))


@pytest.mark.parametrize("text", ["soft-margin-svm(C=3)", "ridge(lam=0.4)"])
@pytest.mark.parametrize("by", ["cv", "loo"])
def test_selection_fits_with_the_weights_and_counts_points(text: str, by) -> None:
    points = Data.labelled(X, Z).weighted(W + 0.5)
    trial = Trial.of(points, algorithm(text), by, 4, 0)
    (found,) = assess(trial, [Fit(kernel(KERNEL), algorithm(text))])
    errors = []
    for rows in trial.folds:
        model = fit_data(points.subset(np.setdiff1d(np.arange(N), rows)), KERNEL, text)
        errors.append(np.mean(model.predict(X[rows]) != Z[rows]))
    assert found.error == pytest.approx(np.mean(errors))


@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        ([1.0, 2.0], "one weight for each of 40 points, not 2"),
        (np.ones((N, 2)), "not something else"),
        (["heavy"] * N, "one weight for each of 40 points"),
        ([1.0] * (N - 1) + [-1.0], "that of point 40 is -1"),
        ([1.0] * (N - 1) + [float("nan")], "that of point 40 is nan"),
        ([1.0] * (N - 1) + [float("inf")], "that of point 40 is inf"),
        (np.zeros(N), "All weights are 0"),
        (Z == 1, "All points with a weight are of one class"),
    ],
)
def test_wrong_weights_get_a_sentence(weights, sentence: str) -> None:
    with pytest.raises(kernelviz.BadInput, match=sentence):
        kernelviz.fit(X, Z, sample_weight=weights)


def test_a_class_without_weight_leaves_the_pair_of_the_others() -> None:
    three = np.digitize(X[:, 0], [-0.5, 0.5])
    model = kernelviz.fit(X, three, KERNEL, class_weight={0: 0})
    assert model.message == "The pair of classes is solved."
    with pytest.raises(kernelviz.BadInput, match=r"^soft-margin-svm\(C=10\) estimates no probabilities"):
        model.predict_proba(X)


def test_wrong_class_weights_get_a_sentence() -> None:
    with pytest.raises(kernelviz.BadInput, match="no class 'cat'"):
        kernelviz.fit(X, Z, class_weight={"cat": 2})
    with pytest.raises(kernelviz.BadInput, match='class_weight is "balanced" or'):
        kernelviz.fit(X, Z, class_weight="heavy")
    with pytest.raises(kernelviz.BadInput, match="The weight of class 1 is a number, not 'heavy'"):
        kernelviz.fit(X, Z, class_weight={1: "heavy"})
    with pytest.raises(kernelviz.BadInput, match="needs classes"):
        kernelviz.fit(X, Y, algorithm="svr", class_weight="balanced")


@pytest.mark.parametrize("name", sorted(n for n, kind in algorithms().items() if not kind.accepts_weights))
def test_an_algorithm_without_use_for_weights_refuses_them(name: str) -> None:
    kind = algorithms()[name]
    points = data("svr" if "regression" in {str(task) for task in kind.tasks} else name)
    refusal = "cannot give points different weights; logistic, .* can"
    with pytest.raises(kernelviz.BadInput, match=refusal):
        fit_data(points.weighted(W), KERNEL, kind())


def test_paths_are_for_points_that_weigh_the_same() -> None:
    problem = Problem(Data.labelled(X, Z).weighted(W + 1), kernel(KERNEL))
    with pytest.raises(kernelviz.BadInput, match="other weights"):
        path(problem)
    with pytest.raises(kernelviz.BadInput, match="other weights"):
        shrinkage(problem, algorithm("ridge"), [1.0])


@pytest.mark.parametrize("seed", range(12))
def test_logistic_fits_of_large_inputs_pass_over_points_without_weight(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points, z, w = rng.normal(size=(10, 2)).round() * 1e6, np.tile([1, -1], 5), np.tile([1.0, 0, 2, 1, 0], 2)
    how = {"kernel": "linear", "algorithm": "logistic(lam=0.0001)"}
    model, kept = kernelviz.fit(points, z, sample_weight=w, **how), w > 0
    other = kernelviz.fit(points[kept], z[kept], sample_weight=w[kept], **how)
    if model.converged and other.converged:
        assert model.objectives[0] == pytest.approx(other.objectives[0], rel=1e-3)


def test_no_weighted_fit_claims_too_much() -> None:
    assert campaign(fits=60, seed=3) == []


@pytest.mark.parametrize("text", ["soft-margin-svm(C=3)", "squared-slack-svm(lam=0.4)", "svr(C=3)"])
def test_every_point_satisfies_the_condition_that_its_weight_allows(text: str) -> None:
    model = fit_data(data(text).weighted(W), KERNEL, text)
    table = point_table(model)
    assert table.residual.max() < 1e-6
    states = [table.state(i) for i in range(N)]
    assert [state == "a point of weight 0 has no part in the fit" for state in states] == (W == 0).tolist()
    assert all(state.endswith("holds") for state, w in zip(states, W, strict=True) if w)
    assert any("/w" in state or "Cw" in state for state in states)
