"""What a window needs after a change: a cold fit and its field, beside `SVC.fit` and `decision_function`."""

from __future__ import annotations

from itertools import product

import numpy as np
from sklearn.svm import SVC

from kernelviz.engine.problem import Problem
from tests.benchmarks.report import Report, Target, best_of
from tests.benchmarks.svm import CS, GAMMAS, SETS, case

GRID = 200
POINTS = 200


def run(report: Report, quick: bool) -> None:
    """n = 200 and a grid of 200 x 200, over the data sets x C x gamma of the SVM's own benchmark."""
    report.heading(f"Fit and field together, cold, n = {POINTS}, {GRID} x {GRID}")
    cases = list(product(SETS, CS, GAMMAS))
    ratios, errors = [], []
    for name, C, gamma in cases[::6] if quick else cases:
        ratio, error = _one(name, C, gamma)
        ratios.append(ratio)
        errors.append(error)
    report.ratios("soft-margin-svm, rbf", ratios, Target("median", 20))
    print(f"  largest difference of the fields: {max(errors):.1e} (both solved to a tolerance of 1e-3)")


def _one(name: str, C: float, gamma: float) -> tuple[float, float]:
    """(times as fast, largest difference of the fields relative to their largest value)."""
    data, algorithm, kernel = case(name, POINTS, C, gamma)
    low, high = data.X.min() - 0.5, data.X.max() + 0.5
    axis = np.linspace(low, high, GRID)
    nodes = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    found: dict[str, np.ndarray] = {}

    def ours() -> None:
        found["ours"] = algorithm.fit(Problem(data, kernel)).on_grid(axis, axis)

    def theirs() -> None:
        machine = SVC(C=C, gamma=gamma, tol=1e-3, cache_size=200).fit(data.X, data.target)
        found["theirs"] = machine.decision_function(nodes)

    slow, fast = best_of(theirs, 2), best_of(ours, 4)
    difference = np.abs(found["ours"].ravel() - found["theirs"]).max() / np.abs(found["theirs"]).max()
    return slow / fast, float(difference)
