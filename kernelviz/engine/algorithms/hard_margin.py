"""The hard-margin support vector machine, after a test whether the classes can be separated at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from kernelviz.engine.algorithms.base import Change, Iterate
from kernelviz.engine.algorithms.qp import Dual, Point
from kernelviz.engine.algorithms.qp_rows import Rows
from kernelviz.engine.algorithms.qp_solve import optimise
from kernelviz.engine.algorithms.qp_svm import Solution, SupportVectorMachine, half_lines, tolerance
from kernelviz.engine.arrays import Array
from kernelviz.engine.model import Model, Status
from kernelviz.engine.problem import Problem

__all__ = ["HardMarginSVM"]

TOUCHING = 1e-10
"""Relative to max K_ii: a squared distance of the convex hulls that counts as none."""


@dataclass(frozen=True)
class HardMarginSVM(SupportVectorMachine):
    """max Σα - ½ β'Kβ,  α ≥ 0,  Σβ = 0; the margin is 1/√Σα"""

    name = "hard-margin-svm"
    title = "Hard-margin SVM"
    summary_line = "The widest margin without any slack; needs separable classes."
    latex = (
        r"\max_\alpha \sum_i \alpha_i - \tfrac12 \sum_{i,j} \alpha_i \alpha_j z_i z_j K(x_i, x_j),"
        r"\quad \alpha_i \ge 0,\ \sum_i \alpha_i z_i = 0"
    )

    tol: float = tolerance()

    def dual(self, problem: Problem, rows: Rows) -> Dual:
        return half_lines(problem, rows)

    def primal(self, problem: Problem, norm2: float, scores: Array, found: Solution) -> float:
        """½|w|²"""
        return 0.5 * norm2

    def solve(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        dual, point, warm = self.begin(problem, start)
        if warm:
            for _ in optimise(dual, point, self.tol, True, rescue=False):
                pass
        if not warm or point.gap > self.tol:
            why, u = inseparable(problem, dual)
            if why:
                yield self.refuse(problem, dual, why)
                return
            point = self.near(dual, u)
            for work in optimise(dual, point, self.tol, True):
                if work > 1e8:
                    yield Iterate(point.steps, self.model(problem, dual, point, Status.RUNNING))
        yield self.last(problem, dual, point, point.steps)

    def steps(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        dual, _, _ = self.begin(problem, None)
        why, _ = inseparable(problem, dual)
        if why:
            yield self.refuse(problem, dual, why)
        else:
            yield from super().steps(problem, start)

    def near(self, dual: Dual, u: Array) -> Point:
        """The dual weights that the nearest points of the hulls stand for: 2u over their squared distance."""
        h = dual.rows.times(u)
        scale = 2.0 / float(u @ h)
        return Point(scale * u, scale * h, np.zeros(1))

    def refuse(self, problem: Problem, dual: Dual, why: str) -> Iterate:
        """No weights at all: nothing false is drawn."""
        nothing = np.zeros(problem.n)
        model = self.model(problem, dual, Point(nothing, nothing.copy(), np.zeros(1)), Status.RUNNING)
        model = replace(
            model,
            status=Status.NOT_SEPARABLE,
            message=why,
            offset=0.0,
            objectives=(None, None),
            violation=None,
        )
        return Iterate(0, model, {}, Change(why, kind="end"), done=True)


def inseparable(problem: Problem, dual: Dual) -> tuple[str, Array]:
    """(why the classes cannot be separated, or nothing; the signed nearest points of the convex hulls)."""
    twins = _twins(problem)
    if twins is not None:
        i, j = twins
        return f"Not separable: points {i} and {j} coincide but have different labels.", np.zeros(problem.n)
    hulls = _hulls(problem, dual.rows)
    u = np.zeros(problem.n)
    for inside, total in zip(hulls.members(), hulls.totals, strict=True):
        u[np.flatnonzero(inside)[0]] = total
    point = Point(u, dual.rows.times(u), np.zeros(2))
    largest = float(dual.rows.diagonal.max())
    tol = 0.1 * largest
    warm = False
    for _ in range(14):
        for _ in optimise(hulls, point, tol, warm, rescue=problem.kernel.positive_definite):
            pass
        distance2 = float(point.b @ point.h)
        z = problem.z
        if point.h[z > 0].min() > point.h[z < 0].max() and point.gap <= 0.1 * distance2:
            return "", point.b
        if distance2 <= TOUCHING * largest or point.gap > tol:
            break
        tol, warm = 0.05 * min(tol, distance2), True
    return (
        "Not separable in this kernel's feature space: the convex hulls of the two classes meet. "
        "Try a soft margin or another kernel."
    ), point.b


def _hulls(problem: Problem, rows: Rows) -> Dual:
    """min ½ u'Ku with the weights of each class summing to one: the nearest points of the convex hulls."""
    z = problem.z
    lo, hi = np.minimum(0.0, z), np.maximum(0.0, z)
    groups = np.array([z > 0, z < 0], dtype=np.float64)
    return Dual(rows, np.zeros(problem.n), lo, hi, (1.0, -1.0), groups)


def _twins(problem: Problem) -> tuple[int, int] | None:
    """Two equal inputs with opposite labels."""
    z = problem.z
    if not isinstance(problem.X, np.ndarray):
        seen: dict[object, int] = {}
        for i, x in enumerate(problem.X):
            j = seen.setdefault(x, i)
            if z[i] != z[j]:
                return j, i
        return None
    _, first, inverse = np.unique(problem.X + 0.0, axis=0, return_index=True, return_inverse=True)
    partner = first[inverse.ravel()]
    clash = np.flatnonzero(z != z[partner])
    return (int(partner[clash[0]]), int(clash[0])) if len(clash) else None
