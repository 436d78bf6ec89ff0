"""Layouts: rows, columns and forms, widgets that flow into rows, places that exchange widgets, sections that
fold; calls that wait until the layout is done."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from weakref import WeakMethod

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QBoxLayout,
    QFormLayout,
    QHBoxLayout,
    QLayout,
    QLayoutItem,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from kernelviz.scene.icons import icon
from kernelviz.ui.widgets.buttons import ToolButton

# What a row or a column is made of: a widget or a layout, alone or with its stretch factor; None is empty
# space.
Part = QWidget | QLayout | tuple[QWidget | QLayout | None, int]
Margins = tuple[int, int, int, int]  # Left, top, right and bottom, in pixels.
NO_MARGINS: Margins = (0, 0, 0, 0)


def row(
    *parts: Part, on: QWidget | None = None, spacing: int = 6, margins: Margins = NO_MARGINS
) -> QHBoxLayout:
    """Lay out parts from left to right, as the layout of the widget `on` if there is one.

    `row(label, (slider, 1), button)` lets the slider take the width that is left; `(None, 1)` leaves it
    empty."""
    layout = QHBoxLayout(on) if on is not None else QHBoxLayout()
    layout.setContentsMargins(*margins)
    layout.setSpacing(spacing)
    fill(layout, *parts)
    return layout


def column(
    *parts: Part, on: QWidget | None = None, spacing: int = 6, margins: Margins = NO_MARGINS
) -> QVBoxLayout:
    """Lay out parts from top to bottom, as `row` does from left to right."""
    layout = QVBoxLayout(on) if on is not None else QVBoxLayout()
    layout.setContentsMargins(*margins)
    layout.setSpacing(spacing)
    fill(layout, *parts)
    return layout


def fill(layout: QBoxLayout, *parts: Part) -> None:
    """Add parts to a row or column that exists already."""
    for part in parts:
        content, stretch = part if isinstance(part, tuple) else (part, 0)
        if isinstance(content, QWidget):
            layout.addWidget(content, stretch)
        elif isinstance(content, QLayout):
            layout.addLayout(content, stretch)
        else:
            layout.addStretch(stretch)


def form_rows(on: QWidget | None = None) -> QFormLayout:
    """Return an empty layout for rows of a label and a field, as the layout of the widget `on` if there is
    one. Fields take the width that labels leave."""
    rows = QFormLayout(on) if on is not None else QFormLayout()
    rows.setContentsMargins(*NO_MARGINS)
    rows.setHorizontalSpacing(10)
    rows.setVerticalSpacing(6)
    rows.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    rows.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    return rows


def soon(context: QObject, method: Callable[[], object]) -> None:
    """Call a method in the next turn of the event loop, after the layout; never if the context is gone then.

    The method is held weakly: PySide 6.11 never frees what it was to call for a context that is gone, and
    with a method its object and all that this refers to, as large as a window with its fits."""
    held = WeakMethod(method)

    def call() -> None:
        if (alive := held()) is not None:
            alive()

    QTimer.singleShot(0, context, call)


class Flow(QLayout):
    """Lays out widgets like words: as many in a row as fit, in as many rows as needed.

    Its height follows from its width, so that what is below it moves down when a row is added."""

    def __init__(self, parent: QWidget | None = None, spacing: int = 6) -> None:
        super().__init__(parent)
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)
        self._items: list[QLayoutItem] = []
        self._last: QWidget | None = None
        self._elastic: list[QWidget] = []

    def add_elastic(self, widget: QWidget) -> None:
        """Add a widget that may shrink to its least width if that puts all in one row."""
        self.addWidget(widget)
        self._elastic.append(widget)

    def end_with(self, widget: QWidget) -> None:
        """Add a last widget, at the right end of the last row."""
        self.addWidget(widget)
        self._last = widget

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), move=False)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._seen():
            size = size.expandedTo(item.minimumSize())
        return size

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, move=True)

    def _seen(self) -> list[QLayoutItem]:
        """Return the items that are visible; a widget around hidden ones has no size."""
        return [item for item in self._items if not item.isEmpty() and not item.sizeHint().isEmpty()]

    @property
    def width_of_one_row(self) -> int:
        """The width at which all visible items are in one row."""
        return sum(item.sizeHint().width() + self.spacing() for item in self._seen()) - self.spacing()

    def _sizes(self, width: int) -> list[QSize]:
        """Return the sizes of the visible items."""
        items = self._seen()
        sizes = [item.sizeHint().boundedTo(QSize(width, item.sizeHint().height())) for item in items]
        spare = [
            size.width() - item.minimumSize().width() if item.widget() in self._elastic else 0
            for item, size in zip(items, sizes, strict=True)
        ]
        too_wide = self.width_of_one_row - width
        if 0 < too_wide <= sum(spare):
            cuts = [ceil(too_wide * each / sum(spare)) for each in spare]
            return [size - QSize(cut, 0) for size, cut in zip(sizes, cuts, strict=True)]
        return sizes

    def _rows(self, width: int) -> list[list[tuple[QLayoutItem, QSize]]]:
        """Return the rows for a width, each item with its size."""
        rows: list[list[tuple[QLayoutItem, QSize]]] = []
        left = 0
        for item, size in zip(self._seen(), self._sizes(width), strict=True):
            if not rows or left < size.width():
                rows.append([])
                left = width
            rows[-1].append((item, size))
            left -= size.width() + self.spacing()
        return rows

    def _place(self, rect: QRect, *, move: bool) -> int:
        """Return the height of all rows; with `move`, also place the widgets."""
        y = rect.y()
        for line in self._rows(rect.width()):
            x, high = rect.x(), max(size.height() for _, size in line)
            for item, size in line:
                if self._last is not None and item.widget() is self._last:
                    x = rect.right() + 1 - size.width()
                if move:
                    item.setGeometry(QRect(QPoint(x, y + (high - size.height()) // 2), size))
                x += size.width() + self.spacing()
            y += high + self.spacing() // 2
        return max(0, y - self.spacing() // 2 - rect.y())


class Place(QWidget):
    """A frame that is filled by one widget, which can be exchanged."""

    def __init__(self) -> None:
        super().__init__()
        self.widget: QWidget | None = None
        self._column = column(on=self)

    def put(self, widget: QWidget) -> None:
        """Move a widget here, and hide the one that was here."""
        if widget is self.widget:
            return
        self.take()
        if isinstance(before := widget.parentWidget(), Place) and before.widget is widget:
            before.take()
        self.widget = widget
        self._column.addWidget(widget)
        widget.show()

    def take(self) -> QWidget | None:
        """Hide the widget that is here and return it. It stays a child of this place until another takes
        it."""
        widget, self.widget = self.widget, None
        if widget is not None:
            self._column.removeWidget(widget)
            widget.hide()
        return widget


def exchange(one: Place, other: Place) -> None:
    """Swap the widgets of two places."""
    first, second = one.take(), other.take()
    for place, widget in ((one, second), (other, first)):
        if widget is not None:
            place.put(widget)


class Section(QWidget):
    """A heading that opens and closes the layout `body` below it."""

    toggled = Signal(bool)
    opening = Signal()  # The body is about to be shown: controls that were put off are made now.

    def __init__(self, title: str, *, open: bool = True, level: int = 1) -> None:
        super().__init__()
        self.heading = ToolButton("chevron-down", title, "Show or hide this part", text=title)
        self.heading.setObjectName("section")
        self.heading.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        if level == 1:
            bold = self.heading.font()
            bold.setBold(True)
            self.heading.setFont(bold)
        self._content = QWidget()
        self.body = column(on=self._content, spacing=8, margins=(0, 2, 0, 4))
        whole = column(self.heading, self._content, on=self, spacing=2)
        whole.setAlignment(self.heading, Qt.AlignmentFlag.AlignLeft)
        self.heading.clicked.connect(self._on_clicked)
        self.set_open(open)

    @property
    def is_open(self) -> bool:
        """True if the body is shown."""
        return not self._content.isHidden()

    def set_open(self, open: bool) -> None:
        """Open or close the section."""
        if open:
            self.opening.emit()
        self._content.setVisible(open)
        self.heading.setIcon(icon("chevron-down" if open else "chevron-right"))
        state = "open" if open else "closed"
        self.heading.setAccessibleName(f"{self.heading.text()} ({state})")

    def _on_clicked(self) -> None:
        """Open or close the section, and emit which."""
        self.set_open(not self.is_open)
        self.toggled.emit(self.is_open)
