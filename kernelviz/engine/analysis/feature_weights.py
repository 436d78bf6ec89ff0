"""The weight of each explicit feature in a fitted score."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod, sqrt
from typing import Any

import numpy as np

from kernelviz.engine.analysis.lifts import feature_map_of, plain
from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.kernels.base import Kernel, Product, Scaled, Sum
from kernelviz.engine.kernels.features import MOST_FEATURES, FeatureMap
from kernelviz.engine.kernels.strings import StringKernel
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.features import FeatureModel

Piece = tuple[str, ...]  # A piece u; of a product of kernels one of each.


def pieces_of(kernel: Kernel, text: str) -> dict[Piece, float] | None:
    """Return φ_u(s) of every piece of a text, normalised if the kernel is: K(s, t) = Σ_u φ_u(s) φ_u(t).

    In a sum of kernels the pieces of all are listed, after the number of the kernel. None if there would
    be too many to write out, or the kernel does not compare texts by pieces."""
    if isinstance(kernel, StringKernel):
        read = kernel.read(text)
        if kernel.most_pieces(read) > MOST_FEATURES:
            return None
        scale = kernel.scale(read)
        return {(piece,): float(value) / scale for piece, value in kernel.pieces(read).items()}
    parts = [pieces_of(part, text) for part in kernel.parts]
    known = [part for part in parts if part is not None]
    if not known or len(known) < len(parts):
        return None
    if isinstance(kernel, Sum):
        return {(f"{k + 1}:", *piece): value for k, part in enumerate(known) for piece, value in part.items()}
    if isinstance(kernel, Scaled):
        return {piece: sqrt(kernel.scale) * value for piece, value in known[0].items()}
    if not isinstance(kernel, Product) or prod(map(len, known)) > MOST_FEATURES:
        return None
    every = product(*(part.items() for part in known))
    return {sum((piece for piece, _ in some), ()): prod(value for _, value in some) for some in every}


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
        found, b = feature_map_of(model), model.b
        if found is None and model.algorithm.uses_kernel and model.beta is not None:
            series = model.problem.kernel.taylor_features(model.problem.X.shape[1], degree)
            known = None if series is None else cls._of_map(model, series)
            return None if known is None else replace(known, degree=degree)
        return None if found is None or b is None else cls._of_map(model, found)

    @classmethod
    def _of_map(cls, model: Model, found: FeatureMap) -> FeatureWeights | None:
        """Return the features of an explicit map."""
        b = model.b
        if b is None:
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
        """The number of features."""
        return len(self.names)

    def terms(self, x: Any) -> Array:
        """Return w_j φ_j(x) of one input."""
        return np.asarray(self.weights * self.features(x))
