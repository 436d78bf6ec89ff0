"""A fit at other thresholds than 0: the 2x2 tables of one, and the ROC curve that all of them draw."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.data import Task
from kernelviz.engine.core.params import real
from kernelviz.engine.models.base import Model
from kernelviz.engine.numbers.roc import Roc, confusion, roc
from kernelviz.runtime.messages import Frame
from kernelviz.scene.axes import HELD_OUT, TRAINING, Axis, Curve
from kernelviz.scene.layers import Dots, Layer, Lines
from kernelviz.scene.nodes import Hit, square_with
from kernelviz.scene.plots import Plot
from kernelviz.scene.rows import Item, Rows
from kernelviz.scene.view import Intent, Memory, Now, Scene, Set, View, message
from kernelviz.scene.wording import Remark, shown

# Each set of points by its name: how its curve is drawn.
CURVES = {
    "training": Curve("training", TRAINING.colour, TRAINING.width, TRAINING.dash),
    "held out": Curve("held out", HELD_OUT.colour, HELD_OUT.width),
}
AT_RANDOM = Curve("", "soft_ink", 0.8, (1.0, 2.0))
NO_CLASSES = "There is a threshold to move for a score of two classes."
AREA = (
    "The area under the curve is the probability that a point of class + has a larger score than one of "
    "class −: 1 is perfect, ½ is guessing. It depends on the order of the scores alone."
)


@dataclass(frozen=True)
class ThresholdView(View):
    """The ROC curves of training and held-out points, and the 2x2 table of each at the present threshold; a
    click or a drag on the curve moves the threshold."""

    name = "threshold"
    title = "Threshold and ROC"
    family = "Generalise"
    summary_line = "The 2x2 table of a fit at a threshold that can be moved, and the ROC curve."
    number = 41
    instant = frozenset({"threshold"})

    threshold: float = real(
        0.0,
        low=-1e6,
        high=1e6,
        soft=(-2.0, 2.0),
        label="Threshold",
        help="Points with s(x) above it are called +",
    )

    def scene(self, frame: Frame, now: Now, memory: Memory) -> Scene:
        model, data = frame.model, frame.data
        if data.task is not Task.TWO_CLASSES or not model.is_classifier:
            return message(NO_CLASSES)
        sets = {"training": (model.training_scores, data.z)}
        if frame.test is not None and frame.test.places is not None and frame.request.held_out is not None:
            z = frame.request.held_out.z
            sets["held out"] = (z * frame.test.places, z)
        plot = self._plot(sets)
        if plot is None:
            return message("Both classes are needed for a ROC curve.")
        items = tuple(
            item for name, (s, z) in sets.items() for item in self._table(name, s, z, data.class_names)
        )
        minus, plus = data.class_names
        table = Rows(part="table", items=items, columns=(f"called {minus}", f"called {plus}"), largest=1.15)
        return Scene(square_with(plot, table), remark=Remark(self._words(model), AREA))

    def _words(self, model: Model) -> str:
        value = model.algorithm.probabilities(np.array([self.threshold]))
        as_value = "" if value is None else f", p = {shown(float(value[0]), 3)}"
        return f"threshold s = {shown(self.threshold, 3)}{as_value}"

    def _plot(self, sets: dict[str, tuple[Array, Array]]) -> Plot | None:
        layers: list[Layer] = [
            Lines(part="at random", x=np.array([0.0, 1.0]), y=np.array([0.0, 1.0]), curve=AT_RANDOM)
        ]
        legend = []
        for name, (scores, z) in sets.items():
            found, look = roc(scores, z), CURVES[name]
            if found is None:
                continue
            (false, true) = _rates(confusion(scores, z, self.threshold))
            layers.append(Lines(part=name, x=found.false_positive, y=found.true_positive, curve=look))
            layers.append(Dots(part=f"{name} now", x=np.array([false]), y=np.array([true]), curve=look))
            legend.append((look, f"area {found.area:.3f}"))
        if not legend:
            return None
        return Plot(
            part="roc",
            x=Axis(0.0, 1.0, "share of − called +"),
            y=Axis(0.0, 1.0, "share of + called +"),
            layers=tuple(layers),
            legend=tuple(legend),
        )

    def _table(self, name: str, scores: Array, z: Array, classes: tuple[str, ...]) -> list[Item]:
        """Return the two rows of a 2x2 table, the right answers emphasised, and the error."""
        counts = confusion(scores, z, self.threshold)
        rows = [
            Item(f"{classes[k]}, {name}", cells=tuple(map(str, counts[k])), best=frozenset({k}))
            for k in (0, 1)
        ]
        wrong = int(counts[0, 1] + counts[1, 0])
        return [*rows, Item("wrong", cells=("", f"{100 * wrong / len(z):.3g} %"))]

    def on_click(self, hit: Hit, now: Now) -> Intent | None:
        """Move the threshold to where the curve is nearest to the place."""
        answer = now.answers[now.document.active] if now.document is not None and now.answers else None
        if hit.at is None or not isinstance(answer, Frame):
            return None
        found = roc(answer.model.training_scores, answer.data.z)
        if found is None:
            return None
        return Set("threshold", _nearest(found, hit.at))

    def on_drag(self, hit: Hit, now: Now) -> Intent | None:
        return self.on_click(hit, now)


def _nearest(found: Roc, at: tuple[float, float]) -> float:
    """Return the threshold of the place of the curve nearest to a place of the plot."""
    distance = np.hypot(found.false_positive - at[0], found.true_positive - at[1])
    return float(found.thresholds[int(np.argmin(distance))])


def _rates(counts: Indices) -> tuple[float, float]:
    """Return the shares of − and of + that are called +."""
    false, true = counts[:, 1] / counts.sum(axis=1)
    return float(false), float(true)
