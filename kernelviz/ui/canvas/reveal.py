"""Freeze and reveal: the fit waits while points are edited, and a boundary drawn by hand is judged by it."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from PySide6.QtCore import QObject

from kernelviz.engine.analysis.guess import agreement
from kernelviz.engine.core.data import Task
from kernelviz.runtime.messages import Frame
from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.layers import Polylines
from kernelviz.scene.workspace_painter import Decoration
from kernelviz.session.state import State
from kernelviz.ui.canvas.plot import CanvasPlot
from kernelviz.ui.canvas.row import PlotRow
from kernelviz.ui.widgets.labels import Label
from kernelviz.ui.workbench.workbench import Workbench


class Revealing(Protocol):
    """The canvas that freezes and reveals."""

    workbench: Workbench
    row: PlotRow
    note: Label

    @property
    def in_front(self) -> bool:
        """Return True if the document belongs to this canvas' workspace."""


class Reveal(QObject):
    """Shows on a canvas that fits wait, and compares with them afterwards.

    While they wait the last picture is pale, and the note says so. Then the boundary from before is dotted
    until the next edit, and if one was drawn with the pen, the note has the share of the plane on which both
    agree."""

    def __init__(self, canvas: Revealing) -> None:
        super().__init__()
        self._canvas = canvas
        self._revealed: State | None = None  # The document when the fit was revealed.
        bench = canvas.workbench
        bench.frozen_changed.connect(self._on_frozen)
        bench.frame_arrived.connect(self._on_frame)
        bench.state_changed.connect(self._on_state)

    def _on_frozen(self, on: bool) -> None:
        """Make the fit pale, or show it again with its earlier boundary."""
        canvas = self._canvas
        self._revealed = None if on else canvas.workbench.session.state
        for plot in canvas.row.shown:
            plot.scene.faint = on
            if not on:
                plot.scene.before = dotted(plot.scene.decoration)
            self._draw(plot)
        self._say("The fit waits: V reveals it" if on and canvas.in_front else "")

    def _on_frame(self, frame: Frame) -> None:
        """Compare the drawn boundary with the revealed fit."""
        canvas = self._canvas
        revealed = self._revealed is not None and frame.data is self._revealed.document.data
        if canvas.in_front and revealed and frame.refined and canvas.row.plots[0].scene.ink:
            share = self._agreement(frame)
            self._say("" if share is None else f"You agree on {100 * share:.0f} % of the plane")

    def _agreement(self, frame: Frame) -> float | None:
        """Return the share of the plane on which the lines of the pen and the fit agree."""
        scene = self._canvas.row.plots[0].scene
        picture = None if scene.decoration is None else scene.decoration.picture
        if frame.data.task is not Task.TWO_CLASSES or picture is None or picture.F is None:
            return None
        lines = [np.array(line) for line in scene.ink if len(line) > 1]
        return agreement(lines, picture.x1, picture.x2, picture.F, picture.points, picture.classes)

    def _on_state(self, old: State, new: State) -> None:
        """Forget the boundary from before, and the judgement, with the next edit."""
        if self._revealed is not None and new.document is not self._revealed.document:
            self._revealed = None
            for plot in self._canvas.row.plots:
                plot.scene.before = None
                self._draw(plot)
            self._say("")

    def _say(self, sentence: str) -> None:
        """Show a sentence in the corner of the plane; an empty one hides it."""
        note = self._canvas.note
        note.setText(sentence)
        note.setVisible(bool(sentence))
        note.raise_()
        self._canvas.row.plots[0].place_note(note)

    @staticmethod
    def _draw(plot: CanvasPlot) -> None:
        plot.scene.touch()
        plot.pulse.ask(0)


def dotted(fit: Decoration[Any] | None) -> Polylines | None:
    """Return the boundary or the curve of a fit as a dotted line; None if it has none."""
    layers = [] if fit is None else [fit.layer(name) for name in ("boundary", "above", "curve")]
    lines = [line for layer in layers if isinstance(layer, Polylines) for line in layer.groups[-1][0]]
    if not lines:
        return None
    ink = [(lines, lambda style: pen(style.theme.boundary, style.boundary_width, dash=style.dash(1.0, 2.5)))]
    return Polylines(ink, ["before"])
