"""Choosing a kind: a list of titles, in groups, with their explanations as tooltips."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIcon, QStandardItem, QStandardItemModel

from kernelviz.engine.params import Declared
from kernelviz.ui.controls.keys import Combo

__all__ = ["Picker"]

NAME = Qt.ItemDataRole.UserRole


class Picker(Combo):
    """A drop-down list of registered classes by title; emits the name of the one the user picks."""

    picked = Signal(str)

    def __init__(self, title: str, groups: Mapping[str, Iterable[type[Declared]]]) -> None:
        super().__init__()
        self.setAccessibleName(title)
        self.setToolTip(f"Choose the {title.lower()}; Alt+Down opens the list")
        self._items = QStandardItemModel(self)
        self.setModel(self._items)
        self.offer(groups)
        self.activated.connect(self._on_activated)

    def offer(self, groups: Mapping[str, Iterable[type[Declared]]]) -> None:
        """List these kinds, and none of those before."""
        self._items.clear()
        for group, kinds in groups.items():
            if group:
                self._add_heading(group)
            for kind in kinds:
                self._add(kind.name, kind.title, kind.summary_line)

    def _add_heading(self, text: str) -> None:
        item = QStandardItem(text)
        item.setEnabled(False)
        item.setSelectable(False)
        bold = self.font()
        bold.setBold(True)
        item.setFont(bold)
        self._items.appendRow(item)

    def _add(self, name: str, title: str, explanation: str) -> None:
        item = QStandardItem(title)
        item.setData(name, NAME)
        item.setToolTip(explanation)
        self._items.appendRow(item)

    def names(self) -> list[str]:
        """What can be picked, in the order of the list."""
        every = (self._items.item(row) for row in range(self._items.rowCount()))
        return [item.data(NAME) for item in every if item.data(NAME)]

    def step(self, by: int) -> None:
        """Pick the next (1) or the previous (-1) of the list, which goes round."""
        names, present = self.names(), self.currentData(NAME)
        at = names.index(present) + by if present in names else 0
        self.picked.emit(names[at % len(names)])

    def show_name(self, name: str, title: str = "") -> None:
        """Show a kind as chosen, without emitting; one that is not listed by its title alone."""
        row = self.findData(name, NAME) if name else -1
        self.setPlaceholderText(title)
        self.setCurrentIndex(row)

    def set_icon(self, name: str, icon: QIcon) -> None:
        """Put a picture before a title."""
        self._items.item(self.findData(name, NAME)).setIcon(icon)

    def _on_activated(self, row: int) -> None:
        name = self.itemData(row, NAME)
        if name:
            self.picked.emit(name)
