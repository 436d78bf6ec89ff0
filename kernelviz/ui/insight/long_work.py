"""Long work of a view, done on threads of its own when editing rests.

A view declares the work it needs (`View.needs`), each piece with a key. `LongWorks` begins a piece when its
key has changed and nothing has been edited for a moment, and has the results so far."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import zip_longest
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from kernelviz.scene.view import Needed
from kernelviz.ui.widgets.buttons import ToolButton
from kernelviz.ui.workbench.background import Background
from kernelviz.ui.workbench.workbench import Workbench

REST = 300  # Milliseconds without a change after which editing rests.


class LongWork(QObject):
    """Does one piece of work on a thread, and does it again whenever its key changes.

    The result of the last work stays until the next one begins, so that a picture is never empty for long."""

    def __init__(self, background: Background, parent: QObject) -> None:
        super().__init__(parent)
        self.background = background
        self._needed: Needed | None = None
        self._begun: Needed | None = None  # The key of the latest result.
        self._result: Callable[[], Any] = lambda: None  # Returns the result of the latest work so far.
        self._rest = QTimer(self, singleShot=True, interval=REST)
        self._rest.timeout.connect(self.begin)

    @property
    def result(self) -> Any:
        """The result so far."""
        return self._result()

    def result_for(self, needed: Needed | None) -> Any:
        """Return the result so far, or None if it belongs to other work."""
        fits = needed is not None and self._begun is not None and needed.key == self._begun.key
        return self.result if fits else None

    @property
    def working(self) -> bool:
        """True while the work is under way, or waits until editing rests."""
        return self.background.busy or self._rest.isActive()

    @property
    def stoppable(self) -> bool:
        """True if the user may stop the work and resume it."""
        return self._needed is not None and self._needed.stoppable

    def follow(self, needed: Needed | None) -> bool:
        """Do other work when editing rests; return False if it is the same as before."""
        if (None if needed is None else needed.key) == (None if self._needed is None else self._needed.key):
            return False
        self._needed = needed
        self.background.cancel()
        self._rest.start()
        return True

    def begin(self) -> None:
        """Do the work from its beginning."""
        if self._needed is not None:
            run = self._needed.begin()
            self._begun = self._needed
            self._result = partial(self._needed.result, run)
            self.background.start(run.work)

    def rest(self) -> None:
        """Stop the work; the next `follow` begins it again."""
        self._rest.stop()
        self.background.cancel()
        self._needed = None


class LongWorks(QObject):
    """All pieces of work that a view needs, and a button in the corner of its sheet.

    The button stops the first piece where that is allowed, and resumes it afterwards."""

    progressed = Signal()  # More of a result has arrived, or all of it.
    failed = Signal(str)  # Why a piece of work has failed.

    def __init__(self, workbench: Workbench, name: str, sheet: QWidget, parent: QObject) -> None:
        super().__init__(parent)
        self._workbench, self._name = workbench, name
        self._pieces: list[LongWork] = []
        self.button = ToolButton(text="Stop", do=self._stop_or_resume)
        self.button.setObjectName("stop")
        self.button.hide()
        corner = QGridLayout(sheet)
        corner.setContentsMargins(6, 6, 6, 6)
        corner.addWidget(self.button, 0, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom)

    @property
    def working(self) -> bool:
        """True while any piece is under way or about to begin."""
        return any(piece.working for piece in self._pieces)

    @property
    def result(self) -> Any:
        """The result so far: a tuple if there are several pieces, None if there is none."""
        found = tuple(piece.result for piece in self._pieces)
        return found if len(found) > 1 else next(iter(found), None)

    def result_for(self, needed: Needed | tuple[Needed | None, ...] | None) -> Any:
        """Return the result so far without that of other work, such as work on an earlier document."""
        every = needed if isinstance(needed, tuple) else (needed,)
        found = tuple(
            piece.result_for(own) for piece, own in zip_longest(self._pieces, every[: len(self._pieces)])
        )
        return found if len(found) > 1 else next(iter(found), None)

    def follow(self, needed: Needed | tuple[Needed | None, ...] | None) -> None:
        """Do the work that is needed now, when editing rests, unless its results still hold."""
        every = needed if isinstance(needed, tuple) else (needed,)
        while len(self._pieces) < len(every):
            self._add_piece()
        for piece, own in zip_longest(self._pieces, every):
            if piece.follow(own) and piece is self._pieces[0]:
                self.button.hide()

    def _add_piece(self) -> None:
        """Make a thread for one more piece of work."""
        name = f"kernelviz-{self._name}-work-{len(self._pieces) + 1}"
        background = self._workbench.background(name, self)
        piece = LongWork(background, self)

        def on_progress(_share: float) -> None:
            self.progressed.emit()
            if piece.stoppable:
                self._offer("Stop", "Stop and keep the partial result")

        background.progressed.connect(on_progress)
        background.done.connect(lambda _result: self.progressed.emit())
        for ended in (background.done, background.failed):
            ended.connect(lambda _: self.button.setHidden(piece.stoppable or self.button.isHidden()))
        background.failed.connect(self.failed)
        self._pieces.append(piece)

    def _offer(self, text: str, help_text: str) -> None:
        self.button.setText(text)
        self.button.setToolTip(help_text)
        self.button.show()

    def _stop_or_resume(self) -> None:
        """Stop the first piece and keep its partial result, or begin it again."""
        first = self._pieces[0]
        if first.background.busy:
            first.background.cancel()
            self._offer("Resume", "Resume")
        else:
            self.button.hide()
            first.begin()

    def rest(self) -> None:
        """Stop all work until it is needed again."""
        for piece in self._pieces:
            piece.rest()
