"""A canvas of points on two axes: plotting area, scene and tools in one widget."""

from __future__ import annotations

from typing import ClassVar, cast

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QToolBar, QVBoxLayout

from kernelviz.drawing.figure.decoration import Decorator
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.theme import Theme
from kernelviz.engine.arrays import Array
from kernelviz.runtime.messages import Frame
from kernelviz.session.state import State, ViewRange
from kernelviz.session.workspaces.base import Workspace
from kernelviz.session.workspaces.registry import workspace_of
from kernelviz.ui.canvas.advice import Advice, advice_on_aspect
from kernelviz.ui.canvas.area import PlotArea
from kernelviz.ui.canvas.base import Canvas
from kernelviz.ui.canvas.camera import Camera
from kernelviz.ui.canvas.keys import Keys
from kernelviz.ui.canvas.limits import LimitsDialog
from kernelviz.ui.canvas.pointer import Pointer
from kernelviz.ui.canvas.pulse import GRACE, Pulse
from kernelviz.ui.canvas.scene import Scene
from kernelviz.ui.canvas.toolbar import ToolBarPart
from kernelviz.ui.canvas.tools import TOOLS, Spot, Tool
from kernelviz.ui.canvas.view import zoomed
from kernelviz.ui.workbench.workbench import Workbench

__all__ = ["PointsCanvas"]

BESIDE = 10.0
"""Pixels between a point and its duplicate."""


class PointsCanvas(Canvas):
    """Points where their workspace says they lie, what its painter puts behind them, and the tools."""

    kinds_of_tools: ClassVar[tuple[type[Tool], ...]] = TOOLS
    tool_changed = Signal(str)

    def __init__(
        self, workbench: Workbench, theme: Theme | None = None, workspace: Workspace | None = None
    ) -> None:
        super().__init__(workbench, theme, workspace)
        self.area = PlotArea(self)
        self.scene = Scene(self.area, cast(Decorator, self.decorate))
        self._pulse = Pulse(self)
        self._camera = Camera(self.scene, workbench.session, self._pulse)
        self._pointer = Pointer(self.scene, self.editor, self._camera, self._pulse, self.kinds_of_tools)
        self._keys = Keys(self)
        self._lay_out()
        self._connect()
        self.begin()

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.area)
        self.area.lower()
        self.setTabOrder(self.area, self.banner.remedy_button)
        self.setFocusProxy(self.area)
        self.setMinimumSize(160, 120)
        for widget in (self, self.area):
            widget.setAccessibleName(f"{self.workspace.title} with the points and the fitted score")
        flip = "F flips their class, " if self.workspace.has_classes else ""
        self.area.setAccessibleDescription(
            "Tab selects points one after the other, the arrow keys move them, Insert adds one, "
            f"Delete removes them, {flip}Control+Tab leaves."
        )

    def _connect(self) -> None:
        area = self.area
        area.pressed.connect(self._pointer.press)
        area.moved.connect(self._pointer.move)
        area.released.connect(self._pointer.release)
        area.left.connect(self._on_leave)
        area.wheeled.connect(self._pointer.zoom)
        area.resized.connect(self._on_resized)
        area.installEventFilter(self._keys)
        self._pulse.beat.connect(self._on_beat)
        self.workbench.hovered.connect(self._on_hovered)
        self.workbench.beside_arrived.connect(self._on_beside)

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
        dialog = LimitsDialog(session.look.limits or session.look.view, axes, self)
        if dialog.exec():
            self._camera.look_at(dialog.chosen, typed=True)
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
    def drawn(self) -> PlotArea:
        return self.area

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
    def show_state(self, state: State) -> None:
        self.scene.show_data(state.document.data)
        self.scene.show_held_out(self.editor.held_out)
        self.scene.show_look(state.look)
        self._camera.apply(afresh=True)

    def catch_up(self) -> None:
        super().catch_up()
        self._camera.follow(self.workbench.session.state)

    def show_change(self, old: State, new: State) -> None:
        if old.document.data is not new.document.data:
            if not self._pointer.acting:
                self._pointer.drop()
            self.scene.show_data(new.document.data)
            if new.document.source and new.document.source != old.document.source:
                self.scene.unsettle_legend()
        if old.document.held_out is not new.document.held_out:
            self.scene.show_held_out(self.editor.held_out)
        self.scene.show_look(new.look)
        self._camera.follow(new)
        self._pulse.ask(GRACE if old.document is not new.document else 0.0)

    def show_frame(self, frame: Frame) -> None:
        self.scene.show_decoration(frame.decoration or self.decorate(frame))
        if self._pulse.rested:
            self._pulse.now()  # panels can wait, the eye is here
        else:
            self._pulse.ask()

    def show_no_fit(self) -> None:
        self.scene.show_decoration(None)
        self._pulse.ask()

    def advice_on_view(self, frame: Frame) -> Advice | None:
        equal = "equal_aspect" in self.workbench.session.look.shown
        return advice_on_aspect(self.workspace, frame.data) if equal else None

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
        return box, self.scene.legend.card().toAlignedRect().translated(box.topLeft())
