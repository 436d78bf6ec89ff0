"""What of a curve lies in the view: files have no clipping to rely on."""

from __future__ import annotations

import numpy as np

from kernelviz.engine.arrays import Array

__all__ = ["area", "straightened", "within"]

STRAIGHT = 1e-4
"""Shares of the view's height that no eye sees."""
FEW = 16
"""Vertices that are not worth looking at."""
ROUNDS, WORTH = 6, 0.9
"""How often they are looked at: as long as more than a tenth of them goes."""
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
    """The same polyline to the eye with fewer vertices: every second one goes, again and again, where it lies
    on the chord of its neighbours. A thick pen costs by the vertex."""
    for _ in range(ROUNDS):
        before = len(xy)
        if before < FEW:
            break
        unit = xy / (width, height)
        left, here, right = unit[:-2:2], unit[1:-1:2], unit[2::2]
        share = (here[:, 0] - left[:, 0]) / np.maximum(right[:, 0] - left[:, 0], 1e-300)
        off = np.abs(here[:, 1] - left[:, 1] - share * (right[:, 1] - left[:, 1]))
        kept = np.ones(before, dtype=bool)
        kept[1:-1:2] = ~(off < STRAIGHT)
        xy = xy[kept]
        if len(xy) > WORTH * before:
            break
    return xy


def area(lower: Array, upper: Array, low: float, high: float) -> Array:
    """The outline of what lies between two curves, cut off at two heights."""
    there, back = (_cut_off(edge[np.isfinite(edge[:, 1])], low, high) for edge in (lower, upper))
    return np.concatenate([there, back[::-1]])


def _cut_off(xy: Array, low: float, high: float) -> Array:
    """A curve that runs along a height where it would leave it."""
    xy = _crossed(_crossed(xy, low), high)
    return np.column_stack([xy[:, 0], np.clip(xy[:, 1], low, high)])


def _crossed(xy: Array, level: float) -> Array:
    """The rows with one more wherever a polyline crosses a level."""
    off = xy[:, 1] - level
    with np.errstate(over="ignore", invalid="ignore"):
        cross = np.flatnonzero(off[:-1] * off[1:] < 0)
        if not len(cross):
            return xy
        share = off[cross] / (off[cross] - off[cross + 1])
        at = xy[cross] + share[:, None] * (xy[cross + 1] - xy[cross])
    at[:, 1] = level
    return np.insert(xy, cross + 1, at, axis=0)
