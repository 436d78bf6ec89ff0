"""Which panel sits where when nobody has moved it. A further panel is one line here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QWidget

from kernelviz.ui.insight.area import InsightArea
from kernelviz.ui.insight.views import VIEWS
from kernelviz.ui.panels.algorithm_panel import AlgorithmPanel
from kernelviz.ui.panels.data_panel import DataPanel
from kernelviz.ui.panels.kernel_panel import KernelPanel

if TYPE_CHECKING:
    from kernelviz.ui.window.main_window import MainWindow

__all__ = [
    "DOCKS",
    "arrange",
    "build_docks",
    "keys",
    "least_height",
    "moved",
    "placed",
    "reshape",
    "shape_for",
    "shape_of",
]

LEFT = Qt.DockWidgetArea.LeftDockWidgetArea
RIGHT = Qt.DockWidgetArea.RightDockWidgetArea
BELOW = Qt.DockWidgetArea.BottomDockWidgetArea

WIDTH = 310
DRAWER = 240
"""Height of the insight area below the canvas."""
WIDE = 1300
"""Width from which a window has columns on both sides of the canvas."""
LOW = 640
"""Height below which the panels of a single column share it as tabs."""
UNBOUNDED = 10_000
LEFT_COLUMN = {"data": (371, 380), "kernel": (329, UNBOUNDED)}
RIGHT_COLUMN = {"algorithm": (245, 300), "insight": (455, UNBOUNDED)}
"""Of each panel the least height, and that which shows all of it; who comes first is served first."""
ONE_COLUMN = {"algorithm": (185, 300), "kernel": (220, 420), "data": (225, UNBOUNDED)}
CORNERS = {Qt.Corner.BottomLeftCorner: LEFT, Qt.Corner.BottomRightCorner: RIGHT}
"""The columns reach down to the status line; the drawer is as wide as the canvas."""


@dataclass(frozen=True)
class Dock:
    """A panel; those of one area are one above the other."""

    name: str
    title: str
    area: Qt.DockWidgetArea
    make: Callable[..., QWidget]
    """Makes the panel from the workbench, and from its actions if it has any."""
    actions: tuple[str, ...] = ()
    """The window's commands that are buttons in it."""


DOCKS = (
    Dock("data", "Data", LEFT, DataPanel, ("open_file", "paste", "jitter", "clear")),
    Dock("kernel", "Kernel", LEFT, KernelPanel),
    Dock("algorithm", "Algorithm", RIGHT, AlgorithmPanel),
    Dock("insight", "Insight", RIGHT, InsightArea),
)


def keys() -> dict[str, str]:
    """Of every panel and every insight view the title and what leads to it: Alt+1 to Alt+9 and Alt+0, then
    the same with Shift."""
    panels = [dock.title for dock in DOCKS if dock.name != "insight"]
    views = [view.title for view in VIEWS.values()]
    return {title: f"Alt+{'Shift+' * (k // 10)}{(k + 1) % 10}" for k, title in enumerate((*panels, *views))}


def build_docks(window: MainWindow) -> dict[str, QDockWidget]:
    """Make every panel and put it in its place."""
    made: dict[str, QDockWidget] = {}
    for declared in DOCKS:
        dock = QDockWidget(declared.title, window)
        dock.setObjectName(declared.name)
        buttons = [window.actions_by_name[name] for name in declared.actions]
        dock.setWidget(declared.make(window.workbench, *([buttons] if buttons else [])))
        if declared.title in keys():
            window.keyboard.lead_to(dock, keys()[declared.title])
        _rest_behind_others(dock)
        window.addDockWidget(declared.area, dock)
        made[declared.name] = dock
    for corner, area in CORNERS.items():
        window.setCorner(corner, area)
    return made


def _rest_behind_others(dock: QDockWidget) -> None:
    """Qt moves a tab that is not in front merely out of sight, where it would work and take the focus."""
    panel = dock.widget()
    keeps_its_place = panel.sizePolicy()
    keeps_its_place.setRetainSizeWhenHidden(True)
    panel.setSizePolicy(keeps_its_place)
    dock.visibilityChanged.connect(panel.setVisible)


Shape = Literal["two columns", "one column", "tabs"]


def shape_for(width: int, height: int) -> Shape:
    """How the panels share a window of this size: the canvas comes first."""
    if width >= WIDE:
        return "two columns"
    return "one column" if height >= LOW else "tabs"


def shape_of(window: MainWindow) -> Shape:
    """How they share it now."""
    if window.dockWidgetArea(window.docks["insight"]) != BELOW:
        return "two columns"
    return "tabs" if window.tabifiedDockWidgets(window.docks["data"]) else "one column"


def area_of(declared: Dock, shape: Shape) -> Qt.DockWidgetArea:
    """Where a panel is put."""
    if shape == "two columns":
        return declared.area
    return BELOW if declared.name == "insight" else LEFT


def reshape(window: MainWindow, shape: Shape) -> None:
    """Put the panels where they belong in another shape; a drawer is closed at first."""
    before = shape_of(window)
    docks = window.docks
    for declared in DOCKS:
        window.addDockWidget(area_of(declared, shape), docks[declared.name])
    if shape == "tabs":
        for name in ("kernel", "algorithm"):
            window.tabifyDockWidget(docks["data"], docks[name])
        docks["data"].raise_()
    if "two columns" in (before, shape) and before != shape:
        docks["insight"].setVisible(shape == "two columns")


def arrange(window: MainWindow) -> None:
    """The proportions nobody has changed yet, for the present size of the window."""
    centre = window.centralWidget()
    assert centre is not None
    columns = (LEFT_COLUMN, RIGHT_COLUMN) if shape_of(window) == "two columns" else (ONE_COLUMN,)
    for column in columns:
        there = placed(window, column)
        if not there:
            continue
        height = max(dock.geometry().bottom() for dock in there) - min(dock.y() for dock in there)
        spare = height - sum(least for least, _ in column.values())
        heights = dict(zip(column, _shared_out(column, spare), strict=True))
        tall = [heights[dock.objectName()] for dock in there]
        window.resizeDocks(there, [WIDTH] * len(there), Qt.Orientation.Horizontal)
        window.resizeDocks(there, tall, Qt.Orientation.Vertical)
    if columns == (ONE_COLUMN,) and (drawer := placed(window, ["insight"])):
        window.resizeDocks(drawer, [DRAWER], Qt.Orientation.Vertical)


def placed(window: MainWindow, names: Iterable[str]) -> list[QDockWidget]:
    """Those of the panels that share the window: shown, not floating, and part of its layout.

    While Qt restores a layout they are not, and the window may be resized in the middle of that."""
    docks = [window.docks[name] for name in names]
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


def moved(window: MainWindow) -> bool:
    """Whether a panel is elsewhere than it was put."""
    shape = shape_of(window)
    return any(
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
