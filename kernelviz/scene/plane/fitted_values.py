"""Points coloured by their fitted value, and rugs that show where points lie along each axis."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.scene.figure.colours import blend
from kernelviz.scene.figure.legend import Entry, swatch
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.figure.style import Style
from kernelviz.scene.layers import Coordinates, Layer

SHADES = 20  # Colours between a value of 0 and a value of 1.
RUG = 5.0  # Length of a tick of a rug, in points.


@dataclass(frozen=True, eq=False)
class ValueLayer(Layer):
    """A disc below each point in the colour of its fitted value, from 0 (class −) to 1 (class +)."""

    points: Array
    values: Array

    @property
    def entries(self) -> tuple[Entry, ...]:
        return (Entry("fitted value 0 to 1", swatch(_at_zero, _at_one, edge=_fine)),)

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        style = axes.style.among(len(self.points))
        xy, radius = axes(self.points), style.ring_radius(0.0)
        shades = np.rint(SHADES * np.clip(self.values, 0.0, 1.0)).astype(int)
        painter.setPen(_fine(style))
        for k in np.unique(shades).tolist():
            painter.setBrush(QColor(value_colour(k / SHADES, style)))
            for x, y in xy[(shades == k) & axes.seen(xy, stamps)].tolist():
                painter.drawEllipse(QPointF(x, y), radius, radius)
        painter.setBrush(Qt.BrushStyle.NoBrush)


def value_colour(value: float, style: Style) -> str:
    """Return the colour of a value from 0 to 1; ½ is as pale as the boundary."""
    end = style.theme.positive if value > 0.5 else style.theme.negative
    return blend(style.theme.zero, end, abs(2.0 * value - 1.0))


def _fine(style: Style) -> QPen:
    return pen(style.theme.soft_ink, 0.4 * style.strokes)


def _at_zero(style: Style) -> str:
    return value_colour(0.0, style)


def _at_one(style: Style) -> str:
    return value_colour(1.0, style)


@dataclass(frozen=True, eq=False)
class RugLayer(Layer):
    """A tick at each point's coordinates along the axes; of two classes, + at the top and on the right."""

    points: Array
    classes: Indices
    count: int

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        style, inner, xy = axes.style, axes.inner, axes(self.points)
        xy, classes = xy[axes.seen(xy)], self.classes[axes.seen(xy)]
        length = RUG * style.strokes
        for k in np.unique(classes).tolist():
            colour = style.theme.of_class(k, self.count) if k >= 0 else style.theme.soft_ink
            painter.setPen(pen(colour, 0.8 * style.strokes, alpha=0.6, round_ends=False))
            corner, inward = (inner.topRight(), -length) if k == 1 else (inner.bottomLeft(), length)
            across, up = (np.unique(xy[classes == k, axis]).tolist() for axis in (0, 1))
            painter.drawLines([QLineF(x, corner.y(), x, corner.y() - inward) for x in across])
            painter.drawLines([QLineF(corner.x(), y, corner.x() + inward, y) for y in up])
