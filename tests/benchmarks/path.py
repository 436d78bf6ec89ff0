"""The whole regularisation path, beside a hundred fits of `SVC` over the same range of C."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from sklearn.svm import SVC

import kernelviz
from kernelviz.engine.analysis.path import LARGEST_C, SMALLEST_C, Path, path
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.models.problem import Problem
from tests.benchmarks.report import Report, Target, best_of

SOURCES = ("rings(n=200, seed={})", "moons(n=200, noise=0.3, seed={})", "gaussians(n=200, seed={})")
GAMMAS = (0.3, 3.0, 30.0)
FITS = 100
RANDOM = 50
"""Values of C at which a path is checked."""
EXACT = 1e-5
"""The KKT violation up to which the scores of SVC are those of the solution."""


def run(report: Report, quick: bool) -> None:
    """Every breakpoint from C = 0.001 to C = 1000, the first solution and the Gram matrix included."""
    report.heading(f"All breakpoints of the path, beside {FITS} fits")
    ratios, breakpoints = [], []
    checks: list[Check] = []
    for source in SOURCES[1:2] if quick else SOURCES:
        data = kernelviz.dataset(source.format(report.seed))
        for gamma in GAMMAS:
            kernel = kernelviz.kernel(f"rbf(gamma={gamma})")
            machines = [SVC(gamma=gamma, C=C) for C in np.geomspace(SMALLEST_C, LARGEST_C, FITS)]
            theirs = best_of(lambda: [machine.fit(data.X, data.z) for machine in machines], 2)  # noqa: B023
            ratios.append(theirs / best_of(lambda: path(Problem(data, kernel)), 3))  # noqa: B023
            found = path(Problem(data, kernel))
            breakpoints.append(len(found.C))
            checks += _checked(found, gamma, report.seed)
    report.ratios("n = 200, C from 0.001 to 1000", ratios, Target("worst", 1))
    report.check("breakpoints", min(breakpoints) > 100, f"{min(breakpoints)} to {max(breakpoints)}")
    exact = [check for check in checks if check.their_violation <= EXACT]
    worst = max(check.difference for check in exact)
    where = f"at {len(exact)} of {len(checks)} random C"
    what = f"the scores of SVC, where it is exact to {EXACT:g}"
    report.check(what, worst <= 1e-4, f"largest difference {worst:.1e} {where}")
    worst = max(check.behind for check in checks)
    report.check("dual objective at all of them", worst <= 1e-9, f"behind SVC's by {worst:.1e} of it at most")
    worst = max(check.violation for check in checks)
    report.check("KKT conditions there", worst <= 1e-6, f"largest violation {worst:.1e}")


class Check(NamedTuple):
    """The path and SVC at one C: LIBSVM keeps its matrix in single precision, so that at a large C its own
    solution may be off by more than its tolerance says."""

    difference: float
    """Of the scores, at most."""
    violation: float
    """Of the KKT conditions, computed anew."""
    their_violation: float
    behind: float
    """By how much of it the dual objective is smaller."""


def _checked(found: Path, gamma: float, seed: int) -> Iterator[Check]:
    """At random C."""
    problem = found.problem
    for C in np.exp(
        np.random.default_rng(seed).uniform(np.log(SMALLEST_C), np.log(LARGEST_C), RANDOM)
    ).tolist():
        machine = SVC(gamma=gamma, C=C, tol=1e-8).fit(problem.X, problem.z)
        theirs = np.zeros(problem.n)
        theirs[machine.support_] = machine.dual_coef_[0]
        mine, own = found.weights(C), _dual(problem, theirs)
        yield Check(
            float(np.abs(found.at(C).training_scores - machine.decision_function(problem.X)).max()),
            max(_violation(problem, mine, C), abs(float(mine.sum())) / C),
            _violation(problem, theirs, C),
            (own - _dual(problem, mine)) / own,
        )


def _dual(problem: Problem, b: Array) -> float:
    return float(problem.z @ b - 0.5 * b @ problem.gram @ b)


def _violation(problem: Problem, b: Array, C: float) -> float:
    z = problem.z
    g, alpha = problem.gram @ b - z, z * b
    grow, shrink = np.where(z > 0, alpha < C, alpha > 0), np.where(z > 0, alpha > 0, alpha < C)
    return float(g[shrink].max() - g[grow].min())
