"""The loss as a function of z·s, of s with a curve for each class, or with real targets of y − s: every
training point at its place on the loss that its algorithm minimises."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.losses import (
    ABSOLUTE_ERROR,
    HINGE,
    LOGISTIC,
    SQUARED,
    SQUARED_ERROR,
    ZERO_ONE,
    Loss,
    epsilon_insensitive,
    huber,
)
from kernelviz.engine.core.params import choice, flag
from kernelviz.engine.models.base import Status
from kernelviz.runtime.messages import Frame
from kernelviz.scene.axes import Axis, Curve, SteadyRange, written
from kernelviz.scene.figure.glyphs import UNLABELLED, rings_of
from kernelviz.scene.layers import Layer
from kernelviz.scene.plot_layers import Lines, Points
from kernelviz.scene.plots import Plot
from kernelviz.scene.view import Now, Scene, View, ViewMemory, message
from kernelviz.scene.wording import class_labels, loss_shown, shortened, shown

OVER_PRODUCT, OVER_SCORE = "z·s", "s"
# Losses of classes by the name of their switch.
OVERLAYS = {"hinge": HINGE, "zero_one": ZERO_ONE, "logistic": LOGISTIC, "squared": SQUARED}


def _switch(loss: Loss, label: str = "") -> Any:
    """Return the declaration of a box that shows another loss."""
    return flag(False, label=label or loss.name, help=f"Also show the {loss.name} loss, {loss.formula}")


@dataclass(frozen=True)
class LossView(View):
    """The algorithm's own loss with the training points on it, and others as overlays. The legend has the
    mean of each loss over the points.

    Held-out points are hollow. Pointing at a point drops a line to its place on the axis."""

    name = "loss"
    title = "Loss"
    family = "Fit"
    summary_line = "What each point costs: the loss as a function of z·s(x), or of y − s(x)."
    number = 1

    over: str = choice(
        OVER_PRODUCT,
        (OVER_PRODUCT, OVER_SCORE),
        label="over",
        help="z·s(x), where both classes share a curve; or the score s(x), where each class has its own",
    )
    hinge: bool = _switch(HINGE)
    zero_one: bool = _switch(ZERO_ONE)
    logistic: bool = _switch(LOGISTIC)
    squared: bool = _switch(SQUARED)
    square: bool = _switch(SQUARED_ERROR)
    absolute: bool = _switch(ABSOLUTE_ERROR)
    insensitive: bool = _switch(epsilon_insensitive(0.0), "ε-insensitive")
    huber: bool = _switch(huber())
    points: bool = flag(True, label="points", help="The points on the loss of the algorithm")

    def scene(self, frame: Frame, now: Now, memory: ViewMemory) -> Scene:
        """Return the curves of the losses with the points on that of the algorithm, over z·s, s or y − s."""
        model = frame.model
        t = frame.table.product if model.residuals is None else model.residuals
        if model.found_nothing and model.status is Status.NOT_SEPARABLE:
            return message(f"Without a score no point has a loss. {model.message}")
        if t is None or len(t) == 0:
            return message("The loss needs two classes or real targets, and an algorithm that uses them.")
        own, held, test = model.own_loss, frame.request.held_out, frame.test
        places = None if held is None or test is None else test.places
        every = t if places is None else np.concatenate([t, places])
        apart = self.over == OVER_SCORE and not own.of_residual
        farthest = float(np.fmax.reduce(np.abs(every), initial=0.0))  # a score may be undefined
        of_products, of_losses = SteadyRange.at_least(-1.5, 2.5), SteadyRange.at_least(0.0, 2.5)
        if own.of_residual:
            x, y, overlays = _scaled_by_residuals(frame, farthest, memory)
        else:
            x = memory.steady("z·s", of_products, float(every.min()), float(every.max()))
            y = memory.steady("loss of z·s", of_losses, 0.0, float(own.of(every).max()))
            overlays = OVERLAYS
        of_scores = SteadyRange.at_least(-2.5, 2.5)
        if apart:
            x = memory.steady("s", of_scores, -farthest, farthest)
        offered = {name: loss for name, loss in overlays.items() if loss.name != own.name}
        losses = [own, *(loss for name, loss in offered.items() if getattr(self, name))]
        usual_curves = (
            Curve("hinge", "class 4", 1.2, (8.0, 2.0)),
            Curve("0-1", "soft_ink", 1.1, (1.5, 1.5)),
            Curve("logistic", "class 2", 1.2, (5.0, 2.0)),
            Curve("squared", "class 3", 1.2, (5.0, 2.0, 1.2, 2.0)),
            Curve("absolute", "class 2", 1.2, (5.0, 2.0)),
            Curve("epsilon-insensitive", "class 4", 1.2, (8.0, 2.0)),
            Curve("Huber", "class 1", 1.2, (2.0, 2.0)),
        )
        curves = {curve.name: curve for curve in usual_curves} | {own.name: Curve(own.name, "ink", 1.6)}

        def mean(loss: Loss, of: Array) -> str:
            return loss_shown(loss.mean(of), model, 3)

        legend = [(curves[loss.name], mean(loss, t)) for loss in losses]
        layers: list[Layer] = [_points(frame, t, apart)] if self.points else []
        if held is not None and places is not None:
            legend.insert(1, written("held out", mean(own, places)))
            layers[:0] = [_held_out(held, places, own, apart)] if self.points else []
        lines = [_line(loss, curves[loss.name], x) for loss in reversed(losses)]
        minus, plus = (*class_labels(frame.data.class_names), "", "")[:2]
        sides = ((1.0, shortened(plus), "positive"), (-1.0, shortened(minus), "negative"))
        if apart:
            lines = [_line(loss, curves[loss.name], x, side) for loss in losses[:0:-1] for side, *_ in sides]
            of_classes = [(side, Curve(name, colour, 1.6)) for side, name, colour in sides]
            lines += [_line(own, curve, x, side) for side, curve in of_classes]
            z = frame.data.z
            legend[0] = written(own.name, legend[0][1])
            legend[1:1] = [
                (curve, mean(own, t[z == side])) for side, curve in of_classes if (z == side).any()
            ]
        below = 0.04  # Room below zero, relative to the axis, so that points without loss are seen whole.
        plot = Plot(
            part="loss",
            x=Axis(x.low, x.high, "y − s(x)" if own.of_residual else "s(x)" if apart else "z·s(x)"),
            y=Axis(y.low - below * y.high, y.high, "loss"),
            ground=tuple(lines),
            layers=tuple(layers),
            legend=tuple(legend),
            legend_title="mean",
        )
        return Scene(plot, (*(() if own.of_residual else ("over",)), *offered, "points"))


def _points(frame: Frame, t: Array, apart: bool) -> Points:
    """Return the training points on the loss of their algorithm; over their scores if each class has its own
    curve."""
    own, found = frame.model.own_loss, rings_of(frame.model)
    rings, wrong = np.zeros(len(t), dtype=np.intp), np.zeros(len(t), dtype=bool)
    rings[found.points] = 1 + found.kinds
    wrong[found.mistakes] = True
    losses, place = own.of(t), "y − s" if own.of_residual else "s" if apart else "z·s"
    x = t * frame.data.z if apart else t

    def label(i: int) -> str:
        at = shown(float(x[i]), 3, zero=frame.model.accuracy)
        return f"point {i + 1}: {place} = {at}, {own.name} {loss_shown(float(losses[i]), frame.model, 3)}"

    classes = _classes(frame.data)
    return Points(
        part="points", x=x, y=losses, classes=classes, rings=rings, wrong=wrong, label=label, plumb=True
    )


def _held_out(held: Data, places: Array, own: Loss, apart: bool) -> Points:
    """Return the points that are not fitted, hollow."""
    x = places * held.z if apart else places
    return Points(part="held out", x=x, y=own.of(places), classes=_classes(held), hollow=True, found=False)


def _classes(data: Data) -> Indices:
    """Return the class of each point; with real targets they have none."""
    return np.full(data.n, UNLABELLED) if data.codes is None else data.codes


def _scaled_by_residuals(
    frame: Frame, farthest: float, memory: ViewMemory
) -> tuple[SteadyRange, SteadyRange, dict[str, Loss]]:
    """Return the ranges of the axes, which reach as far to the left as to the right, and the losses that can
    be laid over the algorithm's own."""
    own, spread = frame.model.own_loss, float(np.ptp(frame.data.y)) or 1.0
    least = 0.2 * 10.0 ** np.floor(np.log10(spread))
    reach = max(farthest, least)
    x = memory.steady("residual", SteadyRange.at_least(-least, least), -reach, reach)
    lowest = SteadyRange.at_least(0.0, float(own.of(np.array(least))) or least)
    # As high as the curve at the ends of the axis, so that both axes change together.
    y = memory.steady(f"{own.name} of residual", lowest, 0.0, float(own.of(np.array(x.high))))
    tube = frame.model.tube
    # Where the ε-insensitive loss begins and Huber's becomes straight, as a share of the axis to one side.
    tube_share, knee_share = 0.2, 0.4
    overlays = {
        "square": SQUARED_ERROR,
        "absolute": ABSOLUTE_ERROR,
        "insensitive": epsilon_insensitive(tube_share * x.high if tube is None else tube),
        "huber": huber(knee_share * x.high),
    }
    return x, y, overlays


def _line(loss: Loss, curve: Curve, x: SteadyRange, side: float = 1.0) -> Lines:
    """Return a loss along the axis: its kinks exactly, a smooth one finely. A side of −1 mirrors it, so that
    it is the loss of the negative class over the score."""
    if loss.kinks:
        around = [side * t for kink in loss.kinks for t in (kink, float(np.nextafter(kink, np.inf)))]
        ts = np.array([x.low, *sorted(min(max(t, x.low), x.high) for t in around), x.high])
    else:
        ts = np.linspace(x.low, x.high, 160)
    return Lines(part=loss.name if side > 0 else f"{loss.name}, −", x=ts, y=loss.of(side * ts), curve=curve)
