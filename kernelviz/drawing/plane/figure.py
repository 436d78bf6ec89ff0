"""The figure of the plane: axes, picture, legend, formula and caption, sampled for the size it gets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from kernelviz.drawing.figure.axes import Axes, axis_name
from kernelviz.drawing.figure.captions import NO_WORDS, Captions
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.text import draw_text, line_height, wrapped
from kernelviz.drawing.figure.transform import Transform, framed
from kernelviz.drawing.formula import draw_formula, formula_size
from kernelviz.drawing.plane.layers import layers
from kernelviz.drawing.plane.legend import Entry, Legend, entries
from kernelviz.drawing.plane.picture import (
    DEFAULT_SHOWN,
    Picture,
    contour_lines,
    picture_of_data,
    picture_of_model,
    sampled,
    touched,
    with_held_out,
)
from kernelviz.engine.data import Data
from kernelviz.engine.model import Model
from kernelviz.session.state import ViewRange
from kernelviz.session.workspaces.registry import workspace_of

__all__ = ["PlaneFigure", "figure_of_data", "figure_of_model", "paint_words"]

FINEST_FIELD = 900
"""Nodes per axis beyond which a smooth field gains nothing."""
LINE_NODES = 420
CAPTION = 0.88
"""Times the size of the type."""
WIDE = 1.3
"""From this aspect on the legend stands beside the plot."""
MOST_WORDS, MOST_BESIDE, LEAST_PLOT, BELOW = 0.22, 0.36, 0.45, 3.5
"""Of the height the words, of the width the legend, of the height the plot with so many lines of type below
it. What would take more, or leave less, is left out: the plot matters most."""

MakePicture = Callable[[ViewRange, int, int], Picture]
"""A picture of a view with a field of so many columns and rows."""


@dataclass(frozen=True)
class PlaneFigure:
    """A Paintable that knows how to make its picture at the resolution it is asked for."""

    make: MakePicture
    view: ViewRange
    columns: tuple[str, str] = ("x1", "x2")
    captions: Captions = NO_WORDS
    around: ViewRange | None = None
    """Where the points are, when one unit is as long on both axes."""
    legend: tuple[Entry, ...] | None = None
    """None for what the picture itself shows; a film gives all its frames the same."""

    def own_entries(self) -> tuple[Entry, ...]:
        """What a legend of this figure has to explain."""
        # Known only from a picture; a coarse one tells.
        picture = self.make(self.view, 32, 32)
        return entries(picture) if "legend" in picture.shown else ()

    def with_legend(self, entries: tuple[Entry, ...]) -> PlaneFigure:
        return replace(self, legend=entries)

    def paint(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        style = style.for_room(rect.width(), rect.height())
        labels = (axis_name(self.columns[0]), axis_name(self.columns[1]))
        legend = Legend(self.own_entries() if self.legend is None else self.legend)
        said = paint_words(painter, rect, style, self.captions)
        least = LEAST_PLOT * rect.height() + BELOW * style.text
        body = self._legend(painter, said, style, legend, least)
        left, top, right, below = Axes(self._framed(body), labels).margins(body, style)
        plot = body.adjusted(left, top, -right, -below)
        with_axes = plot.width() > 0.5 * body.width() and plot.height() > 0.5 * body.height()
        plot = plot if with_axes else body
        view = self._framed(plot)
        nodes = [
            max(2, min(FINEST_FIELD, round(side * style.pixels_per_point)))
            for side in (plot.width(), plot.height())
        ]
        self._plot(painter, plot, style, self.make(view, *nodes))
        if with_axes:
            Axes(view, labels).paint(painter, plot, style)

    def _framed(self, rect: QRectF) -> ViewRange:
        """What a rectangle shows of the plane."""
        return (
            self.view if self.around is None else framed(self.view, self.around, rect.width() / rect.height())
        )

    def _plot(self, painter: QPainter, plot: QRectF, style: Style, picture: Picture) -> None:
        transform = Transform.between(picture.view, plot)
        for layer in layers(picture).values():
            painter.save()
            layer.paint(painter, transform, style)
            painter.restore()

    def _legend(self, painter: QPainter, rect: QRectF, style: Style, legend: Legend, least: float) -> QRectF:
        """The legend beside a wide plot, above any other, in smaller type or not at all if that leaves
        less than the least height; returns what is left."""
        if not legend.entries:
            return rect
        for own in (style, style.scaled(0.8)):
            width, height = legend.card_size(own)
            if (
                rect.width() > WIDE * rect.height()
                and height < rect.height()
                and width < MOST_BESIDE * rect.width()
            ):
                legend.paint_column(painter, QPointF(rect.right() - width, rect.top()), own)
                return rect.adjusted(0, 0, -width, 0)
            height = legend.strip_height(rect.width(), own) + 0.2 * own.text
            if rect.height() - height > least:
                legend.paint_strip(painter, QRectF(rect.left(), rect.top(), rect.width(), height), own)
                return rect.adjusted(0, height, 0, 0)
        return rect


def paint_words(painter: QPainter, rect: QRectF, style: Style, words: Captions) -> QRectF:
    """Title and formula above, caption below, as far as the plot has room; returns what is left."""
    bare = (words, replace(words, formula=""), replace(words, formula="", caption=""), NO_WORDS)
    kept = next(w for w in bare if sum(_heights(w, rect.width(), style)) <= MOST_WORDS * rect.height())
    above, below = _heights(kept, rect.width(), style)
    big, small = 1.3 * style.text, CAPTION * style.text
    tall = above - 0.6 * style.text
    if kept.title:
        at = QPointF(rect.left(), rect.top() + tall - 0.35 * big)
        draw_text(painter, style, at, kept.title, points=big, bold=True)
    if kept.formula:
        width, height = formula_size(kept.formula, big)
        fits = min(1.0, rect.width() / width)
        corner = QPointF(rect.right() - fits * width, rect.top() + tall - fits * height)
        draw_formula(painter, corner, kept.formula, fits * big, style.theme.ink)
    for i, line in enumerate(reversed(wrapped(kept.caption, small, rect.width()))):
        at = QPointF(rect.left(), rect.bottom() - 0.25 * small - i * line_height(small))
        draw_text(painter, style, at, line, points=small, colour=style.theme.soft_ink)
    return rect.adjusted(0, above, 0, -below)


def _heights(words: Captions, room: float, style: Style) -> tuple[float, float]:
    """What the words take above and below."""
    above = below = 0.0
    if words.title or words.formula:
        width, height = formula_size(words.formula, 1.3 * style.text) if words.formula else (0.0, 0.0)
        fits = min(1.0, room / width) if width else 1.0
        above = max(line_height(1.3 * style.text), fits * height) + 0.6 * style.text
    small = CAPTION * style.text
    if lines := wrapped(words.caption, small, room):
        below = len(lines) * line_height(small) + 0.6 * small
    return above, below


def figure_of_model(
    model: Model,
    view: ViewRange,
    *,
    shown: frozenset[str] = DEFAULT_SHOWN,
    captions: Captions = NO_WORDS,
    selection: tuple[int, ...] = (),
    changed: tuple[int, ...] = (),
    held_out: Data | None = None,
) -> PlaneFigure:
    """The figure of a fitted model, with the points framed that its last step has `changed`; field and
    contours are computed anew for every size."""

    @lru_cache(maxsize=2)  # a large figure is painted in bands, each of the same picture
    def make(wanted: ViewRange, columns: int, rows: int) -> Picture:
        x1, x2, F = sampled(model, wanted, columns, rows)
        lines = contour_lines(model, wanted, min(LINE_NODES, 4 * max(columns, rows)))
        picture = picture_of_model(model, wanted, x1, x2, F, lines, shown=shown, selection=selection)
        return with_held_out(touched(picture, changed), held_out)

    columns = picture_of_data(model.problem.data, view).columns
    return PlaneFigure(make, view, columns, captions, _around(model.problem.data, shown))


def figure_of_data(
    data: Data, view: ViewRange, *, shown: frozenset[str] = DEFAULT_SHOWN, captions: Captions = NO_WORDS
) -> PlaneFigure:
    """The figure of points that have no model (yet)."""

    def make(wanted: ViewRange, columns: int, rows: int) -> Picture:
        return picture_of_data(data, wanted, shown=shown)

    return PlaneFigure(make, view, picture_of_data(data, view).columns, captions, _around(data, shown))


def _around(data: Data, shown: frozenset[str]) -> ViewRange | None:
    return workspace_of(data).extent(data) if "equal_aspect" in shown else None
