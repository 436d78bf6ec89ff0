"""Gaussian processes: likelihood with gradient, and its maximum, beside `GaussianProcessRegressor`."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from time import thread_time as clock

from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import (
    RBF,
    ConstantKernel,
    ExpSineSquared,
    Kernel,
    Matern,
    RationalQuadratic,
    WhiteKernel,
)

import kernelviz
from kernelviz.engine.algorithms.gaussian_process import GaussianProcess
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.generators import finished
from kernelviz.engine.kernels.derivatives import Pairs
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.solvers.likelihood import climb_likelihood, likelihood
from tests.benchmarks.report import Report, Target

NOISE = 0.1
KERNELS: dict[str, Kernel] = {
    "2*rbf(l=0.7)": ConstantKernel(2.0) * RBF(0.7),
    "1.5*matern32(l=0.7)": ConstantKernel(1.5) * Matern(0.7, nu=1.5),
    "1.5*matern52(l=0.7)": ConstantKernel(1.5) * Matern(0.7, nu=2.5),
    "rational_quadratic(l=0.7, alpha=0.8)": RationalQuadratic(0.7, 0.8, alpha_bounds=(1e-2, 1e3)),
    "2*rbf(l=0.7) + 0.5*periodic(period=2.2, l=0.9)": ConstantKernel(2.0) * RBF(0.7)
    + ConstantKernel(0.5) * ExpSineSquared(0.9, 2.2),
}
"""Ours and theirs, the bounds of the one parameter that runs into them alike."""


def _seconds(action: Callable[[], object], times: int) -> float:
    found = []
    for _ in range(times):
        begin = clock()
        action()
        found.append(clock() - begin)
    return min(found)


def _measured(data: Data, expression: str, start: Kernel) -> tuple[float, float, float]:
    """(times as fast: an evaluation, the whole climb; by what share the top is lower)."""
    kernel, pairs = kernelviz.kernel(expression), Pairs(data.X)
    problem, process = Problem(data, kernel), GaussianProcess(NOISE)
    other = GaussianProcessRegressor(start + WhiteKernel(NOISE), alpha=0.0, optimizer=None)
    other.fit(data.X, data.y)
    theta = other.kernel_.theta
    slow = _seconds(lambda: other.log_marginal_likelihood(theta, eval_gradient=True, clone_kernel=False), 9)
    fast = _seconds(lambda: likelihood(pairs, data.y, kernel, NOISE), 9)
    climber = GaussianProcessRegressor(start + WhiteKernel(NOISE), alpha=0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # of parameters at a bound
        slow_climb = _seconds(lambda: climber.fit(data.X, data.y), 3)
    fast_climb = _seconds(lambda: finished(climb_likelihood(problem, process)), 3)
    best, algorithm = finished(climb_likelihood(problem, process))
    highest = algorithm.fit(Problem(data, best)).log_marginal_likelihood
    theirs = climber.log_marginal_likelihood_value_
    return slow / fast, slow_climb / fast_climb, (theirs - highest) / abs(theirs)


def run(report: Report, quick: bool) -> None:
    report.heading("Gaussian process against GaussianProcessRegressor")
    for n in (100, 200) if quick else (100, 200, 500):
        data = kernelviz.dataset(f"sine(n={n}, seed={report.seed})")
        found = [_measured(data, expression, start) for expression, start in KERNELS.items()]
        evaluating, climbing, lower = zip(*found, strict=True)
        report.ratios(f"likelihood with gradient, n = {n}", evaluating, Target("median", 3))
        report.ratios(f"maximising it from the same start, n = {n}", climbing, Target("median", 3))
        report.check(
            f"not lower by more than 1e-6, n = {n}", max(lower) <= 1e-6, f"{max(lower):.1e} relative"
        )
