"""Marks that look alike are drawn once and stamped: ten times faster on screen, exact lines on paper.

The module also deals with marks on top of each other: of those that hide each other one is drawn
(`thinned`), or they are spread around their place (`spread`)."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from functools import partial

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage, QPainter, QPixmap

from kernelviz.engine.core.arrays import Array, Indices, distinct
from kernelviz.scene.figure.glyphs import draw_copies, draw_glyphs
from kernelviz.scene.figure.strokes import pen, tinted
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL

# Draws a mark at each row of an (m, 2) array of places in points.
Draw = Callable[[QPainter, Style, Array], None]
CELL = 2.0  # Points between two marks of a kind that the eye can distinguish.
GOLDEN = np.pi * (3.0 - np.sqrt(5.0))  # The angle between one seed of a sunflower and the next.
SEED_STEP = 4.5  # Points between neighbouring seeds, at the normal size of glyphs: room for a glyph.
MOST_SHIFT = 14.0  # No point is drawn farther from its place than this.


class Stamps:
    """Keeps marks as pixmaps, by their name, style and resolution. Use it on the window's thread only."""

    def __init__(self) -> None:
        self._made: dict[Hashable, QPixmap] = {}

    def draw(self, painter: QPainter, style: Style, xy: Array, name: Hashable, draw: Draw) -> None:
        """Draw the mark called `name` at every place; the same name must mean the same drawing."""
        if len(xy) == 0:
            return
        # Everything may be painted enlarged, as for an audience.
        enlarged = round(painter.worldTransform().m11() * POINTS_PER_PIXEL, 3)
        ratio = painter.device().devicePixelRatioF() * enlarged
        key = (name, style, ratio)
        most_stamps = 200
        if key not in self._made:
            if len(self._made) >= most_stamps:
                self._made.clear()
            self._made[key] = _stamp(style, ratio, draw)
        painter.save()
        # On whole device pixels the copies are plain copies: no resampling, and no blur.
        painter.scale(POINTS_PER_PIXEL / ratio, POINTS_PER_PIXEL / ratio)
        draw_copies(painter, self._made[key], np.rint(xy * (ratio / POINTS_PER_PIXEL)))
        painter.restore()


def _stamp(style: Style, ratio: float, draw: Draw) -> QPixmap:
    """Return the mark in the middle of a pixmap with an even number of pixels to each side. Its empty border
    is cut off, so that the centre stays the centre: every copy costs its area."""
    scale = ratio / POINTS_PER_PIXEL
    reach = 16.0  # Half the side of a stamp in points, at the style's normal glyph size.
    half = math.ceil(reach * max(style.glyphs, style.strokes) * scale)
    side = 2 * half
    made = QPixmap(side, side)
    made.fill(Qt.GlobalColor.transparent)
    with QPainter(made) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(half, half)
        painter.scale(scale, scale)
        draw(painter, style, np.zeros((1, 2)))
    image = made.toImage().convertToFormat(QImage.Format.Format_Alpha8)
    alpha = np.frombuffer(image.constBits(), np.uint8).reshape(side, image.bytesPerLine())[:, :side]
    inked = np.flatnonzero(alpha.any(axis=0) | alpha.any(axis=1))
    if not len(inked):
        return made
    border = min(int(inked[0]), side - 1 - int(inked[-1]))
    return made.copy(border, border, side - 2 * border, side - 2 * border)


def stamp(
    stamps: Stamps | None, painter: QPainter, style: Style, xy: Array, name: Hashable, draw: Draw
) -> None:
    """Draw a mark at every place, (m, 2) in points: stamped on screen, with `stamps`, and exactly without.

    >>> stamp(stamps, painter, style, xy, "mistake", draw_mistakes)"""
    if stamps is not None:
        stamps.draw(painter, style, xy, name, draw)
    elif len(xy):
        draw(painter, style, xy)


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
    """Draw a glyph at each place in points, by the number of its class among `count`."""
    for k in distinct(classes):
        draw = partial(draw_glyphs, k=k, count=count, hollow=hollow)
        stamp(stamps, painter, style, xy[classes == k], ("glyph", k, count, hollow), draw)


def thinned(xy: Array, groups: np.ndarray, cell: float = CELL) -> Indices:
    """Return the marks to draw: one per group and cell of those that would cover each other; none without a
    place (NaN)."""
    placed = np.flatnonzero(~np.isnan(xy).any(axis=1))
    if len(placed) == 0:
        return np.empty(0, dtype=np.intp)
    cells = np.floor(xy[placed] / cell).astype(np.int64)
    key = (cells[:, 0] * 4_000_037 + cells[:, 1]) * 16 + groups[placed].astype(np.int64)
    return np.sort(placed[np.unique(key, return_index=True)[1]])


def spread(points: Array) -> Array:
    """Return the shifts in points, (n, 2), at the normal size of glyphs, that separate equal places, (n, 2).

    The k-th of m equal points, in the order of their numbers, is shifted like the k-th seed of a sunflower:
    by r √(k + ½) in the direction k times the golden angle, with r = min(SEED_STEP, MOST_SHIFT/√m). A point
    alone at its place is not shifted."""
    n = len(points)
    order = np.lexsort(points.T)  # stable: equal places stay in the order of their numbers
    ordered = points[order]
    first = np.ones(n, dtype=bool)
    first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    place = np.cumsum(first) - 1
    m = np.bincount(place)[place]
    k = np.arange(n) - np.flatnonzero(first)[place]
    radius = np.where(m > 1, np.minimum(SEED_STEP, MOST_SHIFT / np.sqrt(m)) * np.sqrt(k + 0.5), 0.0)
    shifts = np.empty((n, 2))
    shifts[order] = radius[:, None] * np.column_stack([np.cos(GOLDEN * k), np.sin(GOLDEN * k)])
    return shifts


def encircle(
    painter: QPainter, style: Style, xy: Array, strong: bool, strength: float = 0.6, tint: float = 0.0
) -> None:
    """Draw rings around points under the mouse, or thinner ones around selected points, (m, 2); with a tint,
    discs."""
    painter.setBrush(tinted(style.theme.highlight, tint))
    painter.setPen(pen(style.theme.highlight, (2.0 if strong else 1.0) * style.ring_width))
    for x, y in xy.tolist():
        painter.drawEllipse(QPointF(x, y), *[style.ring_radius(strength)] * 2)
    painter.setBrush(Qt.BrushStyle.NoBrush)
