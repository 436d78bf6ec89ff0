"""The soft-margin support vector machine with linear slack (C-SVC)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.algorithms.base import Price
from kernelviz.engine.arrays import Array
from kernelviz.engine.problem import Problem
from kernelviz.engine.solvers.qp import Dual
from kernelviz.engine.solvers.qp_rows import Rows
from kernelviz.engine.solvers.qp_svm import Solution, SupportVectorMachine, slack_price, tolerance

__all__ = ["SoftMarginSVM"]


@dataclass(frozen=True)
class SoftMarginSVM(SupportVectorMachine):
    """max Σα - ½ β'Kβ,  0 ≤ α ≤ C,  Σβ = 0,  β = αz"""

    name = "soft-margin-svm"
    place = 3
    forgets = True
    title = "Soft-margin SVM"
    summary_line = "Widest margin, with slack paid for linearly."
    latex = (
        r"\max_\alpha \sum_i \alpha_i - \tfrac12 \sum_{i,j} \alpha_i \alpha_j z_i z_j K(x_i, x_j),"
        r"\quad 0 \le \alpha_i \le C,\ \sum_i \alpha_i z_i = 0"
    )

    C: float = slack_price()
    tol: float = tolerance()

    @property
    def accuracy(self) -> float:
        return self.tol

    def dual(self, problem: Problem, rows: Rows) -> Dual:
        z = problem.z
        return Dual(rows, z, np.minimum(0.0, self.C * z), np.maximum(0.0, self.C * z))

    def primal(self, problem: Problem, norm2: float, scores: Array, found: Solution) -> float:
        """½|w|² + C Σ h"""
        slack = 1.0 - problem.z * scores
        return 0.5 * norm2 + self.C * float(np.add.reduce(np.maximum(slack, 0.0, out=slack)))

    @property
    def prices(self) -> tuple[Price, Price]:
        return Price("C ", self.C), Price("½ ", 0.5)

    def upper(self, dual: Dual, found: Solution) -> Array:
        return dual.width
