"""Our estimators in scikit-learn's manners, and our kernels in its estimators."""

from __future__ import annotations

import subprocess
import sys
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume, given, settings
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.svm import SVC, OneClassSVM
from sklearn.utils.estimator_checks import parametrize_with_checks

import kernelviz
from kernelviz.sklearn import GPKernel, KernelClassifier, KernelPCA, KernelRegressor, OneClass
from tests.strategies import kernels

RNG = np.random.default_rng(3)
X = RNG.normal(size=(60, 2))
Z = np.where(X[:, 0] * X[:, 1] > 0, "same", "different")
WAVE = np.sin(X[:, 0]) + 0.1 * RNG.normal(size=60)


@parametrize_with_checks(
    [
        KernelClassifier(),
        KernelClassifier(algorithm="logistic(lam=0.1)"),
        KernelRegressor(),
        KernelRegressor(algorithm="svr(C=1, epsilon=0.1)"),
        KernelPCA(),
        OneClass(),
    ]
)
def test_scikit_learn_finds_nothing_to_complain_about(estimator, check) -> None:
    check(estimator)


@pytest.mark.parametrize("as_text", [True, False])
def test_a_grid_search_reaches_kernel_and_algorithm(as_text: bool) -> None:
    kernel, algorithm = "rbf(gamma=1)", "soft-margin-svm(C=1)"
    if not as_text:
        kernel, algorithm = kernelviz.kernel(kernel), kernelviz.algorithm(algorithm)
    grid = {"kernel__gamma": [1e-5, 2.0], "algorithm__C": [1e-3, 10.0]}
    search = GridSearchCV(KernelClassifier(kernel, algorithm), grid, cv=3).fit(X, Z)
    assert search.best_params_ == {"kernel__gamma": 2.0, "algorithm__C": 10.0}
    best = search.best_estimator_
    assert (str(best.kernel), str(best.algorithm)) == ("rbf(gamma=2)", "soft-margin-svm(C=10)")
    assert type(best.kernel) is type(kernel)
    assert best.score(X, Z) > 0.9


def test_parameters_of_a_composition_have_names_and_those_that_share_one_are_numbered() -> None:
    estimator = KernelRegressor("rbf(gamma=1) + 0.5*rbf(gamma=3)*polynomial(degree=2, c=1)")
    params = estimator.get_params()
    assert (params["kernel__gamma_1"], params["kernel__scale"], params["kernel__degree"]) == (1.0, 0.5, 2)
    estimator.set_params(kernel__gamma_2=7, kernel__scale=4)
    assert estimator.kernel == "rbf(gamma=1) + 4*rbf(gamma=7)*polynomial(degree=2, c=1)"
    assert estimator.set_params(kernel="rbf", kernel__sigma=2).kernel == "rbf(sigma=2)"


def test_a_width_may_be_a_word_that_waits_for_the_points() -> None:
    estimator = KernelClassifier("rbf(gamma=scale)", "soft-margin-svm(C=1)")
    assert estimator.get_params()["kernel__gamma"] == "scale"
    theirs = SVC(tol=1e-8).fit(X, Z)
    np.testing.assert_allclose(
        estimator.fit(X, Z).decision_function(X), theirs.decision_function(X), atol=1e-5
    )
    assert estimator.set_params(kernel__gamma="median").kernel == "rbf(gamma=median)"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"kernel__gama": 1}, "Did you mean gamma?"),
        ({"kernel__gamma": -1}, "gamma of rbf must lie between"),
        ({"algorithm__gamma": 1}, "has no parameter 'gamma'"),
    ],
)
def test_a_wrong_name_or_value_gets_a_sentence(change: dict, sentence: str) -> None:
    with pytest.raises(kernelviz.BadInput, match=sentence):
        KernelClassifier().set_params(**change)


@pytest.mark.parametrize("count", [2, 3, 5])
def test_the_decision_function_is_that_of_svc(count: int) -> None:
    y = np.array(["e", "d", "c", "b", "a"])[RNG.integers(count, size=60)]
    ours = KernelClassifier("rbf(gamma=0.7)", "soft-margin-svm(C=3)").fit(X, y)
    theirs = SVC(gamma=0.7, C=3, tol=1e-9, break_ties=count > 2).fit(X, y)
    assert ours.decision_function(X).shape == theirs.decision_function(X).shape
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-5)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    np.testing.assert_array_equal(ours.support_, np.sort(theirs.support_))
    if count == 2:
        in_order = np.argsort(theirs.support_)
        np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_[:, in_order], atol=1e-5)
        np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-5)


def test_probabilities_are_offered_by_algorithms_that_estimate_them() -> None:
    assert not hasattr(KernelClassifier(), "predict_proba")
    assert not hasattr(KernelClassifier(algorithm="nonsense"), "predict_proba")
    logistic = KernelClassifier(algorithm="logistic(lam=0.1)").fit(X, Z)
    p = logistic.predict_proba(X)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    np.testing.assert_array_equal(logistic.classes_[p.argmax(axis=1)], logistic.predict(X))


def test_a_fit_that_does_not_converge_warns() -> None:
    with pytest.warns(ConvergenceWarning, match="separa"):
        KernelClassifier("linear", "hard-margin-svm").fit(X, Z)


def test_an_algorithm_without_use_for_labels_is_refused() -> None:
    with pytest.raises(kernelviz.BadInput, match="use OneClass"):
        KernelClassifier(algorithm="one-class-svm").fit(X, Z)


