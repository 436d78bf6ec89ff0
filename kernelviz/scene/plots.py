"""Plots with two axes, fields of the plane with one unit as long in both directions, and the plane itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from kernelviz.engine.core.arrays import Array
from kernelviz.scene.axes import Axes, Axis, Curve, Frame
from kernelviz.scene.figure.legend import CurveLine, Entry, Legend
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import draw_text, fitted
from kernelviz.scene.figure.transform import letterboxed
from kernelviz.scene.layers import Coordinates, Layer
from kernelviz.scene.nodes import NO_PLACES, Hit, Marks, Node, Placed, value_of
from kernelviz.session.view import ViewRange

READABLE = 0.95  # Type of a legend, in units of the usual one, for which there is no shorter one.
ABOVE = 1.9  # Height of the line above a plot or field, in units of the type size.


@dataclass(frozen=True, eq=False, kw_only=True)
class _Layered(Node):
    part: str = ""
    ground: tuple[Layer, ...] = ()  # Layers that stay the same over many frames.
    layers: tuple[Layer, ...] = ()  # Layers above them.
    title: str = ""

    @property
    def frame(self) -> object:
        """What the axes look like, to be compared."""
        raise NotImplementedError


class _PlacedLayers(Coordinates):
    """Draws the layers of a plot or field."""

    def __init__(self, node: _Layered, view: ViewRange, rect: QRectF, style: Style) -> None:
        super().__init__(view, rect, style, node.part, rect)
        self.node: Any = node
        self.layers, self.below, self.title = node.layers, node.ground, node.title
        self.ground = node.frame, node.title, value_of(node.ground)

    def draw_title(self, painter: QPainter) -> None:
        """Write the title above the axes."""
        text, size = fitted(self.title, self.style.text, self.rect.right() - self.inner.left())
        at = QPointF(self.inner.left(), self.inner.top() - 0.7 * self.style.text)
        draw_text(painter, self.style, at, text, points=size)

    def draw_data(self, painter: QPainter, stamps: Stamps | None) -> None:
        for layer in self.layers:
            painter.save()
            layer.draw(self, painter, stamps)
            painter.restore()

    def draw_marks(self, painter: QPainter, marks: Marks) -> None:
        for layer in (*self.below, *self.layers):
            layer.mark(self, painter, marks)

    def hit(self, at: QPointF) -> Hit | None:
        """Return what the uppermost layer has there, with the place in the units of the axes."""
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
    """Two axes with layers; a line above them names the curves with their numbers."""

    x: Axis
    y: Axis
    legend: tuple[tuple[Curve, str], ...] = ()  # How each curve is drawn, and its number.
    legend_title: str = ""
    # Shorter legends, tried in turn where the one before would be smaller than the type.
    shorter: tuple[tuple[tuple[Curve, str], ...], ...] = ()

    @property
    def frame(self) -> object:
        return self.x, self.y

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        yield PlacedPlot(self, rect, style)


class PlacedPlot(_PlacedLayers):
    """A plot in its rectangle."""

    def __init__(self, node: Plot, rect: QRectF, style: Style) -> None:
        view = ViewRange(node.x.low, node.x.high, node.y.low, node.y.high)
        super().__init__(node, view, rect, style)
        self.axes = Axes(style, rect, node.x, node.y)
        self.inner = self.axes.inner

    def __call__(self, xy: Array) -> Array:
        return self.axes.at(xy[:, 0], xy[:, 1])

    def value_at(self, at: QPointF) -> tuple[float, float]:
        room = self.inner
        across, up = (at.x() - room.left()) / room.width(), (room.bottom() - at.y()) / room.height()
        return self.node.x.value(across), self.node.y.value(up)

    def draw_ground(self, painter: QPainter) -> None:
        self.axes.draw(painter)
        for layer in self.below:
            layer.draw(self, painter, None)
        if self.title:
            self.draw_title(painter)

    @property
    def legend(self) -> CurveLine:
        """The legend as it is drawn."""
        tried = [self._line(curves) for curves in (self.node.legend, *self.node.shorter)]
        return next((line for line in tried if line.scale >= READABLE), tried[-1])

    def _line(self, curves: tuple[tuple[Curve, str], ...]) -> CurveLine:
        return CurveLine(curves, self.node.legend_title, self.style, self.inner, self.rect)

    def draw_data(self, painter: QPainter, stamps: Stamps | None) -> None:
        super().draw_data(painter, stamps)
        self.legend.paint(painter)


@dataclass(frozen=True, eq=False, kw_only=True)
class Field(_Layered):
    """A part of the plane in a frame, with a legend above it."""

    view: ViewRange
    legend: tuple[Entry, ...] = ()

    @property
    def frame(self) -> object:
        return self.view, self.legend

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        yield PlacedField(self, rect, style)


class PlacedField(_PlacedLayers):
    """A field in its rectangle."""

    def __init__(self, node: Field, rect: QRectF, style: Style) -> None:
        super().__init__(node, node.view, rect, style)
        self.legend = Legend(node.legend)
        above = ABOVE * style.text if node.title else 0.0
        if node.legend:
            above = self.legend.strip_height(rect.width(), style) + 0.3 * style.text
        self.inner = letterboxed(node.view, rect.adjusted(0, above, 0, 0))

    def draw_ground(self, painter: QPainter) -> None:
        self.legend.paint_strip(painter, self.rect, self.style)
        for layer in self.below:
            layer.draw(self, painter, None)
        painter.setPen(pen(self.style.theme.soft_ink, self.style.axis_width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(self.inner)
        if self.title:
            self.draw_title(painter)


@dataclass(frozen=True, eq=False, kw_only=True)
class Plane(_Layered):
    """A part of the plane that fills its place, with axes in a frame around it, if it has any: what a
    workspace shows of a fit."""

    view: ViewRange
    axes: Frame | None = None

    @property
    def frame(self) -> object:
        return self.view, self.axes

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        yield PlacedPlane(self, rect, style)


class PlacedPlane(_PlacedLayers):
    """A plane in its rectangle, outside which its axes are drawn."""

    def __init__(self, node: Plane, rect: QRectF, style: Style) -> None:
        super().__init__(node, node.view, rect, style)

    def draw_data(self, painter: QPainter, stamps: Stamps | None) -> None:
        super().draw_data(painter, stamps)
        if self.node.axes is not None:
            self.node.axes.paint(painter, self.inner, self.style)
