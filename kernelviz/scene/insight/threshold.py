"""The confusion table of one threshold, and the ROC curve over all thresholds."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Task
from kernelviz.engine.core.params import real
from kernelviz.engine.models.base import Model
from kernelviz.engine.numbers.roc import Roc, confusion, roc
from kernelviz.runtime.messages import Frame
from kernelviz.scene.axes import Axis, Curve
from kernelviz.scene.insight.parts.errors import HELD_OUT, TRAINING
from kernelviz.scene.layers import Layer
from kernelviz.scene.nodes import Hit, WithSquare
from kernelviz.scene.plot_layers import Dots, Lines
from kernelviz.scene.plots import Plot
from kernelviz.scene.rows import NamedValue, ValueRows
from kernelviz.scene.view import Intent, Now, Scene, Set, View, ViewMemory, message
from kernelviz.scene.wording import Remark, shortened, shown

# Each set of points by its name: how its curve is drawn.
ROC_CURVES = {
    "training": replace(TRAINING, name="training"),
    "held out": replace(HELD_OUT, name="held out"),
}


@dataclass(frozen=True)
class ThresholdView(View):
    """The ROC curves of training and held-out points, and the 2x2 table of each at the present threshold; a
    click or a drag on the curve moves the threshold. The right answers are emphasised."""

    name = "threshold"
    title = "Threshold and ROC"
    family = "Generalise"
    summary_line = "The 2x2 table of a fit at a threshold that can be moved, and the ROC curve."
    number = 41
    instant = frozenset({"threshold"})
    drags = True
    scrolls = True
    undoable = True

    threshold: float = real(
        0.0,
        low=-1e6,
        high=1e6,
        soft=(-2.0, 2.0),
        label="Threshold",
        help="Points with s(x) above it are assigned to the class in the last column",
    )

    def scene(self, frame: Frame, now: Now, memory: ViewMemory) -> Scene:
        model, data = frame.model, frame.data
        no_classes = "This view needs two classes and a score."
        if data.task is not Task.TWO_CLASSES or not model.is_classifier:
            return message(no_classes)
        sets = {"training": (model.training_scores, data.z)}
        if frame.test is not None and frame.test.places is not None and frame.request.held_out is not None:
            z = frame.request.held_out.z
            sets["held out"] = (z * frame.test.places, z)
        found = {name: curve for name, (scores, z) in sets.items() if (curve := roc(scores, z)) is not None}
        if not found:
            return message("Both classes are needed for a ROC curve.")
        classes = tuple("−" if name == "-" else shortened(name) for name in data.class_names)
        items = [NamedValue(self._words(model))] if now.on_paper else []
        for name, (scores, z) in sets.items():
            counts = confusion(scores, z, self.threshold)
            wrong = 100 * int(counts[0, 1] + counts[1, 0]) / len(z)
            area = f", area {found[name].area:.3f}" if name in found else ""
            items.append(NamedValue(f"{name}: {wrong:.3g} % wrong{area}"))
            for k, (truth, row) in enumerate(zip(classes, counts, strict=True)):
                items.append(NamedValue(f"   {truth}", cells=tuple(map(str, row)), best=frozenset({k})))
        head = ("class in rows, called in columns",)
        table = ValueRows(part="table", items=tuple(items), columns=classes, head=head, largest=1.0)
        plot = self._plot(sets, found, classes)
        about_area = (
            "The area under the curve is the probability that a point of class {1} has a larger score than "
            "one of class {0}: 1 is perfect, ½ is guessing. It depends on the order of the scores alone."
        )
        return Scene(WithSquare(plot, table), remark=Remark(self._words(model), about_area.format(*classes)))

    def _words(self, model: Model) -> str:
        value = model.algorithm.probabilities(np.array([self.threshold]))
        as_value = "" if value is None else f", {model.own_loss.estimate} = {shown(float(value[0]), 3)}"
        return f"threshold s = {shown(self.threshold, 3)}{as_value}"

    def _plot(
        self, sets: dict[str, tuple[Array, Array]], found: dict[str, Roc], classes: tuple[str, ...]
    ) -> Plot:
        at_random = Curve("", "soft_ink", 0.8, (1.0, 2.0))
        layers: list[Layer] = [
            Lines(part="at random", x=np.array([0.0, 1.0]), y=np.array([0.0, 1.0]), curve=at_random)
        ]
        for name, curve in found.items():
            counts, look = confusion(*sets[name], self.threshold), ROC_CURVES[name]
            false, true = counts[:, [1]] / counts.sum(axis=1, keepdims=True)  # shares called +
            x, y = curve.false_positive, curve.true_positive
            layers.append(Lines(part=name, x=x, y=y, curve=look, number=""))
            layers.append(Dots(part=f"{name} now", x=false, y=true, curve=look))
        minus, plus = classes
        return Plot(
            part="roc",
            x=Axis(0.0, 1.0, f"share of {minus} called {plus}"),
            y=Axis(0.0, 1.0, f"share of {plus} called {plus}"),
            layers=tuple(layers),
        )

    def on_click(self, hit: Hit, now: Now) -> Intent | None:
        """Move the threshold to where the curve is nearest to the place."""
        answer = now.answers[now.document.active] if now.document is not None and now.answers else None
        if hit.at is None or not isinstance(answer, Frame):
            return None
        found = roc(answer.model.training_scores, answer.data.z)
        if found is None:
            return None
        distance = np.hypot(found.false_positive - hit.at[0], found.true_positive - hit.at[1])
        return Set("threshold", float(found.thresholds[int(np.argmin(distance))]))
