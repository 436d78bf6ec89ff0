"""The sweep: errors against one number, computed while nothing moves."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

from PySide6.QtCore import QPointF, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from kernelviz.drawing.insight.sweep import SweepMaker, SweepPicture
from kernelviz.runtime.sweeps import SweepRun
from kernelviz.session.knobs import Knob, knobs
from kernelviz.session.state import Document, State
from kernelviz.ui.controls.keys import Combo
from kernelviz.ui.insight.base import PictureView
from kernelviz.ui.workbench.workbench import Workbench

__all__ = ["SweepView"]

VALUES = 41
"""Values along the range."""
REST = 300
"""Milliseconds without a change after which nobody is dragging."""


class SweepView(PictureView):
    """Chooses the number; a click on the curve sets it."""

    name = "sweep"
    family = "Generalise"
    summary_line = "Training and held-out error against one number of the kernel or the algorithm."
    kind = SweepPicture
    made_by = SweepMaker
    maker: SweepMaker

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._choices: list[Knob] = []
        self._key: Hashable = None
        self._run: SweepRun | None = None
        self._background = workbench.background("kernelviz-sweep", self)
        self._background.progressed.connect(lambda _share: self._show_so_far())
        self._background.done.connect(lambda _sweep: self._show_so_far())
        self._rest = QTimer(self, singleShot=True, interval=REST)
        self._rest.timeout.connect(self._compute)

    def choosers(self) -> Sequence[QWidget]:
        self.picker = Combo()
        self.picker.setAccessibleName("Number to sweep")
        self.picker.setToolTip("The number the errors are drawn against")
        self.picker.activated.connect(lambda _row: self._follow(self.workbench.session.document))
        return (self.picker,)

    @property
    def knob(self) -> Knob | None:
        row = self.picker.currentIndex()
        return self._choices[row] if 0 <= row < len(self._choices) else None

    # Following the document -----------------------------------------------------------------------------
    def _on_state(self, old: State, new: State) -> None:
        super()._on_state(old, new)
        if self.isVisible() and old.document is not new.document:
            self._follow(new.document)

    def showEvent(self, event: QShowEvent) -> None:
        self._follow(self.workbench.session.document)
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._rest.stop()
        self._background.cancel()
        self._key = None
        super().hideEvent(event)

    def _follow(self, document: Document) -> None:
        """Offer what the document has to turn; compute anew unless merely the number itself has changed."""
        self._offer(document)
        knob = self.knob
        key = _key(document, knob)
        if key != self._key:
            self._key = key
            self._background.cancel()
            self._rest.start()
        self.maker = replace(self.maker, knob=knob)
        self.take(self.taken)

    def _offer(self, document: Document) -> None:
        old, self._choices = self.knob, knobs(document)
        texts = [knob.text for knob in self._choices]
        if texts != [self.picker.itemText(k) for k in range(self.picker.count())]:
            self.picker.clear()
            self.picker.addItems(texts)
        keys = [knob.key for knob in self._choices]
        if old is not None and old.key in keys:
            self.picker.setCurrentIndex(keys.index(old.key))

    # Computing ------------------------------------------------------------------------------------------
    def _compute(self) -> None:
        document, knob = self.workbench.session.document, self.knob
        if knob is None or not document.data.n:
            return
        values = knob.span(VALUES)
        held = document.held_out.data if document.held_out is not None else None
        fits = [knob.turned(document.fit, value) for value in values]
        self._run = SweepRun(document.data, held, values, fits)
        self._background.start(self._run.work)

    def _show_so_far(self) -> None:
        if self._run is not None:
            self.maker = replace(self.maker, sweep=self._run.so_far)
            self.take(self.taken)

    def on_clicked(self, at: QPointF) -> None:
        knob, session, picture = self.knob, self.workbench.session, self.picture
        if knob is not None and isinstance(picture, SweepPicture):
            value = picture.value_at(at, self.sheet.room, self.sheet.style_of_picture)
            if knob.parameter.kind == "integer":
                value = round(value)
            turned = knob.states(session.state, [value])[0].document
            session.replace(f"change {knob.parameter.label}", turned)


def _key(document: Document, knob: Knob | None) -> Hashable:
    """Equal while the same curve answers: the knob's own value plays no part in it."""
    if knob is None:
        return None
    held = document.held_out
    fixed = knob.turned(document.fit, knob.parameter.default)
    beyond = not knob.parameter.soft[0] <= knob.value <= knob.parameter.soft[1]
    return (
        knob.key,
        str(fixed),
        document.data,
        None if held is None else held.data,
        knob.value if beyond else None,
    )
