"""Columns of unlike scales: said in the data panel, with one click to mend it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from kernelviz.drawing.figure.axes import axis_name
from kernelviz.session.state import Document, State
from kernelviz.session.tables.row_limits import standardised, unlike_columns
from kernelviz.session.workspaces.registry import workspace_of
from kernelviz.ui.widgets.buttons import Button
from kernelviz.ui.widgets.labels import Message
from kernelviz.ui.workbench.throttle import READABLE, Throttle
from kernelviz.ui.workbench.workbench import Workbench


class ScalesHint(QWidget):
    """There only while the spreads of two columns differ much."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__()
        self._session = workbench.session
        self.message = Message("warning")
        self.button = Button("Standardise")
        self.button.setToolTip("Scale each coordinate to mean 0 and variance 1; undo takes it back")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.message, 1)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)
        self._soon = Throttle(self, READABLE, lambda: self._show(self._session.document))
        self.button.clicked.connect(self._on_clicked)
        workbench.state_changed.connect(self._on_state)
        self._show(self._session.document)

    def _on_state(self, old: State, new: State) -> None:
        if old.document.data is not new.document.data:
            self._soon.ask()

    def _show(self, document: Document) -> None:
        found = unlike_columns(document.data)
        self.setVisible(found is not None)
        if found is not None:
            wide, narrow, times = found
            self.message.say(
                f"{axis_name(wide)} spreads {times:.0f} times as far as {axis_name(narrow)}, "
                "which a kernel of distances hardly sees then."
            )

    def _on_clicked(self) -> None:
        document = self._session.document
        held = document.held_out
        if held is not None:
            held = held.with_data(standardised(held.data, by=document.data))
        data = standardised(document.data)
        self._session.replace("standardise", document.replace(data=data, held_out=held, standardised=True))
        self._session.adjust(view=workspace_of(data).extent(data))
