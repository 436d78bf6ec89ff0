"""The canvas: plots of all fits, in step with the session and the worker, and the mouse on them.

This is the way of one mouse move while a point is dragged:

    area       turns the event into a `Spot` of the plane
    pointer    notes the spot; at the next beat of the plot it calls `drag` of the tool
    tool       asks the editor to move the points it has grabbed
    editor     lets the workspace make new data, and the session replace its document
    workbench  asks the worker for a frame of the new state, then emits `state_changed`
    canvas     shows the points where they are now, without waiting for their fit
    worker     solves, samples the field, and paints the backdrop of the plot
    workbench  emits `frame_arrived`, and the canvas draws fit and points together"""

from __future__ import annotations

from typing import Any, ClassVar

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QCursor, QResizeEvent
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from kernelviz.engine.core.data import are_others
from kernelviz.runtime.messages import Failure, Frame
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL
from kernelviz.scene.theme import BASE_POINTS, current_theme
from kernelviz.scene.workspace_painter import Decorator, painter_of
from kernelviz.session.state import State
from kernelviz.session.themes import Theme
from kernelviz.session.workspaces.base import Workspace
from kernelviz.ui.canvas.banner import Advice
from kernelviz.ui.canvas.editor import Editor
from kernelviz.ui.canvas.gestures import Spot, Tool
from kernelviz.ui.canvas.pen import Pen
from kernelviz.ui.canvas.plot import CanvasPlot
from kernelviz.ui.canvas.pointer import GRACE, Pointer
from kernelviz.ui.canvas.reveal import Reveal
from kernelviz.ui.canvas.row import PlotRow
from kernelviz.ui.canvas.tools import TOOLS
from kernelviz.ui.widgets.labels import Label
from kernelviz.ui.widgets.layouts import column
from kernelviz.ui.workbench.throttle import Throttle
from kernelviz.ui.workbench.workbench import Workbench


