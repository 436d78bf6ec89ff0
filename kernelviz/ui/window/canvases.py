"""The canvases of all workspaces, one of them in front, and the switch between them.

Which canvas is in front follows from the data of the session: the switch only asks the session to visit a
workspace. A canvas is made when its workspace is first entered, and its module is imported then."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QToolBar

from kernelviz.session.state import State
from kernelviz.session.workspaces.base import Workspace
from kernelviz.session.workspaces.registry import workspaces
from kernelviz.ui.canvas.points import PointsCanvas
from kernelviz.ui.widgets.controls import Segments
from kernelviz.ui.widgets.labels import describe
from kernelviz.ui.workbench.workbench import Workbench


def canvas_class(workspace: Workspace) -> type[PointsCanvas]:
    """Return the class of the canvas of a workspace; its module is imported now."""
    others = {"words": "kernelviz.ui.canvas.words.canvas"}  # by the pictures of their workspaces
    if (module := others.get(workspace.drawn_as)) is None:
        return PointsCanvas
    found: type[PointsCanvas] = importlib.import_module(module).Canvas
    return found


class Canvases(QStackedWidget):
    """A stack with a canvas for each workspace that has been entered; the data decide which one is in front.

    Its signals are those of the canvas in front. The tools of the others are hidden in the toolbar."""

    pointed = Signal(float, float)
    left = Signal()
    pressed = Signal()
    coordinates_wanted = Signal()

    def __init__(self, workbench: Workbench) -> None:
        super().__init__()
        self._workbench = workbench
        self._made: dict[str, PointsCanvas] = {}
        self._bar: QToolBar | None = None
        self.switch: Segments | None = None
        self._enter(workbench.session.document.workspace)
        workbench.state_changed.connect(self._on_state)

    @property
    def current(self) -> PointsCanvas:
        """The canvas in front."""
        return cast(PointsCanvas, self.currentWidget())

    @property
    def workspace(self) -> Workspace:
        """The workspace of the canvas in front."""
        return self.current.workspace

    @property
    def tools_in_use(self) -> dict[str, str]:
        """The name of the tool in use, for each workspace that has been entered."""
        return {name: canvas.tool.name for name, canvas in self._made.items()}

    def use_tools(self, names: Mapping[str, str]) -> None:
        """Take up these tools, by workspace, and the first tool in every other workspace."""
        for workspace, canvas in self._made.items():
            canvas.use(names.get(workspace, canvas.kinds_of_tools[0].name))

    def fill_toolbar(self, bar: QToolBar) -> None:
        """Add the tools of the canvas in front to a toolbar."""
        self._bar = bar
        self.current.fill_toolbar(bar)

    def fill_switch(self, bar: QToolBar) -> None:
        """Add the switch between workspaces, Plane · Curve · …, to a toolbar."""
        every = {workspace.name: workspace for workspace in workspaces() if not workspace.variant_of}
        self.switch = Segments({name: workspace.title for name, workspace in every.items()})
        self.switch.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.switch.show_option(self.workspace.segment)
        for name, button in self.switch.buttons.items():
            describe(button, every[name].title, f"{every[name].summary_line}. Undo comes back")
            # Also from a variant, whose segment is pressed already, to the workspace itself.
            button.clicked.connect(lambda _=False, one=every[name]: self._workbench.session.visit(one))
        bar.addWidget(self.switch)
        bar.addSeparator()

    def _on_state(self, old: State, new: State) -> None:
        """Bring the canvas of the data to the front, if another one is there."""
        if old.document.data is not new.document.data:
            workspace = new.document.workspace
            if workspace is not self.workspace:
                self._enter(workspace)

    def _enter(self, workspace: Workspace) -> None:
        """Bring the canvas of a workspace to the front, with its tools; make it if there is none yet."""
        before = self.currentWidget()
        canvas = self._made.get(workspace.name)
        if canvas is None:
            made = canvas_class(workspace)
            canvas = self._made[workspace.name] = made(self._workbench, workspace=workspace)
            canvas.pointed.connect(self.pointed)
            canvas.left.connect(self.left)
            canvas.pressed.connect(self.pressed)
            canvas.coordinates_wanted.connect(self.coordinates_wanted)
            self.addWidget(canvas)
            if self._bar is not None:
                canvas.fill_toolbar(self._bar)
        else:
            canvas.catch_up()
        self.setCurrentWidget(canvas)
        self.setFocusProxy(canvas)
        if self.switch is not None:
            self.switch.show_option(workspace.segment)
        if isinstance(before, PointsCanvas):
            before.show_tools()
            canvas.show_tools()
