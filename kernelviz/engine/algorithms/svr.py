"""Support vector regression: residuals inside a tube |y - s(x)| ≤ ε cost nothing.

    min ½||w||² + C Σ max(0, |y_i - s(x_i)| - ε)

Points inside the tube have β = 0, on its edge 0 < |β| < C, outside |β| = C. ε is given, or found from ν, an
upper bound on the fraction of points outside."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from kernelviz.engine.algorithms.dual_svm import (
    SupportVectorMachine,
    fraction,
    slack_price,
)
from kernelviz.engine.algorithms.objectives import Solution
from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.core.data import Task
from kernelviz.engine.core.losses import Loss, epsilon_insensitive
from kernelviz.engine.core.params import real
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.engine.models.method import Price
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.solvers.qp.program import SURE, Dual, Optimality, Point, rounding
from kernelviz.engine.solvers.qp.rows import GramRows


@dataclass(frozen=True)
class SupportVectorRegression(SupportVectorMachine):
    """max y'β - ε Σ|β| - ½ β'Kβ, |β| ≤ C, Σβ = 0.

    Inside the tube |y - s| < ε a point has β = 0, on its edge 0 < |β| < C, outside |β| = C. In scikit-learn
    this is SVR."""

    name = "svr"
    other_names = ("epsilon-svr", "tube")
    place = 8
    forgets = True
    accepts_weights = True
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

    @property
    def loss_of_residuals(self) -> Loss:
        return epsilon_insensitive(self.epsilon)

    def dual(self, problem: Problem, rows: GramRows) -> Dual:
        n, y, epsilon = problem.n, problem.y, self.epsilon
        C = np.full(n, problem.priced(self.C))
        if epsilon == 0.0:
            return Dual(rows, y, -C, C)
        return Dual(rows, y - epsilon, np.zeros(n), C, fold=2.0 * epsilon, y=y)

    def solution(self, dual: Dual, point: Point, optimality: Optimality) -> Solution:
        (offset,) = optimality.offsets(dual)
        return Solution(point.b, point.h, offset, optimality.gap, tube=self.epsilon)

    def primal(self, problem: Problem, norm2: float, scores: Array, found: Solution) -> float:
        """Return ½|w|² + C Σ max(0, |y - s| - ε)."""
        outside = np.maximum(np.abs(problem.y - scores) - self.epsilon, 0.0)
        return 0.5 * norm2 + self.C * problem.data.total(outside)

    def charged(self, problem: Problem, scores: Array, found: Solution, error: float) -> float:
        return _charged(problem.y - scores, self.epsilon, error)

    @property
    def prices(self) -> tuple[Price, Price]:
        return Price("C ", self.C), Price("½ ", 0.5)

    def upper(self, dual: Dual, found: Solution) -> Array:
        return dual.width if dual.fold else read_only(0.5 * dual.width)


@dataclass(frozen=True)
class NuSVR(SupportVectorMachine):
    """max y'β - ½ β'Kβ,  |β| ≤ C,  Σβ = 0,  Σ|β| ≤ Cνn; ε is the multiplier of the last condition

    β = α - α* with a copy of each point for either: Σα = Σα* = Cνn/2 makes two groups, as in the ν-SVM."""

    name = "nu-svr"
    place = 9
    title = "ν support vector regression"
    summary_line = "A tube just so wide that at most a fraction ν of the points is outside."
    latex = (
        r"\max_\beta \sum_i y_i \beta_i - \tfrac12 \sum_{i,j} \beta_i \beta_j K(x_i, x_j),"
        r"\quad |\beta_i| \le C,\ \sum_i \beta_i = 0,\ \sum_i |\beta_i| \le C \nu n"
    )
    tasks = frozenset({Task.REGRESSION})

    C: float = slack_price()
    nu: float = fraction("Bounds the fraction of points outside from above and of support vectors from below")

    def begin(self, problem: Problem, start: Model | None) -> tuple[Dual, Point, bool]:
        data = problem.data
        twice = replace(
            data,
            X=read_only(np.concatenate([data.X, data.X])) if isinstance(data.X, np.ndarray) else data.X * 2,
            target=read_only(np.concatenate([data.y, data.y])),
        )
        return super().begin(Problem(twice, problem.kernel), start)

    def dual(self, problem: Problem, rows: GramRows) -> Dual:
        n = problem.n // 2
        half, sides = 0.5 * self.C * self.nu * n, np.repeat([1.0, -1.0], n)
        groups = np.array([sides > 0, sides < 0], dtype=np.float64)
        bounds = np.minimum(0.0, self.C * sides), np.maximum(0.0, self.C * sides)
        return Dual(rows, problem.y, *bounds, (half, -half), groups, twice=True)

    def first(self, dual: Dual) -> Array:
        """Start as LIBSVM does, with the first points at their bound, α and α* alike, so that β = 0."""
        n, C = dual.n // 2, dual.largest
        b = np.clip(dual.totals[0] - C * np.arange(n), 0.0, C)
        return np.concatenate([b, -b])

    def solution(self, dual: Dual, point: Point, optimality: Optimality) -> Solution:
        n, (above, below) = dual.n // 2, optimality.offsets(dual)
        epsilon = max(0.0, 0.5 * (above - below))
        beta = point.b[:n] + point.b[n:]
        return Solution(beta, point.h[:n], 0.5 * (above + below), optimality.gap, tube=epsilon)

    def final(self, problem: Problem, dual: Dual, point: Point, optimality: Optimality) -> KernelModel:
        """Return the final model, solved as ε = 0 regression if β would lose its digits.

        Where both α and α* of a point are positive there is no tube, and Σ|β| is below its limit. The
        common part of the two may then be so large that their difference β has no digits left."""
        model = super().final(problem, dual, point, optimality)
        common = np.minimum(point.b[: problem.n], -point.b[problem.n :])
        kept = model.converged and rounding(dual, point.b) <= SURE * self.accepted(dual)
        if kept or not common.any():
            return model
        alone = SupportVectorRegression(C=self.C, epsilon=0.0, tol=self.tol).fit(problem)
        assert isinstance(alone, KernelModel)
        if float(alone.alpha.sum()) > 2.0 * dual.totals[0]:
            return model
        return replace(alone, algorithm=self, memory=model.memory)

    def primal(self, problem: Problem, norm2: float, scores: Array, found: Solution) -> float:
        """Return ½|w|² + C (νnε + Σ max(0, |y - s| - ε))."""
        epsilon = found.tube or 0.0
        outside = float(epsilon_insensitive(epsilon).of(problem.y - scores).sum())
        return 0.5 * norm2 + self.C * (self.nu * problem.n * epsilon + outside)

    def charged(self, problem: Problem, scores: Array, found: Solution, error: float) -> float:
        return _charged(problem.y - scores, found.tube or 0.0, error)

    @property
    def prices(self) -> tuple[Price, Price]:
        return Price("C νnε + C ", self.C), Price("½ ", 0.5)

    def price_of_tube(self, n: int) -> float:
        return self.C * self.nu * n

    def linear_term(self, dual: Dual, beta: Array) -> float:
        return float(dual.p[: len(beta)].dot(beta))

    def upper(self, dual: Dual, found: Solution) -> Array:
        return read_only(np.full(dual.n // 2, self.C))


def _charged(residuals: Array, epsilon: float, error: float) -> float:
    """Return the error of the sum of max(0, |r| - epsilon), in units of the error of a score.

    Those of points outside of the tube add up as random steps. At its edge an error of either sign adds to
    the sum or changes nothing, so that all of them count."""
    outside = np.abs(residuals) - epsilon
    beyond, inside = (int(np.count_nonzero(outside > bound)) for bound in (error, -error))
    return sqrt(beyond) + (inside - beyond)
