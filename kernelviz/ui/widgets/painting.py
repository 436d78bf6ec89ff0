"""Painting of widgets: their style and rectangle in points, the unit of figures on paper, and changes of a
window that are not painted half-way."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QRectF, Qt, QTimer
from PySide6.QtWidgets import QWidget

from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL
from kernelviz.scene.theme import BASE_POINTS, current_theme


def screen_style(widget: QWidget) -> Style:
    """Return the style of the current theme, with type as large as the application's."""
    return Style(theme=current_theme(), text=8.2, glyphs=0.85).with_type(type_scale(widget))


def type_scale(widget: QWidget) -> float:
    """Return the size of a widget's type, compared with the usual."""
    size = widget.font().pointSizeF()
    return size / BASE_POINTS if size > 0 else 1.0


def room_in_points(widget: QWidget) -> QRectF:
    """Return the rectangle of a widget, in points."""
    return QRectF(0, 0, POINTS_PER_PIXEL * widget.width(), POINTS_PER_PIXEL * widget.height())


class UnpaintedChange(QObject):
    """Changes a window in steps, a turn of the event loop each, and paints it after the last one.

    Only this object stops the painting of its window, and while painting is off its timer runs. So painting
    begins again whatever a step does: after an exception, in the event loop of a dialogue, or while the
    window is hidden."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._steps: list[Callable[[], object]] = []
        self._turns = QTimer(self)
        self._turns.timeout.connect(self._next_step)

    @property
    def busy(self) -> bool:
        """True while steps are left to do."""
        return bool(self._steps)

    def pause(self) -> None:
        """Paint nothing until the next turn of the event loop, or until the steps are done."""
        self._window.setUpdatesEnabled(False)
        self._turns.start()

    def begin(self, steps: Iterable[Callable[[], object]]) -> None:
        """Do these steps in the next turns, in place of the remaining steps of an earlier change."""
        self._steps = list(steps)
        self.pause()

    def finish(self) -> None:
        """Do the remaining steps now."""
        while self._turns.isActive():
            self._next_step()

    def _next_step(self) -> None:
        try:
            if self._steps:
                self._steps.pop(0)()
        finally:
            if not self._steps:
                self._turns.stop()
                self._resume()

    def _resume(self) -> None:
        """Paint the window again, and its panels that were made windows of their own meanwhile.

        Qt keeps such a panel unpainted. It also forgets a request to paint that comes while painting is off,
        and sends no other as long as it believes that one is on its way: this is the request it waits for."""
        within = self._window.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        for widget in (self._window, *(child for child in within if child.isWindow())):
            if not widget.updatesEnabled():
                widget.setUpdatesEnabled(True)
                QCoreApplication.postEvent(widget, QEvent(QEvent.Type.UpdateRequest))
