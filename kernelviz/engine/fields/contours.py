"""Level lines of a score on a grid, and the choice of levels worth drawing.

Lines are polylines of shape (m, 2), found by contourpy. Where F is smooth, half of the nodes in each
direction are enough to follow them (`quick_contours`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import ceil, floor, log10
from typing import TypeAlias, cast

import numpy as np

from kernelviz.engine.core.arrays import Array

# For every level its polylines, each (m, 2); a closed line repeats its first vertex.
ContourLines: TypeAlias = tuple[tuple[float, list[Array]], ...]

BOUNDARY_AND_MARGINS = (-1.0, 0.0, 1.0)
SAME_PLACE = 1e-9  # Of a step of the grid: no farther from a node, a vertex lies on it but for rounding.
HUGE_SCORE = 1e300  # Scores beyond this, infinite or undefined, are ignored when levels are chosen.


def contours(x1: Array, x2: Array, F: Array, levels: Iterable[float]) -> ContourLines:
    """Return the lines {x : F(x) = level}, F of shape (len(x2), len(x1)); a level that F never takes has
    none."""
    from contourpy import FillType, LineType, SerialContourGenerator, ZInterp

    # Not contour_generator(): its checks take as long as three of the levels.
    X1, X2 = np.broadcast_to(x1, F.shape).copy(), np.broadcast_to(x2[:, None], F.shape).copy()
    defined = np.isfinite(F)
    generator = SerialContourGenerator(
        X1,
        X2,
        F,
        np.array(False) if defined.all() else ~defined,
        corner_mask=True,
        line_type=LineType.Separate,
        fill_type=FillType.OuterCode,
        quad_as_tri=False,
        z_interp=ZInterp.Linear,
    )
    return tuple((float(level), cast(list[Array], generator.lines(level))) for level in levels)


def quick_contours(x1: Array, x2: Array, F: Array, levels: Iterable[float]) -> ContourLines:
    """Return every other vertex of the lines, for a quarter of the work: enough for the eye where F is
    smooth.

    The lines are followed through cells of 2 x 2, and each vertex is then moved to where the finer grid
    has it. Falls back on `contours` where F bends too much within such a cell, or the cells do not fill
    the grid."""
    levels = tuple(levels)
    if not _is_smooth(F, levels):
        return contours(x1, x2, F, levels)
    rows, columns = F.shape
    found = contours(np.arange(0.0, columns, 2), np.arange(0.0, rows, 2), F[::2, ::2], levels)
    step = ((x1[-1] - x1[0]) / (columns - 1), (x2[-1] - x2[0]) / (rows - 1))
    return _moved(found, lambda place, level: _refined(place, F, level) * step + (x1[0], x2[0]))


def _moved(lines: ContourLines, move: Callable[[Array, Array], Array]) -> ContourLines:
    """Return the lines with all their vertices, (m, 2), and the levels of these, (m,), given to `move`."""
    polylines = [line for _, own in lines for line in own]
    if not polylines:
        return lines
    lengths = [len(line) for line in polylines]
    level = np.repeat([level for level, own in lines for _ in own], lengths)
    pieces = iter(np.split(move(np.concatenate(polylines), level), np.cumsum(lengths)[:-1]))
    return tuple((level, [next(pieces) for _ in own]) for level, own in lines)


def _is_smooth(F: Array, levels: tuple[float, ...]) -> bool:
    """Return True if F at the middle of two nodes is their mean, to a tenth of the gap between two levels."""
    rows, columns = F.shape
    if rows % 2 == 0 or columns % 2 == 0 or min(rows, columns) < 5:
        return False
    gap = min(np.diff(sorted({*BOUNDARY_AND_MARGINS, *levels})))
    across = F[::2, 1::2] - 0.5 * (F[::2, :-2:2] + F[::2, 2::2])
    along = F[1::2, ::2] - 0.5 * (F[:-2:2, ::2] + F[2::2, ::2])
    with np.errstate(invalid="ignore"):
        return bool(max(np.abs(across).max(), np.abs(along).max()) <= 0.1 * gap)


def _refined(place: Array, F: Array, level: Array) -> Array:
    """Return vertices (column, row) on the edges of the cells of 2 x 2, moved to where F, linear between
    all nodes, takes the level."""
    moved = place.copy()
    whole = np.rint(place / 2) * 2
    even = np.abs(place - whole) < SAME_PLACE
    for axis in (0, 1):
        # An edge along one axis has an even whole number on the other; where both are, it is a node.
        on = even[:, 1 - axis] & ~even[:, axis]
        across = whole[on, 1 - axis].astype(np.intp)
        start = 2 * np.minimum(place[on, axis] // 2, (F.shape[1 - axis] - 3) // 2).astype(np.intp)
        a, m, c = (
            (F[across, start + k] if axis == 0 else F[start + k, across]) - level[on] for k in (0, 1, 2)
        )
        first = (a > 0) != (m > 0)
        low, high = np.where(first, a, m), np.where(first, m, c)
        share = np.divide(low, low - high, out=np.zeros_like(low), where=low != high)
        moved[on, axis] = start + np.where(first, 0, 1) + np.clip(share, 0.0, 1.0)
    return moved


def sharpened(
    lines: ContourLines, x1: Array, x2: Array, F: Array, score: Callable[[Array], Array]
) -> ContourLines:
    """Return the lines of a score that jumps: every vertex, on an edge between two nodes, is moved to
    where the score really passes the level. Otherwise they would be the steps of the grid."""

    # Of an edge of a cell, to find where a score jumps: to a tenth of a pixel, on a usual screen.
    halvings = 5

    def halved(xy: Array, level: Array) -> Array:
        low, high, before, after = _edges(xy, x1, x2, F)
        above = after > level
        crosses = (before > level) != above
        for _ in range(halvings):
            middle = 0.5 * (low + high)
            beyond = ((score(middle) > level) == above)[:, None]
            low, high = np.where(beyond, low, middle), np.where(beyond, middle, high)
        return np.where(crosses[:, None], 0.5 * (low + high), xy)

    return _moved(lines, halved)


def _edges(xy: Array, x1: Array, x2: Array, F: Array) -> tuple[Array, Array, Array, Array]:
    """Return the ends of the edges of the grid that the vertices lie on, and F there."""
    first, second = [], []
    for axis, x in ((0, x1), (1, x2)):
        place = (xy[:, axis] - x[0]) / (x[-1] - x[0]) * (len(x) - 1)
        whole = np.rint(place)
        between = np.abs(place - whole) > SAME_PLACE
        first.append(np.where(between, np.floor(place), whole).astype(np.intp))
        second.append(np.where(between, np.ceil(place), whole).astype(np.intp))
    low, high = (np.column_stack([x1[j], x2[i]]) for j, i in (first, second))
    return low, high, F[first[1], first[0]], F[second[1], second[0]]


def rough_quantile(values: Array, share: float) -> float:
    """Return one of the values, such that the given share of them is no larger; 0 without any.

    It takes a fifth of the time of np.quantile, which matters thirty times a second."""
    if not values.size:
        return 0.0
    place = round(share * (values.size - 1))
    return float(np.partition(values, place, axis=None)[place])


def nice_step(span: float, count: int) -> float:
    """Return the smallest of 1, 2, 2.5, 5 times a power of ten that divides span into at most `count`
    parts."""
    if not span > 0 or not np.isfinite(span):
        return 1.0
    rough = span / count
    power = 10.0 ** floor(log10(rough))
    least = rough * (1 - 1e-9)  # of a span that is a whole number of steps but for rounding
    return next(m * power for m in (1.0, 2.0, 2.5, 5.0, 10.0) if m * power >= least)


def nice_levels(F: Array) -> tuple[float, ...]:
    """Return the boundary 0, margins ±1 and up to five round levels on each side, as far as |F| mostly
    reaches.

    No levels for the stacked fields of several classes, which show regions instead."""
    if F.ndim != 2:
        return ()
    sample = np.abs(F[:: max(1, F.shape[0] // 50), :: max(1, F.shape[1] // 50)])
    sample = sample[sample < HUGE_SCORE]  # NaN compares false
    most = max(rough_quantile(sample, 0.98), least_reach(F))
    step = nice_step(most, 5)
    round_ones = step * np.arange(1, 6)
    # A level hugging the margin line would only thicken it.
    kept = round_ones[(round_ones <= most) & (np.abs(round_ones - 1) > 0.3 * min(step, 1.0))]
    return tuple(sorted({*BOUNDARY_AND_MARGINS, *kept.tolist(), *(-kept).tolist()}))


def round_levels(F: Array) -> tuple[float, ...]:
    """Return up to ten round levels between the smallest and the largest values of a field, wherever 0 is."""
    most_lines, sample = 10, F[:: max(1, F.shape[0] // 50), :: max(1, F.shape[1] // 50)]
    sample = sample[np.abs(sample) < HUGE_SCORE]  # NaN compares false
    low, high = rough_quantile(sample, 0.01), rough_quantile(sample, 0.99)
    step = nice_step(high - low, most_lines)
    if not high - low > least_reach(F):
        return ()
    return tuple((step * np.arange(ceil(low / step), floor(high / step) + 1)).tolist())


def reach(F: Array) -> float:
    """Return the largest finite |F|, or 0 if there is none."""
    return float(np.abs(F[np.isfinite(F)]).max(initial=0.0))


def level_lines(x1: Array, x2: Array, F: Array, count: int) -> ContourLines:
    """Return the zero line, where F changes its sign, and up to `count` round levels on each side."""
    most = reach(F)
    if most == 0.0:
        return ()
    step = nice_step(most, count)
    levels = [k * step for k in range(-count, count + 1) if k and abs(k * step) < most]
    signed = F
    if not F.all():
        # Undefined where F is 0 and the surrounding nodes do not have both signs. Values that underflow, as
        # far from the centre of a narrow Gaussian, have a sign, and no line ends there.
        around = np.lib.stride_tricks.sliding_window_view(np.pad(F, 1, mode="edge"), (3, 3))
        both = (around.min(axis=(2, 3)) < 0.0) & (around.max(axis=(2, 3)) > 0.0)
        signed = np.where((F == 0.0) & ~both, np.nan, F)
    return quick_contours(x1, x2, F, levels) + quick_contours(x1, x2, signed, (0.0,))


def least_reach(F: Array) -> float:
    """Return how far levels reach at least: a share of the highest |F|, or of a score of 1 if that is lower.

    Without it narrow peaks in a nearly empty plane would be lost among its tiny numbers."""
    highest = float(max(F.max(), -F.min()))
    # Levels reach at least this share of the highest peak, or of a score of 1 if that is lower.
    peak_share = 0.01
    return peak_share * min(1.0, highest) if highest < HUGE_SCORE else 0.0


def nearest_on_lines(points: Array, lines: list[Array]) -> Array:
    """Return for every point the nearest point of the polylines, vertex or interior; NaN without any line."""
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
