"""Training and held-out error against one number of the fit: the U that every lecture draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.insight.picture import InsightPicture, NothingToShow, PictureMaker, PlotPicture
from kernelviz.drawing.insight.plot import Axis, Curve, error_axis, error_curves
from kernelviz.drawing.insight.ranges import decades
from kernelviz.drawing.insight.stamps import Stamps
from kernelviz.drawing.theme import Theme
from kernelviz.drawing.wording import shown
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.params import INTEGER, Declared, flag
from kernelviz.engine.numbers.declared import label
from kernelviz.engine.selection.tunable import Knob, knobs
from kernelviz.runtime.messages import Frame, Verdict
from kernelviz.runtime.sweeps import Sweep, told

SUPPORT = "support vectors"
NO_ERROR = (
    "The algorithm does not use classes or targets, so there is no error to sweep. "
    "Tick “Support vectors” to see their share of the points."
)
MANY, TINY = 1e3, 1e-9
"""Errors that differ by such a factor need a logarithmic axis; such a share of the largest is nothing."""


@dataclass(frozen=True)
class SweepSwitches(Declared):
    """What is drawn besides the errors."""

    name: ClassVar[str] = "the sweep"
    support: bool = flag(
        False, label="Support vectors", help="Also draw how many of the points are support vectors"
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class SweepPicture(PlotPicture):
    """Curves over the values of one number, and where it stands at present."""

    title = "Sweep"
    switches = SweepSwitches

    knob: Knob
    sweep: Sweep
    with_support: bool = False
    present: tuple[float, float, float] | None = None
    """Training and held-out error and support vectors of the fit as it is; None while it is not known."""

    @property
    def curves(self) -> dict[str, Array]:
        """By name, as far as they are known."""
        found = {
            label("test_error"): self.sweep.held_out,
            label("training_error"): self.sweep.training,
        }
        if self.with_support:
            found[SUPPORT] = self.sweep.support
        return {name: values for name, values in found.items() if np.isfinite(values).any()}

    @property
    def axes(self) -> tuple[Axis, Axis]:
        values = self.sweep.values
        named = f"{self.knob.parameter.label} of {self.knob.owner}"
        x = Axis(
            float(values[0]),
            float(values[-1]),
            named,
            log=self.knob.logarithmic and values[0] > 0,
            whole=self.knob.parameter.kind is INTEGER,
        )
        known = np.concatenate([*self.curves.values(), np.zeros(1)])
        highest = float(np.nanmax(known))
        low, high = decades(np.clip(known[known > 0], TINY * highest, None))
        if self.sweep.squares and high >= MANY * low:
            return x, Axis(low, high, label("mean_squared_error"), log=True)
        return x, error_axis(highest, self.sweep.squares)

    def draw_data(self, painter: QPainter, rect: QRectF, style: Style, stamps: Stamps | None) -> None:
        plot, looks = self._plot(rect, style), _looks(style.theme)
        for name, values in self.curves.items():
            plot.draw_curve(painter, self.sweep.values, values, looks[name])
        plot.draw_upright(painter, self.knob.value, 1.1)
        plot.draw_strip(painter, [(looks[name], self.told(name)) for name in self.curves])

    def told(self, name: str) -> str:
        """The number of the present fit; until that is known, at the computed value nearest to it."""
        if self.present is not None:
            value = dict(
                zip((label("training_error"), label("test_error"), SUPPORT), self.present, strict=True)
            )[name]
        else:
            value = float(self.curves[name][self._nearest])
        if not np.isfinite(value):
            return "–"
        share = not self.sweep.squares or name == SUPPORT
        return f"{100 * value:.3g} %" if share else shown(value, 3)

    @property
    def _nearest(self) -> int:
        """The number of the computed value nearest to the present one."""
        here, _ = self.axes
        return int(np.argmin(np.abs(here.fraction(self.sweep.values) - here.fraction(self.knob.value))))

    def value_at(self, at: QPointF, rect: QRectF, style: Style) -> float:
        """The computed value nearest to a place."""
        plot = self._plot(rect, style)
        where = plot.at(self.sweep.values, np.zeros(len(self.sweep.values)))[:, 0]
        return float(self.sweep.values[int(np.argmin(np.abs(where - at.x())))])


@dataclass(frozen=True)
class SweepMaker(PictureMaker):
    """Makes the picture of the latest sweep, whatever the frame."""

    knob: Knob | None = None
    sweep: Sweep | None = None

    def make(
        self, frame: Frame | None, verdict: Verdict | None = None, before: InsightPicture | None = None
    ) -> InsightPicture:
        if self.knob is None:
            return NothingToShow(reason="Neither kernel nor algorithm has a number to sweep.")
        if self.sweep is None:
            return NothingToShow(reason="Computed when you stop editing.")
        with_support: bool = self.switches.values()["support"]
        picture = SweepPicture(
            knob=self.knob, sweep=self.sweep, with_support=with_support, present=self._present(frame)
        )
        if frame is not None and frame.model.algorithm.ignores_labels and not picture.curves:
            return NothingToShow(reason=NO_ERROR)
        return picture

    def _present(self, frame: Frame | None) -> tuple[float, float, float] | None:
        """What a frame tells of the fit as it is, if it shows the optimum of that."""
        if frame is None or frame.request.step is not None:
            return None
        return told(frame.model, frame.test) if self.knob in knobs(frame.request.fits[frame.fit]) else None


def _looks(theme: Theme) -> dict[str, Curve]:
    looks = (*error_curves(theme), Curve(SUPPORT, theme.soft_ink, 1.0, (1.0, 2.0)))
    return {look.name: look for look in looks}
