"""The field and the points of the plane, with what belongs to points: rings, fitted values, rugs, the
selection.

Each layer is what one toggle of the workspace shows. They are drawn on the canvas and in figures, and
explain themselves in the legend with the very marks they draw."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.scene.figure.colours import blend
from kernelviz.scene.figure.glyphs import Ring, SupportRings, draw_glyphs, draw_mistakes, draw_rings
from kernelviz.scene.figure.legend import Draw, Entry, fine, swatch
from kernelviz.scene.figure.stamps import Stamps, draw_points, encircle, stamp, thinned
from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import draw_text, text_width
from kernelviz.scene.figure.texture import draw_texture
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL, image_of
from kernelviz.scene.layers import Coordinates, Layer, OfPoints, Shades, nearest_mark
from kernelviz.scene.nodes import Hit
from kernelviz.scene.wording import class_labels, shortened
from kernelviz.session.panels import GAP, Panels
from kernelviz.session.themes import Theme
from kernelviz.session.view import ViewRange

Mask = NDArray[np.bool_]
GRASP = 6.0  # Points around a glyph within which the mouse can grab it.
CROWD = 4000  # Points from which glyphs on top of each other are left out, on screen.
CROWD_APART = (
    4.5  # Points between two glyphs of a crowd: closer than this, those of one class cover each other.
)
RING_NAMES = {Ring.FREE: "support vector", Ring.BOUNDED: "at the bound"}
# Of the name of a panel, in units of its type: the room it needs in the gap, and that below its letters.
NAME_ROOM, NAME_FOOT = 1.45, 0.33


def cells(x1: Array, x2: Array) -> ViewRange:
    """Return the part of the plane covered by the cells around nodes, which reach half a cell beyond them."""
    h1 = (x1[-1] - x1[0]) / (2 * (len(x1) - 1))
    h2 = (x2[-1] - x2[0]) / (2 * (len(x2) - 1))
    return ViewRange(x1[0] - h1, x1[-1] + h1, x2[0] - h2, x2[-1] + h2)


@dataclass(frozen=True, eq=False)
class FieldLayer(Shades):
    """The score as colour, or the regions of several classes."""

    votes: bool = False  # Whether pairs of classes vote: the values are then the votes plus less than 1/3.

    @cached_property
    def has_ties(self) -> bool:
        """True if somewhere two classes share the most votes, so that only scores decide."""
        if not self.votes:
            return False
        ties = 2  # Every so-many-th node is looked at for tied votes.
        first, second = np.partition(np.rint(self.values[:, ::ties, ::ties]), -2, axis=0)[-2:]
        return bool((first == second).any())

    @property
    def entries(self) -> tuple[Entry, ...]:
        return (Entry("tied votes", swatch(_pale(0), _pale(1))),) if self.has_ties else ()

    def image(self, theme: Theme) -> QImage:
        _ = self.has_ties  # computed here, so that the window need not
        return super().image(theme)

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        super().draw(axes, painter, stamps)
        if axes.style.texture:
            regions = self.values.argmax(axis=0) if self.values.ndim == 3 else (self.values > 0).astype(int)
            part = self.extent
            rect = axes.transform.rect(part.left, part.right, part.bottom, part.top)
            draw_texture(painter, axes.style, regions, rect)


def _pale(k: int) -> Callable[[Style], str]:
    """Return the tint of a class where it barely wins."""
    return lambda style: blend(style.theme.zero, style.theme.of_class(k, 3), 0.3 * style.theme.tint)


def _of_a_size(style: Style, sizes: Array | None, seen: Mask) -> Iterator[tuple[Style, Mask]]:
    """Yield the style of marks of one size and which of the seen points have it, the largest first: they must
    not hide smaller ones."""
    if sizes is None:
        yield style, seen
        return
    for size in np.unique(sizes)[::-1].tolist():
        yield replace(style, glyphs=style.glyphs * size), seen & (sizes == size)


@dataclass(frozen=True, eq=False)
class RingLayer(OfPoints):
    """Support vectors: a ring when free, a dashed one at the bound. Misclassified points, support vectors or
    not: four strokes around them. Those around a larger point are larger too."""

    rings: SupportRings
    sizes: Array | None = None  # Of the points, times the usual size.

    @property
    def entries(self) -> tuple[Entry, ...]:
        return self._entries(set(self.rings.kinds.tolist()), len(self.rings.mistakes) > 0)

    @property
    def possible(self) -> tuple[Entry, ...]:
        return self._entries(self.rings.possible, self.rings.judged)

    def _entries(self, kinds: Set[int], mistakes: bool) -> tuple[Entry, ...]:
        found = [
            Entry(RING_NAMES[kind], _sample(partial(draw_rings, kind=kind, strength=0.0)))
            for kind in Ring
            if kind in kinds
        ]
        if mistakes:
            found.append(Entry("misclassified", _sample(draw_mistakes)))
        return tuple(found)

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        places, rings = self.places(axes), self.rings
        seen, xy = axes.seen(places, stamps), places[rings.points]
        sizes = None if self.sizes is None else np.maximum(self.sizes, 1.0)
        for style, rows in _of_a_size(axes.style.among(len(places)), sizes, seen):
            visible = rows[rings.points]
            for kind, strength, which in rings.groups:
                draw = partial(draw_rings, kind=kind, strength=strength)
                stamp(stamps, painter, style, xy[which[visible[which]]], ("ring", kind, strength), draw)
            wrong = rings.mistakes[rows[rings.mistakes]]
            stamp(stamps, painter, style, places[wrong], "mistake", draw_mistakes)


@dataclass(frozen=True, eq=False)
class GlyphLayer(OfPoints):
    """The points themselves, hollow if they are held out, and larger or smaller if they have sizes.

    On screen thousands of points are drawn once and kept as an image until the view changes."""

    classes: np.ndarray
    class_names: tuple[str, ...]
    hollow: bool = False
    sizes: Array | None = None  # Times the usual size, for each point.
    _kept: dict[object, QImage] = field(default_factory=dict, compare=False)  # The last picture of a crowd.

    def hit(self, axes: Coordinates, at: QPointF) -> Hit | None:
        found = nearest_mark(self.places(axes), at, reach=GRASP)
        return Hit(self.part, found) if found else None

    @property
    def entries(self) -> tuple[Entry, ...]:
        count = len(self.class_names)

        def sample(k: int) -> Draw:
            return _sample(partial(draw_glyphs, k=k, count=count, hollow=self.hollow))

        if self.hollow:
            return tuple(Entry("held out", sample(k)) for k in self.classes[:1].tolist())
        order = [k for k in ((1, 0) if count == 2 else range(count)) if (self.classes == k).any()]
        names = class_labels(self.class_names)
        return tuple(Entry(names[k], sample(k)) for k in order)

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        if stamps is None or len(self.points) <= CROWD:
            self._draw_glyphs(axes, painter, stamps)
            return
        ratio = painter.device().devicePixelRatioF()
        key = (axes.view, axes.inner.size().toTuple(), axes.style, axes.spreads, ratio)
        if key not in self._kept:
            self._kept.clear()
            # Of a crowd only as many are drawn as the eye can distinguish.
            draw = partial(self._draw_glyphs, axes, stamps=stamps, thin=True)
            self._kept[key] = image_of(draw, axes.inner.size(), ratio)
        painter.scale(POINTS_PER_PIXEL, POINTS_PER_PIXEL)
        painter.drawImage(0, 0, self._kept[key])

    def _draw_glyphs(
        self, axes: Coordinates, painter: QPainter, stamps: Stamps | None, thin: bool = False
    ) -> None:
        every, count = self.places(axes), len(self.class_names)
        for style, rows in self.of_a_size(axes, axes.seen(every, stamps)):
            xy, classes = every[rows], self.classes[rows]
            if thin:
                kept = thinned(xy, classes, CROWD_APART)
                xy, classes = xy[kept], classes[kept]
            draw_points(painter, style, xy, classes, count, stamps, hollow=self.hollow)

    def of_a_size(self, axes: Coordinates, seen: Mask) -> Iterator[tuple[Style, Mask]]:
        """Yield the style of glyphs of one size and which of the seen points have it, the largest first."""
        return _of_a_size(axes.style.among(len(self.points)), self.sizes, seen)


@dataclass(frozen=True, eq=False)
class SelectionLayer(Layer):
    """Tinted discs below selected points, or strong rings around those under the mouse."""

    points: OfPoints  # All points.
    rows: list[int]
    hovered: bool = False

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        places = self.points.places(axes)
        xy, style = places[self.rows], axes.style.among(len(places))
        strength, tint = (1.6, 0.0) if self.hovered else (1.0, 0.22)
        draw = partial(encircle, strong=self.hovered, strength=strength, tint=tint)
        stamp(stamps, painter, style, xy[axes.seen(xy, stamps)], ("selection", self.hovered), draw)


def _sample(draw: Callable[[QPainter, Style, Array], None]) -> Draw:
    """Return the sample of a mark in the legend."""
    return lambda painter, at, style: draw(painter, style, np.array([[at.x(), at.y()]]))


@dataclass(frozen=True, eq=False)
class ValueLayer(OfPoints):
    """A disc below each point in the colour of its fitted value, from 0 (class −) to 1 (class +)."""

    values: Array

    @property
    def entries(self) -> tuple[Entry, ...]:
        return (Entry("fitted value 0 to 1", swatch(partial(value_colour, 0.0), partial(value_colour, 1.0))),)

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        style = axes.style.among(len(self.points))
        xy, radius = self.places(axes), style.ring_radius(0.0)
        steps = 20  # Colours between a fitted value of 0 and one of 1.
        shades = np.rint(steps * np.clip(self.values, 0.0, 1.0)).astype(int)
        painter.setPen(fine(style))
        for k in np.unique(shades).tolist():
            painter.setBrush(QColor(value_colour(k / steps, style)))
            for x, y in xy[(shades == k) & axes.seen(xy, stamps)].tolist():
                painter.drawEllipse(QPointF(x, y), radius, radius)


def value_colour(value: float, style: Style) -> str:
    """Return the colour of a value from 0 to 1; ½ is as pale as the boundary."""
    end = style.theme.positive if value > 0.5 else style.theme.negative
    return blend(style.theme.zero, end, abs(2.0 * value - 1.0))


@dataclass(frozen=True, eq=False)
class RugLayer(Layer):
    """A tick at each point's coordinates along the axes; of two classes, + at the top and on the right."""

    points: Array
    classes: Indices
    count: int

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        style, inner, xy = axes.style, axes.inner, axes(self.points)
        xy, classes = xy[axes.seen(xy)], self.classes[axes.seen(xy)]
        rug = 5.0  # Length of a tick of a rug, in points.
        length = rug * style.strokes
        for k in np.unique(classes).tolist():
            colour = style.theme.of_class(k, self.count) if k >= 0 else style.theme.soft_ink
            painter.setPen(pen(colour, 0.8 * style.strokes, alpha=0.6, round_ends=False))
            corner, inward = (inner.topRight(), -length) if k == 1 else (inner.bottomLeft(), length)
            across, up = (np.unique(xy[classes == k, axis]).tolist() for axis in (0, 1))
            painter.drawLines([QLineF(x, corner.y(), x, corner.y() - inward) for x in across])
            painter.drawLines([QLineF(corner.x(), y, corner.x() + inward, y) for y in up])


