"""Hidden parts of the window and single controls: a class or a student sees only what is needed.

They are chosen in the menu, saved with the session and carried by links; a stop of a lecture can hide
more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from kernelviz.session.lessons.parts import PARTS, controls
from kernelviz.ui.sidebar.panel import Panel
from kernelviz.ui.window.shell import Shell

FIELD = "hidden"  # Of a session file.


class HiddenControls(QObject):
    """Hides parts of the window and single controls, such as "kernel.gamma", and shows them again."""

    changed = Signal(object)  # The names of the parts and controls hidden now.

    def __init__(self, window: Shell) -> None:
        super().__init__(window)
        self._window = window
        self._chosen: frozenset[str] = frozenset()  # By the user, or by the session that was opened.
        self._besides: frozenset[str] = frozenset()  # By a stop of a lecture.
        self._actions: dict[str, QAction] = {}
        self._single: list[QAction] = []  # For the controls of the present kernel, algorithm and data set.

    def fill_menu(self, menu: QMenu) -> None:
        """Add a submenu in which each part and each control is ticked while it is shown."""
        submenu = menu.addMenu("&Controls")
        for name in PARTS:
            self._actions[name] = self._added(submenu, name, f"&{name.capitalize()}")
        submenu.addSeparator()
        submenu.aboutToShow.connect(lambda: self._list_single(submenu))

    def _added(self, menu: QMenu, name: str, text: str) -> QAction:
        # Owned by the window: Python at times deletes actions made by a menu before the menu.
        action = QAction(text, self._window, checkable=True, checked=name not in self._hidden)
        action.triggered.connect(lambda shown: self._choose(name, shown))
        menu.addAction(action)
        return action

    def _list_single(self, menu: QMenu) -> None:
        """List the present controls and the hidden ones."""
        for action in self._single:
            menu.removeAction(action)
            action.deleteLater()
        self._single = [self._added(menu, name, text) for name, text in self._controls().items()]

    def _controls(self) -> dict[str, str]:
        """Return the controls of the panels by their names, such as "kernel.gamma", with a text for each."""
        found = {name: name for name in sorted(self._hidden & controls())}
        for whose, panel in self._panels():
            form, title = panel.form.current, self._window.docks[whose].windowTitle()
            shown = [] if form is None or panel.form.isHidden() else form.controls.values()
            for parameter in (control.parameter for control in shown if not control.parameter.silent):
                names = [f"{whose}.{name}" for name in parameter.names]
                name = next((name for name in names if name in self._hidden), names[0])
                found[name] = f"{title}: {parameter.label}"
        return found

    def _panels(self) -> Iterator[tuple[str, Panel]]:
        """Yield the panels with controls of parameters, by name."""
        for name, dock in self._window.docks.items():
            if isinstance(panel := dock.widget(), Panel):
                yield name, panel

    @property
    def _hidden(self) -> frozenset[str]:
        return self._chosen | self._besides

    def _choose(self, name: str, shown: bool) -> None:
        self._chosen = self._chosen - {name} if shown else self._chosen | {name}
        self.hide(self._besides - {name})
        self._window.files.keep()

    def hide(self, besides: frozenset[str] = frozenset()) -> None:
        """Hide the chosen parts and controls and these others, and show the rest."""
        window, self._besides = self._window, besides
        window.playback.setVisible("playback" not in self._hidden)
        window.statusBar().setVisible("status" not in self._hidden)
        for whose, panel in self._panels():
            names = frozenset(name.partition(".")[2] for name in self._hidden if name.startswith(f"{whose}."))
            if names != panel.form.hidden:
                panel.hide_controls(names)
        window.arrangement.wish(replace(window.arrangement.wishes, hidden=self._hidden & frozenset(PARTS)))
        window.enable_commands()
        for name, action in self._actions.items():
            action.setChecked(name not in window.arrangement.wishes.hidden)
        self.changed.emit(self._hidden)

    # Sessions -------------------------------------------------------------------------------------------
    def record(self) -> dict[str, Any]:
        """Return the record for a session file."""
        return {FIELD: sorted(self._chosen)} if self._chosen else {}

    def open(self, names: object) -> None:
        """Hide the parts that a session file names, ignoring unknown ones."""
        wanted = names if isinstance(names, Iterable) and not isinstance(names, str) else ()
        known = frozenset(PARTS) | controls()
        chosen = known & {name for name in wanted if isinstance(name, str)}
        if chosen or self._chosen:
            self._chosen = chosen
            self.hide()
