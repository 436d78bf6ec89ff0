"""Where in the plane several fits disagree, and which points change sides between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from kernelviz.drawing.curve.layers import fit_ink
from kernelviz.drawing.figure.colours import masked_image
from kernelviz.drawing.figure.legend import KEY, Entry, Legend, key_scale, stroke
from kernelviz.drawing.figure.strokes import draw_lines, pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.transform import Transform, letterboxed
from kernelviz.drawing.insight.scatter import draw_points
from kernelviz.drawing.insight.stamps import Stamps
from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.data import Data
from kernelviz.engine.models.sampling import GridSample
from kernelviz.runtime.messages import Frame
from kernelviz.session.state import LETTERS
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces.registry import workspace_of

TINT = 0.4  # How much of its colour the part of the plane has on which they disagree.


@dataclass(frozen=True, eq=False)
class Difference:
    """The boundaries of all fits, the part of the view that lies on different sides of them, and the points
    that do."""

    data: Data
    view: ViewRange
    apart: NDArray[np.bool_]  # (rows, columns) on the nodes of the grid: whether not all fits say the same.
    boundaries: tuple[Sequence[Array], ...]
    changing: Indices

    @classmethod
    def of(cls, frames: Sequence[Frame], changing: Sequence[int]) -> Difference | None:
        """Of frames of one request; None where they have no fields in the plane of the same resolution."""
        fields = []
        for frame in frames:
            sample = frame.sample
            if not isinstance(sample, GridSample) or sample.field is None:
                return None
            fields.append(sample.field)
        if len({field.shape for field in fields}) != 1:
            return None
        said = [
            field.argmax(axis=0) if field.ndim == 3 else np.sign(field)
            for field, frame in zip(fields, frames, strict=True)
            if frame.model.takes_sides
        ]
        apart = np.any([own != said[0] for own in said[1:]], axis=0)
        grid = frames[0].sample.grid
        lines = tuple(dict(frame.sample.lines).get(0.0, ()) for frame in frames)
        view = ViewRange(grid.left, grid.right, grid.bottom, grid.top)
        return cls(frames[0].data, view, apart, lines, np.array(changing, dtype=np.intp))

    @property
    def share(self) -> float:
        """Of the view."""
        return float(self.apart.mean())

    # Where everything is --------------------------------------------------------------------------------
    def _legend(self) -> Legend:
        named = [Entry(f"boundary of {LETTERS[k]}", stroke(fit_ink(k))) for k in range(len(self.boundaries))]
        words = f"they disagree: {100 * self.share:.3g} % of the view"
        return Legend((*named, Entry(words, _swatch), Entry(f"changes sides: {len(self.changing)}", _ring)))

    def room(self, rect: QRectF, style: Style) -> QRectF:
        """The part of a rectangle that shows the plane."""
        row = self._legend().strip_height(rect.width(), style)
        return letterboxed(self.view, rect.adjusted(0, row + 0.3 * style.text, 0, 0))

    def at(self, rect: QRectF, style: Style) -> Array:
        """(n, 2): where the points are, in the painter's points."""
        places = workspace_of(self.data).positions(self.data)
        return Transform.between(self.view, self.room(rect, style))(places)

    # What is drawn --------------------------------------------------------------------------------------
    def draw_ground(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        room = self.room(rect, style)
        transform = Transform.between(self.view, room)
        self._legend().paint_strip(painter, rect, style)
        painter.save()
        painter.setClipRect(room)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(room, masked_image(self.apart, _tint(style)))
        for k, lines in enumerate(self.boundaries):
            painter.setPen(fit_ink(k)(style))
            draw_lines(painter, transform, lines)
        painter.restore()
        painter.setPen(pen(style.theme.soft_ink, style.axis_width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(room)

    def draw_points(self, painter: QPainter, rect: QRectF, style: Style, stamps: Stamps | None) -> None:
        """All points, those that change sides ringed."""
        xy, groups = self.at(rect, style), workspace_of(self.data).groups(self.data)
        painter.save()
        painter.setClipRect(self.room(rect, style))
        small = style.among(max(self.data.n, 100))
        draw_points(painter, small, xy, groups, len(self.data.class_names), stamps)
        for x, y in xy[self.changing].tolist():
            _ring(painter, QPointF(x, y), style)
        painter.restore()


def _tint(style: Style) -> QColor:
    colour = QColor(style.theme.highlight)
    colour.setAlphaF(TINT)
    return colour


def _swatch(painter: QPainter, at: QPointF, style: Style) -> None:
    half = (KEY - 1) * key_scale(style)
    painter.fillRect(QRectF(at.x() - half, at.y() - 0.5 * half, 2 * half, half), _tint(style))


def _ring(painter: QPainter, at: QPointF, style: Style) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(style.theme.ink, style.ring_width))
    painter.drawEllipse(at, *[style.ring_radius(0.0)] * 2)
