"""Text shown letter by letter: a name from a file may look like HTML, which Qt would render.

Rendering opens every file that an image tag names, however large, endless or private it is."""

from __future__ import annotations

from html import escape

from PySide6.QtGui import Qt
from PySide6.QtWidgets import QLabel, QWidget

from kernelviz.engine.core.errors import clipped


class Label(QLabel):
    """A label that never takes its text for HTML."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)

    def setText(self, text: str) -> None:
        super().setText(clipped(text))


def plain(text: str) -> str:
    """Return the text as tooltips and message boxes show it unchanged, where no text format can be set."""
    text = clipped(text)
    if not Qt.mightBeRichText(text):
        return text
    return f'<span style="white-space:pre-wrap">{escape(text)}</span>'


def literal(text: str) -> str:
    """Return the text for a menu or a button, where an ampersand would mark a key."""
    return text.replace("&", "&&")
