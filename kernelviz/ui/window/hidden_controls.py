"""The parts of the window that are hidden, so that a class or a student has only what is needed.

They are chosen in the menu, saved with the session and carried by links; a stop of a lecture hides others
besides."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from kernelviz.session.lessons.parts import PARTS
from kernelviz.ui.window.shell import Shell

FIELD = "hidden"  # Of a session file.


class HiddenControls:
    """Hides parts of the window and shows them again."""

    def __init__(self, window: Shell) -> None:
        self._window = window
        self._chosen: frozenset[str] = frozenset()  # By the user, or by the session that was opened.
        self._actions: dict[str, QAction] = {}

    def fill_menu(self, menu: QMenu) -> None:
        """Add a submenu in which each part is ticked while it is shown."""
        controls = menu.addMenu("&Controls")
        for name in PARTS:
            # Owned by the window: Python at times deletes actions made by a menu before the menu.
            action = QAction(f"&{name.capitalize()}", self._window, checkable=True)
            action.triggered.connect(lambda shown, name=name: self._choose(name, shown))
            controls.addAction(action)
            self._actions[name] = action
        controls.aboutToShow.connect(self._tick)

    def _tick(self) -> None:
        for name, action in self._actions.items():
            action.setChecked(name not in self._window.arrangement.wishes.hidden)

    def _choose(self, name: str, shown: bool) -> None:
        self._chosen = self._chosen - {name} if shown else self._chosen | {name}
        self.hide()
        self._window.files.keep()

    def hide(self, besides: frozenset[str] = frozenset()) -> None:
        """Hide what was chosen, and other parts besides, and show the rest."""
        window, hidden = self._window, self._chosen | besides
        window.playback.setVisible("playback" not in hidden)
        window.statusBar().setVisible("status" not in hidden)
        window.arrangement.wish(replace(window.arrangement.wishes, hidden=hidden))
        window.enable_commands()

    # Sessions -------------------------------------------------------------------------------------------
    def record(self) -> dict[str, Any]:
        """Return what a session file keeps of it."""
        return {FIELD: sorted(self._chosen)} if self._chosen else {}

    def open(self, names: object) -> None:
        """Hide what a session file names; whatever else stands there is ignored."""
        wanted = names if isinstance(names, Iterable) and not isinstance(names, str) else ()
        chosen = frozenset(PARTS) & {name for name in wanted if isinstance(name, str)}
        if chosen or self._chosen:
            self._chosen = chosen
            self.hide()
