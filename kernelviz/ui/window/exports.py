"""Export and copy: figures, animations and scripts of what the window shows.

Figures are painted on another thread from a snapshot of the workbench, so that one can go on editing. The
modules for exporting are large; they are imported in the background once the window is idle."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication, QImage

from kernelviz.engine.core.data import Domain
from kernelviz.engine.core.errors import BadInput
from kernelviz.scene.theme import current_theme
from kernelviz.session.files.kviz import FIGURE
from kernelviz.session.state import State
from kernelviz.ui.insight.scene_view import SceneView
from kernelviz.ui.insight.views import VIEWS
from kernelviz.ui.window.shell import Shell
from kernelviz.ui.workbench.background import Background

# Imported when needed: nothing here is used before the first export.
if TYPE_CHECKING:
    from kernelviz.runtime.jobs import Beat
    from kernelviz.scene.export.options import Options
    from kernelviz.scene.panels import FigurePanel
    from kernelviz.session.scripts.text import Sheet
    from kernelviz.ui.dialogs.export_dialog import ExportDialog, ExportSource


# Imported while the window is idle: the modules of the dialogues and of the views.
IMPORTED_AHEAD = (
    "kernelviz.ui.dialogs.figure_dialog",
    "kernelviz.ui.dialogs.animation_dialog",
    "kernelviz.ui.window.palette",
    "kernelviz.session.lessons.lecture_reader",
    *(view.module for view in VIEWS.values()),
)


class Exports(QObject):
    """The commands that export and copy what a window shows.

    Dialogues are made when they are first opened, and keep their choices. Pictures are painted from a
    snapshot in the background."""

    def __init__(self, window: Shell, path: Callable[[], Path | None]) -> None:
        """path: returns the file of the session, after which exported files are named."""
        super().__init__(window)
        self.window = window
        self._path = path
        self._dialogs: dict[str, ExportDialog] = {}
        self._offered: dict[str, dict[str, Any]] = {}  # What dialogues offer when they are made.
        self._copier = Background("kernelviz-copy", self)
        self._copier.done.connect(self._on_copied)
        self._copier.failed.connect(window.complain)
        self._importer = Background("kernelviz-imports", self)
        self._imported = False

    def import_ahead(self) -> None:
        """Import the modules of dialogues and views in the background, before one of them is opened.

        Called when the File menu opens, and once the window is idle."""

        def importing(beat: Beat) -> Generator[float, None, None]:
            for number, name in enumerate(IMPORTED_AHEAD):
                yield number / len(IMPORTED_AHEAD)
                importlib.import_module(name)

        if not self._imported:
            self._imported = True
            self._importer.start(importing)

    def offer(self, choices: object) -> None:
        """Offer in the dialogue for figures the choices that an opened session or picture carries; the words
        of the figure before are forgotten."""
        offered = choices if isinstance(choices, dict) else {}
        if "figure" in self._dialogs:
            self._dialogs["figure"].offer(offered)
        else:
            self._offered["figure"] = offered

    def record(self) -> dict[str, Any]:
        """Return the choices of the figure, as a field of the session's file; empty before there are any."""
        dialog = self._dialogs.get("figure")
        choices = self._offered.get("figure") if dialog is None else dialog.record()
        return {FIGURE: choices} if choices else {}

    # Dialogues -----------------------------------------------------------------------------------------
    def export_figure(self) -> None:
        """Open the dialogue that exports a figure."""
        from kernelviz.ui.dialogs.figure_dialog import FigureDialog

        self._open("figure", FigureDialog)

    def export_animation(self) -> None:
        """Open the dialogue that exports a run or a sweep as an animation."""
        from kernelviz.ui.dialogs.animation_dialog import AnimationDialog

        self._open("animation", AnimationDialog)

    def _open(self, name: str, kind: type[ExportDialog]) -> None:
        """Show a dialogue, which is made when it is first opened and keeps its choices."""
        if name not in self._dialogs:
            self._dialogs[name] = kind(self.source(), self.window)
            self._dialogs[name].offer(self._offered.pop(name, {}))
        dialog = self._dialogs[name]
        if dialog.isVisible():
            dialog.raise_()
        dialog.show()
        dialog.activateWindow()

    def source(self) -> ExportSource:
        """Return the source from which the dialogues export."""
        from kernelviz.ui.dialogs.export_dialog import ExportSource

        window = self.window
        return ExportSource(window.workbench, window.settings, self._panels, self._path)

    def _panels(self, domain: Domain | None) -> dict[str, FigurePanel]:
        """Return the views that can be part of a figure of such inputs, or of any, by name."""
        widgets = [view.widget for view in VIEWS.values() if domain is None or domain in view.domains]
        scenes = [widget for widget in widgets if issubclass(widget, SceneView)]
        return {widget.name: self.window.insight.panel(widget) for widget in scenes}

    # Clipboard -----------------------------------------------------------------------------------------
    def copy_figure(self) -> None:
        """Copy the picture on the canvas to the clipboard, at twice the screen resolution."""
        from kernelviz.scene.export.files import painting
        from kernelviz.ui.dialogs.snapshot import Snapshot

        snapshot, options = Snapshot.of(self.window.workbench), self._as_seen()

        def work(beat: Beat) -> Generator[float, None, QImage]:
            return painting(snapshot.figure(options), options)

        self._copier.start(work)

    def _as_seen(self) -> Options:
        """Return size, type and theme of the canvas."""
        from kernelviz.scene.export.options import Options

        canvas = self.window.canvas
        drawn, style = canvas.drawn, canvas.style_of_figure
        sharpness = 2  # Pixels of a copied figure per pixel of the canvas, in each direction.
        width, height = (max(64, sharpness * side) for side in (drawn.width(), drawn.height()))
        screen_dpi = 96.0
        return Options(
            width=width,
            height=height,
            dpi=sharpness * screen_dpi,
            theme=current_theme().name,
            text=style.text,
            strokes=style.strokes,
            formula=False,
            caption=False,
        )

    def _on_copied(self, image: QImage) -> None:
        """Put a painted figure on the clipboard."""
        QGuiApplication.clipboard().setImage(image)
        self._confirm(f"Figure copied, {image.width()} × {image.height()} pixels")

    def copy_link(self) -> None:
        """Copy a line of text that opens what is on screen."""
        try:
            link = self.window.files.link
        except BadInput as problem:
            self.window.complain(str(problem))
            return
        QGuiApplication.clipboard().setText(link)
        self._confirm(f"Link copied, {len(link):,} characters")

    def copy_script(self) -> None:
        """Copy a script that rebuilds the fits and the figure on screen with kernelviz."""
        from kernelviz.session.scripts.script import kernelviz_script

        self._copy_text(kernelviz_script, "Python script copied")

    def copy_sklearn(self) -> None:
        """Copy the same with scikit-learn and matplotlib."""
        from kernelviz.session.scripts.script import sklearn_script

        self._copy_text(sklearn_script, "scikit-learn script copied")

    def copy_command(self) -> None:
        """Copy the command that draws the figure on screen."""
        from kernelviz.session.scripts.command import command_line

        self._copy_text(command_line, "Command copied")

    def _copy_text(self, write: Callable[[State, Sheet], str], confirmation: str) -> None:
        """Copy a script that draws the canvas as it is seen."""
        from kernelviz.session.scripts.text import Sheet

        try:
            QGuiApplication.clipboard().setText(write(self.window.session.state, Sheet(self._as_seen())))
        except BadInput as problem:
            self.window.complain(str(problem))
        else:
            self._confirm(confirmation)

    def _confirm(self, sentence: str) -> None:
        """Show in the status line for a moment that something was copied."""
        confirmed_for = 4000  # Milliseconds that a confirmation stays in the status bar.
        self.window.statusBar().showMessage(sentence, confirmed_for)

    def stop(self) -> bool:
        """Cancel all exports; return True if all threads ended in time."""
        ended = [dialog.stop() for dialog in self._dialogs.values()]
        return all([*ended, self._copier.stop(), self._importer.stop()])
