"""Layers of plots, fields and planes. Each kind draws itself and its marks, and finds what it has drawn.

A layer has its data in the units of the axes. To be drawn it is given the `Coordinates` of the place it is
drawn in, which map them to points on the paper. Colours are roles of the theme ("ink", "positive",
"class 2"), so the same layer suits every theme.

Here are what all layers share, and those of functions over the plane. `plot_layers` has the curves, points
and bars of plots. What only one view draws is a subclass of `Layer` in the file of that view."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPen

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.fields.contours import ContourLines
from kernelviz.scene.axes import Axis, ink
from kernelviz.scene.figure.colours import blend, field_image, field_unit, region_image
from kernelviz.scene.figure.legend import Entry, Ink, stroke
from kernelviz.scene.figure.stamps import Stamps, spread
from kernelviz.scene.figure.strokes import draw_lines, joined, pen, tinted
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import draw_text, fitted, text_width
from kernelviz.scene.figure.transform import Transform
from kernelviz.scene.nodes import NO_PLACES, Hit, Marks, Placed, Valued
from kernelviz.session.themes import LIGHT, Theme
from kernelviz.session.view import ViewRange

REACH = 9.0  # Points around a mark within which the mouse finds it.
PALETTE = len(LIGHT.classes)
# Colours above and below 0 for functions whose sign stands for no class.
NEUTRAL = ("highlight", "success")


def class_ink(k: int, count: int) -> str:
    """Return the role of class k among `count`; of two, the second is the positive one."""
    return ("negative", "positive")[k] if count <= 2 else f"class {k % PALETTE}"


class Coordinates(Placed):
    """The rectangle between two axes, `inner`, which shows the part `view` of the plane.

    `axes(xy)` maps rows of values on the two axes, (m, 2), to places on the paper in points, (m, 2), and
    `value_at` maps a place back. A plot with a logarithmic axis overrides both."""

    spreads = False  # Whether points at the same place are drawn next to each other.

    def __init__(
        self, view: ViewRange, inner: QRectF, style: Style, part: str = "", rect: QRectF | None = None
    ) -> None:
        super().__init__(part, inner if rect is None else rect, style)
        self.view, self.inner = view, inner

    @cached_property
    def transform(self) -> Transform:
        """The map from values to places, where both axes are linear."""
        return Transform.between(self.view, self.inner)

    def __call__(self, xy: Array) -> Array:
        return self.transform(xy)

    def at(self, xs: Array | float, ys: Array | float) -> Array:
        """Return places in points, (m, 2), of two columns of values; either may be a single value."""
        return self(np.column_stack(np.broadcast_arrays(np.atleast_1d(xs), np.atleast_1d(ys))))

    def segments(self, begins: Array, ends: Array) -> list[QLineF]:
        """Return straight lines in points between rows of values on the two axes, (m, 2) each."""
        return [QLineF(*each) for each in np.hstack([self(begins), self(ends)]).tolist()]

    def value_at(self, at: QPointF) -> tuple[float, float] | None:
        """Return the values on the two axes at a place in points: the inverse of `at`. None where there are
        none."""
        if not self.inner.adjusted(-1, -1, 1, 1).contains(at):
            return None
        to = self.transform
        return (at.x() - to.tx) / to.sx, (at.y() - to.ty) / to.sy

    def seen(self, xy: Array, stamps: Stamps | None = None) -> NDArray[np.bool_]:
        """Return a mask of the places on the paper, (m, 2), that lie between the axes. A screen clips marks
        at the edges, so with stamps the places whose marks reach into the rectangle are included; a file does
        not clip."""
        outside = 24.0  # Points outside the axes where the mark of a point can still reach inside.
        more = 0.0 if stamps is None else outside * max(self.style.glyphs, self.style.strokes)
        room = self.inner.adjusted(-more, -more, more, more)
        low, high = (room.left(), room.top()), (room.right(), room.bottom())
        return np.asarray(((xy >= low) & (xy <= high)).all(axis=1))

    def draw_label(self, painter: QPainter, at: QPointF, text: str) -> None:
        """Draw a line of text next to a mark, on its own patch of paper, inside the axes."""
        style, room, size = self.style, self.inner, self.style.text
        distance = style.ring_radius(0.6)
        text, points = fitted(text, size, 0.9 * (room.width() - 0.8 * size))  # bold type is wider
        wide = text_width(text, points, bold=True) + 0.8 * size
        left = max(room.left(), min(at.x() + distance, room.right() - wide))
        top = min(max(at.y() - distance - 1.5 * size, room.top()), room.bottom() - 1.5 * size)
        painter.fillRect(QRectF(left, top, wide, 1.5 * size), tinted(style.theme.paper, 0.88))
        foot = QPointF(left + 0.4 * size, top + 1.1 * size)
        draw_text(painter, style, foot, text, points=points, colour=style.theme.highlight, bold=True)


def nearest_mark(
    xy: Array, at: QPointF, drawn: Indices | None = None, reach: float = REACH
) -> tuple[int, ...]:
    """Return the number of the mark nearest to a place, if one is near: of all marks at xy, (m, 2), or of
    those that are drawn."""
    among = xy if drawn is None else xy[drawn]
    if len(among) == 0:
        return ()
    distances = np.hypot(among[:, 0] - at.x(), among[:, 1] - at.y())
    nearest = int(np.argmin(distances))
    if not distances[nearest] <= reach:
        return ()
    return (nearest if drawn is None else int(drawn[nearest]),)


@dataclass(frozen=True, eq=False, kw_only=True)
class Layer(Valued):
    """Something drawn between axes, on screen and on paper alike: on the canvas, in figures, in insight
    views.

    A subclass draws itself and, where it applies, its marks, finds what it has drawn, and explains itself
    in a legend. A layer that draws a tick at the foot of the plot for each value:

    >>> @dataclass(frozen=True, eq=False, kw_only=True)
    ... class Ticks(Layer):
    ...     x: Array
    ...
    ...     def draw(self, axes, painter, stamps):
    ...         foot = axes.inner.bottom()
    ...         painter.setPen(pen(axes.style.theme.soft_ink, axes.style.axis_width))
    ...         for x, _ in axes.at(self.x, 0.0).tolist():
    ...             painter.drawLine(QLineF(x, foot, x, foot - axes.style.text))

    The fields of a layer say all that is seen of it: layers with equal fields share a picture on screen."""

    part: str = ""  # What hits and tests call it.

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The lines that explain it in the legend of a plane; a plot names its curves itself."""
        return ()

    @property
    def possible(self) -> tuple[Entry, ...]:
        """All entries it may have during a run; the legend has room for them from the first step on."""
        return self.entries

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        """Draw it with a painter in points: quickly with `stamps`, as on a screen, exactly without.

        The painter has no brush at first, and may be left with any pen, brush, clipping or opacity."""

    def mark(self, axes: Coordinates, painter: QPainter, marks: Marks) -> None:
        """Draw the marks: rings around selected points, a label at the one under the mouse."""

    def hit(self, axes: Coordinates, at: QPointF) -> Hit | None:
        """Return the hit at a place in points, or None."""
        return None

    def places(self, axes: Coordinates) -> Array:
        """Return where its marks are, (m, 2) in points; no rows for a layer without any."""
        return NO_PLACES

    @property
    def colouring(self) -> Shades | None:
        """The function that it shows as colour; None if it shows none."""
        return None

    def in_unit(self, unit: float) -> Layer:
        """Return the same layer with a score that counts as one for its colours."""
        return self


