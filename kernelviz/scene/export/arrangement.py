"""Canvas and panels on one sheet: side by side, with the panels in as many columns as suit its shape.

The panels are insight views next to the canvas, or the figures of several fits without one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from kernelviz.scene.figure.captions import NO_WORDS, Captions, PlacedWords
from kernelviz.scene.figure.figure import Figure
from kernelviz.scene.figure.legend import Legend, merged
from kernelviz.scene.figure.style import SMALLEST_MARKS, Style
from kernelviz.scene.figure.text import draw_text, line_height, marked, overshoot, text_width, with_dots
from kernelviz.scene.nodes import Custom, Node, Placed
from kernelviz.session.figure_options import LEGEND_CORNERS

PANEL_GAP = 1.6  # Space between neighbours, relative to the type size.
# Least width of the canvas, relative to that of a panel; next to two rows it is twice as wide.
CANVAS = 1.25
NO_LEGEND = Legend(())
TITLE_SIZE = 1.1  # Of the titles of panels, relative to the type size.


@dataclass(frozen=True, eq=False)
class FigureLayout(Node):
    """The canvas, if any, on the left and the panels to its right, in the grid that makes the smallest part
    largest.

    >>> FigureLayout(figure, [scene.root for scene in scenes], words=Captions("Two moons"))"""

    padding = 0.0
    canvas: Node | None
    panels: Sequence[Node]
    words: Captions = NO_WORDS
    legend: Legend = NO_LEGEND  # Painted below everything, in the type of the plots.
    titles: Sequence[tuple[str, str]] = ()  # The letter and the title above each panel.

    @classmethod
    def of_plots(
        cls, figures: Sequence[Figure], words: Captions, titles: Sequence[tuple[str, str]]
    ) -> FigureLayout:
        """Return one plot, or those of several fits with one legend, under their titles, with words around
        all of them."""
        if len(figures) == 1:
            return cls(None, [replace(figures[0], captions=NO_WORDS)], figures[0].captions, titles=titles)
        bare = [replace(f, captions=f.captions.untitled()) for f in figures]
        entries = merged(f.own_entries() if f.legend is None else f.legend for f in figures)
        bare, corner = [replace(f, legend=()) for f in bare], figures[0].own.legend
        if corner in LEGEND_CORNERS:  # in a plot on that side
            k = -1 if corner.endswith("right") else 0
            bare[k], entries = replace(bare[k], legend=entries), ()
        return cls(None, bare, words, Legend(entries), titles)

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        around = PlacedWords(self.words, rect, style)
        yield around
        rect = around.inner
        height = self.legend.strip_height(rect.width(), self._of_plots(rect, style))
        most_legend = 0.25  # A legend that needs a larger share of the height is left out.
        if height > most_legend * rect.height():
            style.leave_out("the legend")
        elif height > 0.0:
            rect = rect.adjusted(0.0, 0.0, 0.0, -height - PANEL_GAP * style.text / 2)
            below = QRectF(rect.left(), rect.bottom() + PANEL_GAP * style.text / 2, rect.width(), height)
            legend = Custom("legend", (), self.legend.paint_strip)
            yield from legend.leaves(below, self._of_plots(rect, style))
        gap = PANEL_GAP * style.text
        cells = self.cells(rect, gap)
        titles = [(letter, marked(title)) for letter, title in self.titles]
        above = max((_title_height(*words, style) for words in titles), default=0.0)
        smaller = 0.85  # Scale of lines and marks in panels next to the canvas.
        if self.canvas is not None:
            yield from self.canvas.leaves(cells.pop(0), style)
            style = style.with_marks(smaller)
        crowded = 0
        too_few = 0.5  # Times as many lines, below which a view cannot be read.
        for k, (panel, cell) in enumerate(zip(self.panels, cells, strict=True)):
            if above:
                line = QRectF(cell.left(), cell.top(), cell.width(), above)
                yield from Custom("title", titles[k], _draw_title).leaves(line, style)
                cell = cell.adjusted(0.0, above, 0.0, 0.0)
            if isinstance(panel, Figure):  # it makes its type smaller itself
                yield from panel.leaves(cell, style)
                continue
            room = _room(cell, style)
            crowded += room < too_few
            own = style.with_marks(max(SMALLEST_MARKS, room))
            for leaf in panel.leaves(panel.padded(cell, own), own):
                leaf.clip = cell.adjusted(-gap / 2, -gap / 2, gap / 2, gap / 2)
                yield leaf
        if crowded:
            style.leave_out(
                "a view that can be read" if crowded == 1 else f"{crowded} views that can be read"
            )

    def _of_plots(self, rect: QRectF, style: Style) -> Style:
        """Return the style of the figures that share a rectangle, which look alike."""
        cell = self.cells(rect, PANEL_GAP * style.text)[0]
        return style.for_room(cell.width(), cell.height())

    def cells(self, rect: QRectF, gap: float) -> list[QRectF]:
        """Return a rectangle for each part, the canvas first, in the grid with the largest parts."""
        if not self.panels:
            return [rect]
        grids = [self._grid(rect, gap, columns) for columns in range(1, len(self.panels) + 1)]
        panel = 1.3  # Preferred width of a panel, relative to its height.
        return max(grids, key=lambda cells: min(min(c.width(), panel * c.height()) for c in cells))

    def _grid(self, rect: QRectF, gap: float, columns: int) -> list[QRectF]:
        """Return the rectangles of the panels in a grid with this number of columns."""
        rows = ceil(len(self.panels) / columns)
        share = max(CANVAS, rows) if self.canvas is not None else 0.0
        gaps = columns - 1 + (self.canvas is not None)
        unit = (rect.width() - gap * gaps) / (share + columns)
        tall = (rect.height() - gap * (rows - 1)) / rows
        cells = []
        left = rect.left()
        if self.canvas is not None:
            cells.append(QRectF(left, rect.top(), share * unit, rect.height()))
            left += share * unit + gap
        for k in range(len(self.panels)):
            row, column = divmod(k, columns)
            x, y = left + column * (unit + gap), rect.top() + row * (tall + gap)
            cells.append(QRectF(x, y, unit, tall))
        return cells


def _title_height(letter: str, title: str, style: Style) -> float:
    """Return the height of the line above a panel; 0 if it is empty."""
    size = TITLE_SIZE * style.text
    return line_height(size) + sum(overshoot(title, size)) + 0.2 * size if letter or title else 0.0


def _draw_title(letter: str, title: str, painter: QPainter, rect: QRectF, style: Style) -> None:
    """Write the letter and the title of a panel above it; a long title ends in dots."""
    size = TITLE_SIZE * style.text
    at = QPointF(rect.left(), rect.bottom() - 0.55 * size - overshoot(title, size)[1])
    draw_text(painter, style, at, letter, points=size, bold=True)
    at += QPointF(text_width(f"{letter} ", size, bold=True) if letter else 0.0, 0.0)
    words = with_dots(title, size, rect.right() - at.x())
    if words != title:
        style.make_smaller("the panel titles")
    draw_text(painter, style, at, words, points=size)


def _room(cell: QRectF, style: Style) -> float:
    """Return how much of the room that a panel needs it has: at most 1."""
    # Lines of type to the width and height of a panel, as in the smallest one on screen: where there are
    # fewer, lines and marks are made smaller.
    legible = (15.0, 10.5)
    across, down = legible
    return min(1.0, cell.width() / (across * style.text), cell.height() / (down * style.text))
