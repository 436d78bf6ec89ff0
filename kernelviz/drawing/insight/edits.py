"""The losses over the last minutes of editing, with a tick for every edit."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QPainter

from kernelviz.drawing.figure.strokes import pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.insight.picture import InsightPicture, NothingToShow, PictureMaker, PlotPicture, padded
from kernelviz.drawing.insight.plot import Axis, Curve, Plot, error_curves
from kernelviz.drawing.insight.ranges import SteadyRange
from kernelviz.drawing.insight.stamps import Stamps
from kernelviz.drawing.theme import Theme
from kernelviz.drawing.wording import shown
from kernelviz.runtime.messages import Frame, Verdict
from kernelviz.session.edit_log import Edits, Tick

FEWEST = 60.0  # Results the axis has room for at least.
LEAST_HEIGHT = SteadyRange.at_least(0.0, 0.1)
TICK = 0.6  # Height of a tick, relative to the type size.


@dataclass(frozen=True, eq=False, kw_only=True)
class EditsPicture(PlotPicture):
    """The newest result is on the right. A tick ends an edit; the one pointed at is named."""

    title = "Edits"

    edits: Edits
    height: SteadyRange = LEAST_HEIGHT
    pointed: Tick | None = None

    @property
    def axes(self) -> tuple[Axis, Axis]:
        count = max(FEWEST, float(len(self.edits.numbers)))
        # Room for the newest on the right edge, and no numbers: they would count results, not minutes.
        return Axis(len(self.edits.numbers) - count, len(self.edits.numbers) - 1, bare=True), Axis(
            self.height.low, self.height.high
        )

    @property
    def ground(self) -> Hashable:
        return self.axes[1]

    def draw_ground(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        _, y = self.axes
        # Grid lines would run with the numbers.
        Plot(style, padded(rect, style), Axis(0.0, 1.0, bare=True), y).draw_axes(painter)

    def draw_data(self, painter: QPainter, rect: QRectF, style: Style, stamps: Stamps | None) -> None:
        plot, looks = self._plot(rect, style), _looks(self.edits.names, style.theme)
        rows = np.arange(len(self.edits.numbers), dtype=np.float64)
        entries = []
        for look, values in zip(looks, self.edits.numbers.T, strict=True):
            if np.isfinite(values).any():
                plot.draw_curve(painter, rows, values, look)
                entries.append((look, shown(float(values[-1]), 3) if np.isfinite(values[-1]) else "–"))
        plot.draw_strip(painter, entries)
        self._draw_ticks(painter, plot)
        if self.pointed is not None:
            self._draw_pointed(painter, plot, self.pointed)

    def _draw_ticks(self, painter: QPainter, plot: Plot) -> None:
        bottom = plot.inner.bottom()
        painter.setPen(pen(plot.style.theme.soft_ink, plot.style.axis_width))
        for x in self._places(plot):
            painter.drawLine(QLineF(x, bottom, x, bottom - TICK * plot.style.text))

    def _draw_pointed(self, painter: QPainter, plot: Plot, tick: Tick) -> None:
        x = plot.draw_upright(painter, float(tick.row))
        numbers = [
            f"{name} {shown(float(value), 3)}"
            for name, value in zip(self.edits.names, self.edits.numbers[tick.row], strict=True)
            if np.isfinite(value)
        ]
        words = ", ".join([tick.name or "at first", *numbers])
        plot.draw_label(painter, QPointF(x, plot.inner.top()), words, plot.style.theme.ink, 0.0)

    def _places(self, plot: Plot) -> list[float]:
        rows = np.array([tick.row for tick in self.edits.ticks], dtype=np.float64)
        return [float(x) for x in plot.at(rows, np.zeros(len(rows)))[:, 0]] if len(rows) else []

    def tick_at(self, at: QPointF, rect: QRectF, style: Style) -> Tick | None:
        """The edit whose tick is nearest to a place."""
        places = self._places(self._plot(rect, style))
        if not places:
            return None
        return self.edits.ticks[int(np.argmin(np.abs(np.array(places) - at.x())))]

    def with_pointed(self, tick: Tick | None) -> EditsPicture:
        return replace(self, pointed=tick)


@dataclass(frozen=True)
class EditsMaker(PictureMaker):
    """Makes the picture of what is remembered, whatever the frame."""

    edits: Edits | None = None

    def make(
        self, frame: Frame | None, verdict: Verdict | None = None, before: InsightPicture | None = None
    ) -> InsightPicture:
        if self.edits is None or not len(self.edits.numbers):
            return NothingToShow(reason="Edit something, live: what it does to the losses appears here.")
        finite = self.edits.numbers[np.isfinite(self.edits.numbers)]
        if not len(finite):
            return NothingToShow(reason="This algorithm has no loss and no error to follow.")
        last = before.height if isinstance(before, EditsPicture) else LEAST_HEIGHT
        return EditsPicture(edits=self.edits, height=last.covering(0.0, float(finite.max())))


def _looks(names: tuple[str, ...], theme: Theme) -> tuple[Curve, ...]:
    own, hinge, *errors = names
    drawn = (replace(curve, name=name) for curve, name in zip(error_curves(theme), errors, strict=True))
    return Curve(own, theme.soft_ink, 1.8), Curve(hinge, theme.ink, 1.4), *drawn
