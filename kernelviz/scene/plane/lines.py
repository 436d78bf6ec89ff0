"""The lines of the plane: level lines, slack, the Bayes boundary, and distances to a straight boundary."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QLineF, QPointF
from PySide6.QtGui import QPainter, QPen

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.datasets.base import DataSet
from kernelviz.engine.fields.contours import ContourLines, quick_contours
from kernelviz.scene.figure.legend import Entry, Ink, stroke
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.strokes import clipped_segment, draw_lines, pen, polygon
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import draw_text, text_width
from kernelviz.scene.layers import Coordinates, Layer, LevelLines
from kernelviz.session.view import ViewRange

NODES = 161  # Of the Bayes boundary, along each axis of the view.
HEAD = 7.0  # Length of an arrow's head, in points.

PENS: dict[str, Ink] = {
    "boundary": lambda style: pen(style.theme.boundary, style.boundary_width, round_ends=False),
    "margins": lambda style: pen(style.theme.margin, style.margin_width, dash=style.dash(5.0, 3.2)),
    "levels": lambda style: pen(style.theme.level, style.level_width, alpha=0.55),
    "slack": lambda style: pen(style.theme.misclassified, 0.8 * style.strokes, alpha=0.9),
    "bayes": lambda style: pen(style.theme.ink, 1.4 * style.strokes, dash=style.dash(6.0, 3.0)),
    "distances": lambda style: pen(style.theme.soft_ink, 0.7 * style.strokes),
}


@dataclass(frozen=True, eq=False)
class ContourLayer(Layer):
    """The level lines, the margins s = ±1, or the boundary s = 0."""

    lines: ContourLines
    which: str  # A key of PENS, or "above" for a boundary with a halo.
    several: bool = False  # Whether the boundary separates several classes.
    margins: bool = True  # Whether the model may have margins.

    @property
    def _own(self) -> list[tuple[float, list[Array]]]:
        wanted = "boundary" if self.which == "above" else self.which
        kinds = {0.0: "boundary", 1.0: "margins", -1.0: "margins"}
        return [(level, lines) for level, lines in self.lines if kinds.get(level, "levels") == wanted]

    @property
    def entries(self) -> tuple[Entry, ...]:
        return self.possible if any(lines for _, lines in self._own) else ()

    @property
    def possible(self) -> tuple[Entry, ...]:
        if self.which == "levels":
            return ()
        if self.which == "margins":
            return (Entry("s = ±1", stroke(PENS["margins"])),) if self.margins and not self.several else ()
        return (Entry("boundary" if self.several else "s = 0", stroke(PENS["boundary"])),)

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        LevelLines(tuple(self._own), self._pens).draw(axes, painter, stamps)

    def _pens(self, level: float, style: Style) -> tuple[QPen, ...]:
        if self.which != "above":
            return (PENS[self.which](style),)
        halo = pen(style.theme.halo, style.boundary_width + 2 * style.halo_width, round_ends=False)
        return halo, PENS["boundary"](style)


@dataclass(frozen=True, eq=False)
class SlackLayer(Layer):
    """Thin lines from the points that violate their margin to it."""

    segments: Array

    @property
    def entries(self) -> tuple[Entry, ...]:
        return (Entry("slack", stroke(PENS["slack"])),) if len(self.segments) else ()

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        if len(self.segments):
            painter.setPen(PENS["slack"](axes.style))
            ends = axes(self.segments.reshape(-1, 2)).reshape(-1, 4)
            painter.drawLines([QLineF(*each) for each in ends[axes.seen(ends[:, :2])].tolist()])


def row_pens(highest: float) -> Callable[[float, Style], tuple[QPen, ...]]:
    """Return the pens of the level lines of K(x_i, ·): the stronger the higher; dashed where it is
    negative."""

    def pens(level: float, style: Style) -> tuple[QPen, ...]:
        dash = style.dash(4.0, 2.0) if level < 0.0 else ()
        strength = 0.35 + 0.65 * abs(level) / highest if highest else 1.0
        return (pen(style.theme.highlight, 1.2 * style.strokes, dash=dash, alpha=strength),)

    return pens


# The Bayes boundary -----------------------------------------------------------------------------------------
@lru_cache(maxsize=8)  # asked for with every frame, and the same while the view stays
def bayes_boundary(origin: DataSet, view: ViewRange) -> tuple[Array, ...]:
    """Return the lines on which both classes are equally likely; none where that is not known."""
    x1, x2 = np.linspace(view.left, view.right, NODES), np.linspace(view.bottom, view.top, NODES)
    places = np.stack(np.meshgrid(x1, x2), axis=-1).reshape(-1, 2)
    found = origin.class_densities(places)
    if found is None:
        return ()
    minus, plus = found
    with np.errstate(invalid="ignore"):
        share = (plus - minus) / (plus + minus)
    ((_, lines),) = quick_contours(x1, x2, share.reshape(NODES, NODES), (0.0,))
    return tuple(lines)


@dataclass(frozen=True, eq=False)
class BayesLayer(Layer):
    """The boundary that no classifier can improve on. It is computed when it is drawn."""

    lines: Callable[[], tuple[Array, ...]]

    @property
    def entries(self) -> tuple[Entry, ...]:
        return (Entry("Bayes boundary", stroke(PENS["bayes"])),) if self.lines() else ()

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        painter.setPen(PENS["bayes"](axes.style))
        draw_lines(painter, axes.transform, self.lines())


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
            _label(painter, axes, middle[0], text)
        centre = np.array([[0.5 * (view.left + view.right), 0.5 * (view.bottom + view.top)]])
        foot = self._feet(centre)[0]
        _arrow(painter, axes, axes(np.array([foot, foot + self.w])))

    def _feet(self, xy: Array) -> Array:
        """Return the nearest places of the line."""
        return np.asarray(xy - ((xy @ self.w + self.b) / (self.w @ self.w))[:, None] * self.w)

    def _segments(self, axes: Coordinates, painter: QPainter, xy: Array) -> None:
        ends = np.hstack([axes(xy), axes(self._feet(xy))])
        painter.drawLines([QLineF(*each) for each in ends[axes.seen(ends[:, :2])].tolist()])


def _arrow(painter: QPainter, axes: Coordinates, ends: Array) -> None:
    """Draw w with a head, where it ends or at the edge of the plot."""
    style, inner = axes.style, axes.inner
    part = clipped_segment(ends[0], ends[1], inner)
    if part is None:
        return
    (xa, ya), (xb, yb) = part.tolist()
    way = part[1] - part[0]
    length = float(np.hypot(*way))
    if length < 1.0:
        return
    ahead = way / length * HEAD * style.strokes
    aside = 0.45 * np.array([-ahead[1], ahead[0]])
    painter.setPen(pen(style.theme.ink, 1.8 * style.strokes))
    painter.drawLine(QLineF(xa, ya, xb, yb))
    painter.drawPolyline(polygon(part[1] + np.array([aside - ahead, [0.0, 0.0], -aside - ahead])))
    _label(painter, axes, part[1] + 0.8 * ahead, "w")


def _label(painter: QPainter, axes: Coordinates, at: Array, text: str) -> None:
    """Write a text at a place, inside the plot."""
    style, inner = axes.style, axes.inner
    wide = text_width(text, style.text, bold=True)
    left = min(max(float(at[0]) + 0.4 * style.text, inner.left()), inner.right() - wide)
    top = min(max(float(at[1]), inner.top() + style.text), inner.bottom() - 0.3 * style.text)
    draw_text(painter, style, QPointF(left, top), text, colour=style.theme.ink, bold=True, halo=True)
