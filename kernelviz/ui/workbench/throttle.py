"""Calls that follow each other at intervals: the canvas draws at most every 16 ms, panels follow it later."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer, Signal

LAG = 40  # Milliseconds that the canvas has first: anything drawn in the same pass would delay it.
READABLE = 60  # Milliseconds between two numbers that can still be read.


class Throttle(QTimer):
    """Calls `then` some milliseconds after `ask`, and at most once every `pause` milliseconds.

    Requests in between are merged into one call: a label that follows a drag does not slow it down."""

    beat = Signal()  # Emitted for every call.

    def __init__(self, parent: QObject, pause: int, then: Callable[[], None]) -> None:
        super().__init__(parent, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
        self._pause = pause
        self._last = QElapsedTimer()
        self.beat.connect(then)
        self.timeout.connect(self.now)

    @property
    def rested(self) -> bool:
        """Return True if the last call was long enough ago for another."""
        return not self._last.isValid() or self._last.hasExpired(self._pause - 1)

    def ask(self, within: int = LAG) -> None:
        """Make the call after a delay in milliseconds, or once there has been a pause."""
        if self._last.isValid():
            within = max(within, self._pause - self._last.elapsed())
        if not self.isActive() or within < self.remainingTime():
            self.start(within)

    def now(self) -> None:
        """Make the call immediately."""
        self.stop()
        self._last.start()
        self.beat.emit()
