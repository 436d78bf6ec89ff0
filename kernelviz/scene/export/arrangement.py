"""Canvas and panels on one sheet: side by side, with the panels in as many columns as suit its shape.

The panels are insight views next to the canvas, or the figures of several fits without one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil

from PySide6.QtCore import QRectF

from kernelviz.scene.figure.figure import Captions, Figure, PlacedWords
from kernelviz.scene.figure.legend import Legend, merged
from kernelviz.scene.figure.style import SMALLEST_MARKS, Style
from kernelviz.scene.nodes import Custom, Node, Placed

PANEL_GAP = 1.6  # Space between neighbours, relative to the type size.
# Least width of the canvas, relative to that of a panel; next to two rows it is twice as wide.
CANVAS = 1.25
NO_LEGEND = Legend(())


@dataclass(frozen=True, eq=False)
class FigureLayout(Node):
    """The canvas, if any, on the left and the panels to its right, in the grid that makes the smallest part
    largest.

    >>> FigureLayout(figure, [scene.root for scene in scenes], title="Two moons")"""

    padding = 0.0
    canvas: Node | None
    panels: Sequence[Node]
    title: str = ""
    legend: Legend = NO_LEGEND  # Painted below everything, in the type of the plots.

    @classmethod
    def of_fits(cls, figures: Sequence[Figure]) -> FigureLayout:
        """Return the figures of several fits with their common title and legend painted once."""
        legends = (f.own_entries() if f.legend is None else f.legend for f in figures)
        bare = [replace(f, legend=(), captions=f.captions.untitled()) for f in figures]
        return cls(None, bare, figures[0].captions.title, Legend(merged(legends)))

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        title = PlacedWords(Captions(self.title), rect, style)
        yield title
        rect = title.inner
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
        smaller = 0.85  # Scale of lines and marks in panels next to the canvas.
        if self.canvas is not None:
            yield from self.canvas.leaves(cells.pop(0), style)
            style = style.with_marks(smaller)
        crowded = 0
        too_few = 0.5  # Times as many lines, below which a view cannot be read.
        for panel, cell in zip(self.panels, cells, strict=True):
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


def _room(cell: QRectF, style: Style) -> float:
    """Return how much of the room that a panel needs it has: at most 1."""
    # Lines of type to the width and height of a panel, as in the smallest one on screen: where there are
    # fewer, lines and marks are made smaller.
    legible = (15.0, 10.5)
    across, down = legible
    return min(1.0, cell.width() / (across * style.text), cell.height() / (down * style.text))
