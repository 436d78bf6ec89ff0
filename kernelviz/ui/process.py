"""The Python process under the window: garbage collection, signals that end it, uncaught exceptions.

Qt is imported when it is needed: `begin` is called before."""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
import traceback
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING

from kernelviz.runtime.diagnosis import LOG
from kernelviz.runtime.streams import complain

if TYPE_CHECKING:
    from PySide6.QtCore import QObject, QTimer

_LOG = LOG.getChild("window")


# Garbage -----------------------------------------------------------------------------------------------
def begin() -> None:
    """Prepare the interpreter for a window: collect garbage only where `collect_garbage` is called.

    By itself Python collects in whichever thread needs memory, and destroys garbage there. Destroying a
    widget outside the window's thread crashes; any other object of Qt may wait for the interpreter while it
    holds a lock that the window waits for, which holds the interpreter."""
    gc.disable()
    sys.setswitchinterval(0.0005)  # the worker's small steps must not keep the window waiting


def check_scale() -> None:
    """Leave out a QT_SCALE_FACTOR with which Qt shows no window, such as 0 or nan."""
    given = os.environ.get("QT_SCALE_FACTOR", "1")
    try:
        usable = 0.25 <= float(given) <= 8.0
    except ValueError:
        usable = False
    if not usable:
        del os.environ["QT_SCALE_FACTOR"]
        complain(f"QT_SCALE_FACTOR={given} is ignored: it must be a number from 0.25 to 8.")


def skip_source_checks() -> None:
    """Keep PySide from reading the source of each module that is imported after it: a tenth of the start.

    It looks for modules that use PySide, to switch on what they ask for by `from __feature__ import`. No
    module of ours or of pyqtgraph does. The function is private: a PySide without it goes on reading."""
    feature = sys.modules.get("shibokensupport.feature")
    if hasattr(feature, "_mod_uses_pyside"):
        setattr(feature, "_mod_uses_pyside", lambda module: True)  # noqa: B010, mypy knows no such attribute


def freeze_garbage() -> None:
    """Exclude everything alive now from garbage collection, once the window is up.

    Modules, widgets and tables of the start stay for good; without them a collection takes a millisecond
    instead of fifty, in the middle of a drag."""
    gc.freeze()


def garbage_timer(owner: QObject) -> QTimer:
    """Return a timer that collects garbage now and then in the window's thread; it is not started."""
    collect_every = 100  # Milliseconds between two garbage collections.
    from PySide6.QtCore import QTimer

    timer = QTimer(owner, interval=collect_every)
    timer.timeout.connect(collect_garbage)
    return timer


def collect_garbage() -> None:
    """Collect as many generations of objects as Python itself would now."""
    counts, limits = gc.get_count(), gc.get_threshold()
    due = [generation for generation in range(3) if counts[generation] > limits[generation]]
    if due:
        gc.collect(due[-1])


# Exceptions --------------------------------------------------------------------------------------------
def install_hook(show: Callable[..., None]) -> None:
    """Show an uncaught exception as one sentence; its traceback goes to stderr and into a report."""

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        traceback.print_exception(kind, error, trace)
        _LOG.error("uncaught %s: %s", kind.__name__, error)
        show(
            f"Something went wrong inside kernelviz ({kind.__name__}: {error}). "
            "Your points are safe; you can go on.",
            details="".join(traceback.format_exception(kind, error, trace)),
        )

    sys.excepthook = hook


# Signals -----------------------------------------------------------------------------------------------
class Signals:
    """Calls `act` on Ctrl-C, SIGTERM and SIGHUP until it is closed.

    Qt's event loop runs no Python while it waits. A signal therefore writes to a socket, which wakes the
    loop."""

    def __init__(self, act: Callable[[], object], parent: QObject) -> None:
        from PySide6.QtCore import QSocketNotifier

        self._read_end, self._write_end = socket.socketpair()
        for end in (self._read_end, self._write_end):
            end.setblocking(False)
        self._wakeup_before = signal.set_wakeup_fd(self._write_end.fileno(), warn_on_full_buffer=False)
        numbers = [signal.SIGINT, signal.SIGTERM]
        # Windows has no SIGHUP, and `nohup` asks to go on when the terminal closes.
        if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
            numbers.append(signal.SIGHUP)
        self._before = {n: signal.signal(n, lambda *_: act()) for n in numbers}
        self._notifier = QSocketNotifier(self._read_end.fileno(), QSocketNotifier.Type.Read, parent)
        # Running any Python at all lets the interpreter call the handler of the signal.
        self._notifier.activated.connect(lambda: self._read_end.recv(64))

    def close(self) -> None:
        """Restore the handlers that were there before."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._wakeup_before)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        for end in (self._read_end, self._write_end):
            end.close()
