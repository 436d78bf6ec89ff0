"""What is on the plane: one graphics item between the axes, in step with the document, the last frame and the
toggles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.scene.axes import axis_name
from kernelviz.scene.figure.legend import Ink, Legend
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL, Transform
from kernelviz.scene.layers import Layer, Polylines
from kernelviz.scene.plane.layers import GlyphLayer, SelectionLayer
from kernelviz.scene.plane.picture import Picture
from kernelviz.scene.plots import PlacedPlane
from kernelviz.scene.workspace_painter import IN_FRONT, SPREAD, Decoration, Decorator, Target
from kernelviz.session.themes import LIGHT
from kernelviz.session.view import Look, ViewRange
from kernelviz.ui.canvas.area import PlotArea
from kernelviz.ui.canvas.gestures import Spot
from kernelviz.ui.canvas.legend import LegendCard, covers

GLYPH_REACH = 22.0  # Pixels around a point within which its glyph and rings lie, at the style's normal size.
NOTHING_BELOW = Legend(()), Legend(())  # Neither a legend nor room for one.
FAINT = 0.3  # Opacity of a fit that waits to be revealed.
INK: Ink = lambda style: pen(style.theme.accent, 2.6 * style.strokes)  # noqa: E731 - a pen of a style


class CanvasScene(QGraphicsItem):
    """The layers of a workspace over the rectangle of a ViewBox. They paint in points, so that pens are as
    wide as on paper.

    From below there are: everything behind the points, painted once for a frame and a view, by the worker if
    it knew them in time; the points as they are now, on the discs of the selection, with the rings and marks
    of the last frame; what belongs to the hand; the legend.

    Setters (`show_points`, `show_decoration`, `highlight` …) only note what has to be drawn again. `flush`,
    once per beat, has it drawn: all of it, or just the places where a few points have changed."""

    def __init__(self, area: PlotArea, decorator: Decorator[Any]) -> None:
        super().__init__(area.box)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.area = area
        self._decorator = decorator
        # Returns the fits that the legend explains besides the points; without it there is no legend.
        self.explained: Callable[[], Sequence[Decoration[Any]]] | None = None
        self._rect, self._stamps = QRectF(), Stamps()
        self.style = Style(LIGHT)
        self.shown: frozenset[str] = frozenset()
        self.decoration: Decoration[Any] | None = None  # The fit of the last frame.
        self.bare: Decoration[Any]  # The points as they are now, without a fit.
        self.now: dict[str, GlyphLayer] = {}  # Their layers: "points", and "held_out" if there are any.
        self.selection: tuple[int, ...] = ()
        self.highlighted: tuple[int, ...] = ()  # The points under the mouse, here or in a view.
        self.guest: Layer | None = None  # A layer of the canvas itself, in front of everything.
        self.before: Layer | None = None  # The boundary that the fit had before it was revealed.
        self.ink: list[list[tuple[float, float]]] = []  # Lines drawn with the pen, in units of the plane.
        self.faint = False  # Whether the fit is pale and alone, because it waits to be revealed.
        # Where the tool works, its radius in pixels, and whether the disc is filled.
        self.disc: tuple[Spot, float, bool] | None = None
        self.frame: tuple[Spot, Spot] | None = None  # Two corners of the rectangle that a tool draws.
        self.legend = LegendCard()
        self._axes: object = None  # What the axes show: the names of two columns, the unit, the panels.
        # What to draw again: all of it, around some places of the plane, what belongs to the hand.
        self._stale, self._legend_stale, self._hand_stale = True, True, True
        self._stale_places: list[Array] = []
        self._inked = QRectF()  # Where the hand was drawn.

    # What to show --------------------------------------------------------------------------------------
    def show_points(self, data: Data, now: Picture) -> None:
        """Show the points of some data where a picture has them."""
        before, glyphs = self.now.get("points"), now.glyphs
        if (now.columns, now.unit, now.panels) != self._axes:
            self._axes = now.columns, now.unit, now.panels
            first, second = now.columns
            self.area.labels = axis_name(first), axis_name(second)
            self.area.unit, self.area.panels = now.unit, now.panels
            self.area.viewport().update()
        self.bare, self.now["points"] = self._decorator.make(now, data, None), glyphs
        # Others at the places that a point leaves or comes to may move as well, if they are spread.
        alone = before is not None and SPREAD not in self.shown
        places = changed_places(before, glyphs) if before is not None and alone else None
        if places is None:
            self._stale = True
        else:
            self._stale_places.append(places)
        self._hand_stale = self._legend_stale = True
        self.legend.check()

    @property
    def kind(self) -> type[Picture]:
        """The class of pictures of points alone."""
        return self._decorator.painter.kind

    def show_aside(self, picture: Picture | None) -> None:
        """Show points that are not fitted, where a picture has them."""
        if picture is None:
            self.now.pop("held_out", None)
        else:
            self.now["held_out"] = picture.held_out_glyphs
        self._stale = self._legend_stale = True
        self.legend.check()

    def show_decoration(self, decoration: Decoration[Any] | None) -> None:
        """Show the fit of the last frame; None shows points alone."""
        self.decoration = decoration
        self.touch()

    def show_look(self, look: Look) -> None:
        """Show the toggles, the selection and the pinned legend."""
        if look.shown != self.shown:
            self.shown = look.shown
            self.touch()
            self.legend.due = "choose"
        if look.legend != self.legend.pinned:
            self._stale |= self.legend.pin(look.legend)
        if look.selection != self.selection:
            self.selection = look.selection
            self._stale = True

    def set_style(self, style: Style) -> None:
        """Draw everything in another style."""
        self.area.style_of_figure = self.style = style
        self.refit()
        self.area.viewport().update()

    def refit(self, *, resized: bool = True) -> None:
        """Follow the ViewBox and draw everything again: the size, or only the view, has changed."""
        if self._rect != self.area.box.rect():
            self.prepareGeometryChange()
            self._rect = QRectF(self.area.box.rect())
        self._update(self._rect)
        self.touch()
        self.legend.due = "choose" if resized else self.legend.due or "check"

    def touch(self) -> None:
        """Draw everything again, and explain it: another fit may have something to add."""
        self._stale = self._hand_stale = self._legend_stale = True

    def touch_legend(self) -> None:
        """Update the legend: another pane shows something else."""
        self._legend_stale = True

    def touch_hand(self) -> None:
        """Draw again what belongs to the hand: the hovered point, the disc or rectangle of a tool."""
        self._hand_stale = True

    def touch_between(self, begin: Spot, end: Spot) -> None:
        """Draw again where the pen went from one spot to another."""
        self._update(_between(begin, end).adjusted(-GLYPH_REACH, -GLYPH_REACH, GLYPH_REACH, GLYPH_REACH))

    def wipe(self) -> bool:
        """Remove the lines of the pen; return True if there were any."""
        drawn, self.ink = self.ink, []
        self._stale |= bool(drawn)
        return bool(drawn)

    def highlight(self, points: Sequence[int]) -> None:
        """Mark the points that the mouse is over, here or in a view."""
        self.highlighted = tuple(points)
        self._hand_stale = True

    # Where things are ----------------------------------------------------------------------------------
    def places(self, name: str = "points") -> Array:
        """Return where the points are drawn, or those held out, as (n, 2) in units of the plane."""
        if name not in self.now:
            return np.empty((0, 2))
        layer, axes = self.now[name], self.plane
        if not axes.spreads or axes.inner.isEmpty():
            return layer.points
        return layer.points + layer.shifts(axes) / (axes.transform.sx, axes.transform.sy)

    def _target(self, ratio: float) -> Target:
        shown = self.shown & {*self._decorator.painter.behind, SPREAD}
        return Target(self.area.view, *self._rect.size().toTuple(), ratio, self.style, shown)

    @property
    def plane(self) -> PlacedPlane:
        """Return the rectangle between the axes, in points, with what is in front of the backdrop."""
        return self._target(1.0).plane(self._in_front())

    def hit(self, name: str, spot: Spot) -> int | None:
        """Return the point of a layer that is under the mouse, if nothing in front of it is."""
        found = self.plane.hit(spot.in_points)
        return found.points[0] if found is not None and found.part == name else None

    # Drawing again -------------------------------------------------------------------------------------
    def flush(self, *, resting: bool) -> None:
        """Draw the parts that are out of date. The legend changes only when the hand is resting: its rows
        stand still during a gesture."""
        places, self._stale_places = self._stale_places, []
        if self._legend_stale and resting and self.explained is not None:
            self._legend_stale = False
            fits = () if self.faint else self.explained()
            self._stale |= self.legend.explain(fits or [self.bare], self.now, self._shown_in_front)
        if self._hand_stale:
            self._hand_stale = False
            before, self._inked = self._inked, self._extent_of_hand()
            self._update(before | self._inked)
        if self._stale:
            self._stale = False
            self._update(self._rect)
        elif places:
            for rect in self._around(np.concatenate(places)):
                self._update(rect)

    def _update(self, part: QRectF) -> None:
        """Mark a part, given in logical pixels, to be drawn at the next paint."""
        # Not self.update(): it exposes a pixel more on two sides, and all the axes with it.
        self.area.viewport().update(self.area.box.mapRectToScene(part & self._rect).toAlignedRect())

    def _around(self, places: Array) -> Iterable[QRectF]:
        """Yield rectangles in logical pixels around places of the plane, (m, 2), large enough for a mark."""
        reach = GLYPH_REACH * max(self.style.glyphs, self.style.strokes)
        to_pixels = Transform.between(self.area.view, QRectF(QPointF(0, 0), self._rect.size()))
        # Places far outside are put just outside: pixel numbers must fit into 32 bits.
        for column, row in np.clip(to_pixels(places), -1e6, 1e6).tolist():
            yield QRectF(column - reach, row - reach, 2 * reach, 2 * reach)

    def _extent_of_hand(self) -> QRectF:
        """Return where the hand is drawn: a hovering mouse must not have everything painted."""
        extent = QRectF() if self.pointed is None and self.guest is None else QRectF(self._rect)
        if self.highlighted:
            places = self.places()
            for rect in self._around(places[[i for i in self.highlighted if i < len(places)]]):
                extent |= rect
        if self.frame is not None:
            extent |= _between(*self.frame)
        if self.disc is not None:
            spot, radius, _ = self.disc
            extent |= QRectF(spot.column - radius, spot.row - radius, 2 * radius, 2 * radius)
        return extent.adjusted(-4, -4, 4, 4)

    # Painting ------------------------------------------------------------------------------------------
    def boundingRect(self) -> QRectF:
        return self._rect

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        """Draw the backdrop, the layers in front of it, the tool and the legend."""
        if self._rect.width() < 1 or self._rect.height() < 1:
            return
        painter.save()
        painter.setClipRect(self._rect)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        copied_at = self.area.copied_at
        target = self._target(painter.device().devicePixelRatioF() if copied_at is None else copied_at)
        if copied_at is None:
            self._decorator.target = target  # for the worker, which paints the backdrop of the next frame
        if self.faint:
            painter.fillRect(self._rect, QColor(self.style.theme.paper))
            painter.setOpacity(FAINT)
        painter.drawImage(0, 0, self.fit.backdrop(target))
        painter.setOpacity(1.0)
        painter.save()
        painter.scale(1 / POINTS_PER_PIXEL, 1 / POINTS_PER_PIXEL)
        target.plane(self._in_front()).draw_data(painter, self._stamps)
        painter.restore()
        self._draw_tool(painter)
        self.legend.draw(painter, self._rect.size(), self.style, self.shown)
        painter.restore()

    @property
    def fit(self) -> Decoration[Any]:
        """Return the fit of the last frame, or the points alone."""
        return self.decoration or self.bare

    @property
    def _shown_in_front(self) -> frozenset[str]:
        """Return the toggles of what is in front of the backdrop: of a pale fit the points alone."""
        return self.shown & self.now.keys() if self.faint else self.shown

    def _in_front(self) -> Iterable[Layer]:
        """Return the layers in front of the backdrop, back to front."""
        own = {
            "held_out": None,
            **self.now,
            "before": self.before,
            "other fits": None if self.faint else self.fit.painter.other_fits(self.fit),
            "selection": self._around_points(self.selection),
            "ink": Polylines([([np.array(line) for line in self.ink], INK)]) if self.ink else None,
            "guest": self.guest,
            "pointed": self.pointed,
            "hovered": self._around_points(self.highlighted, hovered=True),
        }
        return self.fit.layers(IN_FRONT, self._shown_in_front, own).values()

    def _around_points(self, rows: Sequence[int], hovered: bool = False) -> Layer | None:
        """Return what marks some of the points, if there are any."""
        points = self.now["points"]
        known = [i for i in rows if i < len(points.points)]
        return SelectionLayer(points, known, hovered) if known else None

    @property
    def pointed(self) -> Layer | None:
        """Return what the fit shows of the highlighted points."""
        if self.faint or not self.highlighted:
            return None
        return self.fit.pointed(self.highlighted, self.shown)

    def _draw_tool(self, painter: QPainter) -> None:
        """Draw the tool's disc or rectangle."""
        painter.setPen(pen(self.style.theme.highlight, 1.2 * self.style.strokes))
        if self.frame is not None:
            tint = QColor(self.style.theme.highlight)
            tint.setAlphaF(0.12)
            painter.setBrush(tint)
            painter.drawRect(_between(*self.frame))
        if self.disc is not None:
            spot, radius, solid = self.disc
            tint = QColor(self.style.theme.accent)
            tint.setAlphaF(0.45 if solid else 0.0)
            painter.setBrush(tint)
            painter.drawEllipse(QPointF(spot.column, spot.row), radius, radius)

    # The legend ----------------------------------------------------------------------------------------
    @property
    def card(self) -> QRectF:
        """Return where the legend lies on the plane, in logical pixels; empty if it does not."""
        return self.legend.card(self._rect.size(), self.style, self.shown)

    def legend_entry(self, spot: Spot) -> str:
        """Return what the line of the legend under the mouse says; an empty text if none is."""
        card = self.card
        if not card.contains(spot.column, spot.row):
            return ""
        below = (spot.row - card.top()) * POINTS_PER_PIXEL
        entry = self.legend.legend.entry_on_card(below, self.style)
        return entry.text if entry is not None else ""

    def settle_legend(self, view: ViewRange, plane: QSizeF) -> bool:
        """Move the legend off the points; return True if the plot must be resized.

        view: what a plane of that size, with no row below it, would show."""
        due = self.legend.due
        if not due or (due == "choose" and self.fit.data is not self.bare.data):
            return False
        self.legend.due = ""
        stays = due == "check" and self.legend.place == "below"
        if not stays and self.legend.settle(self._pixels(view, plane), plane, self.style, self.shown):
            self._update(self._rect)
        return self.area.show_below(*self.legend.below if "legend" in self.shown else NOTHING_BELOW)

    def covers(self, rect: QRectF) -> bool:
        """Return True if something in that place, in logical pixels, would cover a point."""
        return covers(
            rect,
            self.style.ring_radius(0.0) / POINTS_PER_PIXEL,
            self._pixels(self.area.view, self._rect.size()),
        )

    def _pixels(self, view: ViewRange, plane: QSizeF) -> Array:
        """Return the visible points, (n, 2), in logical pixels of a plane of that size that shows a view."""
        seen = [glyphs.points for name, glyphs in self.now.items() if name in self.shown]
        to_pixels = Transform.between(view, QRectF(QPointF(0, 0), plane))
        return to_pixels(np.concatenate([np.empty((0, 2)), *seen]))


def _between(a: Spot, b: Spot) -> QRectF:
    """Return the rectangle between two spots, in logical pixels."""
    return QRectF(QPointF(a.column, a.row), QPointF(b.column, b.row)).normalized()


def changed_places(before: GlyphLayer, now: GlyphLayer) -> Array | None:
    """Return where a point has come, gone, moved or changed its look, (m, 2); None for more than a few."""
    few_changes = 4  # So many changed points are redrawn one by one; more, as the whole plane.
    if abs(len(before.points) - len(now.points)) > few_changes or before.class_names != now.class_names:
        return None
    both = min(len(before.points), len(now.points))
    differs = (before.points[:both] != now.points[:both]).any(axis=1)
    differs |= before.classes[:both] != now.classes[:both]
    if before.sizes is not None or now.sizes is not None:
        was, is_ = (np.ones(both) if of.sizes is None else of.sizes[:both] for of in (before, now))
        differs |= was != is_
    rows = np.flatnonzero(differs)
    if len(rows) > few_changes:
        return None
    places = (before.points[rows], now.points[rows], before.points[both:], now.points[both:])
    return np.concatenate(places)
