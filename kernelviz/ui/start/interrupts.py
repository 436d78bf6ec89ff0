"""Signals that end the program, heard although Qt's loop runs no Python: a socket wakes it."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable

from PySide6.QtCore import QObject, QSocketNotifier


class Interrupts(QObject):
    """Calls `act` on Ctrl-C, SIGTERM and SIGHUP until it is closed."""

    def __init__(self, act: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent)
        self._heard, self._told = socket.socketpair()
        for end in (self._heard, self._told):
            end.setblocking(False)
        self._woken = signal.set_wakeup_fd(self._told.fileno(), warn_on_full_buffer=False)
        numbers = [signal.SIGINT, signal.SIGTERM]
        # Windows has none, and `nohup` asks to go on when the terminal closes.
        if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
            numbers.append(signal.SIGHUP)
        self._before = {n: signal.signal(n, lambda *_: act()) for n in numbers}
        self._notifier = QSocketNotifier(self._heard.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._drain)

    def close(self) -> None:
        """Give the signals back to whoever had them."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._woken)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        for end in (self._heard, self._told):
            end.close()

    def _drain(self) -> None:
        # Any Python at all lets the interpreter run the handler of the signal.
        self._heard.recv(64)
