"""A slot of the insight area: one view, and above it the picker that chooses it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from kernelviz.engine.core.data import Domain
from kernelviz.scene.icons import icon
from kernelviz.ui.insight.views import VIEWS
from kernelviz.ui.widgets.buttons import ToolButton
from kernelviz.ui.widgets.layouts import Place
from kernelviz.ui.widgets.picker import Picker

NARROWEST = 280  # Pixels.


class Slot(QWidget):
    """Emits what the user wants; the area then puts the view into its `place`."""

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
            _set_look(self.other, "plus", "Show a second view")
        else:
            _set_look(self.other, "close", "Close this view")
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
        """Offer the views that can show something of such inputs."""
        self.picker.offer(view for view in VIEWS.values() if domain in view.domains)
        self.show_name(self.view)

    def show_name(self, view: str) -> None:
        """Show the name of the chosen view."""
        self.view = view
        self.picker.show_name(view, VIEWS[view].title)

    def show_enlarged(self, on: bool) -> None:
        """Show whether the view has changed places with the canvas."""
        name = "shrink" if on else "enlarge"
        _set_look(self.enlarge, name, "Back to its slot (Escape)" if on else "Change places with the canvas")

    def showEvent(self, event: QShowEvent) -> None:
        self.seen.emit()
        super().showEvent(event)


def _set_look(button: ToolButton, name: str, help_text: str) -> None:
    """Give a button an icon, a tooltip and a name."""
    button.setIcon(icon(name))
    button.setToolTip(help_text)
    button.setAccessibleName(help_text)
