"""A button that has the algorithm find better parameters by itself, where it can."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QProgressBar, QVBoxLayout, QWidget

from kernelviz.engine.fits import Fit
from kernelviz.session.state import Document
from kernelviz.ui.controls.keys import Button
from kernelviz.ui.controls.message import Message
from kernelviz.ui.workbench.workbench import Workbench

__all__ = ["Improvement"]

PATIENCE = 200
"""Milliseconds before progress and a way to stop are shown: most improvements are done by then."""


class Improvement(QWidget):
    """There while the algorithm declares an improvement. What it finds becomes one step of undo; when points,
    kernel or algorithm change on the way, it is given up in favour of what was changed."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__()
        self._session = workbench.session
        self._background = workbench.background("kernelviz-improvement", self)
        self.button = Button()
        self.progress = QProgressBar()
        self.progress.setRange(0, 100)
        self.message = Message("muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.button)
        column.addWidget(self.progress)
        column.addWidget(self.message)
        self._long = QTimer(self, singleShot=True, interval=PATIENCE)
        self._long.timeout.connect(lambda: self._show_busy(True))
        self.button.clicked.connect(self._on_clicked)
        self._background.progressed.connect(lambda share: self.progress.setValue(round(100 * share)))
        self._background.done.connect(self._on_done)
        self._background.failed.connect(self._on_failed)
        self._document: Document | None = None
        self._text = ""

    def show_document(self, document: Document) -> None:
        """Offer what its algorithm declares. Not before there is a parent: it would be a window."""
        old, self._document = self._document, document
        if old is None or old.fit is not document.fit or old.data is not document.data:
            self._text = document.algorithm.improvement
            self.setVisible(bool(self._text))
            self._give_up()

    def _give_up(self) -> None:
        self._background.cancel()
        self.message.say("")
        self._show_busy(False)

    def _show_busy(self, busy: bool) -> None:
        self._long.stop()
        self.progress.setVisible(busy)
        what = self._text or "Improve the parameters"  # what cannot be seen has a name too
        self.progress.setAccessibleName(f"{what}: share done")
        self.button.setText("Stop" if busy else what)
        self.button.setAccessibleName(f"Stop: {what}" if busy else what)
        self.button.setToolTip(
            "Leave the parameters as they are"
            if busy
            else "Find the parameters of kernel and algorithm uphill from these; undo takes it back"
        )

    def _on_clicked(self) -> None:
        document = self._session.document
        if self._background.busy:
            if not self.progress.isHidden():  # the second half of a double click stops nothing
                self._give_up()
            return
        self.message.say("")
        self.progress.setValue(0)
        self._long.start()
        self._background.start(
            lambda _beat: document.fit.improved(document.data),
            no_memory="There is not enough memory for this. Take fewer points.",
        )

    def _on_done(self, fit: Fit) -> None:
        self._show_busy(False)
        if fit == self._session.document.fit:
            self.message.say("Nothing nearby is better.")
        else:
            self._session.change(self._text.lower(), kernel=fit.kernel, algorithm=fit.algorithm)

    def _on_failed(self, sentence: str) -> None:
        self._show_busy(False)
        self.message.say(sentence, "error")
