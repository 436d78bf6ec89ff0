"""The canvas of points on two axes: a pane for each fit, with keys and a share of the toolbar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QSize
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QToolBar, QVBoxLayout, QWidget

from kernelviz.runtime.messages import Failure, Frame
from kernelviz.scene.theme import Theme
from kernelviz.scene.workspace_painter import Decoration
from kernelviz.session.state import State
from kernelviz.session.workspaces.base import Workspace
from kernelviz.session.workspaces.registry import workspace_of
from kernelviz.ui.canvas.keys import Keys
from kernelviz.ui.canvas.pane import Pane
from kernelviz.ui.canvas.side_by_side import SideBySide
from kernelviz.ui.canvas.toolbar import ToolBarPart
from kernelviz.ui.workbench.workbench import Workbench


class PointsCanvas(Pane):
    """Points where their workspace says they lie, what its painter puts behind them, and the tools."""

    leader: PointsCanvas | None
    row: SideBySide | None = None  # This pane and those of further fits, where they are seen side by side.

    def __init__(
        self,
        workbench: Workbench,
        theme: Theme | None = None,
        workspace: Workspace | None = None,
        leader: PointsCanvas | None = None,
    ) -> None:
        super().__init__(workbench, theme, workspace, leader)
        self._keys = Keys(self)
        self.area.installEventFilter(self._keys)
        alone = leader is not None or self.workspace.lays_over
        self.row = None if alone else SideBySide(self, self.plot(), self.companion)
        self._lay_out()
        if self.workspace.lays_over:
            workbench.other_fit_arrived.connect(self._on_beside)
            workbench.other_fit_failed.connect(self._on_beside_failure)
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
        """Return what shows one fit: the plotting area, or that among others."""
        return self.area

    def body(self) -> QWidget:
        """Return what fills it: the plots of all fits, or those among others."""
        return self.row or self.plot()

    def fill_toolbar(self, bar: QToolBar) -> dict[str, QAction]:
        """Add a button for every tool, and the options of the one in use."""
        self.toolbar_part = ToolBarPart(self, bar)
        return self.toolbar_part.actions

    def show_tools(self, on: bool) -> None:
        self.toolbar_part.show_all(on)

    # Side by side --------------------------------------------------------------------------------------
    def companion(self) -> PointsCanvas:
        """Return a new pane for another fit, with the same points, view and tools."""
        made = type(self)(self.workbench, self._theme, self.workspace, self)
        made.pointed.connect(self.pointed)
        made.left.connect(self.left)
        made.coordinates_wanted.connect(self.coordinates_wanted)
        for name, tool in self.tools.items():
            made.tools[name].options = tool.options
        made.pointer.use(self.tool.name)
        return made

    @property
    def panes(self) -> Sequence[Pane]:
        return [self] if self.row is None else self.row.panes

    def explained(self) -> list[Decoration[Any]]:
        panes = [self] if self.row is None else self.row.shown
        return [shown for pane in panes if (shown := pane.scene.decoration) is not None]

    def flip(self, on: bool) -> None:
        if self.row is not None:
            self.row.flip(on)

    @property
    def size_of_style(self) -> QSize:
        row = self.row if self.leader is None else self.leader.row
        return row.cell_size if row is not None and row.together else super().size_of_style

    @property
    def drawn(self) -> QWidget:
        return self.row if self.row is not None and self.row.together else self.area

    def show_state(self, state: State) -> None:
        super().show_state(state)
        if self.row is not None:
            self.row.arrange()

    def show_change(self, old: State, new: State) -> None:
        super().show_change(old, new)
        if self.row is not None:
            self.row.follow(old, new)

    # Laid over each other ------------------------------------------------------------------------------
    def _on_beside(self, frame: Frame) -> None:
        if workspace_of(frame.data) is self.workspace:
            self._put_beside(frame.fit, frame.decoration or self.decorate(frame))

    def _on_beside_failure(self, failure: Failure) -> None:
        if workspace_of(failure.request.data) is self.workspace:
            self._put_beside(failure.fit, None)

    def _put_beside(self, fit: int, decoration: Decoration[Any] | None) -> None:
        """Draw and explain what there is of another fit, or say why there is nothing."""
        self.decorate.others[fit] = decoration
        if (frame := self.frame) is not None:
            self._advise(frame)
        self.scene.touch()
        self.pulse.ask()


Canvas = PointsCanvas  # By this name the window finds it.
