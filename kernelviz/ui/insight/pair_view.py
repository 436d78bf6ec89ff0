"""Two strings and what they share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QWidget

from kernelviz.drawing.icons import icon
from kernelviz.drawing.insight.pair import PairMaker, PairPicture, pair_for
from kernelviz.drawing.insight.picture import InsightPicture, Marks
from kernelviz.drawing.wording import named
from kernelviz.engine.core.data import Data
from kernelviz.runtime.messages import Frame
from kernelviz.session.state import State
from kernelviz.ui.insight.beside_view import BesideView
from kernelviz.ui.widgets.buttons import Combo, ToolButton
from kernelviz.ui.widgets.scale import Scale
from kernelviz.ui.widgets.slider import Slider


class PairView(BesideView):
    """Compares the two that are selected, or pointed at; its lists select. Pointing at a piece lights its
    letters, a click keeps them lit."""

    name = "pair"
    kind = PairPicture
    made_by = PairMaker
    maker: PairMaker

    def choosers(self) -> Sequence[QWidget]:
        self.pickers = tuple(self._picker(name) for name in ("First string", "Second string"))
        self._offered: object = None
        self._pointing_here = False
        # What the lists were set to, which may be the same string twice.
        self._chosen: tuple[int, int] | None = None
        self._kept: tuple[Data, Marks] | None = None
        self._found: tuple[int, int] | None = None  # The pair for these data and marks.
        self.back = self._button("step-back", "One cell back", -1)
        self.steps = Slider(Scale(0, 1, 0, 1, whole=True))
        self.steps.setAccessibleName("Cells filled")
        self.steps.setToolTip("How far the table is filled")
        self.steps.picked.connect(lambda step, _gesture: self._go(step))
        self.forward = self._button("step-forward", "One cell on", 1)
        for widget in self._step_controls:
            widget.hide()
        return (*self.pickers, *self._step_controls)

    @property
    def _step_controls(self) -> tuple[QWidget, ...]:
        return self.back, self.steps, self.forward

    def _picker(self, name: str) -> Combo:
        picker = Combo()
        picker.setAccessibleName(name)
        picker.setToolTip(f"{name} to compare; selecting two anywhere does the same")
        picker.activated.connect(self._on_picked)
        return picker

    def _button(self, name: str, help_text: str, by: int) -> ToolButton:
        button = ToolButton()
        button.setIcon(icon(name))
        button.setToolTip(help_text)
        button.setAccessibleName(help_text)
        button.setAutoRepeat(True)
        button.clicked.connect(lambda: self._go_by(by))
        return button

    # Which two ------------------------------------------------------------------------------------------
    def _pair(self, frame: Frame) -> tuple[int, int] | None:
        marks, chosen = self.marks, self._chosen
        if chosen is not None and set(chosen) == set(marks.selected) and max(chosen) < frame.data.n:
            return chosen
        if self._pointing_here:  # which must not change what is here
            marks = replace(marks, hovered=None, partner=None)
        if self._kept != (frame.data, marks):  # another kernel does not choose other strings
            self._kept = frame.data, marks
            self._found = pair_for(frame.model.problem, marks)
        return self._found

    def _on_picked(self) -> None:
        first, second = (picker.currentIndex() for picker in self.pickers)
        self._chosen = first, second
        self.workbench.session.adjust(selection=tuple(dict.fromkeys(self._chosen)))
        self.take(self.taken)

    def _on_state(self, old: State, new: State) -> None:
        if old.document.data is not new.document.data:
            self._chosen = None
        super()._on_state(old, new)

    def take(self, frame: Frame | None) -> None:
        if frame is not None and frame.data.domain == "strings":
            points = self._pair(frame)
            if points != self.maker.points:
                self.maker = replace(self.maker, points=points, step=None, pinned=None)
        super().take(frame)

    def point_out(self) -> None:
        frame = self.taken
        if frame is not None and frame.data.domain == "strings" and self._pair(frame) != self.maker.points:
            self.take(frame)
        else:
            super().point_out()

    def show_made(self, picture: InsightPicture) -> None:
        super().show_made(picture)
        strings = isinstance(picture, PairPicture)
        for picker in self.pickers:
            picker.setVisible(strings)
        if isinstance(picture, PairPicture):
            self._offer(picture)
        table = picture.table if isinstance(picture, PairPicture) else None
        for widget in self._step_controls:
            widget.setVisible(table is not None)
        if table is not None:
            most = max(1, table.values.size)
            self.steps.set_scale(Scale(0, most, 0, most, whole=True))
            self.steps.show_value(table.step)
            self.back.setEnabled(table.step > 0)
            self.forward.setEnabled(table.step < table.values.size)

    def _offer(self, picture: PairPicture) -> None:
        if self._offered is not picture.data.X:
            self._offered = picture.data.X
            names = [f"{i + 1}: {named(picture.data, i)}" for i in range(picture.data.n)]
            for picker in self.pickers:
                picker.clear()
                picker.addItems(names)
        for picker, i in zip(self.pickers, picture.points, strict=True):
            picker.setCurrentIndex(i)

    # Pieces and steps -----------------------------------------------------------------------------------
    def _piece_at(self, at: QPointF) -> int | None:
        picture = self.picture
        if not isinstance(picture, PairPicture):
            return None
        return picture.piece_at(at, self.sheet.room, self.sheet.style_of_picture)

    def on_pointed(self, at: QPointF | None) -> None:
        self._pointing_here = at is not None
        super().on_pointed(at)
        picture = self.picture
        if isinstance(picture, PairPicture):
            pointed = None if at is None else self._piece_at(at)
            pointed = self.maker.pinned if pointed is None else pointed
            if pointed != picture.pointed:
                self.sheet.show_picture(picture.with_pointed(pointed))

    def on_clicked(self, at: QPointF) -> None:
        piece = self._piece_at(at)
        if piece is None:
            super().on_clicked(at)
        else:
            self.maker = replace(self.maker, pinned=None if self.maker.pinned == piece else piece)

    def _go_by(self, by: int) -> None:
        if isinstance(self.picture, PairPicture) and self.picture.table is not None:
            self._go(self.picture.table.step + by)

    def _go(self, step: float) -> None:
        self.maker = replace(self.maker, step=max(0, int(step)))
        self.take(self.taken)
