"""Whether a widget is painted when it asks to be."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget


class Paints(QObject):
    """Counts how often a widget is painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return False


def wait_until_painted(qtbot, widget: QWidget) -> None:
    """Ask a widget to be painted, and wait until it is."""
    paints = Paints(widget)
    widget.update()
    qtbot.waitUntil(lambda: paints.count > 0)
