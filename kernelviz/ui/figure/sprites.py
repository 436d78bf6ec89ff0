"""Repeated shapes on screen: drawn once into a small image, then stamped; ten times faster than strokes."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from math import ceil

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage, QPainter

from kernelviz.engine.arrays import Array
from kernelviz.ui.figure.style import Style

__all__ = ["repeat"]

Draw = Callable[[QPainter, Array], None]
FEW = 6
MOST_SPRITES = 200

_sprites: dict[Hashable, QImage] = {}


def repeat(painter: QPainter, style: Style, xy: Array, reach: float, key: Hashable, draw: Draw) -> None:
    """Draw a shape that extends `reach` points around each centre.

    With `style.sprites` it is stamped at the nearest device pixel; on paper it is drawn exactly."""
    if not style.sprites or len(xy) < FEW:
        draw(painter, xy)
        return
    world = painter.worldTransform()
    scale, ratio = world.m11(), painter.device().devicePixelRatioF()
    sprite = _sprite(style, reach, key, draw, scale, ratio)
    corners = xy * scale + (world.dx(), world.dy()) - sprite.width() / ratio / 2
    corners = np.rint(corners * ratio) / ratio
    painter.save()
    painter.resetTransform()
    for x, y in corners.tolist():
        painter.drawImage(QPointF(x, y), sprite)
    painter.restore()


def _sprite(style: Style, reach: float, key: Hashable, draw: Draw, scale: float, ratio: float) -> QImage:
    full_key = (key, style, scale, ratio)
    if full_key not in _sprites:
        if len(_sprites) >= MOST_SPRITES:
            _sprites.clear()
        side = 2 * ceil(reach * scale * ratio + 1) + 1
        image = QImage(side, side, QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(ratio)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(side / ratio / 2, side / ratio / 2)
        painter.scale(scale, scale)
        draw(painter, np.zeros((1, 2)))
        painter.end()
        _sprites[full_key] = image
    return _sprites[full_key]
