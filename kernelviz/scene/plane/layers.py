"""The layers of the plane. Each draws itself in points, on screen and on paper alike."""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from kernelviz.engine.analysis.straight_lines import linear_form
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.fields.contours import ContourLines
from kernelviz.scene.figure.colours import blend
from kernelviz.scene.figure.glyphs import Ring, Rings, draw_glyphs, draw_mistakes, draw_rings
from kernelviz.scene.figure.legend import Draw, Entry, Ink, stroke, swatch
from kernelviz.scene.figure.stamps import Stamps, draw_points, stamp, thinned
from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL
from kernelviz.scene.layers import Coordinates, Grid, Layer, LevelLines, Shades, nearest_mark
from kernelviz.scene.nodes import Hit
from kernelviz.scene.plane.bayes import BayesLayer, bayes_boundary
from kernelviz.scene.plane.distances import DistanceLayer
from kernelviz.scene.plane.fitted_values import RugLayer, ValueLayer
from kernelviz.scene.plane.marks import MarkLayer
from kernelviz.scene.plane.picture import Picture
from kernelviz.scene.theme import Theme
from kernelviz.session.view import ViewRange

MARGIN_DASH = (5.0, 3.2)
GRASP = 6.0  # Points around a glyph within which the mouse can grab it.
HIDING = 1000  # More points than this hide the boundary below them.
CROWD = 4000  # Points from which glyphs on top of each other are left out, on screen.
APART = 4.5  # Points between two glyphs of a crowd: closer than this, those of one class cover each other.
RING_NAMES = {Ring.FREE: "support vector", Ring.BOUNDED: "at the bound"}
CLASS_NAMES = {"+": "class +", "-": "class −", "1": "class +1", "-1": "class −1"}

TIES = 2  # Every so-many-th node is looked at for tied votes.

PENS: dict[str, Ink] = {
    "boundary": lambda style: pen(style.theme.boundary, style.boundary_width, round_ends=False),
    "margins": lambda style: pen(
        style.theme.margin, style.margin_width, dash=[length * style.strokes for length in MARGIN_DASH]
    ),
    "levels": lambda style: pen(style.theme.level, style.level_width, alpha=0.55),
    "slack": lambda style: pen(style.theme.misclassified, 0.8 * style.strokes, alpha=0.9),
}


def layer(picture: Picture, name: str) -> Layer | None:
    """Return what one toggle shows of a picture; "above" is the boundary where many points would hide it."""
    crowded = len(picture.points) > HIDING
    if name == "grid":
        return Grid(picture.unit)
    if name == "field":
        if picture.F is None or picture.x1 is None or picture.x2 is None:
            return None
        votes = hasattr(picture.model, "votes")
        return FieldLayer(picture.F, cells(picture.x1, picture.x2), votes=votes)
    if name in ("levels", "margins") or name == ("above" if crowded else "boundary"):
        margins = picture.model is not None and not picture.model.algorithm.ignores_labels
        return ContourLayer(picture.lines, name, picture.several, margins)
    if name == "slack":
        return SlackLayer(picture.slack)
    if name == "distances":
        form = None if picture.model is None else linear_form(picture.model)
        return None if form is None else DistanceLayer(picture.points, *form)
    if name == "bayes":
        if picture.origin is None or picture.class_count != 2:
            return None
        return BayesLayer(partial(bayes_boundary, picture.origin, picture.view))
    if name == "values":
        return None if picture.values is None else ValueLayer(picture.points, picture.values)
    if name == "rugs":
        return RugLayer(picture.points, picture.classes, picture.class_count)
    if name == "held_out":
        return GlyphLayer(picture.held_out, picture.held_out_classes, picture.class_names, hollow=True)
    if name == "rings":
        return RingLayer(picture.points, picture.rings)
    if name == "points":
        return GlyphLayer(picture.points, picture.classes, picture.class_names)
    return MarkLayer(picture.marks) if name == "marks" else None


def _pale(k: int) -> Callable[[Style], str]:
    """Return the tint of a class where it barely wins."""
    return lambda style: blend(style.theme.zero, style.theme.of_class(k, 3), 0.3 * style.theme.tint)


def _fine(style: Style) -> QPen:
    return pen(style.theme.soft_ink, 0.4 * style.strokes)


_PALE = (_pale(0), _pale(1))


def cells(x1: Array, x2: Array) -> ViewRange:
    """Return the part of the plane covered by the cells around nodes, which reach half a cell beyond them."""
    h1 = (x1[-1] - x1[0]) / (2 * (len(x1) - 1))
    h2 = (x2[-1] - x2[0]) / (2 * (len(x2) - 1))
    return ViewRange(x1[0] - h1, x1[-1] + h1, x2[0] - h2, x2[-1] + h2)


@dataclass(frozen=True, eq=False)
class FieldLayer(Shades):
    """The score as colour."""

    votes: bool = False  # Whether pairs of classes vote: the values are then the votes plus less than 1/3.

    @cached_property
    def has_ties(self) -> bool:
        """Whether somewhere two classes share the most votes, and only scores decide."""
        if not self.votes:
            return False
        first, second = np.partition(np.rint(self.values[:, ::TIES, ::TIES]), -2, axis=0)[-2:]
        return bool((first == second).any())

    @property
    def entries(self) -> tuple[Entry, ...]:
        return (Entry("tied votes", swatch(*_PALE, edge=_fine)),) if self.has_ties else ()

    def image(self, theme: Theme) -> QImage:
        _ = self.has_ties  # computed here, so that the window need not
        return super().image(theme)


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


