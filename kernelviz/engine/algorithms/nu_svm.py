"""Support vector machines with ν in place of C: two classes, and one class.

ν bounds the fraction of points inside the margin (or outside the region) from above and that of support
vectors from below. In the dual Σα = νn is fixed, and the price C of slack follows from the solution."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor

import numpy as np

from kernelviz.engine.algorithms.dual_svm import (
    FINEST,
    SupportVectorMachine,
    fraction,
    to_the_last_digit,
)
from kernelviz.engine.algorithms.objectives import Solution
from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.core.data import Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import number, real
from kernelviz.engine.models.base import Status
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.solvers.qp.program import ROUNDING, Dual, Optimality, Point
from kernelviz.engine.solvers.qp.rows import GramRows
from kernelviz.engine.solvers.qp.solve import Work, optimise


@dataclass(frozen=True)
class NuSVM(SupportVectorMachine):
    """min ½ β'Kβ, 0 ≤ α ≤ 1, Σβ = 0, Σα = νn; then divided so that the margins are s = ±1.

    At most a fraction ν of the points is inside the margin, and at least ν are support vectors. ν can be no
    larger than twice the share of the smaller class."""

    name = "nu-svm"
    other_names = ("nu-svc",)
    place = 5
    title = "ν-SVM"
    summary_line = "At most a fraction ν of the points with z·s < 1, at least ν support vectors."
    latex = (
        r"\min_\alpha \tfrac12 \sum_{i,j} \alpha_i \alpha_j z_i z_j K(x_i, x_j),"
        r"\quad 0 \le \alpha_i \le 1,\ \sum_i \alpha_i z_i = 0,\ \sum_i \alpha_i = \nu n"
    )

    nu: float = fraction(
        "Bounds the fraction of points with z·s < 1 from above and of support vectors from below"
    )

    def size_of_a_score(self, dual: Dual) -> float:
        """Return 1: the scores are divided so that the margins are at ±1."""
        return 1.0

    def accuracy_of_the_dual(self, dual: Dual, point: Point, optimality: Optimality) -> float:
        return self.tol * self.unit(dual, point, optimality)

    def check(self, problem: Problem) -> None:
        super().check(problem)
        positive = int((problem.z > 0).sum())
        largest = 2 * min(positive, problem.n - positive) / problem.n
        if self.nu > largest:
            shown = number(floor(largest * 1e4) / 1e4)
            raise BadInput(f"With these classes ν can be at most {shown}, not {number(self.nu)}.")

    def dual(self, problem: Problem, rows: GramRows) -> Dual:
        z = problem.z
        half = 0.5 * self.nu * problem.n
        groups = np.array([z > 0, z < 0], dtype=np.float64)
        bounds = np.minimum(0.0, z), np.maximum(0.0, z)
        return Dual(rows, np.zeros(problem.n), *bounds, (half, -half), groups)

    def first(self, dual: Dual) -> Array:
        """Start as LIBSVM does, with the first points of each class at their bound."""
        b = np.zeros(dual.n)
        for inside, total in zip(dual.members, dual.totals, strict=True):
            places = np.flatnonzero(inside)
            b[places] = np.sign(total) * np.clip(abs(total) - np.arange(len(places)), 0.0, 1.0)
        return b

    def optimise(self, dual: Dual, point: Point, warm: bool) -> Work:
        """Solve until the tolerance also holds for the divided scores, or no margin can be left."""
        tol = self.tol * dual.spread
        # Times the tolerance where the margins' levels cross: so close they say nothing before they are
        # exact.
        closer = 1e-2
        while True:
            optimality = yield from optimise(dual, point, tol, warm)
            unit = self.unit(dual, point, optimality)
            if self.meets(dual, point) or optimality.gap > tol:
                return optimality
            if optimality.gap <= self.tol * unit:
                solved = self.tol > FINEST
                return optimality if solved else (yield from to_the_last_digit(dual, point, optimality))
            tol, warm = (0.5 * self.tol * unit if unit > 0.0 else closer * tol), True

    def meets(self, dual: Dual, point: Point) -> bool:
        """Return True if the reduced convex hulls are no farther apart than points that touch.

        β'Kβ is at least the square of their distance, and only falls on the way to the solution."""
        half = dual.totals[0]
        return not float(point.b @ point.h) > half * half * dual.rows.touching()

    def unit(self, dual: Dual, point: Point, optimality: Optimality) -> float:
        """Return half the distance between the levels of Kβ at the two margins, by which the weights are
        divided; 0 if the levels do not differ beyond their rounding, as in the first steps of a run."""
        if self.meets(dual, point):
            return 0.0
        above, below = optimality.offsets(dual)
        apart = 0.5 * (below - above)
        return apart if apart > ROUNDING * float(np.abs(point.h).max()) else 0.0

    def solution(self, dual: Dual, point: Point, optimality: Optimality) -> Solution:
        unit = self.unit(dual, point, optimality)
        if unit == 0.0:
            nothing = np.zeros(dual.n)
            return Solution(nothing, nothing.copy(), 0.0, optimality.gap, np.inf)
        above, below = optimality.offsets(dual)
        offset = 0.5 * (above + below) / unit
        return Solution(point.b / unit, point.h / unit, offset, optimality.gap / unit, unit)

    def verdict(self, dual: Dual, found: Solution) -> tuple[Status, str]:
        if found.unit == np.inf:
            return Status.NOT_SEPARABLE, (
                "There is no margin: at this ν the reduced convex hulls of the classes still meet, or nearly "
                "so. Choose a larger ν or another kernel."
            )
        return super().verdict(dual, found)

    def primal(self, problem: Problem, norm2: float, scores: Array, found: Solution) -> float:
        """Return the objective of the C-SVM with the same solution: ½|w|² + C Σh with C one over the unit."""
        return 0.5 * norm2 + float(np.maximum(0.0, 1.0 - problem.z * scores).sum()) / found.unit

    def linear_term(self, dual: Dual, beta: Array) -> float:
        return float(np.abs(beta).sum())

    def upper(self, dual: Dual, found: Solution) -> Array:
        return read_only(dual.width / found.unit)


