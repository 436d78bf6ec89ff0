"""A walk: the random user, the window it uses, and the looks around on the way."""

from __future__ import annotations

import gc
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, TextIO
from weakref import WeakKeyDictionary, ref

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QEventLoop,
    QThread,
    QTimer,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from kernelviz.session.session import Session
from kernelviz.session.state import State, start_up
from kernelviz.ui.process import collect_garbage
from kernelviz.ui.widgets.slider import SliderAnimation
from kernelviz.ui.window.main_window import MainWindow
from kernelviz.ui.workbench.settings import Settings
from tests.monkey import checks
from tests.monkey.actions import ACTIONS, answer_file_dialogue
from tests.monkey.checks import Broken
from tests.monkey.hand import Hand
from tests.monkey.larder import Larder

__all__ = ["Failed", "Walk"]

PATIENCE = 120.0
"""Seconds a picture may take once nobody asks for another."""
REST = 30
"""Milliseconds of doing nothing."""
NESTED = 5
"""Milliseconds between two looks whether a dialogue has opened in the midst of an action."""
HARMLESS = ("This plugin does not support",)
"""What the platform without a screen says of itself."""


class Failed(Exception):
    """What went wrong, and all that is needed to see it again."""


class _Stop(Exception):
    """Something has gone wrong and been noted: go no further."""


class Walk:
    """`events` actions of a user with the seed, on a window with its own files and settings in `folder`."""

    def __init__(
        self,
        folder: Path,
        seed: int,
        *,
        first: int = 0,
        look_every: int = 500,
        large: bool = False,
        log: TextIO | None = None,
        tell: Callable[[str], object] = lambda _: None,
    ) -> None:
        self.tell = tell
        self.seed, self.first, self.look_every = seed, first, look_every
        self.rng = Random(seed)
        self.hand = Hand(self.rng, log)
        self.larder = Larder(folder / "files", large)
        self.settings = Settings(folder / "settings.ini")
        self.problems: list[str] = []
        self.memory: list[float] = []
        self._threads, self._children = set(threading.enumerate()), checks.children()
        self._levels = [_level()]
        self._quietening = False
        self.held: list[QWidget] = []
        self.window = self._open_window()

    # Going -----------------------------------------------------------------------------------------------
    def go(self, events: int) -> None:
        """The whole walk; Failed at the first thing that breaks."""
        gc.disable()  # as the program does
        nested = QTimer(interval=NESTED)
        nested.timeout.connect(lambda: QTimer.singleShot(0, self._within))
        with _listening(self.problems):
            try:
                nested.start()
                for number in range(self.first, events):
                    self._step(number)
                    if (number + 1) % self.look_every == 0:
                        self.look_around()
                self.look_around()
                checks.memory_is_bounded(self.memory)
            except _Stop:
                pass
            except Exception:
                self.problems.append(traceback.format_exc())
            finally:
                nested.stop()
                self._end()
        self._raise()

    def _step(self, number: int) -> None:
        self.hand.number = number
        self.rng.seed(f"{self.seed}/{number}")  # so that a walk can begin anywhere
        self._act()
        _process_all()
        if not self.window.isVisible() and QApplication.activeModalWidget() is None:
            self._reopen()
        self._stop_at_problems()

    def _act(self) -> None:
        self._levels.append(_level())
        try:
            if self._file_dialogue_open():
                answer_file_dialogue(self)
                return
            for _ in range(20):
                if self.rng.choices(tuple(ACTIONS), tuple(ACTIONS.values()))[0](self):
                    return
        finally:
            self._levels.pop()

    def _within(self) -> None:
        """Go on in a dialogue or menu that has opened in the midst of an action and waits for an answer."""
        if _level() > self._levels[-1]:
            if self.problems or self._quietening:
                _close_what_is_in_front()
            else:
                self._act()

    def in_reach(self) -> QWidget:
        """What takes mouse and keys now: a popup, a modal dialogue, or the window and all beside it."""
        return QApplication.activePopupWidget() or QApplication.activeModalWidget() or self.window

    @staticmethod
    def _file_dialogue_open() -> bool:
        return any(isinstance(w, QFileDialog) and w.isVisible() for w in QApplication.topLevelWidgets())

    def rest(self, milliseconds: int = REST) -> None:
        """Do nothing for a moment, while the program goes on."""
        end = time.monotonic() + milliseconds / 1000
        while (left := end - time.monotonic()) > 0:
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, max(1, int(1000 * left)))

    # Windows ---------------------------------------------------------------------------------------------
    def _open_window(self) -> MainWindow:
        session = Session(start_up())
        window = MainWindow(session, self.settings)
        # Where each history began: one comes back, with its steps, when a lesson ends.
        self._starts = WeakKeyDictionary({session.history: session.document})
        session.subscribe(self._on_state)
        window.workbench.failed.connect(self._on_failure)
        window.show()
        window.activateWindow()
        QTimer.singleShot(0, window, window.files.offer_recovery)
        return window

    def _on_state(self, old: State, new: State) -> None:
        """Remember where a new history began."""
        self._starts.setdefault(self.window.session.history, new.document)

    def _on_failure(self, failure: Any) -> None:
        if failure.details:
            self.problems.append(failure.details)

    def _reopen(self) -> None:
        """The window was closed: nothing of it may be left; then another one."""
        closed, self.held = ref(self.window), []
        self._discard()
        self.window = self._open_window()
        gc.collect()
        if closed() is not None:
            raise Broken("a closed window stays in memory, with its fits")

    def _discard(self) -> None:
        self.window.deleteLater()
        _process_all()
        gc.collect()
        if left := checks.new_threads(self._threads):
            raise Broken(f"threads left behind: {', '.join(left)}")
        if left := checks.children() - self._children:
            raise Broken(f"processes left behind: {', '.join(left)}")

    def _end(self) -> None:
        """Close everything, whatever has happened."""
        try:
            if self.window.isVisible():
                self.quieten()
                self.window.lessons.end_lesson()  # or the window would ask about the work from before it
                self.window.session.mark_saved()
                self.window.close()
            self._discard()
        except Exception:
            self.problems.append(traceback.format_exc())

    # Looking around ----------------------------------------------------------------------------------------
    def quieten(self) -> None:
        """Close what is open in front of the window and wait for its picture."""
        self._quietening = True
        deadline = time.monotonic() + PATIENCE
        self.rest()
        while _close_what_is_in_front() or not self.window.workbench.up_to_date:
            if time.monotonic() > deadline:
                front = QApplication.activePopupWidget() or QApplication.activeModalWidget()
                reason = f"{front} does not close" if front else "the worker gives no final answer"
                document = self.window.session.document
                raise Broken(f"no picture after {PATIENCE:g} s: {reason}; {document.fits}")
            self.rest()
        self._quietening = False

    def look_around(self) -> None:
        """All promises that can be checked while the walk goes on."""
        self.hand.note("look around")
        self.quieten()
        if not self.window.isVisible():
            self._reopen()
            self.quieten()
        for moving in self.window.findChildren(SliderAnimation):
            moving.end()  # it would go on to change the document
        self.window.playback.pause()
        self.window.workbench.freeze(False)  # it would keep the picture of other points
        self.quieten()
        checks.is_painted(self.window)
        checks.frame_is_fresh(self.window)
        checks.session_round_trip(self.window)
        self._undo_everything()
        self.memory.append(checks.memory())
        self.tell(f"{self.hand.number + 1:8} actions {self.memory[-1]:6.0f} MB")
        self._stop_at_problems()

    def _undo_everything(self) -> None:
        """Back to where this history began and forward again: the same documents both times."""
        session = self.window.session
        # Which of several fits is being edited is no step.
        known = session.document, self._starts[session.history]
        here, start = (checks.written(document.replace(active=0)) for document in known)
        steps = len(session.history)
        _repeat(session.undo, lambda: len(session.history) > 0)
        if not session.history.forgot and checks.written(session.document.replace(active=0)) != start:
            raise Broken(f"undoing all {steps} steps leads elsewhere than to the start")
        _repeat(session.redo, lambda: len(session.history) < steps)
        if checks.written(session.document.replace(active=0)) != here:
            raise Broken(f"undoing and redoing all {steps} steps leads elsewhere than back")

    # Telling -----------------------------------------------------------------------------------------------
    def _stop_at_problems(self) -> None:
        if self.problems:
            raise _Stop

    def _raise(self) -> None:
        if self.problems:
            last = "\n".join(self.hand.last)
            raise Failed(
                "\n\n".join(self.problems)
                + f"\n\nThe last actions of seed {self.seed}:\n{last}\n\nSee it again:\n"
                f"  python -m tests.monkey --seed {self.seed} --events {self.hand.number + 1}\n"
                f"or only its end: --from {max(0, self.hand.number - 50)}"
            )


