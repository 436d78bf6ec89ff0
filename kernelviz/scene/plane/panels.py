"""The frames around the pictures of categories, with their names."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath

from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.figure.text import draw_text, text_width
from kernelviz.scene.layers import Coordinates, Layer
from kernelviz.scene.wording import shortened
from kernelviz.session.panels import Panels


@dataclass(frozen=True, eq=False)
class PanelLayer(Layer):
    """Paper around the panels, a frame around each, and its name above it."""

    panels: Panels

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        style, outside = axes.style, QPainterPath()
        edge = 0.5 * style.axis_width  # lines end on the frame around everything
        outside.addRect(axes.inner.adjusted(-edge, -edge, edge, edge))
        frames = []
        for code in range(len(self.panels.names)):
            part = self.panels.of_category(code)
            corners = axes(np.array([[part.left, part.top], [part.right, part.bottom]])).tolist()
            frames.append(QRectF(*(QPointF(*corner) for corner in corners)))
            outside.addRect(frames[-1])
        painter.save()
        painter.fillPath(outside, QColor(style.theme.paper))  # by the odd-even rule the panels stay open
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for frame, name in zip(frames, self.panels.names, strict=True):
            painter.setPen(pen(style.theme.soft_ink, style.axis_width))
            painter.drawRect(frame)
            text, size = shortened(name), style.text
            size *= min(1.0, frame.width() / max(text_width(text, size, bold=True), 1e-9))
            foot = QPointF(frame.center().x(), frame.top() - 0.45 * size)
            draw_text(painter, style, foot, text, points=size, anchor="centre", bold=True)
        painter.restore()
