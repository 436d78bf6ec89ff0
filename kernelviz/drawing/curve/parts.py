"""What a curve is the sum of: a bump for each point."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kernelviz.engine.arrays import Array, Indices
from kernelviz.engine.model import Model

__all__ = ["bumps_of", "outlines"]

MOST_BUMPS = 150
"""Of more points only the largest bumps are drawn: a wood of lines tells nothing."""
VERTICES = 48
"""Of each bump that is drawn faintly."""
FAINTEST = 0.002
"""What is lower than this share of the view's height lies on the axis to the eye."""


def bumps_of(model: Model, x: Array, points: Sequence[int] | None = None) -> Array:
    """(points, len(x)): beta_i K(x_i, x) of the given points, or of those with the largest weights; none of a
    model that is no such sum."""
    beta, support = model.beta, model.support
    if beta is None or not len(support):
        return np.empty((0, len(x)))
    rows = _largest(beta, support) if points is None else np.intersect1d(points, support)
    return np.asarray((model.inner_products(x[:, None], rows) * beta[rows]).T)


def _largest(beta: Array, support: Indices) -> Indices:
    order = np.argsort(-np.abs(beta[support]), kind="stable")[:MOST_BUMPS]
    return np.sort(support[order])


def outlines(x: Array, bumps: Array, low: float, high: float) -> Array:
    """All bumps as one polyline, broken by a row of NaN after each: few vertices, where a bump bends between
    two heights and only where it is seen at all."""
    if not len(bumps):
        return np.empty((0, 2))
    height = high - low
    seen = np.abs(bumps) > FAINTEST * height
    shown = np.clip(bumps, low - 0.1 * height, high + 0.1 * height)
    bend = np.zeros(bumps.shape)
    bend[:, 1:-1] = np.sqrt(np.abs(shown[:, 2:] - 2 * shown[:, 1:-1] + shown[:, :-2]))
    bend[~seen] = 0.0
    way = np.cumsum(bend, axis=1)
    stretch = np.floor(way * (VERTICES / np.maximum(way[:, -1:], 1e-300)))
    kept = np.zeros((len(bumps), len(x) + 1), dtype=bool)
    kept[:, 1:-1] = (np.diff(stretch, axis=1) > 0) & seen[:, 1:]
    ends = seen.any(axis=1)
    rows = np.flatnonzero(ends)
    kept[rows, np.maximum(seen.argmax(axis=1) - 1, 0)[rows]] = True
    kept[rows, np.minimum(len(x) - seen[:, ::-1].argmax(axis=1), len(x) - 1)[rows]] = True
    kept[:, -1] = ends
    which, where = np.nonzero(kept)
    broken = np.column_stack([bumps, np.full(len(bumps), np.nan)])
    return np.column_stack([np.append(x, np.nan)[where], broken[which, where]])
