"""The course of the algorithm: hinge loss and error above, objectives and their gap below."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel

from kernelviz.drawing.figure.strokes import pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.plots.plot import Axis, Curve, Plot, align, shown
from kernelviz.drawing.plots.ranges import SteadyRange, decades
from kernelviz.drawing.theme import LIGHT, Theme
from kernelviz.engine.analysis.gap import about_the_gap, share_of_the_dual
from kernelviz.engine.arrays import Array
from kernelviz.runtime.messages import Frame
from kernelviz.runtime.trace import Trace
from kernelviz.ui.insight.base import PictureView
from kernelviz.ui.insight.mistakes import MistakeTally
from kernelviz.ui.workbench.workbench import Workbench

__all__ = ["ConvergenceView"]

Series = tuple[Curve, Array]
TALL = 5.0
"""A hinge loss beyond this would press the error, which is at most 1, flat onto the axis: it gets a plot of
its own."""


class ConvergenceView(PictureView):
    """Mean hinge loss and training error per iteration; primal and dual objective where defined."""

    title = "Convergence"

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self.log = QCheckBox("Logarithmic")
        self.log.setToolTip("Show powers of ten at equal distances: a straight line is geometric convergence")
        self.log.toggled.connect(self.picture.update)
        row = QHBoxLayout()
        row.setContentsMargins(8, 4, 8, 0)
        row.addWidget(self.log)
        row.addStretch(1)
        self.remark = QLabel()
        self.remark.setProperty("role", "muted")
        row.addWidget(self.remark)
        self._tally = MistakeTally(workbench, self._show_remark)
        self.column.insertLayout(0, row)
        self._steps = SteadyRange(0.0, 10.0)
        self._heights: list[_Height] = []
        self._plots: list[Plot] = []

    @property
    def trace(self) -> Trace | None:
        """The course shown."""
        return self.taken.trace if self.taken is not None else None

    def nothing_to_show(self) -> str:
        reason = super().nothing_to_show()
        if reason:
            return reason
        trace = self.trace
        if trace is not None and len(trace) > 1:
            return ""
        iterations = self.taken.model.numbers.get("iterations") if self.taken is not None else None
        if (iterations or 0) > 1 and self.workbench.session.look.mode == "live":
            return "Live shows the result alone; Watch shows how it comes about."
        return "This result took a single step: there is no course to show."

    def take(self, frame: Frame | None) -> None:
        if frame is not None and len(frame.trace):
            steps = frame.trace.column("step")
            if steps[-1] < self._steps.low or steps[-1] < 0.25 * self._steps.high:
                self._steps = SteadyRange(0.0, 10.0)
            self._steps.cover(0.0, float(steps[-1]))
        super().take(frame)
        self._show_remark()

    def _show_remark(self) -> None:
        """A perceptron's mistakes and their bound, or why a converged machine has a wide gap."""
        words, meaning = self._tally.words(self.taken), self._tally.meaning(self.taken)
        if not words and self.taken is not None and (meaning := about_the_gap(self.taken.model)):
            words = f"gap {share_of_the_dual(self.taken.model)} dual"
        self.remark.setText(words)
        self.remark.setToolTip(meaning)

    def on_clicked(self, at: QPointF) -> None:
        """While watching, a click goes to that step."""
        if self.workbench.session.look.mode == "watch" and self._plots:
            plot = self._plots[0]
            fraction = (at.x() - plot.inner.left()) / plot.inner.width()
            step = round(plot.x.value(min(1.0, max(0.0, fraction))))
            self.workbench.session.adjust(step=max(0, step))

    # Painting -----------------------------------------------------------------------------------------
    def _groups(self, theme: Theme) -> list[list[Series]]:
        """The curves of the plots, from above, as far as they are defined."""
        assert self.taken is not None
        trace = self.taken.trace
        losses = _losses(trace, theme)
        tall = len(losses) > 1 and np.nanmax(losses[0][1]) > TALL
        parts = ([losses[0]], losses[1:]) if tall else (losses,)
        return [group for group in (*parts, _goals(trace, theme)) if group]

    def _axes(self) -> list[tuple[Axis, Axis]]:
        groups = self._groups(LIGHT)
        self._heights += [_Height() for _ in groups[len(self._heights) :]]
        axes = []
        for k, (series, height) in enumerate(zip(groups, self._heights, strict=False)):
            last = k == len(groups) - 1
            label = "iteration" if last else ""
            x = Axis(self._steps.low, self._steps.high, label, whole=True, bare=not last)
            axes.append((x, height.axis(np.concatenate([v for _, v in series]), self.log.isChecked())))
        return axes

    def _lay_out(self, painter: QPainter, rect: QRectF, style: Style) -> list[Plot]:
        axes = self._axes()
        # The lowest plot also carries the numbers and the name of the axis.
        foot = 2.35 * style.text
        height = (rect.height() - foot) / max(1, len(axes))
        plots = []
        for k, (x, y) in enumerate(axes):
            part = QRectF(rect.left(), rect.top() + k * height, rect.width(), height)
            if not x.bare:
                part.setBottom(rect.bottom())
            plots.append(Plot(painter, style, part, x, y))
        align(plots)
        return plots

    def background_key(self) -> Hashable:
        return tuple(self._axes())

    def paint_background(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        for plot in self._lay_out(painter, rect, style):
            plot.draw_axes()

    def paint_frame(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        assert self.taken is not None
        self._plots = self._lay_out(painter, rect, style)
        steps = self.taken.trace.column("step")
        now = int(np.searchsorted(steps, self.taken.step).clip(0, len(steps) - 1))
        for plot, series in zip(self._plots, self._groups(style.theme), strict=True):
            for curve, values in series:
                plot.draw_curve(steps, values, curve)
            self._mark_step(plot, series, now)
            plot.draw_strip([(curve, shown(float(values[now]), 3)) for curve, values in series])

    def _mark_step(self, plot: Plot, series: list[Series], now: int) -> None:
        assert self.taken is not None
        painter, style, step = plot.painter, plot.style, float(self.taken.step)
        px = float(plot.at(step, plot.y.high)[0, 0])
        if not plot.inner.left() - 1 <= px <= plot.inner.right() + 1:
            return
        painter.setPen(pen(style.theme.highlight, 0.9 * style.strokes))
        painter.drawLine(QLineF(px, plot.inner.top(), px, plot.inner.bottom()))
        painter.setBrush(QColor(style.theme.highlight))
        for _, values in series:
            py = float(plot.at(step, float(values[now]))[0, 1])
            if plot.inner.top() <= py <= plot.inner.bottom():  # false for NaN
                painter.drawEllipse(QPointF(px, py), *[1.6 * style.strokes] * 2)
        painter.setBrush(Qt.BrushStyle.NoBrush)


class _Height:
    """The vertical axis of one plot: from zero, steady while the values move a little."""

    def __init__(self) -> None:
        self._range = SteadyRange(0.0, 1e-3)

    def axis(self, values: Array, log: bool) -> Axis:
        values = values[np.isfinite(values)]
        if log and (values > 0).any():
            return Axis(*decades(values), log=True)
        return Axis(*self._range.cover(float(values.min()), float(values.max())))


def _losses(trace: Trace, theme: Theme) -> list[Series]:
    return _defined(
        [
            (Curve("mean hinge", theme.ink, 1.4), trace.column("hinge_loss")),
            (Curve("training error", theme.misclassified, 1.3, (4.0, 2.0)), trace.column("training_error")),
        ]
    )


def _goals(trace: Trace, theme: Theme) -> list[Series]:
    primal, dual = trace.column("primal"), trace.column("dual")
    return _defined(
        [
            (Curve("primal", theme.negative, 1.4), primal),
            (Curve("dual", theme.positive, 1.4), dual),
            (Curve("gap", theme.classes[2], 1.2, (4.0, 2.0)), primal - dual),
        ]
    )


def _defined(series: list[Series]) -> list[Series]:
    return [(curve, values) for curve, values in series if np.isfinite(values).any()]
