"""The layers of a picture, back to front; each draws itself in points, on screen and on paper alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from kernelviz.drawing.figure.colours import field_image, field_unit, region_image
from kernelviz.drawing.figure.glyphs import draw_glyphs, draw_mistakes, draw_rings
from kernelviz.drawing.figure.layer import GridLayer, Layer
from kernelviz.drawing.figure.rings import Rings
from kernelviz.drawing.figure.strokes import draw_lines, pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.transform import Transform
from kernelviz.drawing.plane.marks import MarkLayer
from kernelviz.drawing.plane.picture import Picture
from kernelviz.drawing.theme import Theme
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.fields.contours import ContourLines
from kernelviz.session.view import ViewRange

MARGIN_DASH = (5.0, 3.2)
HIDING = 1000  # More points than this hide the boundary below them.


def layers(picture: Picture) -> Mapping[str, Layer]:
    """What is shown of a picture, by the name of its toggle, in painting order."""
    everything: dict[str, Layer] = {}
    if picture.F is not None and picture.x1 is not None and picture.x2 is not None:
        everything["field"] = FieldLayer(picture.x1, picture.x2, picture.F)
    above = boundary_above(picture)
    everything |= {
        "grid": GridLayer(picture.view, picture.unit),
        "levels": ContourLayer(picture.lines, "levels"),
        "margins": ContourLayer(picture.lines, "margins"),
        "boundary": above or ContourLayer(picture.lines, "boundary"),
        "slack": SlackLayer(picture.slack, picture.view),
        "held_out": GlyphLayer(
            picture.held_out, picture.held_out_classes, picture.class_count, picture.view, hollow=True
        ),
        "rings": RingLayer(picture.points, picture.rings, picture.view),
        "points": GlyphLayer.of(picture),
        "marks": MarkLayer(picture.marks, picture.view),
    }
    if above is not None:
        everything["boundary"] = everything.pop("boundary")
    shown = {name: layer for name, layer in everything.items() if name in picture.shown}
    if picture.selection or picture.highlighted is not None:
        shown["selection"] = SelectionLayer(picture.points, picture.selection, picture.highlighted)
    return shown


def boundary_above(picture: Picture) -> ContourLayer | None:
    """The boundary of a picture with so many points that they would hide it: it is drawn above them, then."""
    return ContourLayer(picture.lines, "boundary", above=True) if len(picture.points) > HIDING else None


def inside(points: Array, view: ViewRange) -> np.ndarray:
    """Which points lie in the view: files have no clipping to rely on."""
    return (
        (points[:, 0] >= view.left)
        & (points[:, 0] <= view.right)
        & (points[:, 1] >= view.bottom)
        & (points[:, 1] <= view.top)
    )


@dataclass(frozen=True, eq=False)
class FieldLayer:
    """The score as colour. Nodes are pixel centres, so the image reaches half a cell beyond them."""

    x1: Array
    x2: Array
    F: Array
    _images: dict[str, QImage] = field(default_factory=dict)

    def image(self, theme: Theme) -> QImage:
        """The picture of the field, made once; may be called ahead of painting on another thread."""
        if theme.name not in self._images:
            if self.F.ndim == 3:
                self._images[theme.name] = region_image(self.F, theme)
            else:
                self._images[theme.name] = field_image(self.F, theme, field_unit(self.F))
        return self._images[theme.name]

    def extent(self, transform: Transform) -> QRectF:
        """The image's rectangle in points."""
        h1 = (self.x1[-1] - self.x1[0]) / (2 * (len(self.x1) - 1))
        h2 = (self.x2[-1] - self.x2[0]) / (2 * (len(self.x2) - 1))
        return transform.rect(self.x1[0] - h1, self.x1[-1] + h1, self.x2[0] - h2, self.x2[-1] + h2)

    def paint(self, painter: QPainter, transform: Transform, style: Style) -> None:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(self.extent(transform), self.image(style.theme))


