"""The toolbar of the window, which keeps room for the tools."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QToolBar, QWidget

from kernelviz.ui.canvas.toolbar import ToolOptions


class CommandBar(QToolBar):
    """Commands, fits and tools in a line.

    Where there is no room, as in very large type, groups of commands that are also in menus are hidden. The
    options of a tool do not count: Qt puts what is still too much behind a button at the end."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Commands", parent)
        self.setObjectName("commands")
        self.setMovable(False)
        self._groups: list[tuple[Sequence[QAction], QAction]] = []  # Each with the widgets behind it.
        self._widths: list[int] = []  # What the groups took that are away: the first of them.
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._make_room)

    def give_way(self, groups: Sequence[Sequence[QAction]]) -> None:
        """Hide these groups, which follow each other, in this order when there is no room."""
        order = self.actions()
        self._groups = [(group, order[order.index(group[-1]) + 1]) for group in groups]

    def event(self, event: QEvent) -> bool:
        """Look again for room when the bar or its content changes its size."""
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            while self._widths:  # they have other widths now
                self._bring_back()
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._soon.start()
        return bool(super().event(event))

    @property
    def _needed(self) -> int:
        """The width that everything takes but the options of the tool."""
        widgets = (self.widgetForAction(action) for action in self.actions() if action.isVisible())
        options = [widget.sizeHint().width() for widget in widgets if isinstance(widget, ToolOptions)]
        return self.sizeHint().width() - sum(options)

    def _make_room(self) -> None:
        """Hide groups until the rest fits, or show again those that fit."""
        while len(self._widths) < len(self._groups) and (needed := self._needed) > self.width():
            for action in self._groups[len(self._widths)][0]:
                self.removeAction(action)
            self._widths.append(needed - self._needed)
        while self._widths and self._needed + self._widths[-1] <= self.width():
            self._bring_back()

    def _bring_back(self) -> None:
        """Put the group that went last to where it was."""
        self._widths.pop()
        group, behind = self._groups[len(self._widths)]
        self.insertActions(behind, list(group))
