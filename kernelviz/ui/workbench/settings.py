"""What is remembered between starts, in the platform's own place."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import QByteArray, QSettings

from kernelviz.drawing.theme import CHOICES, Choice

RECENT = 10
LAYOUT_VERSION = 3
SMALLEST_TYPE, LARGEST_TYPE = 80, 250  # Percent of the usual size.


class Settings:
    """A typed face of QSettings: geometry, layout, theme, recent files. `path`: a file of its own."""

    def __init__(self, path: Path | None = None) -> None:
        self._store = (
            QSettings("kernelviz", "kernelviz")
            if path is None
            else QSettings(str(path), QSettings.Format.IniFormat)
        )

    @property
    def theme(self) -> Choice:
        """The theme chosen last; what is no theme, as in a file somebody has edited, is the system's."""
        kept = self._store.value("theme")
        return next((choice for choice in CHOICES if choice == kept), "system")

    @theme.setter
    def theme(self, name: Choice) -> None:
        self._store.setValue("theme", name)

    @property
    def type_size(self) -> int:
        """Of all type, in percent of the usual; the nearest there is to what a file says, or the usual."""
        try:
            kept = int(str(self._store.value("type_size", 100)))
        except ValueError:
            return 100
        return min(max(kept, SMALLEST_TYPE), LARGEST_TYPE)

    @type_size.setter
    def type_size(self, percent: int) -> None:
        self._store.setValue("type_size", percent)

    @property
    def recent(self) -> list[str]:
        """Files opened or saved lately, newest first."""
        value = self._store.value("recent", [])
        return [value] if isinstance(value, str) else list(cast("list[str]", value or []))

    def remember_file(self, path: Path) -> None:
        name = str(path.resolve())
        self._store.setValue("recent", [name, *(r for r in self.recent if r != name)][:RECENT])

    def forget_files(self) -> None:
        self._store.remove("recent")

    @property
    def welcomed(self) -> bool:
        """Whether the card of the first start has been read."""
        return str(self._store.value("welcomed", "no")) == "yes"

    @welcomed.setter
    def welcomed(self, read: bool) -> None:
        self._store.setValue("welcomed", "yes" if read else "no")

    def lesson_progress(self, name: str) -> str:
        """Return the line about a lesson that was left, or an empty one."""
        return str(self._store.value(f"lesson/{name}", ""))

    def remember_lesson(self, name: str, progress: str) -> None:
        self._store.setValue(f"lesson/{name}", progress)

    @property
    def lessons_done(self) -> list[str]:
        """The names of the lessons that have been finished."""
        return str(self._store.value("lessons_done", "")).split()

    def remember_lesson_done(self, name: str) -> None:
        self._store.setValue("lessons_done", " ".join(dict.fromkeys([*self.lessons_done, name])))

    def picked(self, panel: str) -> list[str]:
        """What was picked lately in a panel, the last one first."""
        return str(self._store.value(f"picked/{panel}", "")).split()

    def remember_picked(self, panel: str, names: Iterable[str]) -> None:
        self._store.setValue(f"picked/{panel}", " ".join(names))

    @property
    def export_folder(self) -> str:
        """Where the last figure or film went."""
        return str(self._store.value("export/folder", ""))

    @export_folder.setter
    def export_folder(self, folder: str) -> None:
        self._store.setValue("export/folder", folder)

    def choices(self, dialogue: str) -> dict[str, Any]:
        """What was chosen last in a dialogue, by name; empty when nothing sensible is remembered."""
        try:
            found = json.loads(str(self._store.value(f"export/{dialogue}", "{}")))
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    def remember_choices(self, dialogue: str, choices: Mapping[str, Any]) -> None:
        self._store.setValue(f"export/{dialogue}", json.dumps(choices))

    @property
    def geometry(self) -> QByteArray | None:
        return self._bytes("geometry")

    @property
    def layout(self) -> QByteArray | None:
        return self._bytes(f"layout{LAYOUT_VERSION}")

    @property
    def arranged_by_hand(self) -> bool:
        """Whether the proportions of the layout are somebody's choice."""
        return str(self._store.value("arranged_by_hand", "yes")) == "yes"

    @property
    def folded(self) -> bool:
        """Whether the panels of the layout fold to lines."""
        return str(self._store.value("folded", "no")) == "yes"

    @property
    def opened(self) -> str:
        """Of the panels that fold, the one that is open; what is no panel's name: none."""
        return str(self._store.value("opened", "kernel"))

    @opened.setter
    def opened(self, name: str) -> None:
        self._store.setValue("opened", name)

    def remember_window(
        self, geometry: QByteArray, layout: QByteArray, by_hand: bool, *, folded: bool
    ) -> None:
        self._store.setValue("geometry", geometry)
        self._store.setValue("arranged_by_hand", "yes" if by_hand else "no")
        self._store.setValue("folded", "yes" if folded else "no")
        self._store.setValue(f"layout{LAYOUT_VERSION}", layout)

    @property
    def insight(self) -> list[str]:
        """The insight views shown last."""
        return str(self._store.value("insight", "")).split()

    @insight.setter
    def insight(self, names: Iterable[str]) -> None:
        self._store.setValue("insight", " ".join(names))

    def write(self) -> None:
        """Put what is remembered into its file now, and not some time later."""
        self._store.sync()

    def forget_window(self) -> None:
        layout = f"layout{LAYOUT_VERSION}"
        for key in ("geometry", "insight", "opened", layout, f"presentation/{layout}"):
            self._store.remove(key)

    @property
    def presented(self) -> list[str]:
        """The panels chosen for presentation mode."""
        return str(self._store.value("presentation/panels", "")).split()

    @presented.setter
    def presented(self, names: Iterable[str]) -> None:
        self._store.setValue("presentation/panels", " ".join(names))

    @property
    def presentation_layout(self) -> QByteArray | None:
        return self._bytes(f"presentation/layout{LAYOUT_VERSION}")

    @presentation_layout.setter
    def presentation_layout(self, layout: QByteArray) -> None:
        self._store.setValue(f"presentation/layout{LAYOUT_VERSION}", layout)

    def _bytes(self, key: str) -> QByteArray | None:
        value = self._store.value(key)
        return value if isinstance(value, QByteArray) else None
