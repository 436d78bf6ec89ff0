"""Keyboard focus: where it returns to, and the order of the Tab key."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Protocol, cast, runtime_checkable

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QAbstractScrollArea, QAbstractSpinBox, QComboBox, QDialog, QLayout, QWidget


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


def order_tabs(*layouts: QLayout) -> None:
    """Let Tab follow the layouts one after the other, also through widgets that were added late."""
    for before, after in pairwise(chain.from_iterable(map(_stops, layouts))):
        QWidget.setTabOrder(before, after)


def takes_tab(widget: QWidget) -> bool:
    """Whether Tab stops at it, and not at what it is the inside of.

    Not by asking for its `focusProxy`: PySide takes what that returns for a child of the widget asked, and a
    field would be a child of its own inside."""
    within = isinstance(widget.parentWidget(), QAbstractSpinBox | QComboBox | QAbstractScrollArea)
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and not within


def _stops(layout: QLayout) -> Iterator[QWidget]:
    """What Tab stops at, in the order of the layout."""
    for k in range(layout.count()):
        item = layout.itemAt(k)
        if item is None:
            continue
        widget, inner = item.widget(), item.layout()
        if widget is not None and takes_tab(widget):
            yield widget
        elif widget is not None:
            inner = widget.layout()
        if inner is not None:
            yield from _stops(inner)
