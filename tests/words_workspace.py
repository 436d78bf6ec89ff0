"""A tiny workspace for strings with classes, all of it in this file, with a kernel that counts letters."""

from __future__ import annotations

import dataclasses
from collections import Counter
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QItemSelectionModel, QPointF
from PySide6.QtWidgets import QTableWidget, QTableWidgetItem, QVBoxLayout

from kernelviz.drawing.figure.captions import NO_WORDS
from kernelviz.drawing.figure.text import draw_text
from kernelviz.drawing.painters import Painter
from kernelviz.engine.arrays import read_only
from kernelviz.engine.data import Data
from kernelviz.engine.errors import BadInput
from kernelviz.engine.kernels.base import Kernel
from kernelviz.session.state import Document, State
from kernelviz.session.workspaces.base import Workspace
from kernelviz.ui.canvas.base import Canvas as AnyCanvas

__all__ = ["PAINTER", "Canvas", "Letters", "Words"]


@dataclass(frozen=True)
class Letters(Kernel):
    """K(s, t) = sum over letters of how often s has it times how often t has it"""

    name = "letters"
    title = "Letters"
    summary_line = "How many letters two strings share."
    latex = r"\sum_c \#_c(s)\, \#_c(t)"
    domain = "strings"

    def gram(self, X, Y):
        counts = [[Counter(text) for text in texts] for texts in (X, Y)]
        return np.array([[float(sum(s[c] * t[c] for c in s)) for t in counts[1]] for s in counts[0]])


class Words(Workspace):
    """One string in each row; it has no place but its row."""

    name = "words"
    title = "Words"
    order = 9
    toggles = {"scores": ("Scores", True)}
    start = ("", "letters", "soft-margin-svm(C=10)")
    how_to_add = "Type a string into the last row."
    wants = "a column of texts and a label"
    drawing = canvas = __name__

    def refusal(self, data):
        return (
            "" if data.domain == "strings" and data.class_names else "The table needs strings with classes."
        )

    def empty(self):
        return dataclasses.replace(self.start_up().document.data, X=(), target=read_only([]))

    def start_up(self):
        texts = ["sentence", "sentance", "sentnce", "banana", "bananna", "bannana"]
        data = Data.labelled(texts, [1, 1, 1, -1, -1, -1])
        return State(Document(data, (self.fit,), source="spelling"), self.look(data))

    def positions(self, data):
        return np.column_stack([np.zeros(data.n), -np.arange(data.n, dtype=float)])

    def axes(self, data):
        return "", ""

    def placed(self, data, rows, xy):
        raise BadInput("A string has no place to be moved to; edit its letters.")

    def added(self, data, xy, label):
        raise BadInput("Type a new string into the table.")

    def duplicated(self, data, rows, offset):
        self.check_room(data, len(rows))
        return data.subset([*range(data.n), *rows])

    def flipped(self, data, rows):
        target = data.y.copy()
        target[list(rows)] *= -1
        return dataclasses.replace(data, target=read_only(target))

    def retyped(self, data, row, text):
        return dataclasses.replace(data, X=(*data.X[:row], text, *data.X[row + 1 :]))

    def sampling(self, data, view, source=""):
        return Nothing()


class Nothing:
    """The scores of the strings are in every frame's table: there is nothing else to compute."""

    def sample(self, model, coarser=1):
        yield


class Canvas(AnyCanvas):
    """A table: text, class, score."""

    def __init__(self, workbench, theme=None, workspace=None):
        super().__init__(workbench, theme, workspace)
        self.table = QTableWidget(0, 3, self)
        QVBoxLayout(self).addWidget(self.table)
        self.setFocusProxy(self.table)
        self.table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        self.table.cellChanged.connect(self._on_typed)
        self.table.itemSelectionChanged.connect(self._on_selected)
        self._showing = False
        self.begin()

    def show_state(self, state):
        data, self._showing = state.document.data, True
        self.table.setRowCount(data.n)
        self.table.clearSelection()
        for i, (text, told) in enumerate(zip(data.X, data.class_of_each, strict=True)):
            self.table.setItem(i, 0, QTableWidgetItem(text))
            self.table.setItem(i, 1, QTableWidgetItem(told))
        for i in state.look.selection:
            flags = QItemSelectionModel.SelectionFlag
            index = self.table.model().index(i, 0)
            self.table.selectionModel().select(index, flags.Select | flags.Rows)
        self._showing = False

    def show_frame(self, frame):
        self._showing = True
        for i, score in enumerate(frame.table.score):
            self.table.setItem(i, 2, QTableWidgetItem(f"{score:.3f}"))
        self._showing = False

    def show_no_fit(self):
        pass

    def _on_typed(self, row, column):
        if not self._showing and column == 0:
            text = self.table.item(row, 0).text()
            self.editor.change("edit string", lambda w, d: w.retyped(d, row, text))

    def _on_selected(self):
        if not self._showing:
            self.editor.select({index.row() for index in self.table.selectionModel().selectedRows()})


@dataclass(frozen=True)
class Listing:
    """The strings below each other."""

    data: Data

    def paint(self, painter, rect, style):
        for i, text in enumerate(self.data.X):
            draw_text(painter, style, QPointF(rect.left(), rect.top() + 1.5 * (i + 1) * style.text), text)

    def own_entries(self):
        return ()

    def with_legend(self, entries):
        return self


class WordsPainter(Painter):
    def figure_of_model(self, model, look, captions=NO_WORDS, changed=(), held_out=None, source=""):
        return Listing(model.problem.data)

    def figure_of_data(self, data, look, captions=NO_WORDS):
        return Listing(data)

    def decorator(self):
        return lambda frame: None


PAINTER = WordsPainter()
