"""A quick start for boxes that many weights will fill: whole sets of points go to their bounds at once."""

from __future__ import annotations

import numpy as np

from kernelviz.engine.solvers.qp import Dual, Point

__all__ = ["fill"]

FIRST = 2
"""Pairs moved together in the first trial; twice as many after a success, half as many after a failure."""

OVERSHOOT = 1.0
"""1 accepts a move only while the objective still falls at its end, 1/2 whenever it is lower there."""


def fill(dual: Dual, point: Point) -> None:
    """Carry the worst violators across the whole box, as many at a time as the objective allows.

    Where weights belong at their bounds this replaces hundreds of SMO steps; elsewhere it ends at once."""
    width = dual.largest
    if dual.groups is not None or not width < np.inf:
        return
    b, h = point.b, point.h
    pairs = FIRST
    while pairs >= FIRST:
        g = h - dual.p
        low, high = (b == dual.lo).nonzero()[0], (b == dual.hi).nonzero()[0]
        most = min(pairs, len(low), len(high))
        if most < FIRST:
            return
        grow = low[g[low].argpartition(most - 1)[:most]]
        shrink = high[g[high].argpartition(-most)[-most:]]
        slope = float(np.add.reduce(g[grow]) - np.add.reduce(g[shrink]))
        if slope >= 0.0:
            return
        both = np.concatenate((grow, shrink))
        rows, _ = dual.rows.block(both)
        change = width * (np.add.reduce(rows[:most]) - np.add.reduce(rows[most:]))
        curvature = float(np.add.reduce(change[grow]) - np.add.reduce(change[shrink]))
        if slope + OVERSHOOT * curvature >= 0.0:
            pairs //= 2
            continue
        b[grow], b[shrink] = dual.hi[grow], dual.lo[shrink]
        h += change
        point.steps += 1
        point.updated(dual)
        pairs *= 2
