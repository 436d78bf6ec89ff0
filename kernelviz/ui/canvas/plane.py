"""The canvas of the plane: points, fit and tools in one widget."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QLabel, QToolBar, QVBoxLayout, QWidget

from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.painters import painter_of
from kernelviz.drawing.plane.decoration import Decoration, Decorator
from kernelviz.drawing.theme import BASE_POINTS, Theme, current_theme
from kernelviz.engine.arrays import Array
from kernelviz.runtime.messages import Failure, Frame
from kernelviz.session.state import State, ViewRange
from kernelviz.session.workspaces.base import Workspace
from kernelviz.session.workspaces.registry import workspace_of
from kernelviz.ui.canvas.advice import Advice, advice_on_aspect, advice_on_failure, advice_on_model
from kernelviz.ui.canvas.area import PlotArea
from kernelviz.ui.canvas.banner import Banner
from kernelviz.ui.canvas.camera import Camera
from kernelviz.ui.canvas.editor import Editor
from kernelviz.ui.canvas.keys import Keys
from kernelviz.ui.canvas.pointer import Pointer
from kernelviz.ui.canvas.pulse import GRACE, Pulse
from kernelviz.ui.canvas.scene import Scene
from kernelviz.ui.canvas.toolbar import ToolBarPart
from kernelviz.ui.canvas.tools import Spot, Tool
from kernelviz.ui.canvas.view import zoomed
from kernelviz.ui.workbench.workbench import Workbench

__all__ = ["Canvas", "PlaneCanvas"]

BESIDE = 10.0
"""Pixels between a point and its duplicate."""
STYLE_EVENTS = (QEvent.Type.PaletteChange, QEvent.Type.StyleChange, QEvent.Type.FontChange)


class PlaneCanvas(QWidget):
    """Shows the session's points at once and the fit of the last frame; turns gestures into changes."""

    pointed = Signal(float, float)
    """(x, y) under the mouse, at most once per beat, while it hovers over the plane."""
    left_plane = Signal()
    tool_changed = Signal(str)
    class_chosen = Signal(int)

    def __init__(
        self, workbench: Workbench, theme: Theme | None = None, workspace: Workspace | None = None
    ) -> None:
        super().__init__()
        self.workbench = workbench
        session = workbench.session
        self.workspace = workspace or workspace_of(session.document.data)
        decorate = painter_of(self.workspace).decorator()
        assert isinstance(decorate, Decorator)  # the scene shows no other kind of decoration
        self.decorate = decorate
        workbench.decorators[self.workspace.name] = self.decorate
        self._theme = theme
        self._style: Style | None = None
        self._complaining = False
        self.area = PlotArea(self)
        self.scene = Scene(self.area, self.decorate)
        self.banner = Banner(self, theme or current_theme())
        self.computing = QLabel("computing…", self)
        self.editor = Editor(session, self.complain)
        self._pulse = Pulse(self)
        self._camera = Camera(self.scene, session, self._pulse)
        self._pointer = Pointer(self.scene, self.editor, self._camera, self._pulse)
        self._keys = Keys(self)
        self._lay_out()
        self._connect()
        self._update_style()
        self._show_state(session.state)
        self._camera.apply(afresh=True)
        if workbench.frame is not None:
            self._show_frame(workbench.frame)
        elif workbench.failure is not None:
            self._show_failure(workbench.failure)

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.area)
        self.setFocusProxy(self.area)
        self.setMinimumSize(160, 120)
        for widget in (self, self.area):
            widget.setAccessibleName("Plane with the points and the fitted score")
        self.area.setAccessibleDescription(
            "Tab selects points one after the other, the arrow keys move them, Insert adds one, "
            "Delete removes them, F flips their class, Control+Tab leaves."
        )
        self.computing.setObjectName("computing")
        self.computing.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.computing.hide()

    def _connect(self) -> None:
        area, bench = self.area, self.workbench
        area.pressed.connect(self._pointer.press)
        area.moved.connect(self._pointer.move)
        area.released.connect(self._pointer.release)
        area.left.connect(self._on_leave)
        area.wheeled.connect(self._on_wheel)
        area.resized.connect(self._on_resized)
        area.installEventFilter(self._keys)
        self._pulse.beat.connect(self._on_beat)
        bench.state_changed.connect(self._on_state)
        bench.frame_arrived.connect(self._show_frame)
        bench.failed.connect(self._show_failure)
        bench.busy_changed.connect(self._on_busy)
        bench.hovered.connect(self._on_hovered)
        self.banner.switched.connect(bench.session.toggle)

    # The view ------------------------------------------------------------------------------------------
    def set_view(self, view: ViewRange) -> None:
        """Show a rectangle of the plane, or a little more where the aspect asks for it."""
        self._camera.look_at(view)

    def reset_view(self) -> None:
        """Show all points."""
        self._camera.fit()
        self.scene.unsettle_legend()

    def zoom_by(self, factor: float) -> None:
        """Enlarge around the middle."""
        view = self.area.view
        middle = (view.left + view.right) / 2, (view.bottom + view.top) / 2
        self._camera.look_at(zoomed(view, factor, *middle))

    def units(self, pixels: float) -> Array:
        """So many pixels to the right and up, in units of the plane."""
        return self.area.units(pixels)

    # Tools ---------------------------------------------------------------------------------------------
    @property
    def tools(self) -> dict[str, Tool]:
        return self._pointer.tools

    @property
    def tool(self) -> Tool:
        return self._pointer.tool

    def use(self, name: str) -> None:
        """Take up the tool of that name."""
        self._pointer.use(name)
        self.tool_changed.emit(name)

    def choose_class(self, k: int) -> bool:
        """Of several classes, add points of class k from now on; whether there is such a class."""
        if there := k < len(self.editor.classes):
            self.editor.choose(k)
            self.class_chosen.emit(k)
        return there

    def next_class(self) -> None:
        """Of several classes, add points of the next one from now on."""
        if self.editor.classes:
            self.choose_class((self.editor.chosen + 1) % len(self.editor.classes))

    def fill_toolbar(self, bar: QToolBar) -> dict[str, QAction]:
        """Add a button for every tool, and the options of the one in use."""
        self._toolbar = ToolBarPart(self, bar)
        return self._toolbar.actions

    # Menu actions --------------------------------------------------------------------------------------
    def delete_selection(self) -> None:
        self.editor.delete_selection()

    def flip_selection(self) -> None:
        self.editor.flip_selection()

    def duplicate_selection(self) -> None:
        self.editor.duplicate_selection(self.units(BESIDE) * (1, -1))

    def select_all(self) -> None:
        self.editor.select_all()

    def clear(self) -> None:
        self.editor.clear()

    def jitter(self) -> None:
        self.editor.jitter()

    def move_selected_to(self, x: float, y: float) -> None:
        """Put the selected point at (x, y); of several, their middle."""
        self.editor.move_selection_to(x, y)

    def add_in_the_middle(self, label: int) -> None:
        """Add a point where the view is centred, selected and ready to be moved by the arrow keys."""
        view = self.area.view
        row = self.editor.add((view.left + view.right) / 2, (view.bottom + view.top) / 2, label)
        if row is not None:
            self.editor.select([row])

    def select_next(self, step: int) -> bool:
        """Select the point after the selected one; False past the last, with nothing selected then."""
        selection, n = self.editor.selection, self.editor.data.n
        start = -1 if step > 0 else n
        row = (selection[-1 if step > 0 else 0] if selection else start) + step
        inside = 0 <= row < n
        self.editor.select([row] if inside else ())
        return inside

    def escape(self) -> bool:
        """Cancel the gesture under way, or else clear the selection; whether there was any."""
        if self._pointer.cancel():
            return True
        selected = bool(self.editor.selection)
        self.editor.select(())
        return selected

    # Words ---------------------------------------------------------------------------------------------
    def complain(self, sentence: str, suggestion: str = "") -> None:
        """Say that something cannot be done, without stopping anybody, until it is read or work goes on."""
        self._complaining = True
        self.banner.say(Advice(sentence, suggestion))

    # In front or behind ---------------------------------------------------------------------------------
    @property
    def in_front(self) -> bool:
        """Whether the document is one of this canvas' workspace."""
        return workspace_of(self.workbench.session.document.data) is self.workspace

    def catch_up(self) -> None:
        """In front again: show what the session has become meanwhile."""
        self.scene.show_decoration(None)
        self._show_state(self.workbench.session.state)
        self._camera.follow(self.workbench.session.state)

    def show_tools(self, on: bool) -> None:
        """Have its buttons in the toolbar, or out of the way of another canvas'."""
        self._toolbar.show_all(on)

    # What happens --------------------------------------------------------------------------------------
    def _on_beat(self) -> None:
        if not self.in_front:
            return
        hovering = self._pointer.beat()
        if hovering is not None:
            self._hover(hovering)
        self._camera.write()
        self.scene.flush()
        if self.banner.isVisible():
            self._place_banner()  # the legend may have changed

    def _hover(self, spot: Spot) -> None:
        point = self._pointer.point_at(spot)
        self._pointer.show_hovered(point)
        self.workbench.hover(point)
        self.pointed.emit(spot.x, spot.y)

    def _on_hovered(self, point: int | None) -> None:
        pair = (point, self.workbench.hovered_partner)
        self.scene.overlay.highlighted = tuple(i for i in pair if i is not None)
        self.scene.touch_overlay()
        self._pulse.ask()

    def _on_leave(self) -> None:
        self._pointer.leave()
        if not self._pointer.busy:
            self.workbench.hover(None)
            self.left_plane.emit()

    def _on_wheel(self, factor: float, spot: Spot) -> None:
        self._pointer.zoom(factor, spot)

    def _on_state(self, old: State, new: State) -> None:
        if not self.in_front:
            return
        if old.document is not new.document:
            self._complaining = False
        if old.document.data is not new.document.data:
            if not self._pointer.acting:
                self._pointer.drop()
            self.scene.show_data(new.document.data)
            if new.document.source and new.document.source != old.document.source:
                self.scene.unsettle_legend()
        self.scene.show_look(new.look)
        self._camera.follow(new)
        self._pulse.ask(GRACE if old.document is not new.document else 0.0)

    def _show_state(self, state: State) -> None:
        self.scene.show_data(state.document.data)
        self.scene.show_look(state.look)
        self._pulse.ask()

    def _show_frame(self, frame: Frame) -> None:
        if workspace_of(frame.data) is not self.workspace:
            return
        ready = frame.decoration
        self.scene.show_decoration(ready if isinstance(ready, Decoration) else self.decorate(frame))
        advice = advice_on_model(frame.model)
        if advice is None and not self._complaining and "equal_aspect" in self.workbench.session.look.shown:
            advice = advice_on_aspect(frame.data)
        if advice is not None:
            self.banner.say(advice)
        elif not self._complaining:
            self.banner.clear()
        if self._pulse.rested:
            self._pulse.now()  # panels can wait, the eye is here
        else:
            self._pulse.ask()

    def _show_failure(self, failure: Failure) -> None:
        if not self.in_front:
            return
        self.scene.show_decoration(None)
        self.banner.say(advice_on_failure(failure))
        self._pulse.ask()

    def _on_busy(self, busy: bool) -> None:
        self.computing.setVisible(busy)
        self.computing.raise_()

    # The look ------------------------------------------------------------------------------------------
    def set_theme(self, theme: Theme | None) -> None:
        """Use a theme of its own, or with None the application's."""
        self._theme = theme
        self._update_style()

    def _update_style(self) -> None:
        theme = self._theme or current_theme()
        style = Style(theme).scaled(_application_scale())
        if style == self._style:
            return
        self._style = style
        self.scene.set_style(style)
        self.banner.set_theme(theme)
        self.computing.setStyleSheet(
            f"#computing {{ color: {theme.muted}; background: {theme.raised};"
            f" border: 1px solid {theme.border}; border-radius: 9px; padding: 2px 8px; }}"
        )
        self._camera.apply(afresh=True)
        self._place()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in STYLE_EVENTS and self._style is not None:
            self._update_style()

    def _on_resized(self) -> None:
        self._camera.apply(afresh=True)
        self._place()

    def _place_banner(self) -> None:
        box = self.area.box.mapRectToScene(self.area.box.rect()).toRect()
        card = self.scene.legend.card().toAlignedRect()
        self.banner.room, self.banner.keep_off = box, card.translated(box.topLeft())
        self.banner.place()

    def _place(self) -> None:
        box = self.area.box.mapRectToScene(self.area.box.rect()).toRect()
        self._place_banner()
        self.computing.adjustSize()
        self.computing.move(box.left() + 8, box.bottom() - self.computing.height() - 8)


Canvas = PlaneCanvas
"""By this name the window finds it."""


def _application_scale() -> float:
    """How much larger than usual the application's type is, as for a lecture hall."""
    app = QApplication.instance()
    if not isinstance(app, QApplication) or app.property("kernelviz-theme") is None:
        return 1.0
    return float(app.font().pointSizeF() / BASE_POINTS)
