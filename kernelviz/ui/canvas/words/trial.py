"""A string to try: its score while it is typed, and a place to add it from."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from kernelviz.engine.analysis.kernel_pca import ComponentMap
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.engine.models.base import Model
from kernelviz.runtime.jobs import Beat
from kernelviz.scene.wording import shown
from kernelviz.ui.canvas.toolbar import swatch
from kernelviz.ui.widgets.buttons import LeavesUndo, ToolButton
from kernelviz.ui.widgets.focus import return_focus
from kernelviz.ui.widgets.labels import Label, describe, plain
from kernelviz.ui.widgets.layouts import column, row
from kernelviz.ui.widgets.term_bars import Summand, TermBars, summands_of
from kernelviz.ui.workbench.workbench import Workbench


@dataclass(frozen=True, eq=False)
class Answer:
    """The score of a string, in words and as a sum of terms, and its place on the map."""

    text: str
    words: str
    terms: tuple[Summand, ...]
    place: Array  # Where the map has it.


class StringField(LeavesUndo, QLineEdit):
    """The field for the string: Return adds it, Escape empties the field."""

    entered = Signal(int)  # To be added: as + (1), or with Shift as - (-1).

    def has_typed(self) -> bool:
        return bool(self.text())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Add the string on Return, with Shift to the other class; on Escape empty the field, or leave it."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif event.key() == Qt.Key.Key_Escape:
            if self.text():
                self.clear()
            else:
                return_focus(self)
        else:
            super().keyPressEvent(event)


class StringTrial(QWidget):
    """A field below the table that shows the score of any string while it is typed, and adds it on Return.

    Scores are computed in the background: of very many strings they take a moment."""

    added = Signal(str, int)  # A string and the class it is to have: the number of the class.
    answered = Signal(object)  # An Answer, or None while there is none.

    def __init__(self, workbench: Workbench) -> None:
        super().__init__()
        self._workbench = workbench
        self._model: Model | None = None
        self._map: ComponentMap | None = None
        self._names: tuple[str, ...] = ()
        self._background = workbench.background("kernelviz-trial", self)
        self._background.done.connect(self._show)
        self._background.failed.connect(self._show_answer)
        self.line = StringField()
        self.line.setPlaceholderText("Try a string")
        tip = "Type any string to see its score; Enter adds it as +, Shift+Enter as −"
        describe(self.line, "String to try or to add", tip)
        self.buttons: list[ToolButton] = []
        self.verdict = Label(wraps=True)
        self.verdict.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.bars = TermBars()
        self.bars.pointed.connect(workbench.hover)
        self._row = row((self.line, 1), spacing=2)
        column(self._row, self.verdict, self.bars, on=self, spacing=4, margins=(6, 6, 6, 6))
        self.line.textChanged.connect(self._ask)
        self.line.entered.connect(self._on_enter)
        self._show_answer("")

    # Which classes there are ----------------------------------------------------------------------------
    def show_data(self, data: Data) -> None:
        """Offer to add strings of the classes that the data have."""
        if data.class_names != self._names:
            self._names = data.class_names
            self._offer(data)

    def _offer(self, data: Data) -> None:
        """Make a button for each class that the string can be added to."""
        many = 6  # Classes that no longer fit side by side.
        for button in self.buttons:
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.buttons = []
        order = data.class_order
        for k in order if len(order) <= many else ():
            name = self._names[k]
            button = ToolButton("", f"Add as {name}", plain(f"Add the string to the table as {name}"))
            button.setIcon(swatch(k, len(self._names)))
            button.clicked.connect(lambda _=False, k=k: self._add(k))
            self._row.addWidget(button)
            self.buttons.append(button)

    # Trying --------------------------------------------------------------------------------------------
    @property
    def text(self) -> str:
        """Return the string that has been typed."""
        return self.line.text()

    def show_fit(self, model: Model | None, chart: ComponentMap | None) -> None:
        """Score the string by another fit; without one there is no score."""
        self._model, self._map = model, chart
        self._ask()

    def _ask(self) -> None:
        """Ask the fit for the score of the present string."""
        model, chart, text = self._model, self._map, self.text
        if model is None or chart is None or not text:
            self._background.cancel()
            self._show_answer("There is no fit yet to score it." if text else "")
            return

        def work(beat: Beat) -> Generator[float, None, Answer]:
            yield 0.0
            return answer_of(model, chart, text)

        self._background.start(work)

    def _show(self, answer: Answer) -> None:
        """Show an answer, unless other letters have been typed meanwhile."""
        if answer.text == self.text:
            self._show_answer(answer.words, answer)

    def _show_answer(self, words: str, answer: Answer | None = None) -> None:
        """Show the words and the terms of an answer, and emit it for the map."""
        terms = () if answer is None else answer.terms
        self.verdict.setText(words)
        self.verdict.setVisible(bool(words))
        self.bars.show_summands(terms)
        self.bars.setVisible(bool(terms))
        self.answered.emit(answer)

    # Adding --------------------------------------------------------------------------------------------
    def _on_enter(self, label: int) -> None:
        """Add as + or -; among several classes as the first or the second."""
        count = len(self._names)
        self._add(int(label > 0) if count == 2 else int(label < 0))

    def _add(self, k: int) -> None:
        """Emit the string with its class, and empty the field."""
        text = self.text
        if text:
            self.line.clear()
            self.added.emit(text, k)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.buttons:
            data = self._workbench.session.document.data
            for button, k in zip(self.buttons, data.class_order, strict=False):
                button.setIcon(swatch(k, len(self._names)))


def answer_of(model: Model, chart: ComponentMap, text: str) -> Answer:
    """Return score, class, the strings that support or oppose it, and its place."""
    score, place = model.score([text])[0], chart.place([text])
    data = model.problem.data
    if np.ndim(score):
        return Answer(text, f"{data.named(score)}", (), place)
    undecided = abs(score) <= model.accuracy
    named = None if model.algorithm.ignores_labels else data.named(np.zeros(()) if undecided else score)
    verdict = {None: "", "": ", on the boundary"}.get(named, f": {named}")
    words = f"s = {shown(float(score), zero=model.accuracy)}{verdict}"
    return Answer(text, words, summands_of(model, text, float(score)), place)
