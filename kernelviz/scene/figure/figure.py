"""The figure of a workspace: the plane with its axes, the legend and the words around it.

>>> figure = Figure(make, view, columns=("x1", "x2"), captions=Captions("Two moons"))

It is a node like any other, laid out and painted by `Layout`, alone on a sheet or among the panels of an
`FigureLayout`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from kernelviz.scene.axes import PlaneAxes, axis_name
from kernelviz.scene.figure.legend import Entry, Legend, merged
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.style import CAPTION, Style
from kernelviz.scene.figure.text import draw_text, line_height, text_width, with_dots, wrapped
from kernelviz.scene.figure.transform import framed, letterboxed
from kernelviz.scene.formula import draw_formula, formula_size
from kernelviz.scene.layers import Layer
from kernelviz.scene.nodes import Custom, Node, Placed
from kernelviz.scene.plots import Plane
from kernelviz.session.panels import Panels
from kernelviz.session.state import LETTERS
from kernelviz.session.view import ViewRange


@dataclass(frozen=True)
class Captions:
    """The words around a plot; those that are empty take no room."""

    title: str = ""
    formula: str = ""
    caption: str = ""
    # The captions of the frames of a film, or of the panels of a figure: all keep room for the one with the
    # most lines, or the plot would jump.
    others: tuple[str, ...] = ()
    brief: Captions | None = None  # What to say instead where there is no room for all of it.
    letter: str = ""  # Of one of several fits: it stands in the plot where there is no room for a caption.

    def untitled(self) -> Captions:
        """Return the captions without the title, which stands elsewhere."""
        return replace(self, title="", brief=self.brief and self.brief.untitled())


NO_WORDS = Captions()


@dataclass(frozen=True, eq=False)
class Drawing:
    """What is between the axes: layers back to front by their toggles, and what a legend says of them."""

    layers: Mapping[str, Layer]
    entries: tuple[Entry, ...] = ()
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
    unit: float = 1.0  # What the ticks call one unit of the view.
    panels: Panels | None = None  # The pictures of several categories.
    alike: tuple[Figure, ...] = ()  # Those beside it, which leave as much room for their ticks.

    def own_entries(self) -> tuple[Entry, ...]:
        """Return the entries that a legend of this figure needs."""
        coarse = (32, 32)  # Columns and rows of a drawing that is only asked for its legend.
        return self.make(self.view, *coarse).entries

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
        places = list(self._legend_places(words.inner, style, legend, least)) or [(words.inner, None)]
        if self.exact and self.around is not None:
            # Equal units and fixed limits leave paper free: the legend goes where the plot becomes largest.
            places = sorted(places[:2], key=lambda place: -_area(self._plot_in(place[0], style)[0]))
        body, placed_legend = places[0]
        if placed_legend is not None:
            yield placed_legend
        elif legend.entries:
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
        """Return the room left, above, right and below for the axes of all figures that are to be alike."""
        every = (self, *self.alike)
        needed = [each._axes(each.view_in(body), names).margins(body, style) for each in every]
        return [max(sides) for sides in zip(*needed, strict=True)]

    def _axes(self, view: ViewRange, names: bool) -> PlaneAxes:
        labels = axis_name(self.columns[0]), axis_name(self.columns[1])
        return PlaneAxes(view, labels, self.unit, self.panels, names)

    def view_in(self, rect: QRectF) -> ViewRange:
        """Return the part of the plane that a rectangle shows."""
        if self.exact or self.around is None:
            return self.view
        return framed(self.view, self.around, rect.width() / rect.height())

    def _legend_places(
        self, rect: QRectF, style: Style, legend: Legend, least: float
    ) -> Iterator[tuple[QRectF, Placed | None]]:
        """Yield what is left of the rectangle for the plot, and the legend in its place: to the right of a
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


class _Letter(Placed):
    """The letter of a fit in the upper left corner of its plot."""

    def __init__(self, letter: str, rect: QRectF, style: Style) -> None:
        super().__init__("letter", rect, style)
        self.letter = letter

    def draw_data(self, painter: QPainter, stamps: Stamps | None) -> None:
        text = self.style.text
        at = self.rect.topLeft() + QPointF(0.4 * text, 1.1 * text)
        draw_text(painter, self.style, at, self.letter, bold=True, halo=True)


def _area(rect: QRectF) -> float:
    return rect.width() * rect.height()


def _placed(paint: Callable[[QPainter, QRectF, Style], None], rect: QRectF, style: Style) -> Placed:
    """Return a legend in its rectangle."""
    return next(Custom("legend", (), paint).leaves(rect, style))


@dataclass(frozen=True, eq=False)
class Captioned(Node):
    """Captions around another node."""

    padding = 0.0
    body: Node
    words: Captions

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        style = style.for_room(rect.width(), rect.height())
        words = PlacedWords(self.words, rect, style)
        yield words
        if words.inner.width() > 0 and words.inner.height() > 0:
            yield from self.body.leaves(self.body.padded(words.inner, style), style)


