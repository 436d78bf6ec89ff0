"""The keys of a clicker: Page Down, Page Up and the full stop lead through a lesson or a lecture."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, Signal, SignalInstance
from PySide6.QtGui import QHideEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLineEdit, QPlainTextEdit, QWidget

TYPED_IN = (QLineEdit, QAbstractSpinBox, QPlainTextEdit)


class BlankScreen(QWidget):
    """A black sheet over a window. A click takes it away."""

    seen = Signal(bool)  # It is shown, or hidden.

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAccessibleName("Blank screen")
        self.hide()

    def show_over(self, on: bool) -> None:
        """Cover the window, or show it again."""
        if on:
            self.setGeometry(self.window().rect())
            self.raise_()
        self.setVisible(on)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), Qt.GlobalColor.black)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.hide()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.seen.emit(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.seen.emit(not self.isHidden())  # a hidden window comes back black


class PageKeys(QObject):
    """Emits the meaning of a key, whichever widget of the window has the focus: sliders, pickers and segments
    would use the page keys or swallow them.

    It watches only the window and the focused widget: Python around every event would slow down a drag."""

    on = Signal()
    back = Signal()
    blanked = Signal(bool)

    def __init__(self, window: QWidget, letter: Callable[[], bool], parent: QObject) -> None:
        """letter: returns True where B blanks too."""
        super().__init__(parent)
        self._window, self._letter = window, letter
        self._listening = False
        self._sheet = BlankScreen(window)
        self._sheet.seen.connect(self.blanked)
        self._watched: list[QWidget] = []
        if isinstance(app := QApplication.instance(), QApplication):
            app.focusChanged.connect(self._follow)

    def listen(self, on: bool) -> None:
        """Watch for the keys, or no longer."""
        self._listening = on
        self._sheet.show_over(False)
        self._follow(None, QApplication.focusWidget())

    def blank(self) -> None:
        """Make the window black, or show it again."""
        self._sheet.show_over(self._sheet.isHidden())

    def press(self, meant: SignalInstance) -> None:
        """Emit a signal of this object, or show the window again if it is black."""
        if self._sheet.isHidden():
            meant.emit()
        else:
            self.blank()

    def _follow(self, before: QWidget | None, now: QWidget | None) -> None:
        """Watch the widget that has the keyboard now, if it is in the window."""
        for watched in self._watched:
            watched.removeEventFilter(self)
        inside = [now] if now is not None and self._window.isAncestorOf(now) else []
        self._watched = [self._window, *inside] if self._listening else []
        for watched in self._watched:
            watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() not in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            return False
        if not isinstance(event, QKeyEvent) or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        key = Qt.Key(event.key())
        blanks = key == Qt.Key.Key_Period or (key == Qt.Key.Key_B and self._letter())
        if blanks and isinstance(watched, TYPED_IN):
            return False
        if not blanks and key not in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            return False
        event.accept()
        if event.type() == QEvent.Type.KeyPress and not event.isAutoRepeat():
            self.blank() if blanks else self.press(self.on if key == Qt.Key.Key_PageDown else self.back)
        return True
