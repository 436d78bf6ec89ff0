"""The panels of the window: which there are, where they are put and which keys lead to them.

A further panel is one line in DOCKS."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QWidget

from kernelviz.ui.insight.area import InsightArea
from kernelviz.ui.insight.views import VIEWS
from kernelviz.ui.sidebar.algorithm_panel import AlgorithmPanel
from kernelviz.ui.sidebar.data_panel import DataPanel
from kernelviz.ui.sidebar.kernel_panel import KernelPanel
from kernelviz.ui.window.panel_dock import PanelDock
from kernelviz.ui.window.shell import Shell

LEFT = Qt.DockWidgetArea.LeftDockWidgetArea
RIGHT = Qt.DockWidgetArea.RightDockWidgetArea
BELOW = Qt.DockWidgetArea.BottomDockWidgetArea
WIDTH = 310  # Of a panel, in pixels for type of the usual size.
UNBOUNDED = 10_000  # Pixels.
# The columns reach down to the status line; the drawer below the canvas is as wide as the canvas.
CORNERS = {Qt.Corner.BottomLeftCorner: LEFT, Qt.Corner.BottomRightCorner: RIGHT}


@dataclass(frozen=True, eq=False, repr=False)
class Dock:
    """A panel and its place; those of one area are one above the other."""

    name: str
    title: str
    area: Qt.DockWidgetArea
    make: Callable[..., QWidget]  # Makes the panel from the workbench, and from its actions if it has any.
    least: int  # The least height in a column, in pixels.
    most: int  # The height that shows all of it; of a column, the first panel gets it first.
    actions: tuple[str, ...] = ()  # The window's commands that are buttons in it.


DOCKS = (
    Dock("data", "Data", LEFT, DataPanel, 375, 384, ("open_file", "paste", "jitter", "clear")),
    Dock("kernel", "Kernel", LEFT, KernelPanel, 276, UNBOUNDED),
    Dock("algorithm", "Algorithm", RIGHT, AlgorithmPanel, 245, 300),
    Dock("insight", "Insight", RIGHT, InsightArea, 455, UNBOUNDED),
)


def keys() -> dict[str, str]:
    """Return the shortcut of every panel and every insight view, by title.

    They are Alt+1 to Alt+9 and Alt+0, then the same with Shift, then with Ctrl."""
    panels = [dock.title for dock in DOCKS if dock.name != "insight"]
    views = [view.title for view in VIEWS.values()]
    offered = (f"{held}{(k + 1) % 10}" for held in ("Alt+", "Alt+Shift+", "Ctrl+Alt+") for k in range(10))
    return dict(zip((*panels, *views), offered, strict=False))


def build_docks(window: Shell) -> dict[str, PanelDock]:
    """Make every panel and put it in its place; return them by name."""
    made: dict[str, PanelDock] = {}
    for declared in DOCKS:
        buttons = [window.actions_by_name[name] for name in declared.actions]
        panel = declared.make(window.workbench, *([buttons] if buttons else []))
        dock = made[declared.name] = PanelDock(declared.name, declared.title, panel, window)
        window.addDockWidget(declared.area, dock)
    for corner, area in CORNERS.items():
        window.setCorner(corner, area)
    return made


def placed(window: Shell, names: Iterable[str]) -> list[QDockWidget]:
    """Return those of the panels that share the window: shown, not floating, and part of its layout.

    While Qt restores a layout they are not part of it, and the window may be resized in the middle of
    that."""
    docks: list[QDockWidget] = [window.docks[name] for name in names]
    nowhere = Qt.DockWidgetArea.NoDockWidgetArea
    return [
        dock
        for dock in docks
        if not dock.isHidden() and not dock.isFloating() and window.dockWidgetArea(dock) != nowhere
    ]