@dataclass(frozen=True, eq=False)
class ContourLayer:
    """The level lines, the margins s = ±1, or the boundary s = 0."""

    lines: ContourLines
    which: str
    above: bool = False  # Of the points: with a halo, as theirs.

    def paint(self, painter: QPainter, transform: Transform, style: Style) -> None:
        theme = style.theme
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.above:
            width = style.boundary_width + 2 * style.halo_width
            painter.setPen(pen(theme.halo, width, round_ends=False))
            for level, lines in self.lines:
                draw_lines(painter, transform, lines if level == 0.0 else ())
        for level, lines in self.lines:
            kind = {0.0: "boundary", 1.0: "margins", -1.0: "margins"}.get(level, "levels")
            if kind != self.which:
                continue
            if kind == "boundary":
                painter.setPen(pen(theme.boundary, style.boundary_width, round_ends=False))
            elif kind == "margins":
                dash = [length * style.strokes for length in MARGIN_DASH]
                painter.setPen(pen(theme.margin, style.margin_width, dash=dash))
            else:
                painter.setPen(pen(theme.level, style.level_width, alpha=0.55))
            draw_lines(painter, transform, lines)


@dataclass(frozen=True, eq=False)
class SlackLayer:
    """Thin lines from the points that violate their margin to it."""

    segments: Array
    view: ViewRange

    def paint(self, painter: QPainter, transform: Transform, style: Style) -> None:
        painter.setPen(pen(style.theme.misclassified, 0.8 * style.strokes, alpha=0.9))
        kept = self.segments[inside(self.segments[:, 0], self.view)] if len(self.segments) else []
        for (xa, ya), (xb, yb) in (transform(segment).tolist() for segment in kept):
            painter.drawLine(QLineF(xa, ya, xb, yb))


@dataclass(frozen=True, eq=False)
class RingLayer:
    """Support vectors: a ring when free, a dashed one at the bound. Misclassified points, support vectors or
    not: four strokes around them."""

    points: Array
    rings: Rings
    view: ViewRange

    def paint(self, painter: QPainter, transform: Transform, style: Style) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        style = style.among(len(self.points))
        centres = self.points[self.rings.points]
        visible = inside(centres, self.view)
        xy = transform(centres)
        for kind, strength, which in self.rings.groups:
            draw_rings(painter, style, xy[which[visible[which]]], kind, strength)
        wrong = self.points[self.rings.mistakes]
        draw_mistakes(painter, style, transform(wrong[inside(wrong, self.view)]))


@dataclass(frozen=True, eq=False)
class GlyphLayer:
    """The points themselves."""

    points: Array
    classes: np.ndarray
    class_count: int
    view: ViewRange
    hollow: bool = False

    @classmethod
    def of(cls, picture: Picture) -> GlyphLayer:
        return cls(picture.points, picture.classes, picture.class_count, picture.view)

    def paint(self, painter: QPainter, transform: Transform, style: Style) -> None:
        visible = inside(self.points, self.view)
        xy = transform(self.points)
        style = style.among(len(self.points))
        for k in np.unique(self.classes):
            own = xy[visible & (self.classes == k)]
            draw_glyphs(painter, style, own, int(k), self.class_count, self.hollow)


@dataclass(frozen=True, eq=False)
class SelectionLayer:
    """Selected points on a tinted disc, the one pointed at in a strong ring."""

    points: Array
    selection: tuple[int, ...]
    highlighted: int | None

    def paint(self, painter: QPainter, transform: Transform, style: Style) -> None:
        tint = QColor(style.theme.highlight)
        tint.setAlphaF(0.22)
        painter.setPen(pen(style.theme.highlight, 0.9 * style.glyphs))
        painter.setBrush(tint)
        self._discs(painter, transform, style, [i for i in self.selection if i < len(self.points)], 1.0)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.highlighted is not None and self.highlighted < len(self.points):
            painter.setPen(pen(style.theme.highlight, 2.0 * style.glyphs))
            self._discs(painter, transform, style, [self.highlighted], 1.6)

    def _discs(
        self, painter: QPainter, transform: Transform, style: Style, which: list[int], strength: float
    ) -> None:
        radius = style.ring_radius(strength)
        for x, y in transform(self.points[which]).tolist():
            painter.drawEllipse(QPointF(x, y), radius, radius)
