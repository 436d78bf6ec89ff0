"""What every canvas is, whatever its workspace draws: words, commands, and being in front or behind."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

import numpy as np
from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QApplication, QToolBar, QWidget

from kernelviz.engine.core.arrays import Array
from kernelviz.runtime.messages import Failure, Frame
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL
from kernelviz.scene.theme import BASE_POINTS, Theme, current_theme
from kernelviz.scene.workspace_painter import Decorator, painter_of
from kernelviz.session.state import State
from kernelviz.session.workspaces.base import Workspace
from kernelviz.session.workspaces.registry import workspace_of
from kernelviz.ui.canvas.banner import Advice, Banner, advice_on_failure, advice_on_model
from kernelviz.ui.canvas.editor import Editor
from kernelviz.ui.canvas.gestures import Tool
from kernelviz.ui.widgets.labels import Label
from kernelviz.ui.workbench.workbench import Workbench

STYLE_EVENTS = (QEvent.Type.PaletteChange, QEvent.Type.StyleChange, QEvent.Type.FontChange)

T = TypeVar("T", Frame, Failure)


class Canvas(QWidget):
    """Shows the session's data at once and the fit of the last frame; turns gestures into changes.

    A subclass shows them: what the methods under "What a canvas draws" say."""

    # What the mouse can do, in the order of the toolbar.
    kinds_of_tools: ClassVar[tuple[type[Tool], ...]] = ()
    # (x, y) under the mouse while it hovers over a place that can be looked at.
    pointed = Signal(float, float)
    left = Signal()  # The mouse is over no such place any more.
    coordinates_wanted = Signal()  # Of the point under the mouse, or of the selected one, to be typed.
    class_chosen = Signal(int)

    def __init__(
        self,
        workbench: Workbench,
        theme: Theme | None = None,
        workspace: Workspace | None = None,
        leader: Canvas | None = None,
    ) -> None:
        """Make a canvas; with a leader, one for another fit of the leader's data."""
        super().__init__()
        self.workbench = workbench
        self.workspace = workspace or workbench.session.document.workspace
        self.fit: int | None = None  # Which of several fits it shows; None for the active one.
        self._beside = leader is not None
        self.decorate: Decorator[Any] = (
            Decorator(painter_of(self.workspace)) if leader is None else leader.decorate
        )
        workbench.decorators[self.workspace.name] = self.decorate
        self._theme = theme
        self._style: Style | None = None
        self._complaining = False
        self.banner = Banner(self, theme or current_theme())
        self.computing = Label("computing…", self)
        self.computing.setObjectName("computing")
        self.computing.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.computing.hide()
        self.editor: Editor = Editor(workbench.session, self.complain) if leader is None else leader.editor
        workbench.state_changed.connect(self._on_state)
        for arrived in (workbench.frame_arrived, workbench.other_fit_arrived):
            arrived.connect(self._on_frame)
        for failed in (workbench.failed, workbench.other_fit_failed):
            failed.connect(self._on_failure)
        workbench.busy_changed.connect(self._on_busy)
        self.banner.switched.connect(workbench.session.toggle)

    def begin(self) -> None:
        """Show the present state, once the canvas is put together."""
        self.update_style()
        self.show_state(self.workbench.session.state)
        self.show_latest()

    # Which fit -------------------------------------------------------------------------------------------
    def show_latest(self) -> None:
        """Show what there is of its fit."""
        if (frame := self.frame) is not None:
            self._on_frame(frame)
        elif (failure := self.failure) is not None:
            self._on_failure(failure)

    @property
    def frame(self) -> Frame | None:
        """Return the last frame of its fit."""
        return self.workbench.frame if self.fit is None else self._answer(Frame)

    @property
    def failure(self) -> Failure | None:
        """Return the failure of its fit, if that has no frame."""
        return self.workbench.failure if self.fit is None else self._answer(Failure)

    def _answer(self, kind: type[T]) -> T | None:
        found = self.workbench.latest.get(self.fit) if self.fit is not None else None
        return found if isinstance(found, kind) else None

    @property
    def is_active(self) -> bool:
        """Return True if the panels edit the fit it shows."""
        return self.fit in (None, self.workbench.session.document.active)

    def wants(self, answer: Frame | Failure) -> bool:
        """Return True if an answer is about its fit."""
        return answer.fit == (answer.request.active if self.fit is None else self.fit)

    # What a canvas draws --------------------------------------------------------------------------------
    def show_state(self, state: State) -> None:
        """Show a document and its look, whatever was shown before."""
        raise NotImplementedError

    def show_change(self, old: State, new: State) -> None:
        """Show what the session has become."""
        self.show_state(new)

    def show_frame(self, frame: Frame) -> None:
        """Show the fit of a frame."""
        raise NotImplementedError

    def show_no_fit(self) -> None:
        """Show the data alone: there is no fit."""
        raise NotImplementedError

    def restyle(self, style: Style) -> None:
        """Take on a theme and a size of type."""

    def advice_on_view(self, frame: Frame) -> Advice | None:
        """Return advice on a frame that is shown in a way that hides something."""
        return None

    def fill_toolbar(self, bar: QToolBar) -> dict[str, QAction]:
        """Add its tools, if it has any; by name."""
        return {}

    def show_tools(self, on: bool) -> None:
        """Have its buttons in the toolbar, or out of the way of another canvas'."""

    @property
    def drawn(self) -> QWidget:
        """Return the widget that a screenshot of the canvas shows."""
        return self

    # Menu actions --------------------------------------------------------------------------------------
    @property
    def beside(self) -> Array:
        """Return the offset of a duplicate from its point."""
        return np.zeros(2)

    def delete_selection(self) -> None:
        self.editor.delete_selection()

    def flip_selection(self) -> None:
        self.editor.flip_selection()

    def duplicate_selection(self) -> None:
        self.editor.duplicate_selection(self.beside)

    def select_all(self) -> None:
        self.editor.select_all()

    def clear(self) -> None:
        self.editor.clear()

    def jitter(self) -> None:
        self.editor.jitter()

    def choose_class(self, k: int) -> bool:
        """Choose the class of new points, among several; return True if there is such a class."""
        if there := k < len(self.editor.classes):
            self.editor.choose(k)
            self.class_chosen.emit(k)
        return there

    def next_class(self) -> None:
        """Choose the next of several classes for new points."""
        if self.editor.classes:
            self.choose_class((self.editor.chosen + 1) % len(self.editor.classes))

    def reset_view(self) -> None:
        """Show all points."""

    def set_limits(self) -> None:
        """Ask for the limits of the axes."""
        self.complain("There are no axes here whose limits could be set.")

    # Words ---------------------------------------------------------------------------------------------
    def complain(self, sentence: str, suggestion: str = "") -> None:
        """Say that something cannot be done, without stopping anybody, until it is read or work goes on."""
        self._complaining = True
        self.banner.say(Advice(sentence, suggestion))

    def _advise(self, frame: Frame) -> None:
        advice = advice_on_model(frame.model)
        if advice is None and not self._complaining:
            advice = self.advice_on_view(frame)
        if advice is not None:
            self.banner.say(advice)
        elif not self._complaining:
            self.banner.clear()

    # In front or behind ---------------------------------------------------------------------------------
    @property
    def in_front(self) -> bool:
        """Return True if the document belongs to this canvas' workspace."""
        return self.workbench.session.document.workspace is self.workspace

    def catch_up(self) -> None:
        """Show the present state of the session: the canvas is in front again."""
        self.show_no_fit()
        self.show_state(self.workbench.session.state)

    # What happens --------------------------------------------------------------------------------------
    def _on_state(self, old: State, new: State) -> None:
        if self.in_front:
            if old.document is not new.document:
                self._complaining = False
            self.show_change(old, new)

    def _on_frame(self, frame: Frame) -> None:
        if workspace_of(frame.data) is self.workspace and self.wants(frame):
            self._advise(frame)
            self.show_frame(frame)

    def _on_failure(self, failure: Failure) -> None:
        if self.in_front and self.wants(failure):
            self.banner.say(advice_on_failure(failure, self.workspace.how_to_add))
            self.show_no_fit()

    def _on_busy(self, busy: bool) -> None:
        self.computing.setVisible(busy and not self._beside)
        self.computing.raise_()

    # The look ------------------------------------------------------------------------------------------
    @property
    def style_of_figure(self) -> Style:
        """Return the theme and the sizes it is drawn with."""
        return self._style or Style(current_theme())

    def set_theme(self, theme: Theme | None) -> None:
        """Use a theme of its own, or with None the application's."""
        self._theme = theme
        self.update_style()

    def update_style(self) -> None:
        """Follow the theme, the type and the size."""
        theme = self._theme or current_theme()
        size = (side * POINTS_PER_PIXEL for side in self.size_of_style.toTuple())
        style = Style(theme).with_type(_application_scale()).for_window(*size)
        if style == self._style:
            return
        self._style = style
        self.banner.set_theme(theme)
        self.computing.setStyleSheet(
            f"#computing {{ color: {theme.muted}; background: {theme.raised};"
            f" border: 1px solid {theme.border}; border-radius: 9px; padding: 2px 8px; }}"
        )
        self.restyle(style)

    @property
    def size_of_style(self) -> QSize:
        """Return the size that decides how large type and strokes are."""
        return self.size()

    @property
    def room(self) -> tuple[QRect, QRect]:
        """Return where words may stand, and the part of it they must not cover."""
        return self.rect(), QRect()

    def place_words(self) -> None:
        """Put banner and "computing" where there is room for them."""
        self.banner.room, self.banner.keep_off = self.room
        self.banner.place()
        self.computing.adjustSize()
        corner = self.banner.room.bottomLeft()
        self.computing.move(corner.x() + 8, corner.y() - self.computing.height() - 8)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._style is not None:
            self.update_style()
        self.place_words()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in STYLE_EVENTS and self._style is not None:
            self.update_style()


def _application_scale() -> float:
    """Return how much larger than usual the application's type is, as for a lecture hall."""
    app = QApplication.instance()
    if not isinstance(app, QApplication) or app.property("kernelviz-theme") is None:
        return 1.0
    return float(app.font().pointSizeF() / BASE_POINTS)
