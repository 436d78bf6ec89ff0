"""The strings as a table: class and letters to be typed, score, margin and weight as small bars."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, cast

import numpy as np
from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.runtime.messages import Frame
from kernelviz.scene.theme import current_theme
from kernelviz.scene.wording import shortened, shown
from kernelviz.session.tables.point_columns import PointColumn
from kernelviz.session.workspaces.words import WordsWorkspace
from kernelviz.ui.canvas.editor import Editor
from kernelviz.ui.canvas.toolbar import swatch
from kernelviz.ui.widgets.labels import plain
from kernelviz.ui.widgets.painting import type_scale
from kernelviz.ui.widgets.points_table import DISPLAY, Index, PointsModel, PointsTable

TEXT, CLASS = 0, 1  # What of a string can be typed.
SCORE, MARGIN, ALPHA = "s", "margin", "α"
SHARE = Qt.ItemDataRole.UserRole  # How long a bar is, from -1 to 1.
WIDEST_NUMBER, DECIMALS = "−0.000", ".000"  # The widest number, and the widest end of one.
BAR = 44  # Width of a bar next to a number, in type of the usual size.
AIR = 6  # Pixels next to a number or a mark.
MARK = 16  # Side of the mark of a class, in type of the usual size.


class StringsModel(PointsModel):
    """The cells of the table of strings: blank where a number is not known yet, a class with its mark."""

    narrow = False
    _names: tuple[str, ...] = ()
    _made: Mapping[str, QIcon] = MappingProxyType({})

    def data(self, index: Index, role: int = DISPLAY) -> Any:
        """Return what a cell shows: a number, the share of its bar, letters, or the mark of a class."""
        column, point = self.columns[index.column()], int(self.order[index.row()])
        numbers = column.numbers
        if numbers is not None:
            value = float(numbers[point])
            if role == SHARE:
                return 0.0 if np.isnan(value) or column.largest == 0.0 else value / column.largest
            if role in (DISPLAY, Qt.ItemDataRole.ToolTipRole) and np.isnan(value):
                return ""
            if role == DISPLAY:
                return _aligned(value, column.largest)
            if role == Qt.ItemDataRole.ToolTipRole:
                return shown(value, 6)
        elif role == DISPLAY and column.coordinate == TEXT and not str(column.values[point]).strip():
            return shortened(str(column.values[point]))  # there is something, though nothing to see
        elif role == Qt.ItemDataRole.DecorationRole and column.coordinate == CLASS:
            return self._marks()[column.values[point]]
        elif role == DISPLAY and column.coordinate == CLASS and self.narrow:
            return ""
        elif role == Qt.ItemDataRole.AccessibleTextRole and column.coordinate == CLASS:
            return column.values[point]
        elif role == Qt.ItemDataRole.ToolTipRole:
            return plain(str(column.values[point])[:1000])
        return super().data(index, role)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> Any:
        """Return the title of a column, short where room is scarce, and its meaning as a tooltip."""
        meanings = {SCORE: "Score s(x)", MARGIN: "Distance to the boundary in feature space", ALPHA: "Weight"}
        short = {"class": "", MARGIN: "m"}  # Titles where room is scarce; a class is only a mark then.
        if section < len(self.columns):
            column = self.columns[section]
            if role == Qt.ItemDataRole.ToolTipRole:
                return meanings.get(column.title, "Click sorts")
            if role == DISPLAY and self.narrow and column.title in short:
                return short[column.title]
        return super().headerData(section, orientation, role)

    def show_marks(self, names: tuple[str, ...]) -> None:
        """Show the marks of the classes."""
        self._names, self._made = names, {}

    def _marks(self) -> Mapping[str, QIcon]:
        """Return the marks of the classes by name, drawn when they are first needed."""
        if not self._made:
            self._made = {name: swatch(k, len(self._names)) for k, name in enumerate(self._names)}
        return self._made


def _aligned(value: float, largest: float) -> str:
    """Return a number with as many decimals as the others of its column, whose largest is given; 0 is exact,
    and a number that the decimals would round to 0 has a power of ten."""
    decimals = max(0, 3 - len(str(int(largest)).lstrip("0")))
    if value == 0 or abs(value) >= 1e5 or abs(value) < 0.5 * 10.0**-decimals:
        return shown(value, 2)
    return f"{value:.{decimals}f}".replace("-", "−")


class BarDelegate(QStyledItemDelegate):
    """Paints a bar, to the right for + and to the left for −, and next to it the number, with the decimal
    point below those of the other rows."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint the cell without its text, then the number where there is room, then the bar next to it."""
        own = QStyleOptionViewItem(option)
        self.initStyleOption(own, index)
        own.text = ""
        style = own.widget.style() if own.widget is not None else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, own, painter, own.widget)
        theme, share = current_theme(), float(index.data(SHARE) or 0.0)
        model = cast(StringsModel, index.model())
        title = model.columns[index.column()].title
        rect = own.rect.adjusted(AIR - 1, 4, 1 - AIR, -4)
        if not model.narrow:
            painter.setPen(QColor(theme.text))
            self._paint_number(painter, rect, str(index.data()))
            rect.setRight(rect.right() - painter.fontMetrics().horizontalAdvance(WIDEST_NUMBER) - AIR)
        bar = QColor(theme.positive if share > 0 else theme.negative)
        if title == ALPHA:
            bar = QColor(theme.muted)
            box = QRect(rect.left(), rect.top(), round(rect.width() * share), rect.height())
        else:
            middle = rect.center().x()
            half = round(rect.width() / 2 * abs(share))
            box = QRect(middle if share > 0 else middle - half, rect.top(), half, rect.height())
            if title == MARGIN:
                bar = QColor(theme.muted if share > 0 else theme.misclassified)
        bar.setAlphaF(0.30)
        painter.fillRect(box, bar)

    @staticmethod
    def _paint_number(painter: QPainter, rect: QRect, text: str) -> None:
        """Paint a number at the right of a cell, its decimals to the right of where the point is."""
        whole, point, decimals = text.partition(".")
        behind = painter.fontMetrics().horizontalAdvance(DECIMALS)
        middle = Qt.AlignmentFlag.AlignVCenter
        before = rect.adjusted(0, 0, -behind, 0)
        painter.drawText(before, int(Qt.AlignmentFlag.AlignRight | middle), whole)
        after = rect.adjusted(rect.width() - behind, 0, 0, 0)
        painter.drawText(after, int(Qt.AlignmentFlag.AlignLeft | middle), point + decimals)


