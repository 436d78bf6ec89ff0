"""Calls that can wait for the canvas: panels and numbers follow a frame a little later, and not too often."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QObject, QTimer

LAG = 40  # Milliseconds that the canvas has first: anything drawn in the same pass would delay it.
READABLE = 60  # Milliseconds between two numbers that can still be read.


class Throttle(QTimer):
    """Calls `then` a moment after `ask`, and at most once every `pause` milliseconds.

    Requests in between are merged into one call: a label that follows a drag does not slow it down."""

    def __init__(self, parent: QObject, pause: int, then: Callable[[], None]) -> None:
        super().__init__(parent, singleShot=True)
        self._pause = pause
        self._then = then
        self._since = QElapsedTimer()
        self.timeout.connect(self.now)

    def ask(self) -> None:
        """Make the call soon."""
        if not self.isActive():
            rested = self._since.elapsed() if self._since.isValid() else self._pause
            self.start(max(LAG, self._pause - rested))

    def now(self) -> None:
        """Make the call immediately."""
        self.stop()
        self._since.start()
        self._then()
