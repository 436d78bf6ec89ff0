"""A frame prepared for the screen on the worker's thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QImage, QPainter

from kernelviz.drawing.figure.layer import GridLayer, Layer
from kernelviz.drawing.figure.legend import Entry
from kernelviz.drawing.figure.rings import Rings
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.transform import POINTS_PER_PIXEL, Transform
from kernelviz.drawing.plane.picture import Picture
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.runtime.messages import Frame
from kernelviz.session.view import ViewRange


@dataclass(frozen=True)
class Target:
    """What decides how a backdrop looks, besides the fit: two equal targets give the same image."""

    view: ViewRange
    width: float
    height: float  # In logical pixels.
    ratio: float  # Device pixels per logical pixel.
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


class Decoration(Protocol):
    """What is drawn of a fit; which of it is decided by what is shown at the time."""

    @property
    def data(self) -> Data:
        """What it is made of."""

    @property
    def ringed(self) -> tuple[Array, Rings]:
        """Places, and the rings around some of them."""

    def backdrop(self, target: Target) -> QImage:
        """What lies behind the points."""

    def layer(self, name: str) -> Layer | None:
        """What one toggle shows or hides in front of the points; "above" is the boundary where very many
        points would hide it. None for what there is not."""

    def beside(self) -> Layer | None:
        """What other fits of the same points add behind them."""

    def pointed(self, points: tuple[int, ...], shown: frozenset[str]) -> Layer | None:
        """What is drawn of points only while they are pointed at."""

    def entries(self, points: Picture, shown: frozenset[str]) -> tuple[Entry, ...]:
        """The legend of all this and of the points as they are now."""


class Decorator(Protocol):
    """Decorates frames on the worker's thread, for the target the canvas has told it."""

    target: Target | None
    behind: tuple[str, ...]  # The toggles of the backdrop, in painting order.

    def __call__(self, frame: Frame) -> Decoration: ...


class DecoratorOfSeveral(Decorator, Protocol):
    """One that lays all fits over each other."""

    def put_beside(self, fit: int, decoration: Decoration | None) -> None:
        """Have another fit than the active one drawn and explained; None if it has failed."""
