"""Fit against complexity: two bars whose sum the algorithm minimises."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from kernelviz.drawing.figure.strokes import pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.text import draw_text, text_width
from kernelviz.drawing.insight.picture import (
    InsightPicture,
    NothingToShow,
    PlotPicture,
    Remark,
    told_by_pairs,
)
from kernelviz.drawing.insight.plot import Axis, Plot
from kernelviz.drawing.insight.ranges import SteadyRange
from kernelviz.drawing.insight.stamps import Stamps
from kernelviz.drawing.wording import shown
from kernelviz.engine.analysis.functions import with_bump
from kernelviz.engine.core.params import Declared, flag
from kernelviz.engine.models.base import Model
from kernelviz.engine.numbers.of_fit import norm_of
from kernelviz.runtime.messages import Frame, Verdict

ROWS = 3
NOTHING = 1e-9  # Of the sum: what is less reads 0.
LEAST = SteadyRange.of_any_size()
REPRESENTER = (
    "Added to the fit, a function u orthogonal to every K(xᵢ, ·) is 0 at every point: the fit stays, and "
    "‖w‖² grows by ‖u‖². So the minimum has none of it: it is a sum of K(xᵢ, ·) alone."
)


@dataclass(frozen=True)
class BalanceSwitches(Declared):
    """What is added to the fit."""

    name: ClassVar[str] = "fit and complexity"
    bump: bool = flag(False, label="Add an orthogonal bump", help=REPRESENTER)


class _Heights(Axis):
    """Rows have no numbers beside them."""

    def ticks(self, count: int) -> list[float]:
        return []


@dataclass(frozen=True, eq=False, kw_only=True)
class BalancePicture(PlotPicture):
    """What the points cost, from there on what ||w|| costs, and below both the sum."""

    title = "Fit and complexity"
    switches = BalanceSwitches

    fit: float
    complexity: float
    norm: float | None  # ||w||
    formulas: tuple[str, str]
    bumped: tuple[float, float] | None = None  # Both terms with the bump, where one was asked for.
    can_bump: bool = False
    extent: SteadyRange = LEAST

    @classmethod
    def of(
        cls, frame: Frame, verdict: Verdict | None, switches: Any, before: BalancePicture | None
    ) -> InsightPicture:
        model, algorithm = frame.model, frame.model.algorithm
        terms, formulas = algorithm.fit_and_complexity(model), algorithm.terms(model)
        if terms is None or formulas is None:
            why = f"{algorithm.title} does not minimise a sum of fit and complexity."
            return told_by_pairs(model, "a sum", _has_terms) or NothingToShow(reason=why)
        if not (np.isfinite(terms).all() and min(terms) >= 0.0):
            return NothingToShow(
                reason="‖w‖² is not positive for this kernel, so there is no complexity term."
            )
        possible, remark = _with_bump(frame, verdict)
        bumped = possible if switches.bump else None
        return cls(
            fit=terms[0],
            complexity=terms[1],
            norm=norm_of(model),
            formulas=formulas,
            bumped=bumped,
            can_bump=possible is not None,
            extent=(before.extent if before else LEAST).covering(0.0, sum(bumped or terms)),
            remark=Remark(remark, REPRESENTER) if switches.bump else Remark(),
        )

    @property
    def axes(self) -> tuple[Axis, Axis]:
        return Axis(self.extent.low, self.extent.high), _Heights(0.0, float(ROWS))

    def draw_data(self, painter: QPainter, rect: QRectF, style: Style, stamps: Stamps | None) -> None:
        plot, theme = self._plot(rect, style), style.theme
        fit, complexity = self.bumped or (self.fit, self.complexity)
        whole, ends = fit + complexity, fit + self.complexity
        for row, (text, start, end, colour) in enumerate(
            (
                (self._words(0), 0.0, fit, theme.misclassified),
                (self._words(1), fit, ends, theme.positive),
                (self._words(2), 0.0, ends, theme.soft_ink),
            )
        ):
            bar = self._bar(plot, row, start, end)
            painter.fillRect(bar, QColor(colour))
            if row and self.bumped:
                more = self._bar(plot, row, ends, whole)
                painter.setPen(pen(theme.highlight, 1.2 * style.strokes, dash=(3.0, 2.0)))
                painter.drawRect(more)
            above = QPointF(plot.inner.left() + 0.3 * style.text, bar.top() - 0.35 * style.text)
            fitting = min(1.0, (plot.outer.right() - above.x()) / text_width(text, style.text))
            draw_text(painter, style, above, text, points=fitting * style.text)

    def _bar(self, plot: Plot, row: int, start: float, end: float) -> QRectF:
        """In the lower part of a row: its words are above it."""
        (left, top), (right, bottom) = plot.at(
            np.array([start, end]), np.array([ROWS - row - 0.5, ROWS - row - 0.88])
        ).tolist()
        return QRectF(left, top, right - left, bottom - top)

    def _words(self, row: int) -> str:
        """What a bar is and how long; with the bump also how long it was."""
        was = (self.fit, self.complexity, self.fit + self.complexity)[row]
        name = (f"fit  {self.formulas[0]}", f"complexity  {self.formulas[1]}", "sum, which is minimised")[row]
        nothing = NOTHING * (self.fit + self.complexity)
        told = f"{name} = {shown(was, 3, nothing)}"
        if self.bumped is not None:
            told += f" → {shown((*self.bumped, sum(self.bumped))[row], 3, nothing)}"
        elif row == 1 and self.norm is not None:
            told += f"   ‖w‖ = {shown(self.norm)}"
        return told

    @property
    def switchable(self) -> Collection[str]:
        return ("bump",) if self.can_bump else ()


def _with_bump(frame: Frame, verdict: Verdict | None) -> tuple[tuple[float, float] | None, str]:
    """Both terms of the fit with a bump added, or why there is none; known once nothing moves."""
    request = frame.request
    if verdict is None or verdict.request.data is not frame.data or verdict.request.kernel != request.kernel:
        return None, "The bump appears when you stop editing."
    if verdict.bump is None:
        return None, "There is nothing orthogonal to the points."
    return with_bump(frame.model, verdict.bump), "The fit stays, ‖w‖ grows."


def _has_terms(model: Model) -> bool:
    return model.algorithm.fit_and_complexity(model) is not None
