"""One line of text that gives way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from kernelviz.ui.widgets.plain import plain

BETWEEN = "  ·  "


class Elided(QLabel):
    """One line that is cut, at its end or where `cut` says, when there is no room, but for a tail that is
    always whole; the whole line is the tooltip."""

    def __init__(self, role: str = "muted", cut: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> None:
        super().__init__()
        self._cut = cut
        self.setProperty("role", role)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._text = self._tail = ""

    def set_text(self, text: str, tail: str = "") -> None:
        if (text, tail) == (self._text, self._tail):
            return
        self._text, self._tail = text, tail
        self.setToolTip(plain(self.text()))
        self.setAccessibleName(self.text())
        if self.sizePolicy().horizontalPolicy() != QSizePolicy.Policy.Ignored:
            self.updateGeometry()  # the whole window is laid out anew
        self.update()

    def text(self) -> str:
        return self._text + self._tail

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        hint.setWidth(self.fontMetrics().horizontalAdvance(self.text()) + 2)
        return hint

    def minimumSizeHint(self) -> QSize:
        return QSize(40, super().minimumSizeHint().height())

    def shown(self) -> str:
        """As much as there is room for."""
        metrics = self.fontMetrics()
        room = self.contentsRect().width() - metrics.horizontalAdvance(self._tail)
        return metrics.elidedText(self._text, self._cut, room) + self._tail

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.drawText(
            self.contentsRect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.shown()
        )


class Parts(Elided):
    """Words about several things. Where there is no room for all, the least important are left out, whole."""

    def __init__(self, importance: Sequence[str] = ()) -> None:
        super().__init__()
        self._importance = importance  # Names of the parts, the most important first; others come after them.
        self._parts: dict[str, str] = {}

    def set_parts(self, parts: Mapping[str, str]) -> None:
        """What to say, by name and in order."""
        self._parts = dict(parts)
        self.set_text(BETWEEN.join(parts.values()))

    def shown(self) -> str:
        rank = {name: k for k, name in enumerate(self._importance)}
        left = sorted(self._parts, key=lambda name: rank.get(name, len(rank)))
        room = self.contentsRect().width()
        while left:
            words = BETWEEN.join(text for name, text in self._parts.items() if name in left)
            if self.fontMetrics().horizontalAdvance(words) <= room:
                return words
            left.pop()
        return super().shown()
