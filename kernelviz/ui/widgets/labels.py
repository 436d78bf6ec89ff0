"""Labels: plain text, one line that is cut to fit, and a message that is hidden while empty.

A name from a file may look like HTML, which Qt would render: it would open every file that an image tag
names, however large, endless or private. Everything here shows such a name letter by letter."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Literal

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from kernelviz.engine.core.errors import clipped
from kernelviz.scene.theme import current_theme

SEPARATOR = "  ·  "  # Between the parts of a line.
Tone = Literal["text", "muted", "error", "warning", "success"]  # A colour of the theme.


def plain(text: str) -> str:
    """Return the text as tooltips and message boxes show it unchanged, where no text format can be set."""
    text = clipped(text)
    if not Qt.mightBeRichText(text):
        return text
    return f'<span style="white-space:pre-wrap">{escape(text)}</span>'


def literal(text: str) -> str:
    """Return the text for a menu or a button, where an ampersand would mark a key."""
    return text.replace("&", "&&")


def describe(widget: QWidget, name: str, help: str = "") -> None:
    """Set the name that a screen reader speaks, and the tooltip: the help, or the name if there is none."""
    widget.setAccessibleName(name)
    widget.setToolTip(help or name)


class Label(QLabel):
    """A label that never takes its text for HTML. `role` selects a style of the style sheet.

    A label that wraps is as high as its lines, for a sentence or two in a panel."""

    def __init__(
        self, text: str = "", parent: QWidget | None = None, *, role: str = "", wraps: bool = False
    ) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)
        if role:
            self.setProperty("role", role)
        if wraps:
            self.setWordWrap(True)
            self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)

    def setText(self, text: str) -> None:
        """Show a text, cut to a length that can be laid out."""
        super().setText(clipped(text))


class Elided(QLabel):
    """One line that is cut when it does not fit, at its end or where `cut` says; the tooltip has all of it.

    A tail, such as a number that must be readable, is never cut."""

    def __init__(self, role: str = "muted", cut: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> None:
        super().__init__()
        self._cut = cut
        self.setProperty("role", role)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._text = self._tail = ""

    def set_text(self, text: str, tail: str = "") -> None:
        """Show a text, which may be cut, and a tail, which is not."""
        if (text, tail) == (self._text, self._tail):
            return
        self._text, self._tail = text, tail
        describe(self, self.text(), plain(self.text()))
        if self.sizePolicy().horizontalPolicy() != QSizePolicy.Policy.Ignored:
            self.updateGeometry()  # which lays out the whole window
        self.update()

    def text(self) -> str:
        """Return the whole line."""
        return self._text + self._tail

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        hint.setWidth(self.fontMetrics().horizontalAdvance(self.text()) + 2)
        return hint

    def minimumSizeHint(self) -> QSize:
        return QSize(40, super().minimumSizeHint().height())

    def shown(self) -> str:
        """Return the part of the line that fits."""
        metrics = self.fontMetrics()
        room = self.contentsRect().width() - metrics.horizontalAdvance(self._tail)
        return metrics.elidedText(self._text, self._cut, room) + self._tail

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.drawText(
            self.contentsRect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.shown()
        )


class ElidedParts(Elided):
    """A line of several parts. Where not all of them fit, the least important are left out, whole. Some parts
    may come before the others in large type.

    importance: names of parts, the most important first; parts that are not named come after them. large:
    those in large type, in their order."""

    def __init__(self, importance: Sequence[str] = (), role: str = "", large: Sequence[str] = ()) -> None:
        super().__init__(role)
        self._importance, self._large = importance, large
        self._parts: dict[str, str] = {}

    def set_parts(self, parts: Mapping[str, str]) -> None:
        """Show these texts, by name, in this order."""
        self._parts = dict(parts)
        self.set_text(SEPARATOR.join(parts.values()))

    @property
    def large_font(self) -> QFont:
        """The font of the parts in large type."""
        font = QFont(self.font())
        font.setPointSizeF(1.2 * font.pointSizeF())
        font.setWeight(QFont.Weight.DemiBold)
        return font

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return hint.expandedTo(QSize(0, QFontMetrics(self.large_font).height())) if self._large else hint

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), self.sizeHint().height())

    def shown(self) -> str:
        """Return the most important parts that fit, as they are seen."""
        return "".join(self._shown()) or super().shown()

    def _shown(self) -> tuple[str, str]:
        """Return the parts that fit in large type, and those that fit behind it; two empty texts if none
        fits."""
        rank = {name: k for k, name in enumerate(self._importance)}
        left = sorted(self._parts, key=lambda name: rank.get(name, len(rank)))
        room, metrics = self.contentsRect().width(), QFontMetrics(self.large_font)
        while left:
            first = SEPARATOR.join(self._parts[name] for name in self._large if name in left)
            rest = [self._parts[name] for name in self._parts if name in left and name not in self._large]
            line = SEPARATOR.join(["", *rest] if first else rest)
            if metrics.horizontalAdvance(first) + self.fontMetrics().horizontalAdvance(line) <= room:
                return first, line
            left.pop()
        return "", ""

    def paintEvent(self, event: QPaintEvent) -> None:
        first, rest = self._shown()
        if not first:
            super().paintEvent(event)
            return
        painter, room, align = QPainter(self), self.contentsRect(), Qt.AlignmentFlag.AlignVCenter
        painter.setFont(self.large_font)
        painter.setPen(QColor(current_theme().text))
        painter.drawText(room, align, first)
        room.setLeft(room.left() + painter.fontMetrics().horizontalAdvance(first))
        painter.setFont(self.font())
        painter.setPen(QColor(current_theme().muted))
        painter.drawText(room, align, rest)


class MessageLabel(QLabel):
    """A wrapping sentence in a colour of the theme; hidden while empty.

    It explains an invalid entry next to it, or tells the user what the program found."""

    def __init__(self, tone: Tone) -> None:
        super().__init__()
        self.tone: Tone = tone
        self.sentence = ""
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.hide()

    def say(self, sentence: str, tone: Tone | None = None) -> None:
        """Show a sentence; an empty one hides the label."""
        tone = tone or self.tone
        if (sentence, tone) != (self.sentence, self.tone):
            self.sentence, self.tone = sentence, tone
            self._refresh()
        self.setVisible(bool(sentence))

    def _refresh(self) -> None:
        """Write the sentence in the colour of its tone, with places where long words may break."""
        # A long file name or expression must not make the panel wider.
        broken = re.sub(r"\S{24}", lambda word: f"{word.group()}\u200b", self.sentence)
        colour = getattr(current_theme(), self.tone)
        self.setText(f'<span style="color:{colour}">{escape(broken)}</span>')
        self.setAccessibleName(self.sentence)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.sentence:
            self._refresh()
