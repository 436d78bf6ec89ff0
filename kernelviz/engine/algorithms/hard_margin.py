"""The hard-margin support vector machine, after a test whether the classes can be separated at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kernelviz.engine.algorithms.base import Iterate
from kernelviz.engine.algorithms.newton import Newton
from kernelviz.engine.algorithms.qp import Dual, Point, Standing
from kernelviz.engine.algorithms.qp_rows import Rows
from kernelviz.engine.algorithms.qp_solve import Work, optimise
from kernelviz.engine.algorithms.qp_svm import Solution, SupportVectorMachine, half_lines, tolerance
from kernelviz.engine.arrays import Array
from kernelviz.engine.model import KernelModel, Model, Status
from kernelviz.engine.problem import Problem

__all__ = ["HardMarginSVM"]

PATIENCE = 20
"""Factorisations a warm start may take before it is asked whether there is a solution at all."""


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

    @property
    def accuracy(self) -> float:
        return self.tol

    def dual(self, problem: Problem, rows: Rows) -> Dual:
        return half_lines(problem, rows)

    def primal(self, problem: Problem, norm2: float, scores: Array, found: Solution) -> float:
        """½|w|²"""
        return 0.5 * norm2

    def optimise(self, dual: Dual, point: Point, warm: bool) -> Work:
        """Newton from a warm start; otherwise first the nearest points of the convex hulls, which either
        show that there is no solution or lie close to it."""
        if warm:
            newton = Newton(dual, point, self.tol, True, PATIENCE)
            yield from newton.rounds()
            if newton.done:
                return newton.standing
        if _twins(dual.rows.X, dual.p) is not None:
            point.b[:] = point.h[:] = 0.0
            return Standing(dual, point)
        u = np.zeros(dual.n)
        u[int(np.argmax(dual.p > 0))], u[int(np.argmax(dual.p < 0))] = 1.0, -1.0
        hulls = Point(u, dual.rows.times(u))
        yield from nearest(dual, hulls)
        if not separated(dual, hulls):
            point.b[:] = point.h[:] = 0.0
            return Standing(dual, point)
        scale = 2.0 / float(hulls.b @ hulls.h)
        point.b[:], point.h[:] = scale * hulls.b, scale * hulls.h
        return (yield from optimise(dual, point, self.tol, True))

    def steps(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        *_, last = self.solve(problem)
        if last.model.status is Status.NOT_SEPARABLE:
            yield last
        else:
            yield from super().steps(problem, start)

    def model(
        self, problem: Problem, dual: Dual, point: Point, standing: Standing, running: bool = False
    ) -> KernelModel:
        model = super().model(problem, dual, point, standing, running)
        if running or point.b.any():
            return model
        return replace(
            model,
            status=Status.NOT_SEPARABLE,
            message=_reason(problem),
            offset=0.0,
            known_scores=np.zeros(problem.n),
            objectives=(None, None),
            violation=None,
        )


def nearest(dual: Dual, point: Point) -> Iterator[float]:
    """Move `point` towards the nearest points of the hulls until they are told apart, or seen to meet.

    min ½ u'Ku with the weights of each class summing to one."""
    z = dual.p
    groups = np.array([z > 0, z < 0], dtype=np.float64)
    hulls = Dual(dual.rows, np.zeros(dual.n), np.minimum(0.0, z), np.maximum(0.0, z), (1.0, -1.0), groups)
    touching = dual.rows.touching()
    tol, warm = 0.1 * dual.rows.scale, False
    for _ in range(14):
        standing = yield from optimise(hulls, point, tol, warm, rescue=dual.rows.kernel.positive_definite)
        distance2 = float(point.b @ point.h)
        if distance2 <= touching or standing.gap > tol:
            return
        if standing.gap <= 0.1 * distance2 and separated(dual, point):
            return
        tol, warm = 0.05 * min(tol, distance2), True


def separated(dual: Dual, point: Point) -> bool:
    """Whether the hulls are apart, proved by a level of Ku that has each class on its own side."""
    apart = float(point.b @ point.h) > dual.rows.touching()
    return apart and bool(point.h[dual.p > 0].min() > point.h[dual.p < 0].max())


def _reason(problem: Problem) -> str:
    twins = _twins(problem.X, problem.z)
    if twins is not None:
        return f"Not separable: points {twins[0] + 1} and {twins[1] + 1} coincide but have different labels."
    if not problem.kernel.positive_definite:
        return "No margin was found, and this kernel, not being positive semi-definite, may not have any."
    return (
        "Not separable, as far as rounding can tell: in this kernel's feature space the convex hulls of "
        "the two classes meet, or nearly so. Try a soft margin or another kernel."
    )


def _twins(X: Any, z: Array) -> tuple[int, int] | None:
    """Two equal inputs with opposite labels."""
    if not isinstance(X, np.ndarray):
        seen: dict[object, int] = {}
        for i, x in enumerate(X):
            j = seen.setdefault(x, i)
            if z[i] != z[j]:
                return j, i
        return None
    _, first, inverse = np.unique(X + 0.0, axis=0, return_index=True, return_inverse=True)
    partner = first[inverse.ravel()]
    clash = np.flatnonzero(z != z[partner])
    return (int(partner[clash[0]]), int(clash[0])) if len(clash) else None