@dataclass(frozen=True, eq=False)
class RingLayer(Layer):
    """Support vectors: a ring when free, a dashed one at the bound. Misclassified points, support vectors or
    not: four strokes around them."""

    points: Array
    rings: Rings

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
        painter.setBrush(Qt.BrushStyle.NoBrush)
        style = axes.style.among(len(self.points))
        xy = axes(self.points[self.rings.points])
        visible = axes.seen(xy, stamps)
        for kind, strength, which in self.rings.groups:
            draw = partial(draw_rings, kind=kind, strength=strength)
            stamp(stamps, painter, style, xy[which[visible[which]]], ("ring", kind, strength), draw)
        wrong = axes(self.points[self.rings.mistakes])
        stamp(stamps, painter, style, wrong[axes.seen(wrong, stamps)], "mistake", draw_mistakes)


@dataclass(frozen=True, eq=False)
class GlyphLayer(Layer):
    """The points themselves; hollow for those that no model is fitted to."""

    points: Array
    classes: np.ndarray
    class_names: tuple[str, ...]
    hollow: bool = False
    _kept: dict[object, QImage] = field(default_factory=dict, compare=False)  # The last picture of a crowd.

    def places(self, axes: Coordinates) -> Array:
        return axes(self.points)

    def hit(self, axes: Coordinates, at: QPointF) -> Hit | None:
        found = nearest_mark(self.places(axes), at, reach=GRASP)
        return Hit(self.part, found) if found else None

    @property
    def entries(self) -> tuple[Entry, ...]:
        count = len(self.class_names)
        if self.hollow:
            own = self.classes[:1].tolist()
            return tuple(
                Entry("held out", _sample(partial(draw_glyphs, k=k, count=count, hollow=True))) for k in own
            )
        order = [k for k in ((1, 0) if count == 2 else range(count)) if (self.classes == k).any()]
        known = {"0": "class 0", "1": "class 1"} if self.class_names == ("0", "1") else CLASS_NAMES
        names = [known.get(self.class_names[k], self.class_names[k]) for k in order]
        return tuple(
            Entry(name, _sample(partial(draw_glyphs, k=k, count=count)))
            for k, name in zip(order, names, strict=True)
        )

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        if stamps is None or len(self.points) <= CROWD:
            self._draw_glyphs(axes, painter, stamps)
            return
        ratio = painter.device().devicePixelRatioF()
        key = (axes.view, axes.inner.size().toTuple(), axes.style, ratio)
        if key not in self._kept:
            self._kept.clear()
            self._kept[key] = self._painted(axes, ratio, stamps)
        painter.save()
        painter.scale(POINTS_PER_PIXEL, POINTS_PER_PIXEL)
        painter.drawImage(0, 0, self._kept[key])
        painter.restore()

    def _painted(self, axes: Coordinates, ratio: float, stamps: Stamps) -> QImage:
        """Return the picture of a crowd, of which only as many are drawn as can be told apart."""
        size = axes.inner.size() * (ratio / POINTS_PER_PIXEL)
        image = QImage(size.toSize(), QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(ratio)
        image.fill(Qt.GlobalColor.transparent)
        with QPainter(image) as painter:
            painter.scale(1 / POINTS_PER_PIXEL, 1 / POINTS_PER_PIXEL)
            self._draw_glyphs(axes, painter, stamps, thin=True)
        return image

    def _draw_glyphs(
        self, axes: Coordinates, painter: QPainter, stamps: Stamps | None, thin: bool = False
    ) -> None:
        xy = axes(self.points)
        visible = axes.seen(xy, stamps)
        xy, classes = xy[visible], self.classes[visible]
        if thin:
            kept = thinned(xy, classes, APART)
            xy, classes = xy[kept], classes[kept]
        style, count = axes.style.among(len(self.points)), len(self.class_names)
        draw_points(painter, style, xy, classes, count, stamps, hollow=self.hollow)


@dataclass(frozen=True, eq=False)
class SelectionLayer(Layer):
    """Tinted discs below selected points, or strong rings around those under the mouse."""

    points: Array
    hovered: bool = False
    count: int = 0  # Points that there are, which decides how large they are drawn.

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        xy, style = axes(self.points), axes.style.among(self.count)
        name, draw = ("hovered", _draw_hovered) if self.hovered else ("selected", _draw_selected)
        stamp(stamps, painter, style, xy[axes.seen(xy, stamps)], name, draw)


def _draw_selected(painter: QPainter, style: Style, xy: Array) -> None:
    tint = QColor(style.theme.highlight)
    tint.setAlphaF(0.22)
    painter.setPen(pen(style.theme.highlight, 0.9 * style.glyphs))
    painter.setBrush(tint)
    _draw_discs(painter, xy, style.ring_radius(1.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _draw_hovered(painter: QPainter, style: Style, xy: Array) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(style.theme.highlight, 2.0 * style.glyphs))
    _draw_discs(painter, xy, style.ring_radius(1.6))


def _draw_discs(painter: QPainter, xy: Array, radius: float) -> None:
    for x, y in xy.tolist():
        painter.drawEllipse(QPointF(x, y), radius, radius)


def _sample(draw: Callable[[QPainter, Style, Array], None]) -> Draw:
    """Return the sample of a mark in the legend."""
    return lambda painter, at, style: draw(painter, style, np.array([[at.x(), at.y()]]))


def row_pens(highest: float) -> Callable[[float, Style], tuple[QPen, ...]]:
    """Return the pens of the level lines of K(x_i, ·): the stronger the higher; dashed where it is
    negative."""

    def pens(level: float, style: Style) -> tuple[QPen, ...]:
        dash = (4.0 * style.strokes, 2.0 * style.strokes) if level < 0.0 else ()
        strength = 0.35 + 0.65 * abs(level) / highest if highest else 1.0
        return (pen(style.theme.highlight, 1.2 * style.strokes, dash=dash, alpha=strength),)

    return pens
