"""From data coordinates to the painter's points, and which part of the plane a rectangle shows.

The mapping is done in numpy and not by the painter, so that pens stay as wide as they say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QColor, QImage, QPaintDevice, QPainter

from kernelviz.engine.core.arrays import Array
from kernelviz.session.view import ViewRange, widened

POINTS_PER_PIXEL = 72.0 / 96.0  # A logical pixel of the screen is 1/96 inch, whatever its scaling.


def painter_in_points(device: QPaintDevice) -> QPainter:
    """Return a painter that counts in points, to be used in a `with` statement, which ends it whatever
    happens: a device destroyed while it is painted on takes the program down."""
    painter = QPainter(device)
    painter.scale(1 / POINTS_PER_PIXEL, 1 / POINTS_PER_PIXEL)
    return painter


def image_of(
    draw: Callable[[QPainter], object], size: QSizeF, ratio: float, paper: str = "transparent"
) -> QImage:
    """Return an image of what a function draws with a painter in points, on paper of a colour. The size is in
    points; there are `ratio` pixels per logical pixel."""
    clear, opaque = QImage.Format.Format_ARGB32_Premultiplied, QImage.Format.Format_RGB32
    pixels = (size * (ratio / POINTS_PER_PIXEL)).toSize()
    image = QImage(pixels, clear if paper == "transparent" else opaque)
    image.setDevicePixelRatio(ratio)
    image.fill(QColor(paper))
    with painter_in_points(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw(painter)
    return image


@dataclass(frozen=True)
class Transform:
    """x_p = sx x1 + tx, y_p = sy x2 + ty; sy is negative because paper counts downwards."""

    sx: float
    tx: float
    sy: float
    ty: float

    @classmethod
    def between(cls, view: ViewRange, rect: QRectF) -> Transform:
        """Return the transform that shows the view in a rectangle of points."""
        sx = rect.width() / (view.right - view.left)
        sy = -rect.height() / (view.top - view.bottom)
        return cls(sx, rect.left() - sx * view.left, sy, rect.top() - sy * view.top)

    def __call__(self, xy: Array) -> Array:
        """Return rows of data coordinates as rows of points."""
        return np.asarray(xy, dtype=np.float64) * (self.sx, self.sy) + (self.tx, self.ty)

    def rect(self, left: float, right: float, bottom: float, top: float) -> QRectF:
        """Return a data rectangle in points."""
        (x0, y0), (x1, y1) = self(np.array([[left, top], [right, bottom]]))
        return QRectF(x0, y0, x1 - x0, y1 - y0)


def letterboxed(view: ViewRange, room: QRectF) -> QRectF:
    """Return the largest part of the room, in its middle, that shows exactly this view with one unit as long
    on both axes; all of the room if that part is a mere sliver."""
    aspect = (view.right - view.left) / (view.top - view.bottom)
    width, height = min(room.width(), room.height() * aspect), min(room.height(), room.width() / aspect)
    sliver = 0.05  # Of the room: a plot that is narrower or lower shows nothing.
    if width < sliver * room.width() or height < sliver * room.height():
        return room
    part = QRectF(0, 0, width, height)
    part.moveCenter(room.center())
    return part


def framed(view: ViewRange, points: ViewRange, aspect: float) -> ViewRange:
    """Return the view with width/height = aspect around the points in it. The part of a taller or wider
    window beyond the points gives way first: otherwise they would be a clump in the middle of a figure of
    another shape."""
    left, right, bottom, top = view.left, view.right, view.bottom, view.top
    if (right - left) < aspect * (top - bottom):
        bottom, top = _shared((bottom, top), (points.bottom, points.top))
    else:
        left, right = _shared((left, right), (points.left, points.right))
    return widened(ViewRange(left, right, bottom, top), aspect)


def _shared(seen: tuple[float, float], wanted: tuple[float, float]) -> tuple[float, float]:
    """Return the intersection of two intervals, or the first if it is empty."""
    low, high = max(seen[0], wanted[0]), min(seen[1], wanted[1])
    return (low, high) if low < high else seen
