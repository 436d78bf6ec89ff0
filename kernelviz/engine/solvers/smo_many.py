"""SMO for many duals side by side: every array operation takes one step in each of them.

A step of one small dual is little arithmetic between many calls; here the calls are shared."""

from __future__ import annotations

import numpy as np

from kernelviz.engine.arrays import Array, Indices

__all__ = ["closeness", "pairs"]

TINY = 1e-12
INF = np.inf


def closeness(K: Array) -> Array:
    """1/|phi(x_i) - phi(x_j)| for matrices K (…, n, n): with it a step has its second-order promise."""
    diagonal = np.diagonal(K, axis1=-2, axis2=-1)
    squares = diagonal[..., :, None] + diagonal[..., None, :]
    squares -= 2.0 * K
    np.maximum(squares, TINY * max(float(np.abs(diagonal).max()), 1e-200), out=squares)
    return np.asarray(1.0 / np.sqrt(squares))


def pairs(
    rows: tuple[Array, Array], begin: Indices, b: Array, lo: Array, hi: Array, g: Array, steps: int
) -> None:
    """So many steps for every row of b, with its gradient g = Kb - p, both in place.

    rows: those of all K and of their closeness; the row of point i for row q of b is begin[q] + i. Where
    lo = hi the point takes no part, and its g is lost."""
    K, close = rows
    count, n = b.shape
    first = n * np.arange(count)
    up, down = np.where(b < hi, g, INF), np.where(b > lo, g, -INF)
    mine, other, promise = np.empty((3, count, n))
    weights, low, high, ups, downs = (x.reshape(-1) for x in (b, lo, hi, up, down))
    for _ in range(steps):
        i = up.argmin(axis=1)
        at_i, row_i = first + i, begin + i
        lowest = ups.take(at_i)
        np.subtract(down, lowest[:, None], out=promise)
        close.take(row_i, axis=0, out=mine, mode="clip")
        np.multiply(promise, mine, out=promise)
        j = promise.argmax(axis=1)
        at_j = first + j
        old_i, old_j, top, bottom = weights.take(at_i), weights.take(at_j), high.take(at_i), low.take(at_j)
        step = (downs.take(at_j) - lowest) * mine.reshape(-1).take(at_j) ** 2
        np.maximum(step, 0.0, out=step)  # solved already
        room_i, room_j = top - old_i, old_j - bottom
        np.minimum(step, room_i, out=step)
        np.minimum(step, room_j, out=step)
        K.take(row_i, axis=0, out=mine, mode="clip")
        K.take(begin + j, axis=0, out=other, mode="clip")
        np.subtract(mine, other, out=mine)
        np.multiply(mine, step[:, None], out=mine)
        np.add(up, mine, out=up)
        np.add(down, mine, out=down)
        # A weight that has moved can go back; where it has met its bound, exactly, it cannot go on.
        slope_i, slope_j, full_i, full_j = ups.take(at_i), downs.take(at_j), step == room_i, step == room_j
        weights[at_i], weights[at_j] = (
            np.where(full_i, top, old_i + step),
            np.where(full_j, bottom, old_j - step),
        )
        downs[at_i], ups[at_j] = slope_i, slope_j
        ups[at_i], downs[at_j] = np.where(full_i, INF, slope_i), np.where(full_j, -INF, slope_j)
    np.copyto(g, np.where(up < INF, up, down), where=lo < hi)
