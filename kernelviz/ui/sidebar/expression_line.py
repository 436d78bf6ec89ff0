"""The kernel as a line of text: parsed and completed while it is typed, with errors below it.

A text that can be parsed becomes the kernel with every key; all keys of one stay in the line are one step of
undo. A text that cannot is called wrong only after a moment, or on Return, which also moves the cursor to the
mistake."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

from PySide6.QtCore import QStringListModel, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCompleter,
    QLineEdit,
    QStyledItemDelegate,
    QWidget,
)

from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits import registry
from kernelviz.engine.fits.expressions import BadExpression, parse_kernel
from kernelviz.engine.kernels.base import Kernel
from kernelviz.scene.wording import in_short
from kernelviz.session.suiting import check_domain
from kernelviz.ui.widgets.buttons import LeavesUndo
from kernelviz.ui.widgets.focus import return_focus
from kernelviz.ui.widgets.labels import MessageLabel
from kernelviz.ui.widgets.layouts import column

HELP = (
    "<qt>The kernel as text: names with their parameters, joined by + and *.<br>"
    "gamma=median is the width that suits the points, gamma=scale that of scikit-learn.<br>"
    "Names complete as you type; Escape brings the present kernel back.</qt>"
)
LAST_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*$")
INSIDE_CALL = re.compile(r"([A-Za-z][A-Za-z0-9_-]*)\(([^()]*)$")


def suggestions(before: str) -> tuple[str, list[str]]:
    """Return the word being typed at the end of a text and its possible completions.

    They are names of kernels or, inside a call, of the kernel's parameters."""
    word = found.group() if (found := LAST_WORD.search(before)) else ""
    call = INSIDE_CALL.search(before)
    if call is not None:
        kind = registry.kernels().get(call.group(1))
        if kind is None or call.group(2).rpartition(",")[2].count("="):
            return word, []
        return word, [f"{name}=" for p in kind.parameters() for name in (p.name, *(v.name for v in p.views))]
    return word, [name if not kind.parameters() else f"{name}(" for name, kind in registry.kernels().items()]


