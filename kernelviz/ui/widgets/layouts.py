"""Layouts: widgets that flow into rows, places that exchange widgets, sections that fold."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtWidgets import QLayout, QLayoutItem, QSizePolicy, QVBoxLayout, QWidget

from kernelviz.drawing.icons import icon
from kernelviz.ui.widgets.buttons import ToolButton


class Flow(QLayout):
    """As wide as its widest widget at least, as high as the rows it needs."""

    def __init__(self, parent: QWidget | None = None, spacing: int = 6) -> None:
        super().__init__(parent)
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)
        self._items: list[QLayoutItem] = []

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
        return [item for item in self._items if not item.isEmpty()]

    def _rows(self, width: int) -> list[list[tuple[QLayoutItem, QSize]]]:
        """What fits beside each other, each with its size."""
        rows: list[list[tuple[QLayoutItem, QSize]]] = []
        left = 0
        for item in self._seen():
            size = item.sizeHint().boundedTo(QSize(width, item.sizeHint().height()))
            if not rows or left < size.width():
                rows.append([])
                left = width
            rows[-1].append((item, size))
            left -= size.width() + self.spacing()
        return rows

    def _place(self, rect: QRect, *, move: bool) -> int:
        """Put every widget in its place, or only find out how high all of them are."""
        y = rect.y()
        for row in self._rows(rect.width()):
            x, high = rect.x(), max(size.height() for _, size in row)
            for item, size in row:
                if move:
                    item.setGeometry(QRect(QPoint(x, y + (high - size.height()) // 2), size))
                x += size.width() + self.spacing()
            y += high + self.spacing() // 2
        return max(0, y - self.spacing() // 2 - rect.y())


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


class Section(QWidget):
    """A heading that opens and closes what is below it; add to `body`."""

    toggled = Signal(bool)
    opening = Signal()  # What is inside is about to be seen; whoever has put off making it makes it now.

    def __init__(self, title: str, *, open: bool = True, level: int = 1) -> None:
        super().__init__()
        self.heading = ToolButton()
        self.heading.setText(title)
        self.heading.setToolTip("Show or hide this part")
        self.heading.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.heading.setObjectName("section")
        self.heading.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        if level == 1:
            bold = self.heading.font()
            bold.setBold(True)
            self.heading.setFont(bold)
        self._content = QWidget()
        self.body = QVBoxLayout(self._content)
        self.body.setContentsMargins(0, 2, 0, 4)
        self.body.setSpacing(8)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.heading, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._content)
        self.heading.clicked.connect(self._on_clicked)
        self.set_open(open)

    @property
    def is_open(self) -> bool:
        return not self._content.isHidden()

    def set_open(self, open: bool) -> None:
        """Unfold or fold."""
        if open:
            self.opening.emit()
        self._content.setVisible(open)
        self.heading.setIcon(icon("chevron-down" if open else "chevron-right"))
        state = "open" if open else "closed"
        self.heading.setAccessibleName(f"{self.heading.text()} ({state})")

    def _on_clicked(self) -> None:
        self.set_open(not self.is_open)
        self.toggled.emit(self.is_open)