class StringTable(PointsTable):
    """A table with a row for each string: its class, its letters, and small bars for score, margin and
    weight.

    Typing changes a string as a step of undo. Delete, F and the menus do what they do on a map."""

    points: StringsModel

    def __init__(self, editor: Editor) -> None:
        super().__init__(self._put, StringsModel)
        self._editor = editor
        self._data: Data | None = None
        self._numbers: dict[str, Array] = {}
        self._bars = BarDelegate(self)
        self.setAccessibleName("Table of all strings")
        self.setAccessibleDescription("Enter or a letter changes what a cell holds, Delete removes the row.")
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.AnyKeyPressed
        )
        self.setTabKeyNavigation(False)
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.horizontalHeader().setMinimumSectionSize(4 * AIR)
        self.setWordWrap(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.horizontalHeader().setDefaultAlignment(
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        self.chosen.connect(editor.select)

    # Showing -------------------------------------------------------------------------------------------
    def show_data(self, data: Data) -> None:
        """Show the strings, with blanks for numbers of strings that are not fitted yet."""
        before, self._data = self._data, data
        if before is None or before.n != data.n:
            self._numbers = {title: np.full(data.n, np.nan) for title in self._numbers}
        if before is None or before.class_names != data.class_names:
            self.points.show_marks(data.class_names)
        self._refresh()

    def show_frame(self, frame: Frame | None) -> None:
        """Show the numbers of a fit; None for none."""
        if frame is None:
            self._numbers = {}
        elif self._data is not None and frame.data.n == self._data.n:
            table = frame.table
            score = table.score if table.score.ndim == 1 else None
            found = {SCORE: score, MARGIN: table.margin, ALPHA: table.alpha}
            self._numbers = {title: values for title, values in found.items() if values is not None}
        self._refresh()

    def _refresh(self) -> None:
        data = self._data
        if data is None:
            return
        words = [
            PointColumn("class", data.class_of_each, CLASS),
            PointColumn(data.columns[0], data.X, TEXT),
        ]
        numbers = [PointColumn(title, values) for title, values in self._numbers.items()]
        before = [column.title for column in self.points.columns]
        self.show_columns([*words, *numbers], data.n)
        if before != [column.title for column in self.points.columns]:
            self._lay_out_columns()
        self.select(self._editor.selection)

    def _lay_out_columns(self) -> None:
        """Give the letters all the free room; where that is little, bars have no numbers, classes only marks,
        and the last bars are hidden until the letters have half of the table."""
        header, mode = self.horizontalHeader(), QHeaderView.ResizeMode
        number = self.fontMetrics().horizontalAdvance(WIDEST_NUMBER) + 2 * AIR
        bars = sum(column.numbers is not None for column in self.points.columns)
        scale = type_scale(self)  # the style sheet's padding grows with it
        with_bar = number + round(scale * BAR)
        roomy = self.viewport().width() > bars * with_bar + 3 * number
        self.points.narrow = not roomy
        self.setIconSize(QSize(round(scale * MARK), round(scale * MARK)))
        mark = self.iconSize().width() + round(scale * 3 * AIR)
        names = self._data.class_names if self._data else ()
        bar = round(0.6 * number)
        spare = self.viewport().width() // 2 - mark  # for bars, where room is scarce
        for k, column in enumerate(self.points.columns):
            header.setSectionResizeMode(k, mode.Stretch if column.coordinate == TEXT else mode.Fixed)
            if column.numbers is not None:
                self.setItemDelegateForColumn(k, self._bars)
                self.setColumnWidth(k, max(header.sectionSizeHint(k), with_bar) if roomy else bar)
                spare -= bar
                self.setColumnHidden(k, not roomy and spare < 0)
            elif column.coordinate == CLASS:
                # By name: the table would look at a thousand rows.
                widest = max((self.fontMetrics().horizontalAdvance(name) for name in names), default=0)
                wide = max(header.sectionSizeHint(k), min(mark + widest + AIR, 2 * number))
                self.setColumnWidth(k, wide if roomy else mark)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out_columns()

    # Typing --------------------------------------------------------------------------------------------
    def _put(self, point: int, what: int, typed: str) -> bool:
        """Change the letters or the class of a string to what was typed; return True if that was possible."""
        data = self._editor.data
        if point >= data.n:
            return False

        def edit(words: Any, data: Data) -> Data:
            assert isinstance(words, WordsWorkspace)
            change = words.retyped if what == TEXT else words.relabelled
            return change(data, point, typed)

        return self._editor.change("edit string" if what == TEXT else "change class", edit)

    def begin_typing(self, point: int) -> None:
        """Edit the letters of a string."""
        row = int(np.flatnonzero(self.points.order == point)[0])
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.setCurrentIndex(self.points.index(row, 1))
        self.edit(self.points.index(row, 1))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Edit the current cell on Return."""
        enter = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        editing = self.state() == QAbstractItemView.State.EditingState
        if event.key() in enter and not editing and self.currentIndex().isValid():
            self.edit(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._lay_out_columns()
        if event.type() == QEvent.Type.PaletteChange and self._data is not None:
            self.points.show_marks(self._data.class_names)
