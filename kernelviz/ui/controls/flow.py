"""Widgets in a row that go on in the next when there is no more room."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

__all__ = ["Flow"]


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
