"""Which panel sits where when nobody has moved it. A further panel is one line here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QScrollArea, QWidget

from kernelviz.ui.insight.convergence_view import ConvergenceView
from kernelviz.ui.insight.edits_view import EditsView
from kernelviz.ui.insight.gram_view import GramView
from kernelviz.ui.insight.inspector import PointInspector
from kernelviz.ui.insight.loss_view import LossView
from kernelviz.ui.insight.sweep_view import SweepView
from kernelviz.ui.insight.table_view import TableView
from kernelviz.ui.insight.weights_view import WeightsView
from kernelviz.ui.panels.algorithm_panel import AlgorithmPanel
from kernelviz.ui.panels.data_panel import DataPanel
from kernelviz.ui.panels.kernel_panel import KernelPanel

if TYPE_CHECKING:
    from kernelviz.ui.window.main_window import MainWindow

__all__ = ["DOCKS", "arrange", "build_docks", "key_of", "least_height", "moved", "placed"]

LEFT = Qt.DockWidgetArea.LeftDockWidgetArea
RIGHT = Qt.DockWidgetArea.RightDockWidgetArea

WIDTH = 310
MINIMUM = 90
LEAST = 700
"""Height of a column for which its panels have their least heights."""
UNBOUNDED = 10_000
LEFT_COLUMN = {"data": (371, 380), "kernel": (329, UNBOUNDED)}
RIGHT_COLUMN = {"algorithm": (245, 300), "inspector": (212, 345), "loss": (243, UNBOUNDED)}
"""Of each panel the least height, and that which shows all of it; who comes first is served first."""


@dataclass(frozen=True)
class Dock:
    """A panel: docks of one area with the same row share tabs, the first in front."""

    name: str
    title: str
    area: Qt.DockWidgetArea
    row: int
    make: Callable[..., QWidget]
    """Makes the panel from the workbench, and from its actions if it has any."""
    actions: tuple[str, ...] = ()
    """The window's commands that are buttons in it."""


DOCKS = (
    Dock("data", "Data", LEFT, 0, DataPanel, ("open_file", "paste", "jitter", "clear")),
    Dock("kernel", "Kernel", LEFT, 1, KernelPanel),
    Dock("algorithm", "Algorithm", RIGHT, 0, AlgorithmPanel),
    Dock("loss", "Loss", RIGHT, 1, LossView),
    Dock("convergence", "Convergence", RIGHT, 1, ConvergenceView),
    Dock("edits", "Edits", RIGHT, 1, EditsView),
    Dock("weights", "Weights", RIGHT, 1, WeightsView),
    Dock("gram", "Gram", RIGHT, 1, GramView),
    Dock("sweep", "Sweep", RIGHT, 1, SweepView),
    Dock("table", "Table", RIGHT, 1, TableView),
    Dock("inspector", "Point", RIGHT, 2, lambda workbench: _scrolling(PointInspector(workbench))),
)


def key_of(dock: Dock) -> str:
    """What leads to a panel: Alt+1 to Alt+9 and Alt+0, then the same with Shift."""
    row, column = divmod(DOCKS.index(dock), 10)
    return f"Alt+{'Shift+' * row}{(column + 1) % 10}"


def _scrolling(panel: QWidget) -> QScrollArea:
    """A panel that may be taller than its place."""
    area = QScrollArea()
    area.setWidget(panel)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    for behind in (panel, area.viewport()):
        behind.setAutoFillBackground(False)
    area.setMinimumHeight(MINIMUM)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area


def _rest_behind_others(dock: QDockWidget) -> None:
    """Qt moves a tab that is not in front merely out of sight, where it would work and take the focus."""
    panel = dock.widget()
    keeps_its_place = panel.sizePolicy()
    keeps_its_place.setRetainSizeWhenHidden(True)
    panel.setSizePolicy(keeps_its_place)
    dock.visibilityChanged.connect(panel.setVisible)


def build_docks(window: MainWindow) -> dict[str, QDockWidget]:
    """Make every panel and put it in its place."""
    made: dict[str, QDockWidget] = {}
    first: dict[tuple[Qt.DockWidgetArea, int], QDockWidget] = {}
    for declared in DOCKS:
        dock = QDockWidget(declared.title, window)
        dock.setObjectName(declared.name)
        buttons = [window.actions_by_name[name] for name in declared.actions]
        dock.setWidget(declared.make(window.workbench, *([buttons] if buttons else [])))
        window.keyboard.lead_to(dock, key_of(declared))
        _rest_behind_others(dock)
        window.addDockWidget(declared.area, dock)
        place = (declared.area, declared.row)
        if place in first:
            window.tabifyDockWidget(first[place], dock)
        else:
            first[place] = dock
        made[declared.name] = dock
    for dock in first.values():
        dock.raise_()
    return made


def arrange(window: MainWindow) -> None:
    """The proportions nobody has changed yet, for the present size of the window."""
    centre = window.centralWidget()
    assert centre is not None
    spare = centre.height() - LEAST
    for column in (LEFT_COLUMN, RIGHT_COLUMN):
        heights = dict(zip(column, _shared_out(column, spare), strict=True))
        there = placed(window, column)
        tall = [heights[dock.objectName()] for dock in there]
        window.resizeDocks(there, [WIDTH] * len(there), Qt.Orientation.Horizontal)
        window.resizeDocks(there, tall, Qt.Orientation.Vertical)


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
    """Of a panel, or of the tabs it belongs to."""
    least, _ = (LEFT_COLUMN | RIGHT_COLUMN).get(name, RIGHT_COLUMN["loss"])
    return least


def moved(window: MainWindow) -> bool:
    """Whether a panel is elsewhere than it was put at first."""
    return any(
        window.docks[declared.name].isFloating()
        or window.dockWidgetArea(window.docks[declared.name]) != declared.area
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
