"""The lines and marks of the plane: level lines, slack, the Bayes boundary, distances to a straight
boundary, and what an algorithm wants drawn besides points and field, such as means, its last mistake or
random bases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.datasets.base import DataSet
from kernelviz.engine.fields.contours import ContourLines, quick_contours
from kernelviz.engine.models.base import Mark
from kernelviz.scene.figure.legend import Entry, Ink, stroke
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.strokes import clipped_segment, draw_arrow, line_pen, pen, polygon
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import draw_text, line_height, place_labels, text_width
from kernelviz.scene.layers import Coordinates, Layer, OfPoints, Polylines
from kernelviz.session.view import ViewRange

PENS: dict[str, Ink] = {
    "halo": lambda style: pen(
        style.theme.halo,
        style.line("boundary", style.boundary_width)[0] + 2 * style.halo_width,
        round_ends=False,
    ),
    "boundary": lambda style: line_pen(
        style, "boundary", style.theme.boundary, style.boundary_width, round_ends=False
    ),
    "margins": lambda style: line_pen(
        style, "margins", style.theme.margin, style.margin_width, style.dash(5.0, 3.2)
    ),
    "levels": lambda style: line_pen(style, "levels", style.theme.level, style.level_width, alpha=0.55),
    "slack": lambda style: line_pen(
        style, "slack", style.theme.misclassified, 0.8 * style.strokes, alpha=0.9
    ),
    "bayes": lambda style: line_pen(
        style, "bayes", style.theme.ink, 1.4 * style.strokes, style.dash(8.0, 2.6, 1.2, 2.6)
    ),
    "distances": lambda style: line_pen(style, "distances", style.theme.soft_ink, 0.7 * style.strokes),
}


def contour_layer(lines: ContourLines, which: str, several: bool, margins: bool) -> Polylines:
    """Return the level lines, the margins s = ±1, or the boundary s = 0, which has a halo "above" the points.

    several: whether the boundary separates several classes; margins: whether the model may have any."""
    wanted = "boundary" if which == "above" else which
    kinds = {0.0: "boundary", 1.0: "margins", -1.0: "margins"}
    own = [line for level, found in lines if kinds.get(level, "levels") == wanted for line in found]
    names = {"boundary": "boundary" if several else "s = 0"}
    if margins and not several:
        names["margins"] = "s = ±1"
    groups, explained = [(own, PENS[wanted])], [names.get(wanted, "")]
    if which == "above":
        groups, explained = [(own, PENS["halo"]), *groups], ["", *explained]
    return Polylines(groups, explained, expected=True)


@dataclass(frozen=True, eq=False)
class SlackLayer(Layer):
    """Thin lines from the points that violate their margin to it."""

    segments: Array

    @property
    def entries(self) -> tuple[Entry, ...]:
        return (Entry("slack", stroke(PENS["slack"])),) if len(self.segments) else ()

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        painter.setPen(PENS["slack"](axes.style))
        begins, ends = self.segments[:, 0], self.segments[:, 1]
        seen = axes.seen(axes(begins))
        painter.drawLines(axes.segments(begins[seen], ends[seen]))


def row_pen(level: float, highest: float, style: Style) -> QPen:
    """Return the pen of a level line of K(x_i, ·): the stronger the higher; dashed where it is negative."""
    dash = style.dash(4.0, 2.0) if level < 0.0 else ()
    strength = 0.35 + 0.65 * abs(level) / highest if highest else 1.0
    return pen(style.theme.highlight, 1.2 * style.strokes, dash=dash, alpha=strength)


# The Bayes boundary -----------------------------------------------------------------------------------------
@lru_cache(maxsize=8)  # asked for with every frame, and the same while the view stays
def bayes_boundary(origin: DataSet, view: ViewRange) -> tuple[Array, ...]:
    """Return the lines on which both classes are equally likely; none where that is not known."""
    nodes = 161  # Of the Bayes boundary, along each axis of the view.
    x1, x2 = np.linspace(view.left, view.right, nodes), np.linspace(view.bottom, view.top, nodes)
    places = np.stack(np.meshgrid(x1, x2), axis=-1).reshape(-1, 2)
    found = origin.class_densities(places)
    if found is None:
        return ()
    minus, plus = found
    with np.errstate(invalid="ignore"):
        share = (plus - minus) / (plus + minus)
    ((_, lines),) = quick_contours(x1, x2, share.reshape(nodes, nodes), (0.0,))
    return tuple(lines)


# The geometry of a straight boundary ------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class DistanceLayer(Layer):
    """w from the line, as long as it is in units of the plane; |b|/‖w‖ from the origin to the line; and a
    segment from every point to the line, as long as its margin."""

    points: Array
    w: Array
    b: float

    @property
    def entries(self) -> tuple[Entry, ...]:
        return (Entry("distance to s = 0", stroke(PENS["distances"])),)

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        view, style = axes.view, axes.style
        painter.setPen(PENS["distances"](style))
        self._segments(axes, painter, self.points)
        painter.setPen(pen(style.theme.ink, 1.2 * style.strokes, dash=(3.0, 2.0)))
        origin = np.zeros((1, 2))
        self._segments(axes, painter, origin)
        middle = axes(0.5 * (origin + self._feet(origin)))
        if axes.seen(middle).all() and np.hypot(*(axes(origin) - middle)[0]) > style.text:
            text = f"|b|/‖w‖ = {abs(self.b) / np.linalg.norm(self.w):.3g}"
            ends = axes(np.concatenate([origin, self._feet(origin)]))
            _label(painter, axes, self._free_place(axes, ends, text), text)
        centre = np.array([[0.5 * (view.left + view.right), 0.5 * (view.bottom + view.top)]])
        foot = self._feet(centre)[0]
        _arrow(painter, axes, axes(np.array([foot, foot + self.w])))

    def _free_place(self, axes: Coordinates, ends: Array, text: str) -> Array:
        """Return the place of a text next to a segment where it covers the fewest points, its middle if that
        is as good as any."""
        marks, reach = axes(self.points), axes.style.ring_radius(0.0)
        back = np.array([text_width(text, axes.style.text, bold=True) + 0.8 * axes.style.text, 0.0])
        # Where along a segment its label may stand, and how many lines lower, the best first.
        shares, lines_off = (0.5, 0.3, 0.7, 0.1, 0.9), (0.0, 1.5, -1.5, 3.0, -3.0)
        along = [ends[0] + share * (ends[1] - ends[0]) for share in shares]
        beside = [*along, *(place - back for place in along)]  # to the right of the segment, or to its left
        shifts = [np.array([0.0, lines * axes.style.text]) for lines in lines_off]
        places = [place + shift for shift in shifts for place in beside]

        def covered(place: Array) -> int:
            box = _label_box(axes, place, text).adjusted(-reach, -reach, reach, reach)
            low, high = (box.left(), box.top()), (box.right(), box.bottom())
            return int(((marks >= low) & (marks <= high)).all(axis=1).sum())

        return min(places, key=covered)

    def _feet(self, xy: Array) -> Array:
        """Return the nearest places of the line."""
        return np.asarray(xy - ((xy @ self.w + self.b) / (self.w @ self.w))[:, None] * self.w)

    def _segments(self, axes: Coordinates, painter: QPainter, xy: Array) -> None:
        seen = xy[axes.seen(axes(xy))]
        painter.drawLines(axes.segments(seen, self._feet(seen)))


def _arrow(painter: QPainter, axes: Coordinates, ends: Array) -> None:
    """Draw w with a head, where it ends or at the edge of the plot."""
    style, inner = axes.style, axes.inner
    part = clipped_segment(ends[0], ends[1], inner)
    if part is None:
        return
    head_length = 7.0  # Length of an arrow's head, in points.
    length, head = float(np.hypot(*(part[1] - part[0]))), head_length * style.strokes
    if length < 1.0:
        return
    painter.setPen(pen(style.theme.ink, 1.8 * style.strokes))
    start, end = (QPointF(*place) for place in part.tolist())
    draw_arrow(painter, start, end, head, 0.45)
    _label(painter, axes, part[1] + 0.8 * head / length * (part[1] - part[0]), "w")


def _label_box(axes: Coordinates, at: Array, text: str) -> QRectF:
    """Return where a text at a place lies, inside the plot; its baseline is a little above the bottom."""
    style, inner = axes.style, axes.inner
    wide, below = text_width(text, style.text, bold=True), 0.3 * style.text
    left = min(max(float(at[0]) + 0.4 * style.text, inner.left()), inner.right() - wide)
    foot = min(max(float(at[1]), inner.top() + style.text), inner.bottom() - below)
    return QRectF(left, foot - style.text, wide, style.text + below)


def _label(painter: QPainter, axes: Coordinates, at: Array, text: str) -> None:
    """Write a text at a place, inside the plot."""
    style, box = axes.style, _label_box(axes, at, text)
    foot = QPointF(box.left(), box.top() + style.text)
    draw_text(painter, style, foot, text, colour=style.theme.ink, bold=True, halo=True)


@dataclass(frozen=True, eq=False)
class MarkLayer(OfPoints):
    """All marks of a model: lines and waves clipped to the plot, frames around points, diamonds with
    labels, and above all of them the handles that can be dragged."""

    marks: tuple[Mark, ...]

    @property
    def entries(self) -> tuple[Entry, ...]:
        return self._entries({mark.kind for mark in self.marks})

    @property
    def possible(self) -> tuple[Entry, ...]:
        return self._entries({"around", *(mark.kind for mark in self.marks)})

    def _entries(self, kinds: Set[str]) -> tuple[Entry, ...]:
        wave = stroke(lambda style: pen(style.theme.highlight, 0.8 * style.strokes))
        known = (("around", "this step", _frame), ("wave", "random waves", wave))
        return tuple(Entry(text, draw) for kind, text, draw in known if kind in kinds)

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        style = axes.style
        for mark in self.marks:
            if mark.kind in ("point", "handle"):
                continue  # above all others
            if mark.kind == "around" and mark.values is not None:
                xy = self.places(axes)[mark.values]
                draw_frames(painter, style, xy[axes.seen(xy)], 1.5 * style.ring_radius(1.0))
            else:
                faint = mark.kind == "wave"
                width, alpha = (0.6, 0.45) if faint else (1.4, 1.0)
                painter.setPen(pen(_colour(mark, style), width * style.strokes, alpha=alpha))
                for ends in _segments(mark, axes.view):
                    begin, end = axes(np.array(ends))
                    part = clipped_segment(begin, end, axes.inner)
                    if part is not None:
                        painter.drawLine(QLineF(*part.ravel().tolist()))
        if spots := [mark for mark in self.marks if mark.kind == "point"]:
            _draw_spots(painter, style, axes, spots)
        for mark in self.marks:
            if mark.kind == "handle":
                xy = axes(mark.xy)
                draw_handles(painter, style, xy[axes.seen(xy, stamps)])


def _frame(painter: QPainter, at: QPointF, style: Style) -> None:
    """Draw the sample of a framed point."""
    draw_frames(painter, style, [np.array([at.x(), at.y()])], 1.3 * style.ring_radius(0.0))


def _colour(mark: Mark, style: Style) -> str:
    """Return the colour of a mark: the one of its class or side, else the highlight."""
    theme = style.theme
    if mark.of_class is not None:
        return theme.of_class(mark.of_class, len(theme.classes))
    return {-1: theme.negative, 1: theme.positive}.get(mark.side, theme.highlight)


def _segments(mark: Mark, view: ViewRange) -> Iterator[tuple[Array, Array]]:
    """Yield the two ends of each line of a mark, in units of the plane."""
    if mark.kind == "line":
        yield from zip(mark.xy[:-1], mark.xy[1:], strict=True)
    elif mark.kind == "segments":
        yield from zip(mark.xy[0::2], mark.xy[1::2], strict=False)
    else:
        yield from _crests(mark, view)


def _crests(mark: Mark, view: ViewRange) -> Iterator[tuple[Array, Array]]:
    """Yield for each basis cos(w·x + phase) the crest w·x + phase = 2πk nearest to the middle of the view."""
    centre = np.array([view.left + view.right, view.bottom + view.top]) / 2
    reach = np.hypot(view.right - view.left, view.top - view.bottom)
    phases = mark.values if mark.values is not None else np.zeros(len(mark.xy))
    most_waves = 60  # More random bases than this would only grey the picture.
    for w, phase in zip(mark.xy[:most_waves], phases[:most_waves], strict=True):
        norm2 = float(w @ w)
        if norm2 == 0:
            continue
        turns = np.rint((w @ centre + phase) / (2 * np.pi))
        foot = centre + (2 * np.pi * turns - phase - w @ centre) * w / norm2
        along = np.array([-w[1], w[0]]) / np.sqrt(norm2)
        yield foot - reach * along, foot + reach * along


def _diamond(radius: float) -> Array:
    """Return the corners of a diamond around the origin, (4, 2)."""
    return radius * np.array([[0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])


def draw_frames(painter: QPainter, style: Style, xy: Iterable[Array], radius: float) -> None:
    """Draw hollow diamonds, which leave glyph and ring visible."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    outline = _diamond(radius)
    for at in xy:
        for colour, width in ((style.theme.halo, 3.4), (style.theme.highlight, 1.8)):
            painter.setPen(pen(colour, width * style.glyphs))
            painter.drawPolygon(polygon(outline + at))


