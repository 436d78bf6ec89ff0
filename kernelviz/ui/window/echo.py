"""The last key or control and what it did, in a corner of the canvas, for an audience."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from kernelviz.scene.changes import change_in_words
from kernelviz.session.state import State
from kernelviz.ui.widgets.labels import Label
from kernelviz.ui.window.shell import Shell


class Echo(QObject):
    """Shows for two seconds the key that was pressed, and the change that it or a control made.

    Changes of one gesture, such as the drag of a slider, are shown as one. Only the widget with the keyboard
    is watched: Python around every event would be felt in a drag."""

    def __init__(self, window: Shell, lasting: int = 2000) -> None:
        """lasting: milliseconds for which it is shown."""
        super().__init__(window)
        self._window = window
        self._key = ""  # A key that has been pressed and not shown yet.
        self._watched: QWidget | None = None
        self._begun: tuple[int, State] | None = (
            None  # The state before a gesture, and its place in the history.
        )
        self.label = Label(parent=window, role="notice")
        self.label.setObjectName("echo")
        self.label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.label.hide()
        self._gone = QTimer(self, singleShot=True, interval=lasting)
        self._gone.timeout.connect(self.label.hide)
        window.workbench.state_changed.connect(self._on_state)
        for action in window.actions_by_name.values():
            action.triggered.connect(lambda _=False, action=action: self._on_action(action))
        if isinstance(app := QApplication.instance(), QApplication):
            app.focusChanged.connect(self._watch)
        self._switch = window.actions_by_name["show_keys"]
        self._switch.setChecked(window.settings.show_keys)

    def show_keys(self) -> None:
        """Switch it on or off, as the menu entry says, and remember that."""
        self._window.settings.show_keys = self._switch.isChecked()
        self.label.hide()
        self._watch(None, QApplication.focusWidget())

    def _watch(self, before: QWidget | None, now: QWidget | None) -> None:
        """Watch the widget that has the keyboard, if this is switched on."""
        if self._watched is not None and isValid(self._watched):  # not if it lost the keyboard by its end
            self._watched.removeEventFilter(self)
        self._watched = now if self._switch.isChecked() else None
        if self._watched is not None:
            self._watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Note a key, which is shown with its effect."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            text = QKeySequence(event.keyCombination()).toString(QKeySequence.SequenceFormat.NativeText)
            self._key = text if text.isprintable() else ""
            QTimer.singleShot(0, self, self._forget)
        return False

    def _forget(self) -> None:
        """Forget a key that has done nothing."""
        self._key = ""

    def _on_action(self, action: QAction) -> None:
        """Show the name of a command that a key has called, unless its effect has been shown."""
        if self._key:
            self._tell(action.text().replace("&", "").rstrip("…"))

    def _on_state(self, old: State, new: State) -> None:
        """Show what has changed since the gesture began."""
        if not self._switch.isChecked():
            return
        step = len(self._window.session.history)
        if self._begun is None or self._begun[0] != step or self.label.isHidden():
            self._begun = step, old
        edited = old.document is not new.document
        if words := change_in_words(self._begun[1] if edited else old, new):
            self._tell(words)

    def _tell(self, words: str) -> None:
        """Show the key, if one was pressed, and the words."""
        plot = self._window.canvas.row.plots[0]
        self.label.setParent(plot)
        self.label.setText("   ".join(filter(None, (self._key, words))))
        self._key = ""
        plot.place_note(self.label, ("top left", "top right"))
        self.label.show()
        self.label.raise_()
        self._gone.start()
