"""Long work of a view, done on a thread of its own when editing rests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from kernelviz.scene.view import Needed
from kernelviz.ui.workbench.workbench import Workbench

REST = 300  # Milliseconds without a change after which editing rests.


class LongWork(QObject):
    """Does the work a view needs, and again whenever the key of that is another one.

    The result of the last work stays until the next one begins."""

    progressed = Signal()  # There is more of the result; the last time once it is complete.
    ended = Signal()  # The work is done, or has failed.
    failed = Signal(str)  # Why it has failed.

    def __init__(self, workbench: Workbench, name: str, parent: QObject) -> None:
        super().__init__(parent)
        self._needed: Needed | None = None
        self._result: Callable[[], Any] = lambda: None
        self._background = workbench.background(name, self)
        self._background.progressed.connect(lambda _share: self.progressed.emit())
        self._background.done.connect(self._on_done)
        self._background.failed.connect(self._on_failed)
        self._rest = QTimer(self, singleShot=True, interval=REST)
        self._rest.timeout.connect(self.begin)

    @property
    def result(self) -> Any:
        """What has been found so far."""
        return self._result()

    @property
    def busy(self) -> bool:
        """Whether work is under way."""
        return self._background.busy

    @property
    def pending(self) -> bool:
        """Whether work is about to begin."""
        return self._rest.isActive()

    @property
    def stoppable(self) -> bool:
        """Whether the user may stop the work and have it go on."""
        return self._needed is not None and self._needed.stoppable

    def follow(self, needed: Needed | None) -> bool:
        """Have other work done when editing rests; return False if it is the same as before."""
        if (None if needed is None else needed.key) == (None if self._needed is None else self._needed.key):
            return False
        self._needed = needed
        self._background.cancel()
        self._rest.start()
        return True

    def begin(self) -> None:
        """Do the work from its beginning."""
        if self._needed is not None:
            work, self._result = self._needed.begin()
            self._background.start(work)

    def _on_done(self, _result: object) -> None:
        self.progressed.emit()
        self.ended.emit()

    def _on_failed(self, sentence: str) -> None:
        self.ended.emit()
        self.failed.emit(sentence)

    def stop(self) -> None:
        """Stop the work; what has been found stays."""
        self._background.cancel()

    def rest(self) -> None:
        """Stop the work, and have it done again when it is next asked for."""
        self._rest.stop()
        self._background.cancel()
        self._needed = None
