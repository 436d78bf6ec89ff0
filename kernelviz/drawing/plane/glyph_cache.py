"""Glyphs of points kept as pixmaps, and a picture of all of them where there are many."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPixmap

from kernelviz.drawing.figure.glyphs import draw_copies, draw_glyphs, draw_mistakes, draw_rings
from kernelviz.drawing.figure.rings import Ring, Rings
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.transform import POINTS_PER_PIXEL, Transform
from kernelviz.drawing.plane.layers import SelectionLayer
from kernelviz.drawing.plane.picture import Picture
from kernelviz.engine.core.arrays import Array, Indices

Draw = Callable[[QPainter, Array], None]  # Draws something small around a place given in points.

REACH = 16.0  # Half the side of a stamp in points, at the style's normal glyph size.


CROWD = 4000  # Points from which glyphs on top of each other are left out.
APART = 6.0  # Pixels: closer than this, glyphs of one class cover each other.


def thinned_out(pixels: Array) -> Array:
    """One point of every small square of the screen."""
    if not len(pixels):
        return pixels
    cells = np.floor(pixels / APART).astype(np.int64)
    cells -= cells.min(axis=0)
    columns, rows = (cells.max(axis=0) + 1).tolist()
    # Who enters a square last stays: no sorting of a hundred thousand points.
    last = np.full(columns * rows, -1)
    last[cells[:, 0] * rows + cells[:, 1]] = np.arange(len(pixels))
    return pixels[last[last >= 0]]


@dataclass
class Sprites:
    """The stamps of one style at one resolution."""

    style: Style
    ratio: float  # Device pixels per logical pixel.
    _stamps: dict[Hashable, QPixmap] = field(default_factory=dict)

    def glyphs(
        self, painter: QPainter, pixels: Array, classes: Indices, count: int, hollow: bool = False
    ) -> None:
        """All points, given in logical pixels; + and -, or a shape for each of several classes.

        Of a crowd only as many as can be told apart."""
        crowded = len(pixels) > CROWD
        lowest, highest = classes.min(initial=0), classes.max(initial=0)
        for k in range(int(lowest), int(highest) + 1):
            own = pixels[classes == k]
            self._put(
                painter,
                thinned_out(own) if crowded else own,
                ("glyph", k, count, hollow),
                self._glyph(k, count, hollow),
            )

    def rings(self, painter: QPainter, pixels: Array, rings: Rings) -> None:
        """The rings around support vectors, whose places are given in the order of `rings`."""
        for kind, strength, which in rings.groups:
            self._put(
                painter,
                pixels[which],
                ("ring", kind, strength),
                self._ring(kind, strength),
            )

    def mistakes(self, painter: QPainter, pixels: Array) -> None:
        """The strokes around misclassified points."""
        self._put(painter, pixels, "mistake", lambda p, at: draw_mistakes(p, self.style, at))

    def _glyph(self, k: int, count: int, hollow: bool) -> Draw:
        return lambda painter, at: draw_glyphs(painter, self.style, at, k, count, hollow)

    def _ring(self, kind: Ring, strength: float) -> Draw:
        return lambda painter, at: draw_rings(painter, self.style, at, kind, strength)

    def selected(self, painter: QPainter, pixels: Array) -> None:
        """The discs that mark selected points."""
        self._put(painter, pixels, "selected", lambda p, at: self._mark(p, at, (0,), None))

    def highlighted(self, painter: QPainter, pixels: Array) -> None:
        """The strong ring around the point that is pointed at."""
        self._put(painter, pixels, "highlighted", lambda p, at: self._mark(p, at, (), 0))

    def _mark(
        self, painter: QPainter, at: Array, selection: tuple[int, ...], highlighted: int | None
    ) -> None:
        in_place = Transform(1.0, 0.0, 1.0, 0.0)
        SelectionLayer(at, selection, highlighted).paint(painter, in_place, self.style)

    def _put(self, painter: QPainter, pixels: Array, key: Hashable, draw: Draw) -> None:
        if not len(pixels):
            return
        stamp = self._stamps.get(key)
        if stamp is None:
            stamp = self._stamps[key] = self._made(draw)
        painter.save()
        # In device pixels the copies are plain copies: no resampling, and no blur.
        painter.scale(1 / self.ratio, 1 / self.ratio)
        draw_copies(painter, stamp, np.rint(pixels * self.ratio))
        painter.restore()

    def _made(self, draw: Draw) -> QPixmap:
        scale = self.ratio / POINTS_PER_PIXEL
        half = int(np.ceil(REACH * max(self.style.glyphs, self.style.strokes) * scale))
        stamp = QPixmap(2 * half, 2 * half)
        stamp.fill(Qt.GlobalColor.transparent)
        painter = QPainter(stamp)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(QPointF(half, half))
        painter.scale(scale, scale)
        draw(painter, np.zeros((1, 2)))
        painter.end()
        return _trimmed(stamp)


def _trimmed(stamp: QPixmap) -> QPixmap:
    """Without the empty border, the centre staying the centre: every copy costs its area."""
    image = stamp.toImage().convertToFormat(QImage.Format.Format_Alpha8)
    side = image.width()
    alpha = np.frombuffer(image.constBits(), np.uint8).reshape(side, image.bytesPerLine())[:, :side]
    inked = np.flatnonzero(alpha.any(axis=0) | alpha.any(axis=1))
    if not len(inked):
        return stamp
    border = min(int(inked[0]), side - 1 - int(inked[-1]))
    return stamp.copy(border, border, side - 2 * border, side - 2 * border)


def is_crowd(picture: Picture) -> bool:
    """Whether there are so many points that they had better be painted once."""
    return len(picture.points) > CROWD


class Crowd:
    """Keeps the last picture of many glyphs."""

    def __init__(self, hollow: bool = False) -> None:
        self._hollow = hollow
        self._image = QImage()
        self._picture: Picture | None = None
        self._key: object = None

    def draw(
        self, painter: QPainter, sprites: Sprites, picture: Picture, to_pixels: Transform, rect: QRectF
    ) -> None:
        """The glyphs of all points; `rect` is what is seen, in logical pixels."""
        key = (to_pixels, rect.width(), rect.height(), sprites.ratio, sprites.style)
        if picture is not self._picture or key != self._key:
            self._picture, self._key = picture, key
            self._image = self._painted(sprites, picture, to_pixels, rect)
        painter.drawImage(0, 0, self._image)

    def _painted(self, sprites: Sprites, picture: Picture, to_pixels: Transform, rect: QRectF) -> QImage:
        image = QImage((rect.size() * sprites.ratio).toSize(), QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(sprites.ratio)
        image.fill(Qt.GlobalColor.transparent)
        seen, classes = _seen(to_pixels(picture.points), picture.classes, rect)
        painter = QPainter(image)
        sprites.glyphs(painter, seen, classes, picture.class_count, self._hollow)
        painter.end()
        return image


def _seen(pixels: Array, classes: Indices, rect: QRectF) -> tuple[Array, Indices]:
    """Those points of which at least a part may be seen."""
    edge = 30.0
    inside = ((pixels > -edge) & (pixels < (rect.width() + edge, rect.height() + edge))).all(axis=1)
    return pixels[inside], classes[inside]
