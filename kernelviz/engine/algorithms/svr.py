"""Support vector regression: a tube of given width, and slack for what is outside."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.algorithms.base import Price
from kernelviz.engine.arrays import Array, read_only
from kernelviz.engine.data import Task
from kernelviz.engine.losses import Loss, epsilon_insensitive
from kernelviz.engine.params import real
from kernelviz.engine.problem import Problem
from kernelviz.engine.solvers.qp import Dual, Point, Standing
from kernelviz.engine.solvers.qp_rows import Rows
from kernelviz.engine.solvers.qp_svm import Solution, SupportVectorMachine, slack_price, tolerance

__all__ = ["SupportVectorRegression"]


@dataclass(frozen=True)
class SupportVectorRegression(SupportVectorMachine):
    """max y'β - ε Σ|β| - ½ β'Kβ,  |β| ≤ C,  Σβ = 0: inside the tube β = 0, on its edge free, outside C"""

    name = "svr"
    place = 8
    forgets = True
    title = "Support vector regression"
    summary_line = (
        "The flattest curve with the points inside a tube of width 2ε; what sticks out is paid for."
    )
    latex = (
        r"\max_\beta \sum_i y_i \beta_i - \varepsilon \sum_i |\beta_i|"
        r" - \tfrac12 \sum_{i,j} \beta_i \beta_j K(x_i, x_j),\quad |\beta_i| \le C,\ \sum_i \beta_i = 0"
    )
    tasks = frozenset({Task.REGRESSION})

    C: float = slack_price()
    epsilon: float = real(
        0.1,
        low=0.0,
        high=1e6,
        soft=(0.0, 1.0),
        label="ε",
        help="Residuals up to this size cost nothing",
        simpler="larger",
    )
    tol: float = tolerance()

    @property
    def accuracy(self) -> float:
        return self.tol

    @property
    def loss_of_residuals(self) -> Loss:
        return epsilon_insensitive(self.epsilon)

    def dual(self, problem: Problem, rows: Rows) -> Dual:
        n, C = problem.n, self.C
        if self.epsilon == 0.0:
            return Dual(rows, problem.y, np.full(n, -C), np.full(n, C))
        return Dual(rows, problem.y - self.epsilon, np.zeros(n), np.full(n, C), fold=2.0 * self.epsilon)

    def solution(self, dual: Dual, point: Point, standing: Standing) -> Solution:
        return super().solution(dual, point, standing)._replace(tube=self.epsilon)

    def primal(self, problem: Problem, norm2: float, scores: Array, found: Solution) -> float:
        """½|w|² + C Σ max(0, |y - s| - ε)"""
        outside = np.maximum(np.abs(problem.y - scores) - self.epsilon, 0.0)
        return 0.5 * norm2 + self.C * float(outside.sum())

    @property
    def prices(self) -> tuple[Price, Price]:
        return Price("C ", self.C), Price("½ ", 0.5)

    def upper(self, dual: Dual, found: Solution) -> Array:
        return read_only(np.full(dual.n, self.C))
