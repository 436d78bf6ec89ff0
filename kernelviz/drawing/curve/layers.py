"""The layers of the curve, back to front; each draws itself in points, on screen and on paper alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPen

from kernelviz.drawing.curve.picture import Band, CurvePicture
from kernelviz.drawing.figure.colours import blend
from kernelviz.drawing.figure.layer import GridLayer, Layer
from kernelviz.drawing.figure.strokes import draw_lines, joined, pen, polygon
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.transform import POINTS_PER_PIXEL, Transform
from kernelviz.drawing.plane import layers as of_points
from kernelviz.engine.core.arrays import Array

# Layers below the points, in painting order.
BEHIND = ("band", "grid", "bumps", "prior", "draws", "terms", "residuals", "truth", "raised", "curve")

Ink = Callable[[Style], QPen]

# How lines are drawn, here and in the legend.
PENS: Mapping[str, Ink] = {
    "curve": lambda style: pen(style.theme.positive, style.boundary_width),
    "bumps": lambda style: pen(blend(style.theme.paper, style.theme.level, 0.5), _hairline(style)),
    "bump": lambda style: pen(style.theme.highlight, 1.6 * style.strokes),
    "residuals": lambda style: pen(style.theme.misclassified, 0.9 * style.strokes, alpha=0.85),
    "truth": lambda style: pen(style.theme.soft_ink, 1.4 * style.strokes, dash=_scaled((6.0, 3.0), style)),
    "raised": lambda style: pen(style.theme.highlight, 1.4 * style.strokes, dash=_scaled((3.0, 2.0), style)),
    "draws": lambda style: pen(blend(style.theme.paper, style.theme.positive, 0.6), 1.2 * style.strokes),
    "prior": lambda style: pen(blend(style.theme.paper, style.theme.negative, 0.6), 1.2 * style.strokes),
    "edge": lambda style: pen(blend(style.theme.paper, style.theme.positive, 0.6), _hairline(style)),
}
MANY = 30  # Lines that are drawn at once.
TINT = 0.16  # How much of the curve's colour the band has.
FITS = (1, 0, 2, 3)  # Colours of several fits among those of classes: blue, which a single curve has, first.
DASHES = ((5.0, 2.5), (1.5, 2.0), (7.0, 2.0, 1.5, 2.0))


def _hairline(style: Style) -> float:
    """At most a pixel of the screen: lines that thin and opaque are drawn ten times faster."""
    return min(0.8 * style.strokes, 0.98 * POINTS_PER_PIXEL)


def _scaled(dash: tuple[float, ...], style: Style) -> list[float]:
    return [length * style.strokes for length in dash]


def term_ink(k: int) -> Ink:
    """The pen of the k-th summand: a colour and dashes of its own."""

    def ink(style: Style) -> QPen:
        colours = (*style.theme.classes[2:], *style.theme.classes[:1])
        dash = _scaled(DASHES[k % len(DASHES)], style)
        return pen(colours[k % len(colours)], 1.3 * style.strokes, dash=dash)

    return ink


def fit_ink(k: int) -> Ink:
    """The pen of the k-th of several curves."""

    def ink(style: Style) -> QPen:
        return pen(style.theme.classes[FITS[k % len(FITS)]], style.boundary_width)

    return ink


@dataclass(frozen=True, eq=False)
class LineLayer:
    """Polylines with one pen each group."""

    groups: Sequence[tuple[Sequence[Array], Ink]]

    def paint(self, painter: QPainter, transform: Transform, style: Style) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for lines, ink in self.groups:
            painter.setPen(ink(style))
            if len(lines) > MANY:
                for path in joined(lines, transform, MANY):
                    painter.drawPath(path)
            else:
                draw_lines(painter, transform, lines)


@dataclass(frozen=True, eq=False)
class BandLayer:
    """A tinted area with fine edges."""

    band: Band

    def paint(self, painter: QPainter, transform: Transform, style: Style) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tint(style))
        painter.drawPolygon(polygon(transform(self.band.outline)))
        LineLayer([(self.band.edges, PENS["edge"])]).paint(painter, transform, style)


def tint(style: Style) -> QColor:
    """The colour of the band, opaque: what is under it is paper."""
    return QColor(blend(style.theme.paper, style.theme.positive, TINT))


def layer(picture: CurvePicture, name: str) -> Layer | None:
    """What one toggle shows."""
    if name == "grid":
        return GridLayer(picture.view)
    if name == "band":
        return None if picture.band is None else BandLayer(picture.band)
    if name == "curve" and picture.fit:
        return LineLayer([(picture.curve, fit_ink(picture.fit))])
    if name == "terms":
        return LineLayer([(lines, term_ink(k)) for k, lines in enumerate(picture.terms.values())])
    return LineLayer([(getattr(picture, name), PENS[name])]) if name in PENS else None


def pointed(picture: CurvePicture, points: Sequence[int]) -> Layer:
    """The bumps of the points under the mouse."""
    return LineLayer([(picture.bump(points), PENS["bump"])])


def layers(picture: CurvePicture) -> Mapping[str, Layer]:
    """What is shown, by the name of its toggle, in painting order."""
    shown = picture.points.shown
    behind = {name: layer(picture, name) for name in BEHIND if name in shown}
    found: dict[str, Layer] = {name: made for name, made in behind.items() if made is not None}
    return found | {k: v for k, v in of_points.layers(picture.points).items() if k not in found}
