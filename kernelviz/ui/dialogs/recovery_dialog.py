"""What windows that did not close properly have left behind: all of it, to be brought back or thrown away."""

from __future__ import annotations

import time
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from kernelviz.session.files.crashed_sessions import Examined
from kernelviz.ui.widgets.labels import Label, plain

COLUMNS = ("Last changed", "Points", "Size", "File")
WIDTH, HEIGHT = 620, 280


class RecoveryDialog(QDialog):
    """One line for each session; those that cannot be read say why, and stay until they are discarded."""

    recover = Signal(object)
    discard = Signal(object)  # Both with what was Examined.

    def __init__(self, found: Sequence[Examined], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Recover?")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(WIDTH, HEIGHT)
        self.list = QTreeWidget(self)
        self.list.setAccessibleName("Sessions left behind")
        self.list.setRootIsDecorated(False)
        self.list.setHeaderLabels(COLUMNS)
        self.list.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self._found = {id(line): told for told in found for line in (self._add(told),)}
        self.recover_button = self._button("Recover", self._recover)
        self.discard_button = self._button("Discard", self._discard)
        self.later_button = self._button("Later", self.reject)
        self.recover_button.setDefault(True)
        self._lay_out()
        self.list.currentItemChanged.connect(self._show_choice)
        self.list.itemActivated.connect(self._recover)
        self._choose_first()

    def _add(self, told: Examined) -> QTreeWidgetItem:
        orphan = told.crashed
        when = time.strftime("%d %B %Y, %H:%M", time.localtime(orphan.modified))
        file = told.opened.name if told.opened is not None else "Untitled"
        points = "" if told.problem else f"{told.points:,}"
        line = QTreeWidgetItem([when, points, _size(orphan.size), told.problem or file])
        line.setToolTip(3, plain(told.problem or str(told.opened or "")))
        self.list.addTopLevelItem(line)
        return line

    def _button(self, text: str, action: object) -> QPushButton:
        button = QPushButton(text, self)
        button.setAutoDefault(False)
        button.clicked.connect(action)
        return button

    def _lay_out(self) -> None:
        words = Label("kernelviz did not close properly. What was not saved has been kept:")
        words.setWordWrap(True)
        buttons = QHBoxLayout()
        buttons.addWidget(self.discard_button)
        buttons.addStretch(1)
        buttons.addWidget(self.later_button)
        buttons.addWidget(self.recover_button)
        layout = QVBoxLayout(self)
        layout.addWidget(words)
        layout.addWidget(self.list, 1)
        layout.addLayout(buttons)

    @property
    def chosen(self) -> Examined | None:
        """The session of the current line."""
        return self._found.get(id(self.list.currentItem()))

    def _choose_first(self) -> None:
        """The newest that can be recovered, or else the newest."""
        at = map(self.list.topLevelItem, range(self.list.topLevelItemCount()))
        lines = [line for line in at if line is not None]
        good = [line for line in lines if not self._found[id(line)].problem]
        self.list.setCurrentItem((good or lines)[0])
        self._show_choice()

    def _show_choice(self) -> None:
        self.recover_button.setEnabled(self.chosen is not None and not self.chosen.problem)
        self.discard_button.setEnabled(self.chosen is not None)

    def _recover(self) -> None:
        told = self.chosen
        if told is not None and not told.problem:
            self.accept()
            self.recover.emit(told)

    def _discard(self) -> None:
        told, line = self.chosen, self.list.currentItem()
        if told is None or line is None:
            return
        self.discard.emit(told)
        del self._found[id(line)]
        self.list.takeTopLevelItem(self.list.indexOfTopLevelItem(line))
        if self._found:
            self._choose_first()
        else:
            self.reject()


def _size(count: int) -> str:
    """Bytes in the unit people use for files."""
    return f"{count} bytes" if count < 1000 else f"{count / 1000:,.0f} kB"
