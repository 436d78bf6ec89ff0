"""Kernel ridge: a new lambda together with its field or curve, beside `KernelRidge` fit and predict."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from sklearn.kernel_ridge import KernelRidge

import kernelviz
from kernelviz.engine.algorithms.ridge import Ridge
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.problem import Problem
from tests.benchmarks.report import Report, Target, best_of

Evaluate = Callable[[Model], Array]
GAMMAS = (0.3, 3.0, 30.0)
LAMBDAS = (1e-3, 1e-2, 0.1, 1.0, 10.0)
GRID = 200
TIMES = 12
"""Each side: a slider that moves finds everything where the last value has left it."""
CURVE = 1000
"""Values of x on a curve."""


def run(report: Report, quick: bool) -> None:
    """n = 200 and a grid of 200 x 200; a slider is moved over lambda, each fit starting from the last."""
    report.heading("Kernel ridge, new lambda with field")
    for n in (200,) if quick else (200, 500):
        ratios, errors = [], []
        for gamma in GAMMAS[:1] if quick else GAMMAS:
            slide = _slide(_plane(n), gamma)
            ratios += slide[0]
            errors += slide[1]
        report.ratios(f"n = {n}, grid {GRID}x{GRID}", ratios, Target("median", 50))
        worst = max(errors)
        report.check("the same field", worst <= 1e-7, f"largest difference {worst:.1e}")
    report.heading("Kernel ridge, new lambda with curve")
    for n in (200,) if quick else (200, 500):
        slides = [_slide(_line(n), gamma) for gamma in GAMMAS]
        report.ratios(
            f"n = {n}, {CURVE} x-values",
            [ratio for found, _ in slides for ratio in found],
            Target("median", 50),
        )
        worst = max(max(s[1]) for s in slides)
        report.check("the same curve", worst <= 1e-7, f"largest difference {worst:.1e}")


def _plane(n: int) -> tuple[Data, Array, Evaluate]:
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, 2))
    data = Data.labelled(X, np.where((X**2).sum(axis=1) + 0.3 * rng.normal(size=n) > 1.4, 1, -1))
    axis = np.linspace(-3, 3, GRID)
    nodes = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    return data, nodes, lambda model: model.on_grid(axis, axis)


def _line(n: int) -> tuple[Data, Array, Evaluate]:
    nodes = np.linspace(-3, 3, CURVE)[:, None]
    return kernelviz.dataset(f"sine(n={n})"), nodes, lambda model: model.score(nodes)


def _slide(posed: tuple[Data, Array, Evaluate], gamma: float) -> tuple[list[float], list[float]]:
    """(times as fast, differences of the scores) for each lambda after the first."""
    data, nodes, evaluate = posed
    ratios, errors = [], []
    model = None
    for lam in (0.05, 0.06, *LAMBDAS):
        found: dict[str, np.ndarray] = {}

        def ours(lam: float = lam, start: object = model, found: dict = found) -> None:
            found["model"] = Ridge(lam).fit(Problem(data, Gaussian(gamma)), start)
            found["ours"] = evaluate(found["model"])

        def theirs(lam: float = lam, found: dict = found) -> None:
            machine = KernelRidge(alpha=lam, kernel="rbf", gamma=gamma).fit(data.X, data.y)
            found["theirs"] = machine.predict(nodes)

        slow, fast = best_of(theirs, TIMES), best_of(ours, TIMES)
        model = found["model"]
        if lam in LAMBDAS:  # the first two make the eigenvectors
            ratios.append(slow / fast)
            errors.append(float(np.abs(found["ours"].ravel() - found["theirs"]).max()))
    return ratios, errors
