"""What is on the plane: items kept in step with the document, the last frame and the toggles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.scene.axes import axis_name
from kernelviz.scene.figure.legend import Legend, kept, merged
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.transform import Transform
from kernelviz.scene.plane.layers import GlyphLayer
from kernelviz.scene.plane.picture import Picture, picture_of_data
from kernelviz.scene.workspace_painter import Decoration, Decorator
from kernelviz.session.view import Look, ViewRange
from kernelviz.ui.canvas.area import PlotArea
from kernelviz.ui.canvas.items import Backdrop, Overlay, PlaneItem, Points
from kernelviz.ui.canvas.legend import LegendCard

FEW_CHANGES = 4  # So many changed points are redrawn one by one; more, as the whole plane.


class Scene:
    """Setters mark items as stale; `flush`, once per beat, has them drawn."""

    def __init__(
        self,
        area: PlotArea,
        decorator: Decorator[Any],
        explained: Callable[[], Sequence[Decoration[Any]]] | None = None,
    ) -> None:
        """explained: what the legend is about besides the points; without it there is no legend."""
        self.area = area
        self._explained = explained
        box = area.box
        stamps = Stamps()
        self._painter = decorator.painter
        self.backdrop = Backdrop(box, decorator, stamps)
        self.points = Points(box, stamps)
        self.overlay = Overlay(box, stamps)
        self.legend = LegendCard(box)
        self.items: tuple[PlaneItem, ...] = (self.backdrop, self.points, self.overlay, self.legend)
        self._stale: set[PlaneItem] = set(self.items)
        self._places: list[Array] = []
        self._legend: Literal["settled", "may cover points", "anew"] = "anew"
        self._data: Data | None = None
        self._explained_key: object = None
        self._context: object = None

    # What to show --------------------------------------------------------------------------------------
    def show_data(self, data: Data) -> None:
        """Show the points of the document."""
        self.show_points(data, picture_of_data(data, self.points.view))

    def show_points(self, data: Data, now: Picture) -> None:
        """Show the points of some data where a picture has them."""
        self._data = data
        before = self.points.now.get("points")
        glyphs = GlyphLayer(now.points, now.classes, now.class_names)
        self.points.picture, self.points.now["points"] = now, glyphs
        self.overlay.points = now.points
        first, second = now.columns
        axes = (axis_name(first), axis_name(second)), now.unit
        if axes != (self.area.labels, self.area.unit):
            self.area.labels, self.area.unit = axes
            self.area.viewport().update()
        places = None if before is None else changed_places(before, glyphs)
        if places is None:
            self._stale.add(self.points)
        else:
            self._places.append(places)
        self._stale |= {self.overlay, self.legend}
        self._check_legend()

    def show_held_out(self, data: Data | None) -> None:
        """Show the points that are not fitted."""
        self.show_aside(None if data is None else picture_of_data(data, self.points.view))

    def show_aside(self, picture: Picture | None) -> None:
        """Show points that are not fitted, where a picture has them."""
        if picture is None:
            self.points.now.pop("held_out", None)
        else:
            aside = GlyphLayer(picture.points, picture.classes, picture.class_names, hollow=True)
            self.points.now["held_out"] = aside
        self._stale |= {self.points, self.legend}
        self._check_legend()

    def unsettle_legend(self) -> None:
        """Let the legend look for a place once the picture is there: the data are others."""
        self._legend = "anew"
        self._context = None

    def _check_legend(self) -> None:
        """Let the legend look for another place: points or the view have moved, or it has grown. It does not
        return from below for that: it must not come and go while one works."""
        if self._legend == "settled":
            self._legend = "may cover points"

    def show_decoration(self, decoration: Decoration[Any] | None) -> None:
        """Show the fit of the last frame; None shows points alone."""
        self.backdrop.decoration = self.points.decoration = self.overlay.decoration = decoration
        self._stale |= {self.backdrop, self.points, self.legend}

    def show_look(self, look: Look) -> None:
        """Show the toggles, the selection and the pinned legend."""
        if look.shown != self.backdrop.shown:
            for item in self.items:
                item.shown = look.shown
            self._stale |= set(self.items)
            self._legend = "anew"
        if look.legend != self.legend.pinned:
            self.legend.pin(look.legend)
            self._legend = "anew"
        if look.selection != self.points.selection:
            self.points.selection = look.selection
            self._stale.add(self.points)

    def set_style(self, style: Style) -> None:
        self.area.style_of_figure = style
        for item in self.items:
            item.style = style
        self.refit()
        self.area.viewport().update()

    def refit(self, *, resized: bool = True) -> None:
        """Draw everything again: the size, or only the view, has changed."""
        for item in self.items:
            item.fit()
        self._stale |= set(self.items)
        if resized:
            self._legend = "anew"
        else:
            self._check_legend()

    def touch_backdrop(self) -> None:
        """Draw the backdrop again: another fit has something to add."""
        self._stale |= {self.backdrop, self.legend}

    def touch_legend(self) -> None:
        """Update the legend: another pane shows something else."""
        self._stale.add(self.legend)

    def touch_overlay(self) -> None:
        self._stale.add(self.overlay)

    # Drawing -------------------------------------------------------------------------------------------
    def flush(self) -> None:
        """Have what is stale drawn."""
        stale, self._stale = self._stale, set()
        places, self._places = self._places, []
        if self.legend in stale:
            self._update_legend()
            stale.discard(self.legend)
        for item in stale:
            item.refresh()
        if places and self.points not in stale:
            self.points.refresh_places(np.concatenate(places))

    def settle_legend(self, view: ViewRange, plane: QSizeF) -> bool:
        """Have the legend where it covers no point; whether the plane has to make room for it, or gets some
        back. `view` is what a plane of that size, with no row below it, would show."""
        decoration, due = self.backdrop.decoration, self._legend
        awaited = decoration is not None and decoration.data is not self._data
        if due == "settled" or (due == "anew" and awaited):
            return False
        self._legend = "settled"
        to_pixels = Transform.between(view, QRectF(QPointF(0, 0), plane))
        if due == "anew" or self.legend.place != "below":
            self.legend.settle(to_pixels(self._seen()), plane)
        return self.area.show_below(self.legend.below)

    def _seen(self) -> Array:
        """Return the places of all points that are shown."""
        shown = [glyphs.points for name, glyphs in self.points.now.items() if name in self.points.shown]
        return np.concatenate([np.empty((0, 2)), *shown])

    def _update_legend(self) -> None:
        """Have the legend explain everything that is seen, if there is something else to explain."""
        explained = () if self._explained is None else tuple(self._explained())
        shown, now = self.backdrop.shown, self.points.now
        present = [(name, each.class_names, np.unique(each.classes).tolist()) for name, each in now.items()]
        key = (explained, [tuple(each.others.items()) for each in explained], shown, present)
        if self._explained is not None and key != self._explained_key:
            self._explained_key = key
            if explained:
                found = merged(each.entries(now, shown) for each in explained)
            else:
                found = self._painter.entries({name: each for name, each in now.items() if name in shown})
            # What comes and goes while a number or a point moves keeps its line: the picture stands still.
            context = (shown, present, [_kinds_of_fits(each) for each in explained])
            if context == self._context:
                found = kept(self.legend.legend.entries, found)
            self._context = context
            if self.legend.show_entries(Legend(found)):
                self._check_legend()


def _kinds_of_fits(decoration: Decoration[Any]) -> object:
    """Return which kernels and algorithms are compared, without their parameters, and which fits failed."""
    fits = () if decoration.frame is None else decoration.frame.request.fits
    failed = [fit for fit, other in decoration.others.items() if other is None]
    return [(type(fit.kernel), type(fit.algorithm)) for fit in fits], failed


def changed_places(before: GlyphLayer, now: GlyphLayer) -> Array | None:
    """Return where a point has come, gone, moved or changed its class; None for more than a few."""
    if abs(len(before.points) - len(now.points)) > FEW_CHANGES or before.class_names != now.class_names:
        return None
    both = min(len(before.points), len(now.points))
    differs = (before.points[:both] != now.points[:both]).any(axis=1)
    rows = np.flatnonzero(differs | (before.classes[:both] != now.classes[:both]))
    if len(rows) > FEW_CHANGES:
        return None
    places = (before.points[rows], now.points[rows], before.points[both:], now.points[both:])
    return np.concatenate(places)
