"""A linear function of a finite list of explicit features, s(x) = b + w·phi(x)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.core.arrays import Array, Indices, as_points, comparable, parts, read_only
from kernelviz.engine.kernels.features import FeatureMap
from kernelviz.engine.models.base import SURELY
from kernelviz.engine.models.kernel import BLUR, TERM, LinearModel

NO_WEIGHTS = 1e-13  # Scores that rounding leaves of none.


@dataclass(frozen=True, eq=False, repr=False)
class FeatureModel(LinearModel):
    """A linear function of explicit features: s(x) = b + w·phi(x); the weights are w, (q,).

    features: phi. dual: the signed weights of the points with w = sum_i dual_i phi(x_i), if the fit has
    them."""

    _: KW_ONLY
    features: FeatureMap
    dual: Array | None = None  # Signed dual weights with w = sum_i dual_i phi(x_i), when the fit has them.

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", read_only(self.weights))
        if self.dual is not None:
            object.__setattr__(self, "dual", read_only(self.dual))

    def score(self, X: Any) -> Array:
        return np.asarray(self._features_of(self.arranged(X)) @ self.weights + self.offset)

    def on_plane(self, x1: Array, x2: Array) -> Array:
        return self.features.on_grid(self.weights, x1, x2) + self.offset

    def with_largest(self, m: int) -> FeatureModel:
        """Return the model with only the m features of largest |w_j|; all other weights become 0."""
        weights, kept = np.zeros(len(self.weights)), np.argsort(-np.abs(self.weights), kind="stable")[:m]
        weights[kept] = self.weights[kept]
        return replace(self, weights=weights, dual=None)

    @property
    def flat(self) -> bool:
        return self.squared_norm == 0.0

    @cached_property
    def ties(self) -> NDArray[np.bool_]:
        """Which scores are no larger than the rounding errors of their terms and of the terms of w."""
        alpha, size = self.alpha, np.abs(self.training_scores)
        if self.flat:
            return np.asarray(size <= NO_WEIGHTS)
        most = self.radius * float(np.sqrt(self.squared_norm))
        if alpha is not None:
            most = self.radius**2 * float(alpha.sum())
        near = (size <= SURELY * (BLUR + TERM * (most + abs(self.offset)))).nonzero()[0]
        ties = np.zeros(len(size), dtype=bool)
        if len(near):  # seldom: only these need a closer look
            terms = np.abs(self.weights)
            if alpha is not None:
                terms = sum((alpha[rows] @ np.abs(Phi) for rows, Phi in self._in_parts()), 0.0 * terms)
            sizes = np.abs(self.features(self.problem.X[near])) @ terms
            ties[near] = size[near] <= SURELY * (BLUR + TERM * (sizes + abs(self.offset)))
        return ties

    def _in_parts(self) -> Iterator[tuple[slice, Array]]:
        """Yield the features of some training points at a time; all of them may be too many to hold twice."""
        points_at_once = 2000  # Points whose features are computed together.
        for rows in parts(self.problem.n, points_at_once):
            yield rows, self.features(self.problem.X[rows])

    @cached_property
    def alpha(self) -> Array | None:
        return None if self.dual is None else read_only(np.abs(self.dual))

    @property
    def beta(self) -> Array | None:
        return self.dual

    @cached_property
    def squared_norm(self) -> float:
        """|w|²; 0 if only rounding errors are left of w, compared with targets of size 1."""
        square = float(self.weights @ self.weights)
        return square if self.radius * float(np.sqrt(square)) > NO_WEIGHTS else 0.0

    @cached_property
    def radius(self) -> float:
        largest = (np.square(Phi).sum(axis=1).max(initial=0.0) for _, Phi in self._in_parts())
        return float(np.sqrt(max(largest, default=0.0)))

    @cached_property
    def support(self) -> Indices:
        return np.empty(0, dtype=np.intp) if self.dual is None else np.flatnonzero(self.dual)

    def inner_products(self, X: Any, rows: Indices) -> Array:
        return np.asarray(self._features_of(X) @ self.features(self.problem.X[rows]).T)

    def _features_of(self, X: Any) -> Array:
        """Return phi of inputs with as many columns as the points have, (m, q)."""
        return self.features(comparable(as_points(X), self.problem.X))
