"""The course of the algorithm: its own loss and the error above, objectives and their gap below."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.insight.beside import about_features, curve_beside, runs_beside
from kernelviz.drawing.insight.mistakes import about_mistakes
from kernelviz.drawing.insight.picture import InsightPicture, NothingToShow, PictureMaker, Remark, padded
from kernelviz.drawing.insight.plot import Axis, Curve, Plot, align, error_curves
from kernelviz.drawing.insight.ranges import SteadyRange, decades
from kernelviz.drawing.insight.stamps import Stamps
from kernelviz.drawing.theme import Theme
from kernelviz.drawing.wording import counted, shown
from kernelviz.engine.analysis.remarks import about_the_gap, share_of_the_dual
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.params import Declared, flag
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.numbers.declared import label
from kernelviz.runtime.messages import Frame, Verdict
from kernelviz.runtime.trace import Trace

FEWEST_STEPS, LEAST_HEIGHT = SteadyRange.at_least(0.0, 10.0), SteadyRange.at_least(0.0, 1e-3)
TALL = 5.0
"""A loss beyond this would press the error, which is at most 1, flat onto the axis: it gets a plot of
its own."""
FOOT = 2.35
"""Height of the numbers and the name below the lowest plot, in units of the text's size."""


@dataclass(frozen=True)
class ConvergenceSwitches(Declared):
    """How the course is shown."""

    name: ClassVar[str] = "the course"
    log: bool = flag(
        False,
        label="Logarithmic",
        help="Show powers of ten at equal distances: a straight line is geometric convergence",
    )


@dataclass(frozen=True, eq=False)
class Group:
    """The series of one plot by name, and how high it reaches."""

    series: dict[str, Array]
    height: SteadyRange

    @classmethod
    def of(cls, series: dict[str, Array], before: Group | None) -> Group:
        values = np.concatenate(list(series.values()))
        values = values[np.isfinite(values)]
        last = before.height if before is not None else LEAST_HEIGHT
        return cls(series, last.covering(float(values.min()), float(values.max())))

    def axis(self, log: bool) -> Axis:
        """From zero, steady while the values move a little; or powers of ten."""
        values = np.concatenate(list(self.series.values()))
        if log and (values > 0).any():
            return Axis(*decades(values), log=True)
        return Axis(self.height.low, self.height.high)


