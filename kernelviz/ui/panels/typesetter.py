"""Sets formulas beside the window's thread: the first one loads a library, each takes longer than a frame."""

from __future__ import annotations

import threading
from collections import deque
from functools import cache

from PySide6.QtCore import QObject, Signal

from kernelviz.ui.formula import prepare

__all__ = ["Typesetter", "typesetter"]


class Typesetter(QObject):
    """A thread that lives while there is something to set. Not to be deleted while it does."""

    done = Signal(str, str)
    """(LaTeX, colour) of a formula that can now be drawn at once."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._waiting: deque[tuple[str, str]] = deque()
        self._running = False
        self._ready: set[tuple[str, str]] = set()

    def ready(self, latex: str, colour: str) -> bool:
        """Whether a formula has been set; if not, it will be, and `done` will say so."""
        job = (latex, colour)
        with self._lock:
            if job in self._ready:
                return True
            if job not in self._waiting:
                self._waiting.append(job)
            start, self._running = not self._running, True
        if start:
            threading.Thread(target=self._work, name="kernelviz-typesetter").start()
        return False

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._running = False
                    return
                job = self._waiting[0]
            prepare(*job)
            with self._lock:
                self._waiting.popleft()
                self._ready.add(job)
            self.done.emit(*job)


@cache
def typesetter() -> Typesetter:
    """The one typesetter of the program."""
    return Typesetter()
