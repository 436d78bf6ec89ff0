"""A view of many fits at once, which are computed while nothing moves."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout

from kernelviz.drawing.insight.picture import NothingToShow, NotOpened
from kernelviz.runtime.jobs import Work
from kernelviz.session.state import Document, State
from kernelviz.ui.insight.base import PictureView
from kernelviz.ui.widgets.buttons import ToolButton
from kernelviz.ui.workbench.workbench import Workbench

REST = 300  # Milliseconds without a change after which nobody is dragging.
STOP, GO_ON = "Stop", "Resume"


class RestingView(PictureView):
    """Says by `key` of what its answer depends; while that stays the same nothing is computed again."""

    unopened = NotOpened

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._key: Hashable = None
        self._background = workbench.background(f"kernelviz-{self.name}", self)
        self._background.progressed.connect(lambda _share: self._show_so_far())
        self._background.done.connect(lambda _result: self._show_so_far())
        self._background.failed.connect(lambda sentence: self.show_made(NothingToShow(reason=sentence)))
        self.halt = ToolButton()
        self.halt.setObjectName("stop")
        self.halt.clicked.connect(self._halt_or_go_on)
        self.halt.hide()
        corner = QGridLayout(self.sheet)
        corner.setContentsMargins(6, 6, 6, 6)
        corner.addWidget(self.halt, 0, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom)
        self._background.progressed.connect(lambda _share: self._offer_halt(STOP))
        self._background.done.connect(lambda _result: self.halt.hide())
        self._background.failed.connect(lambda _sentence: self.halt.hide())
        self._rest = QTimer(self, singleShot=True, interval=REST)
        self._rest.timeout.connect(self._compute)

    @abstractmethod
    def key(self, document: Document) -> Hashable:
        """Equal while the same answer holds; None where there is nothing to ask."""

    @abstractmethod
    def begin(self, document: Document) -> Work | None:
        """The work to be done; BadInput where it cannot be, in the user's words."""

    @abstractmethod
    def show_present(self, document: Document) -> None:
        """The document has changed: take into the maker what is at hand of it."""

    @abstractmethod
    def show_known(self) -> None:
        """Take into the maker what the work has found so far."""

    # Following the document -----------------------------------------------------------------------------
    def _on_state(self, old: State, new: State) -> None:
        super()._on_state(old, new)
        if self.isVisible() and old.document is not new.document:
            self.follow(new.document)

    def showEvent(self, event: QShowEvent) -> None:
        self.follow(self.workbench.session.document)
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._rest.stop()
        self._background.cancel()
        self._key = None
        super().hideEvent(event)

    def follow(self, document: Document) -> None:
        """Compute anew unless the answer still holds."""
        self.show_present(document)
        key = self.key(document)
        if key != self._key:
            self._key = key
            self._background.cancel()
            self.halt.hide()
            self._rest.start()
        self.take(self.taken)

    def _compute(self) -> None:
        work = self.begin(self.workbench.session.document)
        if work is not None:
            self._background.start(work)

    def _offer_halt(self, text: str) -> None:
        self.halt.setText(text)
        self.halt.setToolTip("Stop and keep the partial result" if text == STOP else "Resume")
        self.halt.show()

    def _halt_or_go_on(self) -> None:
        if self._background.busy:
            self._background.cancel()
            self._offer_halt(GO_ON)
        else:
            self.halt.hide()
            self._compute()

    def _show_so_far(self) -> None:
        self.show_known()
        self.take(self.taken)
