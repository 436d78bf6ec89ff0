"""Settings that are kept between starts, in the platform's own place."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import QByteArray, QSettings

from kernelviz.drawing.theme import CHOICES, Choice

MOST_RECENT = 10  # Files.
LAYOUT_VERSION = 3
SMALLEST_TYPE, LARGEST_TYPE = 80, 250  # Per cent of the usual size.


class Settings:
    """A typed view of QSettings: window layout, theme, recent files and so on.

    path: the file to use instead of the platform's place, for tests."""

    def __init__(self, path: Path | None = None) -> None:
        self._store = (
            QSettings("kernelviz", "kernelviz")
            if path is None
            else QSettings(str(path), QSettings.Format.IniFormat)
        )

    @property
    def theme(self) -> Choice:
        """The theme chosen last; "system" if the file has an unknown name."""
        kept = self._store.value("theme")
        return next((choice for choice in CHOICES if choice == kept), "system")

    @theme.setter
    def theme(self, name: Choice) -> None:
        self._store.setValue("theme", name)

    @property
    def type_size(self) -> int:
        """The size of all type, in per cent of the usual, within the limits whatever the file says."""
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
        """Files opened or saved recently, the newest first."""
        value = self._store.value("recent", [])
        return [value] if isinstance(value, str) else list(cast("list[str]", value or []))

    def remember_file(self, path: Path) -> None:
        """Put a file first among the recent ones."""
        name = str(path.resolve())
        self._store.setValue("recent", [name, *(r for r in self.recent if r != name)][:MOST_RECENT])

    def forget_files(self) -> None:
        """Clear the recent files."""
        self._store.remove("recent")

    @property
    def welcomed(self) -> bool:
        """True if the welcome card of the first start has been closed."""
        return self._flag("welcomed", default=False)

    @welcomed.setter
    def welcomed(self, read: bool) -> None:
        self._store.setValue("welcomed", "yes" if read else "no")

    def picked(self, panel: str) -> list[str]:
        """Return the names picked recently in a panel, the last one first."""
        return str(self._store.value(f"picked/{panel}", "")).split()

    def remember_picked(self, panel: str, names: Iterable[str]) -> None:
        """Keep the names picked recently in a panel."""
        self._store.setValue(f"picked/{panel}", " ".join(names))

    @property
    def export_folder(self) -> str:
        """The folder of the last exported figure or animation."""
        return str(self._store.value("export/folder", ""))

    @export_folder.setter
    def export_folder(self, folder: str) -> None:
        self._store.setValue("export/folder", folder)

    def choices(self, dialogue: str) -> dict[str, Any]:
        """Return the last choices in a dialogue, by name; empty if there are none that can be read."""
        try:
            found = json.loads(str(self._store.value(f"export/{dialogue}", "{}")))
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    def remember_choices(self, dialogue: str, choices: Mapping[str, Any]) -> None:
        """Keep the choices in a dialogue."""
        self._store.setValue(f"export/{dialogue}", json.dumps(choices))

    @property
    def geometry(self) -> QByteArray | None:
        return self._bytes("geometry")

    @property
    def layout(self) -> QByteArray | None:
        return self._bytes(f"layout{LAYOUT_VERSION}")

    @property
    def arranged_by_hand(self) -> bool:
        """True if the user has arranged the layout."""
        return self._flag("arranged_by_hand", default=True)

    @property
    def folded(self) -> bool:
        """True if the panels of the layout fold to lines."""
        return self._flag("folded", default=False)

    @property
    def opened(self) -> str:
        """The open one of the panels that fold; any other name means none."""
        return str(self._store.value("opened", "kernel"))

    @opened.setter
    def opened(self, name: str) -> None:
        self._store.setValue("opened", name)

    def remember_window(
        self, geometry: QByteArray, layout: QByteArray, by_hand: bool, *, folded: bool
    ) -> None:
        """Keep size and layout of the window."""
        self._store.setValue("geometry", geometry)
        self._store.setValue("arranged_by_hand", "yes" if by_hand else "no")
        self._store.setValue("folded", "yes" if folded else "no")
        self._store.setValue(f"layout{LAYOUT_VERSION}", layout)

    @property
    def insight(self) -> list[str]:
        """The names of the insight views shown last."""
        return str(self._store.value("insight", "")).split()

    @insight.setter
    def insight(self, names: Iterable[str]) -> None:
        self._store.setValue("insight", " ".join(names))

    def write(self) -> None:
        """Write the settings to their file now."""
        self._store.sync()

    def forget_window(self) -> None:
        """Clear size and layout of the window."""
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

    def _flag(self, key: str, *, default: bool) -> bool:
        return str(self._store.value(key, "yes" if default else "no")) == "yes"

    def _bytes(self, key: str) -> QByteArray | None:
        value = self._store.value(key)
        return value if isinstance(value, QByteArray) else None
