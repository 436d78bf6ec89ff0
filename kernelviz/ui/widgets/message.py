"""A sentence in place: what is wrong with an entry, or what the program found."""

from __future__ import annotations

import re
from html import escape
from typing import Literal

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from kernelviz.drawing.theme import current_theme

Tone = Literal["text", "muted", "error", "warning", "success"]


class Message(QLabel):
    """A wrapping label in a colour of the theme; hidden while it has nothing to say."""

    def __init__(self, tone: Tone = "error", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tone: Tone = tone
        self._sentence = ""
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.hide()

    @property
    def sentence(self) -> str:
        return self._sentence

    @property
    def tone(self) -> str:
        return self._tone

    def say(self, sentence: str, tone: Tone | None = None) -> None:
        """Show a sentence, or hide with an empty one."""
        tone = tone or self._tone
        if (sentence, tone) != (self._sentence, self._tone):
            self._sentence, self._tone = sentence, tone
            self._refresh()
        self.setVisible(bool(sentence))

    def _refresh(self) -> None:
        # A long file name or expression must not push the panel wider than its place.
        broken = re.sub(r"\S{24}", lambda word: f"{word.group()}\u200b", self._sentence)
        colour = getattr(current_theme(), self._tone)
        self.setText(f'<span style="color:{colour}">{escape(broken)}</span>')
        self.setAccessibleName(self._sentence)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._sentence:
            self._refresh()
