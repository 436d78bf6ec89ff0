"""The learning curve: training and held-out error of one fit over the number of points it is fitted to.

Ten samples of each size are drawn from the data set, or from the points themselves where it cannot be drawn
again, and fitted as long work of the view."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.params import flag
from kernelviz.engine.numbers.declared import BAYES_ERROR
from kernelviz.runtime.fresh_samples import FEWEST, SMALLEST, LearningCurve, LearningCurveRun
from kernelviz.runtime.messages import Frame
from kernelviz.scene.axes import Axis, Curve, ink
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.strokes import polygon, tinted
from kernelviz.scene.insight.parts.errors import HELD_OUT, TRAINING, error_axis
from kernelviz.scene.layers import Coordinates, Layer
from kernelviz.scene.plot_layers import Lines, Upright
from kernelviz.scene.plots import Plot
from kernelviz.scene.view import LATER, DocumentView, Needed, Now, Scene, ViewMemory, message
from kernelviz.scene.wording import Remark, error_shown
from kernelviz.session.state import Document
from kernelviz.session.workspaces.base import origin

BAYES = Curve(BAYES_ERROR.label, "soft_ink", 1.2, (1.0, 2.0))
NOISE = replace(BAYES, name="noise")  # What bounds the error of a curve, by its name in bias and variance.


@dataclass(frozen=True)
class LearningView(DocumentView):
    """The mean error over ten samples for each n, with their spread as a band, the Bayes error or
    the noise where it is known, and an upright line at the present n."""

    name = "learning"
    title = "Learning curve"
    family = "Generalise"
    summary_line = "Training and held-out error over the number of points, for ten samples each."
    number = 42
    computes = True

    spread: bool = flag(True, label="Spread", help="The standard deviation over ten samples, as a band")

    def needs(self, document: Document, frame: Frame | None) -> Needed | None:
        """Return the learning curve to be computed; None for points that are too few and cannot be drawn
        again."""
        drawn = origin(document.origin)
        again = drawn is not None and drawn.fresh(SMALLEST) is not None
        if not again and document.data.n < FEWEST:
            return None
        key = str(document.fit), str(drawn), None if again else document.data
        return Needed(key, lambda: LearningCurveRun(document.data, drawn, document.fit))

    def scene(self, frame: Frame | None, now: Now, memory: ViewMemory) -> Scene:
        curve: LearningCurve | None = now.result
        if now.document is not None and self.needs(now.document, None) is None:
            return message(f"A learning curve needs a data set that can be drawn again, or {FEWEST} points.")
        if curve is None:
            return message(LATER)
        errors = ((HELD_OUT, curve.held_out), (TRAINING, curve.training))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # of rows without a number
            known = [
                (look, np.nanmean(values, axis=1), np.nanstd(values, axis=1))
                for look, values in errors
                if np.isfinite(values).any()
            ]
        if not known:
            return message("There is no error to show for this fit yet.")
        layers: list[Layer] = []
        ends: list[tuple[Curve, float]] = []  # The last value of each curve.
        highest, least = 0.0, NOISE if curve.squares else BAYES
        for look, mean, spread in known:
            if self.spread:
                part = f"spread of {look.name}"
                layers.append(
                    Band(part=part, x=curve.sizes, low=mean - spread, high=mean + spread, ink=look.colour)
                )
            ends.append((look, float(mean[np.isfinite(mean)][-1])))
            number = error_shown(ends[-1][1], curve.squares)
            layers.append(Lines(part=look.name, x=curve.sizes, y=mean, curve=look, number=number))
            highest = max(highest, float(np.nanmax(mean + spread)))
        if curve.bayes_error is not None:
            level = np.full(len(curve.sizes), curve.bayes_error)
            number = error_shown(curve.bayes_error, curve.squares)
            layers.append(Lines(part="bayes", x=curve.sizes, y=level, curve=least, number=number))
            ends.append((least, curve.bayes_error))
        if now.document is not None:
            layers.append(Upright(part="present", x=float(now.document.data.n), width=1.1))
        x = Axis(float(curve.sizes[0]), float(curve.sizes[-1]), "points fitted, n", log=True)
        y = error_axis(highest, curve.squares)
        shorter = tuple(_in_brief(ends, curve.squares, digits) for digits in (3, 2))
        plot = Plot(part="learning", x=x, y=y, layers=tuple(layers), shorter=shorter)
        meaning = (
            "With few points the training error is small by chance and the held-out error large. With more "
            "points both approach the best that this kernel and algorithm can do, which may lie above the {}."
        )
        return Scene(plot, remark=Remark("mean over ten samples", meaning.format(least.name)))


def _in_brief(ends: list[tuple[Curve, float]], squares: bool, digits: int) -> tuple[tuple[Curve, str], ...]:
    """Return a legend that leaves out the word error."""
    return tuple(
        (replace(look, name=look.name.removesuffix(" error")), error_shown(value, squares, digits))
        for look, value in ends
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class Band(Layer):
    """The area between two curves, where both are defined, in a pale tint of their colour."""

    x: Array
    low: Array
    high: Array
    ink: str

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        good = np.isfinite(self.low) & np.isfinite(self.high)
        if good.sum() < 2:
            return
        upper = axes.at(self.x[good], self.high[good])
        lower = axes.at(self.x[good], np.maximum(self.low[good], 0.0))
        painter.setClipRect(axes.inner)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tinted(ink(axes.style.theme, self.ink), 0.18))
        painter.drawPolygon(polygon(np.concatenate([upper, lower[::-1]])))
