"""The menus of the window, and the actions behind them, made from the table of commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from kernelviz.scene.icons import icon
from kernelviz.session.state import State
from kernelviz.session.workspaces.base import Workspace
from kernelviz.session.workspaces.registry import workspaces
from kernelviz.ui.insight.views import VIEWS
from kernelviz.ui.widgets.picker import grouped
from kernelviz.ui.window.commands import COMMANDS, MENUS, SEPARATOR, Command, Situation
from kernelviz.ui.window.docks import keys
from kernelviz.ui.window.shell import Shell

T = TypeVar("T")


def build_actions(window: QMainWindow, do: Callable[[Command], None]) -> dict[str, QAction]:
    """Return a QAction for every command, by name; triggered, it calls `do` with the command."""
    actions = {}
    for command in COMMANDS:
        action = QAction(window)
        _describe(action, command)
        action.setObjectName(command.name)
        action.setCheckable(command.checkable)
        if command.shortcut:
            action.setShortcuts([QKeySequence(key) for key in (command.shortcut, *command.also)])
        if command.icon:
            action.setIcon(icon(command.icon))
        action.triggered.connect(lambda _checked=False, command=command: do(command))
        actions[command.name] = action
        window.addAction(action)
    return actions


def _describe(action: QAction, command: Command, noun: str = "point") -> None:
    """Set the texts of an action. noun: the workspace's word for a point, such as "string"."""
    text, help_text = command.worded(noun)
    action.setText(text)
    action.setToolTip(f"{help_text} ({command.shortcut})" if command.shortcut else help_text)
    action.setStatusTip(help_text)


class Menus:
    """The menus of the window, made from the table MENUS.

    `follow` enables the entries that can be used in the present situation and shows those of the workspace
    in front; `name_steps` names the steps that Undo and Redo would take."""

    def __init__(
        self, window: Shell, insert: Mapping[str, Callable[[QMenu], None]], go_to_view: Callable[[str], None]
    ) -> None:
        """insert: fills the places of MENUS that are not commands, by name, except toggles and insight
        views. go_to_view: shows an insight view, or closes it."""
        self._window = window
        self._actions, self._session, self._canvases = window.actions_by_name, window.session, window.canvases
        self._go_to_view = go_to_view
        self.toggles: dict[str, QAction] = {}
        self._views: dict[str, QAction] = {}
        self._workspace: Workspace | None = None
        self._situation: Situation | None = None
        self.by_title: dict[str, QMenu] = {}
        fill = {"toggles": self._fill_toggles, "views": self._fill_views, **insert}
        for title, entries in MENUS.items():
            menu = self.by_title[title] = window.menuBar().addMenu(title)
            menu.setToolTipsVisible(True)
            for entry in entries:
                if isinstance(entry, Command):
                    menu.addAction(self._actions[entry.name])
                elif entry == SEPARATOR:
                    menu.addSeparator()
                else:
                    fill[entry](menu)
        self._show_toggles(self._session.state)

    def _fill_toggles(self, menu: QMenu) -> None:
        """Add an entry for every layer of every workspace; those of other workspaces are hidden."""
        for name, (text, _) in {k: v for w in workspaces() for k, v in w.toggles.items()}.items():
            action = menu.addAction(text)
            action.setCheckable(True)
            action.triggered.connect(lambda _checked, name=name: self._session.toggle(name))
            self.toggles[name] = action

    def _fill_views(self, menu: QMenu) -> None:
        """Add a submenu of the insight views."""
        insight = menu.addMenu("&Insight")
        for views in grouped(VIEWS.values()).values():
            insight.addSeparator()
            for view in views:
                action = self._views[view.name] = insight.addAction(view.title)
                action.setShortcut(QKeySequence(keys()[view.title]))
                action.setToolTip(view.summary_line)
                action.triggered.connect(lambda _checked, name=view.name: self._go_to_view(name))
                self._window.addAction(action)  # so that its shortcut works while the menu is closed

    def follow(self, old: State, new: State) -> None:
        """Show and enable the commands that can be used in the present state. During a drag almost nothing
        changes."""
        if old.look.shown != new.look.shown or self._workspace is not self._canvases.workspace:
            self._show_toggles(new)
        self.enable()

    def enable(self) -> None:
        """Enable the commands that can be used now, and hide those that the workspace does not have."""
        window = self._window
        now = replace(
            Situation.of(self._session),
            chooses_class=bool(window.canvas.editor.classes),
            in_lesson=window.lessons.running,
            in_lecture=window.lessons.kind == "lecture",
            has_playback=not window.playback.isHidden(),
        )
        if now != self._situation:
            self._situation = now
            for command in COMMANDS:
                self._actions[command.name].setVisible(command.offered(now))
                self._actions[command.name].setEnabled(command.enabled(now))

    def name_steps(self) -> None:
        """Name the steps that Undo and Redo would take."""
        history = self._session.history
        for name, what in (("undo", history.undo_name), ("redo", history.redo_name)):
            self._actions[name].setText(f"&{name.capitalize()} {what or ''}".rstrip())

    def _show_toggles(self, state: State) -> None:
        """Show the toggles, commands and insight views of the workspace in front, in its own words."""
        self._workspace = self._canvases.workspace
        offered = self._workspace.toggles
        for name, action in self.toggles.items():
            action.setChecked(name in state.look.shown)
            action.setVisible(name in offered)
            if name in offered:
                action.setText(offered[name][0])
        for command in COMMANDS:
            if "oint" in command.text + command.help:
                _describe(self._actions[command.name], command, state.document.data.noun)
        for name, action in self._views.items():  # a hidden action has no shortcut
            action.setVisible(state.document.data.domain in VIEWS[name].domains)


def fill_choices(menu: QMenu, choices: Mapping[T, str], chosen: T, choose: Callable[[T], None]) -> None:
    """Add an entry for each choice to a menu, one of which is ticked."""
    group = QActionGroup(menu)
    for value, text in choices.items():
        action = menu.addAction(text)
        action.setCheckable(True)
        action.setChecked(chosen == value)
        action.triggered.connect(lambda _checked, value=value: choose(value))
        group.addAction(action)
