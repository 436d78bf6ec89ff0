"""Table, trial and map in one widget."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from kernelviz.engine.analysis.kernel_pca import ComponentMap
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.problem import Problem, compute_gram
from kernelviz.runtime.jobs import Beat
from kernelviz.runtime.messages import Failure, Frame
from kernelviz.scene.plane.picture import Picture
from kernelviz.scene.words.labels import TriedLayer
from kernelviz.scene.words.painter import PAINTER
from kernelviz.scene.words.picture import MapPicture
from kernelviz.scene.workspace_painter import Decoration
from kernelviz.session.state import State
from kernelviz.session.workspaces.registry import workspace_of
from kernelviz.session.workspaces.words import Words
from kernelviz.ui.canvas.points import PointsCanvas
from kernelviz.ui.canvas.tools import Pan, Select
from kernelviz.ui.canvas.words.components import ComponentChooser
from kernelviz.ui.canvas.words.table import StringTable
from kernelviz.ui.canvas.words.trial import Answer, Trial

WIDTHS = (4, 6)  # Of the table and of the map, in proportion.
ROOM = 420  # Pixels below which there is room for the map alone, as where it has changed places with a view.

REST = 250  # Milliseconds without a new frame after which nothing moves any more.


class Choose(Select):
    """Selects as elsewhere; what a kernel has placed is not to be dragged."""

    grabs = False
    help = (
        "Draw a rectangle around points, or click one; Shift or Ctrl adds. "
        "Delete removes them, F flips their class, Ctrl+D duplicates them, Enter changes the letters."
    )


class Canvas(PointsCanvas):
    """The strings to the left, the map that the kernel makes of them to the right."""

    kinds_of_tools = (Choose, Pan)

    def plot(self) -> QWidget:
        self.components = ComponentChooser()
        self.components.chosen.connect(lambda pair: self.workbench.session.adjust(components=pair))
        self._places = self.workbench.background("kernelviz-places", self)
        self._places.done.connect(self._show_without_fit)
        self.rest = QTimer(self, interval=REST, singleShot=True)
        self.rest.timeout.connect(self.workbench.refresh)
        return _side(self.area, self.components)

    def body(self) -> QWidget:
        first = self.leader if isinstance(self.leader, Canvas) else None  # one table for all maps
        self.table: StringTable = StringTable(self.editor) if first is None else first.table
        self.trial: Trial = Trial(self.workbench) if first is None else first.trial
        self.trial.answered.connect(self._show_tried)
        if first is not None:
            return super().body()
        self.table.pointed.connect(self.workbench.hover)
        self.trial.added.connect(self._add)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.strings = _side(self.table, self.trial)
        self.splitter.addWidget(self.strings)
        self.splitter.addWidget(super().body())
        for k, share in enumerate(WIDTHS):
            self.splitter.setStretchFactor(k, share)
        return self.splitter

    def begin(self) -> None:
        self.show_decoration(None)  # until there are components the axes have but their names
        super().begin()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.leader is None:
            for part in (self.strings, self.components):
                part.setVisible(self.width() >= ROOM)

    # Showing -------------------------------------------------------------------------------------------
    def show_data(self, data: Data) -> None:
        """Show the strings in the table; their places on the map come with the next frame."""
        if self.leader is None:
            self.table.show_data(data)
            self.trial.show_data(data)

    def show_held_out(self, data: Data | None) -> None:
        """Do nothing: the places of held-out strings come with the next frame."""

    def show_state(self, state: State) -> None:
        self.decorate.components = state.look.components
        super().show_state(state)
        self.table.select(state.look.selection)

    def show_change(self, old: State, new: State) -> None:
        super().show_change(old, new)
        if old.look.selection != new.look.selection:
            self.table.select(new.look.selection)
        if old.look.components != new.look.components:
            self.decorate.components = new.look.components
            frame = self.frame
            if frame is None:
                self._place_without_fit()
            elif frame.data.domain == "strings":  # not of the workspace left just now
                self.show_decoration(self.decorate(frame))

    def show_frame(self, frame: Frame) -> None:
        if self.is_active:
            self.table.show_frame(frame)
        super().show_frame(frame)

    def show_no_fit(self) -> None:
        if self.is_active:
            self.table.show_frame(None)
        if self._placed_without_fit is None:  # otherwise only the view is another one
            super().show_no_fit()
        self._place_without_fit()

    @property
    def _placed_without_fit(self) -> Problem | None:
        """Return the strings that could not be fitted, if they are on the map."""
        failure, shown = self.failure, self.scene.decoration
        if failure is None or shown is None or shown.frame is not None:
            return None
        problem = shown.picture.map.pca.problem
        same = problem.data is failure.request.data and problem.kernel == failure.kernel
        return problem if same else None

    def _place_without_fit(self) -> None:
        """Place strings of one class, which have no fit, but the kernel has a place for each."""
        failure, view = self.failure, self.area.view
        decorate, pair = self.decorate, self.decorate.components
        known = self._placed_without_fit
        if failure is None or failure.details or workspace_of(failure.request.data) is not self.workspace:
            return
        if failure.stopped and known is None:
            return

        def work(beat: Beat) -> Generator[float, None, tuple[Failure, Decoration[MapPicture]]]:
            yield 0.0
            problem = known or Problem(failure.request.data, failure.kernel)
            yield from compute_gram(problem)
            picture = PAINTER.picture_of_strings(problem, pair, view)
            return failure, decorate.make(picture, problem.data, None)

        self._places.start(work)

    def _show_without_fit(self, found: tuple[Failure, Decoration[MapPicture]]) -> None:
        failure, decoration = found
        if self.in_front and failure is self.failure:
            self.show_decoration(decoration)
            self.pulse.ask()

    def show_decoration(self, decoration: Decoration[MapPicture] | None) -> None:
        """Show points and fit together, because the places of the points belong to the fit. Components that
        have changed ranks while a number moved are computed again when it rests."""
        self.rest.stop()
        if decoration is not None:
            picture = decoration.picture
            frame = decoration.frame
            if frame is not None and picture.map.pair != self.decorate.components:  # chosen meanwhile
                picture = (decoration := self.decorate(frame)).picture
            before = self.area.unit
            self.scene.show_points(decoration.data, picture.points)
            if self.area.unit != before:
                self.refit()  # other numbers may need more room
            self.scene.show_aside(_aside(picture.points))
            self.components.show_map(picture)
            if not picture.map.pca.ranked:
                self.rest.start()
            self._try_on(None if frame is None else frame.model, picture.map)
        else:
            self.scene.show_points(self.editor.data, _nothing(self.area.view))
            self.scene.show_aside(None)
            self.components.show_map(None)
            self._try_on(None, None)
        super().show_decoration(decoration)

    def _try_on(self, model: Model | None, chart: ComponentMap | None) -> None:
        """Ask the active fit about the string being tried."""
        if self.is_active:
            self.trial.show_fit(model, chart)

    def _show_tried(self, answer: Answer | None) -> None:
        """Show the string being tried where it would lie."""
        tried = None if answer is None or not self.is_active else TriedLayer(answer.text, answer.place)
        if tried is not None or self.scene.guest is not None:
            self.scene.guest = tried
            self.scene.touch_hand()
            self.pulse.ask()

    # What keys and buttons do ----------------------------------------------------------------------------
    def add_in_the_middle(self, label: int) -> None:
        """Have a string typed."""
        self.trial.line.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def type_point(self) -> None:
        if self.editor.selection:
            self.table.begin_typing(self.editor.selection[0])

    def _add(self, text: str, k: int) -> None:
        def edit(words: Any, data: Data) -> Data:
            assert isinstance(words, Words)
            return words.with_text(data, text, 2 * k - 1 if data.task is Task.TWO_CLASSES else k)

        if self.editor.change("add string", edit):
            self.editor.select([self.editor.data.n - 1])


def _side(above: QWidget, below: QWidget) -> QWidget:
    """Return two widgets one above the other, the upper one as large as there is room."""
    side = QWidget()
    column = QVBoxLayout(side)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addWidget(above, 1)
    column.addWidget(below)
    return side


def _aside(points: Picture) -> Picture | None:
    """Return the held-out points of a picture as points of their own."""
    if not len(points.held_out):
        return None
    return Picture(points.view, points.held_out, points.held_out_classes, points.class_names)


def _nothing(view: Any) -> Picture:
    return Picture(view, np.empty((0, 2)), np.empty(0, dtype=np.intp), columns=("component 1", "component 2"))
