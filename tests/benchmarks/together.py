"""What a window needs after a change: a cold fit and its field, beside `SVC.fit` and `decision_function`."""

from __future__ import annotations

import numpy as np
from sklearn.svm import SVC

from kernelviz.engine.algorithms.soft_margin import SoftMarginSVM
from kernelviz.engine.core.data import Data
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.models.problem import Problem
from tests.benchmarks.report import Report, Target, best_of
from tests.benchmarks.svm import KINDS, grid

GRID = 200
POINTS = 200


def run(report: Report, quick: bool) -> None:
    """n = 200 and a grid of 200 x 200, over the data sets x C x gamma of the SVM's own benchmark."""
    report.heading(f"Fit and field together, cold, n = {POINTS}, {GRID} x {GRID}")
    errors = []
    for kind in KINDS:
        found = [_one(*case) for case in grid(kind, POINTS, False, report.seed)[:: 6 if quick else 1]]
        errors += [error for _, error in found]
        ratios = [ratio for ratio, _ in found]
        report.ratios(f"soft-margin-svm, rbf, data {kind}", ratios, Target("median", 20))
    print(f"  largest difference of the fields: {max(errors):.1e} (both solved to a tolerance of 1e-3)")


def _one(data: Data, algorithm: SoftMarginSVM, kernel: Gaussian) -> tuple[float, float]:
    """(times as fast, largest difference of the fields relative to their largest value)."""
    low, high = data.X.min() - 0.5, data.X.max() + 0.5
    axis = np.linspace(low, high, GRID)
    nodes = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    found: dict[str, np.ndarray] = {}

    def ours() -> None:
        found["ours"] = algorithm.fit(Problem(data, kernel)).on_grid(axis, axis)

    def theirs() -> None:
        machine = SVC(C=algorithm.C, gamma=kernel.gamma, tol=1e-3, cache_size=200).fit(data.X, data.target)
        found["theirs"] = machine.decision_function(nodes)

    slow, fast = best_of(theirs, 2), best_of(ours, 4)
    difference = np.abs(found["ours"].ravel() - found["theirs"]).max() / np.abs(found["theirs"]).max()
    return slow / fast, float(difference)
