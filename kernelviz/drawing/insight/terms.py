"""The score at a place as a sum: b and the largest terms beta_i K(x_i, x) as bars."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from kernelviz.drawing.figure.strokes import pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.text import draw_text, text_width
from kernelviz.drawing.wording import named, shown
from kernelviz.engine.analysis.points import largest_terms
from kernelviz.engine.models.base import Model

MOST_TERMS = 5  # Training points listed; the others are one sum.
ROW = 1.65  # Height of a row in units of the text's size.


@dataclass(frozen=True)
class Summand:
    """One part of s(x): a training point's term, b, or the sum of all that is not listed."""

    name: str
    value: float
    point: int | None = None
    detail: str = ""


@dataclass(frozen=True)
class TermsPicture:
    """Bars to the right for +, to the left for -, each with its name and value, on no paper of its own."""

    summands: tuple[Summand, ...] = ()

    @classmethod
    def of(cls, model: Model, x: Any, score: float) -> TermsPicture:
        """s(x) taken apart: the listed values add up to the score. Empty where s is no kernel expansion."""
        terms = largest_terms(model, x, MOST_TERMS)
        b = model.b
        if b is None or model.beta is None:
            return cls()
        found = [
            Summand(
                named(model.problem.data, term.index),
                term.value,
                term.index,
                f"β = {shown(term.beta)}, K = {shown(term.kernel)}",
            )
            for term in terms
        ]
        rest = len(model.support) - len(terms)
        if rest > 0:
            left = score - b - sum(term.value for term in terms)
            found.append(Summand(f"{rest} other{'s' if rest > 1 else ''}", left))
        return cls((*found, Summand("offset b", 0.0 if abs(b) <= model.accuracy else b)))

    def row_at(self, y: float, style: Style) -> Summand | None:
        """The summand at a height."""
        k = int(y // (ROW * style.text))
        return self.summands[k] if 0 <= k < len(self.summands) else None

    def paint(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        """Draw the rows from the top of a rectangle of points."""
        if not self.summands:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        text, theme = style.text, style.theme
        zero, lengths = self._bars(rect, style)
        for row, (summand, length) in enumerate(zip(self.summands, lengths, strict=True)):
            centre = rect.top() + (row + 0.5) * ROW * text
            baseline = centre + 0.36 * text
            draw_text(painter, style, QPointF(rect.left(), baseline), summand.name, colour=theme.soft_ink)
            colour = theme.positive if summand.value > 0 else theme.negative
            fill = QColor(colour if summand.point is not None else theme.soft_ink)
            fill.setAlphaF(0.75)
            bar = QRectF(zero, centre - 0.5 * text, length, 1.0 * text)
            painter.fillRect(bar.normalized(), fill)
            at = QPointF(rect.right() - 0.1 * text, baseline)
            draw_text(painter, style, at, shown(summand.value, 3), anchor="right")
        painter.setPen(pen(theme.soft_ink, style.axis_width))
        painter.drawLine(QLineF(zero, rect.top(), zero, rect.top() + len(self.summands) * ROW * text))

    def _bars(self, rect: QRectF, style: Style) -> tuple[float, list[float]]:
        """Where 0 is, so that both directions fit between names and numbers, and how long every bar is."""
        names = max(text_width(s.name, style.text) for s in self.summands) + style.text
        numbers = max(text_width(shown(s.value, 3), style.text) for s in self.summands) + 0.8 * style.text
        width = max(10.0, rect.width() - names - numbers)
        values = np.array([s.value for s in self.summands])
        shares = values / max(float(np.abs(values).max()), np.finfo(float).tiny)
        low, high = min(0.0, float(shares.min())), max(0.0, float(shares.max()))
        unit = width / max(high - low, 1e-9)
        return rect.left() + names - low * unit, (shares * unit).tolist()
