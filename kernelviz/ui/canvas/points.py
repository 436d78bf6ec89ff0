"""A canvas of points on two axes: plotting area, scene and tools in one widget."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPoint, QRect, QSize, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QToolBar, QVBoxLayout, QWidget

from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.painters import Decoration
from kernelviz.drawing.theme import Theme
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.params import Declared
from kernelviz.runtime.messages import Failure, Frame
from kernelviz.session.state import State
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces.base import Workspace
from kernelviz.session.workspaces.registry import workspace_of
from kernelviz.ui.canvas.area import PlotArea
from kernelviz.ui.canvas.banner import Advice, advice_on_aspect, advice_on_bumps, advice_on_others
from kernelviz.ui.canvas.base import Canvas
from kernelviz.ui.canvas.camera import Camera, CameraBeside
from kernelviz.ui.canvas.keys import Keys
from kernelviz.ui.canvas.limits import LimitsDialog
from kernelviz.ui.canvas.pointer import Pointer
from kernelviz.ui.canvas.pulse import GRACE, Pulse
from kernelviz.ui.canvas.scene import Scene
from kernelviz.ui.canvas.side_by_side import SideBySide
from kernelviz.ui.canvas.toolbar import ToolBarPart
from kernelviz.ui.canvas.tools import TOOLS
from kernelviz.ui.canvas.tools.base import Spot, Tool
from kernelviz.ui.canvas.view import zoomed
from kernelviz.ui.workbench.workbench import Workbench

BESIDE = 10.0  # Pixels between a point and its duplicate.


class PointsCanvas(Canvas):
    """Points where their workspace says they lie, what its painter puts behind them, and the tools."""

    kinds_of_tools = TOOLS
    tool_changed = Signal(str)

    def __init__(
        self,
        workbench: Workbench,
        theme: Theme | None = None,
        workspace: Workspace | None = None,
        leader: PointsCanvas | None = None,
    ) -> None:
        super().__init__(workbench, theme, workspace, leader)
        self.leader = leader
        self.area = PlotArea(self)
        self.scene = Scene(self.area, self.decorate, None if leader else self._explained)
        self._pulse = Pulse(self)
        self._resting = False
        if leader is None:
            self._camera = Camera(self.scene, workbench.session, self._pulse)
        else:
            self._camera = CameraBeside(self.scene, leader._camera, self._pulse)
        self._pointer = Pointer(self.scene, self.editor, self._camera, self._pulse, self.kinds_of_tools)
        self._keys = Keys(self)
        alone = leader is not None or self.workspace.lays_over
        # This canvas and those of further fits, where they are seen side by side.
        self.row = None if alone else SideBySide(self, self.plot())
        self._lay_out()
        self._connect()
        self.begin()

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        body = self.body()
        layout.addWidget(body)
        body.lower()
        self.setTabOrder(self.area, self.banner.remedy_button)
        self.setFocusProxy(self.area)
        self.setMinimumSize(160, 120)
        for widget in (self, self.area):
            widget.setAccessibleName(f"{self.workspace.title} with the points and the fitted score")
        flip = "F flips their class, " if self.workspace.has_classes else ""
        move = "the arrow keys move them, " if self.workspace.movable else ""
        self.area.setAccessibleDescription(
            f"Tab selects points one after the other, {move}Insert adds one, "
            f"Delete removes them, {flip}Control+Tab leaves."
        )

    def plot(self) -> QWidget:
        """What shows one fit: the plotting area, or that among others."""
        return self.area

    def body(self) -> QWidget:
        """What fills it: the plots of all fits, or those among others."""
        return self.row or self.plot()

    def _connect(self) -> None:
        area = self.area
        area.pressed.connect(self._choose_fit)
        area.pressed.connect(self._pointer.press)
        area.moved.connect(self._pointer.move)
        area.released.connect(self._pointer.release)
        area.left.connect(self._on_leave)
        area.wheeled.connect(self._pointer.zoom)
        area.resized.connect(self._on_resized)
        area.installEventFilter(self._keys)
        self._pulse.beat.connect(self._on_beat)
        self.workbench.hovered.connect(self._on_hovered)
        if self.workspace.lays_over:
            self.workbench.other_fit_arrived.connect(self._on_beside)
            self.workbench.other_fit_failed.connect(self._on_beside_failure)

    # Several fits --------------------------------------------------------------------------------------
    def companion(self) -> PointsCanvas:
        """A canvas beside this one, with the same points, view and tools."""
        made = type(self)(self.workbench, self._theme, self.workspace, self)
        made.pointed.connect(self.pointed)
        made.left.connect(self.left)
        made.coordinates_wanted.connect(self.coordinates_wanted)
        for name, tool in self.tools.items():
            made.tools[name].options = tool.options
        made._pointer.use(self.tool.name)
        return made

    def _explained(self) -> list[Decoration[Any]]:
        """What the legend of the first canvas explains: all that is seen of the fits."""
        canvases = [self] if self.row is None else self.row.shown
        return [shown for canvas in canvases if (shown := canvas.scene.backdrop.decoration) is not None]

    @property
    def together(self) -> list[PointsCanvas]:
        """All canvases that there are of its data."""
        return [self] if self.row is None else self.row.canvases

    def show_fit(self, fit: int | None, resting: bool = False) -> None:
        """Show one of several fits, None for whichever is active; or rest."""
        woken, self._resting = self._resting and not resting, resting
        if woken or fit != self.fit:
            self.fit = fit
            if woken:
                self.catch_up()
            elif self.frame is None:
                self.show_no_fit()
            self.show_latest()

    def flip(self, on: bool) -> None:
        """Show the next of several fits where there is room for one, as long as it lasts."""
        if self.row is not None:
            self.row.flip(on)

    def _choose_fit(self) -> None:
        if self.fit is not None:
            self.workbench.session.activate(self.fit)

    @property
    def in_front(self) -> bool:
        return not self._resting and super().in_front

    def wants(self, answer: Frame | Failure) -> bool:
        return not self._resting and super().wants(answer)

    @property
    def size_of_style(self) -> QSize:
        row = self.row if self.leader is None else self.leader.row
        return row.cell_size if row is not None and row.together else super().size_of_style

    # The view ------------------------------------------------------------------------------------------
    def set_view(self, view: ViewRange) -> None:
        """Show a rectangle, or a little more where the aspect asks for it."""
        self._camera.look_at(view)

    def reset_view(self) -> None:
        self._camera.fit()
        self.scene.unsettle_legend()

    def set_limits(self) -> None:
        session = self.workbench.session
        axes = self.workspace.axes(session.document.data)
        unit = self.area.unit
        dialog = LimitsDialog((session.look.limits or session.look.view).times(unit), axes, self)
        if dialog.exec():
            self._camera.look_at(dialog.chosen.times(1.0 / unit), typed=True)
        dialog.deleteLater()

    def zoom_by(self, factor: float) -> None:
        """Enlarge around the middle."""
        self._camera.look_at(zoomed(self.area.view, factor, *self._middle))

    @property
    def _middle(self) -> tuple[float, float]:
        view = self.area.view
        return (view.left + view.right) / 2, (view.bottom + view.top) / 2

    def units(self, pixels: float) -> Array:
        """So many pixels to the right and up, in units of the axes."""
        return self.area.units(pixels)

    @property
    def beside(self) -> Array:
        return self.units(BESIDE) * (1, -1)

    @property
    def drawn(self) -> QWidget:
        return self.row if self.row is not None and self.row.together else self.area

    # Tools ---------------------------------------------------------------------------------------------
    @property
    def tools(self) -> dict[str, Tool]:
        return self._pointer.tools

    @property
    def tool(self) -> Tool:
        return self._pointer.tool

    def use(self, name: str) -> None:
        """Take up the tool of that name."""
        if self.leader is not None:
            self.leader.use(name)
            return
        for canvas in self.together:
            canvas._pointer.use(name)
        self.tool_changed.emit(name)

    def set_options(self, name: str, options: Declared) -> None:
        """How the tool of that name works."""
        for canvas in self.together:
            canvas.tools[name].options = options

    def fill_toolbar(self, bar: QToolBar) -> dict[str, QAction]:
        """Add a button for every tool, and the options of the one in use."""
        self._toolbar = ToolBarPart(self, bar)
        return self._toolbar.actions

    def show_tools(self, on: bool) -> None:
        self._toolbar.show_all(on)

    # What keys do --------------------------------------------------------------------------------------
    def add_in_the_middle(self, label: int) -> None:
        """Add a point where the view is centred, selected and ready to be moved by the arrow keys."""
        row = self.editor.add(*self._middle, label)
        if row is not None:
            self.editor.select([row])

    def type_point(self) -> None:
        """Have the coordinates of the point under the mouse, or of the selected one, typed."""
        self.coordinates_wanted.emit()

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

    # What is drawn -------------------------------------------------------------------------------------
    def show_data(self, data: Data) -> None:
        """Show the points of the document, at once."""
        self.scene.show_data(data)

    def show_held_out(self, data: Data | None) -> None:
        """Show the points that are not fitted."""
        self.scene.show_held_out(data)

    def show_decoration(self, decoration: Decoration[Any] | None) -> None:
        """Show a fit; None shows points alone."""
        self.scene.show_decoration(decoration)

    def show_state(self, state: State) -> None:
        self.show_data(state.document.data)
        self.show_held_out(self.editor.held_out)
        self.scene.show_look(state.look)
        self._camera.apply(afresh=True)
        if self.row is not None:
            self.row.arrange()

    def catch_up(self) -> None:
        super().catch_up()
        self._camera.follow(self.workbench.session.state)

    def show_change(self, old: State, new: State) -> None:
        if old.document.data is not new.document.data:
            if not self._pointer.acting:
                self._pointer.drop()
            self.show_data(new.document.data)
            if new.document.source and new.document.source != old.document.source:
                self.scene.unsettle_legend()
        if old.document.held_out is not new.document.held_out:
            self.show_held_out(self.editor.held_out)
        self.scene.show_look(new.look)
        self._camera.follow(new)
        if self.row is not None:
            self.row.follow(old, new)
        self._pulse.ask(GRACE if old.document is not new.document else 0.0)

    def show_frame(self, frame: Frame) -> None:
        self.show_decoration(frame.decoration or self.decorate(frame))
        if self.leader is not None:
            self.leader.scene.touch_legend()
            self.leader._pulse.ask()
        if self._pulse.rested:
            self._pulse.now()  # panels can wait, the eye is here
        else:
            self._pulse.ask()

    def show_no_fit(self) -> None:
        self.show_decoration(None)
        self._pulse.ask()

    def advice_on_view(self, frame: Frame) -> Advice | None:
        latest = self.workbench.latest
        others = (answer for fit, answer in sorted(latest.items()) if fit != frame.fit)
        unseen = [answer for answer in others if isinstance(answer, Failure)]
        if self.workspace.lays_over and (advice := advice_on_others(unseen)):
            return advice
        shown = self.workbench.session.look.shown
        if "bumps" in shown & set(self.workspace.toggles) and (advice := advice_on_bumps(frame.model)):
            return advice
        return advice_on_aspect(self.workspace, frame.data) if "equal_aspect" in shown else None

    # What happens --------------------------------------------------------------------------------------
    def _on_beat(self) -> None:
        if not self.in_front:
            return
        hovering = self._pointer.beat()
        if hovering is not None:
            self._hover(hovering)
        self._camera.write()
        self.scene.flush()
        if not self._pointer.busy:
            self._camera.settle_legend()
        if self.banner.isVisible():
            self.place_words()  # the legend may have changed

    def _hover(self, spot: Spot) -> None:
        point = self._pointer.point_at(spot)
        self._pointer.show_hovered(point)
        self.workbench.hover(point)
        self.pointed.emit(spot.x, spot.y)

    def _on_beside(self, frame: Frame) -> None:
        if workspace_of(frame.data) is self.workspace:
            self._put_beside(frame.fit, frame.decoration or self.decorate(frame))

    def _on_beside_failure(self, failure: Failure) -> None:
        if workspace_of(failure.request.data) is self.workspace:
            self._put_beside(failure.fit, None)

    def _put_beside(self, fit: int, decoration: Decoration[Any] | None) -> None:
        """Draw and explain what there is of another fit, or say why there is nothing."""
        self.decorate.put_beside(fit, decoration)
        if (frame := self.frame) is not None:
            self._advise(frame)
        self.scene.touch_backdrop()
        self._pulse.ask()

    def _on_hovered(self, point: int | None) -> None:
        pair = (point, self.workbench.hovered_partner)
        self.scene.overlay.highlighted = tuple(i for i in pair if i is not None)
        self.scene.touch_overlay()
        self._pulse.ask()

    def _on_leave(self) -> None:
        self._pointer.leave()
        if not self._pointer.busy:
            self.workbench.hover(None)
            self.left.emit()

    # The look ------------------------------------------------------------------------------------------
    def restyle(self, style: Style) -> None:
        self.scene.set_style(style)
        self._on_resized()

    def _on_resized(self) -> None:
        self._camera.apply(afresh=True)
        self.place_words()

    @property
    def room(self) -> tuple[QRect, QRect]:
        box = self.area.box.mapRectToScene(self.area.box.rect()).toRect()
        box.translate(self.area.mapTo(self, QPoint()))
        return box, self.scene.legend.card().toAlignedRect().translated(box.topLeft())
