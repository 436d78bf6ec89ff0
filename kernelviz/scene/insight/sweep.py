"""Training and held-out error against one number of the fit: the U that every lecture draws."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.params import flag
from kernelviz.engine.numbers.declared import label
from kernelviz.engine.selection.tunable import Knob, knobs
from kernelviz.runtime.background_results import Sweep, SweepRun, sweep_numbers
from kernelviz.runtime.messages import Frame
from kernelviz.scene.axes import Axis, Curve, decades
from kernelviz.scene.insight.parts.errors import HELD_OUT, TRAINING, error_axis
from kernelviz.scene.layers import Layer
from kernelviz.scene.nodes import Hit
from kernelviz.scene.plot_layers import Lines, StepCurve, Upright
from kernelviz.scene.plots import Plot
from kernelviz.scene.view import (
    LATER,
    ChangeDocument,
    DocumentView,
    Intent,
    Needed,
    Now,
    OptionPicker,
    Scene,
    ViewMemory,
    message,
)
from kernelviz.scene.wording import error_shown
from kernelviz.session.state import Document

VALUES = 41  # Values along the range.
HINGE = Curve("hinge loss", "ink", 1.2)
SUPPORT = Curve("support vectors", "soft_ink", 1.0, (1.0, 2.0))


@dataclass(frozen=True)
class SweepView(DocumentView):
    """Curves over the values of one parameter, with the present value marked; a click or a drag sets it."""

    name = "sweep"
    title = "Sweep"
    family = "Generalise"
    summary_line = "Training and held-out error against one parameter of the kernel or the algorithm."
    number = 5
    computes = True
    drags = True
    pickers = (OptionPicker("key", "Parameter to sweep", "The parameter on the horizontal axis", brief=True),)

    support: bool = flag(
        False, label="Support vectors", help="Also draw how many of the points are support vectors"
    )
    hinge: bool = flag(
        False,
        label="Hinge loss",
        help="Also draw the mean hinge loss: it changes gradually where the error jumps",
    )
    key: tuple[str, tuple[int, ...], str] | None = None  # Which number is swept.

    def knob(self, document: Document) -> Knob | None:
        """Return the number that is swept: the one picked, if the fit still has it, else its first."""
        offered = knobs(document.fit)
        return next((knob for knob in offered if knob.key == self.key), offered[0] if offered else None)

    def needs(self, document: Document, frame: Frame | None) -> Needed | None:
        knob, held = self.knob(document), document.held_out
        if knob is None or not document.data.n:
            return None
        test = None if held is None else held.data
        # The number's own value plays no part, unless it lies beyond the range.
        fixed = knob.turned(document.fit, knob.parameter.default)
        beyond = not knob.parameter.soft[0] <= knob.value <= knob.parameter.soft[1]
        values = knob.span(VALUES)
        fits = [knob.turned(document.fit, value) for value in values]
        key = (knob.key, str(fixed), document.data, test, knob.value if beyond else None)
        return Needed(key, lambda: SweepRun(document.data, test, values, fits))

    def scene(self, frame: Frame | None, now: Now, memory: ViewMemory) -> Scene:
        assert now.document is not None
        knob, sweep = self.knob(now.document), now.result
        if knob is None:
            return message("Neither the kernel nor the algorithm has a parameter to sweep.")
        picks = {"key": (knob.key, {other.key: other.text for other in knobs(now.document.fit)})}
        if sweep is None:
            return Scene(message(LATER).root, picks=picks)
        curves = self._curves(sweep)
        no_error = (
            "The algorithm does not use classes or targets, so there is no error to sweep. "
            "Tick “Support vectors” to see their share of the points."
        )
        if frame is not None and frame.model.algorithm.ignores_labels and not curves:
            return Scene(message(no_error).root, ("support",), picks=picks)
        x, y = _axis(knob, sweep), _height(sweep, [values for _, values in curves])
        numbers = _numbers(frame, knob)
        nearest = int(np.argmin(np.abs(x.fraction(sweep.values) - x.fraction(knob.value))))
        layers: list[Layer] = []
        for curve, values in curves:
            value = float(values[nearest]) if numbers is None else numbers[curve.name]
            plain = curve is HINGE or (sweep.squares and curve is not SUPPORT)
            # A share of the points is the same between two jumps: a slope would show shares that no fit has.
            kind, number = Lines if plain else StepCurve, error_shown(value, plain)
            layers.append(kind(part=curve.name, x=sweep.values, y=values, curve=curve, number=number))
        layers.append(Upright(part="present", x=knob.value, width=1.1))
        return Scene(Plot(part="sweep", x=x, y=y, layers=tuple(layers)), picks=picks)

    def _curves(self, sweep: Sweep) -> list[tuple[Curve, Array]]:
        """Return the curves as far as they are known."""
        curves = [(HELD_OUT, sweep.held_out), (TRAINING, sweep.training)]
        if self.support:
            curves.append((SUPPORT, sweep.support))
        if self.hinge:
            curves.append((HINGE, sweep.hinge))
        return [(curve, values) for curve, values in curves if np.isfinite(values).any()]

    def on_click(self, hit: Hit, now: Now) -> Intent | None:
        """Set the number to the computed value nearest to the place."""
        knob = None if now.document is None else self.knob(now.document)
        if hit.at is None or knob is None or now.result is None or now.document is None:
            return None
        values, x = now.result.values, _axis(knob, now.result)
        value = float(values[int(np.argmin(np.abs(x.fraction(values) - x.fraction(hit.at[0]))))])
        value = round(value) if knob.parameter.is_whole else value
        return ChangeDocument(f"change {knob.parameter.label}", now.document.turned(knob, value))


def _axis(knob: Knob, sweep: Sweep) -> Axis:
    low, high = float(sweep.values[0]), float(sweep.values[-1])
    named = f"{knob.parameter.label} of {knob.owner}"
    return Axis(low, high, named, log=knob.logarithmic and low > 0, whole=knob.parameter.is_whole)


def _height(sweep: Sweep, curves: list[Array]) -> Axis:
    known = np.concatenate([*curves, np.zeros(1)])
    highest = float(np.nanmax(known))
    # Errors that differ by such a factor need a logarithmic axis; such a share of the largest is nothing.
    many, tiny = 1e3, 1e-9
    low, high = decades(np.clip(known[known > 0], tiny * highest, None))
    if sweep.squares and high >= many * low:
        return Axis(low, high, label("mean_squared_error"), log=True)
    return error_axis(highest, sweep.squares)


def _numbers(frame: Frame | None, knob: Knob) -> dict[str, float] | None:
    """Return the numbers of the fit as it is by the names of the curves, if a frame shows its optimum."""
    if frame is None or frame.request.step is not None or knob not in knobs(frame.request.fits[frame.fit]):
        return None
    names = (TRAINING.name, HELD_OUT.name, SUPPORT.name, HINGE.name)
    return dict(zip(names, sweep_numbers(frame.model, frame.test), strict=True))
