"""The strip of a presentation: kernel and algorithm, the main parameter of each, and the errors."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QToolBar, QWidget

from kernelviz.ui.controls.plain import Label
from kernelviz.ui.panels.gist import Gist
from kernelviz.ui.panels.panel import Panel
from kernelviz.ui.window import status
from kernelviz.ui.workbench.pace import READABLE, Pace
from kernelviz.ui.workbench.workbench import Workbench

__all__ = ["Strip"]

WIDEST = "held-out error 99.9 %"


class Strip(QToolBar):
    """One line below everything, as wide as the screen, in sight while somebody presents."""

    def __init__(self, workbench: Workbench, panels: Iterable[Panel]) -> None:
        super().__init__("Strip")
        self.setObjectName("strip")
        self.setMovable(False)
        self.toggleViewAction().setVisible(False)
        self._workbench = workbench
        self.errors = Label()
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(10, 2, 10, 2)
        row.setSpacing(18)
        for panel in panels:
            row.addWidget(Gist(panel), 1)
        row.addWidget(self.errors)
        self.addWidget(holder)
        self._soon = Pace(self, READABLE, self._show_errors)
        workbench.frame_arrived.connect(self._on_frame)
        self.hide()

    def _on_frame(self, _: object) -> None:
        if self.isVisible():
            self._soon.ask()

    def _show_errors(self) -> None:
        frame = self._workbench.frame
        parts = {} if frame is None else status.figures(frame)
        told = [parts[name] for name in ("training", "held out") if name in parts]
        self.errors.setText("\n".join(told))
        # As wide as it may get: what stands beside it must not move while its slider is dragged.
        self.errors.setMinimumWidth(self.fontMetrics().horizontalAdvance(WIDEST))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_errors()
