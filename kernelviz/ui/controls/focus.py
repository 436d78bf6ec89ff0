"""Who has the keyboard: a field one types into, what Tab or a key has led to, and otherwise the canvas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast, runtime_checkable

from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QDialog, QWidget

__all__ = ["GivesBack", "give_back"]


@runtime_checkable
class Home(Protocol):
    """A window in which the keyboard belongs to one of its parts."""

    def take_keyboard(self) -> bool:
        """Give the keyboard to that part; whether another had it."""


def _home_of(widget: QWidget) -> Home | None:
    """The window around a control, also around a panel that floats; a dialogue is on its own."""
    above: QWidget | None = widget
    while above is not None and not isinstance(above, QDialog):
        if isinstance(above, Home):
            return cast(Home, above)
        above = above.parentWidget()
    return None


def give_back(widget: QWidget) -> bool:
    """A control is done with the keyboard; whether it, or another, had it."""
    home = _home_of(widget)
    return home is not None and home.take_keyboard()


if TYPE_CHECKING:
    SomeWidget = QWidget  # what the mixin is mixed into; itself it must not be one, or Qt would make two
else:
    SomeWidget = object


class GivesBack(SomeWidget):
    """Mix into what the mouse presses, picks or drags: Space and arrows are the canvas' afterwards."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        home = _home_of(self)  # what the mouse has pressed may be gone afterwards
        super().mouseReleaseEvent(event)
        if home is not None:
            home.take_keyboard()
