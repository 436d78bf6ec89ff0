"""Models whose score is linear in a feature space, s(x) = b + w·phi(x).

A `KernelModel` has w = sum_i beta_i phi(x_i), so that s(x) = b + sum_i beta_i K(x_i, x) is a sum of kernels
around its points. A `FeatureModel` (`features.py`) has w itself, on a finite list of explicit features."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.core.arrays import Array, Indices, parts, read_only, without_results
from kernelviz.engine.core.certain import THREE_DIGITS
from kernelviz.engine.core.data import Data
from kernelviz.engine.fields.field import field
from kernelviz.engine.models.base import SURELY, Mark, Model
from kernelviz.engine.models.problem import Problem

# The share of a product of three numbers that rounding may change: three times the expected share.
EPSILON = 1.2e-15
TERM = 1e-15  # The share of a term of a score that rounding may change, also in a kernel of several factors.
BLUR = 2e-15  # What rounding leaves in a score, as a share of the size of the targets it was fitted to.


@dataclass(frozen=True, eq=False, repr=False)
class LinearModel(Model):
    """A score that is linear in some feature space, s(x) = b + w·phi(x).

    weights: the coefficients of w, of the points or of the features. offset: b. box: the upper bounds of
    alpha, if the dual has any."""

    weights: Array
    offset: float
    box: Array | None = None
    # (primal, dual) where the algorithm defines them.
    objectives: tuple[float | None, float | None] = (None, None)
    violation: float | None = None  # Largest KKT violation the solver ended with.
    memory: Any = None  # Private to the algorithm that made the model: what it needs for a warm start.
    extra_marks: tuple[Mark, ...] = ()

    def __getstate__(self) -> dict[str, Any]:
        return {**without_results(self), "memory": None}

    @property
    def b(self) -> float:
        return self.offset

    def marks(self) -> tuple[Mark, ...]:
        return self.extra_marks


@dataclass(frozen=True, eq=False, repr=False)
class KernelModel(LinearModel):
    """A sum of kernels around its points: s(x) = b + sum_i beta_i K(x_i, x); the weights are beta, (n,).

    A solver that knows the training scores or beta'K beta hands them over, so that they need not be computed
    again."""

    accepted: float | None = None  # The KKT violation at which the solver may stop.
    tube: float | None = None  # Half the height of the tube, for machines that have one.
    known_scores: Array | None = None  # s(x_i) on the training points, when the solver has them anyway.
    known_energy: float | None = None  # beta' K beta, when the solver has it anyway.
    # The error that rounding leaves in every score in addition to that of its terms, as where b is fitted to
    # targets; None when the signs of the known scores are those of exact arithmetic.
    blur: float | None = 0.0

    def __post_init__(self) -> None:
        # A solver goes on to change its arrays in place; the ones it handed out stay as they were.
        for name in ("weights", "known_scores"):
            values = getattr(self, name)
            if values is not None and values.flags.writeable:
                object.__setattr__(self, name, read_only(values))

    def score(self, X: Any) -> Array:
        X = self.arranged(X)
        if np.count_nonzero(self.weights) == len(self.weights) > 0:
            scores: Array = self.problem.cross(X).dot(self.weights)
            return scores + self.offset if self.offset else scores
        support = self.support
        if len(support) == 0:
            return np.full(len(self.problem.kernel.checked(X)), self.offset)
        return np.asarray(self.inner_products(X, support) @ self.weights[support] + self.offset)

    def on_plane(self, x1: Array, x2: Array) -> Array:
        support = self.support
        if len(support) == 0:
            return np.full((len(x2), len(x1)), self.offset)
        weights = self.weights[support]
        return field(self.problem.kernel, self.problem.X[support], weights, x1, x2) + self.offset

    @cached_property
    def flat(self) -> bool:
        """Whether all terms cancel, as where points of both classes coincide: s = b on all points."""
        if self.blur is None or not len(self.support):
            return not len(self.support)
        size = float(self.alpha.sum()) * self.problem.radius**2 + abs(self.offset)
        return bool(np.abs(self.training_scores - self.offset).max() <= SURELY * self._errors(size))

    @cached_property
    def training_scores(self) -> Array:
        if self.known_scores is not None:
            return self.known_scores
        return read_only(self.problem.gram @ self.weights + self.offset)

    @cached_property
    def ties(self) -> NDArray[np.bool_]:
        """Which scores are 0 up to rounding; all, if none is larger than the violation at which the solver
        stopped."""
        largest = float(np.abs(self.training_scores).max(initial=0.0))
        if self.converged and self.violation is not None and largest <= self.violation:
            return np.ones(self.problem.n, dtype=bool)
        return super().ties

    def lost_signs(self, data: Data, scores: Array) -> NDArray[np.bool_]:
        lost = super().lost_signs(data, scores)
        near, support = lost.nonzero()[0], self.support
        if len(near):  # seldom: only these need a closer look
            K = np.abs(self.inner_products(data.subset(near).X, support))
            sizes = K @ self.alpha[support] + abs(self.offset)
            lost[near] = np.abs(scores[near]) <= SURELY * self._errors(sizes)
        return lost

    @property
    def _left_by_the_solver(self) -> float:
        """The error of a score that comes from the errors of the weights and of b, if the solver went on to
        the last digits; 0 if it stopped at its tolerance, as any solution within that is accepted."""
        last_digits = 1e-6 * (self.accepted or 0.0)  # no solver stops there that was asked for `accepted`
        if self.violation is None or not self.violation <= last_digits:
            return 0.0
        return 4.0 * self.violation

    @cached_property
    def alpha(self) -> Array:
        """|beta|: for classifiers whose weights carry the sign of their label, beta = alpha z."""
        return read_only(np.abs(self.weights))

    @property
    def beta(self) -> Array:
        return self.weights

    @cached_property
    def squared_norm(self) -> float:
        """beta' K beta."""
        if self.known_energy is not None:
            return self.known_energy
        return float(self.weights @ self.problem.gram @ self.weights)

    @cached_property
    def norm_doubt(self) -> float:
        return error_of_norm(self.problem, self.weights, self.squared_norm)

    def score_errors(self, X: Any) -> Array | float:
        if self.blur is None:
            return 0.0
        return np.asarray(self._errors(sizes_of_terms(self.problem, X, self.weights, self.offset)))

    def _errors(self, sizes: Any) -> Any:
        """Return the error of a score, or of each of several, by the size of its terms."""
        return (self.blur or 0.0) + self._left_by_the_solver + TERM * sizes

    @cached_property
    def support(self) -> Indices:
        return np.flatnonzero(self.weights)


