"""ROC curves, their area and 2x2 tables, against scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix, roc_auc_score, roc_curve

import kernelviz
from kernelviz.engine.fits.parsing import dataset
from kernelviz.engine.numbers.of_fit import on_held_out
from kernelviz.engine.numbers.roc import confusion, roc

scored = st.lists(
    st.tuples(st.sampled_from([-1.5, -0.5, 0.0, 0.25, 3.0]), st.sampled_from([-1, 1])), min_size=2
)


@given(scored)
def test_curve_area_and_table_are_those_of_scikit_learn(points):
    scores, z = (np.array(column, dtype=float) for column in zip(*points, strict=True))
    found = roc(scores, z)
    if len(set(z)) < 2:
        assert found is None
        return
    false, true, _ = roc_curve(z, scores, drop_intermediate=False)
    assert found.false_positive == pytest.approx(false)
    assert found.true_positive == pytest.approx(true)
    assert found.area == pytest.approx(roc_auc_score(z, scores))
    assert np.array_equal(confusion(scores, z, 0.1), confusion_matrix(z, np.where(scores > 0.1, 1, -1)))


def test_each_threshold_of_the_curve_gives_the_table_of_its_place():
    data = dataset("returning")
    model = kernelviz.fit(data, None, "linear", "logistic")
    found = roc(model.training_scores, data.z)
    for threshold, false, true in zip(
        found.thresholds, found.false_positive, found.true_positive, strict=True
    ):
        counts = confusion(model.training_scores, data.z, threshold)
        assert counts[:, 1] / counts.sum(axis=1) == pytest.approx([false, true])


def test_the_summary_has_the_area_on_training_and_on_held_out_points():
    data, held = dataset("returning(seed=1)"), dataset("returning(seed=2)")
    model = kernelviz.fit(data, None, "rbf(gamma=0.3)", "ridge(targets=zero-one)")
    assert model.summary()["roc_area"] == pytest.approx(roc_auc_score(data.z, model.score(data.X)))
    held_out = on_held_out(model, held).summary()["test_roc_area"]
    assert held_out == pytest.approx(roc_auc_score(held.z, model.score(held.X)))


def test_scores_as_values_from_0_to_1_are_the_probabilities_of_scikit_learn():
    from sklearn.linear_model import LogisticRegression

    data = dataset("returning(seed=3)")
    model = kernelviz.fit(data, None, "linear", "logistic(lam=0.5)")
    other = LogisticRegression(C=2.0, tol=1e-10, max_iter=1000).fit(data.X, data.z)
    assert model.fitted_values == pytest.approx(other.predict_proba(data.X)[:, 1], abs=1e-6)


def test_least_squares_on_0_and_1_is_shown_as_it_was_fitted():
    data = dataset("returning(seed=3)")
    model = kernelviz.fit(data, None, "rbf(gamma=0.1)", "ridge(lam=0.1, targets=zero-one)")
    K = model.problem.gram
    plain = K @ np.linalg.solve(K + 0.1 * np.eye(data.n), (data.z + 1) / 2)
    assert model.fitted_values == pytest.approx(plain)


def test_a_machine_that_estimates_no_probability_shows_none():
    assert kernelviz.fit(dataset("returning"), None, "linear", "soft-margin-svm").fitted_values is None


def test_scores_that_differ_by_rounding_count_as_equal():
    X, z = [[1, 2], [-3, 2], [1, 5], [3, -7]], [1, -1, 1, -1]  # two points on the line
    up, down = (kernelviz.fit(X, z, algorithm=f"by-hand(angle={a}, x1=0, x2=2)") for a in (90, -90))
    assert (up.summary()["roc_area"], down.summary()["roc_area"]) == (0.875, 0.125)


def test_equal_points_of_both_classes_do_not_make_the_area_unknown():
    data = dataset("returning(seed=1)")
    model = kernelviz.fit(data, kernel="linear", algorithm="logistic(lam=0.1)")
    tied = np.unique(data.X, axis=0)
    assert len(tied) < data.n
    assert model.summary()["roc_area"] == pytest.approx(roc_auc_score(data.z, model.score(data.X).round(9)))


@pytest.mark.parametrize("plus", [2, 9])
@pytest.mark.parametrize("minus", [30, 46, 111])
def test_a_perfect_order_has_an_area_of_exactly_1(plus, minus):
    z = np.repeat([1, -1], [plus, minus])
    assert roc(np.arange(len(z), 0, -1.0), z).area == 1.0


def test_a_point_far_away_does_not_make_all_other_points_tie():
    X, z = [[-3e2, -1e2], [0.9, 0.4], [-0.8, 0.3], [1.1, -0.2]], [-1, 1, -1, 1]
    model = kernelviz.fit(X, z, "homogeneous(degree=5)", "logistic(lam=1)")
    scores = model.score(X)
    assert np.abs(scores).max() > 1e11 * np.abs(scores[1:]).max()
    assert model.summary()["roc_area"] == roc_auc_score(z, scores)
