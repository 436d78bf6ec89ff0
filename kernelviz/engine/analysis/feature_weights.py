"""What w·φ(x) really is: the finite features of a model one by one, with the weight of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernelviz.engine.analysis.lifts import feature_map_of, plain
from kernelviz.engine.analysis.string_features import Piece, pieces_of
from kernelviz.engine.arrays import Array, read_only
from kernelviz.engine.feature_model import FeatureModel
from kernelviz.engine.features import MOST_FEATURES
from kernelviz.engine.model import Model

__all__ = ["FeatureWeights"]

ENTRIES = 4_000_000
"""Features of some points that are written out at a time."""


@dataclass(frozen=True, eq=False)
class FeatureWeights:
    """s(x) = b + Σ_j w_j φ_j(x), w = Σ_i β_i φ(x_i). Of strings the pieces that the support vectors have: any
    other weighs nothing."""

    names: Sequence[str]
    weights: Array
    offset: float
    computed: bool
    """Whether the fit computes the features, as it does without a kernel."""
    features: Callable[[Any], Array]
    """φ(x) of one input."""

    @classmethod
    def of(cls, model: Model) -> FeatureWeights | None:
        """None of a model that is not linear in finitely many features, or in too many."""
        if not isinstance(model.problem.X, np.ndarray):
            return cls._of_pieces(model)
        found, b = feature_map_of(model), model.b
        if found is None or b is None:
            return None
        names = [plain(name) for name in found.names]

        def features(x: Array) -> Array:
            return np.asarray(found(x[None])[0])

        if isinstance(model, FeatureModel):
            return cls(names, model.weights, b, True, features)
        if model.beta is None:
            return None
        support, w = model.support, np.zeros(found.q)
        rows = max(1, ENTRIES // max(1, found.q))
        for begin in range(0, len(support), rows):
            part = support[begin : begin + rows]
            w += model.beta[part] @ found(model.problem.X[part])
        return cls(names, read_only(w), b, False, features)

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
        return len(self.names)

    def terms(self, x: Any) -> Array:
        """w_j φ_j(x) of one input."""
        return np.asarray(self.weights * self.features(x))
