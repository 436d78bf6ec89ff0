"""The figure's layers as graphics items over the rectangle between the axes, in its own pixels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from kernelviz.engine.core.arrays import Array
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL, Transform
from kernelviz.scene.layers import Coordinates, Layer
from kernelviz.scene.plane.layers import GlyphLayer, SelectionLayer
from kernelviz.scene.plane.picture import Picture
from kernelviz.scene.theme import LIGHT
from kernelviz.scene.workspace_painter import IN_FRONT, TOGGLES, Decoration, Decorator, Target, bare_backdrop
from kernelviz.session.view import ViewRange
from kernelviz.ui.canvas.gestures import Spot

GLYPH_REACH = 22.0  # Pixels around a point within which its glyph and rings lie, at the style's normal size.


class PlaneItem(QGraphicsItem):
    """Covers the rectangle of a ViewBox. Layers paint in points, so pens are as wide as on paper."""

    def __init__(self, box: pg.ViewBox, depth: float) -> None:
        super().__init__(box)
        self.box = box
        self.style = Style(LIGHT)
        self.shown: frozenset[str] = frozenset()
        self.setZValue(depth)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self._rect = QRectF()

    def fit(self) -> None:
        """Follow the size of the ViewBox."""
        if self._rect != self.box.rect():
            self.prepareGeometryChange()
            self._rect = QRectF(self.box.rect())
        self.refresh()

    def refresh(self, part: QRectF | None = None) -> None:
        """Draw anew at the next paint: all of it, or a part given in logical pixels."""
        # Not self.update(): it exposes a pixel more on two sides, and all the axes with it.
        rect = self._rect if part is None else part & self._rect
        exposed = self.box.mapRectToScene(rect).toAlignedRect()
        for view in self.scene().views():
            view.viewport().update(exposed)

    def boundingRect(self) -> QRectF:
        return self._rect

    @property
    def view(self) -> ViewRange:
        (left, right), (bottom, top) = self.box.viewRange()
        return ViewRange(left, right, bottom, top)

    def in_pixels(self) -> Transform:
        """Return the map from data coordinates to logical pixels."""
        return Transform.between(self.view, QRectF(QPointF(0, 0), self._rect.size()))

    def coordinates(self) -> Coordinates:
        """Return the rectangle between the axes, in points."""
        inner = QRectF(QPointF(0, 0), self._rect.size() * POINTS_PER_PIXEL)
        return Coordinates(self.view, inner, self.style)

    def draw_layers(self, painter: QPainter, layers: Iterable[Layer | None], stamps: Stamps) -> None:
        """Draw layers, which count in points."""
        painter.save()
        painter.scale(1 / POINTS_PER_PIXEL, 1 / POINTS_PER_PIXEL)
        axes = self.coordinates()
        for layer in filter(None, layers):
            painter.save()
            layer.draw(axes, painter, stamps)
            painter.restore()
        painter.restore()

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        if self._rect.width() >= 1 and self._rect.height() >= 1:
            painter.save()
            painter.setClipRect(self._rect)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self.draw(painter)
            painter.restore()

    def draw(self, painter: QPainter) -> None:
        raise NotImplementedError


class Backdrop(PlaneItem):
    """Paper, field and lines: painted once for a frame and a view, by the worker if it knew them in time."""

    def __init__(self, box: pg.ViewBox, decorator: Decorator[Any], stamps: Stamps) -> None:
        super().__init__(box, 0.0)
        self.decoration: Decoration[Any] | None = None
        self._decorator = decorator
        self._stamps = stamps

    def draw(self, painter: QPainter) -> None:
        rect, ratio = self._rect, painter.device().devicePixelRatioF()
        shown = self.shown & set(self._decorator.painter.behind)
        target = Target(self.view, rect.width(), rect.height(), ratio, self.style, shown)
        self._decorator.target = target
        if self.decoration is None:
            painter.drawImage(0, 0, bare_backdrop(target))
        else:
            painter.drawImage(0, 0, self.decoration.backdrop(target))
            self.draw_layers(painter, [self.decoration.beside()], self._stamps)


class Points(PlaneItem):
    """The points as they are now on the discs of the selection, those held out, the rings of the last frame,
    and the marks its algorithm made."""

    def __init__(self, box: pg.ViewBox, stamps: Stamps) -> None:
        super().__init__(box, 1.0)
        self.decoration: Decoration[Any] | None = None
        self.picture: Picture | None = None
        self.now: dict[str, GlyphLayer] = {}  # The points as they are now: "points", and "held_out" if any.
        self.selection: tuple[int, ...] = ()
        self._stamps = stamps

    def places(self, name: str = "points") -> Array:
        """Return where the points lie, or those held out, as (n, 2)."""
        return self.now[name].points if name in self.now else np.empty((0, 2))

    def in_points(self, spot: Spot) -> QPointF:
        """Return a place under the mouse in points."""
        return QPointF(spot.column, spot.row) * POINTS_PER_PIXEL

    def hit(self, name: str, spot: Spot) -> int | None:
        """Return the point of a layer that is under the mouse, if one is and the layer is shown."""
        if name not in self.now or name not in self.shown:
            return None
        found = self.now[name].hit(self.coordinates(), self.in_points(spot))
        return found.points[0] if found is not None else None

    def refresh_places(self, places: Array) -> None:
        """Draw again only around a few places of the plane."""
        reach = GLYPH_REACH * max(self.style.glyphs, self.style.strokes)
        # Places far outside are put just outside: pixel numbers must fit into 32 bits.
        pixels = np.clip(self.in_pixels()(places), -1e6, 1e6)
        for column, row in pixels.tolist():
            self.refresh(QRectF(column - reach, row - reach, 2 * reach, 2 * reach))

    def draw(self, painter: QPainter) -> None:
        places = self.places()
        chosen = [i for i in self.selection if i < len(places)]
        layers: dict[str, Layer | None] = {}
        if self.decoration is not None:
            layers |= {name: self.decoration.layer(name) for name in ("rings", "above", "marks")}
        layers |= self.now
        shown = [layers.get(name) if TOGGLES.get(name, name) in self.shown else None for name in IN_FRONT]
        shown.insert(1, SelectionLayer(places[chosen], count=len(places)) if chosen else None)
        self.draw_layers(painter, shown, self._stamps)


class Overlay(PlaneItem):
    """Everything that belongs to the hand: the points under the mouse, and the tool's disc or rectangle."""

    def __init__(self, box: pg.ViewBox, stamps: Stamps) -> None:
        super().__init__(box, 2.0)
        self.points: Array = np.empty((0, 2))
        self.highlighted: tuple[int, ...] = ()
        self.decoration: Decoration[Any] | None = None
        self.guest: Layer | None = None  # A layer of the canvas itself, in front of everything.
        self.disc: tuple[Spot, float] | None = None
        self.frame: tuple[Spot, Spot] | None = None
        self._stamps = stamps
        self._inked = QRectF()

    def refresh(self, part: QRectF | None = None) -> None:
        """Draw again only where it has drawn or will: a hovering mouse must not have everything painted."""
        inked = self._extent()
        super().refresh(inked | self._inked if part is None else part)
        self._inked = inked

    @property
    def pointed(self) -> Layer | None:
        """Return what the fit shows of the highlighted points."""
        if self.decoration is None or not self.highlighted:
            return None
        return self.decoration.pointed(self.highlighted, self.shown)

    def _extent(self) -> QRectF:
        extent = QRectF() if self.pointed is None and self.guest is None else QRectF(self._rect)
        reach = GLYPH_REACH * max(self.style.glyphs, self.style.strokes)
        places = np.clip(self.in_pixels()(self._highlights()), -1e6, 1e6)
        for column, row in places.tolist():
            extent |= QRectF(column - reach, row - reach, 2 * reach, 2 * reach)
        if self.frame is not None:
            a, b = self.frame
            extent |= QRectF(QPointF(a.column, a.row), QPointF(b.column, b.row)).normalized()
        if self.disc is not None:
            spot, radius = self.disc
            extent |= QRectF(spot.column - radius, spot.row - radius, 2 * radius, 2 * radius)
        return extent.adjusted(-4, -4, 4, 4)

    def _highlights(self) -> Array:
        """Return where the highlighted points lie."""
        return self.points[[i for i in self.highlighted if i < len(self.points)]]

    def draw(self, painter: QPainter) -> None:
        rings = SelectionLayer(self._highlights(), hovered=True, count=len(self.points))
        self.draw_layers(painter, [self.guest, self.pointed, rings], self._stamps)
        ink = pen(self.style.theme.highlight, 1.2 * self.style.strokes)
        painter.setPen(ink)
        if self.frame is not None:
            a, b = self.frame
            tint = QColor(self.style.theme.highlight)
            tint.setAlphaF(0.12)
            painter.setBrush(tint)
            painter.drawRect(QRectF(QPointF(a.column, a.row), QPointF(b.column, b.row)).normalized())
        if self.disc is not None:
            spot, radius = self.disc
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(spot.column, spot.row), radius, radius)
