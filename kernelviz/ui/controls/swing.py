"""A number that runs through its range and back, as a lecturer would drag it."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from kernelviz.ui.controls.scale import Scale

__all__ = ["Swing"]

BEAT = 33
"""Milliseconds between two values; the solver shows those it can."""
ONE_WAY = 6000
"""Milliseconds from one end of the range to the other."""


class Swing(QTimer):
    """Emits the values of a scale from where it is started, back and forth; all belong to one gesture."""

    moved = Signal(object, object)
    """(value, gesture)"""
    switched = Signal(bool)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, interval=BEAT)
        self._share, self._direction = 0.0, 1
        self._gesture: object = None
        self.timeout.connect(self._step)

    def begin(self, scale: Scale, value: float) -> None:
        """Set out from a value, upwards."""
        self._scale = scale
        self._share, self._direction = scale.share(scale.position(value)), 1
        self._gesture = object()
        self.start()
        self.switched.emit(True)

    def end(self) -> None:
        if self.isActive():
            self.stop()
            self.switched.emit(False)

    def _step(self) -> None:
        self._share += self._direction * BEAT / ONE_WAY
        if not 0.0 < self._share < 1.0:
            self._share = min(1.0, max(0.0, self._share))
            self._direction = -1 if self._share == 1.0 else 1
        self.moved.emit(self._scale.values[self._scale.position_at(self._share)], self._gesture)
