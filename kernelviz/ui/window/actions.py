"""Every command of the window, declared once.

Menus, toolbar, shortcuts, tooltips and the sheet of shortcuts are made from the table MENUS. A command's
`name` is its id: the QAction has it as its object name, other modules find the action by it, and it is the
name of the method that is called. A new command is one line here and one method in the part of the window
that `by` names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QToolBar

from kernelviz.scene.icons import icon

SEPARATOR = "-"
OF_CLASSES = ("flip_selection", "next_class")  # Commands only for workspaces whose points have classes.
OF_MOVABLE = ("jitter",)  # Commands only for workspaces whose points can be moved.


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
    by: Literal[
        "window",
        "files",
        "data_files",
        "session",
        "exports",
        "canvas",
        "playback",
        "presentation",
        "keyboard",
        "workbench",
        "fits",
        "lessons",
    ] = "window"


canvas = partial(Command, by="canvas")
data = partial(Command, by="data_files")
exports = partial(Command, by="exports")
files = partial(Command, by="files")
fits = partial(Command, by="fits")
keyboard = partial(Command, by="keyboard")
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
        Command("undo", "&Undo", "Take back the last change", "Ctrl+Z", "undo"),
        session("redo", "&Redo", "Repeat what was taken back", "Ctrl+Shift+Z", "redo", also=("Ctrl+Y",)),
        SEPARATOR,
        exports("copy_figure", "&Copy figure", "Copy the picture to the clipboard", "Ctrl+C", "copy"),
        exports(
            "copy_script",
            "Copy as P&ython",
            "Copy a script of the figure on screen; the export dialogue copies a script of its own figure",
        ),
        exports("copy_sklearn", "Copy as sci&kit-learn", "Copy a script with scikit-learn and matplotlib"),
        Command("copy_stage", "Copy as lesson sta&ge", "Copy a lesson's block that opens this", by="lessons"),
        Command(
            "record_lesson",
            "Record a less&on",
            "Write down what you do as a lesson, until you switch this off",
            checkable=True,
            by="lessons",
        ),
        data("paste", "&Paste points", "Paste points from a spreadsheet or a text", "Ctrl+V", "paste"),
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
        Command("lessons", "&Lessons…", "Choose a lesson: a few minutes each", by="lessons"),
        Command("go_to_lesson", "&Go to the lesson", "Give the keyboard to the lesson", "F2", by="lessons"),
        Command("next_step", "&Next step", "The next step of the lesson", "Ctrl+PgDown", by="lessons"),
        Command("previous_step", "&Previous step", "The step before", "Ctrl+PgUp", by="lessons"),
        Command("copy_answers", "&Copy my answers", "One line of text to send to the lecturer", by="lessons"),
        Command("end_lesson", "&End lesson", "Your work from before comes back", by="lessons"),
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
            action.setShortcuts([QKeySequence(keys) for keys in (command.shortcut, *command.also)])
        if command.icon:
            action.setIcon(icon(command.icon))
        action.triggered.connect(lambda _checked=False, command=command: do(command))
        actions[command.name] = action
        window.addAction(action)
    return actions


def call_points(actions: Mapping[str, QAction], noun: str) -> None:
    """Reword the commands on points for a workspace that calls them something else, such as strings."""
    for command in COMMANDS:
        if "oint" in command.text + command.help:
            _describe(actions[command.name], command, noun)


def _describe(action: QAction, command: Command, noun: str = "point") -> None:
    text, help_text = (
        words.replace("point", noun).replace("Point", noun.capitalize())
        for words in (command.text, command.help)
    )
    action.setText(text)
    action.setToolTip(f"{help_text} ({command.shortcut})" if command.shortcut else help_text)
    action.setStatusTip(help_text)


def fill_menu(
    menu: QMenu,
    entries: Iterable[Command | str],
    actions: dict[str, QAction],
    insert: Mapping[str, Callable[[QMenu], None]],
) -> None:
    """Put the entries into the menu; `insert` fills places such as "recent"."""
    for entry in entries:
        if isinstance(entry, Command):
            menu.addAction(actions[entry.name])
        elif entry == SEPARATOR:
            menu.addSeparator()
        else:
            insert[entry](menu)


def fill_toolbar(toolbar: QToolBar, actions: dict[str, QAction]) -> None:
    """Add buttons for the most used commands to a toolbar."""
    for name in TOOLBAR:
        if name == SEPARATOR:
            toolbar.addSeparator()
        else:
            toolbar.addAction(actions[name])
