"""Words over the canvas: a banner that says what went wrong or gives advice on the fit shown, and a notice
that disappears after a moment."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QPushButton, QToolButton, QWidget

from kernelviz.engine.analysis.remarks import about_flatness
from kernelviz.engine.core.data import Data
from kernelviz.engine.models.base import Model, Status
from kernelviz.runtime.diagnosis import report
from kernelviz.runtime.messages import Failure
from kernelviz.scene.axes import axis_name
from kernelviz.session.state import LETTERS
from kernelviz.session.themes import Theme
from kernelviz.session.workspaces.base import Workspace
from kernelviz.ui.widgets.labels import Label, describe
from kernelviz.ui.widgets.layouts import column, row

READABLE = 280  # Pixels it needs next to the legend.
SHOWN_FOR = 1500  # Milliseconds.


class Advice(NamedTuple):
    """A problem in one sentence, and a suggestion; empty if there is none."""

    text: str
    suggestion: str = ""
    toggle: str = ""  # What in the view to switch off, by its name among the toggles, if that helps.
    details: str = ""  # Of an error in the program, for a report.


def advice_on_failure(failure: Failure, how_to_add: str) -> Advice:
    """Return the advice on a failed fit: the first sentence of its message is the problem, the rest what to
    do."""
    if failure.details:
        suggestion = "Undo the last change, or save your points and report this."
        return Advice(failure.sentence, suggestion, details=failure.details)
    if failure.request.data.n == 0:
        return Advice(_parted(failure.sentence).text, how_to_add)
    return _parted(failure.sentence)


def advice_on_others(failures: Iterable[Failure]) -> Advice | None:
    """Return advice if fits that should be drawn with the active one are missing, else None."""
    sentences = [f"Fit {LETTERS[failure.fit]}: {failure.sentence}" for failure in failures]
    return _parted(" ".join(sentences)) if sentences else None


def advice_on_model(model: Model) -> Advice | None:
    """Return advice on a fit that did not end well or is constant; None when all is well."""
    if model.status is Status.NOT_SEPARABLE:
        return _parted(
            model.message or "The classes are not separable.", "Try the soft margin or another kernel."
        )
    algorithm = getattr(model.algorithm, "binary", model.algorithm)  # in a vote, the one for each pair
    if model.status is Status.LIMIT and not algorithm.ends_at_limit:
        return _parted(
            model.message or "Stopped at the step limit.",
            "Try another kernel or algorithm, or other parameters.",
        )
    flat = about_flatness(model)
    return _parted(flat) if flat else None


def _parted(sentences: str, otherwise: str = "") -> Advice:
    """Return the first sentence, and the others, or else another text, as the suggestion."""
    first, stop, rest = sentences.partition(". ")
    return Advice(first + stop.strip(), rest or otherwise)


def advice_on_bumps(model: Model) -> Advice | None:
    """Return advice when there are no bumps to draw; None when there are."""
    if model.beta is not None:
        return None
    return Advice(
        f"{model.algorithm.title} has no bumps βᵢ K(xᵢ, x): its curve is not a sum of kernels.",
        "Choose an algorithm with a weight for each point, such as ridge regression, to see them.",
        "bumps",
    )


def advice_on_aspect(workspace: Workspace, data: Data) -> Advice | None:
    """Return advice when equal aspect presses the points onto a line; None when it does not."""
    flat = 300.0  # Times as wide as high, or the other way round: points that lie on a line to the eye.
    fewest_judged = 5  # Fewer points than this may lie on a line because the user has placed them one by one.
    if data.n < fewest_judged:
        return None
    spread = np.ptp(workspace.positions(data), axis=0)
    narrow = int(spread.argmin())
    if not 0.0 < flat * spread[narrow] < spread[1 - narrow]:
        return None
    small, large = (axis_name(workspace.axes(data)[j]) for j in (narrow, 1 - narrow))
    return Advice(
        f"{small} varies so much less than {large} that the points lie on a line.",
        "With equal aspect one unit is as long on both axes; without it, both axes use the whole canvas.",
        "equal_aspect",
    )


class Banner(QFrame):
    """Shows a message over the canvas: a text, a suggestion, and a button to dismiss it.

    A message that was dismissed stays away until another one has been shown. Advice that a toggle of the view
    would help has a button for that too, and an error in the program one that copies a report of it."""

    switched = Signal(str)  # The name of a toggle of the view that the advice is to switch off.

    def __init__(self, parent: QWidget, theme: Theme) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self.advice = Advice("")
        self._room = QRect()  # The part of the canvas it is centred at the top of.
        self._keep_off = QRect()  # The rectangle it must not cover: the legend.
        self._placed: object = None
        self._dismissed: Advice | None = None
        self._title, self._advice = Label(role="heading", wraps=True), Label(wraps=True)
        self.remedy_button = QPushButton("Switch off")
        self.remedy_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.remedy_button.clicked.connect(lambda: self.switched.emit(self.advice.toggle))
        self.copy_button = QPushButton("Copy details")
        self.copy_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.copy_button.clicked.connect(
            lambda: QGuiApplication.clipboard().setText(report(self.advice.details))
        )
        words = column(self._title, self._advice, self.remedy_button, self.copy_button, spacing=1)
        for button in (self.remedy_button, self.copy_button):
            words.setAlignment(button, Qt.AlignmentFlag.AlignLeft)
        self.dismiss_button = QToolButton()
        self.dismiss_button.setText("×")
        describe(self.dismiss_button, "Dismiss this message")
        self.dismiss_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.dismiss_button.clicked.connect(self.dismiss)
        self._row = row((words, 1), self.dismiss_button, on=self, margins=(14, 8, 8, 8))
        self._row.setAlignment(self.dismiss_button, Qt.AlignmentFlag.AlignTop)
        self.set_theme(theme)
        self.hide()

    @property
    def text(self) -> str:
        """The first sentence of the message; empty if there is none."""
        return self.advice.text

    @property
    def suggestion(self) -> str:
        """The suggestion of the message."""
        return self.advice.suggestion

    def say(self, advice: Advice) -> None:
        """Show a message; one that was dismissed stays away until another has been said in between."""
        if advice in (self._dismissed, self.advice):
            return
        self._dismissed = None
        self.advice = advice
        self._title.setText(advice.text)
        self._advice.setText(advice.suggestion)
        self._advice.setVisible(bool(advice.suggestion))
        self.remedy_button.setVisible(bool(advice.toggle))
        self.remedy_button.setText(f"Switch off {advice.toggle.replace('_', ' ')}")
        self.copy_button.setVisible(bool(advice.details))
        self.setAccessibleName(f"{advice.text} {advice.suggestion}".strip())
        self._lay_out()
        self.show()
        self.raise_()

    def clear(self) -> None:
        """Hide it: nothing is wrong any more."""
        self.advice = Advice("")
        self._dismissed = None
        self.hide()

    def dismiss(self) -> None:
        """Hide it: the user has read it."""
        self._dismissed, self.advice = self.advice, Advice("")
        self.hide()

    def place(self, room: QRect, keep_off: QRect) -> None:
        """Put the banner at the top of a part of its parent, next to what it must not cover, or below that if
        there is no room."""
        self._room, self._keep_off = room, keep_off
        self._lay_out()

    def _lay_out(self) -> None:
        """Set its place and size, unless room and text are the same as before."""
        widest = 560
        room = self._free()
        if (room, self.advice) == self._placed:
            return
        self._placed = (QRect(room), self.advice)
        width = max(120, min(widest, room.width() - 24))
        self.ensurePolished()
        self._row.activate()
        height = self._row.totalHeightForWidth(width)
        self.setGeometry(room.center().x() - width // 2, room.top() + 10, width, height)

    def _free(self) -> QRect:
        """Return the room without the legend, if that is in one of the upper corners."""
        room, legend = QRect(self._room), self._keep_off
        if legend.isEmpty() or legend.center().y() > room.center().y():
            return room
        on_the_right = legend.center().x() > room.center().x()
        rest = QRect(room)
        if on_the_right:
            rest.setRight(legend.left())
        else:
            rest.setLeft(legend.right())
        if rest.width() < READABLE:
            room.setTop(legend.bottom())
            return room
        return rest

    def set_theme(self, theme: Theme) -> None:
        """Take on the colours of a theme."""
        self._placed = None
        self.setStyleSheet(
            f"#banner {{ background: {theme.raised}; border: 1px solid {theme.warning};"
            f" border-left: 4px solid {theme.warning}; border-radius: 6px; }}"
            f"#banner QLabel {{ color: {theme.text}; background: transparent; border: none; }}"
            f"#banner QToolButton {{ border: none; font-size: 16px; color: {theme.muted}; }}"
        )


class Notice(Label):
    """Says what a key has just chosen, or something else in a few words, and disappears after a moment; the
    mouse passes through it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent=parent, role="notice")
        self._around = parent
        parent.installEventFilter(self)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._gone = QTimer(self, singleShot=True)
        self._gone.timeout.connect(self.hide)
        self.hide()

    def say(self, words: str, milliseconds: int = SHOWN_FOR) -> None:
        """Show the words for a moment, in place of earlier ones."""
        self.setText(words)
        self._place()
        self.show()
        self.raise_()
        self._gone.start(milliseconds)

    def _place(self) -> None:
        """Be as large as the words are in the present type, in lines where one is too wide; at the bottom,
        over the numbers of an axis rather than over points."""
        room = self._around.rect()
        self.setWordWrap(False)
        width = self.sizeHint().width()
        if width > room.width():
            self.setWordWrap(True)
            width = room.width()
        self.resize(width, self.heightForWidth(width) if self.wordWrap() else self.sizeHint().height())
        self.move((room.width() - self.width()) // 2, room.height() - self.height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the notice in the middle of the widget below it."""
        if event.type() == QEvent.Type.Resize and not self.isHidden():
            self._place()
        return super().eventFilter(watched, event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and not self.isHidden():
            self._place()
