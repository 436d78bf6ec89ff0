"""Outcomes of settings, against scikit-learn and against fitting everything by hand."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, WhiteKernel
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV, LeaveOneOut, cross_val_score
from sklearn.svm import SVC

import kernelviz
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import Fit, parse_fit
from kernelviz.engine.selection import assess as assessing
from kernelviz.engine.selection.assess import assess
from kernelviz.engine.selection.folds import By, SettingErrors, Trial
from kernelviz.engine.solvers.qp import many

MOONS, SINE = kernelviz.dataset("moons(n=60, noise=0.35)"), kernelviz.dataset("sine(n=30)")
THREE = Data.labelled(MOONS.X, np.where(MOONS.X[:, 0] > 0.5, "right", np.where(MOONS.z > 0, "+", "-")))


def outcomes(data: Data, fits: list[Fit], by: By = "cv", fresh: Data | None = None) -> list[SettingErrors]:
    return assess(Trial.of(data, fits[0].algorithm, by, 5, 0, fresh), fits)


def svms(gammas: list[float], prices: list[float]) -> list[Fit]:
    return [parse_fit(f"rbf(gamma={g!r}) ; soft-margin-svm(C={C!r})") for g in gammas for C in prices]


def splits(trial: Trial) -> list[tuple[np.ndarray, np.ndarray]]:
    every = np.arange(trial.data.n)
    return [(np.setdiff1d(every, fold), fold) for fold in trial.folds]


def test_errors_are_those_of_a_grid_search_on_the_same_folds() -> None:
    gammas, prices = [0.1, 1.0, 10.0], [0.1, 1.0, 10.0, 100.0]
    found = outcomes(MOONS, svms(gammas, prices))
    trial = Trial.of(MOONS, kernelviz.algorithm("soft-margin-svm"), "cv", 5, 0)
    search = GridSearchCV(
        SVC(), {"gamma": gammas, "C": prices}, cv=splits(trial), return_train_score=True, refit=False
    ).fit(MOONS.X, MOONS.z)
    one_point = 1 / min(map(len, trial.folds)) / len(trial.folds)
    theirs = search.cv_results_
    for k, params in enumerate(theirs["params"]):
        mine = found[gammas.index(params["gamma"]) * len(prices) + prices.index(params["C"])]
        assert mine.error == pytest.approx(1 - theirs["mean_test_score"][k], abs=one_point + 1e-12)
        assert mine.spread == pytest.approx(theirs["std_test_score"][k] / np.sqrt(4), abs=one_point + 1e-12)
        assert mine.training_error == pytest.approx(1 - theirs["mean_train_score"][k], abs=one_point)
        assert mine.converged


@pytest.mark.parametrize(
    ("source", "fit"),
    [
        ("moons(n=40, noise=0.3)", "rbf(gamma=2) ; logistic(lam=0.1)"),
        ("moons(n=40, noise=0.3)", "rbf(gamma=2) ; nearest-neighbours(k=3)"),
        ("moons(n=40, noise=0.3)", "linear ; feature-map(model=ridge)"),
        ("moons(n=40, noise=0.3)", "rbf(gamma=2) ; random-features(q=20)"),
        ("three classes", "rbf(gamma=2) ; soft-margin-svm(C=2)"),
        ("sine(n=30)", "rbf(gamma=2) ; svr(C=2)"),
        ("sine(n=30)", "rbf(gamma=2) ; gaussian-process(noise=0.1)"),
        ("sine(n=30)", "rbf(gamma=2) ; nadaraya-watson"),
        ("topics(n=40)", "words ; soft-margin-svm(C=2)"),
    ],
)
def test_any_algorithm_is_judged_as_fitting_it_by_hand_does(source: str, fit: str) -> None:
    data = THREE if source == "three classes" else kernelviz.dataset(source)
    asked = parse_fit(fit)
    trial = Trial.of(data, asked.algorithm, "cv", 4, 3)
    errors, training = [], []
    for rest, fold in splits(trial):
        model = kernelviz.fit(data.subset(rest), kernel=asked.kernel, algorithm=asked.algorithm)
        for rows, into in ((fold, errors), (rest, training)):
            part = data.subset(rows)
            if data.class_names:
                into.append(np.mean(model.codes(part.X) != part.y))
            else:
                into.append(np.mean((part.y - model.score(part.X)) ** 2))
    (found,) = assess(trial, [asked])
    assert found.error == pytest.approx(np.mean(errors), abs=1e-4)
    assert found.training_error == pytest.approx(np.mean(training), abs=1e-4)


@pytest.mark.parametrize(
    "algorithm", ["soft-margin-svm(C=5)", "squared-slack-svm(lam=0.1)", "ridge(lam=0.1)"]
)
def test_leaving_one_out_is_leaving_each_out(algorithm: str) -> None:
    fit = parse_fit(f"rbf(gamma=2) ; {algorithm}")
    mistakes = []
    for i in range(MOONS.n):
        model = kernelviz.fit(MOONS.subset(np.arange(MOONS.n) != i), kernel=fit.kernel, algorithm=algorithm)
        mistakes.append(MOONS.z[i] * model.score(MOONS.X[i : i + 1])[0] <= 0)
    (found,) = outcomes(MOONS, [fit], "loo")
    assert found.error == pytest.approx(np.mean(mistakes))
    assert found.spread == pytest.approx(np.std(mistakes, ddof=1) / np.sqrt(MOONS.n))


def test_leaving_one_out_of_ridge_agrees_with_scikit_learn_for_every_penalty() -> None:
    values = np.geomspace(1e-3, 10, 12).tolist()
    found = outcomes(SINE, [parse_fit(f"rbf(gamma=3) ; ridge(lam={value!r})") for value in values], "loo")
    for value, mine in zip(values, found, strict=True):
        machine = KernelRidge(alpha=value, kernel="rbf", gamma=3)
        scores = cross_val_score(machine, SINE.X, SINE.y, cv=LeaveOneOut(), scoring="neg_mean_squared_error")
        assert mine.error == pytest.approx(-scores.mean(), rel=1e-6)


def test_the_likelihood_is_scikit_learns() -> None:
    fits = [
        parse_fit(f"rbf(gamma={g!r}) ; gaussian-process(noise={v!r})")
        for g in (0.5, 3.0)
        for v in (0.01, 0.1)
    ]
    for fit, mine in zip(fits, outcomes(SINE, fits, "likelihood"), strict=True):
        gamma, noise = fit.kernel.values()["gamma"], fit.algorithm.values()["noise"]
        theirs = GaussianProcessRegressor(
            RBF(np.sqrt(0.5 / gamma)) + WhiteKernel(noise), optimizer=None, alpha=0
        ).fit(SINE.X, SINE.y)
        assert mine.likelihood == pytest.approx(theirs.log_marginal_likelihood_value_, rel=1e-6)


@pytest.mark.parametrize("by", ["cv", "loo"])
@pytest.mark.parametrize("stuck", [False, True])
def test_soft_margins_solved_side_by_side_are_judged_as_one_by_one(
    by: By, stuck: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = kernelviz.dataset("moons(n=300, noise=0.35, seed=5)")
    fits = svms([0.02, 1.0, 30.0], [100.0, 0.1, 3.0])  # in no order
    if stuck:  # some chains are given up, and solved the other way
        monkeypatch.setattr(many, "ROUNDS", 0)
    together = outcomes(MOONS, fits, by, fresh)
    monkeypatch.setattr(assessing, "MOST_POINTS_SIDE_BY_SIDE", 0)
    alone = outcomes(MOONS, fits, by, fresh)
    a_point = 1 / 60
    for mine, other in zip(together, alone, strict=True):
        assert mine.error == pytest.approx(other.error, abs=a_point + 1e-12)
        assert mine.training_error == pytest.approx(other.training_error, abs=a_point / 4 + 1e-12)
        assert mine.true_error == pytest.approx(other.true_error, abs=2e-3)
        assert mine.converged == other.converged == 1.0
    assert sum(mine.error != other.error for mine, other in zip(together, alone, strict=True)) <= 2


def test_the_true_error_is_that_of_the_same_fits_on_fresh_points() -> None:
    fresh = kernelviz.dataset("moons(n=500, noise=0.35, seed=5)")
    fit = parse_fit("rbf(gamma=2) ; soft-margin-svm(C=5)")
    (found,) = outcomes(MOONS, [fit], fresh=fresh)
    trial = Trial.of(MOONS, fit.algorithm, "cv", 5, 0)
    errors = [
        np.mean(
            fresh.z
            * kernelviz.fit(MOONS.subset(rest), kernel=fit.kernel, algorithm=fit.algorithm).score(fresh.X)
            <= 0
        )
        for rest, _ in splits(trial)
    ]
    assert found.true_error == pytest.approx(np.mean(errors), abs=1e-3)


def test_a_setting_that_cannot_be_fitted_is_left_open_and_the_others_are_not() -> None:
    data = Data.labelled(MOONS.X[MOONS.z.argsort()][20:], np.sort(MOONS.z)[20:])
    fits = [parse_fit(f"rbf(gamma=2) ; nu-svm(nu={nu})") for nu in (0.2, 0.9)]
    possible, impossible = outcomes(data, fits)
    assert possible.error < 0.5
    assert np.isnan(impossible.error)


def test_what_has_no_labels_or_no_likelihood_is_refused() -> None:
    with pytest.raises(BadInput, match="does not use labels"):
        Trial.of(MOONS, kernelviz.algorithm("one-class-svm"), "cv", 5, 0)
    with pytest.raises(BadInput, match="These points have no labels"):
        Trial.of(Data.unlabelled(MOONS.X), kernelviz.algorithm("ridge"), "cv", 5, 0)
    with pytest.raises(BadInput, match="Only a gaussian-process has a likelihood"):
        Trial.of(MOONS, kernelviz.algorithm("ridge"), "likelihood", 5, 0)