@dataclass(frozen=True, eq=False)
class PanelLayer(Layer):
    """Paper around the panels, a frame around each, and its name in the gap above it, in type that fits
    there."""

    panels: Panels

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        style, outside = axes.style, QPainterPath()
        edge = style.boundary_width  # half of a line along the edge is outside of the frame around everything
        outside.addRect(axes.inner.adjusted(-edge, -edge, edge, edge))
        frames = []
        for code in range(len(self.panels.names)):
            part = self.panels.of_category(code)
            corners = axes(np.array([[part.left, part.top], [part.right, part.bottom]])).tolist()
            frames.append(QRectF(*(QPointF(*corner) for corner in corners)))
            outside.addRect(frames[-1])
        painter.fillPath(outside, QColor(style.theme.paper))  # by the odd-even rule the panels stay open
        for frame, name in zip(frames, self.panels.names, strict=True):
            painter.setPen(pen(style.theme.soft_ink, style.axis_width))
            painter.drawRect(frame)
            text, size = shortened(name), min(style.text, GAP * frame.height() / NAME_ROOM)
            size *= min(1.0, frame.width() / max(text_width(text, size, bold=True), 1e-9))
            foot = QPointF(frame.center().x(), frame.top() - NAME_FOOT * size)
            draw_text(painter, style, foot, text, points=size, anchor="centre", bold=True)
