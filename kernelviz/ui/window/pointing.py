"""A label in large type next to the pointer on the thing under it: panels cannot be read in a lecture
hall."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject, QPoint, Qt

from kernelviz.engine.core.data import Task
from kernelviz.session.state import State
from kernelviz.ui.insight.inspector import point_in_words
from kernelviz.ui.insight.point_numbers import OF_CLASSES, OF_TARGETS, of_point
from kernelviz.ui.widgets.labels import Label
from kernelviz.ui.window.shell import Shell


class Pointing(QObject):
    """In presentation mode a label describes the thing under the pointer: a point with its numbers, a line,
    or an entry of the legend. It is gone while a button is down, and the mouse passes through it."""

    def __init__(self, window: Shell) -> None:
        super().__init__(window)
        self._window = window
        self.label = Label(parent=window.canvases, role="notice")
        self.label.setObjectName("pointed")
        self.label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.label.hide()
        canvases, bench = window.canvases, window.workbench
        canvases.pointed.connect(self._follow)
        for gone in (canvases.left, canvases.pressed, window.actions_by_name["presentation"].toggled):
            gone.connect(self.label.hide)
        bench.frame_arrived.connect(self._refresh)
        bench.frozen_changed.connect(self._refresh)
        bench.state_changed.connect(self._on_state)

    def _on_state(self, old: State, new: State) -> None:
        """Hide the label when the plane moves away below the pointer."""
        if old.look.view != new.look.view or old.document.workspace is not new.document.workspace:
            self.label.hide()

    def _refresh(self) -> None:
        """Update the label after a change."""
        if not self.label.isHidden():
            self._follow()

    def _follow(self) -> None:
        """Describe the thing under the pointer, or hide the label if there is none."""
        words = self._words() if self._window.presentation.on else ""
        self.label.setVisible(bool(words))
        if words:
            self.label.setText(words)
            self.label.adjustSize()
            self._place()
            self.label.raise_()

    def _words(self) -> str:
        """Return the description of the thing under the pointer."""
        from kernelviz.scene.naming import line_at

        pointer = self._window.canvas.pointer
        spot, scene = pointer.place, pointer.plot.scene
        if spot is None or pointer.busy:
            return ""
        if (point := pointer.point_at(spot)) is not None:
            return self._of_point(point)
        if entry := scene.legend_entry(spot):
            return entry
        if scene.decoration is None or scene.faint:
            return ""
        reach = 8.0  # Pixels from a line within which the pointer is on it.
        return line_at(scene.decoration, scene.shown, np.array([spot.x, spot.y]), pointer.units(reach))

    def _of_point(self, i: int) -> str:
        """Return name, part and numbers of a training point, each in a line."""
        bench, plot = self._window.workbench, self._window.canvas.pointer.plot
        data, frame = bench.session.document.data, plot.frame
        if frame is None or frame.data is not data or plot.scene.faint:
            return point_in_words(data, None, i)[0]
        told = {"alpha", "product", "slack", "beta", "residual"}
        names = OF_TARGETS if data.task is Task.REGRESSION else OF_CLASSES
        values = of_point(frame, i, None)
        numbers = [f"{text} = {values[name]}" for name, text, _ in names if name in told & values.keys()]
        heading, kind, condition = point_in_words(data, frame, i)
        return "\n".join(filter(None, (heading, kind, "   ".join(numbers), condition)))

    def _place(self) -> None:
        """Put the label to the right of the pointer and below it, or on the other side at an edge."""
        away = 20  # Pixels from the pointer.
        pointer, label, room = self._window.canvas.pointer, self.label, self._window.canvases
        assert pointer.place is not None
        area = pointer.plot.area
        at = area.mapTo(room, area.position(pointer.place).toPoint())
        x = at.x() + away if at.x() + away + label.width() <= room.width() else at.x() - away - label.width()
        y = (
            at.y() + away
            if at.y() + away + label.height() <= room.height()
            else at.y() - away - label.height()
        )
        label.move(QPoint(max(0, x), max(0, y)))
