"""The layers of the curve, back to front; each draws itself in points, on screen and on paper alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPen

from kernelviz.drawing.curve.picture import CurvePicture
from kernelviz.drawing.figure.layer import GridLayer, Layer
from kernelviz.drawing.figure.strokes import draw_lines, pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.transform import Transform
from kernelviz.drawing.plane import layers as of_points
from kernelviz.engine.arrays import Array

__all__ = ["BEHIND", "PENS", "LineLayer", "layer", "layers"]

BEHIND = ("grid", "residuals", "curve")
"""Layers below the points, in painting order."""

PENS: Mapping[str, Callable[[Style], QPen]] = {
    "curve": lambda style: pen(style.theme.boundary, style.boundary_width),
    "residuals": lambda style: pen(style.theme.misclassified, 0.9 * style.strokes, alpha=0.85),
}
"""How the lines of each toggle are drawn, here and in the legend."""


@dataclass(frozen=True, eq=False)
class LineLayer:
    """Polylines with one pen."""

    lines: list[Array]
    ink: Callable[[Style], QPen]

    def paint(self, painter: QPainter, transform: Transform, style: Style) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(self.ink(style))
        draw_lines(painter, transform, self.lines)


def layer(picture: CurvePicture, name: str) -> Layer | None:
    """What one toggle shows."""
    if name == "grid":
        return GridLayer(picture.view)
    if name in PENS:
        return LineLayer(getattr(picture, name), PENS[name])
    return None


def layers(picture: CurvePicture) -> Mapping[str, Layer]:
    """What is shown, by the name of its toggle, in painting order."""
    shown = picture.points.shown
    behind = {name: layer(picture, name) for name in BEHIND if name in shown}
    found: dict[str, Layer] = {name: made for name, made in behind.items() if made is not None}
    return found | {k: v for k, v in of_points.layers(picture.points).items() if k not in found}
