"""The one-class support vector machine: where do the points lie?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.data import Task
from kernelviz.engine.params import real
from kernelviz.engine.problem import Problem
from kernelviz.engine.solvers.qp import Dual
from kernelviz.engine.solvers.qp_rows import Rows
from kernelviz.engine.solvers.qp_svm import Solution, SupportVectorMachine, tolerance

__all__ = ["OneClassSVM"]


@dataclass(frozen=True)
class OneClassSVM(SupportVectorMachine):
    """min ½ α'Kα,  0 ≤ α ≤ 1,  Σα = νn; labels are ignored, s ≥ 0 is inside"""

    name = "one-class-svm"
    place = 6
    title = "One-class SVM"
    summary_line = "A region that holds all but about a fraction ν of the points, whatever their class."
    latex = (
        r"\min_\alpha \tfrac12 \sum_{i,j} \alpha_i \alpha_j K(x_i, x_j),"
        r"\quad 0 \le \alpha_i \le 1,\ \sum_i \alpha_i = \nu n"
    )
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
    tol: float = tolerance()

    @property
    def accuracy(self) -> float:
        return self.tol

    def dual(self, problem: Problem, rows: Rows) -> Dual:
        n = problem.n
        return Dual(rows, np.zeros(n), np.zeros(n), np.ones(n), (self.nu * n,))

    def first(self, dual: Dual) -> Array:
        """The loneliest points, as far as the first rows tell, at their bound."""
        n, total = dual.n, dual.totals[0]
        sample = np.arange(0, n, max(1, n // 256))
        order = np.argsort(dual.rows.some(sample).sum(axis=0), kind="stable")
        b = np.zeros(n)
        whole = int(total)
        b[order[:whole]] = 1.0
        if whole < n:
            b[order[whole]] = total - whole
        return b

    def primal(self, problem: Problem, norm2: float, scores: Array, found: Solution) -> float:
        """½|w|² + Σ max(0, -s) + νn b; the offset b is minus the threshold ρ"""
        outside = float(np.maximum(0.0, -scores).sum())
        return 0.5 * norm2 + outside + self.nu * problem.n * found.offset

    def upper(self, dual: Dual, found: Solution) -> Array:
        return dual.width
