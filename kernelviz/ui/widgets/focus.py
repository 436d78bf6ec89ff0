"""Keyboard focus: where it returns to after a control was used, and the order of the Tab key."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Protocol, cast, runtime_checkable

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QAbstractScrollArea, QAbstractSpinBox, QComboBox, QDialog, QLayout, QWidget


@runtime_checkable
class Home(Protocol):
    """A window with one part, the canvas, that has the keyboard focus when no control needs it."""

    def take_keyboard(self) -> bool:
        """Focus that part; return True if another widget had the focus."""


def _home_of(widget: QWidget) -> Home | None:
    """Return the window a control belongs to, also from a floating panel; a dialogue has none."""
    above: QWidget | None = widget
    while above is not None and not isinstance(above, QDialog):
        if isinstance(above, Home):
            return cast(Home, above)
        above = above.parentWidget()
    return None


def return_focus(widget: QWidget) -> bool:
    """Give the focus back to the canvas after the use of a control; return True if it was elsewhere."""
    home = _home_of(widget)
    return home is not None and home.take_keyboard()


if TYPE_CHECKING:
    SomeWidget = QWidget  # what the mixin is mixed into; if it were a widget itself, Qt would make two
else:
    SomeWidget = object


class ReturnsFocus(SomeWidget):
    """Mix into a control used with the mouse: afterwards Space and the arrow keys belong to the canvas."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        home = _home_of(self)  # the pressed widget may be deleted by its own click
        super().mouseReleaseEvent(event)
        if home is not None:
            home.take_keyboard()


def order_tabs(*layouts: QLayout) -> None:
    """Make Tab follow the layouts one after the other, including widgets that were added late."""
    for before, after in pairwise(chain.from_iterable(map(_stops, layouts))):
        QWidget.setTabOrder(before, after)


def takes_tab(widget: QWidget) -> bool:
    """Return True if Tab stops at a widget itself, not at a spin box, list or scroll area around it.

    `focusProxy` is not asked: PySide takes its answer for a child of the widget asked, and a field would
    become a child of its own inside."""
    within = isinstance(widget.parentWidget(), QAbstractSpinBox | QComboBox | QAbstractScrollArea)
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and not within


def _stops(layout: QLayout) -> Iterator[QWidget]:
    """Yield the widgets Tab stops at, in the order of the layout.

    Not by `itemAt`: PySide makes a second Python object for a layout within a layout, and crashes when both
    are destroyed."""
    direct = Qt.FindChildOption.FindDirectChildrenOnly
    around = layout.parentWidget()
    if around is None:
        return
    within: list[QWidget | QLayout] = list(around.findChildren(QWidget, options=direct))
    within += [child for child in layout.children() if isinstance(child, QLayout)]
    placed = sorted(((layout.indexOf(part), part) for part in within), key=itemgetter(0))
    for index, part in placed:
        if index < 0:
            continue
        if isinstance(part, QWidget) and takes_tab(part):
            yield part
        elif (inner := part.layout() if isinstance(part, QWidget) else part) is not None:
            yield from _stops(inner)
