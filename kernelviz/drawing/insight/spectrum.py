"""The eigenvalues of the Gram matrix, largest first, on a scale of powers of ten."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.insight.picture import InsightPicture, NothingToShow, PlotPicture, Remark
from kernelviz.drawing.insight.plot import Axis, Curve
from kernelviz.drawing.insight.ranges import decades
from kernelviz.drawing.insight.stamps import Stamps
from kernelviz.drawing.wording import shown
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.kernels.mercer import MOST_JUDGED, Mercer
from kernelviz.runtime.messages import Frame, Verdict

ABOUT = (
    "Effective rank: exp(−Σ p ln p), p the shares of the eigenvalues: in so many directions points spread. "
    "Condition: the largest over the smallest; digits lost when the matrix is inverted."
)


@dataclass(frozen=True, eq=False, kw_only=True)
class SpectrumPicture(PlotPicture):
    """A bar for each eigenvalue that is more than rounding; negative ones by their size, in the other colour.
    They are those of the last moment in which nothing moved."""

    title = "Spectrum"

    mercer: Mercer
    n: int

    @classmethod
    def of(
        cls, frame: Frame, verdict: Verdict | None, switches: Any, before: SpectrumPicture | None
    ) -> InsightPicture:
        if verdict is None:
            return NothingToShow(reason="Eigenvalues are computed when you stop editing.")
        return cls.of_verdict(verdict)

    @classmethod
    def of_verdict(cls, verdict: Verdict) -> InsightPicture:
        mercer = verdict.mercer
        if not len(mercer.eigenvalues) or not np.abs(mercer.eigenvalues).max() > 0.0:
            return NothingToShow(reason="This matrix has no eigenvalues but 0.")
        n = verdict.request.data.n
        told = "" if n <= MOST_JUDGED else f"the first {MOST_JUDGED} of {n} points"
        return cls(mercer=mercer, n=n, remark=Remark(told, ABOUT if told else ""))

    @property
    def values(self) -> Array:
        """Largest first."""
        return self.mercer.eigenvalues[::-1]

    @property
    def negative(self) -> int:
        """How many are below 0 by more than rounding."""
        return int(np.count_nonzero(self.values < -self.mercer.rounding))

    @property
    def axes(self) -> tuple[Axis, Axis]:
        sizes = np.abs(self.values)
        seen = sizes[sizes > self.mercer.rounding]
        low, high = decades(np.append(seen, 0.5 * seen.min()))  # the smallest has a bar too
        return Axis(0.0, float(len(sizes)), "eigenvalue", whole=True), Axis(low, high, "λ", log=True)

    @property
    def ground(self) -> Hashable:
        return self.mercer, self.axes

    def draw_ground(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        plot, theme = self._plot(rect, style), style.theme
        plot.draw_axes(painter)
        sizes = np.abs(self.values)
        edges = plot.at(np.arange(len(sizes) + 1.0), plot.y.low)[:, 0]
        tops = plot.at(0.0, np.maximum(sizes, plot.y.low))[:, 1].tolist()
        painter.setPen(Qt.PenStyle.NoPen)
        for k, (value, top) in enumerate(zip(self.values.tolist(), tops, strict=True)):
            if abs(value) <= self.mercer.rounding:
                continue
            left, wide = float(edges[k]), float(edges[k + 1] - edges[k])
            gap = 0.12 * wide if wide > 3 else 0.0
            painter.setBrush(QColor(theme.positive if value > 0 else theme.negative))
            painter.drawRect(QRectF(left + gap / 2, top, wide - gap, plot.inner.bottom() - top))
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def draw_data(self, painter: QPainter, rect: QRectF, style: Style, stamps: Stamps | None) -> None:
        ink = style.theme.ink
        rank = f"{shown(self.mercer.effective_rank, 3)} of {len(self.values)}"
        entries = [
            (Curve("effective rank", ink, 0.0), rank),
            (Curve("condition", ink, 0.0), shown(self.mercer.condition, 3)),
        ]
        if not self.mercer.holds:
            entries.append((Curve("negative", style.theme.negative, 3.0), str(self.negative)))
        if zero := int(np.count_nonzero(np.abs(self.values) <= self.mercer.rounding)):
            entries.append((Curve("zero (numerically)", ink, 0.0), str(zero)))
        self._plot(rect, style).draw_strip(painter, entries)
