"""Paper and what lies behind the points as one image, painted on whichever thread has time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QImage, QPainter

from kernelviz.drawing.figure.layer import GridLayer, Layer
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.transform import POINTS_PER_PIXEL, Transform
from kernelviz.session.state import ViewRange

__all__ = ["Target", "painted"]


@dataclass(frozen=True)
class Target:
    """What decides how a backdrop looks, besides the fit: two equal targets give the same image."""

    view: ViewRange
    width: float
    height: float
    """In logical pixels."""
    ratio: float
    """Device pixels per logical pixel."""
    style: Style
    shown: frozenset[str]

    @property
    def size(self) -> QSize:
        return QSize(round(self.width * self.ratio), round(self.height * self.ratio))


def painted(
    target: Target, behind: Sequence[str], layer: Callable[[str], Layer | None], unit: float = 1.0
) -> QImage:
    """The image for a target, from the layers of a fit by the names of their toggles, in painting order.
    unit: what the axes call one unit of the view."""
    image = QImage(target.size, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(target.ratio)
    image.fill(QColor(target.style.theme.paper))
    # Ended whatever happens: an image that goes while it is painted on takes the program down.
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(1 / POINTS_PER_PIXEL, 1 / POINTS_PER_PIXEL)
        rect = QRectF(0, 0, target.width * POINTS_PER_PIXEL, target.height * POINTS_PER_PIXEL)
        transform = Transform.between(target.view, rect)
        for name in behind:
            if name not in target.shown:
                continue
            found: Layer | None = GridLayer(target.view, unit) if name == "grid" else layer(name)
            if found is not None:
                found.paint(painter, transform, target.style)
    return image
