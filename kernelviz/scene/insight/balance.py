"""Fit against complexity: two bars whose sum the algorithm minimises.

For a soft margin the sum is C Σ ξᵢ + ½‖w‖², for ridge Σ (yᵢ − s(xᵢ))² + λ‖w‖². The view can also show why
the minimum is a sum of K(xᵢ, ·): a function orthogonal to all of them costs complexity and gains no fit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from kernelviz.engine.analysis.functions import with_bump
from kernelviz.engine.core.params import flag
from kernelviz.engine.numbers.of_fit import norm_of
from kernelviz.runtime.messages import Frame
from kernelviz.scene.axes import Axis, SteadyRange, ink
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.figure.text import draw_text, text_width
from kernelviz.scene.layers import Coordinates, Layer
from kernelviz.scene.plots import Plot
from kernelviz.scene.view import Now, Scene, View, ViewMemory, each_pair_has, message
from kernelviz.scene.wording import Remark, shown

BAR_ROWS = 3
REPRESENTER = (
    "Added to the fit, a function u orthogonal to every K(xᵢ, ·) is 0 at every point: the fit stays, and "
    "‖w‖² grows by ‖u‖². So the minimum has none of it: it is a sum of K(xᵢ, ·) alone."
)


@dataclass(frozen=True)
class BalanceView(View):
    """A bar for the cost of the points, then one for the cost of ‖w‖, and below both their sum. The switch
    adds a bump that only raises the cost, here and, where it can be drawn, on the canvas."""

    name = "balance"
    title = "Fit and complexity"
    family = "Fit"
    summary_line = "What the points cost and what ‖w‖ costs: the two terms the algorithm minimises."
    number = 9
    on_canvas = {"bump": "raised"}

    bump: bool = flag(False, label="Add an orthogonal bump", help=REPRESENTER)

    def scene(self, frame: Frame, now: Now, memory: ViewMemory) -> Scene:
        """Return the bars of both terms and their sum, or why the algorithm has none. With the bump its terms
        are known once editing rests."""
        model, algorithm = frame.model, frame.model.algorithm
        terms, formulas = model.fit_and_complexity, model.formulas_of_terms
        if terms is None or formulas is None:
            has_terms = lambda pair: pair.fit_and_complexity is not None  # noqa: E731
            reason = f"{algorithm.title} does not minimise a sum of fit and complexity."
            return message(each_pair_has(model, "a sum", has_terms) or reason)
        not_positive = "‖w‖² is not positive for this kernel, so there is no complexity term."
        if not (np.isfinite(terms).all() and min(terms) >= 0.0):
            return message(not_positive)
        # The bump is known once editing rests.
        possible, words, verdict = None, "The bump appears when you stop editing.", now.verdict
        asked = None if verdict is None else (verdict.request.data, verdict.request.kernel)
        if verdict is not None and asked == (frame.data, frame.request.kernel):
            words = "No bump is orthogonal to all points."
            if verdict.bump is not None:
                possible, words = with_bump(model, verdict.bump), "The fit stays, ‖w‖ grows."
        bumped = possible if self.bump else None
        bars = BarsOfTerms(part="bars", terms=terms, bumped=bumped, formulas=formulas, norm=norm_of(model))
        any_length = SteadyRange.of_any_size()
        plot = Plot(
            part="balance",
            x=memory.axis("extent", any_length, np.array([0.0, sum(bumped or terms)])),
            y=Axis(0.0, float(BAR_ROWS), bare=True),
            layers=(bars,),
        )
        remark = Remark(words, REPRESENTER) if self.bump else Remark()
        return Scene(plot, () if possible is None else ("bump",), remark)


@dataclass(frozen=True, eq=False, kw_only=True)
class BarsOfTerms(Layer):
    """Horizontal bars for fit, complexity and their sum, with words above each. The bar of the complexity
    begins where that of the fit ends; the share of a bump is drawn dashed."""

    terms: tuple[float, float]
    formulas: tuple[str, str]
    norm: float | None  # ‖w‖
    bumped: tuple[float, float] | None = None  # Both terms with the bump, if it is added.

    @property
    def words(self) -> tuple[str, ...]:
        """The name and length of each bar; with the bump, the length before and after."""
        names = (f"fit  {self.formulas[0]}", f"complexity  {self.formulas[1]}", "sum (minimised)")
        negligible = 1e-9  # A share of the sum below which a term is 0.
        before, nothing = (*self.terms, sum(self.terms)), negligible * sum(self.terms)
        words = [f"{name} = {shown(value, 3, nothing)}" for name, value in zip(names, before, strict=True)]
        if self.bumped is not None:
            after = (*self.bumped, sum(self.bumped))
            return tuple(f"{w} → {shown(value, 3, nothing)}" for w, value in zip(words, after, strict=True))
        if self.norm is not None:
            words[1] += f"   ‖w‖ = {shown(self.norm)}"
        return tuple(words)

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        fit, complexity = self.bumped or self.terms
        end, end_with_bump = fit + self.terms[1], fit + complexity
        style, theme = axes.style, axes.style.theme
        left = axes.inner.left() + 0.3 * style.text
        longest = max(text_width(words, style.text) for words in self.words)
        size = style.text * min(1.0, (axes.rect.right() - left) / longest)  # numbers are not cut off
        bars = ((0.0, fit, "misclassified"), (fit, end, "success"), (0.0, end, "soft_ink"))
        for row, (words, (start, stop, role)) in enumerate(zip(self.words, bars, strict=True)):
            bar = _bar(axes, row, start, stop)
            painter.fillRect(bar, QColor(ink(theme, role)))
            if row and self.bumped:
                painter.setPen(pen(theme.highlight, 1.2 * style.strokes, dash=(3.0, 2.0)))
                painter.drawRect(_bar(axes, row, end, end_with_bump))
            draw_text(painter, style, QPointF(left, bar.top() - 0.35 * style.text), words, points=size)


def _bar(axes: Coordinates, row: int, start: float, end: float) -> QRectF:
    """Return the place of a bar in the lower part of its row: the words are above it."""
    ends, heights = np.array([start, end]), np.array([BAR_ROWS - row - 0.5, BAR_ROWS - row - 0.88])
    (left, top), (right, bottom) = axes.at(ends, heights).tolist()
    return QRectF(left, top, right - left, bottom - top)
