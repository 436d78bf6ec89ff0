"""The main window as its parts see it: they use it, and each other, without importing it.

`MainWindow` imports all parts, so no part may import `MainWindow`. A part takes a `Shell`, which has the
attributes that more than one part needs. Parts that others only call are described by protocols with just
those methods."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QToolBar, QWidget

from kernelviz.session.session import Session
from kernelviz.ui.canvas.banner import Notice
from kernelviz.ui.canvas.points import PointsCanvas
from kernelviz.ui.insight.area import InsightArea
from kernelviz.ui.sidebar.playback_bar import PlaybackBar
from kernelviz.ui.widgets.layouts import Place
from kernelviz.ui.widgets.painting import UnpaintedChange
from kernelviz.ui.window.arrangement import Arrangement, Wishes
from kernelviz.ui.window.canvases import Canvases
from kernelviz.ui.window.docks import PanelDock
from kernelviz.ui.workbench.settings import Settings
from kernelviz.ui.workbench.workbench import Workbench

if TYPE_CHECKING:
    from kernelviz.session.lessons.lesson import Lesson


class Arranges(Protocol):
    """The layout of the panels for the size of the window and the choices of the user."""

    wishes: Wishes

    @property
    def scale(self) -> float:
        """Return the size of the type compared with the usual."""

    @property
    def due(self) -> Arrangement:
        """Return where everything belongs."""

    def wish(self, wishes: Wishes) -> None:
        """Take a choice of the user, and show it."""

    def toggle(self, name: str, shown: bool) -> None:
        """Show a panel, or hide it."""

    def leave(self) -> None:
        """Keep the sizes dragged by the user, before another arrangement begins."""

    def clear(self) -> None:
        """Hide panels and bars while the window changes its size and type."""

    def arrive(self) -> None:
        """Show the arrangement, once the window has its size and type."""

    def follow_audience(self) -> None:
        """Put the views next to the canvas for an audience, or back in their place."""

    def follow_size(self) -> None:
        """Adapt the layout to the size of the window and of its type."""


class Presents(Protocol):
    """Presentation mode: the size of its type, and whether it is on, or being entered or left."""

    @property
    def on(self) -> bool:
        """Return True in presentation mode."""

    @property
    def scale(self) -> float:
        """Return the size of the type compared with the usual."""

    def follow_wishes(self) -> None:
        """Tick the panels that are chosen for it."""

    def give_room(self) -> None:
        """Give the panels the width that their large type needs."""


@dataclass(frozen=True, eq=False, repr=False)
class OpenFile:
    """The file of a session."""

    path: Path | None = None  # None: the session has not been saved.
    extra: Mapping[str, Any] = field(default_factory=dict)  # Fields of it that belong to other versions.
    seen: str = ""  # Its fingerprint when it was opened or saved last.
    picture: Path | None = None  # The picture that the session was opened from, which is not saved to.


class HasFile(Protocol):
    """The file of the session, which a lesson puts aside, and its autosave."""

    file: OpenFile

    def open_path(self, path: Path) -> None:
        """Open a session, a table, a picture or a lesson."""

    @property
    def link(self) -> str:
        """Return the link that opens what is on screen."""

    def open_link(self, link: str) -> None:
        """Open the session in a link."""

    def keep(self) -> None:
        """Autosave unsaved work."""


class Draws(Protocol):
    """The dialogues that export figures."""

    def record(self) -> dict[str, Any]:
        """Return the choices of the figure, as a field of the session's file."""

    def offer(self, choices: object) -> None:
        """Let the dialogue for figures offer the choices of an opened picture."""


class Teaches(Protocol):
    """The running lesson, if there is one."""

    @property
    def running(self) -> bool:
        """Return True while a lesson is done."""

    def end_lesson(self) -> None:
        """End the lesson and bring back the work from before."""

    @property
    def kind(self) -> Literal["", "lesson", "lecture"]:
        """The word for what runs: a lesson, a lecture, or neither."""

    @property
    def title(self) -> str:
        """The title of the window while a lesson or a lecture runs; empty without one."""

    @property
    def question(self) -> QWidget | None:
        """The panel with the question of a lecture's stop while it is seen."""

    @property
    def nothing_to_save(self) -> bool:
        """Return True if a lesson runs and all work from before it is saved."""

    def begin(self, lesson: Lesson) -> None:
        """Start a lesson; the present work waits until it ends."""

    def resume(self, record: object) -> None:
        """Go on with the lesson of a session file, if it has one."""

    def forget(self) -> None:
        """End the lesson because another session takes the place of everything."""

    def record(self) -> dict[str, Any]:
        """Return the record of the lesson for a session file."""

    def work_from_before(self) -> AbstractContextManager[None]:
        """Put the work from before the lesson on the session inside a `with` block."""

    def place(self) -> None:
        """Fit the panel of the lesson to the window."""

    def show_views(self) -> None:
        """Open the views that this part of the step begins with."""


class HidesControls(Protocol):
    """The parts of the window that are hidden."""

    def hide(self, besides: frozenset[str] = frozenset()) -> None:
        """Hide the chosen parts, and these others."""

    def record(self) -> dict[str, Any]:
        """Return the record for a session file."""

    def open(self, names: object) -> None:
        """Hide the parts that a session file names."""


class Shell(QMainWindow):
    """The attributes of the main window that its parts use; `MainWindow` sets them."""

    blanked = Signal(bool)  # A black sheet covers the window, or no longer.
    session: Session
    settings: Settings
    workbench: Workbench
    canvases: Canvases
    playback: PlaybackBar
    stage: Place
    docks: dict[str, PanelDock]
    insight: InsightArea
    strip: QToolBar
    notice: Notice
    unpainted: UnpaintedChange
    actions_by_name: dict[str, QAction]
    arrangement: Arranges
    presentation: Presents
    exports: Draws
    files: HasFile
    controls: HidesControls
    lessons: Teaches

    @property
    def canvas(self) -> PointsCanvas:
        """The canvas in front."""
        return self.canvases.current

    def complain(self, sentence: str, *, about_data: bool = False, details: str = "") -> None:
        """Show on the canvas that something went wrong. about_data: until the data change."""
        self.canvas.complain(sentence, about_data=about_data, details=details)

    def take_keyboard(self) -> bool:
        """Give the focus to the canvas; return True if another widget had it."""
        raise NotImplementedError

    def enable_commands(self) -> None:
        """Enable the commands that can be used now; called where that changes without an edit."""
        raise NotImplementedError

    def update_title(self) -> None:
        """Show the name of the file or of the lesson."""
        raise NotImplementedError

    def update_theme(self) -> None:
        """Apply the chosen theme and type size."""
        raise NotImplementedError
