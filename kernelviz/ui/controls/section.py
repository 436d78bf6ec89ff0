"""A part of a panel that folds away under its heading."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from kernelviz.drawing.icons import icon
from kernelviz.ui.controls.keys import ToolButton

__all__ = ["Section"]


class Section(QWidget):
    """A heading that opens and closes what is below it; add to `body`."""

    toggled = Signal(bool)
    opening = Signal()
    """What is inside is about to be seen; whoever has put off making it makes it now."""

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
