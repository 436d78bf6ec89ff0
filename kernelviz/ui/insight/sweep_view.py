"""The sweep: errors against one number, computed while nothing moves."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QWidget

from kernelviz.drawing.insight.sweep import SweepMaker, SweepPicture
from kernelviz.engine.core.params import INTEGER
from kernelviz.engine.selection.tunable import Knob, knobs
from kernelviz.runtime.jobs import Work
from kernelviz.runtime.sweeps import SweepRun
from kernelviz.session.state import Document
from kernelviz.ui.insight.resting_view import RestingView
from kernelviz.ui.widgets.buttons import Combo
from kernelviz.ui.workbench.workbench import Workbench

VALUES = 41
"""Values along the range."""


class SweepView(RestingView):
    """Chooses the number; a click on the curve, or a drag of the line, sets it."""

    name = "sweep"
    kind = SweepPicture
    made_by = SweepMaker
    maker: SweepMaker

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._choices: list[Knob] = []
        self._run: SweepRun | None = None
        self._gesture: object = None
        self.sheet.dragged.connect(self._on_dragged)

    def choosers(self) -> Sequence[QWidget]:
        self.picker = Combo()
        self.picker.setAccessibleName("Number to sweep")
        self.picker.setToolTip("The number the errors are drawn against")
        self.picker.activated.connect(lambda _row: self.follow(self.workbench.session.document))
        return (self.picker,)

    @property
    def knob(self) -> Knob | None:
        row = self.picker.currentIndex()
        return self._choices[row] if 0 <= row < len(self._choices) else None

    def show_present(self, document: Document) -> None:
        self._offer(document)
        self.maker = replace(self.maker, knob=self.knob)

    def _offer(self, document: Document) -> None:
        old, self._choices = self.knob, knobs(document.fit)
        texts = [knob.text for knob in self._choices]
        if texts != [self.picker.itemText(k) for k in range(self.picker.count())]:
            self.picker.clear()
            self.picker.addItems(texts)
        keys = [knob.key for knob in self._choices]
        if old is not None and old.key in keys:
            self.picker.setCurrentIndex(keys.index(old.key))

    def key(self, document: Document) -> Hashable:
        """The knob's own value plays no part, unless it lies beyond the range."""
        knob = self.knob
        if knob is None:
            return None
        held = document.held_out
        fixed = knob.turned(document.fit, knob.parameter.default)
        beyond = not knob.parameter.soft[0] <= knob.value <= knob.parameter.soft[1]
        own = knob.value if beyond else None
        return knob.key, str(fixed), document.data, None if held is None else held.data, own

    def begin(self, document: Document) -> Work | None:
        knob = self.knob
        if knob is None or not document.data.n:
            return None
        values = knob.span(VALUES)
        held = document.held_out.data if document.held_out is not None else None
        fits = [knob.turned(document.fit, value) for value in values]
        self._run = SweepRun(document.data, held, values, fits)
        return self._run.work

    def show_known(self) -> None:
        if self._run is not None:
            self.maker = replace(self.maker, sweep=self._run.so_far)

    def on_clicked(self, at: QPointF) -> None:
        self._gesture = object()
        self._set_at(at)

    def _on_dragged(self, at: QPointF | None) -> None:
        if at is not None:
            self._set_at(at)

    def _set_at(self, at: QPointF) -> None:
        """Set the number to the value at a place; a click and the drag after it are one step of undo."""
        knob, session, picture = self.knob, self.workbench.session, self.picture
        if knob is not None and isinstance(picture, SweepPicture):
            value = picture.value_at(at, self.sheet.room, self.sheet.style_of_picture)
            if knob.parameter.kind is INTEGER:
                value = round(value)
            document = session.document.turned(knob, value)
            session.replace(f"change {knob.parameter.label}", document, gesture=self._gesture)
