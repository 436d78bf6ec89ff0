"""The canvas of words: a table of strings, a line to try others in, and a map for each fit.

Strings have no coordinates. The map shows them along two principal components of the kernel, so their places
come with each frame, and nothing on it can be dragged."""

from __future__ import annotations

from collections.abc import Generator
from functools import cached_property
from typing import Any

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QSplitter, QWidget

from kernelviz.engine.analysis.kernel_pca import ComponentMap
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.models.problem import Problem, compute_gram
from kernelviz.runtime.jobs import Beat
from kernelviz.runtime.messages import Failure, Frame
from kernelviz.scene.plane.picture import Picture
from kernelviz.scene.words.labels import TriedLayer
from kernelviz.scene.words.painter import PAINTER, MapPicture, about_map, percent, ranked
from kernelviz.scene.workspace_painter import Decoration
from kernelviz.session.state import State
from kernelviz.session.workspaces.registry import workspace_of
from kernelviz.session.workspaces.words import WordsWorkspace
from kernelviz.ui.canvas.plot import CanvasPlot
from kernelviz.ui.canvas.points import PointsCanvas
from kernelviz.ui.canvas.tools import Pan, Select
from kernelviz.ui.canvas.words.table import StringTable
from kernelviz.ui.canvas.words.trial import Answer, StringTrial
from kernelviz.ui.widgets.buttons import Combo
from kernelviz.ui.widgets.labels import Label, describe
from kernelviz.ui.widgets.layouts import column, fill, row
from kernelviz.ui.widgets.painting import type_scale

REST = 250  # Milliseconds without a new frame after which nothing moves any more.


class SelectStrings(Select):
    """Selects as the tool of other canvases does, but drags nothing: the kernel decides where a string
    lies."""

    grabs = False
    help = (
        "Draw a rectangle around points, or click one; Shift or Ctrl adds. "
        "Delete removes them, F flips their class, Ctrl+D duplicates them, Enter changes the letters."
    )


