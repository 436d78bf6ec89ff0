"""What a layer is, and the one every plot may have: fine lines at the ticks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QPainter

from kernelviz.engine.core.arrays import Array
from kernelviz.scene.figure.axes import ticks
from kernelviz.scene.figure.legend import Entry
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.transform import Transform
from kernelviz.session.view import ViewRange

AROUND = 24.0  # Points outside the plot where the mark of a point can still reach into it.


@dataclass(frozen=True, eq=False)
class Panel:
    """The rectangle between two axes: which part of the plane it shows, and where, in points.

    `panel(xy)` maps rows of data coordinates to places on the paper."""

    view: ViewRange
    inner: QRectF
    style: Style

    @cached_property
    def transform(self) -> Transform:
        return Transform.between(self.view, self.inner)

    def __call__(self, xy: Array) -> Array:
        return self.transform(xy)

    def seen(self, xy: Array, stamps: Stamps | None = None) -> NDArray[np.bool_]:
        """Return which places on the paper are in the plot. A screen clips marks at the edges, so with stamps
        those whose marks reach into it are too; a file does not."""
        more = 0.0 if stamps is None else AROUND * max(self.style.glyphs, self.style.strokes)
        room = self.inner.adjusted(-more, -more, more, more)
        low, high = (room.left(), room.top()), (room.right(), room.bottom())
        return np.asarray(((xy >= low) & (xy <= high)).all(axis=1))


class Layer:
    """Something drawn between axes, and the lines of the legend that explain it."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        return ()

    @property
    def possible(self) -> tuple[Entry, ...]:
        """Return the entries it may have at any step of a run, so that the legend has them from the first."""
        return self.entries

    def draw(self, panel: Panel, painter: QPainter, stamps: Stamps | None = None) -> None:
        """Draw with a painter in points: with stamps on a screen, exactly without."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class GridLayer(Layer):
    """Fine lines at the ticks of the axes."""

    unit: float = 1.0  # What the axes call one unit of the view.

    def draw(self, panel: Panel, painter: QPainter, stamps: Stamps | None = None) -> None:
        view, frame, style, to = panel.view, panel.inner, panel.style, panel.transform
        painter.setPen(pen(style.theme.soft_ink, 0.5 * style.strokes, alpha=0.28))
        for x, _ in ticks(view.left, view.right, frame.width(), style, self.unit, abreast=True):
            at = to.sx * x + to.tx
            painter.drawLine(QLineF(at, frame.top(), at, frame.bottom()))
        for y, _ in ticks(view.bottom, view.top, frame.height(), style, self.unit):
            at = to.sy * y + to.ty
            painter.drawLine(QLineF(frame.left(), at, frame.right(), at))