def test_the_region_is_that_of_scikit_learn() -> None:
    ours = OneClass("rbf(gamma=0.5)", "one-class-svm(nu=0.2)").fit(X)
    theirs = OneClassSVM(gamma=0.5, nu=0.2, tol=1e-9).fit(X)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-5)
    np.testing.assert_allclose(ours.score_samples(X), theirs.score_samples(X), atol=1e-5)
    assert ours.offset_ == pytest.approx(theirs.offset_[0], abs=1e-5)


def test_strings_are_cross_validated_with_a_kernel_on_strings() -> None:
    data = kernelviz.dataset("spelling(n=40, seed=1)")
    words, labels = np.array(data.X, dtype=object), np.array(data.class_of_each)
    estimator = KernelClassifier("spectrum(length=2, normalised=true)", "soft-margin-svm(C=10)")
    assert cross_val_score(estimator, words, labels, cv=4).mean() > 0.8
    assert KernelPCA(kernel="spectrum(length=2)").fit_transform(list(words)).shape == (40, 2)


def test_a_gaussian_process_returns_its_deviations() -> None:
    ours = KernelRegressor(algorithm="gaussian-process(noise=0.01)").fit(X, WAVE)
    theirs = GaussianProcessRegressor(RBF(np.sqrt(0.5)), alpha=0.01, optimizer=None).fit(X, WAVE)
    for mine, known in zip(ours.predict(X, True), theirs.predict(X, True), strict=True):
        np.testing.assert_allclose(mine, known, atol=1e-6)


@settings(deadline=None, max_examples=40)
@given(kernel=kernels())
def test_the_gradient_of_a_kernel_is_what_differences_approach(kernel) -> None:
    adapted = GPKernel(kernel)
    theta, few = adapted.theta, X[:7]
    assume(np.abs(kernel(few)).max() < 1e6)
    K, gradient = adapted(few, eval_gradient=True)
    np.testing.assert_array_equal(K, kernel(few))
    assert gradient.shape == (7, 7, len(theta))
    np.testing.assert_array_equal(gradient, gradient.transpose(1, 0, 2))
    step = 1e-5
    low, high = adapted.bounds.T if len(theta) else (theta, theta)
    for j in np.flatnonzero((theta - step > low) & (theta + step < high)):
        h = step * (np.arange(len(theta)) == j)
        above, below = adapted.clone_with_theta(theta + h)(few), adapted.clone_with_theta(theta - h)(few)
        error = 1e-9 * np.abs(K).max() / step + 1e-4 * np.abs(gradient[:, :, j]).max()
        np.testing.assert_allclose((above - below) / (2 * step), gradient[:, :, j], rtol=1e-3, atol=error)


def test_scikit_learns_process_finds_the_same_width_and_noise_with_our_kernel() -> None:
    ours = GaussianProcessRegressor(ConstantKernel() * GPKernel("rbf(gamma=3)") + WhiteKernel(0.1))
    theirs = GaussianProcessRegressor(ConstantKernel() * RBF(1 / np.sqrt(6)) + WhiteKernel(0.1))
    ours, theirs = ours.fit(X, WAVE), theirs.fit(X, WAVE)
    assert ours.log_marginal_likelihood_value_ == pytest.approx(
        theirs.log_marginal_likelihood_value_, abs=1e-4
    )
    gamma = ours.kernel_.get_params()["k1__k2__kernel__gamma"]
    assert gamma == pytest.approx(0.5 / theirs.kernel_.get_params()["k1__k2__length_scale"] ** 2, rel=1e-2)
    inside = GaussianProcessRegressor(GPKernel("2*rbf(gamma=3)"), alpha=0.01).fit(X, WAVE)
    assert inside.log_marginal_likelihood_value_ > inside.log_marginal_likelihood(np.log([2.0, 3.0]))


def test_an_adapted_kernel_prints_as_it_is_written_and_is_cloned() -> None:
    kernel = GPKernel("2*rbf(gamma=3)")
    assert repr(kernel) == "GPKernel('2*rbf(gamma=3)')"
    assert clone(kernel) == kernel
    assert kernel.is_stationary()
    assert not GPKernel("linear").is_stationary()
    assert len(GPKernel("linear").theta) == 0
    np.testing.assert_array_equal(kernel.diag(X), np.full(60, 2.0))


def test_a_process_on_strings() -> None:
    words = ["banana", "bandana", "cabana", "apple", "maple"]
    y = np.array([1.0, 1.0, 1.0, -1.0, -1.0])
    kernel = GPKernel("spectrum(length=2, normalised=true)")
    process = GaussianProcessRegressor(kernel, alpha=0.1).fit(words, y)
    assert process.predict(["ananas"])[0] > 0.1
    assert process.predict(["apples"])[0] < -0.1


def test_kernel_ridge_calls_an_adapted_kernel_once_for_all_pairs() -> None:
    kernel = kernelviz.kernel("rbf(gamma=1) + 0.1*linear")
    theirs = KernelRidge(alpha=0.3, kernel=GPKernel(kernel))
    with patch.object(type(kernel), "__call__", autospec=True, side_effect=type(kernel).__call__) as called:
        theirs.fit(X, WAVE)
    assert called.call_count == 1
    ours = KernelRegressor(kernel, "ridge(lam=0.3)").fit(X, WAVE)
    np.testing.assert_allclose(theirs.predict(X), ours.predict(X), atol=1e-10)


def test_a_script_learns_how_to_install_scikit_learn() -> None:
    blocked = "import sys; sys.modules['sklearn'] = None; import kernelviz.sklearn"
    ended = subprocess.run([sys.executable, "-c", blocked], capture_output=True, text=True, check=False)
    sentence = 'kernelviz.sklearn needs scikit-learn 1.6 or later: pip install "kernelviz[sklearn]".'
    assert ended.stderr.splitlines()[-1] == f"ImportError: {sentence}"
