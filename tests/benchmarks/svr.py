"""Support vector regression beside `sklearn.svm.SVR.fit`, through the public Algorithm.fit and nothing else.

Two curves x C x gamma x epsilon at tolerance 1e-3, one with Gaussian noise and one with outliers. A moved
point changes in x and in y, each fit starting from the model before it. Times are those of the thread.
"""

from __future__ import annotations

from itertools import product
from time import thread_time as clock

import numpy as np
from sklearn.svm import SVR

import kernelviz
from kernelviz.engine.algorithms.svr import SupportVectorRegression
from kernelviz.engine.core.data import Data
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.problem import Problem
from tests.benchmarks.report import Report, Target

KINDS = {"Gaussian noise": "sine(n={n}, seed={seed})", "outliers": "outliers(n={n}, seed={seed})"}
CS = (0.1, 1.0, 10.0, 100.0, 1000.0)
GAMMAS = (0.3, 3.0, 30.0)
EPSILONS = (0.01, 0.1, 0.3)
CHAIN = 5
NEAR = 0.03
"""How far a point is dragged, as a part of the data's spread."""
MEDIANS = {200: 5.0, 500: 5.0}

Posed = tuple[Data, SupportVectorRegression, Gaussian]


def grid(kind: str, n: int, quick: bool, seed: int) -> list[Posed]:
    data = kernelviz.dataset(KINDS[kind].format(n=n, seed=seed))
    values = product(CS[:: 2 if quick else 1], GAMMAS, EPSILONS[:: 2 if quick else 1])
    return [(data, SupportVectorRegression(C, epsilon), Gaussian(gamma)) for C, gamma, epsilon in values]


def theirs(
    data: Data, algorithm: SupportVectorRegression, kernel: Gaussian, tol: float = 1e-3
) -> tuple[float, SVR]:
    """(seconds, the machine) of scikit-learn for the same problem."""
    machine = SVR(C=algorithm.C, gamma=kernel.gamma, epsilon=algorithm.epsilon, tol=tol)
    begin = clock()
    machine.fit(data.X, data.y)
    return clock() - begin, machine


def moved(data: Data, rng: np.random.Generator) -> Data:
    X, y, i = data.X.copy(), data.y.copy(), int(rng.integers(data.n))
    X[i] += NEAR * X.std() * rng.normal()
    y[i] += NEAR * y.std() * rng.normal()
    return Data.regression(X, y)


def violation(model: Model) -> float:
    """The largest KKT violation of the weights and the offset that a user gets, as a share of half the range
    of the targets, of which the tolerance is a share too."""
    problem, beta, how = model.problem, model.beta, model.algorithm
    r = problem.y - problem.kernel(problem.X) @ beta - model.b
    outside = np.sign(beta) * r - how.epsilon
    missed = np.where(np.abs(beta) >= how.C, np.maximum(-outside, 0.0), np.abs(outside))
    worst = float(np.where(beta == 0, np.maximum(np.abs(r) - how.epsilon, 0.0), missed).max())
    return worst / (0.5 * float(np.ptp(problem.y)))


def cold(report: Report, kind: str, n: int, quick: bool) -> tuple[float, float]:
    """Ratios of cold fits; returns the slowest case on either side."""
    ratios, slowest, worst, unconverged = [], [0.0, 0.0], 0.0, 0
    for data, algorithm, kernel in grid(kind, n, quick, report.seed):
        own, other = [], []
        for _ in range(3):
            other.append(theirs(data, algorithm, kernel)[0])
            begin = clock()
            model = algorithm.fit(Problem(data, kernel))
            own.append(clock() - begin)
        unconverged += not model.converged
        worst = max(worst, violation(model))
        ratios.append(min(other) / min(own))
        slowest = [max(slowest[0], min(own)), max(slowest[1], min(other))]
    report.ratios(f"cold, n = {n}", ratios, Target("median", 1 / 1.5))
    report.check(f"cold, n = {n}: all converge", unconverged == 0 and worst <= 1.01e-3, f"KKT {worst:.1e}")
    return slowest[0], slowest[1]


def drags(report: Report, kind: str, n: int, quick: bool) -> None:
    ratios, unconverged, worst = [], 0, 0.0
    for seed, (data, algorithm, kernel) in enumerate(grid(kind, n, quick, report.seed)):
        rng, model, own, other = np.random.default_rng(seed), algorithm.fit(Problem(data, kernel)), [], []
        for _ in range(CHAIN):
            data = moved(data, rng)
            begin = clock()
            model = algorithm.fit(Problem(data, kernel), start=model)
            own.append(clock() - begin)
            other.append(theirs(data, algorithm, kernel)[0])
            unconverged += not model.converged
            worst = max(worst, violation(model))
        ratios.append(np.median(other) / np.median(own))
    report.ratios(
        f"a point moved, n = {n}", ratios, *([Target("median", MEDIANS[n])] if n in MEDIANS else [])
    )
    report.check(f"moved, n = {n}: all converge", unconverged == 0 and worst <= 1.01e-3, f"KKT {worst:.1e}")


def exact(report: Report, kind: str, quick: bool) -> None:
    """By how much the objective is below that of SVR at tolerance 1e-8, at most."""
    lacking = 0.0
    for data, algorithm, kernel in grid(kind, 100, quick, report.seed):
        problem = Problem(data, kernel)
        model = algorithm.replace(tol=1e-8).fit(problem)
        machine = theirs(data, algorithm, kernel, 1e-8)[1]
        beta = np.zeros(data.n)
        beta[machine.support_] = machine.dual_coef_[0]
        best, reached = (
            data.y @ b - algorithm.epsilon * np.abs(b).sum() - 0.5 * b @ problem.gram @ b
            for b in (beta, model.beta)
        )
        lacking = max(lacking, (best - reached) / abs(best))
    report.check("objective below SVR's at 1e-8 by at most 1e-6", lacking <= 1e-6, f"{lacking:.1e} relative")


def run(report: Report, quick: bool) -> None:
    slowest = []
    for kind in KINDS:
        report.heading(f"Support vector regression against SVR.fit, {kind}")
        for n in (100, 200, 500):
            slowest.append(cold(report, kind, n, quick))
            drags(report, kind, n, quick)
        exact(report, kind, quick)
    report.heading("Over the whole grid")
    own, other = map(max, zip(*slowest, strict=True))
    report.check("cold, slowest case", own <= other, f"{own * 1e3:.1f} ms against {other * 1e3:.1f} ms")
