"""Sets formulas beside the window's thread: the first one loads a library, each takes longer than a frame."""

from __future__ import annotations

import threading
from functools import cache

from PySide6.QtCore import QObject, Signal

from kernelviz.drawing.formula import formula_size

__all__ = ["Typesetter", "typesetter"]


class Typesetter(QObject):
    """A thread that lives while there is something to set."""

    done = Signal(str)
    """The LaTeX of a formula that can now be drawn at once."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._waiting: dict[str, None] = {}
        self._ready: set[str] = set()
        self._thread: threading.Thread | None = None
        self._held = False

    def hold(self) -> None:
        """Set nothing for now: while the program starts, the first picture goes first."""
        self._held = True

    def release(self) -> None:
        """Begin with what has been waiting."""
        self._held = False
        self._start()

    def stop(self, patience: float = 2.0) -> bool:
        """Set nothing of what is waiting; whether the thread has ended. If not, it ends with the program."""
        with self._lock:
            self._waiting.clear()
            thread = self._thread
        if thread is not None:
            thread.join(patience)
        return thread is None or not thread.is_alive()

    def ready(self, latex: str) -> bool:
        """Whether a formula has been set; if not, it will be, and `done` will say so."""
        with self._lock:
            if latex in self._ready:
                return True
            self._waiting[latex] = None
        self._start()
        return False

    def _start(self) -> None:
        with self._lock:
            if self._held or self._thread is not None or not self._waiting:
                return
            self._thread = threading.Thread(target=self._work, name="kernelviz-typesetter", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._thread = None
                    return
                latex = next(iter(self._waiting))
            formula_size(latex, 1.0)  # remembers the shape, which is the slow part
            with self._lock:
                self._waiting.pop(latex, None)
                self._ready.add(latex)
            self.done.emit(latex)


@cache
def typesetter() -> Typesetter:
    """The one typesetter of the program."""
    return Typesetter()
