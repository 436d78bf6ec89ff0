"""A panel of the sidebar, and the line that summarises it when it is closed."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from kernelviz.session.state import Document, State
from kernelviz.ui.widgets.focus import order_tabs
from kernelviz.ui.widgets.form import FormStack
from kernelviz.ui.widgets.labels import Elided, Label
from kernelviz.ui.widgets.number_control import NumberControl
from kernelviz.ui.widgets.picker import Picker
from kernelviz.ui.widgets.scale import Scale
from kernelviz.ui.widgets.slider import Slider
from kernelviz.ui.workbench.workbench import Workbench


class PanelSummary(QWidget):
    """ "Gaussian (RBF), γ = 1" and the slider of γ, which does what the panel's own does."""

    def __init__(self, panel: Panel) -> None:
        super().__init__()
        self._panel = panel
        self.words = Elided()
        self.words.setProperty("role", "")
        self.slider = Slider(Scale(0, 1, 0, 1))
        for part in (self.words, self.slider):  # whatever the words are, a slider being dragged must not move
            part.setSizePolicy(QSizePolicy.Policy.Ignored, part.sizePolicy().verticalPolicy())
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.words, 5)
        row.addWidget(self.slider, 2)
        self.slider.setAccessibleName(f"{panel.accessibleName()}, main parameter")
        self.slider.picked.connect(self._on_picked)
        panel.shown.connect(self._follow)

    def _follow(self) -> None:
        """Out of sight it costs nothing."""
        if not self.isVisible():
            return
        main = self._panel.main
        self.words.set_text(self._panel.gist, "" if main is None else f", {main.told}")
        self.slider.setHidden(main is None)
        if main is not None:
            main.mirror(self.slider)

    def _on_picked(self, value: float, gesture: object) -> None:
        if (main := self._panel.main) is not None:
            main.turn(value, gesture)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._follow()


NARROWEST = 280


class Panel(QScrollArea):
    """A column of widgets that shows the document and writes through the session."""

    picker: Picker
    form: FormStack
    shown = Signal()  # What is chosen, or its main parameter, may be another.

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
