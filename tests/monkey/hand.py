"""Mouse and keyboard as the window system delivers them, and what of the program they can reach."""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Iterable
from random import Random
from typing import TextIO

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QKeySequence, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

LEFT, RIGHT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton
NOTHING = Qt.KeyboardModifier.NoModifier
KEPT = 50
"""How many of the last actions are told when something goes wrong."""

HELD = {
    Qt.KeyboardModifier.ShiftModifier: Qt.Key.Key_Shift,
    Qt.KeyboardModifier.ControlModifier: Qt.Key.Key_Control,
    Qt.KeyboardModifier.AltModifier: Qt.Key.Key_Alt,
}


class Hand:
    """One hand with one rng: every choice it makes depends on that and on what there is to choose from."""

    def __init__(self, rng: Random, log: TextIO | None = None) -> None:
        self.rng = rng
        self.number = 0
        self.log = log
        self.last: deque[str] = deque(maxlen=KEPT)

    def note(self, words: str) -> None:
        """Say what is about to be done; even if it ends the process, the file knows."""
        line = f"{self.number:6} {words}"
        self.last.append(line)
        if self.log is not None:
            print(line, file=self.log, flush=True)

    # Choosing --------------------------------------------------------------------------------------------
    def pick(self, widgets: Iterable[QWidget]) -> QWidget | None:
        """One of them: each draws a lot by its name and the highest wins. So it hardly matters what else
        comes and goes beside it, nor how fast the machine is."""
        salt = self.rng.random()
        return max(widgets, key=lambda w: zlib.crc32(f"{salt}{address(w)}".encode()), default=None)

    def place(self, widget: QWidget) -> QPoint:
        """A pixel of it."""
        return QPoint(
            int(self.rng.random() * max(1, widget.width())), int(self.rng.random() * max(1, widget.height()))
        )

    # Mouse -----------------------------------------------------------------------------------------------
    def press(self, widget: QWidget, at: QPoint, button=LEFT, held=NOTHING) -> None:
        if (found := _window_and_place(widget, at)) is not None:
            QTest.mousePress(found[0], button, held, found[1])

    def move(self, widget: QWidget, at: QPoint) -> None:
        if (found := _window_and_place(widget, at)) is not None:
            QTest.mouseMove(found[0], found[1])

    def release(self, widget: QWidget, at: QPoint, button=LEFT, held=NOTHING) -> None:
        if (found := _window_and_place(widget, at)) is not None:
            QTest.mouseRelease(found[0], button, held, found[1])

    def click(self, widget: QWidget, at: QPoint, button=LEFT, held=NOTHING) -> None:
        self.move(widget, at)
        self.press(widget, at, button, held)
        self.release(widget, at, button, held)

    def double_click(self, widget: QWidget, at: QPoint) -> None:
        if (found := _window_and_place(widget, at)) is not None:
            QTest.mouseDClick(found[0], LEFT, NOTHING, found[1])

    def wheel(self, widget: QWidget, at: QPoint, turned: int, held=NOTHING) -> None:
        if (found := _window_and_place(widget, at)) is not None:
            QTest.wheelEvent(found[0], QPointF(found[1]), QPoint(0, turned), stateKey=held)

    # Keyboard --------------------------------------------------------------------------------------------
    def key(self, keys: str) -> None:
        """Press a key such as "Ctrl+Z", wherever the keyboard's focus is."""
        combination = QKeySequence(keys)[0]
        key, held = combination.key(), combination.keyboardModifiers()
        first = [code for modifier, code in HELD.items() if modifier in held]
        codes = [*((True, code) for code in (*first, key)), *((False, code) for code in (key, *first))]
        # One event at a time, each for the window that has the focus then: QTest.keyPress would go on with a
        # window that was closed by what is held or by itself, and crash.
        for press, code in codes:
            if (window := QGuiApplication.focusWindow()) is not None:
                with_it, text = (held, QTest.keyToAscii(key).strip("\0")) if code == key else (NOTHING, "")
                QTest.simulateEvent(window, press, code, with_it, text, False)

    def type(self, text: str) -> None:
        """Type into what has the focus; through the clipboard of the field, as an input method would."""
        widget = QApplication.focusWidget()
        if widget is not None:
            for letter in text:
                QTest.keyClick(widget, letter) if letter.isascii() else QTest.sendKeyEvent(
                    QTest.KeyAction.Click, widget, Qt.Key.Key_unknown, letter, NOTHING
                )

    # From other programs -----------------------------------------------------------------------------------
    def drop(self, window: QWidget, path: str) -> None:
        """Let a file fall onto the window."""
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(path)])
        where, actions = window.rect().center(), Qt.DropAction.CopyAction
        entering = QDragEnterEvent(where, actions, mime, LEFT, NOTHING)
        QApplication.sendEvent(window, entering)
        if entering.isAccepted():
            QApplication.sendEvent(window, QDropEvent(QPointF(where), actions, mime, LEFT, NOTHING))


def _window_and_place(widget: QWidget, at: QPoint) -> tuple[QWindow, QPoint] | None:
    """The native window a widget is in, and where a pixel of it is there; None once it is gone."""
    if not isValid(widget):  # moving onto it had a dialogue opened and closed
        return None
    window = widget.window().windowHandle()
    if window is None or not widget.isVisible():
        return None
    place = widget.mapTo(widget.window(), at)
    inside = 0 <= place.x() < window.width() and 0 <= place.y() < window.height()
    return (window, place) if inside else None


def called(widget: QWidget) -> str:
    """Its address, short enough for a line."""
    return "/".join(address(widget).split("/")[-3:])


def address(widget: QWidget) -> str:
    """A name that is the same in every run: classes, object names and places among the siblings."""
    parts = []
    while widget is not None:
        parent = widget.parentWidget()
        name = widget.objectName() or widget.accessibleName()[:16]
        parts.append(f"{type(widget).__name__}.{name}" if name else type(widget).__name__)
        if parent is None or widget.isWindow():
            break
        widget = parent
    return "/".join(reversed(parts))
