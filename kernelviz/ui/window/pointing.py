"""A label in large type next to the pointer on the thing under it: panels cannot be read in a lecture
hall."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject, QPoint, QRect, Qt
from PySide6.QtGui import QCursor, QGuiApplication
from PySide6.QtWidgets import QWidget

from kernelviz.engine.core.data import Task
from kernelviz.scene.nodes import Hit
from kernelviz.session.state import State
from kernelviz.ui.insight.inspector import point_in_words
from kernelviz.ui.insight.point_numbers import OF_CLASSES, OF_TARGETS, of_point
from kernelviz.ui.insight.sheet import SceneSheet
from kernelviz.ui.widgets.labels import Label
from kernelviz.ui.window.shell import Shell


class Pointing(QObject):
    """In presentation mode a label describes the thing under the pointer: a point with its numbers, a line,
    an entry of the legend, or a bar or a cell of a view. It is gone while a button is down, and the mouse
    passes through it."""

    def __init__(self, window: Shell) -> None:
        super().__init__(window)
        self._window = window
        self.label = Label(parent=window, role="notice")
        self.label.setObjectName("pointed")
        self.label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.label.hide()
        canvases, bench = window.canvases, window.workbench
        self._in_view = False  # Whether the label is about a view, and not about the canvas.
        canvases.pointed.connect(self._follow)
        window.insight.pointed.connect(self._follow_view)
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
        if self._in_view:
            self.label.hide()
        elif not self.label.isHidden():
            self._follow()

    def _follow(self) -> None:
        """Describe the thing under the pointer on the canvas, or hide the label if there is none."""
        self._in_view = False
        pointer = self._window.canvas.pointer
        words = self._words() if self._window.presentation.on else ""
        if words and pointer.place is not None:
            area = pointer.plot.area
            at = area.mapTo(self._window, area.position(pointer.place).toPoint())
            self._say(words, at, self._window.canvases)
        else:
            self.label.hide()

    def _follow_view(self, sheet: SceneSheet, hit: Hit | None) -> None:
        """Describe the thing under the pointer in a view, without a tooltip."""
        self._in_view = True
        free = QGuiApplication.mouseButtons() == Qt.MouseButton.NoButton
        here = self._window.presentation.on and sheet.window() is self._window
        if hit is not None and free and here and (words := self._of_hit(hit)):
            sheet.setToolTip("")
            self._say(words, self._window.mapFromGlobal(QCursor.pos()), self._window)
        else:
            self.label.hide()

    def _say(self, words: str, at: QPoint, room: QWidget) -> None:
        """Show the label next to a place of the window, within a part of it."""
        self.label.setText(words)
        self.label.adjustSize()
        self._place(at, QRect(room.mapTo(self._window, QPoint()), room.size()))
        self.label.show()
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

    def _of_hit(self, hit: Hit) -> str:
        """Return the description of a part of a view: its explanation, or the numbers of its point."""
        if hit.tip or len(hit.points) != 1 or hit.points[0] >= self._window.session.document.data.n:
            return hit.tip
        return self._of_point(hit.points[0])

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

    def _place(self, at: QPoint, room: QRect) -> None:
        """Put the label to the right of the pointer and below it, or on the other side at an edge."""
        away, size = 20, self.label.size()  # Pixels from the pointer.
        x, y = at.x() + away, at.y() + away
        if x + size.width() > room.right() + 1:
            x = at.x() - away - size.width()
        if y + size.height() > room.bottom() + 1:
            y = at.y() - away - size.height()
        self.label.move(max(room.left(), x), max(room.top(), y))