def sizes_of_terms(problem: Problem, X: Any, weights: Array, offset: float = 0.0) -> Array:
    """Return sum_i |beta_i K(x_i, x)| + |b| for each row of X, or a little more: |K(x_i, x)| is at most the
    root of K(x_i, x_i) K(x, x)."""
    lengths = np.sqrt(np.abs(problem.kernel.diagonal(problem.X)))
    own = lengths if X is problem.X else np.sqrt(np.abs(problem.kernel.diagonal(X)))
    with np.errstate(over="ignore"):
        return np.asarray(own * float(np.abs(weights) @ lengths) + abs(offset))


def error_of_norm(problem: Problem, weights: Array, square: float) -> float:
    """Return the error of ||w||² = beta'K beta: every term has its own, which add up as random steps.

    Large weights of both signs leave little else, when slack is expensive or the points are far away."""
    largest = float(np.abs(weights).max(initial=0.0)) or 1.0  # its square may be beyond all numbers
    squares = (weights / largest) ** 2
    most = EPSILON * float(squares.sum()) * (largest * problem.radius) ** 2  # as |K_ij| <= R²
    if most <= THREE_DIGITS * square:
        return most
    K, rows = problem.gram, parts(len(squares), 500)
    with np.errstate(over="ignore", invalid="ignore"):
        total = sum(squares[some] @ ((largest * K[some]) ** 2) @ squares for some in rows)
        return EPSILON * largest * float(np.sqrt(total))