@dataclass(frozen=True)
class OneClassSVM(SupportVectorMachine):
    """min ½ α'Kα, 0 ≤ α ≤ 1, Σα = νn; labels are ignored, s ≥ 0 is inside.

    At most a fraction ν of the points lies outside the region s ≥ 0."""

    name = "one-class-svm"
    other_names = ("ocsvm", "novelty")
    place = 6
    title = "One-class SVM"
    summary_line = "A region that holds all but about a fraction ν of the points, whatever their class."
    latex = (
        r"\min_\alpha \tfrac12 \sum_{i,j} \alpha_i \alpha_j K(x_i, x_j),"
        r"\quad 0 \le \alpha_i \le 1,\ \sum_i \alpha_i = \nu n"
    )
    no_digits = "values of the kernel so large leave no more digits, "
    unknown = " The objective is not known to five digits: the points cancel each other, and w is nearly 0."
    tasks = frozenset({Task.TWO_CLASSES, Task.CLASSES, Task.NONE})
    needs_both_classes = False

    nu: float = real(
        0.1,
        low=1e-4,
        high=1.0,
        soft=(0.01, 1.0),
        label="ν",
        help="At most this fraction outside, at least this fraction support vectors",
    )

    def dual(self, problem: Problem, rows: GramRows) -> Dual:
        n = problem.n
        return Dual(rows, np.zeros(n), np.zeros(n), np.ones(n), (self.nu * n,))

    def first(self, dual: Dual) -> Array:
        """Start with the most isolated points, as far as the first rows show, at their bound."""
        n, total = dual.n, dual.totals[0]
        sample = np.arange(0, n, max(1, n // 256))
        order = np.argsort(dual.rows.some(sample).sum(axis=0), kind="stable")
        b = np.zeros(n)
        whole = int(total)
        b[order[:whole]] = 1.0
        if whole < n:
            b[order[whole]] = total - whole
        return b

    def accuracy_of_the_dual(self, dual: Dual, point: Point, optimality: Optimality) -> float:
        return self.tol * _size_at(dual, point.b, point.h)

    def accepted_at(self, dual: Dual, found: Solution) -> float:
        return self.tol * _size_at(dual, found.beta, found.h)

    def optimise(self, dual: Dual, point: Point, warm: bool) -> Work:
        """Solve until the tolerance also holds for the scores at the solution, or no step leads there."""
        tol = self.accepted(dual)
        optimality = yield from super().optimise(dual, point, warm)
        while True:
            finer = self.accuracy_of_the_dual(dual, point, optimality)
            if not finer < optimality.gap <= tol:
                return optimality
            tol = 0.5 * finer
            optimality = yield from optimise(dual, point, tol, True)

    def primal(self, problem: Problem, norm2: float, scores: Array, found: Solution) -> float:
        """Return ½|w|² + Σ max(0, -s) + νn b; the offset b is minus the threshold ρ."""
        outside = float(np.maximum(0.0, -scores).sum())
        return 0.5 * norm2 + outside + self.nu * problem.n * found.offset

    def upper(self, dual: Dual, found: Solution) -> Array:
        return dual.width


def _size_at(dual: Dual, alpha: Array, h: Array) -> float:
    """Return the size of the scores h = Kα of the support vectors, which is ρ at the solution, or of their
    terms where these cancel; never more than the largest K(x, x), which may be that of a point far inside."""
    support = alpha.nonzero()[0]
    size = float(np.abs(h[support]).max())
    cancelled = 1e-9  # Of the terms of a score: where no score is larger than that, they cancel each other.
    if size < dual.spread:
        terms = float((np.abs(dual.rows.some(support)[:, support]) @ alpha[support]).max())
        size = terms if size <= cancelled * terms else size
    return min(size, dual.spread) or dual.spread  # all scores are 0 with a point at the origin
