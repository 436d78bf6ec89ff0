"""A strip at the top of the canvas that says in words what is wrong and what might help. Never modal."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from kernelviz.engine.model import Model, Status
from kernelviz.runtime.messages import Failure
from kernelviz.ui.theme import Theme

__all__ = ["Banner", "advice_on_failure", "advice_on_model"]

Advice = tuple[str, str]
"""What is the matter, and what to try ("" if there is nothing to suggest)."""

WIDEST = 560
READABLE = 280
"""Pixels it needs beside the legend."""
HOW_TO_ADD = "Click to add a + point, right-click (or Shift+click) to add a − point."


def advice_on_failure(failure: Failure) -> Advice:
    """What the failure's sentences say: the first what is wrong, the rest what to do."""
    if failure.details:
        return failure.sentence, "Undo the last change, or save your points and report this."
    if failure.request.data.n == 0:
        return _parted(failure.sentence, "")[0], HOW_TO_ADD
    return _parted(failure.sentence, "")


def advice_on_model(model: Model) -> Advice | None:
    """What to say about a fit that did not end well; None when all is well."""
    if model.status is Status.NOT_SEPARABLE:
        return _parted(
            model.message or "The classes are not separable.", "Try the soft margin or another kernel."
        )
    if model.status is Status.LIMIT and not _usual(model):
        return _parted(
            model.message or "Stopped at the step limit.",
            "Raise the limit, or try another kernel or algorithm.",
        )
    return None


def _usual(model: Model) -> bool:
    """Whether the algorithm (in a vote, the one for each pair) ends like this as a rule."""
    algorithm = getattr(model.algorithm, "binary", model.algorithm)
    return bool(algorithm.ends_at_limit)


def _parted(sentences: str, otherwise: str) -> Advice:
    """The first sentence, and the rest of them as the suggestion if there are more."""
    first, stop, rest = sentences.partition(". ")
    return first + stop.strip(), rest or otherwise


class Banner(QFrame):
    """Text, suggestion and a button to dismiss it; it stays away until there is something else to say."""

    def __init__(self, parent: QWidget, theme: Theme) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self.text, self.suggestion = "", ""
        self.room = QRect()
        """The part of the canvas it is centred at the top of."""
        self.keep_off = QRect()
        """What it must not cover: the legend."""
        self._placed: object = None
        self._dismissed: Advice | None = None
        self._title, self._advice = QLabel(self), QLabel(self)
        for label in (self._title, self._advice):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self._title.setProperty("role", "heading")
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(self._title)
        words.addWidget(self._advice)
        self.dismiss_button = QToolButton(self)
        self.dismiss_button.setText("×")
        self.dismiss_button.setToolTip("Dismiss this message")
        self.dismiss_button.setAccessibleName("Dismiss this message")
        self.dismiss_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.dismiss_button.clicked.connect(self.dismiss)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 8, 8, 8)
        row.addLayout(words, 1)
        row.addWidget(self.dismiss_button, 0, Qt.AlignmentFlag.AlignTop)
        self.set_theme(theme)
        self.hide()

    def say(self, text: str, suggestion: str = "") -> None:
        """Show a message; one that was dismissed stays away until another has been said in between."""
        if (text, suggestion) == self._dismissed or (text, suggestion) == (self.text, self.suggestion):
            return
        self._dismissed = None
        self.text, self.suggestion = text, suggestion
        self._title.setText(text)
        self._advice.setText(suggestion)
        self._advice.setVisible(bool(suggestion))
        self.setAccessibleName(f"{text} {suggestion}".strip())
        self.place()
        self.show()
        self.raise_()

    def clear(self) -> None:
        """Nothing is wrong any more."""
        self.text, self.suggestion, self._dismissed = "", "", None
        self.hide()

    def dismiss(self) -> None:
        """The user has read it."""
        self._dismissed = (self.text, self.suggestion)
        self.text, self.suggestion = "", ""
        self.hide()

    def place(self) -> None:
        """Centred at the top of its room, beside the legend or else below it, and not wider than that."""
        room = self._free()
        if (room, self.text, self.suggestion) == self._placed:
            return
        self._placed = (QRect(room), self.text, self.suggestion)
        width = max(120, min(WIDEST, room.width() - 24))
        self.ensurePolished()
        self.layout().activate()
        height = self.layout().totalHeightForWidth(width)
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
