"""The proof that a kernel is indefinite: weights on the points whose combination has a negative square."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from kernelviz.drawing.figure.strokes import pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.text import draw_text, wrapped
from kernelviz.drawing.figure.transform import Transform, letterboxed
from kernelviz.drawing.insight.picture import InsightPicture, NothingToShow, nearest_mark, padded
from kernelviz.drawing.insight.scatter import encircle
from kernelviz.drawing.insight.stamps import Stamps
from kernelviz.drawing.wording import shown
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.runtime.messages import Frame, Verdict
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces.registry import workspace_of

LARGEST = 1.3
"""Radius of the largest weight, in units of the text's size."""
FAINT = 0.02
"""Weights below this share of the largest are dots."""


@dataclass(frozen=True, eq=False, kw_only=True)
class WitnessPicture(InsightPicture):
    """Every point at its place as a disc whose area is its weight, blue for +, orange for -."""

    title = "Witness"

    data: Data
    weights: Array
    """v with |v| = 1 and v'Kv < 0."""
    square: float
    """v'Kv"""
    places: Array
    view: ViewRange

    @classmethod
    def of(
        cls, frame: Frame, verdict: Verdict | None, switches: Any, before: WitnessPicture | None
    ) -> InsightPicture:
        if verdict is None:
            return NothingToShow(reason="The kernel is checked when you stop editing.")
        return cls.of_verdict(verdict)

    @classmethod
    def of_verdict(cls, verdict: Verdict) -> InsightPicture:
        mercer = verdict.mercer
        if mercer.witness is None:
            reason = f"{mercer.verdict} No combination of the points has a negative square."
            return NothingToShow(reason=reason if mercer.holds else mercer.verdict)
        data = verdict.request.data
        workspace = workspace_of(data)
        places = workspace.positions(data)
        return cls(
            data=data,
            weights=mercer.witness,
            square=mercer.smallest,
            places=places,
            view=workspace.extent(data),
        )

    def _room(self, rect: QRectF, style: Style) -> QRectF:
        room = padded(rect, style)
        return letterboxed(self.view, room.adjusted(0, 0, 0, -3.2 * style.text))

    def _at(self, rect: QRectF, style: Style) -> Array:
        return Transform.between(self.view, self._room(rect, style))(self.places)

    @property
    def caption(self) -> str:
        return (
            f"With these weights v on the points, |v| = 1, the square of Σ vᵢφ(xᵢ) would be "
            f"v′Kv = {shown(self.square, 3)}: no φ has this kernel as its inner product."
        )

    @property
    def ground(self) -> Hashable:
        return id(self.weights), self.view

    def draw_ground(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        theme, xy = style.theme, self._at(rect, style)
        room, inner = self._room(rect, style), padded(rect, style)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen(theme.soft_ink, style.axis_width))
        painter.drawRect(room)
        share = np.abs(self.weights) / np.abs(self.weights).max()
        for (x, y), weight, part in zip(xy.tolist(), self.weights.tolist(), share.tolist(), strict=True):
            colour = QColor(theme.positive if weight > 0 else theme.negative)
            radius = LARGEST * style.text * float(np.sqrt(part)) if part > FAINT else 0.12 * style.text
            painter.setPen(pen(colour.name(), style.axis_width))
            colour.setAlphaF(0.6)
            painter.setBrush(colour)
            painter.drawEllipse(QPointF(x, y), radius, radius)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for k, line in enumerate(wrapped(self.caption, style.text, inner.width())[:2]):
            at = QPointF(inner.left(), inner.bottom() - (1 - k) * 1.3 * style.text)
            draw_text(painter, style, at, line, colour=theme.soft_ink)

    def draw_data(self, painter: QPainter, rect: QRectF, style: Style, stamps: Stamps | None) -> None:
        xy = self._at(rect, style)
        for i in self.marks.among(len(xy)):
            encircle(painter, style, xy[i], i == self.marks.hovered)
        hovered = self.marks.hovered
        if hovered is not None and hovered < len(xy):
            told = f"point {hovered + 1}: v = {shown(float(self.weights[hovered]), 3)}"
            at = QPointF(xy[hovered, 0] + style.text, xy[hovered, 1] - style.text)
            draw_text(painter, style, at, told, colour=style.theme.highlight, bold=True, halo=True)

    def points_at(self, at: QPointF, rect: QRectF, style: Style) -> tuple[int, ...]:
        return nearest_mark(self._at(rect, style), np.arange(len(self.places)), at)
