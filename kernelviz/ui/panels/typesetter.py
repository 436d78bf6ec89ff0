"""Sets formulas beside the window's thread: the first one loads a library, each takes longer than a frame."""

from __future__ import annotations

from collections.abc import Generator
from functools import cache, partial

from PySide6.QtCore import QObject, Qt, Signal, Slot

from kernelviz.drawing.formula import formula_size
from kernelviz.runtime.jobs import Beat, Job, Jobs, News, Told

__all__ = ["Typesetter", "typesetter"]


class Typesetter(QObject):
    """Sets one formula after the other."""

    done = Signal(str)
    """The LaTeX of a formula that can now be drawn at once."""
    _broke = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._jobs = Jobs("kernelviz-typesetter", self._hear, queue=True)
        self._ready: set[str] = set()
        self._asked: dict[str, None] = {}
        self._held = False
        self._broke.connect(self._raise, Qt.ConnectionType.QueuedConnection)

    def hold(self) -> None:
        """Set nothing for now: while the program starts, the first picture goes first."""
        self._held = True

    def release(self) -> None:
        """Begin with what has been waiting."""
        if self._held:
            self._held = False
            for latex in self._asked:
                self._jobs.start(Job(partial(_setting, latex)))

    def stop(self, patience: float = 2.0) -> bool:
        """Set nothing of what is waiting; whether the thread has ended. If not, it ends with the program."""
        self._jobs.clear()
        self._asked.clear()
        return self._jobs.join(patience)

    def ready(self, latex: str) -> bool:
        """Whether a formula has been set; if not, it will be, and `done` will say so."""
        if latex in self._ready:
            return True
        if latex not in self._asked:
            self._asked[latex] = None
            if not self._held:
                self._jobs.start(Job(partial(_setting, latex)))
        return False

    def _hear(self, told: Told) -> None:
        """Runs on the thread."""
        if told.news is News.DONE:
            self._ready.add(told.value)
            self.done.emit(told.value)
        elif told.news is News.RAISED:
            self._broke.emit(told.value)

    @Slot(object)
    def _raise(self, mistake: Exception) -> None:
        raise mistake


def _setting(latex: str, _beat: Beat) -> Generator[float, None, str]:
    yield 0.0
    formula_size(latex, 1.0)  # remembers the shape, which is the slow part
    return latex


@cache
def typesetter() -> Typesetter:
    """The one typesetter of the program."""
    return Typesetter()
