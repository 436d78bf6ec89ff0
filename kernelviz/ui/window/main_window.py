"""The main window: the canvas in the middle, panels around it, the status line below.

`MainWindow` makes the parts and connects them; each part is a module of its own that sees the window as a
`Shell`. What stays here are commands of a few lines, the reactions of title and menus to the session, and
Qt's events."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QKeyEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QMenu,
    QMessageBox,
    QToolButton,
    QWidget,
)

from kernelviz import __version__
from kernelviz.engine.core.errors import BadInput
from kernelviz.scene.icons import icon
from kernelviz.scene.theme import CHOICES, choose_theme, contrast_hints
from kernelviz.session.files.link import is_link
from kernelviz.session.session import Session
from kernelviz.session.starts import Start
from kernelviz.session.state import State
from kernelviz.ui.canvas.banner import Notice
from kernelviz.ui.canvas.welcome import Welcome, reading_pictures
from kernelviz.ui.insight.area import InsightArea
from kernelviz.ui.sidebar.formula_label import typesetter
from kernelviz.ui.sidebar.panel import Panel
from kernelviz.ui.sidebar.playback_bar import PlaybackBar
from kernelviz.ui.widgets.buttons import KeyGuard, ToolButton
from kernelviz.ui.widgets.form import FormStack
from kernelviz.ui.widgets.layouts import Place, column, row, soon
from kernelviz.ui.widgets.painting import UnpaintedChange
from kernelviz.ui.widgets.picker import Picker
from kernelviz.ui.window.announcements import Announcements
from kernelviz.ui.window.appearance import apply_theme
from kernelviz.ui.window.canvases import Canvases
from kernelviz.ui.window.command_bar import CommandBar
from kernelviz.ui.window.commands import SEPARATOR, TOOLBAR, Command
from kernelviz.ui.window.data_files import DataFiles
from kernelviz.ui.window.docks import build_docks
from kernelviz.ui.window.echo import Echo
from kernelviz.ui.window.exports import Exports
from kernelviz.ui.window.files import Files
from kernelviz.ui.window.fits import Fits
from kernelviz.ui.window.hidden_controls import HiddenControls
from kernelviz.ui.window.keyboard import Keyboard, ShortcutsSheet
from kernelviz.ui.window.layer_strip import LayerStrip
from kernelviz.ui.window.layout import PanelLayout
from kernelviz.ui.window.lessons import Lessons
from kernelviz.ui.window.loading import Loader
from kernelviz.ui.window.menus import Menus, build_actions, fill_choices
from kernelviz.ui.window.pointing import Pointing
from kernelviz.ui.window.presentation import Presentation, Strip
from kernelviz.ui.window.shell import Shell
from kernelviz.ui.window.status_line import StatusLine
from kernelviz.ui.workbench.settings import LARGEST_TYPE, SMALLEST_TYPE, Settings
from kernelviz.ui.workbench.throttle import READABLE, Throttle
from kernelviz.ui.workbench.workbench import Workbench

if TYPE_CHECKING:
    from kernelviz.ui.window.audience import AudienceWindow
    from kernelviz.ui.window.lecture_window import LectureWindow
    from kernelviz.ui.window.lesson_window import LessonWindow

IDLE = 3000  # Milliseconds without a change until modules are imported ahead.


RECENT_ON_CARD = 2  # Files opened last that the card of the first minute shows.


class MainWindow(Shell):
    """Makes the parts of the window and connects them."""

    arrangement: PanelLayout
    presentation: Presentation
    keyboard: Keyboard
    exports: Exports
    files: Files
    controls: HiddenControls
    lessons: Lessons
    strip: Strip

    def __init__(self, session: Session, settings: Settings | None = None) -> None:
        super().__init__()
        self.setObjectName("kernelviz")
        self.unpainted = UnpaintedChange(self)
        self._named: tuple[object, ...] = ()  # What title and menus show at present.
        self._leaving = False
        self._closed = False
        self._audience: AudienceWindow | None = None
        self._naming = Throttle(self, READABLE, self._show_names)
        # Imports ahead when nothing has happened for a while: during a drag it would be felt.
        self._idle = QTimer(self, singleShot=True)
        self.settings = settings or Settings()
        self.arrangement = PanelLayout(self)
        self.session = session
        session.tell = partial(self.complain, about_data=True)
        self.presentation = Presentation(self)
        self.keyboard = Keyboard(self)
        self.update_theme()
        typesetter().hold()
        self.workbench: Workbench = Workbench(session)
        self.canvases = Canvases(self.workbench)
        self.playback = PlaybackBar(self.workbench)
        loader = Loader(self)
        loader.failed.connect(self.complain)
        self.data_files = DataFiles(self, loader)
        self.controls = HiddenControls(self)
        self.files = Files(self, loader, self.data_files.open_table)
        self.exports = Exports(self, lambda: self.files.path)
        self.fits = Fits(self)
        self.stage = Place()
        self.stage.put(self.canvases)
        self.notice = Notice(self.stage)
        self.setCentralWidget(self._centre())
        self.status_line = StatusLine(self.workbench)
        self.setStatusBar(self.status_line)
        Announcements(self, self.workbench)
        self.actions_by_name: dict[str, QAction] = build_actions(self, self._do)
        self.echo = Echo(self)
        self.layers = LayerStrip(self)
        self._beside_canvas.addWidget(self.layers)
        self.docks = build_docks(self, self.workbench, self.actions_by_name)
        self.keyboard.add_panel_keys()
        self.insight = cast(InsightArea, self.docks["insight"].widget())
        Pointing(self)
        self.lessons = Lessons(self, self._next_to_canvas, self._below_canvas)
        self.insight.hold()
        self.insight.stage = self.stage
        self.insight.may_hide_canvas = lambda: self.arrangement.may_hide_canvas
        self.insight.emptied.connect(self.docks["insight"].put_away)
        self.docks["insight"].dockLocationChanged.connect(self.insight.lie_in)
        self.menus = self._build_menus()
        self._build_toolbars()
        self.setAcceptDrops(True)
        self._guard = KeyGuard(self)
        for part in (self, *self.docks.values()):
            part.installEventFilter(self._guard)
        self._connect()
        for name, picker in self._pickers.items():
            picker.recent = self.settings.picked(name)
        self.arrangement.begin()
        self._on_state(session.state, session.state)
        self._naming.now()
        self.take_keyboard()
        self.workbench.refresh()

    # Parts ---------------------------------------------------------------------------------------------
    def _centre(self) -> QWidget:
        centre = QWidget(self)
        self._beside_canvas = row((self.stage, 1), spacing=0)
        self._below_canvas = column((self._beside_canvas, 1), self.playback, spacing=0)
        self._next_to_canvas = row((self._below_canvas, 1), on=centre, spacing=0)
        return centre

    @property
    def lesson_window(self) -> LessonWindow:
        """The part with the commands about lessons, made when it is first needed."""
        return self.lessons.part

    @property
    def lecture_window(self) -> LectureWindow:
        """The part with the commands about lectures, made when it is first needed."""
        return self.lessons.lecture

    @property
    def audience(self) -> AudienceWindow:
        """The window for an audience, made when it is first needed."""
        if self._audience is None:
            from kernelviz.ui.window.audience import AudienceWindow

            self._audience = AudienceWindow(self)
        return self._audience

    def _do(self, command: Command) -> None:
        """Call the method of a command, in the part of the window it names."""
        part = self if command.by == "window" else getattr(self, command.by)
        getattr(part, command.name)()

    def find_anything(self) -> None:
        """Open the list of everything that can be done."""
        from kernelviz.ui.window.palette import CommandPalette, PaletteEntries

        CommandPalette(self, PaletteEntries(self, self.menus, self.keyboard.go_to_view).all()).open()

    def _build_menus(self) -> Menus:
        """Make the menus, with the submenus that need the parts of the window."""
        panels = [dock.toggleViewAction() for dock in self.docks.values()]
        usual = (SMALLEST_TYPE, 90, 100, 115, 130, 150, 175, 200, LARGEST_TYPE)
        sizes = {size: f"{size} %" for size in sorted({*usual, self.settings.type_size})}
        insert: dict[str, Callable[[QMenu], None]] = {
            "recent": self.files.fill_recent,
            "presets": self.fits.fill_menu,
            "kernels": partial(self.keyboard.list_kinds, "kernel"),
            "algorithms": partial(self.keyboard.list_kinds, "algorithm"),
            "panels": lambda menu: menu.addMenu("Pa&nels").addActions(panels),
            "presented": self.presentation.fill_menu,
            "controls": self.controls.fill_menu,
            "theme": lambda menu: fill_choices(
                menu.addMenu("&Theme"), CHOICES, self.settings.theme, self.set_theme
            ),
            "type_size": lambda menu: fill_choices(
                menu.addMenu("T&ype size"), sizes, self.settings.type_size, self.set_type_size
            ),
        }
        menus = Menus(self, insert, self.keyboard.go_to_view)
        self._find = ToolButton("search", "Find anything", "Find anything (Ctrl+Shift+P)", self.find_anything)
        self.menuBar().setCornerWidget(self._find)  # which does not keep it
        menus.by_title["&File"].aboutToShow.connect(self.exports.import_ahead)
        return menus

    def _build_toolbars(self) -> None:
        """Make the toolbar of commands and the strip of presentation mode."""
        bar = CommandBar(self)
        self.canvases.fill_switch(bar)
        groups: list[list[QAction]] = [[]]
        for name in TOOLBAR:
            if name == SEPARATOR:
                groups[-1].append(bar.addSeparator())
                groups.append([])
            else:
                groups[-1].append(self.actions_by_name[name])
                bar.addAction(self.actions_by_name[name])
        insight = self.docks["insight"].toggleViewAction()
        insight.setToolTip("Show or hide the insight views")
        groups[-1].append(insight)
        bar.addAction(insight)
        self.fits.fill_toolbar(bar)
        bar.addSeparator()
        self.canvases.fill_toolbar(bar)
        bar.give_way(groups)
        self.addToolBar(bar)
        # Qt's own icon is drawn for light themes.
        for rest in bar.findChildren(QToolButton, "qt_toolbar_ext_button"):
            rest.setIcon(icon("chevron-right"))
            rest.setToolTip("Show the buttons that do not fit, such as the options of the tool")
        panels = (cast(Panel, self.docks[name].widget()) for name in ("kernel", "algorithm"))
        self.strip = Strip(self.workbench, panels, self.canvases)
        self.strip.refused.connect(self._say_why)
        self.controls.changed.connect(self.strip.hide_parts)
        self.addToolBar(Qt.ToolBarArea.BottomToolBarArea, self.strip)

    def _connect(self) -> None:
        """Connect the parts with each other, and the window with the system's theme."""
        self.workbench.state_changed.connect(self._on_state)
        self.workbench.frozen_changed.connect(self.actions_by_name["toggle_freeze"].setChecked)
        self._idle.timeout.connect(self.exports.import_ahead)
        self.files.began_anew.connect(lambda: self.welcome(again=True))
        self.files.not_kept.connect(self.status_line.show_not_kept)
        for first in (self.workbench.frame_arrived, self.workbench.failed):
            first.connect(self._on_first_picture, Qt.ConnectionType.SingleShotConnection)
        self.canvases.pointed.connect(self.insight.show_place)
        self.canvases.left.connect(lambda: self.insight.show_place(float("nan"), 0.0))
        self.canvases.coordinates_wanted.connect(self.keyboard.edit_point)
        self._hints = QGuiApplication.styleHints()
        self._hints.colorSchemeChanged.connect(self._follow_system)
        if (contrast := contrast_hints(self._hints)) is not None:
            contrast.contrastPreferenceChanged.connect(self._follow_system)

    # What the window itself does -------------------------------------------------------------------------
    def undo(self) -> None:
        """Undo the last change."""
        self.session.undo()
        history = self.session.history
        if history.forgot and not len(history):
            self.complain(
                "Nothing more to undo. With this many points, older steps are discarded to save memory."
            )

    def quit(self) -> None:
        """Close the window, after a question if there are unsaved changes."""
        self.close()

    def leave(self) -> None:
        """Close without a question; the next start offers to recover what is not saved.

        Open dialogues and menus are closed first, so that functions waiting for an answer return."""
        self._leaving = True
        asking = [w for w in QApplication.topLevelWidgets() if isinstance(w, QDialog | QMenu)]
        if asking := [widget for widget in asking if widget.isVisible()]:
            for widget in asking:
                widget.reject() if isinstance(widget, QDialog) else widget.close()
            soon(self, self.leave)
        elif self.isVisible():
            self.close()

    def take_keyboard(self) -> bool:
        """Give the focus to the canvas; return True if another widget had it."""
        return self.keyboard.go_home()

    def set_theme(self, name: str) -> None:
        """Change to a theme, or to the system's, and remember it."""
        self.settings.theme = name
        self.update_theme()

    def set_type_size(self, percent: int) -> None:
        """Set the size of all type, in per cent of the usual, and remember it."""
        self.settings.type_size = percent
        self.update_theme()
        self.arrangement.follow_type()

    def _say_why(self, sentence: str) -> None:
        """Show for a while why something typed cannot be used."""
        long_enough = 5000  # Milliseconds, to read a sentence.
        self.notice.say(sentence, long_enough)

    def live_mode(self) -> None:
        """Show the solution while the user edits."""
        self.session.adjust(mode="live", step=0)

    def median_width(self) -> None:
        """Set the width of the kernel by the median heuristic."""
        document = self.session.document
        try:
            kernel = document.kernel.scaled_to(document.data.X)
        except BadInput as problem:
            self.complain(str(problem))
        else:
            self.session.change("set width by median heuristic", kernel=kernel)

    def shortcuts(self) -> None:
        """Show the sheet of shortcuts."""
        sheet = self.findChild(ShortcutsSheet)
        if sheet is None:
            sheet = ShortcutsSheet(self, self.canvas)
            sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        sheet.show()
        sheet.raise_()
        sheet.activateWindow()

    def welcome(self, again: bool = False) -> None:
        """Show a card with first steps and states to begin with, until it is closed or followed, where points
        can be dragged. again: also if it was closed before."""
        if (self.settings.welcomed and not again) or not self.canvases.workspace.movable:
            return
        for card in self.canvases.findChildren(Welcome):
            card.deleteLater()
        card = Welcome(self.canvas)
        card.read.connect(lambda: setattr(self.settings, "welcomed", True))
        card.lessons_wanted.connect(lambda: self.lesson_window.lessons())
        card.lectures_wanted.connect(lambda: self.lecture_window.lectures())
        card.start_wanted.connect(self._begin_with)
        card.file_wanted.connect(self.files.open_path)
        self.workbench.state_changed.connect(card.follow)
        if recent := [Path(name) for name in self.settings.recent[:RECENT_ON_CARD]]:
            reader = self.workbench.background("kernelviz-recent", card)
            reader.done.connect(card.show_recent)
            reader.start(lambda _beat: reading_pictures(recent))

    def _begin_with(self, start: Start | None) -> None:
        """Begin with a state that was chosen on the card, or with no points."""
        if start is None:
            self.files.new()
            return
        self.files.begin_with(start.state())
        for card in self.canvases.findChildren(Welcome):
            card.deleteLater()
        if start.view:
            self.keyboard.go_to_view(start.view)
            self.keyboard.go_home()

    def about(self) -> None:
        """Show version and licence."""
        QMessageBox.about(
            self,
            "About kernelviz",
            f"<h3>kernelviz {__version__}</h3><p>See kernel methods: place points, choose a kernel and an "
            "algorithm, watch it learn.</p><p>MIT licence.</p>",
        )

    def reset_layout(self) -> None:
        """Put every panel back in its place and give the window its first size."""
        self.arrangement.reset()

    # Reactions -----------------------------------------------------------------------------------------
    def _on_state(self, old: State, new: State) -> None:
        """Update menus and title, during a drag at most as often as they can be read."""
        if self._idle.isActive():
            self._idle.start(IDLE)
        self.menus.follow(old, new)
        history = self.session.history
        named = (history.undo_name, history.redo_name, self.files.title, self.files.to_be_saved)
        if named != self._named:
            self._named = named
            self._naming.ask()

    def enable_commands(self) -> None:
        self.menus.enable()

    def _show_names(self) -> None:
        self.menus.name_steps()
        self.setWindowTitle(f"{self.files.title}[*]")
        self.setWindowModified(self.files.to_be_saved)

    def update_title(self) -> None:
        self._named = ()
        self._naming.ask()

    def _on_first_picture(self, _: object) -> None:
        """Start the work that has waited for the first picture."""
        QTimer.singleShot(0, typesetter(), typesetter().release)
        soon(self.insight, self.insight.release)
        self._idle.start(IDLE)

    def _follow_system(self) -> None:
        if self.settings.theme == "system":
            self.update_theme()

    def update_theme(self) -> None:
        """Apply the chosen theme, in large type while presenting."""
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        for stack in self.findChildren(FormStack):
            stack.forget_hidden()
        if self.isVisible():
            self.unpainted.pause()  # styling and painting take a moment each
        apply_theme(app, choose_theme(self.settings.theme), self.presentation.scale)
        if hasattr(self, "lessons") and self.lessons.kind:
            self.statusBar().clearMessage()  # Qt shows again what it hides
            soon(self.lessons, self.lessons.place)

    @property
    def _pickers(self) -> dict[str, Picker]:
        """The pickers by the names of their panels."""
        found = {name: dock.findChild(Picker) for name, dock in self.docks.items()}
        return {name: picker for name, picker in found.items() if picker is not None}

    # Qt's events ---------------------------------------------------------------------------------------
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrangement.follow_size()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange:
            self.presentation.check_size()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # An Escape that nothing else has used closes a panel over the canvas, restores the canvas, or leaves
        # presentation mode.
        bar = self.arrangement.icon_bar
        escaped = event.key() == Qt.Key.Key_Escape
        if not (escaped and (bar.shut() or self.insight.shrink() or self.presentation.leave())):
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls() or is_link(event.mimeData().text()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        if is_link(event.mimeData().text()):
            event.acceptProposedAction()
            self.files.open_link(event.mimeData().text())
            return
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.files.open_paths([Path(path) for path in paths])

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._closed:  # once more, behind a dialogue that was still open
            event.accept()
            return
        may_close = self._leaving or self.files.may_close()
        if not (may_close or self._leaving):  # a signal may have come while the user was asked
            event.ignore()
            return
        self._closed = True
        self.files.stop(keep=self._leaving)
        self.lessons.end_lesson()
        self.lessons.stop()
        if self._audience is not None:
            self._audience.stop()
        self.unpainted.finish()
        self.arrangement.leave()
        self.settings.insight = list(self.arrangement.wishes.views)
        if not (self.presentation.on or self.isFullScreen()):
            self.arrangement.remember()
        for name, picker in self._pickers.items():
            self.settings.remember_picked(name, picker.recent)
        self.settings.write()
        self.insight.prepare_to_close()
        self._idle.stop()
        self.playback.pause()
        self.exports.stop()
        self.workbench.stop()
        typesetter().stop()
        event.accept()
