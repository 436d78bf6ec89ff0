"""A function of the input as a small picture: contours over the plane, or a curve along the line."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from kernelviz.drawing.figure.colours import field_image
from kernelviz.drawing.figure.strokes import draw_lines, pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.text import draw_text, fitted
from kernelviz.drawing.figure.transform import Transform, letterboxed
from kernelviz.drawing.insight.plot import Axis, Curve, Plot
from kernelviz.drawing.insight.ranges import SteadyRange
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.generators import finished
from kernelviz.engine.fields.contours import ContourLines, level_lines, reach
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.sampling import Grid, GridSample, Line, LineSample
from kernelviz.session.view import ViewRange, shows
from kernelviz.session.workspaces.registry import workspace_of

COARSER = 2  # Than the canvas, in each direction: it is smaller too.
LEVELS = 6  # Level lines on either side of 0.
LEAST = SteadyRange.of_any_size(both_sides=True)


@dataclass(frozen=True, eq=False)
class Landscape:
    """What a workspace's own sampling makes of a function around all points, whatever the canvas shows; the
    view holds still while it does."""

    view: ViewRange
    sample: GridSample | LineSample
    lines: ContourLines
    places: Array  # (n, 2): where the points are, on the plane or on the curve.
    name: str
    height: SteadyRange = LEAST  # Of a curve.

    @staticmethod
    def possible(data: Data) -> bool:
        """Whether the places of a workspace are inputs, so that a function of these can be drawn."""
        workspace = workspace_of(data)
        return isinstance(workspace.sampling(data, workspace.extent(data)), Grid | Line)

    @classmethod
    def of(
        cls, model: Model, data: Data, values: Array, name: str, before: Landscape | None
    ) -> Landscape | None:
        """Of a function with these values at the points; None in a workspace whose places are no inputs."""
        workspace = workspace_of(data)
        positions = workspace.positions(data)
        still = before is not None and shows(before.view, positions)
        view = before.view if before is not None and still else workspace.extent(data)
        sampling = workspace.sampling(data, view)
        if isinstance(sampling, Grid):
            sample = finished(sampling.sample(model, COARSER))
            return (
                None
                if sample.field is None
                else cls(
                    view, sample, level_lines(sample.x1, sample.x2, sample.field, LEVELS), positions, name
                )
            )
        if not isinstance(sampling, Line):
            return None
        curve = finished(sampling.sample(model))
        s = curve.s[np.isfinite(curve.s)]
        height = before.height if before is not None else LEAST
        height = height.covering(float(s.min(initial=0.0)), float(s.max(initial=0.0)))
        return cls(view, curve, (), np.column_stack([positions[:, 0], values]), name, height)

    def _plot(self, rect: QRectF, style: Style) -> Plot:
        x = Axis(self.view.left, self.view.right)
        return Plot(style, rect, x, Axis(self.height.low, self.height.high))

    def room(self, rect: QRectF, style: Style) -> QRectF:
        """The part of a rectangle in which the places are."""
        if isinstance(self.sample, LineSample):
            return self._plot(rect, style).inner
        return letterboxed(self.view, rect.adjusted(0, 1.9 * style.text, 0, 0))

    def at(self, rect: QRectF, style: Style) -> Array:
        """(n, 2): the places of the points in the painter's points."""
        if isinstance(self.sample, LineSample):
            return self._plot(rect, style).at(self.places[:, 0], self.places[:, 1])
        return Transform.between(self.view, self.room(rect, style))(self.places)

    def draw(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        """All but the points."""
        sample, room = self.sample, self.room(rect, style)
        if isinstance(sample, LineSample):
            plot = self._plot(rect, style)
            plot.draw_axes(painter)
            plot.draw_curve(painter, sample.x, sample.s, Curve("", style.theme.boundary, 1.6))
        else:
            self._draw_contours(painter, sample, room, style)
        name, size = fitted(self.name, style.text, rect.right() - room.left())
        draw_text(painter, style, QPointF(room.left(), room.top() - 0.7 * style.text), name, points=size)

    def _draw_contours(self, painter: QPainter, sample: GridSample, room: QRectF, style: Style) -> None:
        theme, transform, F = style.theme, Transform.between(self.view, room), sample.field
        assert F is not None
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(room, field_image(F, theme, (reach(F) or 1.0) / 2))
        for level, lines in self.lines:
            zero = level == 0.0
            width = 0.7 * style.boundary_width if zero else style.level_width
            painter.setPen(pen(theme.boundary if zero else theme.level, width, alpha=1.0 if zero else 0.7))
            draw_lines(painter, transform, lines)
        painter.setPen(pen(theme.soft_ink, style.axis_width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(room)
