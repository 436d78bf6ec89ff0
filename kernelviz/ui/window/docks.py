"""Which panel sits where when nobody has moved it. A further panel is one line here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

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

WIDTH = 310
DRAWER = 240  # Height of the insight area below the canvas.
WIDE = 1300  # Width from which a window has columns on both sides of the canvas.
# Width and height below which there is no room for a column. All of these are for type of the usual size.
NARROW, LOW = 900, 600
UNBOUNDED = 10_000
LEFT_COLUMN = {"data": (371, 380), "kernel": (329, UNBOUNDED)}
# Of each panel the least height, and that which shows all of it; who comes first is served first.
RIGHT_COLUMN = {"algorithm": (245, 300), "insight": (455, UNBOUNDED)}
# The columns reach down to the status line; the drawer is as wide as the canvas.
CORNERS = {Qt.Corner.BottomLeftCorner: LEFT, Qt.Corner.BottomRightCorner: RIGHT}


@dataclass(frozen=True)
class Dock:
    """A panel; those of one area are one above the other."""

    name: str
    title: str
    area: Qt.DockWidgetArea
    make: Callable[..., QWidget]  # Makes the panel from the workbench, and from its actions if it has any.
    actions: tuple[str, ...] = ()  # The window's commands that are buttons in it.


DOCKS = (
    Dock("data", "Data", LEFT, DataPanel, ("open_file", "paste", "jitter", "clear")),
    Dock("kernel", "Kernel", LEFT, KernelPanel),
    Dock("algorithm", "Algorithm", RIGHT, AlgorithmPanel),
    Dock("insight", "Insight", RIGHT, InsightArea),
)


def keys() -> dict[str, str]:
    """Of every panel and every insight view the title and what leads to it: Alt+1 to Alt+9 and Alt+0, then
    the same with Shift, then with Ctrl."""
    panels = [dock.title for dock in DOCKS if dock.name != "insight"]
    views = [view.title for view in VIEWS.values()]
    offered = (f"{held}{(k + 1) % 10}" for held in ("Alt+", "Alt+Shift+", "Ctrl+Alt+") for k in range(10))
    return dict(zip((*panels, *views), offered, strict=False))


def build_docks(window: Shell) -> dict[str, PanelDock]:
    """Make every panel and put it in its place."""
    made: dict[str, PanelDock] = {}
    for declared in DOCKS:
        buttons = [window.actions_by_name[name] for name in declared.actions]
        panel = declared.make(window.workbench, *([buttons] if buttons else []))
        dock = PanelDock(declared.name, declared.title, panel, window)
        if declared.title in keys():
            window.keyboard.lead_to(dock, keys()[declared.title])
        window.addDockWidget(declared.area, dock)
        made[declared.name] = dock
    for corner, area in CORNERS.items():
        window.setCorner(corner, area)
    return made


# Panels on both sides of the canvas; one column of which one panel is open; icons.
Shape = Literal["columns", "accordion", "rail"]


def shape_for(width: float, height: float) -> Shape:
    """How the panels share a window of this size, in type of the usual size: the canvas comes first."""
    if width < NARROW or height < LOW:
        return "rail"
    return "columns" if width >= WIDE else "accordion"


def area_of(declared: Dock, shape: Shape) -> Qt.DockWidgetArea:
    """Where a panel is put."""
    if shape == "columns":
        return declared.area
    return BELOW if declared.name == "insight" else LEFT


def put(window: Shell, shape: Shape) -> None:
    """Put the panels where they belong, in columns or with the insight in a drawer, closed at first."""
    for declared in DOCKS:
        window.addDockWidget(area_of(declared, shape), window.docks[declared.name])
    window.docks["insight"].setVisible(shape == "columns")


def arrange(window: Shell, shape: Shape, scale: float) -> None:
    """The proportions nobody has changed yet, for the present size of the window and of its type."""
    there = placed(window, LEFT_COLUMN | RIGHT_COLUMN)
    window.resizeDocks(there, [round(scale * WIDTH)] * len(there), Qt.Orientation.Horizontal)
    if shape == "accordion" and (drawer := placed(window, ["insight"])):
        window.resizeDocks(drawer, [round(scale * DRAWER)], Qt.Orientation.Vertical)
    for column in (LEFT_COLUMN, RIGHT_COLUMN) if shape == "columns" else ():
        there = placed(window, column)
        if not there:
            continue
        height = max(dock.geometry().bottom() for dock in there) - min(dock.y() for dock in there)
        spare = height - sum(least for least, _ in column.values())
        heights = dict(zip(column, _shared_out(column, spare), strict=True))
        tall = [heights[dock.objectName()] for dock in there]
        window.resizeDocks(there, tall, Qt.Orientation.Vertical)


def placed(window: Shell, names: Iterable[str]) -> list[QDockWidget]:
    """Those of the panels that share the window: shown, not floating, and part of its layout.

    While Qt restores a layout they are not, and the window may be resized in the middle of that."""
    docks: list[QDockWidget] = [window.docks[name] for name in names]
    nowhere = Qt.DockWidgetArea.NoDockWidgetArea
    return [
        dock
        for dock in docks
        if not dock.isHidden() and not dock.isFloating() and window.dockWidgetArea(dock) != nowhere
    ]


def least_height(name: str) -> int:
    """Of a panel."""
    least, _ = (LEFT_COLUMN | RIGHT_COLUMN)[name]
    return least


def moved(window: Shell, shape: Shape) -> bool:
    """Whether a panel is elsewhere than it was put."""
    return shape != "rail" and any(
        window.docks[declared.name].isFloating()
        or window.dockWidgetArea(window.docks[declared.name]) != area_of(declared, shape)
        for declared in DOCKS
    )


def _shared_out(column: dict[str, tuple[int, int]], spare: int) -> list[int]:
    """Everyone's least height; what is left goes, in turn, to those who can use it."""
    heights = []
    for least, most in column.values():
        more = min(max(spare, 0), most - least)
        spare -= more
        heights.append(least + more)
    return heights
