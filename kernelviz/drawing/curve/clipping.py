"""What of a curve lies in the view: files have no clipping to rely on."""

from __future__ import annotations

import numpy as np

from kernelviz.engine.arrays import Array

__all__ = ["area", "straightened", "within"]

STRAIGHT = 5e-5
"""Shares of the view's height that no eye sees."""
FEW = 16
"""Vertices that are not worth looking at."""
FAR = 1e6
"""Times the height of the view: what is farther off leaves it as steeply to the eye."""


def within(xy: Array, low: float, high: float) -> list[Array]:
    """The pieces of a polyline between two heights, cut where it crosses them; it is broken where there is
    no number."""
    y = xy[:, 1]
    if y.min(initial=low) >= low and y.max(initial=high) <= high:
        return [xy] if len(xy) > 1 else []
    reach = FAR * (high - low)
    xy = _crossed(_crossed(np.column_stack([xy[:, 0], np.clip(y, low - reach, high + reach)]), low), high)
    inside = (xy[:, 1] >= low) & (xy[:, 1] <= high)  # NaN compares false
    turns = [0, *(np.flatnonzero(np.diff(inside)) + 1).tolist(), len(xy)]
    first = 0 if inside[0] else 1
    pieces = zip(turns[first::2], turns[first + 1 :: 2], strict=False)
    return [xy[begin:end] for begin, end in pieces if end - begin > 1]


def straightened(xy: Array, width: float, height: float) -> Array:
    """The same polyline to the eye with fewer vertices: every second one goes, twice, where it lies on the
    chord of its neighbours. A thick pen costs by the vertex."""
    for _ in range(2):
        if len(xy) < FEW:
            break
        unit = xy / (width, height)
        before, here, after = unit[:-2:2], unit[1:-1:2], unit[2::2]
        share = (here[:, 0] - before[:, 0]) / np.maximum(after[:, 0] - before[:, 0], 1e-300)
        off = np.abs(here[:, 1] - before[:, 1] - share * (after[:, 1] - before[:, 1]))
        kept = np.ones(len(xy), dtype=bool)
        kept[1:-1:2] = ~(off < STRAIGHT)
        xy = xy[kept]
    return xy


def area(x: Array, lower: Array, upper: Array, low: float, high: float) -> Array:
    """The outline of what lies between two curves, cut off at two heights."""
    edges = np.column_stack([x, lower, upper])
    for j in (1, 2):
        for level in (low, high):
            edges = _crossed(edges, level, j)
    x, lower, upper = edges[np.isfinite(edges).all(axis=1)].T
    there, back = np.clip(lower, low, high), np.clip(upper, low, high)[::-1]
    return np.column_stack([np.append(x, x[::-1]), np.append(there, back)])


def _crossed(xy: Array, level: float, j: int = 1) -> Array:
    """The rows with one more wherever column j crosses a level."""
    off = xy[:, j] - level
    with np.errstate(over="ignore", invalid="ignore"):
        cross = np.flatnonzero(off[:-1] * off[1:] < 0)
        if not len(cross):
            return xy
        share = off[cross] / (off[cross] - off[cross + 1])
        at = xy[cross] + share[:, None] * (xy[cross + 1] - xy[cross])
    at[:, j] = level
    return np.insert(xy, cross + 1, at, axis=0)
