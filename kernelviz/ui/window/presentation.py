"""Presentation mode: canvas and chosen panels in large type, everything else out of sight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, Qt, QTimer
from PySide6.QtGui import QAction, QFont
from PySide6.QtWidgets import QApplication, QMenu, QToolBar

from kernelviz.ui.window.docks import WIDTH, least_height, placed

if TYPE_CHECKING:
    from kernelviz.ui.window.main_window import MainWindow

__all__ = ["SCALE", "Presentation"]

SCALE = 1.6
"""How much larger type and strokes are than usual."""
HINT = "Escape leaves the presentation; Alt and a number show or hide a panel."
HINT_AFTER, HINT_FOR = 300, 5000
"""Milliseconds."""


class Presentation:
    """Full screen, large type, the canvas, and the panels that somebody has shown while presenting."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        self.on = False
        self.chosen = set(window.settings.presented)
        self._layout: QByteArray | None = window.settings.presentation_layout
        self._before: tuple[bool, QByteArray] = (False, QByteArray())
        self._actions: dict[str, QAction] = {}

    @property
    def scale(self) -> float:
        return SCALE if self.on else 1.0

    def fill_menu(self, menu: QMenu) -> None:
        """A submenu in which the panels to present are chosen beforehand."""
        panels = menu.addMenu("Panels in pre&sentation")
        for name, dock in self.window.docks.items():
            action = panels.addAction(dock.windowTitle())
            action.setCheckable(True)
            action.setChecked(name in self.chosen)
            action.toggled.connect(lambda shown, name=name: self._choose(name, shown))
            self._actions[name] = action
            dock.toggleViewAction().triggered.connect(lambda shown, name=name: self._on_panel(name, shown))

    def _choose(self, name: str, shown: bool) -> None:
        self.chosen = self.chosen | {name} if shown else self.chosen - {name}
        self.window.settings.presented = sorted(self.chosen)

    def _on_panel(self, name: str, shown: bool) -> None:
        """Somebody has shown or hidden a panel; while presenting that is a choice."""
        if shown:
            self.window.docks[name].raise_()
        if self.on:
            self._actions[name].setChecked(shown)
            self._set_titles()
            self._give_room()

    def presentation(self) -> None:
        """Begin or end the presentation, as the menu says."""
        self.on = self.window.actions_by_name["presentation"].isChecked()
        if self.on:
            self._enter()
        else:
            self._leave()

    def _enter(self) -> None:
        window = self.window
        self._before = window.isMaximized(), window.saveState()
        for part in (*window.docks.values(), window.menuBar(), *window.findChildren(QToolBar)):
            part.hide()
        window.showFullScreen()
        window.update_theme()
        if self._layout is not None:
            window.restoreState(self._layout)
        self._set_titles()
        for name, dock in window.docks.items():
            dock.setVisible(name in self.chosen)
        if self._layout is None:
            self._give_room()
        # Once the window has changed: while it does, Qt shows again what the message has hidden.
        QTimer.singleShot(HINT_AFTER, window, self._hint)

    def _hint(self) -> None:
        if self.on:
            self.window.statusBar().showMessage(HINT, HINT_FOR)

    def _leave(self) -> None:
        window = self.window
        self.remember()
        window.statusBar().clearMessage()
        for dock in window.docks.values():
            dock.hide()
            if dock.testAttribute(Qt.WidgetAttribute.WA_SetFont):
                dock.setFont(QFont())
        # Small type first: panels that are shown in large type would push the window apart.
        window.update_theme()
        window.menuBar().show()
        maximised, layout = self._before
        if maximised:
            window.showMaximized()
        else:
            window.showNormal()
        window.restoreState(layout)

    def remember(self) -> None:
        """Keep how the panels share the screen."""
        self._layout = self.window.saveState()
        self.window.settings.presentation_layout = self._layout

    def forget(self) -> None:
        """Present as at first: the canvas alone."""
        self._layout = None
        for action in self._actions.values():
            action.setChecked(False)

    def _set_titles(self) -> None:
        """The titles of the panels in large type too."""
        font = QApplication.font()
        # Qt sets a title in the type of the first start, unless the panel has a type of its own.
        font.setPointSizeF(font.pointSizeF() * 1.001)
        for name in self.chosen:
            self.window.docks[name].setFont(font)

    def _give_room(self) -> None:
        """Panels in large type need as much more room."""
        window = self.window
        there = placed(window, (name for name in window.docks if name in self.chosen))
        heights = [least_height(dock.objectName()) for dock in there]
        window.resizeDocks(there, [round(SCALE * WIDTH)] * len(there), Qt.Orientation.Horizontal)
        window.resizeDocks(there, heights, Qt.Orientation.Vertical)
