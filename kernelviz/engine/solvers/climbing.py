"""Uphill in a few dimensions: BFGS within bounds."""

from __future__ import annotations

from collections.abc import Callable, Generator

import numpy as np

from kernelviz.engine.arrays import Array

__all__ = ["climbing"]

MOST = 200
"""Evaluations."""
LEVEL = 1e-5
"""A slope that is none."""
ENOUGH = 1e-8
"""A relative gain that is none: of the steps to come each gains much less."""
LONGEST = 2.0
"""Of a step in any direction: with logarithms, a factor of seven."""
ARMIJO = 1e-4
SHRINK = 0.3


def climbing(
    f: Callable[[Array], tuple[float, Array]], x: Array, low: Array, high: Array
) -> Generator[float, None, Array]:
    """A local maximum of f, which gives value and gradient. Yields after each evaluation a share done."""
    value, slope = f(x)
    H, fresh, count = np.eye(len(x)), True, 1
    while count < MOST:
        free = ~(((x <= low) & (slope < 0)) | ((x >= high) & (slope > 0)))
        if not np.abs(slope[free]).max(initial=0.0) > LEVEL:
            break
        d = np.where(free, H @ np.where(free, slope, 0.0), 0.0)
        if not d @ slope > 0.0:
            H, fresh, d = np.eye(len(x)), True, np.where(free, slope, 0.0)
        longest = float(np.abs(d).max())
        step = min(1.0, (1.0 if fresh else LONGEST) / longest)
        while True:
            new = np.clip(x + step * d, low, high)
            at, uphill = f(new)
            count += 1
            yield count / (count + 10.0)
            if at >= value + ARMIJO * float(slope @ (new - x)) or count >= MOST:
                break
            step *= SHRINK
            if step * longest < 1e-12:
                return x
        if not at > value:
            break
        move, bend = new - x, slope - uphill
        gain = at - value
        x, value, slope = new, at, uphill
        if gain > ENOUGH * max(1.0, abs(value)):
            H, fresh = _updated(H, move, bend, fresh), False
        elif fresh:
            break
        else:  # what is known of the curvature may hide a direction that still rises: along the slope, then
            H, fresh = np.eye(len(x)), True
    return x


def _updated(H: Array, move: Array, bend: Array, fresh: bool) -> Array:
    """The inverse curvature with what the last step told of it; as it was where f bends upwards."""
    curvature = float(move @ bend)
    if curvature <= 1e-12 * float(np.linalg.norm(move) * np.linalg.norm(bend)):
        return H
    if fresh:
        H = np.eye(len(H)) * (curvature / float(bend @ bend))
    I = np.eye(len(H)) - np.outer(move, bend) / curvature  # noqa: E741
    return np.asarray(I @ H @ I.T + np.outer(move, move) / curvature)
