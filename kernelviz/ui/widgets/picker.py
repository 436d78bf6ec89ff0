"""Choosing a kind: a list of titles, in families, with their explanations as tooltips."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIcon

from kernelviz.ui.widgets.buttons import Combo

# What a row has: title, picture, explanation, name.
SHOWN = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.DecorationRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.UserRole,
)
# The role under which Qt's own model keeps whether a row can be chosen. Rows are changed by roles alone:
# objects of PySide's for them outlive rows that Qt has removed, and later stand for whatever comes to lie at
# the same address.
FLAGS = Qt.ItemDataRole.UserRole.value - 1
MOST_RECENT = 3


class Named(Protocol):
    """What can be picked, a class or an entry: what it is called, and among which others it belongs."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def summary_line(self) -> str: ...
    @property
    def family(self) -> str: ...
    @property
    def place(self) -> int: ...


Kind = TypeVar("Kind", bound=Named)


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

    def __init__(self, title: str, kinds: Iterable[Named]) -> None:
        super().__init__()
        self.setAccessibleName(title)
        self.setToolTip(f"Choose the {title.lower()}; Alt+Down opens the list")
        self.recent: list[str] = []  # Names of what was picked from the list, the last one first.
        self._on_top = 0  # Rows above the families, for what is recent.
        self.offer(kinds)
        self.activated.connect(self._on_activated)

    def offer(self, kinds: Iterable[Named]) -> None:
        """List these kinds, and none of those before."""
        self.clear()
        self._on_top = 0
        for family, members in grouped(kinds).items():
            if family:
                self._head(self.count(), family)
            for kind in members:
                row = self.count()
                self.addItem(kind.title, kind.name)
                self.setItemData(row, kind.summary_line, Qt.ItemDataRole.ToolTipRole)

    def _head(self, row: int, text: str) -> None:
        """Insert a heading, which cannot be picked."""
        bold = self.font()
        bold.setBold(True)
        self.insertItem(row, text)
        self.setItemData(row, bold, Qt.ItemDataRole.FontRole)
        self.setItemData(row, 0, FLAGS)

    def _row(self, name: str) -> int:
        """Where a kind stands in its family; -1 for none."""
        rows = range(self._on_top, self.count())
        return next((row for row in rows if self.itemData(row) == name), -1)

    def names(self) -> list[str]:
        """What can be picked, in the order of the list."""
        every = (self.itemData(row) for row in range(self._on_top, self.count()))
        return [name for name in every if name]

    def step(self, by: int) -> None:
        """Pick the next (1) or the previous (-1) of the list, which goes round."""
        names, present = self.names(), self.currentData()
        at = names.index(present) + by if present in names else 0
        self.picked.emit(names[at % len(names)])

    def show_name(self, name: str, title: str = "") -> None:
        """Show a kind as chosen, without emitting; one that is not listed by its title alone."""
        self.setPlaceholderText(title)
        self.setCurrentIndex(self._row(name) if name else -1)

    def set_icon(self, name: str, icon: QIcon) -> None:
        """Put a picture before a title."""
        self.setItemIcon(self._row(name), icon)

    def showPopup(self) -> None:
        self._put_recent_on_top()
        super().showPopup()

    def _put_recent_on_top(self) -> None:
        # Only as it opens: a list that changed under the arrow keys would lead them astray.
        for _ in range(self._on_top):
            self.removeItem(0)
        self._on_top = 0
        known = [name for name in self.recent if name != self.currentData() and self._row(name) >= 0]
        if not known:
            return
        self._head(0, "Recent")
        self._on_top = 1
        for name in known[:MOST_RECENT]:
            self._repeat(self._row(name))

    def _repeat(self, row: int) -> None:
        """List a kind once more, below what is on top."""
        kept = {role: self.itemData(row, role) for role in SHOWN}
        self.insertItem(self._on_top, "")
        for role, value in kept.items():
            self.setItemData(self._on_top, value, role)
        self._on_top += 1

    def _on_activated(self, row: int) -> None:
        name = self.itemData(row)
        if name:
            present = self.recent
            self.recent = [name, *(other for other in present if other != name)][: MOST_RECENT + 1]
            self.picked.emit(name)
