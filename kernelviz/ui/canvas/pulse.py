"""The beat of the canvas: whatever happens between two beats is drawn once."""

from __future__ import annotations

from time import perf_counter

from PySide6.QtCore import QObject, Qt, QTimer, Signal

__all__ = ["Pulse"]

PERIOD = 0.016


class Pulse(QObject):
    """Beats once, as soon as asked, but never twice within 16 ms; silent when nothing is asked."""

    beat = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._last = 0.0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.now)

    @property
    def rested(self) -> bool:
        """Whether the last beat is long enough ago for another."""
        return perf_counter() - self._last >= PERIOD

    def ask(self) -> None:
        """Let there be a beat."""
        if not self._timer.isActive():
            rest = PERIOD - (perf_counter() - self._last)
            self._timer.start(max(0, int(1000 * rest)))

    def now(self) -> None:
        """Beat at once."""
        self._timer.stop()
        self._last = perf_counter()
        self.beat.emit()
