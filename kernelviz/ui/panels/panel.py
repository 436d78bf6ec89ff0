"""What the panels share: a scrolling column that follows the session's document."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from kernelviz.session.state import Document, State
from kernelviz.ui.controls.number_control import NumberControl
from kernelviz.ui.controls.picker import Picker
from kernelviz.ui.controls.plain import Label
from kernelviz.ui.controls.tab_order import order_tabs
from kernelviz.ui.panels.form_stack import FormStack
from kernelviz.ui.workbench.workbench import Workbench

__all__ = ["Panel", "note"]

NARROWEST = 280


class Panel(QScrollArea):
    """A column of widgets that shows the document and writes through the session."""

    picker: Picker
    form: FormStack
    shown = Signal()
    """What is chosen, or its main parameter, may be another."""

    def __init__(self, workbench: Workbench, title: str) -> None:
        super().__init__()
        self.workbench = workbench
        self.setAccessibleName(title)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setMinimumWidth(NARROWEST)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.content = content = QWidget()
        self.column = QVBoxLayout(content)
        self.column.setContentsMargins(12, 8, 12, 12)
        self.column.setSpacing(8)
        self.setWidget(content)
        # The dock's surface shows through.
        content.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)
        workbench.state_changed.connect(self._on_state)

    def sizeHint(self) -> QSize:
        return QSize(320, self.content.sizeHint().height())

    def height_for(self, width: int) -> int:
        """What shows all of it."""
        return max(self.column.totalHeightForWidth(width), self.column.totalMinimumSize().height())

    def _on_state(self, old: State, new: State) -> None:
        if old.document is not new.document:
            self.show_document(new.document)
            self.shown.emit()

    @property
    def gist(self) -> str:
        """What is chosen, in a few words."""
        return self.picker.currentText() or self.picker.placeholderText()

    @property
    def main(self) -> NumberControl | None:
        """The control of the main parameter of that."""
        return self.form.main

    def order_tabs(self) -> None:
        """Let Tab follow the column from top to bottom."""
        order_tabs(self.column)

    def show_document(self, document: Document) -> None:
        """Show a document without changing anything."""
        raise NotImplementedError


def note(role: str = "muted") -> Label:
    """A label for a sentence or two that wraps."""
    label = Label()
    label.setProperty("role", role)
    label.setWordWrap(True)
    label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    return label
