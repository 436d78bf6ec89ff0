"""The menus: filled once from the declared commands, then kept up to date with the session."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

from kernelviz.scene.theme import Choice
from kernelviz.session.session import Session
from kernelviz.session.state import State
from kernelviz.session.workspaces.base import Workspace
from kernelviz.session.workspaces.registry import workspaces
from kernelviz.ui.insight.views import VIEWS
from kernelviz.ui.widgets.picker import grouped
from kernelviz.ui.window.actions import MENUS, OF_CLASSES, OF_MOVABLE, call_points, fill_menu
from kernelviz.ui.window.canvases import Canvases
from kernelviz.ui.window.docks import keys
from kernelviz.ui.workbench.settings import LARGEST_TYPE, SMALLEST_TYPE

# Commands that need selected points.
OF_SELECTED = ("delete_selection", "flip_selection", "duplicate_selection")
TYPE_SIZES = (SMALLEST_TYPE, 90, 100, 115, 130, 150, 175, 200, LARGEST_TYPE)  # Per cent.
T = TypeVar("T")


class Menus:
    """The menus of the window, which enable and name their entries for the present state.

    insert: fills the places that are not commands, by name. views: the actions of the insight views."""

    def __init__(
        self,
        bar: QMenuBar,
        actions: dict[str, QAction],
        session: Session,
        canvases: Canvases,
        insert: Mapping[str, Callable[[QMenu], None]],
        views: Mapping[str, QAction],
    ) -> None:
        self._actions = actions
        self._session = session
        self._canvases = canvases
        self._views = views
        self.toggles: dict[str, QAction] = {}
        self._workspace: Workspace | None = None
        self._possible: dict[str, bool] = {}
        self.by_title: dict[str, QMenu] = {}
        for title, entries in MENUS.items():
            menu = self.by_title[title] = bar.addMenu(title)
            menu.setToolTipsVisible(True)
            fill_menu(menu, entries, actions, {"toggles": self._fill_toggles, **insert})
        self._show_toggles(session.state)

    def _fill_toggles(self, menu: QMenu) -> None:
        """Add an entry for everything that any workspace can show; those of other workspaces are hidden."""
        for name, (text, _) in {k: v for w in workspaces() for k, v in w.toggles.items()}.items():
            action = menu.addAction(text)
            action.setCheckable(True)
            action.triggered.connect(lambda _checked, name=name: self._session.toggle(name))
            self.toggles[name] = action

    def follow(self, old: State, new: State) -> None:
        """Enable the commands that can be used now. During a drag almost none of them changes."""
        if old.look.shown != new.look.shown or self._workspace is not self._canvases.workspace:
            self._show_toggles(new)
        history = self._session.history
        possible = {
            "undo": history.undo_name is not None,
            "redo": history.redo_name is not None,
            "next_class": bool(self._canvases.current.editor.classes),
            **dict.fromkeys(OF_SELECTED, bool(new.look.selection)),
        }
        if possible != self._possible:
            self._possible = possible
            for name, on in possible.items():
                self._actions[name].setEnabled(on)

    def name_steps(self) -> None:
        """Name the steps that Undo and Redo would take."""
        history = self._session.history
        for name, what in (("undo", history.undo_name), ("redo", history.redo_name)):
            self._actions[name].setText(f"&{name.capitalize()} {what or ''}".rstrip())

    def _show_toggles(self, state: State) -> None:
        self._workspace = self._canvases.workspace
        offered = self._workspace.toggles
        for name, action in self.toggles.items():
            action.setChecked(name in state.look.shown)
            action.setVisible(name in offered)
            if name in offered:
                action.setText(offered[name][0])
        for name in OF_CLASSES:
            self._actions[name].setVisible(self._workspace.has_classes)
        for name in OF_MOVABLE:
            self._actions[name].setVisible(self._workspace.movable)
        call_points(self._actions, state.document.data.noun)
        for name, action in self._views.items():  # a hidden action has no shortcut
            action.setVisible(state.document.data.domain in VIEWS[name].domains)


def fill_themes(menu: QMenu, chosen: Choice, choose: Callable[[Choice], None]) -> None:
    """Add a submenu of the themes."""
    choices: dict[Choice, str] = {
        "system": "As the system", "light": "Light", "dark": "Dark", "high-contrast": "High contrast"
    }  # fmt: skip
    _fill_choices(menu.addMenu("&Theme"), choices, chosen, choose)


def fill_type_sizes(menu: QMenu, chosen: int, choose: Callable[[int], None]) -> None:
    """Add a submenu of the type sizes, in per cent of the usual one."""
    sizes = sorted({*TYPE_SIZES, chosen})
    _fill_choices(menu.addMenu("T&ype size"), {size: f"{size} %" for size in sizes}, chosen, choose)


def _fill_choices(menu: QMenu, choices: Mapping[T, str], chosen: T, choose: Callable[[T], None]) -> None:
    """Add an entry for each choice, one of which is ticked."""
    group = QActionGroup(menu)
    for value, text in choices.items():
        action = menu.addAction(text)
        action.setCheckable(True)
        action.setChecked(chosen == value)
        action.triggered.connect(lambda _checked, value=value: choose(value))
        group.addAction(action)


def fill_views(
    menu: QMenu, add: Callable[[QAction], object], go_to: Callable[[str], object]
) -> dict[str, QAction]:
    """Add a submenu of the insight views; return its actions by name.

    add: attaches an action to the window, so that its shortcut works while the menu is closed."""
    insight, made = menu.addMenu("&Insight"), {}
    for views in grouped(VIEWS.values()).values():
        insight.addSeparator()
        for view in views:
            action = made[view.name] = insight.addAction(view.title)
            action.setShortcut(QKeySequence(keys()[view.title]))
            action.setToolTip(view.summary_line)
            action.triggered.connect(lambda _checked, name=view.name: go_to(name))
            add(action)
    return made
