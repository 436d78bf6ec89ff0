"""Marks that look alike are drawn once and stamped: ten times faster on screen, exact lines on paper."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QWidget

from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.transform import POINTS_PER_PIXEL
from kernelviz.engine.arrays import Array

__all__ = ["Stamps", "on_screen"]

Draw = Callable[[QPainter, Style, Array], None]
"""Draws a mark at each row of an (m, 2) array of places in points."""
MOST = 200


def on_screen(painter: QPainter) -> bool:
    """Whether the painter paints a widget rather than a file."""
    return isinstance(painter.device(), QWidget)


class Stamps:
    """A small store of marks as pixmaps."""

    def __init__(self) -> None:
        self._made: dict[Hashable, QPixmap] = {}

    def draw(self, painter: QPainter, style: Style, xy: Array, name: Hashable, draw: Draw) -> None:
        """Draw the mark called `name` at every place; the same name must mean the same drawing."""
        if len(xy) == 0:
            return
        if not on_screen(painter):
            draw(painter, style, xy)
            return
        ratio = painter.device().devicePixelRatioF()
        key = (name, style, ratio)
        if key not in self._made:
            if len(self._made) >= MOST:
                self._made.clear()
            self._made[key] = _stamp(style, ratio, draw)
        stamp = self._made[key]
        half = stamp.width() / (2 * ratio)
        # Stamps stay sharp on whole device pixels.
        corners = np.round((xy / POINTS_PER_PIXEL - half) * ratio) / ratio
        painter.save()
        painter.scale(POINTS_PER_PIXEL, POINTS_PER_PIXEL)
        for x, y in corners.tolist():
            painter.drawPixmap(QPointF(x, y), stamp)
        painter.restore()


def _stamp(style: Style, ratio: float, draw: Draw) -> QPixmap:
    radius = style.ring_radius(1.0) + 4 * style.glyphs
    pixels = 2 * math.ceil(radius / POINTS_PER_PIXEL * ratio)
    made = QPixmap(pixels, pixels)
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(1 / POINTS_PER_PIXEL, 1 / POINTS_PER_PIXEL)
    centre = pixels / ratio / 2 * POINTS_PER_PIXEL
    draw(painter, style, np.array([[centre, centre]]))
    painter.end()
    return made
