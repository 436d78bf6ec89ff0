"""The column of a narrow window: one panel open, the others closed to lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget

from kernelviz.ui.window.docks import UNBOUNDED, placed
from kernelviz.ui.window.panel_dock import PanelDock

if TYPE_CHECKING:
    from kernelviz.ui.window.main_window import MainWindow

__all__ = ["Accordion"]

PANELS = ("data", "kernel", "algorithm")


class Accordion:
    """Opens one of the panels at a time, and gives it what height there is."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self.opened = window.settings.opened
        """The name of the open panel; empty: none."""
        for name, dock in self._docks.items():
            dock.turned.connect(lambda on, name=name: self._open(name if on else ""))
            dock.visibilityChanged.connect(lambda _: self._share_height())

    @property
    def _docks(self) -> dict[str, PanelDock]:
        return {name: self._window.docks[name] for name in PANELS}

    def set_on(self, on: bool) -> None:
        for dock in self._docks.values():
            dock.set_folding(on and not dock.isFloating())
        self._share_height()

    def _open(self, name: str) -> None:
        self.opened = name
        self._share_height()

    def _share_height(self) -> None:
        """All of it to the open panel; if there is none the last one has the rest, empty."""
        folding = {name: dock for name, dock in self._docks.items() if dock.folds}
        there = placed(self._window, folding)
        tallest: QDockWidget | None = folding.get(self.opened)
        if tallest not in there:
            tallest = there[-1] if there else None
        # Who grows comes first: what another gives up before would go to nobody.
        for name, dock in sorted(folding.items(), key=lambda item: item[1] is not tallest):
            dock.set_open(name == self.opened, fills=dock is tallest)
        if there:
            heights = [UNBOUNDED if dock is tallest else 1 for dock in there]
            self._window.resizeDocks(there, heights, Qt.Orientation.Vertical)
