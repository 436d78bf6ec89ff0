"""Every command of the window, declared once: menus, toolbar, shortcuts and the shortcuts sheet follow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QToolBar

from kernelviz.drawing.icons import icon
from kernelviz.session.tables import FORMATS

SEPARATOR = "-"
OF_CLASSES = ("flip_selection", "next_class")  # Commands that mean something only where points have classes.
OF_MOVABLE = ("jitter",)  # Commands that mean something only where points can be moved.


@dataclass(frozen=True)
class Command:
    """A menu entry. `name` is also the name of the method that does it, of the part of the window named by
    `by`."""

    name: str
    text: str
    help: str
    shortcut: str = ""
    icon: str = ""
    checkable: bool = False
    also: tuple[str, ...] = ()  # Further keys for those used to them.
    by: Literal[
        "window", "files", "exports", "canvas", "playback", "presentation", "keyboard", "workbench", "fits"
    ] = "window"


MENUS: dict[str, tuple[Command | str, ...]] = {
    "&File": (
        Command("new", "&New", "Start a session with no points", "Ctrl+N", "new", by="files"),
        Command(
            "open_file",
            "&Open…",
            "Open a session, a data file or an exported picture",
            "Ctrl+O",
            "open",
            by="files",
        ),
        "recent",
        Command("recover", "Reco&ver…", "Restore a session that was not saved before a crash", by="files"),
        SEPARATOR,
        Command("save", "&Save", "Save the session", "Ctrl+S", "save", by="files"),
        Command("save_as", "Save &as…", "Save the session under another name", "Ctrl+Shift+S", by="files"),
        Command(
            "export_data",
            "Save &data…",
            f"Save the points as {FORMATS}, or the model as JSON",
            by="files",
        ),
        SEPARATOR,
        Command(
            "export_figure",
            "&Export figure…",
            "Export what you see as PNG, SVG or PDF",
            "Ctrl+E",
            "export",
            by="exports",
        ),
        Command(
            "export_animation",
            "Export ani&mation…",
            "A GIF, APNG or numbered pictures of a run or a sweep",
            by="exports",
        ),
        SEPARATOR,
        Command("quit", "&Quit", "Leave kernelviz", "Ctrl+Q"),
    ),
    "&Edit": (
        Command("undo", "&Undo", "Take back the last change", "Ctrl+Z", "undo"),
        Command("redo", "&Redo", "Do again what was taken back", "Ctrl+Shift+Z", "redo", also=("Ctrl+Y",)),
        SEPARATOR,
        Command(
            "copy_figure", "&Copy figure", "Put the picture on the clipboard", "Ctrl+C", "copy", by="exports"
        ),
        Command(
            "copy_script",
            "Copy as P&ython",
            "A short script that rebuilds the figure on screen; the export dialogue copies its own",
            by="exports",
        ),
        Command(
            "copy_sklearn", "Copy as sci&kit-learn", "The same with scikit-learn and matplotlib", by="exports"
        ),
        Command(
            "paste", "&Paste points", "Points from a spreadsheet or a text", "Ctrl+V", "paste", by="files"
        ),
        SEPARATOR,
        Command("select_all", "Select &all", "Select every point", "Ctrl+A", by="canvas"),
        Command(
            "delete_selection", "&Delete points", "Delete the selected points", "Del", "delete", by="canvas"
        ),
        Command(
            "flip_selection",
            "&Flip class",
            "Give the selected points the other class",
            "F",
            "flip",
            by="canvas",
        ),
        Command(
            "duplicate_selection",
            "Duplica&te points",
            "Copy the selected points next to them",
            "Ctrl+D",
            "duplicate",
            by="canvas",
        ),
        Command(
            "next_class",
            "&Next class to add",
            "Of several classes, add points of the next one",
            "C",
            by="canvas",
        ),
        Command(
            "jitter", "&Jitter", "Shift the selected points (or all) at random", "J", "jitter", by="canvas"
        ),
        Command(
            "clear",
            "C&lear all points",
            "Start with no points; undo brings them back",
            "",
            "clear",
            by="canvas",
        ),
    ),
    "&View": (
        Command("reset_view", "&Fit points", "Show all points", "Home", "reset-view", by="canvas"),
        Command("set_limits", "Axis &limits…", "Type the limits of both axes", by="canvas"),
        SEPARATOR,
        "toggles",
        SEPARATOR,
        "panels",
        SEPARATOR,
        Command(
            "presentation",
            "&Presentation mode",
            "Canvas and chosen panels in large type; Escape leaves it",
            "F11",
            checkable=True,
            by="presentation",
        ),
        "theme",
        "type_size",
        Command("reset_layout", "&Reset layout", "Put every panel back to its place"),
    ),
    "&Kernel": (
        Command("next_kernel", "&Next kernel", "The next one of the list", "K", by="keyboard"),
        Command("previous_kernel", "Pre&vious kernel", "The one before", "Shift+K", by="keyboard"),
        Command("kernel_up", "Parameter &up", "More of γ, or its main parameter", "Ctrl+Up", by="keyboard"),
        Command("kernel_down", "Parameter &down", "Less of it", "Ctrl+Down", by="keyboard"),
        SEPARATOR,
        Command(
            "median_width", "Width by &median heuristic", "Set the width from the distances of the points"
        ),
    ),
    "&Algorithm": (
        Command(
            "play_pause", "&Play / pause", "Watch the algorithm step by step", "Space", "play", by="playback"
        ),
        Command(
            "step_forward",
            "Step &forward",
            "One step of the algorithm",
            "Right",
            "step-forward",
            by="playback",
        ),
        Command("step_back", "Step &back", "One step back", "Left", "step-back", by="playback"),
        Command("run_to_end", "Run to the &end", "All steps", "End", "run-to-end", by="playback"),
        Command("restart", "&Restart", "Back to the first step", "R", "restart", by="playback"),
        Command("live_mode", "&Live", "Show the solution while you edit", "L"),
        Command(
            "stop_computing", "&Stop computing", "Cancel the current computation", "Ctrl+.", by="workbench"
        ),
        SEPARATOR,
        Command("next_algorithm", "&Next algorithm", "The next one of the list", "G", by="keyboard"),
        Command(
            "previous_algorithm",
            "Pre&vious algorithm",
            "The one before in the list",
            "Shift+G",
            by="keyboard",
        ),
        Command(
            "algorithm_up",
            "Parameter &up",
            "More of its main parameter, such as C",
            "Ctrl+Shift+Up",
            by="keyboard",
        ),
        Command("algorithm_down", "Parameter &down", "Less of it", "Ctrl+Shift+Down", by="keyboard"),
        SEPARATOR,
        Command("add_fit", "&Compare with a copy", "Add a copy of this fit to compare with", by="fits"),
        Command("next_fit", "Ne&xt fit", "Of several fits, edit the next one", "Ctrl+B", by="fits"),
        Command("close_fit", "Cl&ose this fit", "Close this fit", "Ctrl+W", by="fits"),
        "presets",
    ),
    "&Help": (
        Command("shortcuts", "Keyboard and mouse &shortcuts", "All of them on one sheet", "F1", "help"),
        Command("about", "&About kernelviz", "Version and licence"),
    ),
}

COMMANDS = tuple(c for entries in MENUS.values() for c in entries if isinstance(c, Command))

TOOLBAR = ("open_file", "save", "export_figure", SEPARATOR, "undo", "redo", SEPARATOR, "reset_view")


def build_actions(window: QMainWindow, do: Callable[[Command], None]) -> dict[str, QAction]:
    """One QAction for every command, which `do` does."""
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
    """Have the commands on points call them what they are here: points, or strings."""
    for command in COMMANDS:
        if "oint" in command.text + command.help:
            _describe(actions[command.name], command, noun)


def _describe(action: QAction, command: Command, noun: str = "point") -> None:
    text, told = (
        words.replace("point", noun).replace("Point", noun.capitalize())
        for words in (command.text, command.help)
    )
    action.setText(text)
    action.setToolTip(f"{told} ({command.shortcut})" if command.shortcut else told)
    action.setStatusTip(told)


def fill_menu(
    menu: QMenu,
    entries: Iterable[Command | str],
    actions: dict[str, QAction],
    insert: Mapping[str, Callable[[QMenu], None]],
) -> None:
    """Put the entries into the menu; words such as "recent" are filled by `insert`."""
    for entry in entries:
        if isinstance(entry, Command):
            menu.addAction(actions[entry.name])
        elif entry == SEPARATOR:
            menu.addSeparator()
        else:
            insert[entry](menu)


def fill_toolbar(toolbar: QToolBar, actions: dict[str, QAction]) -> None:
    """The few commands worth a button."""
    for name in TOOLBAR:
        if name == SEPARATOR:
            toolbar.addSeparator()
        else:
            toolbar.addAction(actions[name])
