"""A few words over the canvas that go by themselves."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QLabel, QWidget

SHOWN_FOR = 1500  # Milliseconds.
FROM_ABOVE = 0.12  # Of the height: below a banner, above most of the points.


class Notice(QLabel):
    """Names what a key has just chosen; to the mouse it is not there."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._around = parent
        self.setProperty("role", "notice")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._gone = QTimer(self, singleShot=True, interval=SHOWN_FOR)
        self._gone.timeout.connect(self.hide)
        self.hide()

    def say(self, words: str) -> None:
        """Show the words for a moment, in place of those there are."""
        self.setText(words)
        self.adjustSize()
        room = self._around.rect()
        self.move((room.width() - self.width()) // 2, round(FROM_ABOVE * room.height()))
        self.show()
        self.raise_()
        self._gone.start()
