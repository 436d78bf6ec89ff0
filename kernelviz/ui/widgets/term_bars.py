"""The score at a place as a sum: b and the largest terms β_i K(x_i, x), as bars."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from kernelviz.engine.analysis.functions import target_weights
from kernelviz.engine.analysis.points import largest_terms
from kernelviz.engine.core.data import Task
from kernelviz.engine.models.base import Model
from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import draw_text, text_width
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL, painter_in_points
from kernelviz.scene.wording import named, shown
from kernelviz.ui.widgets.labels import plain
from kernelviz.ui.widgets.painting import room_in_points, screen_style

MOST_TERMS = 5  # Training points listed; the others are one sum.
ROW = 1.65  # Height of a row in units of the type size.


@dataclass(frozen=True)
class Summand:
    """One part of s(x): the term of a training point, b, or the sum of all terms that are not listed."""

    name: str
    value: float
    point: int | None = None
    detail: str = ""


def summands_of(model: Model, x: Any, score: float) -> tuple[Summand, ...]:
    """Return the parts of s(x), which add up to the score; none where s is no kernel expansion."""
    terms, b = largest_terms(model, x, MOST_TERMS), model.b
    if b is None or model.beta is None:
        return ()
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
    return (*found, Summand("offset b", 0.0 if abs(b) <= model.accuracy else b))


def weights_of(model: Model, x: Any) -> tuple[Summand, ...]:
    """Return the largest weights wᵢ of the targets in s(x) = Σ wᵢ yᵢ, and the sum of the others; none where s
    is not such a sum or has no value."""
    data = model.problem.data
    if data.task is not Task.REGRESSION or (weights := target_weights(model, np.atleast_2d(x))) is None:
        return ()
    w, y = weights[0], data.y
    if np.isnan(w).any():  # no point has a weight there
        return ()
    largest = np.argsort(-np.abs(w), kind="stable")[:MOST_TERMS].tolist()
    found = [
        Summand(
            named(data, i), float(w[i]), i, f"y = {shown(float(y[i]))}, w·y = {shown(float(w[i] * y[i]))}"
        )
        for i in largest
    ]
    rest = len(w) - len(found)
    others = Summand(f"{rest} other{'s' if rest > 1 else ''}", float(w.sum() - w[largest].sum()))
    return (*found, others) if rest else tuple(found)


class TermBars(QWidget):
    """Shows the score at a place as a sum of terms: bars to the right for +, to the left for −, each with its
    name and value; emits the training point whose bar the mouse is on."""

    pointed = Signal(object)  # The training point whose bar the mouse is on, or None.

    def __init__(self) -> None:
        super().__init__()
        self.summands: tuple[Summand, ...] = ()
        self.setMouseTracking(True)

    def show_summands(self, summands: tuple[Summand, ...]) -> None:
        """Show other terms."""
        if summands != self.summands:
            self.summands = summands
            self.update()

    def sizeHint(self) -> QSize:
        """Return the height of a full list, so that the panel does not jump while the mouse moves."""
        # Always room for a full list, so that the panel does not jump while the mouse moves.
        return QSize(200, round((MOST_TERMS + 2) * ROW * screen_style(self).text / POINTS_PER_PIXEL) + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Emit the training point of the bar under the mouse, and show its numbers as a tooltip."""
        k = int(event.position().y() * POINTS_PER_PIXEL // (ROW * screen_style(self).text))
        row = self.summands[k] if 0 <= k < len(self.summands) else None
        self.setToolTip(plain(row.detail) if row else "")
        self.pointed.emit(row.point if row else None)

    def leaveEvent(self, event: QEvent) -> None:
        self.pointed.emit(None)

    def paintEvent(self, event: QPaintEvent) -> None:
        with painter_in_points(self) as painter:
            if self.summands:
                draw_bars(painter, self.summands, room_in_points(self), screen_style(self))


def draw_bars(painter: QPainter, summands: tuple[Summand, ...], rect: QRectF, style: Style) -> None:
    """Draw a row for each summand from the top of a rectangle of points."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    text, theme = style.text, style.theme
    zero, lengths = bars_of(summands, rect, style)
    for row, (summand, length) in enumerate(zip(summands, lengths, strict=True)):
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
    painter.drawLine(QLineF(zero, rect.top(), zero, rect.top() + len(summands) * ROW * text))


def bars_of(summands: tuple[Summand, ...], rect: QRectF, style: Style) -> tuple[float, list[float]]:
    """Return where 0 is, so that both directions fit between names and numbers, and how long each bar is."""
    names = max(text_width(s.name, style.text) for s in summands) + style.text
    numbers = max(text_width(shown(s.value, 3), style.text) for s in summands) + 0.8 * style.text
    width = max(10.0, rect.width() - names - numbers)
    values = np.array([s.value for s in summands])
    shares = values / max(float(np.abs(values).max()), np.finfo(float).tiny)
    low, high = min(0.0, float(shares.min())), max(0.0, float(shares.max()))
    unit = width / max(high - low, 1e-9)
    return rect.left() + names - low * unit, (shares * unit).tolist()
