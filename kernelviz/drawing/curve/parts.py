"""What a curve is the sum of: a bump for each point, a term for each summand of the kernel."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kernelviz.engine.algebra import Sum
from kernelviz.engine.arrays import Array, Indices
from kernelviz.engine.model import Model

__all__ = ["bumps_of", "outlines", "terms_of"]

MOST_BUMPS = 250
"""Of more points only the largest bumps are drawn: a wood of lines tells nothing."""
VERTICES = 40
"""Of each bump that is drawn faintly."""
FAINTEST = 0.004
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


def terms_of(model: Model, x: Array) -> dict[str, Array]:
    """For each summand K_t of the kernel, by its expression: sum_i beta_i K_t(x_i, x). They and b add up to
    s; nothing where the kernel is no sum."""
    kernel, beta, support = model.problem.kernel, model.beta, model.support
    if beta is None or not isinstance(kernel, Sum) or not len(support):
        return {}
    at = model.problem.data.subset(support).X
    return {str(part): np.asarray(part(x[:, None], at) @ beta[support]) for part in kernel.parts}


def outlines(x: Array, bumps: Array, height: float) -> list[Array]:
    """Each bump as a polyline of few vertices: where it bends, and only where it is seen at all."""
    found = []
    seen = np.abs(bumps) > FAINTEST * height
    bend = np.zeros(bumps.shape)
    bend[:, 1:-1] = np.sqrt(np.abs(bumps[:, 2:] - 2 * bumps[:, 1:-1] + bumps[:, :-2]))
    bend[~seen] = 0.0
    way = np.cumsum(bend, axis=1)
    for bump, own, there in zip(bumps, way, seen, strict=True):
        inside = np.flatnonzero(there)
        if len(inside) < 2:
            continue
        first, last = max(inside[0] - 1, 0), min(inside[-1] + 1, len(x) - 1)
        steps = np.searchsorted(own, np.linspace(own[first], own[last], VERTICES))
        kept = np.unique(np.concatenate([[first, last], np.clip(steps, first, last)]))
        found.append(np.column_stack([x[kept], bump[kept]]))
    return found
