"""Layers of plots: curves, marks that stand for training points, bars.

>>> Lines(part="loss", x=steps, y=losses, curve=Curve("loss", "ink", 1.6), number="0.12")
>>> Points(part="points", x=x, y=y, classes=data.codes, label=lambda i: f"point {i + 1}")"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.scene.axes import Curve, ink
from kernelviz.scene.figure.glyphs import Ring, draw_mistakes, draw_rings
from kernelviz.scene.figure.stamps import Stamps, draw_points, encircle, stamp, thinned
from kernelviz.scene.figure.strokes import pen, polygon, tinted
from kernelviz.scene.layers import REACH, Coordinates, Layer, nearest_mark
from kernelviz.scene.nodes import Hit, Marks
from kernelviz.scene.wording import shown

EDGE = 3.0  # Points beyond the edge of a plot where clipped marks are still drawn.


@dataclass(frozen=True, eq=False, kw_only=True)
class Lines(Layer):
    """A curve through places (x, y), clipped to the plot and broken where a value is undefined.

    With a `number` it is named in the legend of its plot: "training error 4 %" has the name of the curve
    and the number "4 %"."""

    x: Array
    y: Array
    curve: Curve  # How it is drawn; its colour is a role.
    # Its number in the legend of the plot; None for a curve that is not in it. The legend is drawn with the
    # data, so another number leaves the ground as it is.
    number: str | None = field(default=None, compare=False)

    @classmethod
    def joined(cls, part: str, lines: Sequence[Array], curve: Curve, number: str | None = None) -> Lines:
        """Return several lines, (m, 2) each, as one curve that is broken between them."""
        gap = np.full((1, 2), np.nan)
        x, y = np.concatenate([gap[:0], *(each for line in lines for each in (line, gap))]).T
        return cls(part=part, x=x, y=y, curve=curve, number=number)

    def corners(self, axes: Coordinates) -> Array:
        """Return the places on the paper, (m, 2), between which straight lines are drawn."""
        return axes.at(self.x, self.y)

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        xy, style, curve = self.corners(axes), axes.style, self.curve
        good = np.all(np.isfinite(xy), axis=1)
        far = 1e4  # Points off the paper beyond which Qt's rasteriser has no use for coordinates.
        np.clip(xy, -far, far, out=xy)
        painter.setClipRect(axes.inner.adjusted(-1, -1, 1, 1))
        colour, width = ink(style.theme, curve.colour), curve.width * style.strokes
        painter.setPen(pen(colour, width, alpha=curve.alpha, dash=curve.dash))
        for run in np.split(np.arange(len(xy)), np.flatnonzero(np.diff(good)) + 1):
            if len(run) > 1 and good[run[0]]:
                painter.drawPolyline(polygon(xy[run]))
            elif len(run) and good[run[0]]:
                painter.drawPoint(QPointF(*xy[run[0]].tolist()))


class StepCurve(Lines):
    """A curve of level pieces, which jumps midway between two of its places: a share of the points that
    changes one point at a time."""

    def corners(self, axes: Coordinates) -> Array:
        x, y = super().corners(axes).T
        return np.column_stack([np.r_[x[0], np.repeat((x[1:] + x[:-1]) / 2, 2), x[-1]], np.repeat(y, 2)])


@dataclass(frozen=True, eq=False, kw_only=True)
class Dots(Lines):
    """A dot at each place, in the colour of the curve; the legend names it as it names a curve."""

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        painter.setPen(pen(ink(axes.style.theme, self.curve.colour), 4.0 * axes.style.strokes))
        painter.drawPoints(polygon(axes.at(self.x, self.y)))


@dataclass(frozen=True, eq=False, kw_only=True)
class Upright(Layer):
    """A line from top to bottom at a place of the horizontal axis, with dots at some heights: where the fit
    stands."""

    x: float
    width: float = 1.0
    dots: tuple[float, ...] = ()

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        style, inner = axes.style, axes.inner
        x = float(axes.at(self.x, 1.0)[0, 0])
        if not inner.left() - 1 <= x <= inner.right() + 1:
            return
        painter.setPen(pen(style.theme.highlight, self.width * style.strokes))
        painter.drawLine(QLineF(x, inner.top(), x, inner.bottom()))
        painter.setBrush(QColor(style.theme.highlight))
        for y in axes.at(self.x, np.array(self.dots))[:, 1].tolist():
            if inner.top() <= y <= inner.bottom():  # false for NaN
                painter.drawEllipse(QPointF(x, y), *[1.6 * style.strokes] * 2)


@dataclass(frozen=True, eq=False, kw_only=True)
class Marked(Layer):
    """Marks at places (x, y), each of which stands for a training point.

    The mouse finds the points, and marked ones get a ring and, under the mouse, a label. A subclass draws
    the marks."""

    x: Array
    y: Array
    label: Callable[[int], str] | None = None  # Returns the label next to the point under the mouse.
    plumb: bool = False  # Whether a dashed line leads from a marked point to the horizontal axis.
    found: bool = True  # Whether the mouse finds the points.
    reach: float = REACH  # How near the mouse has to be, in points.

    def places(self, axes: Coordinates) -> Array:
        return axes.at(self.x, self.y)

    def drawn(self, xy: Array) -> Indices:
        """Return which marks are drawn: one of those that hide each other."""
        return np.arange(len(xy))

    def mark(self, axes: Coordinates, painter: QPainter, marks: Marks) -> None:
        xy, style = self.places(axes), axes.style
        for i in marks.among(len(xy)) if self.found else ():
            at = QPointF(*xy[i].tolist())
            if self.plumb:
                painter.setPen(pen(style.theme.highlight, 0.8 * style.strokes, dash=(2.0, 2.0)))
                painter.drawLine(QLineF(at, QPointF(at.x(), axes.inner.bottom())))
            encircle(painter, style, xy[[i]], i == marks.hovered)
            if i == marks.hovered and self.label is not None:
                axes.draw_label(painter, at, self.label(i))

    def hit(self, axes: Coordinates, at: QPointF) -> Hit | None:
        if not self.found:
            return None
        xy = self.places(axes)
        points = nearest_mark(xy, at, self.drawn(xy), self.reach)
        return Hit(self.part, points) if points else None


@dataclass(frozen=True, eq=False, kw_only=True)
class Points(Marked):
    """Points as the glyphs of their classes, with rings around support vectors and strokes at mistakes.

    Of points that hide each other, because they look alike and lie within two points of each other, one is
    drawn."""

    classes: Indices
    count: int = 2  # Classes that there are.
    rings: Indices | None = None  # 1 + the kind of ring around each point, 0 without one.
    wrong: np.ndarray | None = None  # Which points are misclassified.
    hollow: bool = False  # For points that are not fitted.
    clipped: bool = False
    crowd: int = 0  # Points as many as which make the glyphs smaller.
    ringed: int | None = None  # A point with a strong ring, whatever is marked.

    def drawn(self, xy: Array) -> Indices:
        """Return which points are drawn: one of those that look alike at nearly the same place."""
        if self.rings is None or self.wrong is None:
            looks = np.minimum(self.classes + 1, 15)
        else:
            looks = 4 * self.rings + 2 * self.wrong + (self.classes > 0)
        return thinned(xy, looks)

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        xy, style = self.places(axes), axes.style
        drawn = self.drawn(xy)
        if self.clipped:
            painter.setClipRect(axes.inner.adjusted(-EDGE, -EDGE, EDGE, EDGE))
        rings = np.zeros(len(drawn)) if self.rings is None else self.rings[drawn]
        for kind in Ring:
            draw = partial(draw_rings, kind=kind, strength=0.0)
            stamp(stamps, painter, style, xy[drawn[rings == 1 + kind]], ("ring", kind), draw)
        if self.wrong is not None:
            stamp(stamps, painter, style, xy[drawn[self.wrong[drawn]]], "mistake", draw_mistakes)
        smaller = style.among(self.crowd)
        draw_points(painter, smaller, xy[drawn], self.classes[drawn], self.count, stamps, hollow=self.hollow)
        if self.ringed is not None:
            encircle(painter, style, xy[[self.ringed]], True)


@dataclass(frozen=True, eq=False, kw_only=True)
class Discs(Marked):
    """Points as discs whose area is a weight, in one colour above 0 and in the other below."""

    weights: Array
    largest: float  # Radius of the largest, in units of the type size.

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        xy, style = self.places(axes), axes.style
        share = np.abs(self.weights) / np.abs(self.weights).max()
        # Discs below this share of the largest are dots, of this radius in units of the type size.
        faint, dot = 0.02, 0.12
        radii = style.text * np.where(share > faint, self.largest * np.sqrt(share), dot)
        for at, weight, radius in zip(xy.tolist(), self.weights.tolist(), radii.tolist(), strict=True):
            colour = style.theme.positive if weight > 0 else style.theme.negative
            painter.setPen(pen(colour, style.axis_width))
            painter.setBrush(tinted(colour, 0.6))
            painter.drawEllipse(QPointF(*at), radius, radius)


def _span(axes: Coordinates) -> float:
    """Return the length of the horizontal axis, which is the number of bars in view."""
    return axes.view.right - axes.view.left


@dataclass(frozen=True, eq=False, kw_only=True)
class Bars(Layer):
    """A bar for each value, side by side, the first one from 0 to 1 on the horizontal axis; none for an
    empty colour.

    Where there are more bars than pixels, every so-many-th stands for its neighbours."""

    values: Array
    base: float | None = None  # The value where the bars begin; None for the foot of the plot.
    inks: tuple[str, ...]  # The colour of each bar, by its role.
    points: Indices | None = None  # The training point of each bar, if it has one.
    found: bool = True  # Whether the mouse finds the points.
    label: Callable[[int], str] | None = None  # The label next to the bar of a point; by default its value.

    def _bar(self, axes: Coordinates, k: int, top: float, bars: int = 1) -> QRectF:
        """Return the place of a bar that stands for `bars` values."""
        wide = axes.inner.width() / _span(axes)
        gap = 0.12 * wide if wide > EDGE else 0.0
        left = axes.inner.left() + k * wide
        foot = axes.inner.bottom() if self.base is None else float(axes.at(0.0, self.base)[0, 1])
        return QRectF(left + gap / 2, top, bars * wide - gap, foot - top).normalized()

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        tops = axes.at(0.0, self.values)[:, 1].tolist()
        # More bars than the eye can distinguish: each one drawn stands for its neighbours.
        stride = max(1, int(1.5 * _span(axes) / axes.inner.width()))
        bars: dict[str, list[QRectF]] = {}
        for k in range(0, len(tops), stride):
            if self.inks[k] and tops[k] < axes.inner.bottom():
                bars.setdefault(self.inks[k], []).append(self._bar(axes, k, tops[k], stride))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, stamps is None)  # sharp bars are faster
        for role, rects in bars.items():
            painter.setBrush(QColor(ink(axes.style.theme, role)))
            painter.drawRects(rects)

    def mark(self, axes: Coordinates, painter: QPainter, marks: Marks) -> None:
        points = () if self.points is None else self.points
        for i in marks.among(sys.maxsize):
            for k in np.flatnonzero(points == i).tolist():
                top = float(axes.at(0.0, self.values[k])[0, 1])
                bar = self._bar(axes, k, top)
                painter.fillRect(bar, QColor(axes.style.theme.highlight))
                if i == marks.hovered:
                    value = f"point {i + 1}: {shown(float(self.values[k]), 3)}"
                    axes.draw_label(painter, bar.topLeft(), value if self.label is None else self.label(i))

    def hit(self, axes: Coordinates, at: QPointF) -> Hit | None:
        around = (4.0, 40.0)  # Points above and below bars where the mouse still finds them.
        above, below = around
        if self.points is None or not self.found or not axes.inner.adjusted(0, -above, 0, below).contains(at):
            return None
        k = int((at.x() - axes.inner.left()) / axes.inner.width() * _span(axes))
        return Hit(self.part, (int(self.points[k]),)) if k < len(self.points) else None
