"""Settings that are kept between starts, in the platform's own place."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QByteArray, QSettings

from kernelviz.scene.theme import CHOICES

LAYOUT_VERSION = 3
SMALLEST_TYPE, LARGEST_TYPE = 80, 250  # Per cent of the usual size.


T = TypeVar("T")


class Setting(Generic[T]):
    """A value kept under a key: `read` turns the stored text into the value, `write` the value into text."""

    def __init__(
        self, key: str, read: Callable[[Any], T], write: Callable[[T], Any] = lambda value: value
    ) -> None:
        self._key, self._read, self._write = key, read, write

    def __get__(self, settings: Settings, owner: type) -> T:
        return self._read(settings.store.value(self._key))

    def __set__(self, settings: Settings, value: T) -> None:
        settings.store.setValue(self._key, self._write(value))


def _text(key: str, default: str = "") -> Setting[str]:
    """Return a setting that is a text."""
    return Setting(key, lambda kept: default if kept is None else str(kept))


def _flag(key: str, default: bool) -> Setting[bool]:
    """Return a setting that is on or off."""
    return Setting(
        key, lambda kept: default if kept is None else str(kept) == "yes", lambda on: "yes" if on else "no"
    )


def _names(key: str) -> Setting[list[str]]:
    """Return a setting that is a list of names without spaces."""
    return Setting(key, lambda kept: str(kept or "").split(), " ".join)


def _bytes(key: str) -> Setting[QByteArray | None]:
    """Return a setting that Qt made, such as a layout; None if there is none."""
    return Setting(key, lambda kept: kept if isinstance(kept, QByteArray) else None)


def _read_theme(kept: Any) -> str:
    """Return the stored theme, or that of the system for an unknown name."""
    return next((choice for choice in CHOICES if choice == kept), "system")


def _read_type_size(kept: Any) -> int:
    """Return the stored size within the limits, or the usual one."""
    try:
        return min(max(int(str(kept)), SMALLEST_TYPE), LARGEST_TYPE)
    except ValueError:
        return 100


def _read_files(kept: Any) -> list[str]:
    """Return the stored list of files; Qt returns a list of one as a text."""
    return [kept] if isinstance(kept, str) else list(kept or [])


class Settings:
    """A typed view of QSettings: window layout, theme, recent files and so on.

    path: the file to use instead of the platform's place, for tests."""

    theme = Setting[str]("theme", _read_theme)
    type_size = Setting("type_size", _read_type_size)  # The size of all type, in per cent of the usual.
    recent = Setting("recent", _read_files)  # Files opened or saved recently, the newest first.
    welcomed = _flag("welcomed", default=False)  # True once the welcome card has been closed.
    export_folder = _text("export/folder")  # The folder of the last exported figure or animation.
    lessons_done = _names("lessons_done")  # The lessons that have been finished.
    last_lesson = _text("last_lesson")  # The lesson that was opened last.
    insight = _names("insight")  # The insight views shown last.
    show_layers = _flag("show_layers", default=False)  # True if layers are offered next to the canvas.
    show_keys = _flag("show_keys", default=False)  # True if keys and their effects are shown.
    # The window: its geometry, and the layout of its panels.
    geometry = _bytes("geometry")
    layout = _bytes(f"layout{LAYOUT_VERSION}")
    arranged_by_hand = _flag("arranged_by_hand", default=True)  # True if the user has arranged the layout.
    folded = _flag("folded", default=False)  # True if its panels fold to lines.
    opened = _text("opened", default="kernel")  # The open one of these panels; any other name means none.
    # Presentation mode: its panels and their layout.
    presented = _names("presentation/panels")
    presentation_layout = _bytes(f"presentation/layout{LAYOUT_VERSION}")

    def __init__(self, path: Path | None = None) -> None:
        self.store = (
            QSettings("kernelviz", "kernelviz")
            if path is None
            else QSettings(str(path), QSettings.Format.IniFormat)
        )

    def remember_file(self, path: Path) -> None:
        """Put a file first among the recent ones."""
        most_recent = 10  # Files.
        name = str(path.resolve())
        self.recent = [name, *(r for r in self.recent if r != name)][:most_recent]

    def forget_files(self) -> None:
        """Clear the recent files."""
        self.store.remove("recent")

    def lesson_progress(self, name: str) -> str:
        """Return the line about a lesson that was left, or an empty one."""
        return str(self.store.value(f"lesson/{name}", ""))

    def remember_lesson(self, name: str, progress: str) -> None:
        """Keep the line about a lesson, to go on with it later."""
        self.store.setValue(f"lesson/{name}", progress)

    def remember_lesson_done(self, name: str) -> None:
        """Add a lesson to those that have been finished."""
        self.lessons_done = list(dict.fromkeys([*self.lessons_done, name]))

    def picked(self, panel: str) -> list[str]:
        """Return the names picked recently in a panel, the last one first."""
        return str(self.store.value(f"picked/{panel}", "")).split()

    def remember_picked(self, panel: str, names: Iterable[str]) -> None:
        """Keep the names picked recently in a panel."""
        self.store.setValue(f"picked/{panel}", " ".join(names))

    def choices(self, dialogue: str) -> dict[str, Any]:
        """Return the last choices in a dialogue, by name; empty if there are none that can be read."""
        try:
            found = json.loads(str(self.store.value(f"export/{dialogue}", "{}")))
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    def remember_choices(self, dialogue: str, choices: Mapping[str, Any]) -> None:
        """Keep the choices in a dialogue."""
        self.store.setValue(f"export/{dialogue}", json.dumps(choices))

    def forget_window(self) -> None:
        """Clear size and layout of the window."""
        layout = f"layout{LAYOUT_VERSION}"
        for key in ("geometry", "insight", "opened", layout, f"presentation/{layout}"):
            self.store.remove(key)

    def write(self) -> None:
        """Write the settings to their file now."""
        self.store.sync()