class ComponentChooser(QWidget):
    """Chooses which two components the map shows: two lists, and a sentence about how much that is."""

    chosen = Signal(tuple)  # The numbers of the components across and up.

    def __init__(self) -> None:
        super().__init__()
        self.lists = (Combo(), Combo())
        self.words = Label(role="muted", wraps=True)
        self.words.setToolTip(
            "Principal components of the kernel: the directions in which the strings spread most. The colour "
            "is as strong as the share of the training scores that these two explain; the boundary is drawn "
            "where they give the score of every string."
        )
        choices = row()
        for axis, (combo, name) in enumerate(zip(self.lists, ("across", "up"), strict=True)):
            label = Label(name, role="muted")
            label.setBuddy(combo)
            combo.setMinimumContentsLength(6)
            tip = "A principal component of the kernel, and its share of the variance"
            describe(combo, f"Component {name}", tip)
            combo.activated.connect(lambda row, axis=axis: self._choose(axis, row))
            fill(choices, label, combo)
        fill(choices, (None, 1))
        self._both = row(choices, (self.words, 1), on=self, spacing=4, margins=(8, 2, 8, 4))
        self._pair = (0, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        # Pixels below which the sentence next to the lists would be a column of words: then it is below them.
        sentence_room = 620
        super().resizeEvent(event)
        way = QBoxLayout.Direction
        self._both.setDirection(way.LeftToRight if self.width() >= sentence_room else way.TopToBottom)

    def show_map(self, picture: MapPicture | None) -> None:
        """Offer the components, and show the share of variance of the two chosen."""
        if picture is None or not picture.map.pca.components:
            self._offer([], (-1, -1))
            self.words.setText("")
            return
        chart, self._pair = picture.map, picture.map.pair
        ranks, shares = ranked(chart.pca), sorted(chart.pca.shares.tolist(), reverse=True)
        texts = [f"{rank} · {percent(share)}" for rank, share in enumerate(shares, 1)]
        across, up = (ranks[c] - 1 if c < len(ranks) else -1 for c in self._pair)
        self._offer(texts, (across, up))
        said = about_map(chart, picture.slope)
        self.words.setText(f"{said[0].upper()}{said[1:]}.")

    def _offer(self, texts: list[str], rows: tuple[int, int]) -> None:
        """List these texts for both axes, and show the chosen row of each."""
        for combo, chosen in zip(self.lists, rows, strict=True):
            if texts != [combo.itemText(k) for k in range(combo.count())]:
                combo.clear()
                combo.addItems(texts)
            combo.setCurrentIndex(chosen)
            combo.setEnabled(len(texts) > 1)

    def _choose(self, axis: int, component: int) -> None:
        """Choose a component for one axis. The same one on both axes would be a line, so the other axis takes
        the one this axis had."""
        across, up = self._pair
        other = up if axis == 0 else across
        if component == other:
            other = self._pair[axis]
        self.chosen.emit((component, other) if axis == 0 else (other, component))


class MapPlot(CanvasPlot):
    """The map that a kernel makes of the strings, above lists of its components.

    The table of the strings and the line for trying one are shared by all maps, and show the active fit.
    Places of the strings come with the frames, because they belong to the kernel; strings that cannot be
    fitted, such as those of one class, are placed by work in the background."""

    def __init__(self, canvas: WordsCanvas) -> None:
        super().__init__(canvas.workbench, canvas.workspace, canvas.decorate)
        self.table, self.trial = canvas.table, canvas.trial
        self.components = ComponentChooser()
        self.components.chosen.connect(lambda pair: self.workbench.session.adjust(components=pair))
        fill(self.column, self.components)
        self._places = self.workbench.background("kernelviz-places", self)
        self._places.done.connect(self._show_without_fit)
        self.rest = QTimer(self, interval=REST, singleShot=True)
        self.rest.timeout.connect(self.workbench.refresh)
        self.trial.answered.connect(self._show_tried)
        self.show_decoration(None)  # until there are components the axes have but their names

    def show_data(self, data: Data) -> None:
        """Do nothing: the places of the strings come with the next frame."""

    def show_held_out(self, data: Data | None) -> None:
        """Do nothing: the places of held-out strings come with the next frame."""

    def show_components(self) -> None:
        """Show the strings along two other components, which the decorator has."""
        frame = self.frame
        if frame is None:
            self._place_without_fit()
        elif workspace_of(frame.data) is self.workspace:  # not of the one left just now
            self.show_decoration(self.decorate(frame))

    def show_no_fit(self) -> None:
        """Show the strings where the kernel puts them, although there is no fit."""
        if self._placed_without_fit is None:  # otherwise only the view is another one
            super().show_no_fit()
        self._place_without_fit()

    @property
    def _placed_without_fit(self) -> Problem | None:
        """Return the strings that could not be fitted, if they are on the map."""
        failure, shown = self.failure, self.scene.decoration
        if failure is None or shown is None or shown.frame is not None:
            return None
        problem: Problem = shown.picture.map.pca.problem
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
        """Show strings that were placed without a fit, unless they have one meanwhile."""
        failure, decoration = found
        if failure is self.failure:
            self.show_decoration(decoration)
            self.pulse.ask(0)

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
            self.scene.show_points(decoration.data, picture)
            if self.area.unit != before:
                self.outgrown.emit()  # other numbers may need more room
            self.scene.show_aside(picture if len(picture.held_out) else None)
            self.components.show_map(picture)
            if not picture.map.pca.ranked:
                self.rest.start()
            self._show_active(frame, picture.map)
        else:
            nothing = np.empty((0, 2)), np.empty(0, dtype=np.intp)
            bare = Picture(self.area.view, *nothing, columns=("component 1", "component 2"))
            self.scene.show_points(self.workbench.session.document.data, bare)
            self.scene.show_aside(None)
            self.components.show_map(None)
            self._show_active(None, None)
        super().show_decoration(decoration)

    def _show_active(self, frame: Frame | None, chart: ComponentMap | None) -> None:
        """Show the numbers of the active fit in the table, and ask it about the string being tried."""
        if self.is_active:
            self.table.show_frame(frame)
            self.trial.show_fit(None if frame is None else frame.model, chart)

    def _show_tried(self, answer: Answer | None) -> None:
        """Show the string being tried where it would lie."""
        tried = None if answer is None or not self.is_active else TriedLayer(answer.text, answer.place)
        if tried is not None or self.scene.guest is not None:
            self.scene.guest = tried
            self.scene.touch_hand()
            self.pulse.ask(0)


class WordsCanvas(PointsCanvas):
    """The strings to the left, in a table with a line to try others; to the right the kernel's map of them,
    one for each fit."""

    kinds_of_tools = (SelectStrings, Pan)

    @cached_property
    def table(self) -> StringTable:
        """Return the one table of all maps."""
        return StringTable(self.editor)

    @cached_property
    def trial(self) -> StringTrial:
        """Return the line in which strings are tried on the active fit."""
        return StringTrial(self.workbench)

    def make_plot(self) -> CanvasPlot:
        """Return a new map, for one of the fits."""
        return MapPlot(self)

    def body(self) -> QWidget:
        """Return the table and the maps side by side."""
        widths = (4, 6)  # Of the table and of the map, in proportion.
        self.table.pointed.connect(self.workbench.hover)
        self.trial.added.connect(self._add)
        self.strings = QWidget()
        column((self.table, 1), self.trial, on=self.strings, spacing=0)
        self.trial.setVisible(self._takes_texts)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setChildrenCollapsible(False)
        for k, part in enumerate((self.strings, self.row)):
            splitter.addWidget(part)
            splitter.setStretchFactor(k, widths[k])
        return splitter

    @property
    def _takes_texts(self) -> bool:
        """Return True if strings can be typed; objects of a Gram matrix cannot."""
        assert isinstance(self.workspace, WordsWorkspace)
        return self.workspace.takes_texts

    def resizeEvent(self, event: QResizeEvent) -> None:
        room = 420  # Pixels below which there is room for the map alone, as in the place of a view.
        super().resizeEvent(event)
        for part in (self.strings, *(plot.components for plot in self.maps)):
            part.setVisible(self.width() >= room)
        for plot in self.maps:  # in large type on a small screen it would have the room of the map
            plot.components.words.setVisible(self.height() >= 300 * type_scale(self))

    # Showing -------------------------------------------------------------------------------------------
    @property
    def maps(self) -> list[MapPlot]:
        """Return the plots of all fits that are shown."""
        return [plot for plot in self.row.shown if isinstance(plot, MapPlot)]

    def show_state(self, state: State) -> None:
        """Show the strings of a document in the table and on the maps, whatever was shown before."""
        self.decorate.components = state.look.components
        self._show_strings(state.document.data)
        super().show_state(state)
        self.table.select(state.look.selection)

    def _show_strings(self, data: Data) -> None:
        """Show the strings in the table, and their classes as buttons."""
        self.table.show_data(data)
        self.trial.show_data(data)

    def show_change(self, old: State, new: State) -> None:
        """Show a change in the table and on the maps, and other components if they were chosen."""
        if old.document.data is not new.document.data:
            self._show_strings(new.document.data)
        super().show_change(old, new)
        if old.look.selection != new.look.selection:
            self.table.select(new.look.selection)
        if old.look.components != new.look.components:
            self.decorate.components = new.look.components
            for plot in self.maps:
                plot.show_components()

    # What keys and buttons do ----------------------------------------------------------------------------
    def add_in_the_middle(self, label: int) -> None:
        """Begin typing a string; for objects, say that they cannot be added."""
        if not self._takes_texts:
            self.editor.change(
                "add object", lambda workspace, data: workspace.added(data, np.zeros((1, 2)), label)
            )
            return
        self.trial.line.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def type_point(self) -> None:
        """Edit the letters of the selected string in the table."""
        if self.editor.selection:
            self.table.begin_typing(self.editor.selection[0])

    def _add(self, text: str, k: int) -> None:
        """Add a string of class k as a step of undo, and select it."""

        def edit(words: Any, data: Data) -> Data:
            assert isinstance(words, WordsWorkspace)
            return words.with_text(data, text, 2 * k - 1 if data.task is Task.TWO_CLASSES else k)

        if self.editor.change("add string", edit):
            self.editor.select([self.editor.data.n - 1])


Canvas = WordsCanvas  # By this name the window finds it.
