"""Where the keyboard is, and what it changes from there: panels, kernel, algorithm and their parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QDockWidget, QWidget

from kernelviz.ui.controls.picker import Picker
from kernelviz.ui.controls.tab_order import takes_tab
from kernelviz.ui.insight.inspector import PointInspector
from kernelviz.ui.insight.slot import Slot
from kernelviz.ui.panels.algorithm_panel import AlgorithmPanel
from kernelviz.ui.panels.kernel_panel import KernelPanel
from kernelviz.ui.window.panel_dock import PanelDock

if TYPE_CHECKING:
    from kernelviz.ui.window.main_window import MainWindow

__all__ = ["Keyboard"]

BY_KEY = Qt.FocusReason.ShortcutFocusReason
LINE = 12
"""Pixels: controls whose middles are so near stand side by side."""


class Keyboard:
    """The keys of one window that are about no point and no step."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window

    def go_home(self) -> bool:
        """To the canvas, whose Space and arrow keys are, or to a picture with keys of its own that has its
        place; whether it was elsewhere."""
        home: QWidget = self.window.insight.large_picture or self.window.canvas
        if self.window.isVisible() and not home.isVisible():  # a view without keys has its place
            home = self.window
        if home.hasFocus():
            return False
        if isinstance(QApplication.activeWindow(), QDockWidget):  # one that floats
            self.window.activateWindow()
        home.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def lead_to(self, dock: PanelDock, keys: str) -> None:
        """Have keys lead to a panel, also while the menu that says so is out of sight."""
        action = QAction(self.window)
        action.setShortcut(QKeySequence(keys))
        action.triggered.connect(lambda: self.go_to(dock))
        self.window.addAction(action)
        dock.toggleViewAction().setText(f"{dock.windowTitle()}\t{keys}")

    def go_to(self, dock: PanelDock) -> None:
        """Show a panel and go to its first control; from within, put it away. On the stage show it or put
        it away, and stay at the canvas."""
        presenting = self.window.presentation.on
        if self._is_in(dock.widget()) or (presenting and dock.isVisible()):
            dock.put_away()
            self.go_home()
            return
        dock.reveal()
        if not presenting:
            (_first_stop(dock.widget()) or dock.widget()).setFocus(BY_KEY)

    def edit_point(self) -> None:
        """To the coordinates of the point under the mouse, or of the selected one."""
        inspector = self.window.insight.view("inspector")
        if isinstance(inspector, PointInspector) and inspector.point is not None:
            self._show_view("inspector")
            inspector.edit()

    def go_to_view(self, name: str) -> None:
        """Show an insight view and go to its first control; from within, put it away. On the stage show it
        or put it away, and stay at the canvas."""
        area, presenting = self.window.insight, self.window.presentation.on
        slot, view = area.slot_of(name), area.views.get(name)
        seen = presenting and slot is not None and view is not None and view.isVisible()
        if seen or self._is_in(slot) or self._is_in(view):
            area.put_away(name)
            self.go_home()
            return
        slot = self._show_view(name)
        if not presenting:
            (_first_stop(area.view(name)) or slot.picker).setFocus(BY_KEY)

    def _show_view(self, name: str) -> Slot:
        self.window.docks["insight"].reveal()
        return self.window.insight.show_view(name)

    def _is_in(self, part: QWidget | None) -> bool:
        """Whether the keyboard is in a part of the window, and not in the canvas there."""
        here = QApplication.focusWidget()
        if here is None or part is None or self.window.canvas.isAncestorOf(here):
            return False
        return part.isAncestorOf(here)

    # Kernel and algorithm ------------------------------------------------------------------------------
    @property
    def _kernels(self) -> KernelPanel:
        return cast(KernelPanel, self.window.docks["kernel"].widget())

    @property
    def _algorithms(self) -> AlgorithmPanel:
        return cast(AlgorithmPanel, self.window.docks["algorithm"].widget())

    def next_kernel(self) -> None:
        self._step(self._kernels.picker, "Kernel", 1)

    def previous_kernel(self) -> None:
        self._step(self._kernels.picker, "Kernel", -1)

    def _step(self, picker: Picker, what: str, by: int) -> None:
        """Choose a neighbour in a list, which may be out of sight, and name it over the canvas."""
        picker.step(by)
        self.window.notice.say(f"{what}: {picker.currentText()}")

    def kernel_up(self) -> None:
        self._kernels.form.step(1)

    def kernel_down(self) -> None:
        self._kernels.form.step(-1)

    def next_algorithm(self) -> None:
        self._step(self._algorithms.picker, "Algorithm", 1)

    def previous_algorithm(self) -> None:
        self._step(self._algorithms.picker, "Algorithm", -1)

    def algorithm_up(self) -> None:
        self._algorithms.form.step(1)

    def algorithm_down(self) -> None:
        self._algorithms.form.step(-1)


def _first_stop(panel: QWidget) -> QWidget | None:
    """Where Tab begins in a panel: it follows the eye.

    Not by `nextInFocusChain`: PySide takes what that returns for a child of the widget asked, and for gone
    once that widget is, be it a menu or the window itself."""
    stops = [
        widget
        for widget in panel.findChildren(QWidget)
        if takes_tab(widget) and widget.isEnabled() and widget.isVisibleTo(panel)
    ]
    return min(stops, key=lambda widget: _place(widget, panel), default=None)


def _place(widget: QWidget, panel: QWidget) -> tuple[int, int]:
    """The line of a panel that a control is in, and where it begins."""
    at = widget.mapTo(panel, QPoint(0, widget.height() // 2))
    return round(at.y() / LINE), at.x()
