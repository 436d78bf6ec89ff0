"""Model selection beside `GridSearchCV` with as many processes; leaving one out beside `cross_val_score`."""

from __future__ import annotations

import numpy as np
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV, LeaveOneOut, cross_val_score
from sklearn.svm import SVC

import kernelviz
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.engine.selection.folds import stratified
from tests.benchmarks.report import Report, Target, best_of

SOURCES = ("moons(n=200, noise=0.3, seed={})", "gaussians(n=200, seed={})", "rings(n=200, seed={})")
GAMMAS, PRICES = np.geomspace(0.01, 100, 10), np.geomspace(0.1, 1000, 10)
FOLDS = 5
LAMBDAS = 100


def run(report: Report, quick: bool) -> None:
    """10 x 10 settings of gamma and C, 5 folds, n = 200; 100 penalties of ridge, every point left out."""
    report.heading("Model selection, 10 x 10 settings, 5 folds, n = 200")
    for jobs in (1, 2):
        ratios, differences = [], []
        for source in SOURCES[:1] if quick else SOURCES:
            ratio, difference = _grid(kernelviz.dataset(source.format(report.seed)), jobs)
            ratios.append(ratio)
            differences.append(difference)
        report.ratios(f"{jobs} process{'es' * (jobs > 1)}", ratios, Target("median", 5))
        worst = max(differences)
        report.check("the same errors, in points of a fold", worst <= 1.0, f"largest difference {worst:.2g}")
    report.heading(f"Leaving one out of ridge, {LAMBDAS} penalties, n = 200")
    data, values = kernelviz.dataset("sine(n=200)"), np.geomspace(1e-4, 100, LAMBDAS)
    theirs = best_of(lambda: _left_out(data, values[:: 20 if quick else 10]), 1) * (20 if quick else 10)
    ours = best_of(lambda: _ridge(data), 3)
    report.ratios("beside cross_val_score", [theirs / ours], Target("median", 50))


def _grid(data: Data, jobs: int) -> tuple[float, float]:
    """(times as fast, largest difference of the mean errors in points of the smallest fold)."""
    folds = stratified(data, FOLDS)
    splits = [(np.setdiff1d(np.arange(data.n), fold), fold) for fold in folds]
    grid = {"gamma": GAMMAS, "C": PRICES}
    searches: list[GridSearchCV] = []
    found: list[Array] = []

    def theirs() -> None:
        search = GridSearchCV(SVC(), grid, cv=splits, n_jobs=jobs, refit=False)
        searches.append(search.fit(data.X, data.z))

    def ours() -> None:
        over = {"gamma": (0.01, 100, 10), "C": (0.1, 1000, 10)}
        found.append(kernelviz.select(data, over=over, folds=FOLDS, jobs=jobs).face("error"))

    slow, fast = best_of(theirs, 3), best_of(ours, 8)  # in the end the processes of both are up
    errors = 1.0 - searches[0].cv_results_["mean_test_score"].reshape(len(PRICES), len(GAMMAS)).T
    point = 1.0 / min(map(len, folds)) / FOLDS
    return slow / fast, round(float(np.abs(errors - found[0]).max() / point), 6)


def _left_out(data: Data, values: Array) -> None:
    for value in values:
        machine = KernelRidge(alpha=value, kernel="rbf", gamma=1.0)
        cross_val_score(machine, data.X, data.y, cv=LeaveOneOut(), scoring="neg_mean_squared_error")


def _ridge(data: Data) -> None:
    kernelviz.select(
        data, kernel="rbf(gamma=1)", algorithm="ridge", over={"lam": (1e-4, 100, LAMBDAS)}, by="loo"
    )
