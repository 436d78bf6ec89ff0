"""A strip at the top of the canvas that says in words what is wrong and what might help. Never modal."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from kernelviz.drawing.theme import Theme
from kernelviz.ui.canvas.advice import Advice
from kernelviz.ui.controls.plain import Label

__all__ = ["Banner"]

WIDEST = 560
READABLE = 280
"""Pixels it needs beside the legend."""


class Banner(QFrame):
    """Text, suggestion and a button to dismiss it; it stays away until there is something else to say."""

    switched = Signal(str)
    """The name of a toggle of the view that the advice is to switch off."""

    def __init__(self, parent: QWidget, theme: Theme) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self.text, self.suggestion, self.toggle = Advice("")
        self.room = QRect()
        """The part of the canvas it is centred at the top of."""
        self.keep_off = QRect()
        """What it must not cover: the legend."""
        self._placed: object = None
        self._dismissed: Advice | None = None
        self._title, self._advice = Label(parent=self), Label(parent=self)
        for label in (self._title, self._advice):
            label.setWordWrap(True)
            label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self._title.setProperty("role", "heading")
        self.remedy_button = QPushButton("Switch off", self)
        self.remedy_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.remedy_button.clicked.connect(lambda: self.switched.emit(self.toggle))
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(self._title)
        words.addWidget(self._advice)
        words.addWidget(self.remedy_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.dismiss_button = QToolButton(self)
        self.dismiss_button.setText("×")
        self.dismiss_button.setToolTip("Dismiss this message")
        self.dismiss_button.setAccessibleName("Dismiss this message")
        self.dismiss_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.dismiss_button.clicked.connect(self.dismiss)
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(14, 8, 8, 8)
        row.addLayout(words, 1)
        row.addWidget(self.dismiss_button, 0, Qt.AlignmentFlag.AlignTop)
        self.set_theme(theme)
        self.hide()

    def say(self, advice: Advice) -> None:
        """Show a message; one that was dismissed stays away until another has been said in between."""
        if advice in (self._dismissed, (self.text, self.suggestion, self.toggle)):
            return
        self._dismissed = None
        self.text, self.suggestion, self.toggle = text, suggestion, toggle = advice
        self._title.setText(text)
        self._advice.setText(suggestion)
        self._advice.setVisible(bool(suggestion))
        self.remedy_button.setVisible(bool(toggle))
        if toggle:
            self.remedy_button.setText(f"Switch off {toggle.replace('_', ' ')}")
        self.setAccessibleName(f"{text} {suggestion}".strip())
        self.place()
        self.show()
        self.raise_()

    def clear(self) -> None:
        """Nothing is wrong any more."""
        self.text, self.suggestion, self.toggle = Advice("")
        self._dismissed = None
        self.hide()

    def dismiss(self) -> None:
        """The user has read it."""
        self._dismissed = Advice(self.text, self.suggestion, self.toggle)
        self.text, self.suggestion, self.toggle = Advice("")
        self.hide()

    def place(self) -> None:
        """Centred at the top of its room, beside the legend or else below it, and not wider than that."""
        room = self._free()
        if (room, self.text, self.suggestion) == self._placed:
            return
        self._placed = (QRect(room), self.text, self.suggestion)
        width = max(120, min(WIDEST, room.width() - 24))
        self.ensurePolished()
        self._row.activate()
        height = self._row.totalHeightForWidth(width)
        self.setGeometry(room.center().x() - width // 2, room.top() + 10, width, height)

    def _free(self) -> QRect:
        """The room without the legend, if that is in one of the upper corners."""
        room, legend = QRect(self.room), self.keep_off
        if legend.isEmpty() or legend.center().y() > room.center().y():
            return room
        on_the_right = legend.center().x() > room.center().x()
        beside = QRect(room)
        if on_the_right:
            beside.setRight(legend.left())
        else:
            beside.setLeft(legend.right())
        if beside.width() < READABLE:
            room.setTop(legend.bottom())
            return room
        return beside

    def set_theme(self, theme: Theme) -> None:
        self._placed = None
        self.setStyleSheet(
            f"#banner {{ background: {theme.raised}; border: 1px solid {theme.warning};"
            f" border-left: 4px solid {theme.warning}; border-radius: 6px; }}"
            f"#banner QLabel {{ color: {theme.text}; background: transparent; border: none; }}"
            f"#banner QToolButton {{ border: none; font-size: 16px; color: {theme.muted}; }}"
        )
