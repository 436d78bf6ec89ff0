"""A lesson in the window: its panel next to the canvas, the other panels folded, the work from before kept.

Imported with the first lesson: a start without one does not wait for it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from PySide6.QtCore import QEvent, QObject, QPointF, QRect, Qt, QTimer
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QBoxLayout, QDockWidget, QFileDialog, QWidget

from kernelviz.engine.core.errors import BadInput
from kernelviz.scene.theme import current_theme
from kernelviz.session.files import kviz
from kernelviz.session.lessons.actions import EditPoints
from kernelviz.session.lessons.lesson import Lesson, Prediction, Task
from kernelviz.session.lessons.progress import Progress
from kernelviz.session.lessons.reader import SUFFIX, read_lesson, shipped
from kernelviz.session.lessons.writing import stage_block
from kernelviz.session.session import Desk
from kernelviz.session.state import State
from kernelviz.ui.lessons.chooser import LessonChooser, Offered, reading_lessons
from kernelviz.ui.lessons.controls import LessonControls
from kernelviz.ui.lessons.panel import WIDTH, LessonPanel
from kernelviz.ui.lessons.recorder import Recorder
from kernelviz.ui.lessons.tutor import Tutor, present_state
from kernelviz.ui.widgets.buttons import Button, needs
from kernelviz.ui.window.actions import LESSON_COMMANDS
from kernelviz.ui.window.docks import RIGHT
from kernelviz.ui.window.loading import Loader, Reading
from kernelviz.ui.window.shapes import NARROW
from kernelviz.ui.window.shell import Shell

FIELD = "lesson"  # Of a session file that was saved within a lesson.
USUAL = 0.24  # The share of the window that the panel takes, if it is not too narrow for it,
BROADEST = 440  # and its greatest width, in type of the usual size.
WIDEST, DRAWER = 0.36, 0.85  # The share that it takes at most, beside the canvas and over it.
RING = 15  # Radius of the ring around a point, in pixels.
FEATURES = QDockWidget.DockWidgetFeature
LETTERS = {Qt.Key.Key_A: "a", Qt.Key.Key_B: "b", Qt.Key.Key_C: "c", Qt.Key.Key_D: "d"}


class PointRing(QWidget):
    """A ring around a point that the step speaks of, with its name; to the mouse it is not there."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.name = name
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.resize(4 * RING, 3 * RING)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(current_theme().highlight), 2.5))
        painter.drawEllipse(QPointF(1.5 * RING, 1.5 * RING), RING - 2, RING - 2)
        painter.drawText(QPointF(2.6 * RING, 0.8 * RING), self.name)


