"""The fit as a vector: its norm as a sum over the points, and how far it is from another function."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.insight.picture import (
    InsightPicture,
    NothingToShow,
    PictureMaker,
    PlotPicture,
    told_by_pairs,
)
from kernelviz.drawing.insight.plot import Axis, Curve
from kernelviz.drawing.insight.ranges import SteadyRange
from kernelviz.drawing.insight.stamps import Stamps
from kernelviz.drawing.wording import named, shown
from kernelviz.engine.analysis.functions import Comparison, compared, norm_terms
from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Declared, choice
from kernelviz.engine.fits.solve import algorithm_for
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.engine.models.problem import Problem
from kernelviz.runtime.messages import Frame, Verdict

LEAST = SteadyRange.of_any_size()
FEWEST = SteadyRange.at_least(0.0, 5.0)
ABOUT = (
    "f is the fit without b, a sum of βᵢK(xᵢ, ·). ⟨f, g⟩ is a sum over pairs of points, weights times K; "
    "‖f − g‖² = ‖f‖² − 2⟨f, g⟩ + ‖g‖². The bars are βᵢ(Kβ)ᵢ, which add up to ‖f‖²."
)
BEFORE, OTHER = "earlier", "another"
UNEDITED = "edit something: g is the function before"  # A hint, which is not printed.


@dataclass(frozen=True)
class FunctionsSwitches(Declared):
    """What the fit is compared with."""

    name: ClassVar[str] = "the functions"
    other: str = choice(
        BEFORE,
        (BEFORE, OTHER),
        label="Compare with g,",
        help=f"g: the fit before the last edit, or another fit of the session. {ABOUT}",
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class FunctionsPicture(PlotPicture):
    """A bar for what each point adds to ||f||², largest first; above them the numbers of f and g."""

    title = "Function space"
    switches = FunctionsSwitches

    data: Data
    terms: Array
    order: Indices  # The points with a term, the largest first.
    square: float  # ||f||²
    comparison: Comparison | None
    words: str  # What g is, or why there is none.
    count: SteadyRange = FEWEST
    height: SteadyRange = LEAST

    @classmethod
    def of(
        cls, frame: Frame, verdict: Verdict | None, switches: Any, before: FunctionsPicture | None
    ) -> InsightPicture:
        return FunctionsMaker(cls, switches).make(frame, verdict, before)

    @property
    def axes(self) -> tuple[Axis, Axis]:
        x = Axis(0.0, self.count.high, "points, largest term first", whole=True)
        return x, Axis(self.height.low, self.height.high, "βᵢ(Kβ)ᵢ")

    def points_at(self, at: QPointF, rect: QRectF, style: Style) -> tuple[int, ...]:
        plot = self._plot(rect, style)
        k = int(plot.value_at(at.x()))
        inside = plot.inner.contains(at) and 0 <= k < len(self.order)
        return (int(self.order[k]),) if inside else ()

    def on_paper(self) -> FunctionsPicture:
        return replace(self, words="") if self.words == UNEDITED else self

    def draw_data(self, painter: QPainter, rect: QRectF, style: Style, stamps: Stamps | None) -> None:
        plot, theme, marked = self._plot(rect, style), style.theme, set(self.marks.among(self.data.n))
        edges = plot.at(np.arange(len(self.order) + 1.0), 0.0)
        tops = plot.at(0.0, self.terms[self.order])[:, 1].tolist()
        painter.setPen(Qt.PenStyle.NoPen)
        for k, (i, top) in enumerate(zip(self.order.tolist(), tops, strict=True)):
            left, wide, zero = float(edges[k, 0]), float(edges[k + 1, 0] - edges[k, 0]), float(edges[k, 1])
            gap = 0.12 * wide if wide > 3 else 0.0
            colour = theme.positive if self.terms[i] >= 0 else theme.negative
            painter.setBrush(QColor(theme.highlight if i in marked else colour))
            painter.drawRect(QRectF(left + gap / 2, top, wide - gap, zero - top).normalized())
        painter.setBrush(Qt.BrushStyle.NoBrush)
        plot.draw_strip(painter, [(Curve(name, theme.ink, 0.0), value) for name, value in self.told()])
        hovered = self.marks.hovered
        for k in np.flatnonzero(self.order == hovered).tolist():
            words = f"{named(self.data, int(self.order[k]))}: {shown(float(self.terms[self.order[k]]), 3)}"
            plot.draw_label(painter, QPointF(float(edges[k, 0]), tops[k]), words, theme.highlight, 3.0)

    def told(self) -> list[tuple[str, str]]:
        """Names and values of the numbers."""
        found = [("‖f‖² = Σ =", shown(self.square))]
        if self.comparison is not None:
            tiny = 1e-7 * max(*self.comparison.norms, 1e-300)
            found += [
                ("‖g‖ =", shown(self.comparison.norms[1])),
                ("⟨f, g⟩ =", shown(self.comparison.product)),
                ("‖f − g‖ =", shown(self.comparison.distance, 4, tiny)),
            ]
        return [*found, (self.words, "")] if self.words else found


@dataclass(frozen=True)
class FunctionsMaker(PictureMaker):
    """Knows the function before the last edit."""

    reference: KernelModel | None = None

    def make(
        self, frame: Frame | None, verdict: Verdict | None = None, before: InsightPicture | None = None
    ) -> InsightPicture:
        if frame is None:
            return NothingToShow()
        f = frame.model
        if not isinstance(f, KernelModel) or not f.problem.kernel.positive_definite:
            why = NothingToShow(reason="This fit is no function of a kernel's space: there is no norm.")
            return told_by_pairs(f, "a function", lambda m: isinstance(m, KernelModel)) or why
        last = before if isinstance(before, FunctionsPicture) else None
        terms = norm_terms(f)
        order = np.flatnonzero(terms)
        order = order[np.argsort(-terms[order], kind="stable")]
        comparison, words = self._compared(frame, f)
        low, high = float(terms.min(initial=0.0)), float(terms.max(initial=0.0))
        return FunctionsPicture(
            data=frame.data,
            terms=terms,
            order=order,
            square=float(terms.sum()),
            comparison=comparison,
            count=(last.count if last else FEWEST).covering(0.0, float(len(order))),
            height=(last.height if last and len(order) else LEAST).covering(low, high),
            words=words,
        )

    def _compared(self, frame: Frame, f: KernelModel) -> tuple[Comparison | None, str]:
        """f beside g, and in words what g is or why there is none."""
        g, words = self._other(frame, f)
        try:
            return (None if g is None else compared(f, g)), words
        except BadInput as trouble:  # inputs of another kind
            return None, str(trouble)

    def _other(self, frame: Frame, f: KernelModel) -> tuple[KernelModel | None, str]:
        """What f is compared with, and in words what that is or why there is nothing."""
        if getattr(self.switches, "other", BEFORE) == BEFORE:
            if self.reference is None:
                return None, UNEDITED
            if self.reference.problem.kernel != f.problem.kernel:
                return None, "the kernel changed, so f and g are in different spaces"
            return self.reference, "g: the fit before"
        kernel = f.problem.kernel
        others = [fit for k, fit in enumerate(frame.request.fits) if k != frame.fit and fit.kernel == kernel]
        if not others:
            return None, "no other fit has this kernel"
        try:
            problem = Problem(frame.data, kernel)
            g = algorithm_for(frame.data, others[0].algorithm).fit(problem)
        except BadInput as trouble:
            return None, str(trouble)
        return (g, f"g: {others[0].algorithm}") if isinstance(g, KernelModel) else (None, "g has no norm")
