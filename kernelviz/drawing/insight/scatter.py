"""Training points as marks of a small plot: stamped on screen, drawn exactly on paper."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter

from kernelviz.drawing.figure.glyphs import draw_glyphs
from kernelviz.drawing.figure.strokes import pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.insight.stamps import Stamps, stamp
from kernelviz.engine.core.arrays import Array, Indices

CELL = 2.0  # Points between two marks of a kind that the eye tells apart.


def thinned(xy: Array, groups: np.ndarray, cell: float = CELL) -> Indices:
    """Of the marks that would cover each other, one per group and cell: what the eye could tell apart."""
    if len(xy) == 0:
        return np.empty(0, dtype=np.intp)
    cells = np.floor(xy / cell).astype(np.int64)
    key = (cells[:, 0] * 4_000_037 + cells[:, 1]) * 16 + groups.astype(np.int64)
    return np.sort(np.unique(key, return_index=True)[1])


def draw_points(
    painter: QPainter,
    style: Style,
    xy: Array,
    classes: np.ndarray,
    count: int,
    stamps: Stamps | None,
    *,
    hollow: bool = False,
) -> None:
    """A glyph at each place in points, by the number of its class among `count`."""
    for k in np.unique(classes).tolist():
        draw = partial(draw_glyphs, k=k, count=count, hollow=hollow)
        stamp(stamps, painter, style, xy[classes == k], ("glyph", k, count, hollow), draw)


def encircle(painter: QPainter, style: Style, at: Array, strong: bool) -> None:
    """The ring around what is pointed at, or more thinly around what is selected."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(style.theme.highlight, (2.0 if strong else 1.0) * style.ring_width))
    painter.drawEllipse(QPointF(*at.tolist()), *[style.ring_radius(0.6)] * 2)
