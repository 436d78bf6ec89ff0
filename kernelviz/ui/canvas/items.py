"""The figure's layers as graphics items over the rectangle between the axes, in its own pixels."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from kernelviz.drawing.figure.layer import Layer
from kernelviz.drawing.figure.prepared_frame import Decoration, Decorator, Target, painted
from kernelviz.drawing.figure.strokes import pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.transform import POINTS_PER_PIXEL, Transform
from kernelviz.drawing.plane.glyph_cache import Crowd, Sprites, is_crowd
from kernelviz.drawing.plane.picture import Picture
from kernelviz.drawing.theme import LIGHT
from kernelviz.engine.core.arrays import Array
from kernelviz.session.view import ViewRange
from kernelviz.ui.canvas.tools.base import Spot

GLYPH_REACH = 22.0  # Pixels around a point within which its glyph and rings lie, at the style's normal size.
# Toggles and layers of what is drawn above the points.
IN_FRONT = (("boundary", "above"), ("marks", "marks"))


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

    def in_points(self, painter: QPainter) -> Transform:
        """Put the painter into points; where data coordinates go then."""
        painter.scale(1 / POINTS_PER_PIXEL, 1 / POINTS_PER_PIXEL)
        size = self._rect.size() * POINTS_PER_PIXEL
        return Transform.between(self.view, QRectF(QPointF(0, 0), size))

    def in_pixels(self) -> Transform:
        """Where data coordinates go in logical pixels."""
        return Transform.between(self.view, QRectF(QPointF(0, 0), self._rect.size()))

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

    def __init__(self, box: pg.ViewBox, decorator: Decorator) -> None:
        super().__init__(box, 0.0)
        self.decoration: Decoration | None = None
        self._decorator = decorator

    def draw(self, painter: QPainter) -> None:
        rect, ratio = self._rect, painter.device().devicePixelRatioF()
        shown = self.shown & set(self._decorator.behind)
        target = Target(self.view, rect.width(), rect.height(), ratio, self.style, shown)
        self._decorator.target = target
        if self.decoration is None:
            painter.drawImage(0, 0, painted(target, ("grid",), lambda _: None))
        else:
            painter.drawImage(0, 0, self.decoration.backdrop(target))
            if (beside := self.decoration.beside()) is not None:
                beside.paint(painter, self.in_points(painter), self.style)


class Points(PlaneItem):
    """The points as they are now on the discs of the selection, those held out, the rings of the last frame,
    and the marks its algorithm made."""

    def __init__(self, box: pg.ViewBox, sprites: Callable[[float, int], Sprites]) -> None:
        super().__init__(box, 1.0)
        self.picture: Picture | None = None
        self.decoration: Decoration | None = None
        self.held_out: Picture | None = None
        self.selection: tuple[int, ...] = ()
        self._sprites = sprites
        self._crowd = Crowd()
        self._held_out = Crowd(hollow=True)

    def refresh_places(self, places: Array) -> None:
        """Draw anew only around a few places of the plane."""
        reach = GLYPH_REACH * max(self.style.glyphs, self.style.strokes)
        for column, row in self._near(self.in_pixels()(places)).tolist():
            self.refresh(QRectF(column - reach, row - reach, 2 * reach, 2 * reach))

    def draw(self, painter: QPainter) -> None:
        ratio, to_pixels = painter.device().devicePixelRatioF(), self.in_pixels()
        decoration, picture = self.decoration, self.picture
        sprites = self._sprites(ratio, 0 if picture is None else len(picture.points))
        if self.held_out is not None and "held_out" in self.shown:
            own = self._sprites(ratio, len(self.held_out.points))
            self._held_out.draw(painter, own, self.held_out, to_pixels, self._rect)
        if picture is not None and self.selection:
            chosen = [i for i in self.selection if i < len(picture.points)]
            sprites.selected(painter, self._near(to_pixels(picture.points[chosen])))
        if decoration is not None and "rings" in self.shown:
            places, rings = decoration.ringed
            sprites.rings(painter, self._near(to_pixels(places[rings.points])), rings)
            sprites.mistakes(painter, self._near(to_pixels(places[rings.mistakes])))
        if picture is not None and len(picture.points) and "points" in self.shown:
            if is_crowd(picture):
                self._crowd.draw(painter, sprites, picture, to_pixels, self._rect)
            else:
                pixels = self._near(to_pixels(picture.points))
                sprites.glyphs(painter, pixels, picture.classes, picture.class_count)
        if decoration is not None:
            in_front = [decoration.layer(name) for toggle, name in IN_FRONT if toggle in self.shown]
            to_points = self.in_points(painter)
            for layer in filter(None, in_front):
                layer.paint(painter, to_points, self.style)

    def _near(self, pixels: Array) -> Array:
        """Points far outside are put just outside: pixel numbers must fit into 32 bits."""
        far = 100.0 + max(self._rect.width(), self._rect.height())
        return np.clip(pixels, -100.0, far)


class Overlay(PlaneItem):
    """What belongs to the hand: the points pointed at, and the tool's disc or rectangle."""

    def __init__(self, box: pg.ViewBox, sprites: Callable[[float, int], Sprites]) -> None:
        super().__init__(box, 2.0)
        self.points: Array = np.empty((0, 2))
        self.highlighted: tuple[int, ...] = ()
        self.decoration: Decoration | None = None
        self.guest: Layer | None = None  # What the canvas itself has in front of everything.
        self.disc: tuple[Spot, float] | None = None
        self.frame: tuple[Spot, Spot] | None = None
        self._sprites = sprites
        self._inked = QRectF()

    def refresh(self, part: QRectF | None = None) -> None:
        """Only what has been drawn on or will be: a mouse that hovers shall not have everything painted."""
        inked = self._extent()
        super().refresh(inked | self._inked if part is None else part)
        self._inked = inked

    @property
    def _pointed(self) -> Layer | None:
        """What the fit shows of the highlighted points."""
        if self.decoration is None or not self.highlighted:
            return None
        return self.decoration.pointed(self.highlighted, self.shown)

    def _extent(self) -> QRectF:
        extent = QRectF() if self._pointed is None and self.guest is None else QRectF(self._rect)
        reach = GLYPH_REACH * max(self.style.glyphs, self.style.strokes)
        for column, row in self._highlights().tolist():
            extent |= QRectF(column - reach, row - reach, 2 * reach, 2 * reach)
        if self.frame is not None:
            a, b = self.frame
            extent |= QRectF(QPointF(a.column, a.row), QPointF(b.column, b.row)).normalized()
        if self.disc is not None:
            spot, radius = self.disc
            extent |= QRectF(spot.column - radius, spot.row - radius, 2 * radius, 2 * radius)
        return extent.adjusted(-4, -4, 4, 4)

    def _highlights(self) -> Array:
        """Where the highlighted points are, in logical pixels."""
        rows = [i for i in self.highlighted if i < len(self.points)]
        return np.clip(self.in_pixels()(self.points[rows]), -1e6, 1e6) if rows else np.empty((0, 2))

    def draw(self, painter: QPainter) -> None:
        sprites = self._sprites(painter.device().devicePixelRatioF(), len(self.points))
        for layer in filter(None, (self.guest, self._pointed)):
            painter.save()
            layer.paint(painter, self.in_points(painter), self.style)
            painter.restore()
        sprites.highlighted(painter, self._highlights())
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
