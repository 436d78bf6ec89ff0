"""The small pictures of a lecture's stops, drawn on a thread of their own while nothing else happens."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from kernelviz.engine.core.errors import BadInput
from kernelviz.runtime.jobs import Beat
from kernelviz.session.lessons.lecture import Lecture
from kernelviz.session.state import State
from kernelviz.ui.workbench.workbench import Workbench

REST = 400  # Milliseconds without a change before a picture is drawn: a drag pays nothing for it.
SIZE = (324, 216)  # In pixels: three times as large as shown, so that the type is small.


class StopPictures(QObject):
    """Draws one picture after the other. A stop that cannot be shown has none."""

    drawn = Signal(int, bytes)  # (stop, PNG)

    def __init__(self, workbench: Workbench, parent: QObject) -> None:
        super().__init__(parent)
        self._workbench = workbench
        self._lecture: Lecture | None = None
        self._next = 0
        self._rest = QTimer(self, singleShot=True, interval=REST)
        self._rest.timeout.connect(self._draw_next)
        self._drawer = workbench.background("kernelviz-stops", self)
        self._drawer.done.connect(self._on_drawn)
        self._drawer.failed.connect(self._rest.start)
        workbench.state_changed.connect(self._on_state)

    def draw(self, lecture: Lecture) -> None:
        """Draw the stops of a lecture, from the first on."""
        self._drawer.cancel()
        self._lecture, self._next = lecture, 0
        self._rest.start()

    def stop(self) -> None:
        """Draw no more."""
        self._lecture = None
        self._rest.stop()
        self._drawer.cancel()

    def _on_state(self, old: State, new: State) -> None:
        if self._rest.isActive():
            self._rest.start()

    def _draw_next(self) -> None:
        lecture, index = self._lecture, self._next
        if lecture is None or index >= len(lecture.steps):
            return
        if not self._workbench.up_to_date:
            self._rest.start()
            return
        self._next += 1

        def work(beat: Beat) -> Generator[float, None, Any]:
            from kernelviz.scene.export.composition import Composition
            from kernelviz.scene.export.files import as_bytes
            from kernelviz.scene.export.options import Options

            yield 0.0
            options = Options(width=SIZE[0], height=SIZE[1], dpi=72.0, formula=False, caption=False)
            try:
                state = lecture.states(index)[0].shown().with_legend(False)
                return index, as_bytes(Composition.of_state(state).figure(options), "png", options)
            except BadInput:
                return index, b""

        self._drawer.start(work)

    def _on_drawn(self, drawn: tuple[int, bytes]) -> None:
        index, png = drawn
        if png:
            self.drawn.emit(index, png)
        self._rest.start()
