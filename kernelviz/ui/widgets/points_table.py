"""A table of points, which can be sorted, edited, copied and selected in.

The model has a column for each number of the points and an order of rows. While new results keep arriving,
rows stay where they are; they are sorted again when no more arrive, so that a row one reads does not jump
away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QCursor, QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QStyledItemDelegate,
    QTableView,
    QWidget,
)

from kernelviz.engine.core.arrays import Indices
from kernelviz.scene.theme import current_theme
from kernelviz.scene.wording import shown
from kernelviz.session.tables.point_columns import PointColumn, as_csv
from kernelviz.ui.widgets.buttons import MOVES, PRESSES, KeepsKeys

Index = QModelIndex | QPersistentModelIndex
DISPLAY, EDIT = Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole
Put = Callable[[int, int, str], bool]  # (point, coordinate, typed text) -> True if it was accepted.


class PointsModel(QAbstractTableModel):
    """The columns of a frame, as Qt asks for them; `order` has the point of each row.

    `put` is called with the text typed into a cell, and returns True if it was accepted."""

    def __init__(self, parent: QObject, put: Put) -> None:
        super().__init__(parent)
        self._put = put
        self.columns: list[PointColumn] = []
        self.order: Indices = np.empty(0, dtype=np.intp)
        self.sorted_by: tuple[str, bool] = ("#", False)

    def show_columns(self, columns: list[PointColumn], n: int) -> bool:
        """Show other numbers; return True if the rows are new.

        As long as their number and the columns stay the same, rows keep their places."""
        titles = [column.title for column in columns]
        same = n == len(self.order) and titles == [column.title for column in self.columns]
        if same:
            self.columns = columns
            if n:
                self.dataChanged.emit(self.index(0, 0), self.index(n - 1, len(columns) - 1), [DISPLAY])
            return False
        self.beginResetModel()
        self.columns = columns
        self.order = self._sorted(n)
        self.endResetModel()
        return True

    def _sorted(self, n: int) -> Indices:
        """Return the points in the order of the chosen column."""
        title, descending = self.sorted_by
        column = next((c for c in self.columns if c.title == title), None)
        return np.arange(n) if column is None else column.order(descending)

    def sort_again(self) -> None:
        """Sort the rows by their present numbers."""
        order = self._sorted(len(self.order))
        if not np.array_equal(order, self.order):
            self.layoutAboutToBeChanged.emit()
            self.order = order
            self.layoutChanged.emit()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column, because the user has clicked its heading."""
        if 0 <= column < len(self.columns):
            self.sorted_by = (self.columns[column].title, order == Qt.SortOrder.DescendingOrder)
            self.sort_again()

    # What Qt asks --------------------------------------------------------------------------------------
    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.order)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> Any:
        if role == DISPLAY and orientation == Qt.Orientation.Horizontal and section < len(self.columns):
            return self.columns[section].title
        return None

    def data(self, index: Index, role: int = DISPLAY) -> Any:
        """Return the text of a cell, its full value while it is edited, its alignment or its colour."""
        column, point = self.columns[index.column()], int(self.order[index.row()])
        if role in (DISPLAY, EDIT):
            if column.numbers is None:
                word = column.values[point]
                return "−" if word == "-" and role == DISPLAY else word
            value = float(column.numbers[point])
            return repr(value) if role == EDIT else shown(value, 5)
        if role == Qt.ItemDataRole.TextAlignmentRole and column.numbers is not None:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.ForegroundRole and column.title == "status":
            wrong = str(column.values[point]).endswith("misclassified")
            return QColor(current_theme().misclassified) if wrong else None
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return the abilities of a cell: only coordinates can be edited."""
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if self.columns[index.column()].coordinate is not None:
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def setData(self, index: Index, value: Any, role: int = EDIT) -> bool:
        """Pass on the text typed into a coordinate; return True if it was accepted."""
        coordinate = self.columns[index.column()].coordinate
        if role != EDIT or coordinate is None:
            return False
        return self._put(int(self.order[index.row()]), coordinate, str(value))


class Typing(QStyledItemDelegate):
    """Keeps the text that is being typed when new numbers arrive."""

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Put the value of a cell into its editor, unless the user has begun to type."""
        if not (isinstance(editor, QLineEdit) and editor.isModified()):
            super().setEditorData(editor, index)


