"""Every command of the window, declared once: its text, its help, its keys, and when it can be used.

Menus, toolbar, shortcuts, tooltips and the sheet of shortcuts are made from the table MENUS. A command's
`name` is its id: the QAction has it as its object name, other modules find the action by it, and it is the
name of the method that is called. A new command is one line here and one method in the part of the window
that `by` names. The table needs no window:

>>> now = Situation.of(session)
>>> [command.name for command in COMMANDS if command.offered(now) and command.enabled(now)]"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal, Self

from kernelviz.engine.core.data import Task
from kernelviz.session.session import Session

SEPARATOR = "-"
Part = Literal[  # The parts of the window that have commands.
    "audience",
    "window",
    "canvas",
    "data_files",
    "echo",
    "exports",
    "files",
    "fits",
    "keyboard",
    "layers",
    "lecture_window",
    "lesson_window",
    "playback",
    "presentation",
    "session",
    "workbench",
]

TOOLBAR = ("open_file", "save", "export_figure", SEPARATOR, "undo", "redo", SEPARATOR, "reset_view")


@dataclass(frozen=True)
class Situation:
    """The facts that decide which commands can be used; the defaults are those of a window without a
    lesson."""

    can_undo: bool = False
    can_redo: bool = False
    has_selection: bool = False
    several_fits: bool = False
    chooses_class: bool = False  # Whether one chooses the class of the next point.
    has_classes: bool = True
    two_classes: bool = True
    movable: bool = True  # Whether points can be moved by hand.
    in_lesson: bool = False
    in_lecture: bool = False
    has_playback: bool = True  # A lesson can do without the playback bar.

    @classmethod
    def of(cls, session: Session) -> Self:
        """Return the facts that follow from a session."""
        document, history = session.document, session.history
        workspace = document.workspace
        return cls(
            can_undo=history.undo_name is not None,
            can_redo=history.redo_name is not None,
            has_selection=bool(session.state.look.selection),
            several_fits=len(document.fits) > 1,
            chooses_class=bool(workspace.classes(document.data)),
            has_classes=workspace.has_classes,
            two_classes=document.data.task is Task.TWO_CLASSES,
            movable=workspace.movable,
        )


def always(now: Situation) -> bool:
    """Return True: most commands can be used at any time."""
    return True


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
    offered: Callable[[Situation], bool] = always  # Whether it is in the menus at all.
    enabled: Callable[[Situation], bool] = always

    def worded(self, noun: str) -> tuple[str, str]:
        """Return text and help in the words of a workspace, whose points may be called strings."""
        replaced = {"point": noun, "Point": noun.capitalize()}
        text, about = self.text, self.help
        for old, new in replaced.items():
            text, about = text.replace(old, new), about.replace(old, new)
        return text, about


canvas = partial(Command, by="canvas")
data = partial(Command, by="data_files")
exports = partial(Command, by="exports")
files = partial(Command, by="files")
fits = partial(Command, by="fits")
keyboard = partial(Command, by="keyboard")
lesson = partial(Command, by="lesson_window")
playback = partial(Command, by="playback", enabled=lambda now: now.has_playback)
session = partial(Command, by="session")
lecture = partial(Command, by="lecture_window")
in_lecture = partial(lecture, enabled=lambda now: now.in_lecture)
in_lesson = partial(lesson, enabled=lambda now: now.in_lesson)
several_fits = partial(fits, enabled=lambda now: now.several_fits)
selected = partial(canvas, enabled=lambda now: now.has_selection)

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
        Command("undo", "&Undo", "Undo the last change", "Ctrl+Z", "undo", enabled=lambda now: now.can_undo),
        session(
            "redo",
            "&Redo",
            "Redo the last undone change",
            "Ctrl+Shift+Z",
            "redo",
            also=("Ctrl+Y",),
            enabled=lambda now: now.can_redo,
        ),
        SEPARATOR,
        exports("copy_figure", "&Copy figure", "Copy the picture to the clipboard", "Ctrl+C", "copy"),
        exports("copy_link", "Copy l&ink", "Copy a line of text that opens what is on screen"),
        exports(
            "copy_script",
            "Copy as P&ython",
            "Copy a script of the figure on screen; the export dialogue copies a script of its own figure",
        ),
        exports("copy_sklearn", "Copy as sci&kit-learn", "Copy a script with scikit-learn and matplotlib"),
        exports(
            "copy_command", "Copy as co&mmand", "Copy the command for a shell that draws the figure on screen"
        ),
        lesson(
            "copy_stage", "Copy as lesson sta&ge", "Copy the block of a lesson that opens what is on screen"
        ),
        lesson(
            "record_lesson",
            "Record a less&on",
            "Record your actions as a lesson until you switch this off",
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
        selected("delete_selection", "&Delete points", "Delete the selected points", "Del", "delete"),
        selected(
            "flip_selection",
            "&Flip class",
            "Give the selected points the other class",
            "F",
            "flip",
            offered=lambda now: now.has_classes,
        ),
        canvas(
            "swap_classes",
            "S&wap classes",
            "Make the other one of two classes + and the blue one",
            offered=lambda now: now.has_classes,
            enabled=lambda now: now.two_classes,
        ),
        selected(
            "duplicate_selection", "Duplica&te points", "Copy the selected points", "Ctrl+D", "duplicate"
        ),
        canvas(
            "next_class",
            "&Next class to add",
            "Add points of the next class",
            "C",
            offered=lambda now: now.has_classes,
            enabled=lambda now: now.chooses_class,
        ),
        canvas(
            "jitter",
            "&Jitter",
            "Shift the selected points (or all) at random",
            "J",
            "jitter",
            offered=lambda now: now.movable,
        ),
        canvas("clear", "C&lear all points", "Delete all points; undo brings them back", icon="clear"),
    ),
    "&View": (
        canvas("reset_view", "&Fit points", "Show all points", "Home", "reset-view"),
        canvas("set_limits", "Axis &limits…", "Type the limits of both axes"),
        canvas("draw_with_pen", "&Draw with the pen", "Draw over points and fit; Escape wipes it off", "P"),
        SEPARATOR,
        "toggles",
        SEPARATOR,
        "panels",
        "views",
        "presented",
        "controls",
        SEPARATOR,
        Command(
            "presentation",
            "&Presentation mode",
            "Show the canvas and chosen panels in large type; Escape leaves it",
            "F11",
            checkable=True,
            by="presentation",
        ),
        Command(
            "audience_window",
            "A&udience window",
            "Show canvas and view without panels, on another screen or in a window to be shared",
            checkable=True,
            by="audience",
        ),
        Command(
            "show_layers",
            "Layers next to the can&vas",
            "Show slack lines, held-out points and other layers as buttons",
            checkable=True,
            by="layers",
        ),
        Command(
            "show_keys",
            "Show &keys and changes",
            "Show each key or control in a corner for two seconds, with its effect",
            checkable=True,
            by="echo",
        ),
        "theme",
        "type_size",
        Command("reset_layout", "&Reset layout", "Put every panel back in its place"),
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
        Command(
            "live_mode",
            "&Live",
            "Show the solution while you edit",
            "L",
            enabled=lambda now: now.has_playback,
        ),
        Command(
            "toggle_freeze",
            "Free&ze, then reveal",
            "Hold the fit while you edit; press again to show it",
            "V",
            checkable=True,
            by="workbench",
        ),
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
        several_fits("next_fit", "Ne&xt fit", "Edit the next of several fits", "Ctrl+B"),
        several_fits("close_fit", "Cl&ose this fit", "Close this fit", "Ctrl+W"),
        "presets",
    ),
    "&Lecture": (
        lecture("lectures", "&Lectures…", "Choose one of the lectures that come with kernelviz"),
        lecture(
            "add_stop", "&Add this state to the lecture…", "Add what is on screen as a stop after this one"
        ),
        SEPARATOR,
        in_lecture("go_on", "Go &on", "The next visible step of the lecture", "PgDown"),
        in_lecture("go_back", "Go &back", "Take the last step of the lecture back", "PgUp"),
        in_lecture("blank", "Blan&k", "Make the screen black, until the next key (in F11 also B)", "."),
        in_lecture("show_strip", "&Strip of the lecture", "Go to the strip; in F11 show or hide it", "F3"),
        in_lecture("back_to_lecture", "Back to the le&cture", "Restore what the lecture shows here"),
        in_lecture("return_there", "&Return to where I was", "Go back to the state before a jump or an edit"),
        SEPARATOR,
        in_lecture("end_lecture", "&End lecture", "Your work from before comes back"),
    ),
    "&Help": (
        Command(
            "find_anything",
            "Fin&d anything…",
            "Find a command, a view, a kernel or a lesson by a few letters, or type C = 10",
            "Ctrl+Shift+P",
            "search",
        ),
        lesson("lessons", "&Lessons…", "Choose a lesson: a few minutes each"),
        lesson("go_to_lesson", "&Go to the lesson", "Give the keyboard to the lesson", "F2"),
        in_lesson("next_step", "&Next step", "The next step of the lesson", "Ctrl+PgDown"),
        in_lesson("previous_step", "&Previous step", "The step before", "Ctrl+PgUp"),
        in_lesson(
            "copy_answers", "&Copy my answers", "Copy your answers as one line of text for the lecturer"
        ),
        in_lesson("end_lesson", "&End lesson", "Return to your own work"),
        SEPARATOR,
        Command(
            "shortcuts", "Keyboard and mouse &shortcuts", "List all shortcuts on one sheet", "F1", "help"
        ),
        Command("about", "&About kernelviz", "Show version and licence"),
    ),
}

COMMANDS = tuple(c for entries in MENUS.values() for c in entries if isinstance(c, Command))
