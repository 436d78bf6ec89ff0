"""The regularisation path: the weight of every point, and the errors, against C or λ."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QPainter, QPen

from kernelviz.drawing.figure.strokes import pen, polygon
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.insight.picture import InsightPicture, NothingToShow, PictureMaker, Remark, padded
from kernelviz.drawing.insight.plot import Axis, Curve, Plot, align, error_axis, error_curves
from kernelviz.drawing.insight.ranges import decades
from kernelviz.drawing.insight.stamps import Stamps
from kernelviz.drawing.theme import Theme
from kernelviz.drawing.wording import shown
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.numbers.declared import label
from kernelviz.runtime.background_results import PathCurves
from kernelviz.runtime.messages import Frame, Verdict

MOST_LINES = 300  # Weights drawn; of more points every so-many-th.
UPPER = 0.55  # Of the height: the weights.
FAINT = 0.55  # Opacity of a point's line, as many lie upon each other.
NEAR = 6.0  # Points around a line within which the mouse means it.
CHANGE = 1e-3  # A share of C below which a line is level.
TICK = 0.45  # Length of a breakpoint's mark, relative to the type size.


@dataclass(frozen=True, eq=False, kw_only=True)
class PathPicture(InsightPicture):
    """Two plots above each other along the same axis, and where the fit stands on it."""

    title = "Regularisation path"

    along: PathCurves
    value: float  # At present.

    @cached_property
    def here(self) -> PathCurves | None:
        """The fit for the present value itself; None where the path does not reach."""
        return self.along.at(self.value)

    @property
    def ground(self) -> Hashable:
        return self.along

    def _plots(self, rect: QRectF, style: Style) -> tuple[Plot, Plot]:
        along, room = self.along, padded(rect, style)
        low, high = float(along.values[0]), float(along.values[-1])
        middle = room.top() + UPPER * room.height()
        name = "αᵢ / C" if along.weights is not None else "freedom"
        upper = Plot(
            style,
            QRectF(room.topLeft(), QPointF(room.right(), middle)),
            Axis(low, high, log=True, bare=True),
            Axis(0.0, 1.0, name),
        )
        lower = Plot(
            style,
            QRectF(QPointF(room.left(), middle), room.bottomRight()),
            Axis(low, high, along.parameter.label, log=True),
            self._height(),
        )
        align((upper, lower))
        return upper, lower

    def _height(self) -> Axis:
        squares = self.along.squares
        return error_axis(max(_highest(values, squares) for _, values in _errors(self.along)), squares)

    def draw_ground(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        for plot in self._plots(rect, style):
            plot.draw_axes(painter)
        upper, lower = self._plots(rect, style)
        along, theme = self.along, style.theme
        if along.weights is not None and along.signs is not None:
            for i in _chosen(along.weights.shape[1]):
                colour = theme.positive if along.signs[i] > 0 else theme.negative
                self._draw_line(painter, upper, i, pen(colour, 0.7 * style.strokes, alpha=FAINT))
        upper.draw_curve(painter, along.values, along.freedom, _freedom(theme))
        if along.margin is not None:
            upper.draw_curve(painter, along.values, _relative(along.margin), _margin(theme, along.margin))
        if along.breakpoints is not None:
            xs = upper.at(along.breakpoints, np.zeros(len(along.breakpoints)))
            painter.setPen(pen(theme.soft_ink, 0.5 * style.strokes))
            painter.drawLines([QLineF(x, y, x, y + TICK * style.text) for x, y in xs.tolist()])
        for curve, values in _errors(along, theme):
            lower.draw_curve(painter, along.values, values, curve)

    def _draw_line(self, painter: QPainter, plot: Plot, i: int, stroke: QPen) -> None:
        assert self.along.weights is not None
        weight = self.along.weights[:, i]
        moves = np.abs(np.diff(weight)) > CHANGE
        kept = np.r_[True, moves] | np.r_[moves, True]
        painter.setPen(stroke)
        painter.drawPolyline(polygon(plot.at(self.along.values[kept], weight[kept])))

    def draw_data(self, painter: QPainter, rect: QRectF, style: Style, stamps: Stamps | None) -> None:
        upper, lower = self._plots(rect, style)
        along, theme = self.along, style.theme
        if along.weights is not None:
            for i in self.marks.among(along.weights.shape[1]):
                self._draw_line(painter, upper, i, pen(theme.highlight, 2.0 * style.strokes))
        for plot in (upper, lower):
            plot.draw_upright(painter, self.value, 1.4)
        above, below = self.told(theme)
        upper.draw_strip(painter, above)
        lower.draw_strip(painter, below)

    def told(self, theme: Theme) -> tuple[list[tuple[Curve, str]], list[tuple[Curve, str]]]:
        """The numbers of the present fit, for the line above each of the plots."""
        here = self.here
        if here is None:
            return [
                (Curve(f"beyond the path: {self.along.parameter.label}", "", 0.0), shown(self.value, 4))
            ], []
        name = "degrees of freedom / n" if here.weights is None else "support vectors"
        above = [(_freedom(theme, name), f"{100 * here.freedom[0]:.3g} %")]
        if here.margin is not None:
            above.append((_margin(theme, self.along.margin), shown(float(here.margin[0]), 4)))
        if here.likelihood is not None:
            above.append(
                (Curve(label("log_marginal_likelihood"), theme.ink, 0.0), shown(float(here.likelihood[0]), 4))
            )
        return above, [(curve, self._told(float(error[0]))) for curve, error in _errors(here, theme)]

    def _told(self, error: float) -> str:
        if not np.isfinite(error):
            return "–"
        return shown(error, 3) if self.along.squares else f"{100 * error:.3g} %"

    def _nearest(self, value: float) -> int:
        return int(np.argmin(np.abs(np.log(self.along.values) - np.log(max(value, 1e-300)))))

    def value_at(self, at: QPointF, rect: QRectF, style: Style) -> float:
        """The value below a place, within the path."""
        upper, _ = self._plots(rect, style)
        share = (at.x() - upper.inner.left()) / upper.inner.width()
        found = upper.x.value(min(max(share, 0.0), 1.0))
        return float(np.clip(found, self.along.values[0], self.along.values[-1]))

    def points_at(self, at: QPointF, rect: QRectF, style: Style) -> tuple[int, ...]:
        """The point whose weight is drawn there."""
        upper, _ = self._plots(rect, style)
        if self.along.weights is None or not upper.inner.contains(at):
            return ()
        row = self.along.weights[self._nearest(upper.value_at(at.x()))]
        away = np.abs(upper.at(np.full(len(row), self.value), row)[:, 1] - at.y())
        level = (row <= CHANGE) | (row >= 1.0 - CHANGE)
        away[level] = np.inf  # there all lie upon each other
        i = int(np.argmin(away))
        return (i,) if away[i] <= NEAR else ()


@dataclass(frozen=True)
class PathMaker(PictureMaker):
    """Makes the picture of the latest path, whatever the frame."""

    along: PathCurves | None = None
    value: float | None = None

    def make(
        self, frame: Frame | None, verdict: Verdict | None = None, before: InsightPicture | None = None
    ) -> InsightPicture:
        if self.value is None:
            return NothingToShow(
                reason="The soft-margin SVM has a path over C, ridge and the Gaussian process one over λ."
            )
        if self.along is None:
            return NothingToShow(reason="The path is computed when you stop editing.")
        count = 0 if self.along.breakpoints is None else len(self.along.breakpoints)
        words = f"{count} breakpoints" if count else ""
        meaning = "Between two of them every weight is linear in C. Drag to move along the path."
        return PathPicture(
            along=self.along,
            value=self.value,
            remark=Remark(self.along.ends or words, meaning if count else "Drag to move along the curve."),
        )


def _errors(along: PathCurves, theme: Theme | None = None) -> Iterator[tuple[Curve, Array]]:
    """The curves of the lower plot; without a theme only their values matter."""
    training, held = error_curves(theme) if theme is not None else (Curve("", ""), Curve("", ""))
    if along.held_out is not None:
        yield held, along.held_out
    if along.left_out is not None:
        alone = along.held_out is None
        yield (
            Curve("leave-one-out error", held.colour, held.width, () if alone else (1.0, 2.0)),
            along.left_out,
        )
    yield training, along.training


def _freedom(theme: Theme, name: str = "") -> Curve:
    return Curve(name, theme.ink, 1.6, (1.5, 2.5))


def _margin(theme: Theme, widths: Array | None) -> Curve:
    """Its name says what the bottom and the top of the plot stand for."""
    name = "margin 1/‖w‖"
    if widths is not None:
        low, high = decades(widths)
        name += f" (from {shown(low)} to {shown(high)}, logarithmic)"
    return Curve(name, theme.highlight, 1.1, (4.0, 2.0))


def _relative(widths: Array) -> Array:
    """Logarithms of the margin's width, 0 and 1 at the powers of ten around all of them."""
    low, high = np.log(decades(widths))
    with np.errstate(divide="ignore"):
        logs = np.log(np.where(np.isfinite(widths) & (widths > 0.0), widths, np.nan))
    return np.asarray((logs - low) / (high - low))


def _chosen(n: int) -> list[int]:
    return sorted({round(i) for i in np.linspace(0, n - 1, min(n, MOST_LINES)).tolist()})


def _highest(errors: Array, squares: bool) -> float:
    """The largest error. Of squares ten times the median at most: what goes beyond is off the scale, as
    errors of nearly singular systems are."""
    finite = errors[np.isfinite(errors)]
    highest = float(finite.max(initial=0.0))
    usual = 10.0 * float(np.median(finite)) if squares and len(finite) else 0.0
    return min(highest, usual) if usual else highest