@dataclass(frozen=True, eq=False, kw_only=True)
class ConvergencePicture(InsightPicture):
    """Mean of the algorithm's loss and training error per iteration; its objectives where defined."""

    title = "Convergence"
    switches = ConvergenceSwitches

    steps: Array
    """The steps the course is known at."""
    step: int
    """The step shown."""
    groups: tuple[Group, ...]
    """The plots from above."""
    axes: tuple[tuple[Axis, Axis], ...]
    extent: SteadyRange = FEWEST_STEPS
    """Of the steps."""

    @classmethod
    def of(
        cls, frame: Frame, verdict: Verdict | None, switches: Any, before: ConvergencePicture | None
    ) -> InsightPicture:
        trace, remark = frame.trace, _remark(frame, verdict)
        if len(trace) < 2:
            return NothingToShow(reason=_no_course(frame), remark=remark)
        steps = trace.column("step")
        extent = (before or cls).extent.covering(0.0, float(steps[-1]))
        known = before.groups if before is not None else ()
        groups = tuple(
            Group.of(series, known[k] if k < len(known) else None) for k, series in enumerate(_groups(frame))
        )
        heights = [group.axis(switches.log) for group in groups]
        return cls(
            steps=steps,
            step=frame.step,
            groups=groups,
            axes=tuple(zip(_step_axes(extent, len(groups)), heights, strict=True)),
            extent=extent,
            remark=remark,
        )

    def step_at(self, at: QPointF, rect: QRectF, style: Style) -> int:
        """The step below a place, the first one left of all."""
        plot = self._plots(rect, style)[0]
        return max(0, round(min(plot.value_at(at.x()), plot.x.high)))

    def _plots(self, rect: QRectF, style: Style) -> list[Plot]:
        rect = padded(rect, style)
        # The lowest plot also carries the numbers and the name of the axis.
        height = (rect.height() - FOOT * style.text) / max(1, len(self.axes))
        plots = []
        for k, (x, y) in enumerate(self.axes):
            part = QRectF(rect.left(), rect.top() + k * height, rect.width(), height)
            if not x.bare:
                part.setBottom(rect.bottom())
            plots.append(Plot(style, part, x, y))
        align(plots)
        return plots

    @property
    def ground(self) -> Hashable:
        return self.axes

    def draw_ground(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        for plot in self._plots(rect, style):
            plot.draw_axes(painter)

    def draw_data(self, painter: QPainter, rect: QRectF, style: Style, stamps: Stamps | None) -> None:
        curves = _curves(style.theme)
        now = int(np.searchsorted(self.steps, self.step).clip(0, len(self.steps) - 1))
        for plot, group in zip(self._plots(rect, style), self.groups, strict=True):
            for name in group.series:  # the loss, whatever it is called
                curves.setdefault(name, curve_beside(name, style.theme) or Curve(name, style.theme.ink, 1.4))
            for name, values in group.series.items():
                plot.draw_curve(painter, self.steps, values, curves[name])
            present = {name: float(values[now]) for name, values in group.series.items()}
            self._mark_step(painter, plot, list(present.values()))
            plot.draw_strip(painter, [(curves[name], shown(value, 3)) for name, value in present.items()])

    def _mark_step(self, painter: QPainter, plot: Plot, values: list[float]) -> None:
        style, step = plot.style, float(self.step)
        px = plot.draw_upright(painter, step, 0.9)
        if not plot.inner.left() - 1 <= px <= plot.inner.right() + 1:
            return
        painter.setBrush(QColor(style.theme.highlight))
        for value in values:
            py = float(plot.at(step, value)[0, 1])
            if plot.inner.top() <= py <= plot.inner.bottom():  # false for NaN
                painter.drawEllipse(QPointF(px, py), *[1.6 * style.strokes] * 2)
        painter.setBrush(Qt.BrushStyle.NoBrush)


@dataclass(frozen=True)
class CourseMaker(PictureMaker):
    """Shows of a live result, which has no course of its own, the one that was run beside it; of either what
    was run in explicit features."""

    course: tuple[Problem, Trace] | None = None

    def make(
        self, frame: Frame | None, verdict: Verdict | None = None, before: InsightPicture | None = None
    ) -> InsightPicture:
        if frame is not None and self.course is not None and self.course[0] is frame.model.problem:
            trace, step = self.course[1], frame.step
            if frame.request.step is not None:
                trace = replace(frame.trace, beside=trace.beside)
            elif len(trace):
                step = int(trace.rows[-1, 0])
            frame = replace(frame, trace=trace, step=step)
        return super().make(frame, verdict, before)


def _step_axes(extent: SteadyRange, count: int) -> list[Axis]:
    """Of plots above each other the lowest has the numbers."""
    above = Axis(extent.low, extent.high, whole=True, bare=True)
    return [above] * (count - 1) + [Axis(extent.low, extent.high, "iteration", whole=True)]


def _groups(frame: Frame) -> list[dict[str, Array]]:
    """What the plots show, from above, as far as it is defined."""
    trace, mean = frame.trace, f"mean {frame.model.own_loss.name}"
    if frame.model.algorithm.in_features(frame.model.problem) is not None:
        return [runs_beside(trace)]
    losses = _defined({mean: trace.column("loss"), label("training_error"): trace.column("training_error")})
    primal, dual = trace.column("primal"), trace.column("dual")
    goals = _defined({"primal": primal, "dual": dual, "gap": primal - dual})
    tall = len(losses) > 1 and np.nanmax(losses[mean]) > TALL
    parts = [{name: values} for name, values in losses.items()] if tall else [losses]
    return [group for group in (*parts, goals) if group]


def _defined(series: dict[str, Array]) -> dict[str, Array]:
    return {name: values for name, values in series.items() if np.isfinite(values).any()}


def _curves(theme: Theme) -> dict[str, Curve]:
    curves = (
        *error_curves(theme),
        Curve("primal", theme.negative, 1.4),
        Curve("dual", theme.positive, 1.4),
        Curve("gap", theme.classes[2], 1.2, (4.0, 2.0)),
    )
    return {curve.name: curve for curve in curves}


def _no_course(frame: Frame) -> str:
    iterations = frame.model.numbers.get("iterations") or 0
    if iterations > 1 and frame.request.step is None:
        return "The iterations are run when you stop editing."
    if not frame.finished:
        return "The course appears here, step by step."
    return "This result took a single step: there is no course to show."


def _remark(frame: Frame, verdict: Verdict | None) -> Remark:
    """A perceptron's mistakes and their bound, or why a converged machine has a wide gap."""
    told = about_features(frame) or about_mistakes(frame, verdict)
    if not told.words and (meaning := about_the_gap(frame.model)):
        return Remark(f"gap {share_of_the_dual(frame.model)} dual", meaning)
    return told if told.words else _about_the_course(frame)


def _about_the_course(frame: Frame) -> Remark:
    """That the course is not that of the live result, whose own numbers stand in the status line."""
    if frame.request.step is not None or len(frame.trace) < 2:
        return Remark()
    taken = counted(frame.model.iterations, "iteration")
    return Remark(
        "the run step by step",
        "These are the steps of the algorithm as it is watched. The result itself was found in a faster way, "
        f"in {taken}, and to more digits: its numbers stand in the status line.",
    )
