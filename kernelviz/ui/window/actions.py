"""Every command of the window, declared once, and the menus that are made of them.

Menus, toolbar, shortcuts, tooltips and the sheet of shortcuts are made from the table MENUS. A command's
`name` is its id: the QAction has it as its object name, other modules find the action by it, and it is the
name of the method that is called. A new command is one line here and one method in the part of the window
that `by` names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeVar

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from kernelviz.scene.icons import icon
from kernelviz.session.state import State
from kernelviz.session.workspaces.base import Workspace
from kernelviz.session.workspaces.registry import workspaces
from kernelviz.ui.insight.views import VIEWS
from kernelviz.ui.widgets.picker import grouped
from kernelviz.ui.window.docks import keys
from kernelviz.ui.window.shell import Shell

SEPARATOR = "-"
OF_CLASSES = ("flip_selection", "next_class")  # Commands only for workspaces whose points have classes.
OF_MOVABLE = ("jitter",)  # Commands only for workspaces whose points can be moved.
OF_SELECTED = ("delete_selection", "flip_selection", "duplicate_selection")  # Commands on selected points.
Part = Literal[  # The parts of the window that have commands.
    "window",
    "canvas",
    "data_files",
    "exports",
    "files",
    "fits",
    "keyboard",
    "lesson_window",
    "playback",
    "presentation",
    "session",
    "workbench",
]
T = TypeVar("T")


@dataclass(frozen=True, eq=False, repr=False)
class Command:
    """A menu entry. `name` is also the name of the method that does it, in the part of the window `by`."""

    name: str
    text: str
    help: str
    shortcut: str = ""
    icon: str = ""
    checkable: bool = False
    also: tuple[str, ...] = ()  # Further shortcuts.
    by: Part = "window"


canvas = partial(Command, by="canvas")
data = partial(Command, by="data_files")
exports = partial(Command, by="exports")
files = partial(Command, by="files")
fits = partial(Command, by="fits")
keyboard = partial(Command, by="keyboard")
lesson = partial(Command, by="lesson_window")
playback = partial(Command, by="playback")
session = partial(Command, by="session")

MENUS: dict[str, tuple[Command | str, ...]] = {
    "&File": (
        files("new", "&New", "Start a session with no points", "Ctrl+N", "new"),
        files("open_file", "&Open…", "Open a session, a data file or an exported picture", "Ctrl+O", "open"),
        "recent",
        files("recover", "Reco&ver…", "Restore a session that was not saved before a crash"),
        SEPARATOR,
        files("save", "&Save", "Save the session", "Ctrl+S", "save"),
        files("save_as", "Save &as…", "Save the session under another name", "Ctrl+Shift+S"),
        data("export_data", "Save &data…", "Save the points as CSV, svmlight or npz, or the model as JSON"),
        SEPARATOR,
        exports(
            "export_figure", "&Export figure…", "Save the picture as PNG, SVG or PDF", "Ctrl+E", "export"
        ),
        exports("export_animation", "Export ani&mation…", "Save a run or a sweep as GIF, APNG or pictures"),
        SEPARATOR,
        Command("quit", "&Quit", "Leave kernelviz", "Ctrl+Q"),
    ),
    "&Edit": (
        Command("undo", "&Undo", "Undo the last change", "Ctrl+Z", "undo"),
        session("redo", "&Redo", "Redo the last undone change", "Ctrl+Shift+Z", "redo", also=("Ctrl+Y",)),
        SEPARATOR,
        exports("copy_figure", "&Copy figure", "Copy the picture to the clipboard", "Ctrl+C", "copy"),
        exports("copy_link", "Copy l&ink", "Copy a line of text that opens this: to send, paste or keep"),
        exports(
            "copy_script",
            "Copy as P&ython",
            "Copy a script of the figure on screen; the export dialogue copies a script of its own figure",
        ),
        exports("copy_sklearn", "Copy as sci&kit-learn", "Copy a script with scikit-learn and matplotlib"),
        lesson("copy_stage", "Copy as lesson sta&ge", "Copy a lesson's block that opens this"),
        lesson(
            "record_lesson",
            "Record a less&on",
            "Write down what you do as a lesson, until you switch this off",
            checkable=True,
        ),
        data(
            "paste",
            "&Paste points",
            "Paste points from a spreadsheet or a text, or open a link",
            "Ctrl+V",
            "paste",
        ),
        SEPARATOR,
        canvas("select_all", "Select &all", "Select every point", "Ctrl+A"),
        canvas("delete_selection", "&Delete points", "Delete the selected points", "Del", "delete"),
        canvas("flip_selection", "&Flip class", "Give the selected points the other class", "F", "flip"),
        canvas("duplicate_selection", "Duplica&te points", "Copy the selected points", "Ctrl+D", "duplicate"),
        canvas("next_class", "&Next class to add", "Add points of the next class", "C"),
        canvas("jitter", "&Jitter", "Shift the selected points (or all) at random", "J", "jitter"),
        canvas("clear", "C&lear all points", "Delete all points; undo brings them back", icon="clear"),
    ),
    "&View": (
        canvas("reset_view", "&Fit points", "Show all points", "Home", "reset-view"),
        canvas("set_limits", "Axis &limits…", "Type the limits of both axes"),
        SEPARATOR,
        "toggles",
        SEPARATOR,
        "panels",
        "views",
        "presented",
        SEPARATOR,
        Command(
            "presentation",
            "&Presentation mode",
            "Show the canvas and chosen panels in large type; Escape leaves it",
            "F11",
            checkable=True,
            by="presentation",
        ),
        "theme",
        "type_size",
        Command("reset_layout", "&Reset layout", "Put every panel back to its place"),
    ),
    "&Kernel": (
        "kernels",
        keyboard("next_kernel", "&Next kernel", "Choose the next kernel of the list", "K"),
        keyboard("previous_kernel", "Pre&vious kernel", "Choose the previous kernel", "Shift+K"),
        keyboard("kernel_up", "Parameter &up", "Increase γ, or the main parameter", "Ctrl+Up"),
        keyboard("kernel_down", "Parameter &down", "Decrease γ, or the main parameter", "Ctrl+Down"),
        SEPARATOR,
        Command(
            "median_width", "Width by &median heuristic", "Set the width from the distances of the points"
        ),
    ),
    "&Algorithm": (
        "algorithms",
        playback("play_pause", "&Play / pause", "Watch the algorithm step by step", "Space", "play"),
        playback("step_forward", "Step &forward", "Do one step of the algorithm", "Right", "step-forward"),
        playback("step_back", "Step &back", "Go one step back", "Left", "step-back"),
        playback("run_to_end", "Run to the &end", "All steps", "End", "run-to-end"),
        playback("restart", "&Restart", "Go back to the first step", "R", "restart"),
        Command("live_mode", "&Live", "Show the solution while you edit", "L"),
        Command(
            "stop_computing", "&Stop computing", "Cancel the current computation", "Ctrl+.", by="workbench"
        ),
        SEPARATOR,
        keyboard("next_algorithm", "&Next algorithm", "Choose the next algorithm of the list", "G"),
        keyboard("previous_algorithm", "Pre&vious algorithm", "Choose the previous algorithm", "Shift+G"),
        keyboard("algorithm_up", "Parameter &up", "Increase the main parameter, such as C", "Ctrl+Shift+Up"),
        keyboard(
            "algorithm_down", "Parameter &down", "Decrease the main parameter, such as C", "Ctrl+Shift+Down"
        ),
        SEPARATOR,
        fits("add_fit", "&Compare with a copy", "Add a copy of this fit to compare with"),
        fits("next_fit", "Ne&xt fit", "Edit the next of several fits", "Ctrl+B"),
        fits("close_fit", "Cl&ose this fit", "Close this fit", "Ctrl+W"),
        "presets",
    ),
    "&Help": (
        lesson("lessons", "&Lessons…", "Choose a lesson: a few minutes each"),
        lesson("go_to_lesson", "&Go to the lesson", "Give the keyboard to the lesson", "F2"),
        lesson("next_step", "&Next step", "The next step of the lesson", "Ctrl+PgDown"),
        lesson("previous_step", "&Previous step", "The step before", "Ctrl+PgUp"),
        lesson("copy_answers", "&Copy my answers", "One line of text to send to the lecturer"),
        lesson("end_lesson", "&End lesson", "Your work from before comes back"),
        SEPARATOR,
        Command(
            "shortcuts", "Keyboard and mouse &shortcuts", "List all shortcuts on one sheet", "F1", "help"
        ),
        Command("about", "&About kernelviz", "Show version and licence"),
    ),
}

# Enabled while a lesson runs.
LESSON_COMMANDS = ("next_step", "previous_step", "copy_answers", "end_lesson")
COMMANDS = tuple(c for entries in MENUS.values() for c in entries if isinstance(c, Command))
# Those of the playback bar: disabled in a lesson that does without the bar.
PLAYBACK_COMMANDS = (*(c.name for c in COMMANDS if c.by == "playback"), "live_mode")

TOOLBAR = ("open_file", "save", "export_figure", SEPARATOR, "undo", "redo", SEPARATOR, "reset_view")


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
    """Set the texts of an action. noun: what the workspace calls its points, such as "string"."""
    text, help_text = (
        words.replace("point", noun).replace("Point", noun.capitalize())
        for words in (command.text, command.help)
    )
    action.setText(text)
    action.setToolTip(f"{help_text} ({command.shortcut})" if command.shortcut else help_text)
    action.setStatusTip(help_text)


class Menus:
    """The menus of the window, made from the table MENUS.

    `follow` enables the entries that can be used in the present state and shows those of the workspace in
    front; `name_steps` names the steps that Undo and Redo would take."""

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
        self._possible: dict[str, bool] = {}
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
        """Add an entry for everything that any workspace can show; those of other workspaces are hidden."""
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
        """Show the toggles, commands and insight views of the workspace in front, in its own words."""
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
