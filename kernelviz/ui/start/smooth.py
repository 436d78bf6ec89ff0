"""What the interpreter does behind the window's back, and how it is kept from showing."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtCore import QObject, QTimer


PAUSE = 100  # Milliseconds between two looks for garbage.


def begin() -> None:
    """From now on Python looks for garbage where it is told to.

    By itself it does so in whichever thread happens to need memory. What it found there would be destroyed
    there: widgets, which crashes, or any object of Qt's, which waits for the interpreter with a lock in its
    hands that the window may be waiting for, with the interpreter in its own."""
    gc.disable()
    share_the_interpreter()


def share_the_interpreter() -> None:
    """The worker's small steps must not keep the window waiting for the interpreter."""
    sys.setswitchinterval(0.0005)


def spare_what_stays() -> None:
    """Modules, widgets and tables of the start are there for good: without them, looking for garbage takes
    a millisecond instead of fifty, in the middle of a drag."""
    gc.freeze()


def looking(owner: QObject) -> QTimer:
    """What looks for garbage from time to time, in the window's thread, once it is started."""
    from PySide6.QtCore import QTimer

    timer = QTimer(owner, interval=PAUSE)
    timer.timeout.connect(look_for_garbage)
    return timer


def look_for_garbage() -> None:
    """Here and now, in as many generations of objects as Python would by itself."""
    counts, limits = gc.get_count(), gc.get_threshold()
    due = [generation for generation in range(3) if counts[generation] > limits[generation]]
    if due:
        gc.collect(due[-1])
