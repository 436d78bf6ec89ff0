"""The polylines of a curve with as few vertices as the eye needs: clipped to the view, straightened, and of
the bumps it is the sum of.

A thick pen costs by the vertex, and a curve has thousands where tens would do; here they are left out.
Nothing in this module needs Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.sampling import CurveStrip

SHORT_LINE = 16  # Vertices of a line that is too short to be straightened.
MOST_ROUNDS = 6  # How often the vertices of a line are looked at, at most.
MOST_BUMPS = 150  # Of more points only the largest bumps are drawn: a thicket of lines shows nothing.
VERTICES = 48  # Of each bump that is drawn faintly, where they are not all alike.
FAINTEST = 0.002  # A line lower than this share of the view's height seems to lie on the axis.
# Shares of the view's height by which a faint line may be off; of one so many times as high as the view only
# the steep flanks are seen.
STRAIGHT_BUMP, TALL = 6e-4, 4.0
# The number of places at which a bump is sampled, denser around its middle.
EVEN, DENSE = 513, np.linspace(-1.0, 1.0, 201) ** 3


def within(xy: Array, low: float, high: float) -> list[Array]:
    """Return the pieces of a polyline between two heights, cut where it crosses them. It is broken at
    undefined values."""
    y = xy[:, 1]
    if y.min(initial=low) >= low and y.max(initial=high) <= high:
        return [xy] if len(xy) > 1 else []
    far = 1e6  # Times the height of the view: what is farther off leaves it as steeply to the eye.
    reach = far * (high - low)
    xy = _crossed(_crossed(np.column_stack([xy[:, 0], np.clip(y, low - reach, high + reach)]), low), high)
    inside = (xy[:, 1] >= low) & (xy[:, 1] <= high)  # NaN compares false
    turns = [0, *(np.flatnonzero(np.diff(inside)) + 1).tolist(), len(xy)]
    first = 0 if inside[0] else 1
    pieces = zip(turns[first::2], turns[first + 1 :: 2], strict=False)
    return [xy[begin:end] for begin, end in pieces if end - begin > 1]


def straightened(xy: Array, width: float, height: float) -> Array:
    """Return a polyline that looks the same with fewer vertices: every second one that lies on the chord of
    its neighbours is dropped, several times over. A thick pen costs by the vertex."""
    straight = 1e-4  # Shares of the view's height that no eye sees.
    worth = 0.9  # Share of the vertices above which another look is not worth while.
    for _ in range(MOST_ROUNDS):
        before = len(xy)
        if before < SHORT_LINE:
            break
        unit = xy / (width, height)
        left, here, right = unit[:-2:2], unit[1:-1:2], unit[2::2]
        share = (here[:, 0] - left[:, 0]) / np.maximum(right[:, 0] - left[:, 0], 1e-300)
        off = np.abs(here[:, 1] - left[:, 1] - share * (right[:, 1] - left[:, 1]))
        kept = np.ones(before, dtype=bool)
        kept[1:-1:2] = ~(off < straight)
        xy = xy[kept]
        if len(xy) > worth * before:
            break
    return xy


def area(lower: Array, upper: Array, low: float, high: float) -> Array:
    """Return the outline of the area between two curves, cut off at two heights."""
    sides = []
    for edge in (lower, upper):
        xy = _crossed(_crossed(edge[np.isfinite(edge[:, 1])], low), high)
        sides.append(np.column_stack([xy[:, 0], np.clip(xy[:, 1], low, high)]))
    return np.concatenate([sides[0], sides[1][::-1]])


def _crossed(xy: Array, level: float) -> Array:
    """Return the rows with one more wherever a polyline crosses a level."""
    off = xy[:, 1] - level
    with np.errstate(over="ignore", invalid="ignore"):
        cross = np.flatnonzero(off[:-1] * off[1:] < 0)
        if not len(cross):
            return xy
        share = off[cross] / (off[cross] - off[cross + 1])
        at = xy[cross] + share[:, None] * (xy[cross + 1] - xy[cross])
    at[:, 1] = level
    return np.insert(xy, cross + 1, at, axis=0)


# Bumps ------------------------------------------------------------------------------------------------------
def bumps_of(model: Model, x: Array, points: Sequence[int] | None = None) -> Array:
    """Return beta_i K(x_i, x), (points, len(x)), for the given points or those with the largest weights; no
    rows for a model that is not such a sum."""
    beta, support = model.beta, model.support
    if beta is None or not len(support):
        return np.empty((0, len(x)))
    rows = _largest(beta, support) if points is None else np.intersect1d(points, support)
    return np.asarray((model.inner_products(x[:, None], rows) * beta[rows]).T)


def _largest(beta: Array, support: Indices) -> Indices:
    """Return the support vectors with the largest weights, at most MOST_BUMPS, in the order of the points."""
    order = np.argsort(-np.abs(beta[support]), kind="stable")[:MOST_BUMPS]
    return np.sort(support[order])


def outlines(model: Model, line: CurveStrip, level: float) -> Array:
    """Return all bumps above the level as one polyline, with a row of NaN after each."""
    beta, support = model.beta, model.support
    if beta is None or not len(support):
        return np.empty((0, 2))
    rows = _largest(beta, support)
    above = replace(line, bottom=line.bottom - level, top=line.top - level)
    if model.problem.kernel.stationary:
        return _alike(model.problem.kernel, model.problem.X[rows, 0], beta[rows], above)
    nodes = 129  # From edge to edge, besides one at every point.
    x = line.nodes(model.problem.X[:, 0], nodes)
    return _each(x, bumps_of(model, x, rows.tolist()), above.bottom, above.top)


def _alike(kernel: Kernel, at: Array, beta: Array, line: CurveStrip) -> Array:
    """Return the bumps of a stationary kernel, which differ only in place and height: K(x_i + t, x_i) is the
    same function of t for all."""
    t, k = _shape(kernel, float(np.abs(beta).max()), at, line)
    left, right = (np.full((len(at), 1), x) for x in (line.left, line.right))
    ends = beta * kernel(np.array([[line.left], [line.right]]), at[:, None])
    x = np.hstack([left, np.add.outer(at, t), right])
    y = np.hstack([ends[:1].T, np.multiply.outer(beta, k), ends[1:].T])
    height = line.top - line.bottom
    high = np.abs(y) > FAINTEST * height
    # Whatever a stretch leaves, the axis or the view, both of its ends are needed.
    where = high + 2 * (y > line.bottom) + 4 * (y > line.top)
    leaves = where[:, 1:] != where[:, :-1]
    kept = where == 3
    kept[:, 1:] |= leaves
    kept[:, :-1] |= leaves
    kept[:, 1:-1] &= (x[:, 1:-1] > line.left) & (x[:, 1:-1] < line.right)
    return _broken(x, y, kept)


def _shape(kernel: Kernel, largest: float, at: Array, line: CurveStrip) -> tuple[Array, Array]:
    """Return t and K(x + t, x) with as few vertices as the largest bump needs in the view.

    A chord of length h is off by h² |K''|/8, so that the integral of sqrt |K''| gives the number of
    vertices."""
    width, height = line.right - line.left, line.top - line.bottom
    reach = max(line.right - float(at.min()), float(at.max()) - line.left)
    t = np.unique(np.concatenate([np.linspace(-reach, reach, EVEN), width * DENSE, reach * DENSE]))
    k = kernel(t[:, None], np.zeros((1, 1)))[:, 0]
    h = np.diff(t)
    turn = np.abs(np.diff(np.diff(k) / h)) * min(largest / height, TALL)  # |K''| times the mean of two h
    stretch = np.cumsum(np.sqrt(turn * (0.5 * (h[1:] + h[:-1])))) / np.sqrt(8.0 * STRAIGHT_BUMP)
    kept = np.ones(len(t), dtype=bool)
    kept[1:-1] = np.diff(np.floor(stretch), prepend=0.0) > 0
    kept[len(t) // 2] = True  # a kernel that has a kink has one at 0
    return t[kept], k[kept]


def _broken(x: Array, y: Array, kept: NDArray[np.bool_]) -> Array:
    """Return the rows of x and y, or those of y over a single x, as one polyline with NaN after each row that
    is not empty."""
    nothing = np.full((len(y), 1), np.nan)
    kept = np.column_stack([kept, kept.any(axis=1)])
    x = np.broadcast_to(x, y.shape)
    return np.column_stack([np.column_stack([x, nothing])[kept], np.column_stack([y, nothing])[kept]])


def _each(x: Array, bumps: Array, low: float, high: float) -> Array:
    """Return a few vertices of each bump: where it bends between two heights, and only where it is
    visible."""
    height = high - low
    seen = np.abs(bumps) > FAINTEST * height
    shown = np.clip(bumps, low - 0.1 * height, high + 0.1 * height)
    bend = np.zeros(bumps.shape)
    bend[:, 1:-1] = np.sqrt(np.abs(shown[:, 2:] - 2 * shown[:, 1:-1] + shown[:, :-2]))
    bend[~seen] = 0.0
    way = np.cumsum(bend, axis=1)
    stretch = np.floor(way * (VERTICES / np.maximum(way[:, -1:], 1e-300)))
    kept = np.zeros(bumps.shape, dtype=bool)
    kept[:, 1:] = (np.diff(stretch, axis=1) > 0) & seen[:, 1:]
    rows = np.flatnonzero(seen.any(axis=1))
    kept[rows, np.maximum(seen.argmax(axis=1) - 1, 0)[rows]] = True
    kept[rows, np.minimum(len(x) - seen[:, ::-1].argmax(axis=1), len(x) - 1)[rows]] = True
    return _broken(x, bumps, kept)
