"""The weight of each explicit feature in a fitted score."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernelviz.engine.analysis.lifts import feature_map_of, plain
from kernelviz.engine.analysis.string_alignment import Piece, pieces_of
from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.kernels.features import MOST_FEATURES
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.features import FeatureModel

ENTRIES = 4_000_000  # Features of some points that are written out at a time.


@dataclass(frozen=True, eq=False)
class FeatureWeights:
    """s(x) = b + Σ_j w_j φ_j(x), w = Σ_i β_i φ(x_i). For strings the pieces of the support vectors: all
    others have weight zero."""

    names: Sequence[str]
    weights: Array
    offset: float
    computed: bool  # Whether the fit computes the features, as it does without a kernel.
    features: Callable[[Any], Array]  # φ(x) of one input.
    degree: int | None = None  # Up to which there are features, of infinitely many.

    @classmethod
    def of(cls, model: Model, degree: int = 8) -> FeatureWeights | None:
        """Return all features of a model, or those up to a degree if the kernel has infinitely many that can
        be listed, as the Gaussian does. None of a model that is not linear in features, or in too many."""
        if not isinstance(model.problem.X, np.ndarray):
            return cls._of_pieces(model)
        found, listed = feature_map_of(model), None
        if found is None and model.algorithm.uses_kernel:
            found, listed = model.problem.kernel.taylor_features(model.problem.X.shape[1], degree), degree
        if found is None or model.b is None:
            return None
        names, phi = [plain(name) for name in found.names], found

        def features(x: Array) -> Array:
            return np.asarray(phi(x[None])[0])

        if isinstance(model, FeatureModel):
            return cls(names, model.weights, model.b, True, features)
        if model.beta is None:
            return None
        support, w = model.support, np.zeros(found.q)
        rows = max(1, ENTRIES // max(1, found.q))
        for begin in range(0, len(support), rows):
            part = support[begin : begin + rows]
            w += model.beta[part] @ found(model.problem.X[part])
        return cls(names, read_only(w), model.b, False, features, listed)

    @classmethod
    def _of_pieces(cls, model: Model) -> FeatureWeights | None:
        kernel, weights = model.problem.kernel, dict[Piece, float]()
        if model.beta is None or model.b is None or not model.algorithm.uses_kernel:
            return None
        for i in model.support.tolist():
            pieces = pieces_of(kernel, model.problem.X[i])
            if pieces is None or len(weights) > MOST_FEATURES:
                return None
            for piece, value in pieces.items():
                weights[piece] = weights.get(piece, 0.0) + float(model.beta[i]) * value
        known = tuple(weights)

        def features(text: str) -> Array:
            own = pieces_of(kernel, text) or {}
            return np.array([own.get(piece, 0.0) for piece in known])

        w = read_only(np.fromiter(weights.values(), float, len(known)))
        return cls([" ".join(piece) for piece in known], w, model.b, False, features)

    @property
    def q(self) -> int:
        """The number of features."""
        return len(self.names)

    def terms(self, x: Any) -> Array:
        """Return w_j φ_j(x) of one input."""
        return np.asarray(self.weights * self.features(x))
