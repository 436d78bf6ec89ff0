"""The optimality conditions as places: each point at its weight and score, on a staircase if they hold."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QPainter

from kernelviz.drawing.figure.strokes import pen, polygon
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.text import draw_text, text_width
from kernelviz.drawing.insight.picture import (
    InsightPicture,
    NothingToShow,
    PlotPicture,
    nearest_mark,
    told_by_pairs,
)
from kernelviz.drawing.insight.plot import Axis, Curve, Plot
from kernelviz.drawing.insight.ranges import SteadyRange
from kernelviz.drawing.insight.scatter import draw_points, encircle, thinned
from kernelviz.drawing.insight.stamps import Stamps
from kernelviz.drawing.wording import named, shown
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.models.base import Model
from kernelviz.runtime.messages import Frame, Verdict
from kernelviz.session.workspaces.registry import workspace_of

LEAST_WEIGHT = SteadyRange.of_any_size()
OF_PRODUCTS = SteadyRange.at_least(-0.5, 2.5)
BESIDE = 0.07
"""Room beside the outermost weights, relative to the axis: their points are seen whole."""
BAND, SHADE = 1.5, 0.22
"""Width of the staircase, in units of the text's size, and how strong it is."""
FAR = 1e6
"""Beyond every axis."""


@dataclass(frozen=True)
class Staircase:
    """The places (weight, value) where the conditions hold, and what its steps are called."""

    corners: tuple[tuple[float, float], ...]
    names: tuple[tuple[str, float, float], ...]
    """(words, weight, value) of each."""

    @classmethod
    def of_classes(cls, box: float | None, ridge: float, reach: float, bound: str = "C") -> Staircase:
        """alpha = 0: z·s >= 1; in between z·s = 1 - lambda alpha; alpha = C: z·s below."""
        end = reach if box is None else box
        corners = ((0.0, FAR), (0.0, 1.0), (end, 1.0 - ridge * end))
        free = "h = λα" if ridge else "z·s = 1"
        names = (("α = 0, z·s ≥ 1", 0.0, 2.0), (free, 0.45 * end, 1.0 - 0.45 * ridge * end))
        if box is None:
            return cls(corners, names)
        return cls((*corners, (end, -FAR)), (*names, (f"α = {bound}, z·s ≤ 1", end, 0.4)))

    @classmethod
    def of_tube(cls, box: float, epsilon: float) -> Staircase:
        """beta = -C: r <= -eps; beta < 0: r = -eps; beta = 0: |r| <= eps; the same above."""
        corners = (
            (-box, -FAR),
            (-box, -epsilon),
            (0.0, -epsilon),
            (0.0, epsilon),
            (box, epsilon),
            (box, FAR),
        )
        return cls(corners, (("r = −ε", -box / 2, -epsilon), ("r = ε", box / 2, epsilon)))


