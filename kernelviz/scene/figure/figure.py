"""The figure of a workspace: the plane with its axes, the legend and the words around it.

>>> figure = Figure(make, view, columns=("x1", "x2"), captions=Captions("Two moons"))

It is a node like any other, laid out and painted by `Layout`, alone on a sheet or among the panels of an
`FigureLayout`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from kernelviz.scene.axes import PlaneAxes, axis_name, column_symbol
from kernelviz.scene.figure.captions import NO_WORDS, Captions, PlacedWords
from kernelviz.scene.figure.legend import Entry, Legend, merged
from kernelviz.scene.figure.own_words import NO_OWN_WORDS, OwnWords
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import draw_text, marked
from kernelviz.scene.figure.transform import framed, letterboxed
from kernelviz.scene.figure.typeface import is_usual
from kernelviz.scene.layers import Layer
from kernelviz.scene.nodes import Custom, Node, Placed
from kernelviz.scene.plots import Plane
from kernelviz.session.figure_options import LEGEND_CORNERS
from kernelviz.session.panels import Panels
from kernelviz.session.state import LETTERS
from kernelviz.session.view import ViewRange


@dataclass(frozen=True, eq=False)
class Drawing:
    """The content between the axes: layers back to front by their toggles, and their entries of the
    legend."""

    layers: Mapping[str, Layer]
    entries: tuple[Entry, ...] = ()
    possible: tuple[Entry, ...] = ()  # All that a legend may say of them, also in other steps of a run.
    spreads: bool = False  # Whether points at the same place are drawn next to each other.


# The drawing of a view, sampled at (columns, rows) of pixels.
MakeDrawing = Callable[[ViewRange, int, int], Drawing]


@dataclass(frozen=True)
class Figure(Node):
    """The plane of a workspace with the legend and the words around it.

    It makes its drawing for the resolution of the rectangle it is laid out in: `make` is called with the
    part of the plane that is shown and with so many columns and rows of pixels. The words come first, then
    the legend, to the right of a wide plot and below any other; where there is too little room for both,
    the plot matters most."""

    padding = 0.0

    make: MakeDrawing
    view: ViewRange
    columns: tuple[str, str] = ("x1", "x2")
    captions: Captions = NO_WORDS
    around: ViewRange | None = None  # Where the points are, when one unit is as long on both axes.
    # None for what the drawing itself shows; a film gives all its frames the same.
    legend: tuple[Entry, ...] | None = None
    # The axes have the limits of the view, as somebody has typed them: the plot takes the shape for it.
    exact: bool = False
    unit: float = 1.0  # The number shown at ticks for one unit of the view.
    panels: Panels | None = None  # The pictures of several categories.
    alike: tuple[Figure, ...] = ()  # Those beside it, which leave as much room for their ticks.
    own: OwnWords = NO_OWN_WORDS

    def own_entries(self) -> tuple[Entry, ...]:
        """Return the entries that a legend of this figure needs."""
        return self.own.renamed(self._outline.entries)

    def possible_entries(self) -> tuple[Entry, ...]:
        """Return the entries whose words an author may replace."""
        return (*self._outline.entries, *self._outline.possible)

    @property
    def _outline(self) -> Drawing:
        """A drawing that is only asked for its legend, of few columns and rows."""
        return self.make(self.view, 32, 32)

    def with_legend(self, entries: tuple[Entry, ...]) -> Figure:
        """Return the same figure with these entries in its legend."""
        return replace(self, legend=entries)

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        style = style.for_room(rect.width(), rect.height())
        legend = Legend(self.own_entries() if self.legend is None else self.legend)
        words = PlacedWords(self.captions, rect, style)
        yield words
        # The plot has at least this share of the height, with so many lines of type below it; else words are
        # left out.
        least_plot, below = 0.45, 3.5
        least = least_plot * rect.height() + below * style.text
        corner = self.own.legend in LEGEND_CORNERS
        outside = Legend(()) if corner else legend
        places = list(self._legend_places(words.inner, style, outside, least)) or [(words.inner, None)]
        if self.exact and self.around is not None:
            # Equal units and fixed limits leave paper free: the legend goes where the plot becomes largest.
            places = sorted(places[:2], key=lambda place: -_area(self._plot_in(place[0], style)[0]))
        body, placed_legend = places[0]
        if placed_legend is not None:
            yield placed_legend
        elif outside.entries:
            style.leave_out("the legend")
        plot, names, with_axes = self._plot_in(body, style)
        if not with_axes:
            style.leave_out("the axes")
        elif not names:
            style.leave_out("the names of the axes")
        view = self.view_in(plot)
        sides = (plot.width(), plot.height())
        drawing = self.make(view, *(max(2, round(side * style.pixels_per_point)) for side in sides))
        axes = self._axes(view, names) if with_axes else None
        layers = tuple(drawing.layers.values())
        plane = Plane(part="plane", view=view, layers=layers, axes=axes, spreads=drawing.spreads)
        yield from plane.leaves(plot, style)
        if corner and legend.entries:
            yield from _CornerLegend.of(legend, self.own.legend, plot, style)
        if self.captions.letter and not words.words.caption:
            yield _Letter(self.captions.letter, plot, style)

    def _plot_in(self, body: QRectF, style: Style) -> tuple[QRectF, bool, bool]:
        """Return the rectangle between the axes, and whether there is room for their names and for axes at
        all."""
        exact = self.exact and self.around is not None
        for names in (True, False):
            left, top, right, below = self._margins(body, style, names)
            plot = body.adjusted(left, top, -right, -below)
            if min(plot.width() / body.width(), plot.height() / body.height()) > 0.5:
                return letterboxed(self.view, plot) if exact else plot, names, True
        return letterboxed(self.view, body) if exact else body, False, False

    def _margins(self, body: QRectF, style: Style, names: bool) -> list[float]:
        """Return the room left, above, right and below that the axes of all these figures need."""
        every = (self, *self.alike)
        needed = [each._axes(each.view_in(body), names).margins(body, style) for each in every]
        return [max(sides) for sides in zip(*needed, strict=True)]

    def _axes(self, view: ViewRange, names: bool) -> PlaneAxes:
        across, up = (
            own or _axis_label(name) for own, name in zip(self.own.labels, self.columns, strict=True)
        )
        bare = not self.columns[1]
        return PlaneAxes(view, (across, up), self.unit, self.panels, names, bare)

    def view_in(self, rect: QRectF) -> ViewRange:
        """Return the part of the plane that a rectangle shows."""
        if self.exact or self.around is None:
            return self.view
        return framed(self.view, self.around, rect.width() / rect.height())

    def _legend_places(
        self, rect: QRectF, style: Style, legend: Legend, least: float
    ) -> Iterator[tuple[QRectF, Placed | None]]:
        """Yield the part of the rectangle left for the plot, and the legend in its place: to the right of a
        wide plot, in rows below any other, never on the points."""
        if not legend.entries:
            return
        width, height = legend.card_size(style)
        beside_from = 1.3  # From this aspect on the legend stands beside the plot.
        wide = (self.exact or rect.width() > beside_from * rect.height()) and height < rect.height()
        column = QRectF(rect.right() - width, rect.top(), width, height)
        beside = rect.adjusted(0, 0, -width, 0), _placed(legend.paint_column, column, style)
        # Share of the width that a legend beside the plot may take; a wider one is left out.
        most_beside = 0.36
        if wide and width < most_beside * rect.width():
            yield beside
        height = legend.strip_height(rect.width(), style) + 0.2 * style.text
        if rect.height() - height > least:
            strip = QRectF(rect.left(), rect.bottom() - height + 0.2 * style.text, rect.width(), height)
            yield rect.adjusted(0, 0, 0, -height), _placed(legend.paint_strip, strip, style)
        elif wide and width < 0.45 * rect.width():
            yield beside


def _axis_label(column: str) -> str:
    """Return the usual name of an axis; x₁ is a formula where a typeface may lack the letter ₁."""
    symbol = column_symbol(column)
    return axis_name(column) if is_usual() or symbol is None else marked("${}_{{{}}}$".format(*symbol))


class _Letter(Placed):
    """The letter of a fit in the upper left corner of its plot."""

    def __init__(self, letter: str, rect: QRectF, style: Style) -> None:
        super().__init__("letter", rect, style)
        self.letter = letter

    def draw_data(self, painter: QPainter, stamps: Stamps | None) -> None:
        text = self.style.text
        at = self.rect.topLeft() + QPointF(0.4 * text, 1.1 * text)
        draw_text(painter, self.style, at, self.letter, bold=True, halo=True)


class _CornerLegend(Placed):
    """A legend on a card in a corner of its plot, above everything there."""

    def __init__(self, legend: Legend, rect: QRectF, style: Style) -> None:
        super().__init__("legend", rect, style)
        self.legend = legend

    @classmethod
    def of(cls, legend: Legend, corner: str, plot: QRectF, style: Style) -> Iterator[Placed]:
        """Yield the legend in a corner such as "lower-left", if it has room there."""
        width, height = legend.card_size(style)
        air = 0.5 * style.text
        inner = plot.adjusted(air, air, -air, -air)
        if width > inner.width() or height > inner.height():
            style.leave_out("the legend")
            return
        x = inner.left() if corner.endswith("left") else inner.right() - width
        y = inner.top() if corner.startswith("upper") else inner.bottom() - height
        yield cls(legend, QRectF(x, y, width, height), style)

    def draw_data(self, painter: QPainter, stamps: Stamps | None) -> None:
        self.legend.paint_card(painter, self.rect.topLeft(), self.style)


def _area(rect: QRectF) -> float:
    return rect.width() * rect.height()


def _placed(paint: Callable[[QPainter, QRectF, Style], None], rect: QRectF, style: Style) -> Placed:
    """Return a legend in its rectangle."""
    return next(Custom("legend", (), paint).leaves(rect, style))


def lettered(figures: Sequence[Figure], names: Sequence[str]) -> list[str]:
    """Return the captions of several fits after their letters, or the names of those that have none."""
    texts = (figure.captions.caption or name for figure, name in zip(figures, names, strict=True))
    return [f"{letter}: {text}" for letter, text in zip(LETTERS, texts, strict=False)]


def side_by_side(figures: Sequence[Figure], names: Sequence[str]) -> list[Figure]:
    """Return the figures, which have their legends already, with room for the longest words and the widest
    ticks of all. Captions distinguish the fits, or their names where captions would take too much room, or
    (a), (b) above the plots; formulas are left out, because those of different heights would not leave the
    plots alike."""
    letters, begin = [*LETTERS[: len(figures)]], "A: "
    captions = lettered(figures, names)
    brief = [f"{letter}: {name}" for letter, name in zip(letters, names, strict=True)]
    if figures[0].own.letters:
        letters, begin = [""] * len(figures), ""
        captions = [figure.captions.caption for figure in figures]
        brief = list(names) if any(captions) else letters
    others = (*captions, *(f"{begin}{text}" for figure in figures for text in figure.captions.others))
    found = []
    for figure, letter, caption, short in zip(figures, letters, captions, brief, strict=True):
        title = figure.captions.title
        own = Captions(title, caption=short, others=tuple(brief))
        words = Captions(title, caption=caption, others=others, brief=own, letter=letter)
        found.append(replace(figure, captions=words, alike=tuple(figures)))
    return found


def check_own_words(figures: Sequence[Figure]) -> None:
    """Raise BadInput if an author has words for an entry that no legend of the figures has."""
    figures[0].own.check(entry for figure in figures for entry in figure.possible_entries())


def common_legend(figures: Iterable[Figure]) -> tuple[Entry, ...]:
    """Return all entries any of the figures needs, so that the plot has its place in each."""
    return merged(figure.own_entries() for figure in figures)
