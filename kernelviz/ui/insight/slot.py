"""A slot of the insight area: one view, and above it the picker that says which."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from kernelviz.drawing.icons import icon
from kernelviz.engine.core.data import Domain
from kernelviz.ui.insight.views import VIEWS
from kernelviz.ui.widgets.buttons import ToolButton
from kernelviz.ui.widgets.layouts import Place
from kernelviz.ui.widgets.picker import Picker

NARROWEST = 280


class Slot(QWidget):
    """Says what it is asked for; the area puts the view into its `place`."""

    picked = Signal(str)
    enlarge_wanted = Signal()
    other_wanted = Signal()  # A second slot, if this is the first, or none, if it is the second.
    seen = Signal()

    def __init__(self, number: int, view: str) -> None:
        super().__init__()
        self.picker = Picker("View", ())
        self.picker.picked.connect(self.picked)
        self.enlarge = ToolButton()
        self.enlarge.clicked.connect(self.enlarge_wanted)
        self.other = ToolButton()
        self.other.clicked.connect(self.other_wanted)
        if number == 1:
            _dress(self.other, "plus", "Show a second view")
        else:
            _dress(self.other, "close", "Close this view")
        self.place = Place()
        self.setMinimumWidth(NARROWEST)  # whatever the type: a window would be pushed apart on its way back
        self.show_name(view)
        self.show_enlarged(False)
        header = QHBoxLayout()
        header.setContentsMargins(8, 2, 4, 2)
        header.setSpacing(2)
        header.addWidget(self.picker, 1)
        header.addWidget(self.enlarge)
        header.addWidget(self.other)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(header)
        column.addWidget(self.place, 1)

    def offer(self, domain: Domain) -> None:
        """Have the views to choose from that show something of such inputs."""
        self.picker.offer(view for view in VIEWS.values() if domain in view.domains)
        self.show_name(self.view)

    def show_name(self, view: str) -> None:
        """Say which view is chosen."""
        self.view = view
        self.picker.show_name(view, VIEWS[view].title)

    def show_enlarged(self, on: bool) -> None:
        """Say whether the view has changed places with the canvas."""
        name = "shrink" if on else "enlarge"
        _dress(self.enlarge, name, "Back to its slot (Escape)" if on else "Change places with the canvas")

    def showEvent(self, event: QShowEvent) -> None:
        self.seen.emit()
        super().showEvent(event)


def _dress(button: ToolButton, name: str, help_text: str) -> None:
    button.setIcon(icon(name))
    button.setToolTip(help_text)
    button.setAccessibleName(help_text)
