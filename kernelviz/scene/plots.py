"""Plots with two axes, fields of the plane with one unit as long in both directions, and the plane itself.

All three are nodes with layers: `ground` are those that stay the same over many frames, such as the curve
of a loss, `layers` those above them, such as the points on it.

>>> Plot(
...     part="loss",
...     x=Axis(-1.5, 2.5, "z·s(x)"),
...     y=Axis(0.0, 2.5, "loss"),
...     ground=(Lines(part="hinge", x=t, y=hinge, curve=Curve("hinge", "ink", 1.6), number="0.31"),),
...     layers=(points,),
... )"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from kernelviz.engine.core.arrays import Array
from kernelviz.scene.axes import TICKS_APART, Axis, Curve, PlaneAxes, spaced_ticks
from kernelviz.scene.figure.legend import CurveLine, Entry, Legend
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import draw_text, fitted, text_width
from kernelviz.scene.figure.transform import letterboxed
from kernelviz.scene.layers import Coordinates, Layer, draw_layers
from kernelviz.scene.nodes import NO_PLACES, Hit, Marks, Node, Placed, value_of
from kernelviz.scene.plot_layers import Lines
from kernelviz.scene.wording import shown
from kernelviz.session.view import ViewRange

ABOVE = 1.9  # Height of the line above a plot or field, in units of the type size.


@dataclass(frozen=True, eq=False, kw_only=True)
class _Layered(Node):
    """A node with layers between its axes."""

    part: str = ""
    ground: tuple[Layer, ...] = ()  # Layers that stay the same over many frames.
    layers: tuple[Layer, ...] = ()  # Layers above them.
    title: str = ""


class _PlacedLayers(Coordinates):
    """Draws the layers of a plot, field or plane. `axes` is equal for two plots whose axes look the same."""

    def __init__(self, node: _Layered, view: ViewRange, rect: QRectF, style: Style, axes: object) -> None:
        super().__init__(view, rect, style, node.part, rect)
        self.node: Any = node
        self.layers, self.below, self.title = node.layers, node.ground, node.title
        self.ground = axes, node.title, value_of(node.ground)

    @property
    def has_room(self) -> bool:
        """True if there is room between the axes: a place may be too small even for their words, and then
        nothing is drawn."""
        return self.inner.isValid()

    def draw_title(self, painter: QPainter) -> None:
        """Write the title above the axes."""
        text, size = fitted(self.title, self.style.text, self.rect.right() - self.inner.left())
        at = QPointF(self.inner.left(), self.inner.top() - 0.7 * self.style.text)
        draw_text(painter, self.style, at, text, points=size)

    def draw_data(self, painter: QPainter, stamps: Stamps | None) -> None:
        if self.has_room:
            draw_layers(self.layers, self, painter, stamps)

    def draw_marks(self, painter: QPainter, marks: Marks) -> None:
        for layer in (*self.below, *self.layers) if self.has_room else ():
            painter.save()
            layer.mark(self, painter, marks)
            painter.restore()

    def hit(self, at: QPointF) -> Hit | None:
        """Return what the uppermost layer has there, with the place in the units of the axes; inside the
        rectangle of the node it is always a hit, and without a layer there it has the name of the node."""
        if not self.has_room:
            return None
        found = (layer.hit(self, at) for layer in reversed((*self.below, *self.layers)))
        hit = next((hit for hit in found if hit is not None), None)
        if hit is None and not self.rect.contains(at):
            return None
        return replace(hit or Hit(self.part), at=self.value_at(at))

    def places(self, part: str) -> Array:
        named = (layer for layer in (*self.below, *self.layers) if layer.part == part)
        return next((layer.places(self) for layer in named), NO_PLACES)

    def layer(self, part: str) -> Layer:
        """Return the layer of that name; KeyError if there is none."""
        return {layer.part: layer for layer in (*self.below, *self.layers)}[part]

    @property
    def parts(self) -> tuple[str, ...]:
        return (self.part, *(layer.part for layer in (*self.below, *self.layers)))


@dataclass(frozen=True, eq=False, kw_only=True)
class Plot(_Layered):
    """Two axes with layers; a line above them, the legend, names the curves that have a number.

    Each axis may be logarithmic. Further entries of the legend, for what is no curve, come after those of
    the curves. Where the legend would be smaller than the type, the `shorter` ones are tried in turn."""

    x: Axis
    y: Axis
    legend: tuple[tuple[Curve, str], ...] = ()  # Further entries: how each is drawn, and its number.
    legend_title: str = ""
    # Shorter legends, tried in turn where the one before would be smaller than the type.
    shorter: tuple[tuple[tuple[Curve, str], ...], ...] = ()

    @property
    def entries(self) -> tuple[tuple[Curve, str], ...]:
        """All entries of the legend: those of the curves with a number, then the further ones."""
        curves = (layer for layer in (*self.ground, *self.layers) if isinstance(layer, Lines))
        numbered = ((layer.curve, layer.number) for layer in curves if layer.number is not None)
        return (*numbered, *self.legend)

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        yield PlacedPlot(self, rect, style)


class PlacedPlot(_PlacedLayers):
    """A plot in its rectangle, with grid lines at the ticks of its axes. The data are below a strip for the
    legend.

    The axes leave room for their numbers and names; numbers that would touch are left out."""

    def __init__(self, node: Plot, rect: QRectF, style: Style) -> None:
        x, y, text = node.x, node.y, style.text
        super().__init__(node, ViewRange(x.low, x.high, y.low, y.high), rect, style, axes=(x, y))
        top = rect.top() + ABOVE * text
        bottom = rect.bottom() - (0.5 if x.bare else 1.5) * text - (1.35 * text if x.label else 0.0)
        lines = (bottom - top) / text
        self._y_ticks = [] if y.bare else spaced_ticks(y, y.ticks(int(max(2.0, lines / 2.6))), lines)
        widest = max((text_width(shown(t), text) for t in self._y_ticks), default=text)
        left = rect.left() + widest + 0.7 * text + (1.5 * text if y.label else 0.0)
        self.inner = QRectF(QPointF(left, top), QPointF(rect.right() - 0.8 * text, bottom))

    def __call__(self, xy: Array) -> Array:
        return np.column_stack([self._across(xy[:, 0]), self._down(xy[:, 1])])

    def _across(self, xs: Array) -> Array:
        return np.asarray(self.inner.left() + self.node.x.fraction(xs) * self.inner.width())

    def _down(self, ys: Array) -> Array:
        return np.asarray(self.inner.bottom() - self.node.y.fraction(ys) * self.inner.height())

    def value_at(self, at: QPointF) -> tuple[float, float]:
        room = self.inner
        across, up = (at.x() - room.left()) / room.width(), (room.bottom() - at.y()) / room.height()
        return self.node.x.value(across), self.node.y.value(up)

    def draw_ground(self, painter: QPainter) -> None:
        if not self.has_room:
            return
        self._draw_axes(painter)
        draw_layers(self.below, self, painter, None)
        if self.title:
            self.draw_title(painter)

    def _draw_axes(self, painter: QPainter) -> None:
        """Draw grid lines, ticks, labels and the two axes."""
        x_axis, y_axis, style, r, outer = self.node.x, self.node.y, self.style, self.inner, self.rect
        text, soft = style.text, style.theme.soft_ink
        x_ticks = x_axis.ticks(int(max(2.0, r.width() / (5.0 * text))))
        widest = max((text_width(shown(tick), text) for tick in x_ticks), default=0.0) + TICKS_APART * text
        x_ticks = spaced_ticks(x_axis, x_ticks, r.width() / widest)
        xs, ys = self._across(np.array(x_ticks)).tolist(), self._down(np.array(self._y_ticks)).tolist()
        painter.setPen(pen(style.theme.grid, style.axis_width))
        painter.drawLines([QLineF(x, r.top(), x, r.bottom()) for x in xs])
        painter.drawLines([QLineF(r.left(), y, r.right(), y) for y in ys])
        painter.setPen(pen(soft, style.axis_width))
        painter.drawLines([QLineF(r.bottomLeft(), r.bottomRight()), QLineF(r.bottomLeft(), r.topLeft())])
        for x, tick in zip(xs, () if x_axis.bare else x_ticks, strict=not x_axis.bare):
            below = QPointF(x, r.bottom() + 1.25 * text)
            draw_text(painter, style, below, shown(tick), colour=soft, anchor="centre")
        for y, tick in zip(ys, self._y_ticks, strict=True):
            at = QPointF(r.left() - 0.45 * text, y)
            draw_text(painter, style, at, shown(tick), colour=soft, anchor="right", middle=True)
        if x_axis.label:
            middle, size = _fitted(x_axis.label, text, r.center().x(), outer.left(), outer.right())
            foot = QPointF(middle, outer.bottom() - 0.35 * text)
            draw_text(painter, style, foot, x_axis.label, points=size, anchor="centre")
        if y_axis.label:
            middle, size = _fitted(y_axis.label, text, r.center().y(), outer.top(), outer.bottom())
            side = QPointF(outer.left() + 1.0 * text, middle)
            draw_text(painter, style, side, y_axis.label, points=size, anchor="centre", turned=True)

    @property
    def legend(self) -> CurveLine:
        """The legend as drawn: the first version that can be read, else the shortest."""
        tried = [self._line(curves) for curves in (self.node.entries, *self.node.shorter)]
        readable = 0.95  # Type of a legend, in units of the usual one, for which there is no shorter one.
        return next((line for line in tried if line.scale >= readable), tried[-1])

    def _line(self, curves: tuple[tuple[Curve, str], ...]) -> CurveLine:
        return CurveLine(curves, self.node.legend_title, self.style, self.inner, self.rect)

    def draw_data(self, painter: QPainter, stamps: Stamps | None) -> None:
        super().draw_data(painter, stamps)
        if self.has_room:
            self.legend.paint(painter)


def _fitted(label: str, text: float, middle: float, low: float, high: float) -> tuple[float, float]:
    """Return the middle and the size of a label between two ends, as near to `middle` as possible."""
    wide = max(text_width(label, text), 1e-9)
    fitting = min(1.0, (high - low) / wide)
    half = fitting * wide / 2
    return min(max(middle, low + half), high - half), fitting * text


@dataclass(frozen=True, eq=False, kw_only=True)
class Field(_Layered):
    """A part of the plane in a frame, with one unit as long in both directions, and a title or a legend
    above it."""

    view: ViewRange
    legend: tuple[Entry, ...] = ()

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        yield PlacedField(self, rect, style)


class PlacedField(_PlacedLayers):
    """A field in its rectangle: the largest frame of its shape, in the middle."""

    def __init__(self, node: Field, rect: QRectF, style: Style) -> None:
        super().__init__(node, node.view, rect, style, axes=(node.view, node.legend))
        self.legend = Legend(node.legend)
        above = ABOVE * style.text if node.title else 0.0
        if node.legend:
            above = self.legend.strip_height(rect.width(), style) + 0.3 * style.text
        self.inner = letterboxed(node.view, rect.adjusted(0, above, 0, 0))

    def draw_ground(self, painter: QPainter) -> None:
        if not self.has_room:
            return
        self.legend.paint_strip(painter, self.rect, self.style)
        draw_layers(self.below, self, painter, None)
        painter.setPen(pen(self.style.theme.soft_ink, self.style.axis_width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(self.inner)
        if self.title:
            self.draw_title(painter)


@dataclass(frozen=True, eq=False, kw_only=True)
class Plane(_Layered):
    """A part of the plane that fills its place, with a frame of axes around it, if it has any; it shows a fit
    as its workspace does."""

    view: ViewRange
    axes: PlaneAxes | None = None
    spreads: bool = False  # Whether points at the same place are drawn next to each other.

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        yield PlacedPlane(self, rect, style)


class PlacedPlane(_PlacedLayers):
    """A plane in its rectangle, outside which its axes are drawn."""

    def __init__(self, node: Plane, rect: QRectF, style: Style) -> None:
        super().__init__(node, node.view, rect, style, axes=(node.view, node.axes, node.spreads))
        self.spreads = node.spreads

    def draw_data(self, painter: QPainter, stamps: Stamps | None) -> None:
        super().draw_data(painter, stamps)
        if self.node.axes is not None and self.has_room:
            self.node.axes.paint(painter, self.inner, self.style)
