"""The losses over the last minutes of editing, with a tick for every edit.

They come from the session's `EditLog`, which notes the numbers of every result in live mode."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QLineF, QPointF
from PySide6.QtGui import QPainter

from kernelviz.runtime.messages import Frame
from kernelviz.scene.axes import Axis, Curve, SteadyRange
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.insight.parts.errors import HELD_OUT, TRAINING
from kernelviz.scene.layers import Coordinates, Layer
from kernelviz.scene.nodes import Hit, Marks
from kernelviz.scene.plot_layers import Lines, Upright
from kernelviz.scene.plots import Plot
from kernelviz.scene.view import DocumentView, Intent, Now, Restore, Scene, ViewMemory, message
from kernelviz.scene.wording import error_shown
from kernelviz.session.edit_log import ERRORS, Edits


@dataclass(frozen=True)
class EditsView(DocumentView):
    """Runs on while something is dragged, the newest result on the right. Pointing at the tick that ends an
    edit names it, and a click goes back to the document as it was then."""

    name = "edits"
    title = "Edits"
    family = "Fit"
    summary_line = "Losses and errors over the last minutes of editing."
    number = 8

    def repeatable(self, now: Now) -> bool:
        return False

    def scene(self, frame: Frame | None, now: Now, memory: ViewMemory) -> Scene:
        """Return the losses of the session's edit log, the newest at the right end."""
        edits = None if now.edits is None else now.edits()
        if edits is None or not len(edits.numbers):
            return message("Edit something in live mode: its effect on the losses appears here.")
        if not np.isfinite(edits.numbers).any():
            return message("This algorithm has no loss and no error to follow.")
        length = len(edits.numbers)
        fewest = 60  # Results the axis has room for at least.
        room = max(fewest, length) - 1
        x = 1.0 - np.arange(length)[::-1] / room  # the newest at 1; the axis has no numbers
        # The algorithm's own loss, the hinge, and the errors on training and held-out points.
        curves = (Curve("", "soft_ink", 1.8), Curve("", "ink", 1.4), TRAINING, HELD_OUT)
        lines = [
            Lines(
                part=name,
                x=x,
                y=values,
                curve=replace(curve, name=name),
                number=_number(name, float(values[-1])),
            )
            for curve, name, values in zip(curves, edits.names, edits.numbers.T, strict=True)
            if np.isfinite(values).any()
        ]
        ticks = EditTicks(part="ticks", x=x[[tick.row for tick in edits.ticks]], edits=edits)
        least_height = SteadyRange.at_least(0.0, 0.1)
        plot = Plot(
            part="edits",
            x=Axis(0.0, 1.0, bare=True),
            y=memory.axis("height", least_height, edits.numbers),
            layers=(*lines, ticks),
        )
        return Scene(plot)

    def on_click(self, hit: Hit, now: Now) -> Intent | None:
        if not hit.row or now.edits is None:
            return None
        document = now.edits().ticks[int(hit.row)].document()
        return None if document is None else Restore(document)


def _number(name: str, value: float) -> str:
    """Return a loss, or an error in per cent, by the name of its curve."""
    return error_shown(value, squares=name not in ERRORS)


@dataclass(frozen=True, eq=False, kw_only=True)
class EditTicks(Layer):
    """A tick at the foot for the last result of each edit; the row of a hit is the number of the tick."""

    x: np.ndarray
    edits: Edits

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        foot, style = axes.inner.bottom(), axes.style
        painter.setPen(pen(style.theme.soft_ink, style.axis_width))
        across = axes.at(self.x, 0.0)[:, 0].tolist()
        tick = 0.6  # Height of a tick, in units of the type size.
        painter.drawLines([QLineF(x, foot, x, foot - tick * style.text) for x in across])

    def mark(self, axes: Coordinates, painter: QPainter, marks: Marks) -> None:
        """Name the edit that is pointed at, with its numbers."""
        if marks.pointed.part != self.part:
            return
        k = int(marks.pointed.row)
        tick, x = self.edits.ticks[k], float(self.x[k])
        Upright(x=x).draw(axes, painter, None)
        numbers = (
            f"{name} {_number(name, float(value))}"
            for name, value in zip(self.edits.names, self.edits.numbers[tick.row], strict=True)
            if np.isfinite(value)
        )
        at = QPointF(float(axes.at(x, 0.0)[0, 0]), axes.inner.top())
        axes.draw_label(painter, at, ", ".join([tick.name or "at first", *numbers]))

    def hit(self, axes: Coordinates, at: QPointF) -> Hit | None:
        """Return the tick nearest to a place, however far below or above it."""
        if not len(self.x) or not axes.rect.contains(at):
            return None
        across = axes.at(self.x, 0.0)[:, 0]
        return Hit(self.part, row=str(int(np.argmin(np.abs(across - at.x())))))
