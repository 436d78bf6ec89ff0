"""Marks that look alike are drawn once and stamped: ten times faster on screen, exact lines on paper."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPixmap

from kernelviz.drawing.figure.glyphs import draw_copies
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.transform import POINTS_PER_PIXEL
from kernelviz.engine.core.arrays import Array

# Draws a mark at each row of an (m, 2) array of places in points.
Draw = Callable[[QPainter, Style, Array], None]
MOST_STAMPS = 200


class Stamps:
    """A small store of marks as pixmaps, for the window's thread alone."""

    def __init__(self) -> None:
        self._made: dict[Hashable, QPixmap] = {}

    def draw(self, painter: QPainter, style: Style, xy: Array, name: Hashable, draw: Draw) -> None:
        """Draw the mark called `name` at every place; the same name must mean the same drawing."""
        if len(xy) == 0:
            return
        ratio = painter.device().devicePixelRatioF()
        key = (name, style, ratio)
        if key not in self._made:
            if len(self._made) >= MOST_STAMPS:
                self._made.clear()
            self._made[key] = _pixmap(style, ratio, draw)
        pixmap = self._made[key]
        half = pixmap.width() / (2 * ratio)
        # Stamps stay sharp on whole device pixels.
        corners = np.round((xy / POINTS_PER_PIXEL - half) * ratio) / ratio
        painter.save()
        painter.scale(POINTS_PER_PIXEL, POINTS_PER_PIXEL)
        draw_copies(painter, pixmap, corners + half)
        painter.restore()


def _pixmap(style: Style, ratio: float, draw: Draw) -> QPixmap:
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


def stamp(
    stamps: Stamps | None, painter: QPainter, style: Style, xy: Array, name: Hashable, draw: Draw
) -> None:
    """Draw a mark at every place: stamped on screen, exactly elsewhere."""
    if stamps is not None:
        stamps.draw(painter, style, xy, name, draw)
    elif len(xy):
        draw(painter, style, xy)
