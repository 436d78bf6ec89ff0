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
from kernelviz.engine.models.base import Mark, Model
from kernelviz.engine.models.problem import Problem

CANCELLED = 1e-13  # What is everywhere below this share of its terms is nothing but their rounding errors.

DIGITS = 4e-15  # A score below this share of its terms is zero, as far as rounding can tell.

# Of a product of three: three times the rounding error to expect, as random errors seldom add up to more.
EPSILON = 1.2e-15

TERM = 1e-15  # Of a term of a score: its rounding error, with that of a kernel of several factors.

ROWS = 500  # Of the Gram matrix, looked at together.

LEFT = 4.0  # Times the KKT violation: the error of a score, by that of its weights and that of b.

STEPS = 1e-6  # Of the largest score or the accepted violation: more than a solver's steps leave in a score.

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
        # A solver goes on to change its arrays in place; what it handed out stays as it was.
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
        """Whether all terms cancel, as where points of both classes coincide: ||w|| is negligible compared
        with sum_i |beta_i| R, and no training score differs from b."""
        if not len(self.support):
            return True
        if self.blur is None or not self.problem.n:
            return False
        terms = float(self.alpha.sum()) * self.problem.radius**2
        apart = float(np.abs(self.training_scores - self.offset).max())
        if apart > self.blur + DIGITS * (terms + abs(self.offset)):
            return False
        return self.squared_norm <= CANCELLED * terms * float(self.alpha.sum())

    @cached_property
    def training_scores(self) -> Array:
        if self.known_scores is not None:
            return self.known_scores
        return read_only(self.problem.gram @ self.weights + self.offset)

    @cached_property
    def ties(self) -> NDArray[np.bool_]:
        """Which scores are no larger than the rounding errors of their terms: |s| << sum_i |beta_i K| + |b|.

        All of them, if none is larger than the violation at which the solver stopped."""
        if self.blur is None:
            return super().ties
        scores = self.training_scores
        largest = float(np.abs(scores).max(initial=0.0))
        if self.converged and self.violation is not None and largest <= self.violation:
            return np.ones(len(scores), dtype=bool)
        return np.asarray(self._within_rounding(self.problem.data, scores, self.blur) | (scores == 0.0))

    def lost_signs(self, data: Data, scores: Array) -> NDArray[np.bool_]:
        if self.blur is None:
            return super().lost_signs(data, scores)
        return self._within_rounding(data, scores, self._left_by_the_solver)

    @property
    def _left_by_the_solver(self) -> float:
        """The error that a solver has left in a score if it went on to the last digits; 0 if it stopped at
        its tolerance, with the scores of a solution that counts as good as any."""
        if self.violation is None or not self.violation <= STEPS * (self.accepted or 0.0):
            return 0.0
        return LEFT * self.violation

    def _within_rounding(self, data: Data, scores: Array, blur: float = 0.0) -> NDArray[np.bool_]:
        """Return where |s| is no larger than `blur` and the rounding of its terms, if these are not 0."""
        size, support = np.abs(scores), self.support
        lengths = np.sqrt(np.abs(self.problem.kernel.diagonal(data.X)))
        most = float(self.alpha.sum()) * self.problem.radius * lengths + abs(self.offset)
        near = (size <= blur + DIGITS * most).nonzero()[0]
        within = np.zeros(len(size), dtype=bool)
        if len(near):  # seldom: only these need a closer look
            K = np.abs(self.inner_products(data.subset(near).X, support))
            errors = blur + DIGITS * (K @ self.alpha[support] + abs(self.offset))
            within[near] = (size[near] <= errors) & (errors > 0.0)
        return within

    @cached_property
    def deciding_scores(self) -> Array:
        """The known scores, or those that `score` computes if any is close to 0: a solver's own may be off by
        the rounding of all its steps."""
        scores = self.training_scores
        if self.known_scores is None or self.blur is None:  # without blur the known signs are exact
            return scores
        size = np.abs(scores)
        terms = float(self.alpha.sum()) * self.problem.radius**2 + abs(self.offset)
        largest = max(float(size.max(initial=0.0)), self.accepted or 0.0)
        near = size.min(initial=np.inf) <= max(STEPS * largest, DIGITS * terms)
        return read_only(self.score(self.problem.X)) if near else scores

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
        """The error of ||w||²: every term beta_i K_ij beta_j has its own rounding error, which add up as
        random steps.

        Large weights of both signs leave little else, when slack is expensive or the points are far away."""
        largest = float(np.abs(self.weights).max(initial=0.0)) or 1.0  # its square may be beyond all numbers
        square = (self.weights / largest) ** 2
        most = EPSILON * float(square.sum()) * (largest * self.problem.radius) ** 2  # as |K_ij| <= R²
        if most <= THREE_DIGITS * self.squared_norm:
            return most
        K, rows = self.problem.gram, parts(len(square), ROWS)
        with np.errstate(over="ignore", invalid="ignore"):
            total = sum(square[some] @ ((largest * K[some]) ** 2) @ square for some in rows)
            return EPSILON * largest * float(np.sqrt(total))

    def score_errors(self, X: Any) -> Array | float:
        if self.blur is None:
            return 0.0
        left = self.blur + self._left_by_the_solver
        return left + rounding_of_scores(self.problem, X, self.weights, self.offset)

    @cached_property
    def support(self) -> Indices:
        return np.flatnonzero(self.weights)


def rounding_of_scores(problem: Problem, X: Any, weights: Array, offset: float = 0.0) -> Array:
    """Return the error of s(x) = b + sum_i beta_i K(x_i, x) for each row of X.

    Each term has a rounding error of its own, and |K(x_i, x)| is at most the root of K(x_i, x_i) K(x, x)."""
    lengths = np.sqrt(np.abs(problem.kernel.diagonal(problem.X)))
    own = lengths if X is problem.X else np.sqrt(np.abs(problem.kernel.diagonal(X)))
    with np.errstate(over="ignore"):
        return np.asarray(TERM * (own * float(np.abs(weights) @ lengths) + abs(offset)))