def _level() -> int:
    """How many event loops wait for each other: one more for every dialogue that is waited for."""
    return QThread.currentThread().loopLevel()


def _close_what_is_in_front() -> bool:
    """Close the popup or the modal dialogue in front, if there is one."""
    front = QApplication.activePopupWidget() or QApplication.activeModalWidget()
    return front is not None and front.close()


def _process_all() -> None:
    """What a turn of the program's own loop does; only there is deleted what is to be deleted later."""
    QApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    collect_garbage()


def _repeat(act: Callable[[], object], wanted: Callable[[], bool]) -> None:
    while wanted():
        act()


@contextmanager
def _listening(problems: list[str]) -> Iterator[None]:
    """Whatever is raised in a slot or a thread, and whatever Qt or Python warns of, is a problem."""

    def on_exception(kind: Any, error: Any, trace: Any) -> None:
        problems.append("".join(traceback.format_exception(kind, error, trace)))

    def on_message(kind: QtMsgType, _: object, text: str) -> None:
        if kind not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg) and not any(h in text for h in HARMLESS):
            problems.append(f"Qt says: {text}\n{''.join(traceback.format_stack(limit=8))}")

    hooks = sys.excepthook, sys.unraisablehook, threading.excepthook
    sys.excepthook = on_exception
    sys.unraisablehook = lambda args: on_exception(args.exc_type, args.exc_value, args.exc_traceback)
    threading.excepthook = lambda args: on_exception(args.exc_type, args.exc_value, args.exc_traceback)
    before = qInstallMessageHandler(on_message)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            yield
    finally:
        sys.excepthook, sys.unraisablehook, threading.excepthook = hooks
        qInstallMessageHandler(before)