def draw_layers(layers: Iterable[Layer], axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
    """Draw layers back to front, restoring the painter after each."""
    for layer in layers:
        painter.save()
        layer.draw(axes, painter, stamps)
        painter.restore()


@dataclass(frozen=True, eq=False)
class OfPoints(Layer):
    """Marks at the points of the plane. Those at the same place are drawn next to each other if the axes say
    so."""

    points: Array

    @cached_property
    def _spread(self) -> Array:
        return spread(self.points)

    def shifts(self, axes: Coordinates) -> Array:
        """Return how far from its place each mark is drawn if the axes want it, (n, 2) in points."""
        return axes.style.among(len(self.points)).glyphs * self._spread

    def places(self, axes: Coordinates) -> Array:
        xy = axes(self.points)
        return xy + self.shifts(axes) if axes.spreads else xy


# Functions over the plane -----------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class GridLines(Layer):
    """Fine lines at the ticks of the axes, across the whole plane."""

    unit: float = 1.0  # The number shown on the axes for one unit of the view.

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        view, room, style, to = axes.view, axes.inner, axes.style, axes.transform
        painter.setPen(pen(style.theme.soft_ink, 0.5 * style.strokes, alpha=0.28))
        across, up = Axis(view.left, view.right, unit=self.unit), Axis(view.bottom, view.top, unit=self.unit)
        for value, _ in across.numbered(room.width(), style, side_by_side=True):
            x = to.sx * value + to.tx
            painter.drawLine(QLineF(x, room.top(), x, room.bottom()))
        for value, _ in up.numbered(room.height(), style):
            y = to.sy * value + to.ty
            painter.drawLine(QLineF(room.left(), y, room.right(), y))


@dataclass(frozen=True, eq=False)
class Shades(Layer):
    """A function over the plane as colour.

    `values` is (rows, columns), counted upwards, or (classes, rows, columns) for the votes of several
    classes, which are drawn as regions. The nodes are the centres of the cells that fill `extent`, the part
    of the plane it covers."""

    values: Array
    extent: ViewRange
    unit: float | None = None  # The value that counts as one for the colours; None for a suitable one.
    inks: tuple[str, str] | None = None  # Colours above and below 0, by role; None for those of the classes.
    _images: dict[Theme, QImage] = field(default_factory=dict, compare=False)

    @property
    def colouring(self) -> Shades | None:
        return self

    def in_unit(self, unit: float) -> Layer:
        return replace(self, unit=unit, _images={})

    def image(self, theme: Theme) -> QImage:
        """Return the picture of the values, with a pixel for each, which is made once."""
        shade = 0.45  # How strong the colour of a function is where that is largest.
        if theme not in self._images:
            colours = theme
            if self.inks is not None:
                above, below = (blend(theme.zero, ink(theme, role), shade) for role in self.inks)
                colours = replace(theme, positive_field=above, negative_field=below)
            if self.values.ndim == 3:
                made = region_image(self.values, colours)
            else:
                unit = field_unit(self.values) if self.unit is None else self.unit
                made = field_image(self.values, colours, unit)
            self._images[theme] = made
        return self._images[theme]

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        part = self.extent
        rect = axes.transform.rect(part.left, part.right, part.bottom, part.top)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(rect, self.image(axes.style.theme))


@dataclass(frozen=True, eq=False)
class Polylines(Layer):
    """Polylines in groups, each group with a pen and, if it has one, with a name in the legend of the plane.

    >>> Polylines([(curve, PENS["curve"]), (truth, PENS["truth"])], ["s(x)", "true function"])

    The pens depend on the style, so that lines become thicker where type becomes larger."""

    groups: Sequence[tuple[Sequence[Array], Ink]]
    names: Sequence[str] = ()
    expected: bool = False  # Whether the legend of a run names groups that have no lines yet.
    joined: bool = (
        False  # Whether many lines are drawn as few paths: faster for hairlines, slower for others.
    )

    @property
    def entries(self) -> tuple[Entry, ...]:
        return self._entries(empty=False)

    @property
    def possible(self) -> tuple[Entry, ...]:
        return self._entries(empty=self.expected)

    def _entries(self, empty: bool) -> tuple[Entry, ...]:
        named = zip(self.names, self.groups, strict=False)
        return tuple(Entry(name, stroke(pen)) for name, (lines, pen) in named if name and (lines or empty))

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        many = 30  # Lines that are drawn as one path.
        for lines, own_pen in self.groups:
            painter.setPen(own_pen(axes.style))
            if self.joined and len(lines) > many:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                for path in joined(lines, axes.transform, many):
                    painter.drawPath(path)
            else:
                draw_lines(painter, axes.transform, lines)


def contour_pen(level: float, style: Style) -> QPen:
    """Return the pen of a level line in a small picture: the one at 0 is stronger."""
    if level == 0.0:
        return pen(style.theme.boundary, 0.7 * style.boundary_width)
    return pen(style.theme.level, style.level_width, alpha=0.7)


@dataclass(frozen=True, eq=False)
class Contours(Shades):
    """A function in a small picture: shades of its values, and level lines."""

    lines: ContourLines = ()

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        super().draw(axes, painter, stamps)
        groups = [(lines, partial(contour_pen, level)) for level, lines in self.lines]
        Polylines(groups).draw(axes, painter, stamps)
