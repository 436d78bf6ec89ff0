"""A row of the Gram matrix over the plane."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter

from kernelviz.drawing.figure.layer import Layer
from kernelviz.drawing.figure.strokes import draw_lines, pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.transform import Transform
from kernelviz.engine.analysis.response import response
from kernelviz.engine.errors import BadInput
from kernelviz.engine.fields.contours import ContourLines, level_lines
from kernelviz.engine.generators import finished
from kernelviz.runtime.messages import Frame

__all__ = ["row_of_matrix"]

COARSER, LEVELS = 2, 8


@dataclass(frozen=True, eq=False)
class RowLayer:
    """Level lines of K(x_i, ·), the stronger the higher; dashed where it is negative."""

    lines: ContourLines

    def paint(self, painter: QPainter, transform: Transform, style: Style) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        most = max(abs(level) for level, _ in self.lines)
        for level, lines in self.lines:
            dash = (4.0 * style.strokes, 2.0 * style.strokes) if level < 0.0 else ()
            strength = 0.35 + 0.65 * abs(level) / most if most else 1.0
            painter.setPen(pen(style.theme.highlight, 1.2 * style.strokes, dash=dash, alpha=strength))
            draw_lines(painter, transform, lines)


def row_of_matrix(frame: Frame, point: int) -> Layer | None:
    """K(x_i, ·) on the frame's own grid; None for a kernel too large for numbers."""
    model = frame.model
    alone = response(model.problem.kernel, frame.data.X[[point]], model.algorithm)
    try:
        sample = finished(frame.request.sampling.sample(alone, COARSER))
    except BadInput:
        return None
    lines = () if sample.field is None else level_lines(sample.x1, sample.x2, sample.field, LEVELS)
    return RowLayer(lines) if lines else None
