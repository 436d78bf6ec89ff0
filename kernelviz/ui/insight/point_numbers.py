"""The numbers of one point or place, in two columns; real targets have other numbers than classes.

`of_point` and `of_place` compute the texts by name, and the widget shows those that its kind of data has."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.numbers.of_fit import ResidualTable
from kernelviz.runtime.messages import Frame
from kernelviz.scene.wording import shown
from kernelviz.ui.widgets.labels import Label
from kernelviz.ui.widgets.layouts import column

SCORE = ("score", "s(x)")
OF_CLASSES = (
    ("alpha", "α", "Weight of the point in the dual"),
    (*SCORE, "The score of the fit here; with two classes its sign decides"),
    ("value", "p(x)", "The score as a value from 0 to 1: the share of class + that the fit expects here"),
    (
        "product",
        "z·s(x)",
        "Positive when classified correctly, at least 1 on the line s = ±1 of its class or beyond",
    ),
    ("slack", "slack", "max(0, 1 − z·s), the hinge loss of the point"),
    ("margin", "margin", "Distance to the boundary in feature space: z·s/‖w‖"),
)
OF_TARGETS = (
    ("beta", "β", "Weight of the point in the sum"),
    (*SCORE, "The score of the fit here"),
    ("residual", "y − s(x)", "The residual: how far the point lies above the curve"),
    ("deviation", "sd", "Standard deviation of the function here, without the noise"),
    ("leverage", "leverage", "The share of s(xᵢ) that is the point's own: Hᵢᵢ with s = Hy"),
    ("left_out", "left out", "The residual under the fit to all other points: r/(1 − Hᵢᵢ)"),
    ("influence", "influence", "How far the curve moves at the points, in the root mean square, without it"),
)


class PointNumbers(QWidget):
    """Shows captions and values; an unknown value is a dash."""

    def __init__(self) -> None:
        super().__init__()
        self._values: dict[bool, dict[str, Label]] = {}
        self._parts: dict[bool, QWidget] = {}
        self.captions: dict[str, Label] = {}
        for real, rows in ((False, OF_CLASSES), (True, OF_TARGETS)):
            part = self._parts[real] = QWidget()
            grid = QGridLayout(part)
            grid.setContentsMargins(0, 0, 0, 0)
            grid.setHorizontalSpacing(8)
            grid.setVerticalSpacing(2)
            for values in (1, 3):
                grid.setColumnStretch(values, 1)
            self._values[real] = {name: Label() for name, *_ in rows}
            for k, (name, text, help_text) in enumerate(rows):
                caption, value = Label(text, role="muted"), self._values[real][name]
                self.captions[name] = caption
                for widget in (caption, value):
                    widget.setToolTip(help_text)
                value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
                grid.addWidget(caption, k // 2, 2 * (k % 2))
                grid.addWidget(value, k // 2, 2 * (k % 2) + 1)
        column(*self._parts.values(), on=self)
        self._real = False
        self.show_kind(None)

    @property
    def values(self) -> dict[str, Label]:
        """The visible values by name."""
        return self._values[self._real]

    def show_kind(self, data: Data | None, frame: Frame | None = None) -> None:
        """Show the rows for such data; a value that is no probability is not called p."""
        models_p = frame is None or frame.model.own_loss.estimate == "p"
        self.captions["value"].setText("p(x)" if models_p else "value")
        self._real = data is not None and data.task is Task.REGRESSION
        for real, part in self._parts.items():
            part.setVisible(real == self._real)

    def show_values(self, texts: dict[str, str]) -> None:
        """Show these values, and dashes for the others."""
        for name, label in self.values.items():
            label.setText(texts.get(name, "–"))

    def show_bound(self, frame: Frame, i: int) -> None:
        """Say in a tooltip how large the weight of a point may be."""
        box, beta = frame.model.box, "β" if self._real else "α"
        bound = f" ≤ {shown(float(box[i]))}" if box is not None and np.isfinite(box[i]) else ""
        bounds = f"0 ≤ {'|β|' if self._real else beta}{bound}"
        self.values["beta" if self._real else "alpha"].setToolTip(
            f"Weight of the point in the dual, {bounds}"
        )


def of_point(frame: Frame, i: int, residuals: ResidualTable | None) -> dict[str, str]:
    """Return the numbers of a training point by name; `residuals` are those that take longer than a frame."""
    table, model = frame.table, frame.model
    zero, norm = model.accuracy, model.numbers.get("norm")
    columns = [
        ("alpha", table.alpha, 0.0),
        ("beta", model.beta, 0.0),
        ("product", table.product, zero),
        ("margin", table.margin, zero / norm if norm else 0.0),
        ("slack", table.slack, zero),
        ("residual", model.residuals, zero),
    ]
    if residuals is not None:
        columns += [(name, getattr(residuals, name), 0.0) for name in ("leverage", "left_out", "influence")]
    found = {name: shown(float(of[i]), zero=limit) for name, of, limit in columns if of is not None}
    return found | of_place(frame, frame.data.X[[i]] if model.residuals is not None else None, table.score[i])


def of_place(frame: Frame, x: Any, score: Any) -> dict[str, str]:
    """Return the numbers of an input by name."""
    zero, several = frame.model.accuracy, np.ndim(score) > 0
    text = ", ".join(shown(float(v), 3) for v in score) if several else shown(float(score), zero=zero)
    found = {"score": text}
    data = frame.model.problem.data
    if data.task is Task.TWO_CLASSES and not several:
        value = frame.model.algorithm.probabilities(np.array([score]))
        found |= {} if value is None else {"value": shown(float(value[0]))}
    sd = None if x is None else frame.model.deviation(x)
    return found if sd is None else found | {"deviation": shown(float(sd[0]))}
