"""Choosing a kind: a list of titles, in families, with their explanations as tooltips."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Protocol, TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIcon, QStandardItem, QStandardItemModel

from kernelviz.ui.controls.keys import Combo

__all__ = ["Named", "Picker", "grouped"]

NAME = Qt.ItemDataRole.UserRole
MOST_RECENT = 3


class Named(Protocol):
    """What can be picked: a class that says what it is called, and among which others it belongs."""

    name: ClassVar[str]
    title: ClassVar[str]
    summary_line: ClassVar[str]
    family: ClassVar[str]
    place: ClassVar[int]


Kind = TypeVar("Kind", bound=type[Named])


def grouped(kinds: Iterable[Kind]) -> dict[str, list[Kind]]:
    """The kinds by family: simple ones first, and first the family of the simplest; those without last."""
    families: dict[str, list[Kind]] = {}
    for kind in sorted(kinds, key=lambda kind: (not kind.family, kind.place, kind.title.casefold())):
        families.setdefault(kind.family, []).append(kind)
    return families


class Picker(Combo):
    """A drop-down list of registered classes by title; emits the name of the one the user picks.

    When it opens, what has been picked lately is on top."""

    picked = Signal(str)

    def __init__(self, title: str, kinds: Iterable[type[Named]]) -> None:
        super().__init__()
        self.setAccessibleName(title)
        self.setToolTip(f"Choose the {title.lower()}; Alt+Down opens the list")
        self.recent: list[str] = []
        """Names of what was picked from the list, the last one first."""
        self._on_top = 0
        """Rows above the families, for what is recent."""
        self._items = QStandardItemModel(self)
        self.setModel(self._items)
        self.offer(kinds)
        self.activated.connect(self._on_activated)

    def offer(self, kinds: Iterable[type[Named]]) -> None:
        """List these kinds, and none of those before."""
        self._items.clear()
        self._on_top = 0
        for family, members in grouped(kinds).items():
            if family:
                self._items.appendRow(self._heading(family))
            for kind in members:
                self._items.appendRow(_entry(kind))

    def _heading(self, text: str) -> QStandardItem:
        item = QStandardItem(text)
        item.setEnabled(False)
        item.setSelectable(False)
        bold = self.font()
        bold.setBold(True)
        item.setFont(bold)
        return item

    def _row(self, name: str) -> int:
        """Where a kind stands in its family; -1 for none."""
        rows = range(self._on_top, self._items.rowCount())
        return next((row for row in rows if self._items.item(row).data(NAME) == name), -1)

    def names(self) -> list[str]:
        """What can be picked, in the order of the list."""
        rows = (self._items.item(row) for row in range(self._on_top, self._items.rowCount()))
        return [item.data(NAME) for item in rows if item.data(NAME)]

    def step(self, by: int) -> None:
        """Pick the next (1) or the previous (-1) of the list, which goes round."""
        names, present = self.names(), self.currentData(NAME)
        at = names.index(present) + by if present in names else 0
        self.picked.emit(names[at % len(names)])

    def show_name(self, name: str, title: str = "") -> None:
        """Show a kind as chosen, without emitting; one that is not listed by its title alone."""
        self.setPlaceholderText(title)
        self.setCurrentIndex(self._row(name) if name else -1)

    def set_icon(self, name: str, icon: QIcon) -> None:
        """Put a picture before a title."""
        self._items.item(self._row(name)).setIcon(icon)

    def showPopup(self) -> None:
        self._put_recent_on_top()
        super().showPopup()

    def _put_recent_on_top(self) -> None:
        # Only as it opens: a list that changed under the arrow keys would lead them astray.
        self._items.removeRows(0, self._on_top)
        self._on_top = 0
        rows = [self._row(name) for name in self.recent if name != self.currentData(NAME)]
        copies = [self._items.item(row).clone() for row in rows if row >= 0][:MOST_RECENT]
        for row, item in enumerate([self._heading("Recent"), *copies] if copies else []):
            self._items.insertRow(row, item)
            self._on_top += 1

    def _on_activated(self, row: int) -> None:
        name = self.itemData(row, NAME)
        if name:
            present = self.recent
            self.recent = [name, *(other for other in present if other != name)][: MOST_RECENT + 1]
            self.picked.emit(name)


def _entry(kind: type[Named]) -> QStandardItem:
    item = QStandardItem(kind.title)
    item.setData(kind.name, NAME)
    item.setToolTip(kind.summary_line)
    return item
