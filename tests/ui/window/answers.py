"""Answering the questions a window asks, with the keys a user presses, while it waits for the answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLineEdit, QMessageBox, QWidget

ask_really = QMessageBox.question
"""Qt's own, before a test has put something else in its place."""

Answer = Callable[[QWidget], None]
OFTEN = 20
"""Milliseconds between two looks."""
PATIENCE = 5.0


@contextmanager
def answering(*answers: Answer) -> Iterator[list[str]]:
    """Give each modal window that comes up the next answer, and close it when there is none.

    What all of them said is handed out."""
    seen: list[str] = []
    waiting = list(answers)
    under_way: list[QWidget] = []
    began = time.monotonic()

    def look() -> None:
        widget = QApplication.activeModalWidget()
        if not isinstance(widget, QDialog) or any(widget is other for other in under_way):
            return  # nothing is asked, or the keys of the answer are still on their way
        if time.monotonic() > began + PATIENCE:
            widget.reject()  # rather than to hang
        focus = QApplication.focusWidget()
        if focus is None or not widget.isAncestorOf(focus):
            return  # it is not ready to be typed into
        seen.append(words(widget))
        if not waiting:
            widget.reject()
            return
        under_way.append(widget)
        # Not from here: a timer does not go off again while it is answered, and an answer may be asked back.
        QTimer.singleShot(0, lambda: give(waiting.pop(0), widget))

    def give(answer: Answer, widget: QWidget) -> None:
        try:
            answer(widget)
        finally:
            under_way.remove(widget)

    timer = QTimer()
    timer.timeout.connect(look)
    timer.start(OFTEN)
    try:
        yield seen
    finally:
        timer.stop()
    assert not waiting, f"{len(waiting)} answers were not asked for; asked was {seen}"


def words(widget: QWidget) -> str:
    return widget.text() if isinstance(widget, QMessageBox) else widget.windowTitle()


def type_name(text: str) -> Answer:
    """Type a file's name and press Enter."""

    def answer(widget: QWidget) -> None:
        assert isinstance(widget, QFileDialog)
        field = widget.findChild(QLineEdit, "fileNameEdit")
        field.setCompleter(None)  # its proposals need a window manager
        field.selectAll()
        QTest.keyClicks(field, text)
        QTest.keyClick(field, Qt.Key.Key_Return)

    return answer


def press(button: QMessageBox.StandardButton) -> Answer:
    """Press a button of a question with the space bar."""

    def answer(widget: QWidget) -> None:
        assert isinstance(widget, QMessageBox)
        QTest.keyClick(widget.button(button), Qt.Key.Key_Space)

    return answer
