"""Panels in rows and columns with shared axes, one legend and one unit of colour.

The values of a parameter stand above the columns and beside the rows; where there are no rows, a name stands
above every panel. What shrinks with the panels are lines and marks, not the type."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from kernelviz.scene.axes import PlaneAxes, axis_name, is_symbol
from kernelviz.scene.figure.captions import NO_WORDS, Captions, PlacedWords
from kernelviz.scene.figure.colours import field_unit
from kernelviz.scene.figure.figure import Drawing, Figure
from kernelviz.scene.figure.legend import Entry, Legend
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import draw_text, line_height, text_width, with_dots, wrapped
from kernelviz.scene.nodes import Custom, Node, Placed
from kernelviz.scene.plots import Plane
from kernelviz.session.figure_options import LEGEND_CORNERS

APART = 0.8  # Least space between two panels, in units of the type size.


def in_one_unit(drawings: Sequence[Drawing]) -> list[Drawing]:
    """Return the drawings with the same score as one for the colours of their fields, so that colours can be
    compared from one to the next."""
    unit = common_unit(drawings)
    return [drawing if unit is None else in_unit(drawing, unit) for drawing in drawings]


def common_unit(drawings: Iterable[Drawing]) -> float | None:
    """Return the score that counts as one for the colours of all fields; None where there are none."""
    found = (layer.colouring for drawing in drawings for layer in drawing.layers.values())
    fields = [shades.values.ravel() for shades in found if shades is not None and shades.values.ndim == 2]
    return field_unit(np.concatenate(fields)[:, None]) if fields else None


def in_unit(drawing: Drawing, unit: float) -> Drawing:
    """Return the drawing with a score that counts as one for its colours."""
    return replace(drawing, layers={name: layer.in_unit(unit) for name, layer in drawing.layers.items()})


@dataclass(frozen=True, eq=False)
class PanelSheet(Node):
    """Panels of equal size, row by row.

    across: the names of the columns, or of single panels if no rows are named: these stand in as many columns
    as make them largest. Axes have numbers where the neighbour on the left or below has others."""

    padding = 0.0

    panels: Sequence[Node]
    across: Sequence[str]
    down: Sequence[str] = ()
    corners: Sequence[str] = ()  # What stands in the upper left corner of single panels, such as "(a)".
    notes: Sequence[str] = ()  # What is to be said in single panels, such as "not separable".
    words: Captions = NO_WORDS
    legend: tuple[Entry, ...] = ()

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        words = PlacedWords(self.words, rect, style)
        yield words
        rect = words.inner
        legend, most_legend = Legend(self.legend), 0.25  # Share of the height that a legend may take.
        if self.legend and any(f.own.legend in LEGEND_CORNERS for f in self.panels if isinstance(f, Figure)):
            style.leave_out("the legend in its corner")  # panels are too small: it stands below them
        height = legend.strip_height(rect.width(), style)
        if height > most_legend * rect.height():
            style.leave_out("the legend")
        elif height > 0.0:
            strip = QRectF(rect.left(), rect.bottom() - height, rect.width(), height)
            yield from Custom("legend", (), legend.paint_strip).leaves(strip, style)
            rect = rect.adjusted(0, 0, 0, -height - 0.5 * style.text)
        tried = [_Frame(self, rect, style, with_axes) for with_axes in (True, False)]
        least = 3.0  # Lines of type to the side of a panel, below which the axes are left out.
        frame = tried[min(tried[0].wide, tried[0].high) < least * style.text]
        if frame is tried[1]:
            style.leave_out("the axes")
        if min(frame.wide, frame.high) < style.text:
            style.leave_out("the panels")
            return
        yield from frame.leaves()


class _Frame:
    """Where the panels of a sheet lie in a rectangle, and their words around them."""

    def __init__(self, sheet: PanelSheet, rect: QRectF, style: Style, with_axes: bool) -> None:
        self.sheet, self.rect, self.style, self.with_axes = sheet, rect, style, with_axes
        text, count = style.text, len(sheet.panels)
        self.line = line_height(text)
        columns = len(sheet.across) if sheet.down else _columns(count, rect)
        self.columns, self.rows = columns, ceil(count / columns)
        self.figures = [panel if isinstance(panel, Figure) else None for panel in sheet.panels]
        cell = QRectF(0, 0, rect.width() / columns, rect.height() / self.rows)
        self.names = self._shared_names()
        name = line_height(1.1 * text)
        across, down = (name if with_axes and name_ else 0.0 for name_ in self.names)
        side = self.line if sheet.down else 0.0
        sides = [self._margins(k, cell) for k in range(count)]
        # Room for numbers left of each column and below each row, and between neighbours at least.
        between = max((max(APART * text, beyond + 0.6 * text) for _, beyond, _ in sides), default=0.0)
        lefts = [max(left for left, *_ in sides[c::columns]) for c in range(columns)]
        belows = [
            max(below for *_, below in sides[r * columns : (r + 1) * columns]) for r in range(self.rows)
        ]
        self.heads = [
            _in_lines(each, text, 0.92 * (cell.width() - lefts[0] / columns)) for each in sheet.across
        ]
        head = self.line * max(map(len, self.heads))
        heads = [head if r == 0 or not sheet.down else 0.0 for r in range(self.rows)]
        self.plain = [k // columns for k, figure in enumerate(self.figures) if figure is not None]
        if self.plain:  # the rows that share the names of the axes
            belows[self.plain[-1]] += across
        free = rect.adjusted(down, 0, -max(side, between / 2), 0)
        self.wide = (free.width() - sum(lefts) - between * (columns - 1)) / columns
        apart = APART * text
        self.high = (free.height() - sum(belows) - sum(heads) - apart * (self.rows - 1)) / self.rows
        self._keep_shape()
        self.lefts, self.tops = [free.left() + lefts[0]], [free.top() + heads[0]]
        for c in range(1, columns):
            self.lefts.append(self.lefts[-1] + self.wide + between + lefts[c])
        for r in range(1, self.rows):
            self.tops.append(self.tops[-1] + self.high + belows[r - 1] + apart + heads[r])
        self.foot, self.before = belows[self.plain[-1]] - across if self.plain else 0.0, lefts[0]

    def _keep_shape(self) -> None:
        """Make the panels as narrow or as low as typed limits with equal units on both axes ask for."""
        for figure in self.figures:
            if figure is not None and figure.exact and figure.around is not None:
                view = figure.view
                aspect = (view.right - view.left) / (view.top - view.bottom)
                self.wide = min(self.wide, self.high * aspect)
                self.high = self.wide / aspect

    def _shared_names(self) -> tuple[str, str]:
        """Return the names that the axes of all panels have in common, without what differs in brackets."""
        columns = {tuple(map(axis_name, figure.columns)) for figure in self.figures if figure is not None}
        found = []
        for names in zip(*columns, strict=True):
            short = {name.partition(" (")[0] for name in names}
            found.append(names[0] if len(set(names)) == 1 else short.pop() if len(short) == 1 else "")
        if not found:
            return "", ""
        typed = next(figure.own.labels for figure in self.figures if figure is not None)
        return typed[0] or found[0], typed[1] or found[1]

    def _numbered(self, k: int) -> tuple[bool, bool]:
        """Return whether a panel has numbers along its axes: not where a neighbour has the same."""
        row, column = divmod(k, self.columns)
        below = k + self.columns
        own = self._scale(k)
        same_below = row + 1 < self.rows and below < len(self.figures) and self._scale(below) == own
        return self.with_axes and not same_below, self.with_axes and (
            column == 0 or self._scale(k - 1) != own
        )

    def _scale(self, k: int) -> object:
        figure = self.figures[k]
        return None if figure is None else (figure.view, figure.unit, figure.around, figure.panels)

    def _axes(self, k: int, plot: QRectF) -> PlaneAxes:
        figure = self.figures[k]
        assert figure is not None
        names = axis_name(figure.columns[0]), axis_name(figure.columns[1])
        return PlaneAxes(
            figure.view_in(plot), names, figure.unit, figure.panels, named=False, numbered=self._numbered(k)
        )

    def _margins(self, k: int, cell: QRectF) -> tuple[float, float, float]:
        """Return the room that a panel needs for its numbers on the left, beyond its right edge and below."""
        if self.figures[k] is None:
            return 0.0, 0.0, 0.0
        left, _, beyond, below = self._axes(k, cell).margins(cell, self.style)
        across, up = self._numbered(k)
        return left if up else 0.0, beyond if across else 0.0, below if across else 0.0

    def leaves(self) -> Iterator[Placed]:
        """Yield the panels, then their names and those of the axes."""
        sheet, style = self.sheet, self.style
        plots = [
            QRectF(self.lefts[k % self.columns], self.tops[k // self.columns], self.wide, self.high)
            for k in range(len(sheet.panels))
        ]
        split = max((max(f.panels.columns, f.panels.rows) for f in self.figures if f and f.panels), default=1)
        small = _small(style, self.wide / split, self.high / split)
        pixels = [max(2, round(side * style.pixels_per_point)) for side in (self.wide, self.high)]
        made = [
            (k, figure, figure.make(figure.view_in(plots[k]), *pixels))
            for k, figure in enumerate(self.figures)
            if figure is not None
        ]
        drawings = in_one_unit([drawing for *_, drawing in made])
        for (k, figure, _), drawing in zip(made, drawings, strict=True):
            axes = self._axes(k, plots[k]) if self.with_axes else None
            layers, view = tuple(drawing.layers.values()), figure.view_in(plots[k])
            plane = Plane(part=f"plane {k}", view=view, layers=layers, axes=axes, spreads=drawing.spreads)
            yield from plane.leaves(plots[k], small)
        for k, panel in enumerate(sheet.panels):
            if self.figures[k] is None:
                for leaf in panel.leaves(panel.padded(plots[k], small), small):
                    leaf.clip = plots[k]
                    yield leaf
        yield from Custom("names", (plots,), self._paint_names).leaves(self.rect, style)
        yield _Notes(self, plots)

    def _paint_names(self, plots: list[QRectF], painter: QPainter, rect: QRectF, style: Style) -> None:
        """Write the names above the panels or columns, beside the rows, and those of the shared axes."""
        sheet, text = self.sheet, style.text
        for plot, lines in zip(plots, self.heads, strict=False):
            for above, words in enumerate(reversed(lines)):
                at = QPointF(plot.center().x(), plot.top() - 0.4 * text - above * self.line)
                self._write(painter, at, words, plot.width() + APART * text, "the names of the columns")
        for row, name in enumerate(sheet.down):
            plot = plots[min((row + 1) * self.columns, len(plots)) - 1]
            at = QPointF(self.lefts[-1] + self.wide + 1.15 * text, plot.center().y())
            self._write(painter, at, name, plot.height(), "the names of the rows", turned=True)
        if not self.with_axes or not self.plain:
            return
        big, (across, up) = 1.1 * text, self.names
        top, bottom = self.tops[self.plain[0]], self.tops[self.plain[-1]] + self.high
        middle = (self.lefts[0] + self.lefts[-1] + self.wide) / 2
        at = QPointF(middle, bottom + self.foot + 0.6 * big)
        draw_text(painter, style, at, across, points=big, anchor="centre", italic=is_symbol(across))
        middle = (top + bottom) / 2
        left = self.lefts[0] - self.before
        if len(up) <= 2:
            at = QPointF(left, middle)
            draw_text(painter, style, at, up, points=big, anchor="right", italic=is_symbol(up), middle=True)
        else:
            at = QPointF(left - 0.3 * big, middle)
            draw_text(painter, style, at, up, points=big, anchor="centre", italic=is_symbol(up), turned=True)

    def _write(
        self, painter: QPainter, at: QPointF, name: str, room: float, what: str, turned: bool = False
    ) -> None:
        words = with_dots(name, self.style.text, room)
        if words != name:
            self.style.make_smaller(what)
        draw_text(painter, self.style, at, words, anchor="centre", turned=turned)


class _Notes(Placed):
    """What is to be said in single panels, at their upper and lower left, above what they show."""

    def __init__(self, frame: _Frame, plots: list[QRectF]) -> None:
        super().__init__("notes", frame.rect, frame.style)
        self.sheet, self.plots = frame.sheet, plots

    def draw_data(self, painter: QPainter, stamps: Stamps | None) -> None:
        style, plots, text = self.style, self.plots, self.style.text
        for plot, words in zip(plots, self.sheet.corners, strict=False):
            at = plot.topLeft() + QPointF(0.4 * text, 1.1 * text)
            draw_text(painter, style, at, with_dots(words, text, plot.width() - text), bold=True, halo=True)
        for plot, note in zip(plots, self.sheet.notes, strict=False):
            if note and text_width(note, text) < plot.width():
                at = plot.bottomLeft() + QPointF(0.4 * text, -0.5 * text)
                draw_text(painter, style, at, note, halo=True)


def _in_lines(name: str, text: float, width: float) -> list[str]:
    """Return a name in as few lines as it needs, at most three; the last one may be too wide."""
    lines, most = wrapped(name.replace(" = ", "\u00a0=\u00a0"), text, width), 3
    lines = [line.replace("\u00a0", " ") for line in lines]
    return lines if len(lines) <= most else [*lines[: most - 1], " ".join(lines[most - 1 :])]


def _columns(count: int, rect: QRectF) -> int:
    """Return how many columns make the smallest side of the panels largest; of equal ones the fewest gaps."""
    preferred = 1.2  # Width of a panel, relative to its height.

    def smaller_side(columns: int) -> float:
        return min(rect.width() / columns, preferred * rect.height() / ceil(count / columns))

    return max(range(1, count + 1), key=smaller_side)


def _small(style: Style, wide: float, high: float) -> Style:
    """Return the style of a panel: type as everywhere, lines and marks as small as its sides ask for."""
    roomy, smallest = 18.0, 0.3  # Lines of type to a side up to which marks shrink, and to which share.
    return style.with_marks(min(1.0, max(smallest, min(wide, high) / (roomy * style.text))))
