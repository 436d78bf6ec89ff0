"""The main window as its parts see it: they use it, and each other, without importing it.

`MainWindow` imports all parts, so no part may import `MainWindow`. A part takes a `Shell`, which has the
attributes that more than one part needs. Parts that others only call are described by protocols with just
those methods."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QToolBar

from kernelviz.session.session import Session
from kernelviz.ui.canvas.banner import Notice
from kernelviz.ui.canvas.points import PointsCanvas
from kernelviz.ui.insight.area import InsightArea
from kernelviz.ui.sidebar.playback_bar import PlaybackBar
from kernelviz.ui.widgets.layouts import Place
from kernelviz.ui.window.canvases import Canvases
from kernelviz.ui.window.docks import PanelDock
from kernelviz.ui.workbench.settings import Settings
from kernelviz.ui.workbench.workbench import Workbench

if TYPE_CHECKING:
    from kernelviz.session.lessons.lesson import Lesson


class Arranges(Protocol):
    """The layout of the panels for the size of the window; `by_hand`: the user has arranged it."""

    by_hand: bool

    @property
    def scale(self) -> float: ...

    @property
    def state(self) -> Any: ...

    def take(self, shape: Any) -> None: ...

    def restore(self, state: Any) -> None: ...

    def follow_size(self) -> None: ...


class Presents(Protocol):
    """Presentation mode: the size of its type, and whether it is on, or being entered or left."""

    @property
    def on(self) -> bool: ...

    @property
    def scale(self) -> float: ...

    @property
    def busy(self) -> bool: ...

    def return_to(self, layout: Any, views: list[str]) -> None: ...


@dataclass(frozen=True, eq=False, repr=False)
class OpenFile:
    """The file of a session."""

    path: Path | None = None  # None: the session has not been saved.
    extra: Mapping[str, Any] = field(default_factory=dict)  # Fields of it that belong to other versions.
    seen: str = ""  # Its fingerprint when it was opened or saved last.


class HasFile(Protocol):
    """The file of the session, which a lesson puts aside, and its autosave."""

    file: OpenFile

    def keep(self) -> None: ...


class Teaches(Protocol):
    """The lesson that is being done, if there is one."""

    @property
    def running(self) -> bool: ...

    @property
    def nothing_to_save(self) -> bool: ...

    def begin(self, lesson: Lesson) -> None: ...

    def resume(self, record: object) -> None: ...

    def forget(self) -> None: ...

    def record(self) -> dict[str, Any]: ...

    def work_from_before(self) -> AbstractContextManager[None]: ...

    def place(self) -> None: ...

    def show_views(self) -> None: ...


class Shell(QMainWindow):
    """The attributes of the main window that its parts use; `MainWindow` sets them."""

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
    actions_by_name: dict[str, QAction]
    arrangement: Arranges
    presentation: Presents
    files: HasFile
    lessons: Teaches

    @property
    def canvas(self) -> PointsCanvas:
        """The canvas in front."""
        return self.canvases.current

    def complain(self, sentence: str) -> None:
        """Show on the canvas that something went wrong."""
        self.canvas.complain(sentence)

    def take_keyboard(self) -> bool:
        """Give the focus to the canvas; return True if another widget had it."""
        raise NotImplementedError

    def update_theme(self) -> None:
        """Apply the chosen theme and type size."""
        raise NotImplementedError