class PointsTable(KeepsKeys, QTableView):
    """A table with a row for each point, which the arrow keys walk through; Ctrl+C copies the selected rows.

    It emits the point under the mouse and those that the user selects. Selections by the program emit
    nothing."""

    pointed = Signal(object)  # The point whose row the mouse is on, or None.
    chosen = Signal(tuple)  # The points whose rows the user has selected.
    kept = PRESSES | MOVES
    typed = True

    def __init__(self, put: Put, kind: type[PointsModel] = PointsModel) -> None:
        sort_after = 300  # Milliseconds without a new result until rows are sorted again.
        super().__init__()
        self.points = kind(self, put)
        self._selected: Sequence[int] = ()
        self._quiet = False
        self._sort_due = QTimer(self, singleShot=True, interval=sort_after)
        self._sort_due.timeout.connect(self._sort_again)
        self.setModel(self.points)
        self.setItemDelegate(Typing(self))
        self.setSortingEnabled(True)
        self.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setShowGrid(False)
        self.setAccessibleName("Table of all points")
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setDefaultAlignment(
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        )
        self.entered.connect(lambda index: self.pointed.emit(int(self.points.order[index.row()])))
        self.selectionModel().selectionChanged.connect(self._on_selected)
        self.points.layoutChanged.connect(lambda: self.select(self._selected))

    def show_columns(self, columns: list[PointColumn], n: int) -> bool:
        """Show other numbers, sorted once no more of them arrive; return True if the rows are new."""
        self._quiet = True
        new = self.points.show_columns(columns, n)
        self._quiet = False
        self._sort_due.start()
        return new

    def _sort_again(self) -> None:
        """Sort the rows, unless the user is typing into one of them."""
        if self.isVisible() and self.state() != QAbstractItemView.State.EditingState:
            self.points.sort_again()
            if self.viewport().underMouse():  # another point may be under it, although it has not moved
                index = self.indexAt(self.viewport().mapFromGlobal(QCursor.pos()))
                self.pointed.emit(int(self.points.order[index.row()]) if index.isValid() else None)

    def select(self, points: Sequence[int]) -> None:
        """Select the rows of these points without emitting anything, and scroll to the first of them."""
        self._selected, order = points, self.points.order
        rows = np.flatnonzero(np.isin(order, points)).tolist() if points else []
        picked = QItemSelection()
        last = self.points.columnCount() - 1
        for row in rows:
            picked.select(self.points.index(row, 0), self.points.index(row, last))
        self._quiet = True
        self.selectionModel().select(picked, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._quiet = False
        if rows and not self.hasFocus():
            self.scrollTo(self.points.index(rows[0], 0))

    @property
    def selected(self) -> tuple[int, ...]:
        """The points whose rows are selected."""
        rows = self.selectionModel().selectedRows()
        return tuple(sorted(int(self.points.order[index.row()]) for index in rows))

    def _on_selected(self) -> None:
        """Emit the points whose rows the user has selected."""
        if not self._quiet:
            self._selected = self.selected
            self.chosen.emit(self._selected)

    def copy(self) -> None:
        """Copy the selected rows to the clipboard, or all rows if none is selected."""
        chosen = set(self.selected)
        rows = [int(i) for i in self.points.order if not chosen or int(i) in chosen]
        QGuiApplication.clipboard().setText(as_csv(self.points.columns, rows))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        QTableView.mouseReleaseEvent(self, event)  # a table that can be typed into keeps the focus

    def leaveEvent(self, event: QEvent) -> None:
        self.pointed.emit(None)
        super().leaveEvent(event)
