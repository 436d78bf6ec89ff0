"""A dialogue that lists sessions not saved before a crash, to be recovered or discarded.

Nothing is decided here: the dialogue emits which session the user means, and the window's files act on it."""

from __future__ import annotations

import time
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from kernelviz.session.files.crashed_sessions import Examined
from kernelviz.ui.widgets.buttons import Button
from kernelviz.ui.widgets.labels import Label, plain
from kernelviz.ui.widgets.layouts import column, row

WIDTH, HEIGHT = 620, 280  # Pixels.
SESSION = Qt.ItemDataRole.UserRole  # The Examined session of a line.


class RecoveryDialog(QDialog):
    """Lists the sessions that were not saved before a crash, to be recovered or discarded.

    A session that cannot be read is listed with the reason, and stays until it is discarded."""

    recover = Signal(object)  # The Examined session to recover.
    discard = Signal(object)  # The Examined session to discard.

    def __init__(self, found: Sequence[Examined], parent: QWidget) -> None:
        columns = ("Last changed", "Points", "Size", "File")
        super().__init__(parent)
        self.setWindowTitle("Recover unsaved sessions")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(WIDTH, HEIGHT)
        self.list = QTreeWidget(self)
        self.list.setAccessibleName("Unsaved sessions")
        self.list.setRootIsDecorated(False)
        self.list.setHeaderLabels(columns)
        self.list.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        for kept in found:
            self._add(kept)
        self.recover_button = Button("Recover", do=self._recover)
        self.discard_button = Button("Discard", do=self._discard)
        self.later_button = Button("Later", do=self.reject)
        self.recover_button.setDefault(True)
        text = Label("kernelviz did not close properly. These unsaved sessions were kept:", wraps=True)
        buttons = row(self.discard_button, (None, 1), self.later_button, self.recover_button)
        column(text, (self.list, 1), buttons, on=self, margins=(9, 9, 9, 9))
        self.list.currentItemChanged.connect(self._show_choice)
        self.list.itemActivated.connect(self._recover)
        self._choose_first()

    def _add(self, kept: Examined) -> None:
        """Add a line about a session; if it is a lesson or a lecture, about the unsaved work from before
        that."""
        crashed, points, opened = kept.crashed, kept.points, kept.opened
        when = time.strftime("%d %B %Y, %H:%M", time.localtime(crashed.modified))
        untitled = kept.within[:1].upper() + kept.within[1:] or "Untitled"
        file = opened.name if opened is not None else untitled
        about = str(opened or "")
        if kept.work is not None:
            points, opened = kept.work.points, kept.work.file
            file = f"{opened.name if opened is not None else 'Untitled'}, during {kept.within}"
            kind = kept.within.partition(" ")[0]
            about = f"The unsaved work on {opened or 'Untitled'} comes back when the {kind} ends."
        size = f"{crashed.size} bytes" if crashed.size < 1000 else f"{crashed.size / 1000:,.0f} kB"
        count = "" if kept.problem else f"{points:,}"
        line = QTreeWidgetItem(self.list, [when, count, size, kept.problem or file])
        line.setToolTip(3, plain(kept.problem or about))
        line.setData(0, SESSION, kept)

    @property
    def chosen(self) -> Examined | None:
        """The selected session."""
        line = self.list.currentItem()
        return None if line is None else line.data(0, SESSION)

    def _choose_first(self) -> None:
        """Select the newest session that can be recovered, or else the newest."""
        at = map(self.list.topLevelItem, range(self.list.topLevelItemCount()))
        lines = [line for line in at if line is not None]
        good = [line for line in lines if not line.data(0, SESSION).problem]
        self.list.setCurrentItem((good or lines)[0])
        self._show_choice()

    def _show_choice(self) -> None:
        """Enable the buttons that can do something with the selected session."""
        self.recover_button.setEnabled(self.chosen is not None and not self.chosen.problem)
        self.discard_button.setEnabled(self.chosen is not None)

    def _recover(self) -> None:
        """Close, and have the selected session opened."""
        kept = self.chosen
        if kept is not None and not kept.problem:
            self.accept()
            self.recover.emit(kept)

    def _discard(self) -> None:
        """Discard the chosen session; close after the last one."""
        if self.chosen is None:
            return
        self.discard.emit(self.chosen)
        self.list.takeTopLevelItem(self.list.currentIndex().row())
        if self.list.topLevelItemCount():
            self._choose_first()
        else:
            self.reject()
