"""Where labels of points have room: they cover neither a point nor each other."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF

from kernelviz.engine.core.arrays import Array


def placed(
    centres: Array, sizes: Array, gaps: Array, obstacles: Array, air: float, room: QRectF
) -> list[tuple[int, float, float]]:
    """Return (which, left, top) of the labels that have room, the first of them first: to the right of their
    points, to the left, above or below, at a distance of their gaps. All arguments are in the same unit;
    obstacles are the centres of all points, around which some air is kept free."""
    taken, found = np.empty((0, 4)), []
    xs, ys = obstacles[np.argsort(obstacles[:, 0])].T
    for k, ((x, y), (w, h), gap) in enumerate(
        zip(centres.tolist(), sizes.tolist(), gaps.tolist(), strict=True)
    ):
        corners = (
            (x + gap, y - h / 2),
            (x - gap - w, y - h / 2),
            (x - w / 2, y - gap - h),
            (x - w / 2, y + gap),
        )
        for left, top in corners:
            if not room.contains(QRectF(left, top, w, h)) or _hits(taken, left, top, w, h):
                continue
            first, last = np.searchsorted(xs, (left - air, left + w + air), side="right")
            near = ys[first:last]
            if not ((near > top - air) & (near < top + h + air)).any():
                found.append((k, left, top))
                taken = np.vstack([taken, (left, top, left + w, top + h)])
                break
    return found


def _hits(taken: Array, left: float, top: float, w: float, h: float) -> bool:
    return bool(
        (
            (taken[:, 0] < left + w) & (taken[:, 2] > left) & (taken[:, 1] < top + h) & (taken[:, 3] > top)
        ).any()
    )
