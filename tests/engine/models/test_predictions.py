"""Probabilities, deviations and covariances under the names that scikit-learn's users know."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier

import kernelviz
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.models.several_classes import coupled

RNG = np.random.default_rng(7)
X = RNG.normal(size=(60, 2))
FRESH = RNG.normal(size=(25, 2)) * 2
WORDS = np.where(X[:, 0] + 0.5 * RNG.normal(size=60) > 0, "yes", "no")
THREE = np.array(["ant", "bee", "cat"])[(X[:, 0] > -0.4).astype(int) + (X[:, 0] + X[:, 1] > 0.5)]


def test_probabilities_of_logistic_regression_are_scikit_learns():
    model = kernelviz.fit(X, WORDS, "linear", "logistic(lam=0.5)")
    theirs = LogisticRegression(C=2, tol=1e-10).fit(X, WORDS)
    assert list(model.problem.data.labels) == theirs.classes_.tolist()
    np.testing.assert_allclose(model.predict_proba(FRESH), theirs.predict_proba(FRESH), atol=1e-6)


def test_a_tiny_probability_keeps_its_digits():
    model = kernelviz.fit(X, WORDS, "linear", "logistic(lam=0.5)")
    far = [[50.0 * x for x in model.beta @ X]]
    no, yes = model.predict_proba(far)[0]
    assert 0.0 < no < 1e-17
    assert yes == 1.0


@pytest.mark.parametrize("labels", [WORDS, THREE], ids=["two", "three"])
def test_the_class_with_the_largest_probability_is_nearly_always_the_prediction(labels):
    model = kernelviz.fit(X, labels, "rbf(gamma=0.5)", "logistic(lam=0.1)")
    P = model.predict_proba(FRESH)
    assert P.shape == (25, len(set(labels)))
    np.testing.assert_allclose(P.sum(axis=1), 1.0)
    assert (np.array(model.problem.data.labels)[P.argmax(axis=1)] == model.predict(FRESH)).mean() >= 0.95


def test_the_share_of_the_neighbours_is_their_probability():
    model = kernelviz.fit(X, WORDS, "linear", "nearest-neighbours(k=7)")
    theirs = KNeighborsClassifier(7).fit(X, WORDS)
    np.testing.assert_allclose(model.predict_proba(FRESH), theirs.predict_proba(FRESH))


def test_pairs_that_agree_give_the_probabilities_that_they_come_from():
    p = RNG.dirichlet(np.ones(4), size=9)
    R = p[:, :, None] / (p[:, :, None] + p[:, None, :])
    np.testing.assert_allclose(coupled(R), p, atol=1e-12)


def test_pairs_that_contradict_each_other_still_give_probabilities():
    """Rock, scissors, paper: each is certain against one of the others."""
    R = np.array([[[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]])
    np.testing.assert_allclose(coupled(R), 1 / 3)


@pytest.mark.parametrize("algorithm", ["soft-margin-svm", "ridge", "one-class-svm", "perceptron"])
def test_algorithms_without_probabilities_say_which_have_some(algorithm):
    with pytest.raises(BadInput, match="estimates no probabilities here; logistic and nearest"):
        kernelviz.fit(X, WORDS, algorithm=algorithm).predict_proba(X)


def test_deviations_and_covariances_of_a_gaussian_process_are_scikit_learns():
    y = np.sin(X[:, 0]) + 0.1 * RNG.normal(size=60)
    model = kernelviz.fit(X, y, "rbf(l=0.8)", "gaussian-process(noise=0.01)")
    theirs = GaussianProcessRegressor(RBF(0.8), alpha=0.01, optimizer=None).fit(X, y)
    for name in ("return_std", "return_cov"):
        (mean, spread), (mu, other) = (m.predict(FRESH, **{name: True}) for m in (model, theirs))
        np.testing.assert_allclose(mean, mu, atol=1e-9)
        np.testing.assert_allclose(spread, other, atol=1e-7)
    deviation = model.predict(FRESH, return_std=True)[1]
    np.testing.assert_allclose(np.sqrt(np.diag(model.predict(FRESH, return_cov=True)[1])), deviation)


def test_both_at_once_and_models_without_any_are_refused():
    y = np.sin(X[:, 0])
    with pytest.raises(BadInput, match="not for both"):
        kernelviz.fit(X, y, algorithm="gaussian-process").predict(X, return_std=True, return_cov=True)
    for name in ("return_std", "return_cov"):
        with pytest.raises(BadInput, match="ridge has no standard deviations; gaussian-process has"):
            kernelviz.fit(X, y, algorithm="ridge", task="regression").predict(X, **{name: True})
