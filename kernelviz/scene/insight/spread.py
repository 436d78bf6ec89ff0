"""Bias and variance: fifty fits to fifty samples, how far they spread, and what their error is made of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.core.data import Task
from kernelviz.runtime.fresh_samples import SAMPLES, SMALLEST, TEST, Spread, SpreadRun
from kernelviz.runtime.messages import Frame
from kernelviz.scene.axes import Axis, Curve
from kernelviz.scene.nodes import Node, WithSquare
from kernelviz.scene.plane.lines import bayes_boundary
from kernelviz.scene.plot_layers import Lines
from kernelviz.scene.plots import Field, Plot
from kernelviz.scene.rows import NamedValue, ValueRows
from kernelviz.scene.view import LATER, DocumentView, Needed, Now, Scene, ViewMemory, message
from kernelviz.scene.wording import Remark, error_shown
from kernelviz.session.state import Document
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces.base import origin

MEAN = Curve("", "boundary", 2.0)
TRUTH = Curve("", "ink", 1.4, (6.0, 3.0))
ONE_FIT = Curve("", "highlight", 0.8, alpha=0.22)


@dataclass(frozen=True)
class SpreadView(DocumentView):
    """All curves or boundaries faintly, their mean, the truth where it is known, and the parts of the
    error."""

    name = "spread"
    title = "Bias and variance"
    family = "Generalise"
    summary_line = "Fifty fits to fifty samples, and the parts of their expected error."
    domains = ("vectors",)
    number = 43
    computes = True
    scrolls = True

    def needs(self, document: Document, frame: Frame | None) -> Needed | None:
        drawn, n = origin(document.origin), document.data.n
        if drawn is None or n < SMALLEST or document.data.task not in (Task.TWO_CLASSES, Task.REGRESSION):
            return None
        if drawn.fresh(SMALLEST) is None:
            return None
        view = _extent(document)
        extent = view.left, view.right, view.bottom, view.top
        key = str(document.fit), str(drawn), n, view
        return Needed(key, lambda: SpreadRun(n, drawn, document.fit, extent))

    def scene(self, frame: Frame | None, now: Now, memory: ViewMemory) -> Scene:
        document, spread = now.document, now.result
        not_drawn = (
            "Bias and variance need a data set of two classes or real targets that can be drawn again."
        )
        if document is None or self.needs(document, None) is None:
            return message(not_drawn)
        squares = document.data.task is Task.REGRESSION
        # The last result stays until the next one begins, and may be of the other kind of data.
        if spread is None or bool(len(spread.curves)) != squares:
            return message(LATER)
        picture, key = _curves(spread, document) if squares else _boundaries(spread, document)
        words = f"{spread.count} of {SAMPLES} fits to {document.data.n} points each"
        meaning = (
            "error = bias² + variance + noise. Each fit is made to another sample of as many points. Bias is "
            "how far their mean is from the truth, variance how far they scatter around it, noise what no "
            "fit can predict. With {0} fits, bias² is too large by about variance/{0}, and variance too "
            "small by as much. The error is measured on {1} points, whose noise is drawn."
        )
        return Scene(
            WithSquare(picture, _table(spread, squares, key)),
            remark=Remark(words, meaning.format(spread.count, TEST)),
        )


def _extent(document: Document) -> ViewRange:
    """Return the part of the plane around the points of the data set as drawn, before any edits."""
    made = origin(document.origin)
    data = document.data if made is None else made.make()
    return document.workspace.extent(data)


def _table(spread: Spread, squares: bool, key: str) -> ValueRows:
    """Return the parts of the error, their sum, and the error measured on points that are not fitted; below
    them the key to the picture."""
    parts = {"bias²": spread.bias, "variance": spread.variance, "noise": spread.noise}
    if spread.bias is not None and spread.noise is not None:
        parts["sum"] = spread.bias + spread.variance + spread.noise
    parts["error, measured"] = spread.error
    items = tuple(
        NamedValue(name, "not known" if value is None else error_shown(value, squares))
        for name, value in parts.items()
    )
    not_bayes = (
        "The noise is the mean of p(1 − p), p the probability of + at x. It is below the Bayes error, the "
        "mean of min(p, 1 − p), which includes the bias² of the Bayes boundary."
    )
    not_known = (
        "bias² and noise are measured against the probability of + at x, which is not known for this data "
        "set. Known is the sum of all three, which is the error."
    )
    by_chance = "The sum and the measured error are estimates from samples; they differ by chance."
    remarks = (
        key,
        by_chance if "sum" in parts else not_known,
        *(() if squares or spread.noise is None else (not_bayes,)),
    )
    return ValueRows(part="parts", items=items, remarks=remarks, largest=1.0)


def _curves(spread: Spread, document: Document) -> tuple[Node, str]:
    """Return the curves, and a key to them."""
    view = _extent(document)
    mean, deviation = spread.mean, spread.deviation
    deviation_curve = Curve("", "boundary", 0.9, (1.0, 2.0))
    layers = [
        Lines.joined("fits", [np.stack([spread.x, s], axis=1) for s in spread.curves], ONE_FIT),
        Lines(part="below", x=spread.x, y=mean - deviation, curve=deviation_curve),
        Lines(part="above", x=spread.x, y=mean + deviation, curve=deviation_curve),
        Lines(part="mean", x=spread.x, y=mean, curve=MEAN),
    ]
    if spread.truth is not None:
        layers.append(Lines(part="truth", x=spread.x, y=spread.truth, curve=TRUTH))
    truth = "" if spread.truth is None else " Dashed: the truth."
    key = f"Bold: the mean of the fits, dotted one standard deviation around it.{truth}"
    x, y = Axis(view.left, view.right, "x"), Axis(view.bottom, view.top, "y")
    return Plot(part="curves", x=x, y=y, layers=tuple(layers)), key


def _boundaries(spread: Spread, document: Document) -> tuple[Node, str]:
    """Return the boundaries, and a key to them."""
    view, made = _extent(document), origin(document.origin)
    truth = () if made is None else bayes_boundary(made, view)
    layers = (
        Lines.joined("fits", [line for lines in spread.lines for line in lines], ONE_FIT),
        Lines.joined("mean", spread.vote, MEAN),
        Lines.joined("truth", truth, TRUTH),
    )
    key = f"Bold: the majority of the fits.{' Dashed: the Bayes boundary.' if truth else ''}"
    return Field(part="boundaries", view=view, ground=layers), key
