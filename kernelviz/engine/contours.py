"""Level lines of a score on a grid, and the choice of levels worth drawing."""

from __future__ import annotations

from collections.abc import Iterable
from math import floor, log10
from typing import TypeAlias, cast

import numpy as np

from kernelviz.engine.arrays import Array

__all__ = ["ContourLines", "contours", "nearest_on_lines", "nice_levels", "nice_step"]

ContourLines: TypeAlias = tuple[tuple[float, list[Array]], ...]
"""For every level its polylines, each (m, 2); a closed line repeats its first vertex."""

BOUNDARY_AND_MARGINS = (-1.0, 0.0, 1.0)
HUGE = 1e300
"""Scores beyond this, infinite or undefined, have no say in the choice of levels."""


def contours(x1: Array, x2: Array, F: Array, levels: Iterable[float]) -> ContourLines:
    """The lines {x : F(x) = level}, F of shape (len(x2), len(x1)); a level F never takes has none."""
    from contourpy import LineType, contour_generator

    generator = contour_generator(x1, x2, F, name="serial", line_type=LineType.Separate)
    return tuple((float(level), cast(list[Array], generator.lines(level))) for level in levels)


def nice_step(span: float, count: int) -> float:
    """The smallest of 1, 2, 2.5, 5 times a power of ten that divides span into at most `count` parts."""
    if not span > 0 or not np.isfinite(span):
        return 1.0
    rough = span / count
    power = 10.0 ** floor(log10(rough))
    return next(m * power for m in (1.0, 2.0, 2.5, 5.0, 10.0) if m * power >= rough * (1 - 1e-9))


def nice_levels(F: Array | None, count: int = 5) -> tuple[float, ...]:
    """Boundary 0, margins ±1 and up to `count` round levels on each side, as far as |F| mostly reaches.

    No levels without a field or for the stacked fields of several classes, which show regions instead."""
    if F is None or F.ndim != 2:
        return ()
    sample = np.abs(F[:: max(1, F.shape[0] // 50), :: max(1, F.shape[1] // 50)])
    sample = sample[sample < HUGE]  # NaN compares false
    reach = float(np.quantile(sample, 0.98)) if sample.size else 0.0
    step = nice_step(reach, count)
    round_ones = step * np.arange(1, count + 1)
    # A level hugging the margin line would only thicken it.
    kept = round_ones[(round_ones <= reach) & (np.abs(round_ones - 1) > 0.3 * min(step, 1.0))]
    return tuple(sorted({*BOUNDARY_AND_MARGINS, *kept.tolist(), *(-kept).tolist()}))


def nearest_on_lines(points: Array, lines: list[Array]) -> Array:
    """For every point the nearest point of the polylines, vertex or interior; NaN without any line."""
    starts = [line[:-1] for line in lines if len(line) > 1]
    if not starts or len(points) == 0:
        return np.full((len(points), 2), np.nan)
    a = np.concatenate(starts)
    d = np.concatenate([np.diff(line, axis=0) for line in lines if len(line) > 1])
    length2 = np.maximum(np.einsum("ij,ij->i", d, d), np.finfo(float).tiny)
    feet = np.empty((len(points), 2))
    for i, point in enumerate(points):
        t = np.clip(((point - a) * d).sum(axis=1) / length2, 0.0, 1.0)
        candidates = a + t[:, None] * d
        feet[i] = candidates[np.argmin(((candidates - point) ** 2).sum(axis=1))]
    return feet
