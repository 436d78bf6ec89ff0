"""What an algorithm wants drawn besides points and field: means, last mistakes, random bases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.models.base import Mark
from kernelviz.scene.figure.legend import Entry, stroke
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.strokes import clipped_segment, pen, polygon
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import draw_text, line_height, place_labels, text_width
from kernelviz.scene.layers import Coordinates, OfPoints
from kernelviz.session.view import ViewRange

HANDLE = 6.0  # Radius of a handle, in points.
MOST_WAVES = 60  # More random bases than this would only grey the picture.


@dataclass(frozen=True, eq=False)
class MarkLayer(OfPoints):
    """All marks of a model."""

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
    theme = style.theme
    if mark.of_class is not None:
        return theme.of_class(mark.of_class, len(theme.classes))
    return {-1: theme.negative, 1: theme.positive}.get(mark.side, theme.highlight)


def _segments(mark: Mark, view: ViewRange) -> Iterator[tuple[Array, Array]]:
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
    for w, phase in zip(mark.xy[:MOST_WAVES], phases[:MOST_WAVES], strict=True):
        norm2 = float(w @ w)
        if norm2 == 0:
            continue
        turns = np.rint((w @ centre + phase) / (2 * np.pi))
        foot = centre + (2 * np.pi * turns - phase - w @ centre) * w / norm2
        along = np.array([-w[1], w[0]]) / np.sqrt(norm2)
        yield foot - reach * along, foot + reach * along


def _diamond(radius: float) -> Array:
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
    for x, y in xy.tolist():
        painter.drawEllipse(QPointF(x, y), HANDLE * style.glyphs, HANDLE * style.glyphs)
    painter.setBrush(Qt.BrushStyle.NoBrush)


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
    painter.setBrush(Qt.BrushStyle.NoBrush)
    labelled = [(mark, xy[0]) for mark, xy in zip(marks, found, strict=True) if mark.label and len(xy)]
    if not labelled:
        return
    wide = [text_width(mark.label, style.text, bold=True) for mark, _ in labelled]
    sizes = np.column_stack([wide, np.full(len(wide), line_height(style.text))])
    centres, gaps = np.array([at for _, at in labelled]), np.full(len(wide), 1.5 * r)
    for k, left, top in place_labels(centres, sizes, gaps, np.concatenate(found), r, axes.inner):
        mark, at = labelled[k][0], QPointF(left, top + 0.86 * style.text)
        draw_text(painter, style, at, mark.label, colour=_colour(mark, style), bold=True, halo=True)
