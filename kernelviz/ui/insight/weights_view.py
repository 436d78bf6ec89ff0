"""The dual weights, largest first, against their bound, with each point's violation of its condition."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from kernelviz.drawing.figure.colours import blend
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.plots.plot import Axis, Curve, Plot, align, shown
from kernelviz.drawing.plots.ranges import SteadyRange
from kernelviz.drawing.theme import Theme
from kernelviz.engine.arrays import Array, Indices
from kernelviz.engine.data import Data, Task
from kernelviz.runtime.messages import Frame
from kernelviz.ui.insight.base import PictureView
from kernelviz.ui.insight.stamps import on_screen
from kernelviz.ui.workbench.workbench import Workbench

__all__ = ["WeightsView"]

FADED = 0.45
ROOM_FOR_BOTH = 21
"""Height, in units of the text's size, from which the residuals get a plot of their own."""


class WeightsView(PictureView):
    """α of every support vector, sorted; bounded ones in full colour, free ones lighter."""

    title = "Dual weights"

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._count, self._height = SteadyRange(0.0, 5.0), SteadyRange(0.0, 1e-6)
        self._residuals = SteadyRange(0.0, 2e-3)
        self._order: Indices = np.empty(0, dtype=np.intp)
        self._alpha: Array = np.empty(0)
        self._plot: Plot | None = None

    def nothing_to_show(self) -> str:
        if self.taken is not None and self.taken.table.alpha is None:
            return "This algorithm has no dual weights."
        if self.taken is not None and len(self._order) == 0:
            return "There are no support vectors: all weights are zero."
        return super().nothing_to_show()

    def take(self, frame: Frame | None) -> None:
        if frame is not None and frame.table.alpha is not None:
            support = frame.model.support
            support = support[support < frame.data.n]
            # The number breaks ties, so that points at the bound keep their places.
            self._order = support[np.argsort(-frame.table.alpha[support], kind="stable")]
            self._alpha = frame.table.alpha[self._order]
            self._count.cover(0.0, float(len(self._order)))
            self._height.cover(0.0, float(self._alpha.max(initial=0.0)))
            if frame.table.residual is not None:
                self._residuals.cover(0.0, float(frame.table.residual.max(initial=0.0)))
        super().take(frame)

    def mark_at(self, at: QPointF) -> int | None:
        if self._plot is None or not self._plot.inner.adjusted(0, -4, 0, 40).contains(at):
            return None
        fraction = (at.x() - self._plot.inner.left()) / self._plot.inner.width()
        k = int(self._plot.x.value(fraction))
        return int(self._order[k]) if 0 <= k < len(self._order) else None

    # Painting -----------------------------------------------------------------------------------------
    def _plots(self, painter: QPainter, rect: QRectF, style: Style) -> tuple[Plot, Plot | None]:
        assert self.taken is not None
        # Where there is little room the weights matter more.
        with_residuals = self.taken.table.residual is not None and rect.height() > ROOM_FOR_BOTH * style.text
        lower = 0.42 * rect.height() if with_residuals else 0.0
        label = "support vectors, largest weight first"
        x = Axis(0.0, self._count.high, "" if with_residuals else label, whole=True, bare=with_residuals)
        upper = QRectF(rect.left(), rect.top(), rect.width(), rect.height() - lower)
        weights = Plot(painter, style, upper, x, Axis(0.0, self._height.high, "α"))
        if not with_residuals:
            return weights, None
        part = QRectF(rect.left(), upper.bottom(), rect.width(), lower)
        below = Axis(0.0, self._count.high, label, whole=True)
        residuals = Plot(painter, style, part, below, Axis(0.0, self._residuals.high, "KKT"))
        align([weights, residuals])
        return weights, residuals

    def background_key(self) -> Hashable:
        assert self.taken is not None
        has = self.taken.table.residual is not None
        return (self._count.high, self._height.high, self._residuals.high, has)

    def paint_background(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        for plot in self._plots(painter, rect, style):
            if plot is not None:
                plot.draw_axes()

    def paint_frame(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        weights, residuals = self._plots(painter, rect, style)
        self._plot = weights
        self._draw_bars(weights, self._alpha, faded=True)
        if residuals is not None and self.taken is not None and self.taken.table.residual is not None:
            self._draw_bars(residuals, self.taken.table.residual[self._order], faded=False)
            most = float(self.taken.table.residual.max(initial=0.0))
            residuals.draw_strip([(Curve("largest KKT violation", style.theme.ink, 0.0), shown(most, 3))])
        self._draw_bound(weights)

    def _draw_bars(self, plot: Plot, values: Array, *, faded: bool) -> None:
        """A bar for each support vector, all bars of one colour at once."""
        edges = plot.at(np.arange(len(values) + 1.0), 0.0)[:, 0]
        tops = plot.at(0.0, values)[:, 1].tolist()
        wide = float(edges[1] - edges[0])
        gap = 0.12 * wide if wide > 3 else 0.0
        # More bars than the eye can tell apart: every so-many-th stands for its neighbours.
        stride = max(1, int(1.5 / wide))
        bars: dict[str, list[QRectF]] = {}
        for k, colour in enumerate(self._looks(plot.style.theme, faded)[::stride]):
            left, top = float(edges[k * stride]), tops[k * stride]
            bar = QRectF(left + gap / 2, top, stride * wide - gap, plot.inner.bottom() - top)
            bars.setdefault(colour, []).append(bar)
        painter = plot.painter
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, not on_screen(painter))
        for colour, rects in bars.items():
            painter.setBrush(QColor(colour))
            painter.drawRects(rects)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for k in np.flatnonzero(self._order == self.workbench.hovered_point).tolist():
            text = f"point {self._order[k] + 1}: {shown(float(values[k]), 3)}"
            plot.draw_label(QPointF(float(edges[k]), tops[k]), text, plot.style.theme.highlight, 3.0)

    def _looks(self, theme: Theme, faded: bool) -> list[str]:
        """The colour of every bar; lighter where it is free. Opaque, which paints ten times faster."""
        assert self.taken is not None
        data, marked, at_bound = self.taken.data, set(self.marked), self._at_bound()
        free = ~at_bound if faded and at_bound is not None else np.zeros(len(self._order), dtype=bool)
        return [
            theme.highlight if i in marked else _lighter(theme, data, i) if light else _colour(theme, data, i)
            for i, light in zip(self._order.tolist(), free.tolist(), strict=True)
        ]

    def _at_bound(self) -> np.ndarray | None:
        assert self.taken is not None
        box = self.taken.model.box
        return None if box is None else self._alpha >= box[self._order]

    def _draw_bound(self, plot: Plot) -> None:
        """The bound C as a line, when all points share one that is in sight; the legend counts both kinds."""
        assert self.taken is not None
        box, theme = self.taken.model.box, plot.style.theme
        entries = []
        if box is not None and np.ptp(box) == 0 and box[0] <= plot.y.high:
            curve = Curve("bound", theme.soft_ink, 1.0, (4.0, 2.0))
            ends = np.array([plot.x.low, plot.x.high])
            plot.draw_curve(ends, np.full(2, float(box[0])), curve)
            entries.append((curve, shown(float(box[0]))))
        numbers = self.taken.model.numbers
        if numbers.get("free") is not None:
            text = f"{numbers['free']} free, {numbers['bounded']} bounded"
            entries.append((Curve("", theme.ink, 0.0), text))
        plot.draw_strip(entries)


def _colour(theme: Theme, data: Data, i: int) -> str:
    if data.task is Task.TWO_CLASSES:
        return theme.positive if data.z[i] > 0 else theme.negative
    if data.task is Task.CLASSES:
        return theme.of_class(int(data.y[i]), len(data.class_names))
    return theme.ink


def _lighter(theme: Theme, data: Data, i: int) -> str:
    return _mixed(theme.paper, _colour(theme, data, i), FADED)


_mixed = lru_cache(maxsize=64)(blend)
