"""The table of all points: sorted, edited, copied, and linked with every other view."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    QTimer,
)
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QHeaderView, QTableView, QVBoxLayout

from kernelviz.drawing.numbers import shown
from kernelviz.drawing.theme import current_theme
from kernelviz.engine.arrays import Indices
from kernelviz.engine.errors import BadInput
from kernelviz.runtime.messages import Frame
from kernelviz.session.point_columns import PointColumn, as_csv, columns_of
from kernelviz.session.workspaces.registry import workspace_of
from kernelviz.ui.controls.keys import MOVES, PRESSES, Button, KeepsKeys
from kernelviz.ui.controls.message import Message
from kernelviz.ui.insight.base import InsightView
from kernelviz.ui.workbench.workbench import Workbench

__all__ = ["TableView"]

REST = 300
"""Milliseconds without a new result after which rows may change places."""
Index = QModelIndex | QPersistentModelIndex
DISPLAY, EDIT = Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole


class PointsModel(QAbstractTableModel):
    """The columns of a frame, the points in an order of their own."""

    def __init__(self, parent: TableView) -> None:
        super().__init__(parent)
        self._view = parent
        self.columns: list[PointColumn] = []
        self.order: Indices = np.empty(0, dtype=np.intp)
        self.sorted_by: tuple[str, bool] = ("#", False)

    def show_columns(self, columns: list[PointColumn], n: int) -> None:
        """Other numbers; the rows keep their places as long as there are as many."""
        titles = [column.title for column in columns]
        same = n == len(self.order) and titles == [column.title for column in self.columns]
        if same:
            self.columns = columns
            if n:
                self.dataChanged.emit(self.index(0, 0), self.index(n - 1, len(columns) - 1), [DISPLAY])
            return
        self.beginResetModel()
        self.columns = columns
        self.order = self._sorted(n)
        self.endResetModel()

    def _sorted(self, n: int) -> Indices:
        title, descending = self.sorted_by
        column = next((c for c in self.columns if c.title == title), None)
        return np.arange(n) if column is None else column.order(descending)

    def sort_again(self) -> None:
        """Put the rows into the order of their present numbers."""
        order = self._sorted(len(self.order))
        if not np.array_equal(order, self.order):
            self.layoutAboutToBeChanged.emit()
            self.order = order
            self.layoutChanged.emit()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if 0 <= column < len(self.columns):
            self.sorted_by = (self.columns[column].title, order == Qt.SortOrder.DescendingOrder)
            self.sort_again()
            self._view.point_out()

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
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if self.columns[index.column()].coordinate is not None:
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def setData(self, index: Index, value: Any, role: int = EDIT) -> bool:
        coordinate = self.columns[index.column()].coordinate
        if role != EDIT or coordinate is None:
            return False
        return self._view.put(int(self.order[index.row()]), coordinate, str(value))


class PointsTable(KeepsKeys, QTableView):
    """Keys walk the table; Ctrl+C copies it."""

    kept = PRESSES | MOVES
    typed = True

    def __init__(self, view: TableView) -> None:
        super().__init__()
        self._view = view
        self.setModel(view.model)
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

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self._view.copy()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        QTableView.mouseReleaseEvent(self, event)  # what one types into keeps the keyboard

    def leaveEvent(self, event: QEvent) -> None:
        self._view.workbench.hover(None)
        super().leaveEvent(event)


class TableView(InsightView):
    """Pointing at a row highlights its point everywhere, selecting rows selects points; coordinates are
    changed by typing."""

    name = "table"
    title = "Table"
    family = "Point"
    summary_line = "All points with their numbers, sorted, edited and copied."

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self.model = PointsModel(self)
        self.table = PointsTable(self)
        self.message = Message("error")
        self.copying = Button("Copy as CSV")
        self.copying.setToolTip("The selected rows, or all, with all digits (Ctrl+C in the table)")
        self._quiet = False
        self._rest = QTimer(self, singleShot=True, interval=REST)
        self._rest.timeout.connect(self._sort_again)
        row = QHBoxLayout()
        row.setContentsMargins(8, 4, 8, 4)
        row.addWidget(self.message, 1)
        row.addStretch(0)
        row.addWidget(self.copying)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.table, 1)
        column.addLayout(row)
        self.copying.clicked.connect(self.copy)
        self.table.entered.connect(self._on_entered)
        self.table.selectionModel().selectionChanged.connect(self._on_selected)

    # Showing -------------------------------------------------------------------------------------------
    def take(self, frame: Frame | None) -> None:
        columns = [] if frame is None else columns_of(frame.model, frame.table)
        before = [column.title for column in self.model.columns]
        self._quiet = True
        self.model.show_columns(columns, 0 if frame is None else frame.data.n)
        self._quiet = False
        self.message.say("")
        if before != [column.title for column in columns]:
            self.table.resizeColumnsToContents()
        self.point_out()
        self._rest.start()

    def _sort_again(self) -> None:
        if self.isVisible() and self.table.state() != QAbstractItemView.State.EditingState:
            self.model.sort_again()
            self.point_out()

    def point_out(self) -> None:
        """Select the rows of the selected points, and go where the hovered one is."""
        chosen, order = self.marks.selected, self.model.order
        rows = np.flatnonzero(np.isin(order, chosen)).tolist() if chosen else []
        picked = QItemSelection()
        last = self.model.columnCount() - 1
        for row in rows:
            picked.select(self.model.index(row, 0), self.model.index(row, last))
        self._quiet = True
        self.table.selectionModel().select(picked, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._quiet = False
        if rows and not self.table.hasFocus():
            self.table.scrollTo(self.model.index(rows[0], 0))

    # Acting --------------------------------------------------------------------------------------------
    def _on_entered(self, index: QModelIndex) -> None:
        self.workbench.hover(int(self.model.order[index.row()]))

    def _on_selected(self) -> None:
        if not self._quiet:
            self.workbench.session.adjust(selection=self._selected())

    def _selected(self) -> tuple[int, ...]:
        rows = self.table.selectionModel().selectedRows()
        return tuple(sorted(int(self.model.order[index.row()]) for index in rows))

    def copy(self) -> None:
        """The selected rows, or all of them, to the clipboard."""
        chosen = set(self._selected())
        rows = [int(i) for i in self.model.order if not chosen or int(i) in chosen]
        QGuiApplication.clipboard().setText(as_csv(self.model.columns, rows))

    def put(self, point: int, coordinate: int, typed: str) -> bool:
        """Put a point where a typed coordinate says; whether that could be done."""
        session = self.workbench.session
        data = session.document.data
        workspace = workspace_of(data)
        if point >= data.n:
            return False
        try:
            try:
                value = float(typed.strip().replace("−", "-"))
            except ValueError:
                name = workspace.typable(data)[coordinate]
                raise BadInput(f"{name} must be a number, not {typed!r}.") from None
            values = workspace.values(data)[point].copy()
            if values[coordinate] == value:
                return True  # left as it was: no edit
            values[coordinate] = value
            moved = workspace.typed(data, point, values)
        except BadInput as problem:
            self.message.say(str(problem))
            return False
        session.change("move point", data=moved, source="")
        return True
