"""Local averages of the targets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kernelviz.engine.arrays import Array, comparable
from kernelviz.engine.model import Model
from kernelviz.engine.problem import Problem

__all__ = ["LocalAverageModel", "shares"]

CHUNK = 1 << 19
"""Weights held at a time."""


@dataclass(frozen=True, eq=False, repr=False)
class LocalAverageModel(Model):
    """s(x) = sum_i y_i K(x, x_i) / sum_j K(x, x_j)."""

    def score(self, X: Any) -> Array:
        problem, X = self.problem, self.problem.kernel.checked(X)
        if isinstance(X, np.ndarray):
            X = comparable(X, problem.X)
        scores, size = np.empty(len(X)), max(1, CHUNK // problem.n)
        # Rounding must not carry a mean beyond what it is a mean of.
        low, high = problem.y.min(), problem.y.max()
        for begin in range(0, len(X), size):
            part = slice(begin, begin + size)
            scores[part] = np.clip(shares(problem, X[part]) @ problem.y, low, high)
        return scores

    def on_plane(self, x1: Array, x2: Array) -> Array:
        nodes = np.stack(np.meshgrid(x1, x2), axis=-1).reshape(-1, 2)
        return self.score(nodes).reshape(len(x2), len(x1))


def shares(problem: Problem, X: Any) -> Array:
    """K(x, x_i) / sum_j K(x, x_j), by logarithms: far away all K are too small for numbers, their ratios are
    not. Where every K is 0 all points count alike."""
    with np.errstate(over="ignore", invalid="ignore"):
        weights = problem.kernel.log_gram(X, problem.X)
        most = weights.max(axis=1, keepdims=True)
        weights -= np.where(np.isfinite(most), most, 0.0)
        np.exp(weights, out=weights)
    nowhere = ~np.isfinite(most[:, 0])
    weights[nowhere] = 1.0
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))
