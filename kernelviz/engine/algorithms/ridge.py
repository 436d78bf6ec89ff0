"""Kernel ridge: least squares with a penalty, for classes -1 and +1 or for real targets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm, Change, Iterate, Price
from kernelviz.engine.arrays import Array
from kernelviz.engine.data import Task
from kernelviz.engine.kernel_model import KernelModel
from kernelviz.engine.losses import SQUARED, SQUARED_TO_HALF, Loss
from kernelviz.engine.model import Model, Status
from kernelviz.engine.params import choice, real
from kernelviz.engine.problem import Problem

__all__ = ["NEARLY_SINGULAR", "ROUNDING", "Ridge", "Spectrum", "shrinking"]

EIGENVECTORS_UP_TO = 1200
"""Up to so many points the eigenvectors are worth keeping; beyond, a new solve is the quicker way."""

NEARLY_SINGULAR = "The linear system is nearly singular; a larger λ makes the answer reliable."

ROUNDING, VISIBLE = 1e-6, 1e-4
"""Relative errors of the linear system: above the first a better way is tried, above the second nothing is
called solved."""


@dataclass(frozen=True, eq=False)
class Spectrum:
    """K = V diag(values) V', computed once; then every lambda and every target costs a few products."""

    values: Array
    vectors: Array
    _last: list[tuple[Array, Array]] = field(default_factory=list)

    @classmethod
    def of(cls, K: Array) -> Spectrum:
        values, vectors = np.linalg.eigh(K)
        # An eigenvalue within rounding of zero is zero: below it lam would meet noise of either sign.
        noise = len(K) * np.finfo(np.float64).eps * float(np.abs(values).max())
        return cls(np.where(np.abs(values) <= noise, 0.0, values), vectors)

    def solve(self, y: Array, lam: float) -> Array:
        """beta = (K + lam I)^-1 y."""
        shifted = self.values + lam
        # Only an indefinite kernel can bring an eigenvalue to -lam; along it there is no solution.
        shifted[np.abs(shifted) <= 1e-14 * float(np.abs(self.values).max())] = np.inf
        return np.asarray(self.vectors @ (self.along(y) / shifted))

    def along(self, y: Array) -> Array:
        """V'y, kept for the next lambda."""
        known = self._last[0] if self._last else None
        if known is None or known[0] is not y:
            known = y, y @ self.vectors
            self._last[:] = [known]
        return known[1]


@dataclass(frozen=True)
class Ridge(Algorithm):
    """β = (K + λI)⁻¹ z minimises ||z - Kβ||² + λ β'Kβ; s(x) = Σ β_i K(x_i, x), no b.

    With the targets zero-one the classes are 0 and 1 as they are, t = (z + 1)/2 in place of z. The fit then
    estimates the chance of the class 1 and is compared with ½: s(x) = Σ β_i K(x_i, x) - ½, so b = -½."""

    name = "ridge"
    family = "Minimising a loss"
    place = 3
    title = "Kernel ridge"
    summary_line = (
        "Least squares with a price on the norm: one linear system. Classes are -1 and +1, or 0 and 1."
    )
    latex = (
        r"\min_\beta \lVert y - K\beta\rVert^2 + \lambda\, \beta^\top K \beta,"
        r"\quad \beta = (K + \lambda I)^{-1} y"
    )
    tasks = frozenset({Task.TWO_CLASSES, Task.REGRESSION})
    watchable = False
    needs_both_classes = False

    lam: float = real(
        0.1, low=1e-8, high=1e8, soft=(1e-4, 1e2), scale="log", label="λ", help="Weight of the penalty ‖w‖²"
    )
    targets: str = choice(
        "signs",
        ("signs", "zero-one"),
        label="targets",
        help="What stands for two classes: -1 and +1, divided at 0, or 0 and 1, divided at ½",
        silent=True,
    )

    @property
    def own_loss(self) -> Loss:
        return SQUARED_TO_HALF if self.targets == "zero-one" else SQUARED

    @property
    def weighs_every_point(self) -> bool:
        return True

    def steps(self, problem: Problem, start: Model | None = None) -> Iterator[Iterate]:
        lam, (y, threshold) = self.lam, self._targets(problem)
        spectrum = _earlier_spectrum(start, problem)
        beta = _solve(problem.gram, y, lam) if spectrum is None else spectrum.solve(y, lam)
        # As everybody will compute them, not by way of eigenvectors, which know more digits.
        fitted = problem.gram @ beta
        status, message = Status.CONVERGED, "Solved exactly: one linear system."
        if threshold:
            message = "Solved exactly: one linear system for the targets 0 and 1; s = 0 where the fit is ½."
        if not np.abs(y - fitted - lam * beta).max() <= VISIBLE * np.abs(y).max():
            status = Status.LIMIT
            message = NEARLY_SINGULAR
        primal = float((y - fitted) @ (y - fitted) + lam * beta @ fitted)
        model = KernelModel(
            problem,
            self,
            status,
            message,
            1,
            weights=beta,
            offset=-threshold,
            objectives=(primal, None),
            memory=spectrum,
            known_scores=fitted - threshold,
        )
        yield Iterate(1, model, {"primal": primal}, Change("one linear system", kind="closed form"), True)

    def hat(self, problem: Problem) -> Array:
        """K (K + λI)⁻¹ = I - λ (K + λI)⁻¹"""
        return shrinking(problem.gram, self.lam)

    @property
    def prices(self) -> tuple[Price, Price]:
        return Price("", 1.0), Price("λ", self.lam)

    def _targets(self, problem: Problem) -> tuple[Array, float]:
        """What is fitted, and the value that divides the classes; real targets are fitted as they are."""
        if self.targets == "zero-one" and problem.data.task is Task.TWO_CLASSES:
            return 0.5 * (problem.z + 1.0), 0.5
        return problem.y, 0.0


def _earlier_spectrum(start: Model | None, problem: Problem) -> Spectrum | None:
    """The eigenvectors an earlier fit on the same points left, or new ones: the second lambda on the same
    points pays for them, all later ones are products. A drag, where K changes, never pays."""
    if not isinstance(start, KernelModel) or not isinstance(start.algorithm, Ridge):
        return None
    if problem.n > EIGENVECTORS_UP_TO or not problem.adopt_gram(start.problem):
        return None
    return start.memory if start.memory is not None else Spectrum.of(problem.gram)


def shrinking(K: Array, lam: float) -> Array:
    """H = K (K + lam I)^-1 by eigenvectors: a tiny lam costs no digits."""
    spectrum = Spectrum.of(K)
    shares = spectrum.values / (spectrum.values + lam)
    return np.asarray((spectrum.vectors * shares) @ spectrum.vectors.T)


def _solve(K: Array, y: Array, lam: float) -> Array:
    """beta = (K + lam I)^-1 y, without eigenvectors unless rounding asks for them."""
    A = K.copy()
    A.flat[:: len(A) + 1] += lam
    try:
        beta = np.asarray(np.linalg.solve(A, y), dtype=np.float64)
    except np.linalg.LinAlgError:
        return Spectrum.of(K).solve(y, lam)
    accurate = np.abs(y - K @ beta - lam * beta).max() <= ROUNDING * np.abs(y).max()
    return beta if accurate else Spectrum.of(K).solve(y, lam)
