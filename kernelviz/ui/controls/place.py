"""A place for one widget, which may change places with that of another."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

__all__ = ["Place", "exchange"]


class Place(QWidget):
    """Filled by the one widget put into it."""

    def __init__(self) -> None:
        super().__init__()
        self.widget: QWidget | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    def put(self, widget: QWidget) -> None:
        """Show a widget here, and not where it was; what was here rests, out of sight."""
        if widget is self.widget:
            return
        self.take()
        if isinstance(before := widget.parentWidget(), Place) and before.widget is widget:
            before.take()
        self.widget = widget
        self._column.addWidget(widget)
        widget.show()

    def take(self) -> QWidget | None:
        """Put away what is here: it remains this place's, hidden, until another takes it."""
        widget, self.widget = self.widget, None
        if widget is not None:
            self._column.removeWidget(widget)
            widget.hide()
        return widget


def exchange(one: Place, other: Place) -> None:
    """Have the widgets of two places change places."""
    first, second = one.take(), other.take()
    for place, widget in ((one, second), (other, first)):
        if widget is not None:
            place.put(widget)
