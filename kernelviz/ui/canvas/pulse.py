"""The beat of the canvas: whatever happens between two beats is drawn once."""

from __future__ import annotations

from time import perf_counter

from PySide6.QtCore import QObject, Qt, QTimer, Signal

PERIOD = 0.016
# Seconds a change may wait for its fit, so that both are drawn at once: painting the points alone in the
# meantime would hold the fit up.
GRACE = 0.024


class Pulse(QObject):
    """Beats once, as soon as asked, but never twice within 16 ms; silent when nothing is asked."""

    beat = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._last = 0.0
        self._due = 0.0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.now)

    @property
    def rested(self) -> bool:
        """Return True if the last beat is long enough ago for another."""
        return perf_counter() - self._last >= PERIOD

    def ask(self, within: float = 0.0) -> None:
        """Let there be a beat, as soon as there may be one or so many seconds from now."""
        now = perf_counter()
        due = max(self._last + PERIOD, now + within)
        if not self._timer.isActive() or due < self._due:
            self._due = due
            self._timer.start(max(0, int(1000 * (due - now))))

    def now(self) -> None:
        """Beat now."""
        self._timer.stop()
        self._last = perf_counter()
        self.beat.emit()