def draw_handles(painter: QPainter, style: Style, xy: Array) -> None:
    """Draw discs that can be dragged, larger than any glyph."""
    painter.setBrush(QColor(style.theme.highlight))
    painter.setPen(pen(style.theme.halo, 2.0 * style.strokes))
    handle = 6.0  # Radius of a handle, in points.
    for x, y in xy.tolist():
        painter.drawEllipse(QPointF(x, y), handle * style.glyphs, handle * style.glyphs)


def _draw_spots(painter: QPainter, style: Style, axes: Coordinates, marks: Sequence[Mark]) -> None:
    """Draw diamonds larger than any glyph; the first of each mark has its label, where there is room."""
    r = 6.0 * style.glyphs
    diamond, found = _diamond(r), []
    for mark in marks:
        xy = axes(mark.xy)
        found.append(xy[axes.seen(xy)])
        painter.setPen(pen(style.theme.halo, 1.3 * style.glyphs))
        painter.setBrush(QColor(_colour(mark, style)))
        for at in found[-1]:
            painter.drawPolygon(polygon(diamond + at))
    labelled = [(mark, xy[0]) for mark, xy in zip(marks, found, strict=True) if mark.label and len(xy)]
    if not labelled:
        return
    wide = [text_width(mark.label, style.text, bold=True) for mark, _ in labelled]
    sizes = np.column_stack([wide, np.full(len(wide), line_height(style.text))])
    centres, gaps = np.array([at for _, at in labelled]), np.full(len(wide), 1.5 * r)
    for k, left, top in place_labels(centres, sizes, gaps, np.concatenate(found), r, axes.inner):
        mark, at = labelled[k][0], QPointF(left, top + 0.86 * style.text)
        draw_text(painter, style, at, mark.label, colour=_colour(mark, style), bold=True, halo=True)
