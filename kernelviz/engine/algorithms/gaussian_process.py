"""Gaussian process regression."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm, Iterate
from kernelviz.engine.algorithms.ridge import NEARLY_SINGULAR, ROUNDING
from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.core.cholesky import factorise, solve
from kernelviz.engine.core.data import Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import View, real
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.models.base import Change, Model, Price, Status
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.models.process import GaussianProcessModel
from kernelviz.engine.solvers.likelihood import climb_likelihood
from kernelviz.engine.solvers.ridge import inverse_diagonal, shrinking

SPARE = 1e-10  # Of the largest K(x, x), added where rounding has made K + noise I indefinite.

STANDARD_DEVIATION = View(
    "sd", "σ", "Standard deviation of the noise", lambda s: s * s, sqrt, aliases=("sigma", "std")
)


@dataclass(frozen=True)
class GaussianProcess(Algorithm):
    """f ~ N(0, K), y = f + noise: the mean is kernel ridge with λ = the variance of the noise, and every
    prediction has a standard deviation."""

    name = "gaussian-process"
    family = "Minimising a loss"
    place = 4
    title = "Gaussian process"
    summary_line = "A distribution over functions: its mean given the points, and its remaining spread."
    latex = (
        r"f \mid y \sim N\left(k^\top A^{-1} y,\ K(x, x) - k^\top A^{-1} k\right),"
        r"\quad A = K + \sigma^2 I"
    )
    tasks = frozenset({Task.REGRESSION})
    watchable = False
    improvement = "Maximise likelihood"

    noise: float = real(
        0.01,
        low=1e-10,
        high=1e8,
        soft=(1e-4, 1.0),
        scale="log",
        label="σ²",
        help="Variance of the noise in y",
        views=(STANDARD_DEVIATION,),
        simpler="larger",
    )

    @property
    def weighs_every_point(self) -> bool:
        return True

    def hat(self, problem: Problem) -> Array:
        """Return K (K + σ²I)⁻¹."""
        return shrinking(problem.gram, self.noise)

    def left_out(self, model: Model) -> Array | None:
        """Return β_i / (A⁻¹)_ii, A = K + σ²I."""
        if not isinstance(model, GaussianProcessModel):
            return None
        return read_only(model.weights / inverse_diagonal(model.problem.gram, model.noise))

    @property
    def prices(self) -> tuple[Price, Price]:
        """Twice the negative logarithm of the posterior, up to a constant."""
        return Price("1/σ² ", 1.0 / self.noise), Price("", 1.0)

    def improved(self, problem: Problem) -> Generator[float, None, tuple[Kernel, GaussianProcess]]:
        return climb_likelihood(problem, self)

    def steps(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        if start is not None:
            problem.adopt_gram(start.problem)
        K, y = problem.gram, problem.y
        L, spare = _factor(K, self.noise), 0.0
        if L is None:
            spare = SPARE * float(np.abs(K.diagonal()).max())
            L = _factor(K, self.noise + spare)
        if L is None:
            raise BadInput(
                "The kernel is not positive semi-definite on these points, so that no process has it as its "
                "covariance. Choose another kernel, or more noise."
            )
        beta = solve(L, y)
        fitted = K @ beta
        status, message = Status.CONVERGED, "Solved exactly: one linear system."
        if not np.abs(y - fitted - self.noise * beta).max() <= ROUNDING * np.abs(y).max():
            status, message = Status.LIMIT, NEARLY_SINGULAR.replace("λ", "variance of the noise")
        residual = y - fitted
        primal = float(residual @ residual) / self.noise + float(beta @ fitted)
        model = GaussianProcessModel(
            problem,
            self,
            status,
            message,
            1,
            weights=beta,
            offset=0.0,
            objectives=(primal if np.isfinite(primal) else None, None),
            known_scores=fitted,
            factor=L,
            noise=self.noise + spare,
        )
        objectives = {"primal": primal} if np.isfinite(primal) else {}
        yield Iterate(1, model, objectives, Change("one linear system", kind="closed form"), True)


def _factor(K: Array, noise: float) -> Array | None:
    A = K.copy()
    A.flat[:: len(A) + 1] += noise
    return factorise(A)