@dataclass(frozen=True, eq=False, kw_only=True)
class ConditionsPicture(PlotPicture):
    """Right: the weight. Up: z·s, or the residual of a real target. A point off the staircase is tied to the
    place on it where its weight wants it."""

    title = "Optimality conditions"

    frame: Frame
    weight: Array
    """alpha, or beta of real targets; in units of its bound where points differ in that."""
    value: Array
    """z·s, or y - s."""
    due: Array
    """The value its weight asks for: the nearest that would do."""
    outside: np.ndarray
    """Which points miss it by more than the algorithm's tolerance."""
    stairs: Staircase
    x: SteadyRange
    y: SteadyRange

    @classmethod
    def of(
        cls, frame: Frame, verdict: Verdict | None, switches: Any, before: ConditionsPicture | None
    ) -> InsightPicture:
        table, model = frame.table, frame.model
        if table.residual is None or table.alpha is None:
            reason = f"{model.algorithm.title} has no per-point optimality conditions."
            apart = told_by_pairs(model, "conditions", lambda m: m.numbers["kkt_violation"] is not None)
            return apart or NothingToShow(reason=reason)
        real = table.tube is not None
        if before is not None and (before.frame.table.tube is None) == real:
            before = None
        weight, box = _weights(model, real)
        value = model.residuals if real else table.product
        assert value is not None
        x = (before.x if before is not None else LEAST_WEIGHT).covering(
            -(box or 0.0) if real else 0.0, max(float(weight.max(initial=0.0)), box or 0.0)
        )
        stairs = (
            Staircase.of_tube(box or 1.0, table.tube)
            if table.tube is not None
            else Staircase.of_classes(box, table.ridge, x.high, table.bound)
        )
        y = before.y if before is not None else _range(value, table.tube)
        return cls(
            frame=frame,
            weight=weight,
            value=value,
            due=_due(frame, weight, value),
            outside=np.asarray(table.residual > table.tolerance),
            stairs=stairs,
            x=x,
            y=y.covering(float(value.min()), float(value.max())),
        )

    @property
    def axes(self) -> tuple[Axis, Axis]:
        real, varied = self.frame.table.tube is not None, _varied(self.frame.model)
        room = BESIDE * (self.x.high - self.x.low)
        label = ("β" if real else "α") + ("/C" if varied else "")
        x = Axis(self.x.low - room, self.x.high + room, label)
        return x, Axis(self.y.low, self.y.high, "y − s(x)" if real else "z·s(x)")

    @property
    def ground(self) -> Hashable:
        return self.axes, self.stairs

    def draw_ground(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        plot, text = self._plot(rect, style), style.text
        plot.draw_axes(painter)
        corners = np.array(self.stairs.corners)
        corners[:, 1] = np.clip(corners[:, 1], 2 * plot.y.low - plot.y.high, 2 * plot.y.high - plot.y.low)
        painter.save()
        painter.setClipRect(plot.inner)
        painter.setPen(pen(style.theme.highlight, BAND * text, alpha=SHADE, round_ends=False))
        painter.drawPolyline(polygon(plot.at(corners[:, 0], corners[:, 1])))
        painter.restore()
        for words, weight, value in self.stairs.names:
            x, y = plot.at(weight, value)[0].tolist()
            wide, foot = text_width(words, text), y - BAND * text
            at = min(max(x + BAND * text, plot.inner.left()), plot.inner.right() - wide - 0.3 * text)
            if weight == max(corner[0] for corner in self.stairs.corners):
                # There is no room to the right of it, and the step before it has a name of its own.
                step = float(plot.at(*self.stairs.corners[-2])[0, 1])
                at, foot = min(at, x - wide - BAND * text), max(foot, step + (0.5 * BAND + 1.1) * text)
            if plot.inner.top() + text < foot < plot.inner.bottom():
                draw_text(painter, style, QPointF(at, foot), words, colour=style.theme.soft_ink)

    def _places(self, plot: Plot) -> tuple[Array, np.ndarray]:
        xy = plot.at(self.weight, self.value)
        return xy, thinned(xy, 2 * workspace_of(self.frame.data).groups(self.frame.data) % 7 + self.outside)

    def points_at(self, at: QPointF, rect: QRectF, style: Style) -> tuple[int, ...]:
        xy, drawn = self._places(self._plot(rect, style))
        return nearest_mark(xy[drawn], drawn, at)

    def draw_data(self, painter: QPainter, rect: QRectF, style: Style, stamps: Stamps | None) -> None:
        plot, data = self._plot(rect, style), self.frame.data
        xy, drawn = self._places(plot)
        painter.save()
        painter.setClipRect(plot.inner.adjusted(-4, -4, 4, 4))
        self._tie(painter, plot, xy, drawn[self.outside[drawn]])
        groups = workspace_of(data).groups(data)
        draw_points(painter, style.among(data.n), xy[drawn], groups[drawn], len(data.class_names), stamps)
        for i in self.marks.among(data.n):
            encircle(painter, style, xy[i], i == self.marks.hovered)
        painter.restore()
        self._tell(painter, plot)
        hovered = self.marks.hovered
        if hovered is not None and hovered < data.n:
            told = f"{named(data, hovered)}: {self.frame.table.state(hovered)}"
            at = QPointF(*xy[hovered].tolist())
            plot.draw_label(painter, at, told, style.theme.highlight, style.ring_radius(0.6))

    def _tie(self, painter: QPainter, plot: Plot, xy: Array, outside: np.ndarray) -> None:
        """A line from each point that is off the staircase to where it should be."""
        ends = plot.at(self.weight[outside], self.due[outside])
        painter.setPen(pen(plot.style.theme.misclassified, 1.2 * plot.style.strokes))
        pairs = zip(xy[outside].tolist(), ends.tolist(), strict=True)
        painter.drawLines([QLineF(*start, *end) for start, end in pairs])

    def _tell(self, painter: QPainter, plot: Plot) -> None:
        theme, off = plot.style.theme, int(self.outside.sum())
        ink = theme.misclassified if off else theme.soft_ink
        told = f"{off} of {len(self.outside)} off" if off else "hold at every point"
        most = shown(float(np.max(self.frame.table.residual)), 2, self.frame.table.tolerance)  # type: ignore[arg-type]
        told += f", by {most} at most" if off else ""
        plot.draw_strip(painter, [(Curve("conditions", ink, 2.0 if off else 0.0), told)])


def _varied(model: Model) -> bool:
    """Whether points differ in the bound of their weight."""
    return model.box is not None and float(np.ptp(model.box)) > 0.0


def _weights(model: Model, real: bool) -> tuple[Array, float | None]:
    """Where points lie to the right, and where the bound is; None without one."""
    weight = model.beta if real else model.alpha
    assert weight is not None
    if model.box is None:
        return weight, None
    return (weight / model.box, 1.0) if _varied(model) else (weight, float(model.box[0]))


def _range(value: Array, tube: float | None) -> SteadyRange:
    """Of values at first: residuals as far down as up."""
    if tube is None:
        return OF_PRODUCTS
    reach = max(2.0 * tube, 1e-6, 1.1 * float(np.abs(value).max(initial=0.0)))
    return SteadyRange.at_least(-reach, reach)


def _due(frame: Frame, weight: Array, value: Array) -> Array:
    table = frame.table
    if table.tube is not None:
        inside = np.clip(value, -table.tube, table.tube)
        return np.where(weight == 0.0, inside, np.sign(weight) * table.tube)
    assert table.alpha is not None
    return 1.0 - table.ridge * table.alpha
