"""The dual weights, largest first, against their bound, with each point's violation of its condition."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from kernelviz.drawing.figure.colours import blend
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.insight.conditions import ConditionsPicture
from kernelviz.drawing.insight.faces import FacesPicture
from kernelviz.drawing.insight.picture import InsightPicture, NothingToShow, padded, told_by_pairs
from kernelviz.drawing.insight.plot import Axis, Curve, Plot, align
from kernelviz.drawing.insight.ranges import SteadyRange
from kernelviz.drawing.insight.stamps import Stamps
from kernelviz.drawing.theme import Theme
from kernelviz.drawing.wording import shown
from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.params import Declared, choice
from kernelviz.runtime.messages import Frame, Verdict

FEWEST = SteadyRange.at_least(0.0, 5.0)
LEAST_WEIGHT, LEAST_VIOLATION = SteadyRange.of_any_size(), SteadyRange.at_least(0.0, 2e-3)
FADED = 0.45
ROUNDED = 1e-12
"""A violation that rounding leaves where there is none."""
ROOM_FOR_BOTH = 21
"""Height, in units of the text's size, from which the residuals get a plot of their own."""
AROUND = (4.0, 40.0)
"""Points above and below the bars where the mouse still means them."""


@dataclass(frozen=True, eq=False, kw_only=True)
class WeightBars(InsightPicture):
    """α of every support vector, sorted; bounded ones in full colour, free ones lighter."""

    title = "Weights"

    frame: Frame
    order: Indices
    """The support vectors, largest weight first."""
    alpha: Array
    """Their weights."""
    residual: Array | None
    """Their violations of the optimality conditions, where defined."""
    most_violated: float
    count: SteadyRange = FEWEST
    height: SteadyRange = LEAST_WEIGHT
    violation: SteadyRange = LEAST_VIOLATION

    @classmethod
    def of(
        cls, frame: Frame, verdict: Verdict | None, switches: Any, before: WeightBars | None
    ) -> InsightPicture:
        table, support = frame.table, frame.model.support
        if table.alpha is None:
            why = NothingToShow(reason="This algorithm has no dual weights.")
            return told_by_pairs(frame.model, "dual weights", lambda m: m.alpha is not None) or why
        support = support[support < frame.data.n]
        if len(support) == 0:
            return NothingToShow(reason="There are no support vectors: all weights are zero.")
        # The number breaks ties, so that points at the bound keep their places.
        order = support[np.argsort(-table.alpha[support], kind="stable")]
        most = 0.0 if table.residual is None else float(table.residual.max(initial=0.0))
        last = before or cls
        return cls(
            frame=frame,
            order=order,
            alpha=table.alpha[order],
            residual=None if table.residual is None else table.residual[order],
            most_violated=most,
            count=last.count.covering(0.0, float(len(order))),
            height=last.height.covering(0.0, float(table.alpha[order].max())),
            violation=last.violation.covering(0.0, most),
        )

    def _plots(self, rect: QRectF, style: Style) -> tuple[Plot, Plot | None]:
        rect = padded(rect, style)
        # Where there is little room the weights matter more.
        both = self.residual is not None and rect.height() > ROOM_FOR_BOTH * style.text
        lower = 0.42 * rect.height() if both else 0.0
        whose = "points" if self.frame.model.algorithm.weighs_every_point else "support vectors"
        label = f"{whose}, largest weight first"
        x = Axis(0.0, self.count.high, "" if both else label, whole=True, bare=both)
        upper = QRectF(rect.left(), rect.top(), rect.width(), rect.height() - lower)
        weights = Plot(
            style, upper, x, Axis(0.0, self.height.high, "α" if self.frame.model.residuals is None else "|β|")
        )
        if not both:
            return weights, None
        part = QRectF(rect.left(), upper.bottom(), rect.width(), lower)
        below = Axis(0.0, self.count.high, label, whole=True)
        residuals = Plot(style, part, below, Axis(0.0, self.violation.high, "KKT"))
        align([weights, residuals])
        return weights, residuals

    def points_at(self, at: QPointF, rect: QRectF, style: Style) -> tuple[int, ...]:
        plot, _ = self._plots(rect, style)
        if not plot.inner.adjusted(0, -AROUND[0], 0, AROUND[1]).contains(at):
            return ()
        k = int(plot.value_at(at.x()))
        return (int(self.order[k]),) if 0 <= k < len(self.order) else ()

    @property
    def ground(self) -> Hashable:
        return (self.count, self.height, self.violation, self.residual is None)

    def draw_ground(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        for plot in self._plots(rect, style):
            if plot is not None:
                plot.draw_axes(painter)

    def draw_data(self, painter: QPainter, rect: QRectF, style: Style, stamps: Stamps | None) -> None:
        weights, residuals = self._plots(rect, style)
        on_screen = stamps is not None
        self._draw_bars(painter, weights, self.alpha, self._free, sharp=on_screen)
        if residuals is not None and self.residual is not None:
            self._draw_bars(painter, residuals, self.residual, np.zeros_like(self._free), sharp=on_screen)
            entry = (
                Curve("largest KKT violation", style.theme.ink, 0.0),
                shown(self.most_violated, 3, zero=ROUNDED),
            )
            residuals.draw_strip(painter, [entry])
        self._draw_bound(painter, weights)

    def _draw_bars(
        self, painter: QPainter, plot: Plot, values: Array, faded: np.ndarray, *, sharp: bool
    ) -> None:
        """A bar for each support vector, all bars of one colour at once; sharp ones are drawn faster."""
        edges = plot.at(np.arange(len(values) + 1.0), 0.0)[:, 0]
        tops = plot.at(0.0, values)[:, 1].tolist()
        wide = float(edges[1] - edges[0])
        gap = 0.12 * wide if wide > 3 else 0.0
        # More bars than the eye can tell apart: every so-many-th stands for its neighbours.
        stride = max(1, int(1.5 / wide))
        bars: dict[str, list[QRectF]] = {}
        for k, colour in enumerate(self._colours(plot.style.theme, faded)[::stride]):
            left, top = float(edges[k * stride]), tops[k * stride]
            bar = QRectF(left + gap / 2, top, stride * wide - gap, plot.inner.bottom() - top)
            bars.setdefault(colour, []).append(bar)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, not sharp)
        for colour, rects in bars.items():
            painter.setBrush(QColor(colour))
            painter.drawRects(rects)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for k in np.flatnonzero(self.order == self.marks.hovered).tolist():
            text = f"point {self.order[k] + 1}: {shown(float(values[k]), 3)}"
            at = QPointF(float(edges[k]), tops[k])
            plot.draw_label(painter, at, text, plot.style.theme.highlight, 3.0)

    def _colours(self, theme: Theme, faded: np.ndarray) -> list[str]:
        """The colour of every bar. Opaque, which paints ten times faster."""
        data, marked = self.frame.data, set(self.marks.among(self.frame.data.n))
        codes, count = data.codes, len(data.class_names)
        own = [theme.ink if codes is None else theme.of_class(k, count) for k in range(max(count, 1))]
        lighter = [_mixed(theme.paper, colour, FADED) for colour in own]
        which = np.zeros(data.n, dtype=np.intp) if codes is None else codes
        return [
            theme.highlight if i in marked else (lighter if light else own)[which[i]]
            for i, light in zip(self.order.tolist(), faded.tolist(), strict=True)
        ]

    @property
    def _free(self) -> np.ndarray:
        """Which weights are below their bound; none where there is no bound."""
        box = self.frame.model.box
        return np.zeros(len(self.order), dtype=bool) if box is None else self.alpha < box[self.order]

    def _draw_bound(self, painter: QPainter, plot: Plot) -> None:
        """The bound C as a line, when all points share one that is in sight; the legend counts both kinds."""
        box, theme = self.frame.model.box, plot.style.theme
        entries = []
        if box is not None and np.ptp(box) == 0 and box[0] <= plot.y.high:
            curve = Curve("bound", theme.soft_ink, 1.0, (4.0, 2.0))
            ends = np.array([plot.x.low, plot.x.high])
            plot.draw_curve(painter, ends, np.full(2, float(box[0])), curve)
            entries.append((curve, shown(float(box[0]))))
        numbers = self.frame.model.numbers
        if numbers.get("free") is not None:
            text = f"{numbers['free']} free, {numbers['bounded']} bounded"
            entries.append((Curve("", theme.ink, 0.0), text))
        plot.draw_strip(painter, entries)


@dataclass(frozen=True)
class WeightSwitches(Declared):
    """What is seen of the weights."""

    name: ClassVar[str] = "the weights"
    face: str = choice(
        "weights",
        ("weights", "conditions"),
        label="Show",
        help="The weights, largest first; or each point at its weight and its score, where it must be at the "
        "optimum (KKT)",
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class WeightsPicture(FacesPicture):
    """The weights as bars, or what each asks of its point."""

    title = "Dual weights"
    switches = WeightSwitches

    @classmethod
    def faces(cls) -> Mapping[str, type[InsightPicture]]:
        return {"weights": WeightBars, "conditions": ConditionsPicture}


_mixed = lru_cache(maxsize=64)(blend)
