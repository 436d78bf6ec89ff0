"""Hatching: regions of several classes that differ without any colour."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QPainter

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.figure.style import Style


def draw_texture(painter: QPainter, style: Style, regions: Indices, rect: QRectF) -> None:
    """Hatch a rectangle by the number of the region at each node, (rows, columns), counted upwards. Of two
    regions the first is hatched, the second plain."""
    # The directions of the lines of each region, in degrees.
    patterns = ((45,), (), (135,), (0,), (90,), (45, 135), (0, 90), (20,))
    painter.setPen(pen(style.theme.soft_ink, 0.45 * style.strokes, alpha=0.7, round_ends=False))
    for k in np.unique(regions).tolist():
        for degrees in patterns[k % len(patterns)]:
            painter.drawLines(_hatch(regions == k, rect, np.deg2rad(degrees), 4.5 * style.strokes))


def _hatch(inside: np.ndarray, rect: QRectF, angle: float, apart: float) -> list[QLineF]:
    """Return parallel lines in a rectangle, as far as they are inside a region."""
    rows, columns = inside.shape
    along, across = np.array([np.cos(angle), -np.sin(angle)]), np.array([np.sin(angle), np.cos(angle)])
    reach = np.hypot(rect.width(), rect.height()) / 2
    step = 0.3  # Points between two places of a line that are looked up.
    t = np.arange(-reach, reach, step)
    offsets = apart * np.arange(-int(reach / apart), int(reach / apart) + 1)
    centre = np.array([rect.center().x(), rect.center().y()])
    places: Array = centre + offsets[:, None, None] * across + t[:, None] * along
    x = np.floor((places[..., 0] - rect.left()) / rect.width() * columns).astype(np.intp)
    y = np.floor((rect.bottom() - places[..., 1]) / rect.height() * rows).astype(np.intp)
    on = (x >= 0) & (x < columns) & (y >= 0) & (y < rows)
    on[on] = inside[y[on], x[on]]
    edges = np.diff(np.pad(on, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    lines, begins = np.nonzero(edges == 1)
    ends = np.nonzero(edges == -1)[1]
    ends = np.minimum(ends, len(t) - 1)
    return [
        QLineF(*begin, *end)
        for begin, end in zip(places[lines, begins].tolist(), places[lines, ends].tolist(), strict=True)
    ]