class _ExpressionField(LeavesUndo, QLineEdit):
    """The text field of the expression, with a list of completions.

    The list offers the names that begin with the word before the cursor; Return, Tab or a click completes
    it."""

    focused = Signal()
    left = Signal()
    entered = Signal()  # Return was pressed.
    escaped = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._names = QStringListModel(self)
        self._completer = QCompleter(self._names, self)
        self._completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._completer.setWidget(self)
        self._popup.setItemDelegate(QStyledItemDelegate(self))
        self._popup.setObjectName("completions")
        self._completer.activated.connect(self._complete)
        self._word = ""
        self.textEdited.connect(self._suggest)

    @property
    def _popup(self) -> QAbstractItemView:
        """The list of completions, which the completer makes when it is first asked for."""
        popup = self._completer.popup()
        assert popup is not None
        return popup

    def has_typed(self) -> bool:
        """Return True if the text differs from the one that the program has written."""
        return self.isModified()

    def _suggest(self) -> None:
        """Offer the names that begin with the word before the cursor, unless it is complete."""
        self._word, names = suggestions(self.text()[: self.cursorPosition()])
        offered = [name for name in names if name.lower().startswith(self._word.lower())]
        if not self._word or not offered or offered[0].rstrip("(=") == self._word:
            self._popup.hide()
            return
        self._names.setStringList(offered)
        self._completer.setCompletionPrefix(self._word)
        self._completer.complete()

    def _complete(self, name: str) -> None:
        """Put a completion in place of the word before the cursor."""
        at = self.cursorPosition()
        text = self.text()
        begin = at - len(self._word)
        self.setText(text[:begin] + name + text[at:])
        self.setCursorPosition(begin + len(name))
        self.textEdited.emit(self.text())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose a completion, enter the text, or discard it."""
        choosing = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape, Qt.Key.Key_Tab})
        popup = self._popup
        if popup.isVisible() and popup.currentIndex().isValid() and event.key() in choosing:
            event.ignore()  # the list passes keys here first and takes those not accepted
            return
        if event.key() in choosing:
            popup.hide()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
            return_focus(self)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.focused.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.left.emit()


class ExpressionLine(QWidget):
    """Shows a kernel as text, and emits the kernel that a valid text stands for while it is typed.

    A text that cannot be parsed is marked as wrong after a moment, or on Return. Kernels shown by the program
    emit nothing."""

    edited = Signal(object, object)  # (kernel, gesture): one stay in the line is one gesture.

    def __init__(self, data: Callable[[], Data]) -> None:
        """data: returns the points to be compared, to which `gamma=median` adapts."""
        error_after = 500  # Milliseconds until half-typed text is called wrong.
        super().__init__()
        self._data = data
        self.line = _ExpressionField()
        self.line.setAccessibleName("Kernel expression")
        self.line.setPlaceholderText("rbf(gamma=1) + 0.5*linear")
        self.line.setToolTip(HELP)
        self.message = MessageLabel("error")
        column(self.line, self.message, on=self, spacing=4)
        self._kernel: Kernel | None = None
        self._gesture: object = object()
        self._problem = ""
        self._error_due = QTimer(self, singleShot=True, interval=error_after)
        self._error_due.timeout.connect(self._show_problem)
        self.line.textEdited.connect(self._on_text)
        self.line.entered.connect(self._on_entered)
        self.line.left.connect(self._on_left)
        self.line.focused.connect(self._on_focused)
        self.line.escaped.connect(self._tidy)

    def show_kernel(self, kernel: Kernel) -> None:
        """Show a kernel without emitting anything; text that already means it stays as it was typed."""
        if kernel is self._kernel:
            return
        self._kernel = kernel
        self._tidy()

    def _tidy(self) -> None:
        """Show the present kernel as the program writes it."""
        self._set_problem("")
        self._show_problem()
        if self._kernel is not None:
            whole = self._kernel.expression()
            shown = whole if self.line.hasFocus() else in_short(whole)
            if self.line.text() != shown:
                self.line.setText(shown)
                self.line.setCursorPosition(0)
            self.line.setToolTip(
                HELP if whole == in_short(whole) else HELP.replace("<qt>", f"<qt>{escape(whole)}<br>")
            )
        self.line.setModified(False)

    def _read(self, text: str) -> Kernel:
        """Parse a kernel, or raise BadInput."""
        data = self._data()
        kernel = parse_kernel(text, data.numbers)
        check_domain(kernel, data)
        return kernel

    def _on_text(self, text: str) -> None:
        """Emit the kernel that the text describes, if it can be parsed and has changed."""
        try:
            kernel = self._read(text)
        except BadInput as problem:
            self._set_problem(str(problem))
            return
        self._set_problem("")
        self._show_problem()
        if self._kernel is None or kernel.expression() != self._kernel.expression():
            self._kernel = kernel
            self.edited.emit(kernel, self._gesture)

    def _on_entered(self) -> None:
        """Write a valid text as the program does, or put the cursor where an invalid one is wrong."""
        self._show_problem()
        if not self._problem:
            self._gesture = object()
            self._tidy()
            return
        try:
            self._read(self.line.text())
        except BadInput as problem:
            if isinstance(problem, BadExpression):
                self.line.setCursorPosition(problem.position)

    def _on_focused(self) -> None:
        """Show the whole expression instead of a short form."""
        if not self._problem:
            self._tidy()

    def _on_left(self) -> None:
        """Rewrite a valid text as the program does, or show why it is not valid."""
        self._gesture = object()
        self._show_problem()
        if not self._problem:
            self._tidy()

    def _set_problem(self, sentence: str) -> None:
        """Remember the error in the text, to be shown after a moment."""
        self._problem = sentence
        if sentence:
            self._error_due.start()
        else:
            self._error_due.stop()

    def _show_problem(self) -> None:
        """Show the error in the text, or nothing."""
        self._error_due.stop()
        self.message.say(self._problem)
        self.line.setAccessibleDescription(self._problem)
