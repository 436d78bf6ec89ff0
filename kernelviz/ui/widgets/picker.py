"""A drop-down list of kinds of things (kernels, algorithms, data sets), grouped by family."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIcon

from kernelviz.ui.widgets.buttons import Combo

# What a row has: title, icon, explanation, the same for screen readers, name.
ROLES = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.DecorationRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleDescriptionRole,
    Qt.ItemDataRole.UserRole,
)
# The role of the flags in Qt's own model, which say whether a row can be chosen. Rows are changed only
# through roles: PySide's item objects outlive the rows that Qt removes, and later refer to whatever is at
# that address.
MOST_RECENT = 3  # Recent picks shown on top.


class Named(Protocol):
    """Something that can be picked, a class or an entry, with its titles and its place in a family."""

    @property
    def name(self) -> str:
        """Return the name by which expressions call it."""

    @property
    def title(self) -> str:
        """Return the title that is shown."""

    @property
    def summary_line(self) -> str:
        """Return a sentence about it, for the tooltip."""

    @property
    def family(self) -> str:
        """Return the heading it is listed under; empty for none."""

    @property
    def place(self) -> int:
        """Return its place in the family: low numbers come first."""


Kind = TypeVar("Kind", bound=Named)


def grouped(kinds: Iterable[Kind]) -> dict[str, list[Kind]]:
    """Return the kinds by family, simple ones first, as are the families; kinds without a family come
    last."""
    families: dict[str, list[Kind]] = {}
    for kind in sorted(kinds, key=lambda kind: (not kind.family, kind.place, kind.title.casefold())):
        families.setdefault(kind.family, []).append(kind)
    return families


class Picker(Combo):
    """A drop-down list of registered classes by title; emits the name of the one the user picks.

    When it opens, the recently picked ones are on top. A choice by the program (`show_name`) emits
    nothing."""

    picked = Signal(str)

    def __init__(self, title: str, kinds: Iterable[Named]) -> None:
        super().__init__()
        self.setAccessibleName(title)
        self.setToolTip(f"Choose the {title.lower()}; Alt+Down opens the list")
        self.kinds: tuple[Named, ...] = ()  # What can be picked.
        self.recent: list[str] = []  # Names of what was picked, the last one first.
        self._on_top = 0  # The number of rows for recent picks, above the families.
        self.offer(kinds)
        self.activated.connect(self._on_activated)

    def offer(self, kinds: Iterable[Named]) -> None:
        """List these kinds instead of the present ones; the name shown stays."""
        self.kinds = tuple(kinds)
        shown = self.currentData()
        self.clear()
        self._on_top = 0
        for family, members in grouped(self.kinds).items():
            if family:
                self._head(self.count(), family)
            for kind in members:
                row = self.count()
                self.addItem(kind.title, kind.name)
                for role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleDescriptionRole):
                    self.setItemData(row, kind.summary_line, role)
        self.setCurrentIndex(self._row(shown) if shown else -1)

    def _head(self, row: int, text: str) -> None:
        """Insert a heading, which cannot be picked."""
        flags = Qt.ItemDataRole.UserRole.value - 1
        bold = self.font()
        bold.setBold(True)
        self.insertItem(row, text)
        self.setItemData(row, bold, Qt.ItemDataRole.FontRole)
        self.setItemData(row, 0, flags)

    def _row(self, name: str) -> int:
        """Return the row of a kind in its family, or -1."""
        rows = range(self._on_top, self.count())
        return next((row for row in rows if self.itemData(row) == name), -1)

    def names(self) -> list[str]:
        """Return the names that can be picked, in the order of the list."""
        every = (self.itemData(row) for row in range(self._on_top, self.count()))
        return [name for name in every if name]

    def step(self, by: int) -> None:
        """Pick the next (1) or the previous (-1) of the list; after the last comes the first."""
        names, present = self.names(), self.currentData()
        at = names.index(present) + by if present in names else 0
        self.picked.emit(names[at % len(names)])

    def show_name(self, name: str, title: str = "") -> None:
        """Show a kind as chosen without emitting anything; one that is not listed is shown by its title."""
        self.unlisted = title
        self.setCurrentIndex(self._row(name) if name else -1)
        self.update()

    def set_icon(self, name: str, icon: QIcon) -> None:
        """Put an icon before the title of a kind."""
        self.setItemIcon(self._row(name), icon)

    def showPopup(self) -> None:
        """Open the list, with the recent picks under a heading of their own, above the families.

        They are put there only when the list opens: the arrow keys need a list that does not change."""
        for _ in range(self._on_top):
            self.removeItem(0)
        self._on_top = 0
        if known := [name for name in self.recent if name != self.currentData() and self._row(name) >= 0]:
            self._head(0, "Recent")
            self._on_top = 1
        for name in known[:MOST_RECENT]:
            row = {role: self.itemData(self._row(name), role) for role in ROLES}
            self.insertItem(self._on_top, "")
            for role, value in row.items():
                self.setItemData(self._on_top, value, role)
            self._on_top += 1
        super().showPopup()

    def _on_activated(self, row: int) -> None:
        """Pick the kind in a row that is none of the headings."""
        if name := self.itemData(row):
            self.pick(name)

    def pick(self, name: str) -> None:
        """Emit the name of a kind that the user picked, and remember it among the recent ones."""
        self.recent = [name, *(other for other in self.recent if other != name)][: MOST_RECENT + 1]
        self.picked.emit(name)
