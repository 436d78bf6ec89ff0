"""Very many points: painted once for a view and copied from then on, whatever moves above or below them."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from kernelviz.drawing.figure.transform import Transform
from kernelviz.drawing.plane.picture import Picture
from kernelviz.drawing.plane.sprites import CROWD, Sprites
from kernelviz.engine.arrays import Array, Indices

__all__ = ["Crowd", "is_crowd"]


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
