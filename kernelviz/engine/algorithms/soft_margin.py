"""Soft-margin support vector machines: slack h_i = max(0, 1 - z_i s(x_i)) paid for linearly or squared.

    linear     min ½||w||² + C Σh          the dual has the box 0 ≤ α ≤ C
    squared    min ½||w||² + Σh²/(2λ)      the dual has K + λI for K, α ≥ 0, and h = λα

Both duals maximise Σα - ½ β'Kβ with β = αz, Σβ = 0."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.algorithms.dual_svm import (
    SupportVectorMachine,
    half_lines,
    slack_price,
)
from kernelviz.engine.algorithms.objectives import Solution
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.losses import SQUARED_HINGE
from kernelviz.engine.core.params import real
from kernelviz.engine.models.method import Price
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.solvers.qp.program import Dual
from kernelviz.engine.solvers.qp.rows import GramRows


@dataclass(frozen=True)
class SoftMarginSVM(SupportVectorMachine):
    """max Σα - ½ β'Kβ, 0 ≤ α ≤ C, Σβ = 0, β = αz.

    This is the dual of min ½||w||² + C Σ max(0, 1 - z s), scikit-learn's SVC. A point has α = 0 outside the
    margin, 0 < α < C on it and α = C inside."""

    name = "soft-margin-svm"
    other_names = ("svm", "svc", "c-svm")
    place = 3
    forgets = True
    accepts_weights = True
    title = "Soft-margin SVM"
    summary_line = "Widest margin, with slack paid for linearly."
    latex = (
        r"\max_\alpha \sum_i \alpha_i - \tfrac12 \sum_{i,j} \alpha_i \alpha_j z_i z_j K(x_i, x_j),"
        r"\quad 0 \le \alpha_i \le C,\ \sum_i \alpha_i z_i = 0"
    )

    C: float = slack_price()

    def dual(self, problem: Problem, rows: GramRows) -> Dual:
        z = problem.z
        bounds = problem.priced(self.C) * z
        return Dual(rows, z, np.minimum(0.0, bounds), np.maximum(0.0, bounds), signed=True)

    def primal(self, problem: Problem, norm2: float, scores: Array, found: Solution) -> float:
        """Return ½|w|² + C Σ h."""
        slack = 1.0 - problem.z * scores
        return 0.5 * norm2 + self.C * problem.data.total(np.maximum(slack, 0.0, out=slack))

    @property
    def prices(self) -> tuple[Price, Price]:
        return Price("C ", self.C), Price("½ ", 0.5)

    def upper(self, dual: Dual, found: Solution) -> Array:
        return dual.width


@dataclass(frozen=True)
class SquaredSlackSVM(SupportVectorMachine):
    """max Σα - ½ β'(K + λI)β, α ≥ 0, Σβ = 0; the slack of a point is λα.

    This is the dual of min ½||w||² + Σh²/(2λ): a hard margin for the kernel K + λI, which separates any
    points."""

    name = "squared-slack-svm"
    other_names = ("l2-svm",)
    place = 4
    forgets = True
    accepts_weights = True
    title = "Soft-margin SVM, squared slack"
    summary_line = "Widest margin, with slack paid for by its square."
    latex = (
        r"\max_\alpha \sum_i \alpha_i - \tfrac12 \sum_{i,j} \alpha_i \alpha_j z_i z_j"
        r"\left(K(x_i, x_j) + \lambda\,\delta_{ij}\right),\quad \alpha_i \ge 0,\ \sum_i \alpha_i z_i = 0"
    )
    own_loss = SQUARED_HINGE

    lam: float = real(
        0.1,
        low=1e-8,
        high=1e8,
        soft=(1e-4, 1e2),
        scale="log",
        label="λ",
        help="Slack per unit of dual weight",
        simpler="larger",
    )

    @property
    def ridge(self) -> float:
        return self.lam

    def ridge_of(self, problem: Problem) -> float | Array:
        """Return λ over the weights; a point of weight 0, which the box keeps at 0, needs none."""
        w = problem.data.weights
        return self.lam if w is None else self.lam / np.where(w > 0.0, w, 1.0)

    def check(self, problem: Problem) -> None:
        super().check(problem)
        if problem.kernel.positive_definite:
            return
        # Without a box on alpha the dual grows for ever along a direction in which K + lam I is negative.
        roots = np.sqrt(problem.priced(1.0))
        smallest = float(np.linalg.eigvalsh(np.atleast_2d(roots).T * problem.gram * roots)[0])
        if smallest + self.lam <= 0:
            raise BadInput(
                f"With {problem.kernel} these points have a solution only for λ above {-smallest:.3g}: "
                "raise λ, or use soft-margin-svm or another kernel."
            )

    @property
    def prices(self) -> tuple[Price, Price]:
        return Price("1/(2λ) ", 0.5 / self.lam), Price("½ ", 0.5)

    def dual(self, problem: Problem, rows: GramRows) -> Dual:
        return half_lines(problem, rows)

    def primal(self, problem: Problem, norm2: float, scores: Array, found: Solution) -> float:
        """Return ½|w|² + Σh²/(2λ)."""
        slack = np.maximum(0.0, 1.0 - problem.z * scores)
        return 0.5 * norm2 + 0.5 * float(slack @ (problem.priced(1.0) * slack)) / self.lam