class LessonWindow(QObject):
    """The lesson of a window, if there is one, and the commands about lessons."""

    def __init__(self, window: Shell, place: QBoxLayout) -> None:
        """place: where the panel stands, next to the canvas."""
        super().__init__(window)
        self.window, self._place = window, place
        self.panel: LessonPanel | None = None
        self.tutor = Tutor(window.workbench, self._open_views, self)
        self._loader = Loader(window)
        self._loader.failed.connect(window.complain)
        self._before: Desk | None = None  # The work from before the lesson.
        self._asking = False  # The work from before is on the session, for a question about saving it.
        self._packed: tuple[State, Any] | None = None
        self._file_before: object = None
        self._file = ""  # Of the lesson.
        self._layout_before: tuple[Any, list[str]] | None = None
        self._recorder: Recorder | None = None
        self._rings: list[PointRing] = []
        self._handle = Button("Lesson", "Show the lesson", self._unfold_panel)
        self._handle.setParent(window)
        self._handle.hide()
        self._folded = False
        self._shown_for = (False, 0.0)  # Whether in presentation mode, and the size of the type.
        self._watched: list[QObject] = []
        self.tutor.failed.connect(self._on_failed)
        self.tutor.view_wanted.connect(self._show_view)
        self.tutor.step_changed.connect(self._on_step)
        self.tutor.progressed.connect(self._remember)
        window.workbench.state_changed.connect(self._on_state)

    @property
    def running(self) -> bool:
        return self.panel is not None

    # Commands -------------------------------------------------------------------------------------------
    def offer(self) -> None:
        """Offer the lessons that there are."""
        self._loader.start("the lessons", reading_lessons(), self._choose_from)

    def _choose_from(self, offered: list[Offered]) -> None:
        dialog = LessonChooser(offered, self.window.settings.lessons_done, self.window)
        dialog.chosen.connect(self.open_path)
        dialog.file_wanted.connect(self._ask_for_file)
        dialog.open()

    def _ask_for_file(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self.window, "Open a lesson", "", f"Lessons (*{SUFFIX})")
        if name:
            self.open_path(Path(name))

    def open_path(self, path: Path) -> None:
        """Open a lesson's file; one that is broken is a sentence with file and line."""
        self._loader.start(path.name, _reading(path), self.begin)

    def next_step(self) -> None:
        if self.panel is not None:
            self.panel.next.click()

    def previous_step(self) -> None:
        if self.panel is not None:
            self.panel.back.click()

    def go_to_lesson(self) -> None:
        """Give the keyboard to the panel: to the first choice, or to *Next*."""
        if self.panel is None:
            self.offer()
            return
        self._unfold_panel()
        card = self.panel.prediction
        choices = (
            [button for button in card.buttons.values() if button.isEnabled()] if card is not None else []
        )
        first = choices[0] if choices else self.panel.next
        first.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def copy_answers(self) -> None:
        """Put one line about this student and lesson on the clipboard."""
        if self.tutor.progress is not None:
            QGuiApplication.clipboard().setText(str(self.tutor.progress))
            self.window.notice.say("Your answers are on the clipboard")

    def copy_stage(self) -> None:
        """Put the block of a lesson that opens what is on screen on the clipboard."""
        self._copy(lambda: stage_block(present_state(self.window.workbench, self._open_views())), "stage")

    def record_lesson(self) -> None:
        """Begin to write down what is done in the window; the second time, copy the lesson."""
        if self._recorder is None:
            self._recorder = Recorder(self.window.workbench, self._open_views, self)
            self._wire_views(self._recorder.look_again)
            self.window.notice.say("Recording: switch it off in the Edit menu to copy the lesson")
        else:
            recorder, self._recorder = self._recorder, None
            self._wire_views(recorder.look_again, on=False)
            recorder.deleteLater()
            self._copy(recorder.finished, "lesson")
        self.window.actions_by_name["record_lesson"].setChecked(self._recorder is not None)

    def _copy(self, write: Callable[[], str], what: str) -> None:
        try:
            QGuiApplication.clipboard().setText(write())
            self.window.notice.say(f"The {what} is on the clipboard")
        except BadInput as problem:
            self.window.complain(str(problem))

    # Beginning and ending -------------------------------------------------------------------------------
    def begin(self, lesson: Lesson) -> None:
        """Start a lesson, or go on with it where it was left. The present work waits until it ends."""
        if self.running:
            self.end_lesson()
        if self._recorder is not None:
            self.record_lesson()
        window = self.window
        self._file_before = window.files.set_aside()
        state = window.session.state
        self._before = window.session.exchange(Desk(state))
        self._open_panel(lesson)
        self.tutor.begin(lesson, self._progress_of(lesson), None)

    def _progress_of(self, lesson: Lesson) -> Progress:
        """Return the progress that was remembered of an unfinished lesson, or a new one."""
        with contextlib.suppress(BadInput):
            kept = Progress.parse(self.window.settings.lesson_progress(lesson.name))
            if (kept.version, kept.steps) == (lesson.version, len(lesson.steps)) and not kept.finished:
                return kept
        return Progress.begin(lesson)

    def end_lesson(self) -> None:
        """End the lesson: work, undo, file and panels are as they were before it."""
        if not self.running:
            return
        window, progress = self.window, self.tutor.progress
        self.tutor.end()
        if progress is not None and progress.finished:
            window.settings.remember_lesson_done(progress.lesson)
        self._close_panel()
        before, self._before, self._packed = self._before, None, None
        if before is not None:
            window.session.exchange(before)
        window.files.take_back(self._file_before)
        self._file_before = None
        window.take_keyboard()

    def forget(self) -> None:
        """End the lesson because another session takes the place of everything, the work before included."""
        if self.running:
            self.tutor.end()
            self._close_panel()
            self._before = self._packed = self._file_before = None

    @property
    def nothing_to_save(self) -> bool:
        """Return True if a lesson runs and all work from before it is saved."""
        return self.running and self._before is not None and not self._before.unsaved

    def stop(self) -> None:
        """Give up what is being read: the window closes."""
        self._loader.stop()

    @contextlib.contextmanager
    def work_from_before(self) -> Iterator[None]:
        """Have the work from before the lesson on the session meanwhile, for a question about saving it."""
        if not self.running or self._before is None:
            yield
            return
        window = self.window
        lesson_file = window.files.set_aside()
        lesson_desk = window.session.exchange(self._before)
        window.files.take_back(self._file_before)
        self._set_asking(True)
        try:
            yield
        finally:
            self._set_asking(False)
            self._file_before = window.files.set_aside()
            self._before = window.session.exchange(lesson_desk)
            window.files.take_back(lesson_file)

    def _set_asking(self, on: bool) -> None:
        """Have the lesson rest while the work from before is on the session: nothing of it is judged, and a
        file that is saved meanwhile is no lesson's."""
        self._asking = self.tutor.resting = on
        if self.panel is not None:
            self.panel.setEnabled(not on)

    def _on_failed(self, sentence: str) -> None:
        self.end_lesson()
        self.window.complain(sentence)

    def _remember(self) -> None:
        if self.tutor.progress is not None:
            self.window.settings.remember_lesson(self.tutor.progress.lesson, str(self.tutor.progress))

    # In session files -----------------------------------------------------------------------------------
    def record(self) -> dict[str, Any]:
        """Return what a session file keeps of the lesson: where the student is, and the work from before."""
        tutor, before = self.tutor, self._before
        if tutor.lesson is None or before is None or self._asking:
            return {}
        if self._packed is None or self._packed[0] is not before.state:
            extra = kviz.PackedStates().packed({}, before.elsewhere)
            self._packed = before.state, msgspec.json.decode(kviz.dumps(before.state, extra))
        return {
            FIELD: {
                "file": self._file,
                "name": tutor.lesson.name,
                "progress": str(tutor.progress),
                "points": dict(tutor.now().points),
                "before": self._packed[1],
            }
        }

    def resume(self, record: object) -> None:
        """Go on with the lesson of a session file that has just been opened."""
        if not isinstance(record, Mapping):
            return
        try:
            state, extra = kviz.loads(msgspec.json.encode(record.get("before")), "The work before the lesson")
        except (BadInput, msgspec.MsgspecError) as problem:
            self.window.complain(str(problem))
            return
        elsewhere, _ = kviz.unpacked(extra)
        documents = {name: left.document for name, left in elsewhere.items()}
        documents[state.document.workspace.name] = state.document
        before = Desk(state, elsewhere, {} if self.window.session.unsaved else documents)
        points = record.get("points")
        rows = (
            {str(k): v for k, v in points.items() if isinstance(v, int)}
            if isinstance(points, Mapping)
            else {}
        )
        path = _found(str(record.get("name", "")), str(record.get("file", "")))
        try:
            progress = Progress.parse(str(record.get("progress", "")))
            if path is None:
                raise BadInput(f"The lesson {progress.lesson} is not there.")
        except BadInput as problem:
            self._give_up(before, f"{problem} This is the work from before the lesson.")
            return

        def go_on(lesson: Lesson) -> None:
            if (progress.version, progress.steps) != (lesson.version, len(lesson.steps)):
                self._give_up(before, "The lesson has changed. This is the work from before it.")
                return
            self._before, self._file_before = before, None
            self._open_panel(lesson)
            self.tutor.begin(lesson, progress, tuple(rows.items()))

        self._loader.start(path.name, _reading(path), go_on)

    def _give_up(self, before: Desk, sentence: str) -> None:
        self.window.session.exchange(before)
        self.window.complain(sentence)

    # The panel ------------------------------------------------------------------------------------------
    def _open_panel(self, lesson: Lesson) -> None:
        window = self.window
        controls = LessonControls(window.workbench, lesson.shows)
        controls.view_wanted.connect(self._show_view)
        self.panel = panel = LessonPanel(self.tutor, controls)
        self._file = str(lesson.path.resolve())
        panel.end_wanted.connect(self.end_lesson, Qt.ConnectionType.QueuedConnection)
        panel.copy_wanted.connect(self.copy_answers)
        panel.fold_wanted.connect(self._fold_panel)
        self._place.addWidget(panel)
        self._fold_docks(lesson)
        self._folded = False
        centre = window.centralWidget()
        assert centre is not None
        centre.installEventFilter(self)
        self.place()
        for name in LESSON_COMMANDS:
            window.actions_by_name[name].setEnabled(True)

    def _close_panel(self) -> None:
        panel, centre = self.panel, self.window.centralWidget()
        assert panel is not None
        assert centre is not None
        self._listen(False)
        self._clear_rings()
        centre.removeEventFilter(self)
        self._place.removeWidget(panel)
        panel.hide()
        self._handle.hide()
        self.panel = None
        self._unfold_docks()
        panel.deleteLater()
        for name in LESSON_COMMANDS:
            self.window.actions_by_name[name].setEnabled(False)

    def _fold_docks(self, lesson: Lesson) -> None:
        """Put all panels away. The insight panel has its place in that of the lesson meanwhile."""
        window = self.window
        if not window.presentation.busy:
            self._layout_before = window.arrangement.state, window.insight.shown
            window.arrangement.take("columns")
        for dock in window.docks.values():
            dock.hide()
        window.insight.shrink()
        self._hold_insight()
        window.playback.setVisible("watch" in lesson.shows)
        self._wire_views(self._show_open_views)

    def _hold_insight(self) -> None:
        """Have the insight panel below the text, wherever it is now: a restored layout takes it back."""
        window, insight = self.window, self.window.docks["insight"]
        assert self.panel is not None
        window.removeDockWidget(insight)
        insight.setFeatures(FEATURES.DockWidgetClosable)
        self.panel.hold(insight)
        window.insight.lie_in(RIGHT)

    def _unfold_docks(self) -> None:
        window, insight = self.window, self.window.docks["insight"]
        self._wire_views(self._show_open_views, on=False)
        window.insight.shrink()
        insight.hide()
        insight.setParent(window)
        movable = FEATURES.DockWidgetMovable | FEATURES.DockWidgetFloatable
        insight.setFeatures(FEATURES.DockWidgetClosable | movable)
        window.addDockWidget(RIGHT, insight)
        window.playback.show()
        before, self._layout_before = self._layout_before, None
        if before is not None and window.presentation.busy:
            window.presentation.return_to(*before)
        elif before is not None:
            layout, shown = before
            window.arrangement.restore(layout)
            window.insight.restore(shown)
            window.arrangement.follow_size()

    def _wire_views(self, notice: Callable[[], None], on: bool = True) -> None:
        """Have a slot called, or no longer, when insight views are opened and closed."""
        signals = [self.window.docks["insight"].visibilityChanged]
        signals += [signal for slot in self.window.insight.slots for signal in (slot.picked, slot.seen)]
        for signal in signals:
            if on:
                signal.connect(notice)
            else:
                signal.disconnect(notice)

    def show_views(self) -> None:
        """Open the views that this part of the step begins with, inside the panel of the lesson."""
        if self.panel is not None and not self.panel.isAncestorOf(self.window.docks["insight"]):
            self._hold_insight()
        for view in sorted(self.tutor.views_wanted):
            self._show_view(view, True)

    def _open_views(self) -> frozenset[str]:
        hidden = self.window.docks["insight"].isHidden()
        return frozenset() if hidden else frozenset(self.window.insight.shown)

    def _show_open_views(self) -> None:
        """Views were opened or closed: checks may be about them."""
        if self.panel is not None:
            self.panel.controls.show_views(self._open_views())
            self.tutor.look_again()

    def _show_view(self, name: str, on: bool) -> None:
        dock, area = self.window.docks["insight"], self.window.insight
        if on and dock.isHidden():
            area.restore([name])
            dock.show()
        elif on and area.slot_of(name) is None:
            area.open_second(True)
            area.choose(area.slots[1], name)
        elif not on and area.shown == [name]:
            dock.hide()
        elif not on:
            area.put_away(name)
        self._show_open_views()

    def place(self) -> None:
        """Have the panel next to the canvas, or over it where the window is narrow."""
        panel, window = self.panel, self.window
        centre = window.centralWidget()
        if panel is None or centre is None:
            return
        scale, room = window.arrangement.scale, centre.width()
        shown_for = window.presentation.on, QApplication.font().pointSizeF()
        if shown_for != self._shown_for:
            self._shown_for = shown_for
            panel.set_presenting(window.presentation.on)
        over = window.width() < NARROW * scale and not window.presentation.on
        usual = min(max(WIDTH * scale, USUAL * window.width()), BROADEST * scale)
        width = round(min(usual, (DRAWER if over else WIDEST) * window.width()))
        panel.fold.setVisible(over)
        if over:
            self._place.removeWidget(panel)
            panel.setMinimumWidth(0)
            panel.setMaximumWidth(16_777_215)
            panel.setGeometry(QRect(room - width, 0, width, centre.height()))
            panel.raise_()
        else:
            self._folded = False
            if self._place.indexOf(panel) < 0:
                self._place.addWidget(panel)
            panel.setFixedWidth(width)
        panel.setVisible(not self._folded)
        self._handle.setVisible(self._folded)
        if self._folded:
            self._handle.setParent(centre)
            self._handle.adjustSize()
            self._handle.move(room - self._handle.width() - 8, 8)
            self._handle.show()
            self._handle.raise_()
        self._place_rings()

    def _fold_panel(self) -> None:
        self._folded = True
        self.place()
        self.window.take_keyboard()

    def _unfold_panel(self) -> None:
        self._folded = False
        self.place()

    # Keys and rings -------------------------------------------------------------------------------------
    def _on_step(self) -> None:
        self._listen(self.tutor.open_prediction is not None)
        self._show_rings()

    def _listen(self, on: bool) -> None:
        """Watch for A to D, on the canvas and on the window, while a prediction is open."""
        for watched in self._watched:
            watched.removeEventFilter(self)
        canvas = self.window.canvas
        self._watched = [self.window, getattr(canvas, "area", canvas)] if on else []
        for watched in self._watched:
            watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.Resize and watched is self.window.centralWidget():
            QTimer.singleShot(0, self, self.place)  # after the layout, which it changes
        elif kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress) and isinstance(event, QKeyEvent):
            prediction = self.tutor.open_prediction
            if prediction is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
                return False
            letter = LETTERS.get(Qt.Key(event.key()))
            if event.key() == Qt.Key.Key_Space and self.window.presentation.on:
                letter = prediction.answer
            if letter is None or letter not in prediction.choices or needs(QApplication.focusWidget(), event):
                return False
            event.accept()
            if kind == QEvent.Type.KeyPress and self.panel is not None and self.panel.question_hidden:
                self.panel.show_card()  # nobody answers what is not in view
            elif kind == QEvent.Type.KeyPress:
                self.tutor.choose(letter)
            return True
        return False

    def _show_rings(self) -> None:
        """Mark the points that the open part of the step speaks of, where points have a place."""
        self._clear_rings()
        canvas = self.window.canvas
        if not self.tutor.running or not canvas.workspace.movable:
            return
        parts = [part for part in self.tutor.shown_parts() if isinstance(part, Prediction | Task)]
        actions = (parts[-1].do if isinstance(parts[-1], Task) else parts[-1].reveal) if parts else ()
        names = [name for action in actions if isinstance(action, EditPoints) for name in action.which]
        rows = dict(self.tutor.now().points)
        for name in dict.fromkeys(names):
            if name in rows:
                ring = PointRing(str(name), canvas.area.viewport())  # type: ignore[attr-defined]
                self._rings.append(ring)
        self._place_rings()

    def _place_rings(self) -> None:
        if not self._rings:
            return
        canvas, state = self.window.canvas, self.tutor.now()
        area, document = getattr(canvas, "area", None), state.document
        for ring in self._rings:
            row = state.row(ring.name)
            if area is None or row is None or ring.parent() is not area.viewport():
                ring.hide()
                continue
            x, y = document.workspace.positions(document.data)[row]
            spot = area.mapFromScene(area.box.mapViewToScene(QPointF(x, y)))
            ring.move(round(spot.x() - 1.5 * RING), round(spot.y() - 1.5 * RING))
            ring.show()

    def _clear_rings(self) -> None:
        for ring in self._rings:
            ring.hide()
            ring.deleteLater()
        self._rings = []

    def _on_state(self, old: State, new: State) -> None:
        if not self.tutor.running:
            return
        if old.document.workspace is not new.document.workspace:
            self._on_step()
            QTimer.singleShot(0, self.window, self.window.take_keyboard)
        elif old.document.data.n != new.document.data.n:
            self._show_rings()
        if self._rings:
            QTimer.singleShot(0, self, self._place_rings)  # once the canvas has its new view


def _reading(path: Path) -> Reading:
    yield 0.0
    return read_lesson(path)


def _found(name: str, file: str) -> Path | None:
    """Return where the lesson of a session file is: one of ours by its name, or the file it was."""
    ours = {path.stem: path for path in shipped()}
    if name in ours:
        return ours[name]
    path = Path(file)
    with contextlib.suppress(OSError, ValueError):
        if path.suffix == SUFFIX and path.is_file():
            return path
    return None
