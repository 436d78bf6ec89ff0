"""What is on the plane: items kept in step with the document, the last frame and the toggles."""

from __future__ import annotations

import dataclasses

import numpy as np

from kernelviz.drawing.figure.axes import axis_name
from kernelviz.drawing.figure.decoration import Decoration, Decorator
from kernelviz.drawing.figure.legend import Legend
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.plane.legend import entries
from kernelviz.drawing.plane.picture import Picture, picture_of_data
from kernelviz.drawing.plane.sprites import Sprites
from kernelviz.engine.arrays import Array
from kernelviz.engine.data import Data
from kernelviz.session.state import Look
from kernelviz.ui.canvas.area import PlotArea
from kernelviz.ui.canvas.items import Backdrop, LegendCard, Overlay, PlaneItem, Points

__all__ = ["Scene"]

FEW_CHANGES = 4
"""So many changed points are redrawn one by one; more, as the whole plane."""


class Scene:
    """Setters mark items as stale; `flush`, once per beat, has them drawn."""

    def __init__(self, area: PlotArea, decorator: Decorator) -> None:
        self.area = area
        box = area.box
        self._made = Sprites(Style(), 1.0)
        self.backdrop = Backdrop(box, decorator)
        self.points = Points(box, self._sprites)
        self.overlay = Overlay(box, self._sprites)
        self.legend = LegendCard(box)
        self.items: tuple[PlaneItem, ...] = (self.backdrop, self.points, self.overlay, self.legend)
        self._stale: set[PlaneItem] = set(self.items)
        self._places: list[Array] = []
        self._legend_settled = False
        self._data: Data | None = None

    def _sprites(self, ratio: float) -> Sprites:
        if self._made.ratio != ratio or self._made.style != self.backdrop.style:
            self._made = Sprites(self.backdrop.style, ratio)
        return self._made

    # What to show --------------------------------------------------------------------------------------
    def show_data(self, data: Data) -> None:
        """The points of the document, at once."""
        self._data = data
        before, now = self.points.picture, picture_of_data(data, self.points.view)
        self.points.picture = now
        self.overlay.points = now.points
        first, second = now.columns
        labels = (axis_name(first), axis_name(second))
        if labels != self.area.labels:
            self.area.labels = labels
            self.area.viewport().update()
        places = None if before is None else changed_places(before, now)
        if places is None:
            self._stale.add(self.points)
        else:
            self._places.append(places)
        self._stale |= {self.overlay, self.legend}

    def show_held_out(self, data: Data | None) -> None:
        """Points that are not fitted."""
        self.points.held_out = None if data is None else picture_of_data(data, self.points.view)
        self._stale |= {self.points, self.legend}

    def unsettle_legend(self) -> None:
        """Other data: let the legend look for another corner once the picture is there."""
        self._legend_settled = False

    def show_decoration(self, decoration: Decoration | None) -> None:
        """The fit of the last frame; None shows points alone."""
        self.backdrop.decoration = self.points.decoration = decoration
        self._stale |= {self.backdrop, self.points, self.legend}

    def show_look(self, look: Look) -> None:
        """Toggles and selection."""
        if look.shown != self.backdrop.shown:
            for item in self.items:
                item.shown = look.shown
            self._stale |= set(self.items)
        if look.selection != self.points.selection:
            self.points.selection = look.selection
            self._stale.add(self.points)

    def set_style(self, style: Style) -> None:
        self.area.style_of_figure = style
        for item in self.items:
            item.style = style
        self.refit()
        self.area.viewport().update()

    def refit(self) -> None:
        """The view or the size has changed: everything is elsewhere now."""
        for item in self.items:
            item.fit()
        self._stale |= set(self.items)

    def touch_overlay(self) -> None:
        self._stale.add(self.overlay)

    # Drawing -------------------------------------------------------------------------------------------
    def flush(self) -> None:
        """Have what is stale drawn."""
        stale, self._stale = self._stale, set()
        places, self._places = self._places, []
        if self.legend in stale:
            self.legend.show_entries(self._entries())
            stale.discard(self.legend)
            self._settle_legend()
        for item in stale:
            item.refresh()
        if places and self.points not in stale:
            self.points.refresh_places(np.concatenate(places))

    def _settle_legend(self) -> None:
        decoration = self.backdrop.decoration
        if not self._legend_settled and decoration is not None and decoration.frame.data is self._data:
            self._legend_settled = True
            self.legend.settle(self.overlay.points)

    def _entries(self) -> Legend:
        """The frame's picture explained; without a frame the points alone."""
        decoration, points, shown = self.backdrop.decoration, self.points.picture, self.backdrop.shown
        if points is None:
            return Legend(())
        if (held := self.points.held_out) is not None:
            points = dataclasses.replace(points, held_out=held.points, held_out_classes=held.classes)
        if decoration is not None:
            return Legend(decoration.entries(points, shown))
        return Legend(entries(dataclasses.replace(points, shown=shown)))


def changed_places(before: Picture, now: Picture) -> Array | None:
    """Where a point has come, gone, moved or changed its class; None for more than a few."""
    if abs(len(before.points) - len(now.points)) > FEW_CHANGES or before.class_names != now.class_names:
        return None
    both = min(len(before.points), len(now.points))
    differs = (before.points[:both] != now.points[:both]).any(axis=1)
    rows = np.flatnonzero(differs | (before.classes[:both] != now.classes[:both]))
    if len(rows) > FEW_CHANGES:
        return None
    places = (before.points[rows], now.points[rows], before.points[both:], now.points[both:])
    return np.concatenate(places)