class PlacedWords(Placed):
    """Title and formula above, the caption below, as far as the plot has room; `inner` is what they leave.

    A title that leaves the formula no room on its line stands above it, and one wider than the figure ends in
    dots."""

    def __init__(self, words: Captions, rect: QRectF, style: Style) -> None:
        super().__init__("words", rect, style)
        plain = replace(words, formula="")
        brief = words.brief or plain
        tried = (words, plain, brief, replace(brief, caption="", others=()), NO_WORDS)
        most_words = 0.22  # Share of the height that the words may take: the plot matters most.
        most = most_words * rect.height()
        self.words = next(w for w in tried if sum(_heights(w, rect.width(), style)) <= most)
        for what in ("title", "formula", "caption"):
            if getattr(words, what) and not getattr(self.words, what):
                style.leave_out(f"the {what}")
        if self.words.caption not in ("", words.caption):
            style.make_smaller("the caption")
        above, below = _heights(self.words, rect.width(), style)
        self.inner = rect.adjusted(0, above, 0, -below)

    def draw_ground(self, painter: QPainter) -> None:
        words, rect, style = self.words, self.rect, self.style
        big, small = 1.3 * style.text, CAPTION * style.text
        width, height, stacked = _formula(words, rect.width(), style)
        foot = self.inner.top() - 0.6 * style.text  # of the formula, and of the title on its line
        if words.title:
            at = QPointF(rect.left(), foot - (height + 0.3 * big if stacked else 0.0) - 0.35 * big)
            title = with_dots(words.title, big, rect.width(), bold=True)
            if title != words.title:
                style.make_smaller("the title")
            draw_text(painter, style, at, title, points=big, bold=True)
        if words.formula:
            size = big * width / max(formula_size(words.formula, big)[0], 1e-9)
            if size < 0.99 * big:
                style.make_smaller("the formula")
            corner = QPointF(rect.right() - width, foot - height)
            draw_formula(painter, corner, words.formula, size, style.theme.ink)
        for i, line in enumerate(wrapped(words.caption, small, rect.width())):
            at = QPointF(rect.left(), self.inner.bottom() + 0.35 * small + (i + 1) * line_height(small))
            draw_text(painter, style, at, line, points=small, colour=style.theme.soft_ink)


def _formula(words: Captions, room: float, style: Style) -> tuple[float, float, bool]:
    """Return the width and height of the formula, and whether it stands below the title."""
    if not words.formula:
        return 0.0, 0.0, False
    big = 1.3 * style.text
    width, height = formula_size(words.formula, big)
    fits = min(1.0, room / width) if width else 1.0
    beside = text_width(words.title, big, bold=True) + 1.5 * big + fits * width if words.title else 0.0
    return fits * width, fits * height, beside > room


def _heights(words: Captions, room: float, style: Style) -> tuple[float, float]:
    """Return the heights of the words above and below the plot."""
    above = below = 0.0
    if words.title or words.formula:
        _, height, stacked = _formula(words, room, style)
        line = line_height(1.3 * style.text)
        above = (line + height + 0.3 * style.text if stacked else max(line, height)) + 0.6 * style.text
    small = CAPTION * style.text
    if lines := max(len(wrapped(text, small, room)) for text in (words.caption, *words.others)):
        below = lines * line_height(small) + 0.6 * small
    return above, below


def lettered(figures: Sequence[Figure], names: Sequence[str]) -> list[str]:
    """Return the captions of several fits after their letters, or the names of those that have none."""
    texts = (figure.captions.caption or name for figure, name in zip(figures, names, strict=True))
    return [f"{letter}: {text}" for letter, text in zip(LETTERS, texts, strict=False)]


def side_by_side(figures: Sequence[Figure], names: Sequence[str]) -> list[Figure]:
    """Return the figures, which have their legends already, with room for the longest words and the widest
    ticks of all. Captions distinguish the fits, or their names where captions would take too much room;
    formulas are left out, because those of different heights would not leave the plots alike."""
    captions = lettered(figures, names)
    brief = [f"{letter}: {name}" for letter, name in zip(LETTERS, names, strict=False)]
    others = (*captions, *(f"A: {text}" for figure in figures for text in figure.captions.others))
    found = []
    for figure, letter, caption, short in zip(figures, LETTERS, captions, brief, strict=False):
        title = figure.captions.title
        own = Captions(title, caption=short, others=tuple(brief))
        words = Captions(title, caption=caption, others=others, brief=own, letter=letter)
        found.append(replace(figure, captions=words, alike=tuple(figures)))
    return found


def common_legend(figures: Iterable[Figure]) -> tuple[Entry, ...]:
    """Return all entries any of the figures needs, so that the plot has its place in each."""
    return merged(figure.own_entries() for figure in figures)