class Canvas(QWidget):
    """Shows the points of the session where their workspace puts them, with the last frame of every fit, and
    turns gestures of the mouse into changes.

    The plots of the fits are in `row`; `area`, `scene` and `banner` are those of the first one. Changes of
    the session and answers of the worker are noted when they come and drawn at the next beat of the plot, at
    most every 16 ms. `pointer` passes the mouse to the tool in use, which changes the points through
    `editor`. A workspace with a canvas of its own overrides `make_plot`, `body`, `show_state` and
    `show_change`."""

    # The tools, in the order of the toolbar.
    kinds_of_tools: ClassVar[tuple[type[Tool], ...]] = TOOLS
    # (x, y) under the mouse while it hovers over a place that can be looked at.
    pointed = Signal(float, float)
    left = Signal()  # The mouse has left such a place.
    pressed = Signal()  # A button is down.
    coordinates_wanted = Signal()  # Of the point under the mouse, or of the selected one, to be typed.
    class_chosen = Signal(int)
    classes_offered = Signal()  # Other ones than before, for the same points.
    tool_changed = Signal(str)

    def __init__(
        self, workbench: Workbench, theme: Theme | None = None, workspace: Workspace | None = None
    ) -> None:
        """theme: its own, or None for the application's. workspace: by default that of the document."""
        super().__init__()
        self.workbench = workbench
        self.workspace = workspace or workbench.session.document.workspace
        self.decorate: Decorator[Any] = Decorator(painter_of(self.workspace))
        workbench.decorators[self.workspace.name] = self.decorate
        self._theme = theme
        self._style: Style | None = None
        self.editor = editor = Editor(workbench.session, self.complain)
        self.row = PlotRow(workbench.session, self._add_plot, self.workspace.lays_over)
        first = self.row.plots[0]
        self.area, self.scene, self.banner = first.area, first.scene, first.banner
        self.pointer = Pointer(first, editor, self.row.look_at, self.kinds_of_tools)
        self._before_pen = self.tool.name
        self.computing = Label("computing…", first)
        self.computing.setObjectName("computing")
        self.computing.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.computing.hide()
        self.note = Label("", first)
        self.note.setObjectName("note")
        self.note.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.note.hide()
        column(self.body(), on=self, spacing=0)
        self.setFocusProxy(self.area)
        self.setMinimumSize(160, 120)
        self.setAccessibleName(self.area.accessibleName())
        self.row.stale.connect(self._draw_soon)
        self.row.resized.connect(self._on_row_resized)
        workbench.state_changed.connect(self._on_state)
        for answered in (
            workbench.frame_arrived,
            workbench.other_fit_arrived,
            workbench.failed,
            workbench.other_fit_failed,
        ):
            answered.connect(self._on_answer)
        workbench.busy_changed.connect(self._on_busy)
        workbench.hovered.connect(self._on_hovered)
        self._reveal = Reveal(self)
        self.update_style()
        self.show_state(workbench.session.state)
        first.show_latest()

    def make_plot(self) -> CanvasPlot:
        """Return a new plot, for one of the fits."""
        return CanvasPlot(self.workbench, self.workspace, self.decorate)

    def _add_plot(self) -> CanvasPlot:
        """Make a plot for one more fit, and connect its mouse events and its beats."""
        period = 16  # Milliseconds: whatever happens between two beats is drawn once.
        plot, workspace = self.make_plot(), self.workspace
        if self._style is not None:
            plot.restyle(self._style)
        plot.pulse = Throttle(plot, period, lambda: self._on_beat(plot))
        area = plot.area
        area.setAccessibleName(f"{workspace.title} with the points and the fitted score")
        flip = "F flips their class, " if workspace.has_classes else ""
        move = "the arrow keys move them, " if workspace.movable else ""
        area.setAccessibleDescription(
            f"Tab selects points one after the other, {move}Insert adds one, "
            f"Delete removes them, {flip}Control+Tab leaves."
        )
        area.installEventFilter(self)
        area.pressed.connect(lambda spot: self._on_press(plot, spot))
        area.pressed_outside.connect(self._on_press_outside)
        area.moved.connect(lambda spot: self.pointer.move(plot, spot))
        area.released.connect(lambda spot: self.pointer.release(spot))
        area.left.connect(self._on_leave)
        area.cancelled.connect(lambda: self.pointer.cancel())
        area.panned.connect(lambda columns, rows: self.pointer.pan(columns, rows))
        area.rested_on.connect(lambda spot, lifted: self._on_rest(plot, spot, lifted))
        area.touched.connect(lambda: self.offer_both_classes())
        area.turned.connect(lambda notches, spot: self.pointer.turn(notches, spot))
        area.pinched.connect(lambda factor, spot: self.pointer.zoom(factor, spot))
        area.resized.connect(self._on_resized)
        return plot

    def body(self) -> QWidget:
        """Return what fills it: the plots of all fits, or those among others."""
        return self.row

    # What the window asks for --------------------------------------------------------------------------
    @property
    def drawn(self) -> QWidget:
        """Return the widget that a screenshot of the canvas shows."""
        return self.row if self.row.together else self.area

    def complain(
        self, sentence: str, suggestion: str = "", *, about_data: bool = False, details: str = ""
    ) -> None:
        """Show a message that something cannot be done, with a suggestion if there is one. It stays until the
        user dismisses it or changes something; one about the data until the data change. details: of an error
        in the program, to be copied."""
        plot = self.row.plots[0]
        plot.complaining, plot.about_data = True, sentence if about_data else ""
        self.banner.say(Advice(sentence, suggestion, details=details))

    def choose_class(self, k: int) -> bool:
        """Choose the class of new points, among several; return True if there is such a class."""
        if there := k < len(self.editor.classes):
            self.editor.choose(k)
            self.class_chosen.emit(k)
        return there

    def offer_both_classes(self, on: bool = True) -> None:
        """Offer a choice of class even if there are only two, because fingers have no right button."""
        if self.editor.both is not on:
            self.editor.both = on
            self.classes_offered.emit()

    def next_class(self) -> None:
        """Choose the next of several classes for new points."""
        if self.editor.classes:
            self.choose_class((self.editor.chosen + 1) % len(self.editor.classes))

    # Tools ---------------------------------------------------------------------------------------------
    @property
    def tools(self) -> dict[str, Tool]:
        """Return the tools by name."""
        return self.pointer.tools

    @property
    def tool(self) -> Tool:
        """Return the tool in use."""
        return self.pointer.tool

    def draw_with_pen(self) -> None:
        """Take up the pen, or go back to the tool that was in use before."""
        before, self._before_pen = self._before_pen, self.tool.name
        self.use(before if self.tool.name == Pen.name else Pen.name)

    def use(self, name: str) -> None:
        """Switch to the tool of that name."""
        self.pointer.use(name)
        self.tool_changed.emit(name)

    # What is drawn -------------------------------------------------------------------------------------
    @property
    def in_front(self) -> bool:
        """Return True if the document belongs to this canvas' workspace."""
        return self.workbench.session.document.workspace is self.workspace

    def catch_up(self) -> None:
        """Show the present state of the session: the canvas is in front again."""
        for plot in self.row.shown:
            plot.show_no_fit()
        self.show_state(self.workbench.session.state)
        self.row.follow(None, self.workbench.session.look)

    def show_state(self, state: State) -> None:
        """Show a document and its look, whatever was shown before."""
        for plot in self.row.shown:
            plot.show_state(state)
        self._arrange()

    def show_change(self, old: State, new: State) -> None:
        """Show the new state of the session."""
        before, now = old.document, new.document
        if before.data is not now.data and not self.pointer.acting:
            self.pointer.drop()
        for plot in self.row.shown:
            if before.data is not now.data:
                plot.show_data(now.data)
            if before.held_out is not now.held_out:
                plot.show_held_out(now.test_data)
            if old.look is not new.look:
                plot.show_look(new.look)
        if now.source and now.source != before.source:
            self.scene.legend.forget()
            for plot in self.row.plots:
                plot.scene.wipe()
        if old.look is not new.look:
            self.row.follow(old.look, new.look)
        if len(before.fits) != len(now.fits):
            self._arrange()
        elif before.fits is not now.fits or before.active != now.active:
            self.row.show_titles()
            self._focus_active()
        if before.data is not now.data:
            self._remove_other_fits()
        self._draw_soon(GRACE if before is not now else 0)

    def _draw_soon(self, within: int = 0) -> None:
        """Draw all plots after a delay in milliseconds."""
        for plot in self.row.shown:
            plot.pulse.ask(within)

    def _arrange(self) -> None:
        """Show a plot for each fit where there is room, all in the same style and view."""
        self.row.arrange()
        self._focus_active()
        self.update_style()
        self.row.refit(resized=True)

    def _focus_active(self) -> None:
        """Give the keyboard to the plot of the active fit."""
        area = self.row.active.area
        self.setFocusProxy(area)
        if any(plot.area.hasFocus() for plot in self.row.plots):
            area.setFocus()

    def _put_over(self, answer: Frame | Failure) -> None:
        """Draw another fit over the active one, with its lines in the legend; the banner says why one has
        failed."""
        others, plot = self.decorate.others, self.row.plots[0]
        others[answer.fit] = None
        if isinstance(answer, Frame):
            others[answer.fit] = answer.decoration or self.decorate(answer)
        if (frame := plot.frame) is not None:
            plot.advise(frame)
        elif plot.failure is not None:
            plot.show_answer(plot.failure)
        plot.scene.touch()
        plot.pulse.ask(0)

    # What happens --------------------------------------------------------------------------------------
    def _on_state(self, old: State, new: State) -> None:
        """Show a change of the session; with another workspace in front, end a gesture where it is."""
        if not self.in_front:
            self.pointer.drop()  # the release still comes here
            return
        if old.document is not new.document:
            plot = self.row.plots[0]
            if old.document.data is not new.document.data:
                plot.about_data = ""
            plot.complaining = plot.shows_about_data
        self.show_change(old, new)

    def _on_answer(self, answer: Frame | Failure) -> None:
        """Show an answer of the worker in every plot of that fit. A plot that has not been drawn for a while
        is drawn without waiting for its next beat."""
        if not self.in_front:
            return
        if self.workspace.lays_over and answer.fit != answer.request.active:
            self._put_over(answer)
        for plot in self.row.shown:
            if plot.wants(answer):
                plot.show_answer(answer)
                if plot.scene is not self.scene:
                    self.scene.touch_legend()
                    self.row.plots[0].pulse.ask(0)
                if plot.pulse.rested and isinstance(answer, Frame):
                    plot.pulse.now()  # panels can wait, the eye is here
                else:
                    plot.pulse.ask(0)

    def _on_busy(self, busy: bool) -> None:
        """Show or hide "computing…"."""
        self.computing.setVisible(busy)
        self.computing.raise_()
        self._remove_other_fits()
        self.row.plots[0].place_note(self.computing)

    def _remove_other_fits(self) -> None:
        """Show only the points while the worker is late and the fits on screen belong to other points."""
        document = self.workbench.session.document
        waits = self.workbench.frozen or not self.computing.isVisibleTo(self)
        if document.workspace is not self.workspace or waits:
            return
        for plot in self.row.shown:
            decoration = plot.scene.decoration
            if decoration is not None and are_others(document.data, decoration.data):
                plot.show_no_fit()
                if not plot.complaining:
                    plot.banner.clear()
                plot.pulse.ask(0)

    def legend_menu(self) -> QMenu:
        """Return the menu of the legend, to be shown at the mouse."""
        session, menu = self.workbench.session, QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        pin = menu.addAction("Pin the legend here")
        pin.setCheckable(True)
        pin.setChecked(session.look.legend is not None)
        pin.toggled.connect(lambda on: session.adjust(legend=self.scene.legend.place if on else None))
        menu.addAction("Hide the legend").triggered.connect(lambda: session.toggle("legend"))
        return menu

    def point_menu(self) -> QMenu:
        """Return the menu of the selected points, to be shown where a finger rests on one of them."""
        menu, movable = QMenu(self), self.workspace.movable
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Delete").triggered.connect(self.editor.delete_selection)
        if self.workspace.has_classes:
            menu.addAction("Flip class").triggered.connect(self.editor.flip_selection)
        if movable and len(self.editor.selection) == 1:
            menu.addAction("Type its coordinates…").triggered.connect(self.coordinates_wanted)
        return menu

    def _on_rest(self, plot: CanvasPlot, spot: Spot, lifted: bool) -> None:
        """Select the point on which a finger rests, and open its menu, or that of the legend, when the finger
        is lifted."""
        point, on_legend = plot.scene.hit("points", spot), plot.scene.card.contains(spot.column, spot.row)
        if point is not None and point not in self.editor.selection:
            self.editor.select([point])
        if lifted and (point is not None or on_legend):
            menu = self.point_menu() if point is not None else self.legend_menu()
            menu.popup(plot.area.mapToGlobal(plot.area.position(spot).toPoint()))

    def _on_press(self, plot: CanvasPlot, spot: Spot) -> None:
        """Activate the fit of the pressed plot, then open the menu of the legend or begin a gesture."""
        if not self.in_front:  # Qt sends a second button to where the first one went down, hidden or not
            plot.area.let_go()
            return
        self.pressed.emit()
        if plot.fit is not None:
            self.workbench.session.activate(plot.fit)
        on_legend = plot.scene.card.contains(spot.column, spot.row)
        if spot.button == "right" and on_legend and plot.scene.hit("points", spot) is None:
            plot.area.let_go()
            self.legend_menu().popup(QCursor.pos())
        else:
            self.pointer.press(plot, spot)

    def _on_press_outside(self, spot: Spot) -> None:
        """Open the menu of a legend below the axes on a right click."""
        if spot.button == "right" and self.area.row_below and spot.row > self.area.pixels[1]:
            self.legend_menu().popup(QCursor.pos())

    def _on_beat(self, plot: CanvasPlot) -> None:
        """Process the mouse events on a plot since the last beat, and draw the plot."""
        if not self.in_front or plot not in self.row.shown:
            return
        if plot is self.pointer.plot and (spot := self.pointer.beat()) is not None:
            point = self.pointer.point_at(spot)
            self.pointer.show_hovered(spot, point)
            self.workbench.hover(point)
            self.pointed.emit(spot.x, spot.y)
        self.row.write_view()
        plot.scene.flush(resting=not self.pointer.busy)
        if plot.scene is self.scene and not self.pointer.busy:
            self.row.settle_legend()
        if plot.banner.isVisible():
            plot.place_banner()  # the legend may have changed
        if plot.scene is self.scene:
            for note in (self.computing, self.note):
                if note.isVisible():
                    plot.place_note(note)

    def _on_hovered(self, point: int | None) -> None:
        """Mark the point that the mouse is over in any view, and the other one of a matrix cell."""
        pair = (point, self.workbench.hovered_partner)
        for plot in self.row.plots:
            plot.scene.highlight([i for i in pair if i is not None])
        self._draw_soon()

    def _on_leave(self) -> None:
        """Report that the mouse is over no place, unless it has left in the middle of a gesture."""
        self.pointer.leave()
        if not self.pointer.busy:
            self.workbench.hover(None)
            self.left.emit()

    # The look ------------------------------------------------------------------------------------------
    @property
    def style_of_figure(self) -> Style:
        """Return the theme and the sizes it is drawn with."""
        return self._style or Style(current_theme())

    def set_theme(self, theme: Theme | None) -> None:
        """Use this theme on the canvas, or the application's if None."""
        self._theme = theme
        self.update_style()

    def update_style(self) -> None:
        """Follow the theme, the type and the size; plots side by side all have the same style."""
        theme, app = self._theme or current_theme(), QApplication.instance()
        size = (self.row.cell_size if self.row.together else self.size()).toTuple()
        scale = 1.0  # how much larger than usual the application's type is, as for a lecture hall
        if isinstance(app, QApplication) and app.property("kernelviz-theme") is not None:
            scale = app.font().pointSizeF() / BASE_POINTS
        style = Style(theme).with_type(scale).for_window(*(POINTS_PER_PIXEL * side for side in size))
        if style == self._style:
            return
        self._style = style
        for note, colour in ((self.computing, theme.muted), (self.note, theme.ink)):
            note.setStyleSheet(
                f"#{note.objectName()} {{ color: {colour}; background: {theme.raised};"
                f" border: 1px solid {theme.border}; border-radius: 9px; padding: 2px 8px; }}"
            )
        for plot in self.row.plots:
            plot.restyle(style)
        self._on_resized()

    def _on_resized(self) -> None:
        """Fit the axes, the banners and the note about computing to another size."""
        self.row.refit(resized=True)
        for plot in self.row.shown:
            plot.place_banner()
        for note in (self.computing, self.note):
            self.row.plots[0].place_note(note)

    def _on_row_resized(self) -> None:
        """Arrange the plots again: another size may have room for more of them."""
        if self.row.count > 1:
            self._arrange()
        else:
            self.row.place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.update_style()

    def changeEvent(self, event: QEvent) -> None:
        style_events = (QEvent.Type.PaletteChange, QEvent.Type.StyleChange, QEvent.Type.FontChange)
        super().changeEvent(event)
        if event.type() in style_events and self._style is not None:
            self.update_style()
