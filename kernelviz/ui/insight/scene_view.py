"""The widget that shows any view.

A view (`scene.view.View`) is a frozen object: its fields are switches, and its methods return a scene for a
frame and an intent for a click or a key. `SceneView` keeps the present view, asks it for a scene whenever a
frame, a switch or the mark changes, shows it on a sheet below the bar of switches, and does what the intents
mean. A view that takes long to draw is asked on another thread."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import fields, replace
from functools import partial
from math import ceil
from time import perf_counter
from typing import Any, ClassVar

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from kernelviz.engine.core.errors import BadInput
from kernelviz.runtime.jobs import Beat
from kernelviz.runtime.messages import Frame, Verdict
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL
from kernelviz.scene.nodes import Hit, Marks
from kernelviz.scene.panels import FigurePanel
from kernelviz.scene.view import (
    ChangeDocument,
    Copy,
    Glide,
    GoTo,
    Intent,
    Needed,
    Now,
    Restore,
    Scene,
    SelectPoints,
    Set,
    Several,
    TextField,
    View,
    ViewMemory,
    message,
)
from kernelviz.session.state import Document, State
from kernelviz.ui.insight.base import InsightView
from kernelviz.ui.insight.long_work import LongWorks
from kernelviz.ui.insight.sheet import LOW, LOWEST, SceneSheet
from kernelviz.ui.insight.switch_bar import SwitchBar
from kernelviz.ui.widgets.labels import plain
from kernelviz.ui.widgets.layouts import column
from kernelviz.ui.widgets.painting import room_in_points, screen_style, type_scale
from kernelviz.ui.workbench.workbench import Workbench

# Milliseconds between two frames taken; more for scenes made on another thread, which slows the canvas.
BETWEEN_FRAMES, IN_BACKGROUND = 80, 160
Made = tuple[View, Frame | None, Now, ViewMemory, Scene]  # A scene and all that it is made of.


class SceneView(InsightView):
    """Shows the view named by a subclass, which `widget_of` makes. It follows the frames, marks what is
    hovered or selected, carries out the intent of a click, and runs the long work that a view needs.

    >>> widget = widget_of(LossView)(workbench)
    >>> widget.set_switch("hinge", True)"""

    kind: ClassVar[type[View]]

    switched = Signal()  # A switch has another value.

    def __init__(self, workbench: Workbench) -> None:
        frame = 16  # Milliseconds between two pictures of something that glides.
        after_gesture = 100  # Milliseconds between two looks whether the mouse button is up again.
        super().__init__(workbench)
        self.view = self.kind()  # The view with its switches as they are set.
        self.memory = ViewMemory()
        self.sheet = SceneSheet(self.kind.keys, self.kind.turns, self.kind.on_wheel is not View.on_wheel)
        if self.kind.keys:
            self.sheet.setAccessibleName(f"{self.title}; {self.kind.keys[0].help}")
        self.sheet.pressed.connect(
            lambda key, shift: self._do(self.view.on_key(key, shift, self._now(), self.sheet.layout_of_scene))
        )
        self.sheet.turned.connect(
            lambda right, down: self._do(self.view.on_turn(right, down, self.sheet.layout_of_scene))
        )
        self.sheet.wheeled.connect(lambda by: self._do(self.view.on_wheel(by, self.sheet.layout_of_scene)))
        self.sheet.pointed.connect(self._on_pointed)
        self.sheet.clicked.connect(self._on_clicked)
        self.sheet.dragged.connect(self._on_dragged)
        self.bar = SwitchBar(self.kind)
        self.boxes, self.lists, self.numbers = self.bar.boxes, self.bar.lists, self.bar.numbers
        self.bar.switched.connect(self._on_switched)
        self.bar.typed.connect(self._on_typed)
        self.bar.picked.connect(lambda field, value: self._do(self.view.on_pick(field, value)))
        self.bar.chosen.connect(lambda entry: self._do(self.view.on_menu(entry, self.memory)))
        self._pointed = Hit()
        self._mouse_here = False
        self._gliding: tuple[Glide, float, float] | None = None  # With the first value and the time then.
        self._clock = QTimer(self, interval=frame, timerType=Qt.TimerType.PreciseTimer)
        self._clock.timeout.connect(self._glide_on)
        self._until_released = QTimer(self, interval=after_gesture)
        self._until_released.timeout.connect(self._look_for_release)
        self._gesture: object = None  # Stands for the latest click and the drag after it.
        self._judged: Verdict | None = None
        self._shown: tuple[Frame | None, Now] = None, Now()  # The input of the scene on screen.
        self._asked = Now()  # The input of the latest scene, which may be on its way.
        self._works = LongWorks(workbench, self.name, self.sheet, self)
        self._works.progressed.connect(lambda: self.take(self.taken))
        self._works.failed.connect(self._show_failure)
        self.halt = self._works.button
        self._making = workbench.background(f"kernelviz-{self.name}", self)
        self._making.done.connect(self._on_made)
        self._making.failed.connect(self._show_failure)
        workbench.verdict_arrived.connect(self._on_frame)
        if self.kind.all_fits:
            workbench.other_fit_arrived.connect(self._on_frame)
            workbench.other_fit_failed.connect(self._on_failure)
        self._previous: Frame | None = None
        self._edit = self._edit_now()
        column(self.bar, (self.sheet, 1), on=self, spacing=0)
        self.bar.show_scene(self.scene)  # hides an empty bar; not before, it would be a window
        self._follow_canvas()

    @property
    def keyed(self) -> QWidget | None:
        return self.sheet if self.kind.keys else None

    # The scene ------------------------------------------------------------------------------------------
    @property
    def scene(self) -> Scene:
        """The scene shown."""
        return self.sheet.scene

    @property
    def busy(self) -> bool:
        """True while a scene is being made on another thread."""
        return self._making.busy

    def panel(self) -> FigurePanel:
        """Return the view as a panel of a figure, with the switches and the point as they are.

        It has a result of long work only if that belongs to the present document: nothing is computed while
        the view is hidden, so the latest result may be of an earlier one."""
        found = self._works.result_for(self._needs(self.taken))
        return FigurePanel(self.view, replace(self._now(), marks=Marks(), result=found))

    def _now(self) -> Now:
        """Return the input of a view besides the frame: document, marks, results of long work."""
        bench, marks = self.workbench, self.marks
        document = bench.session.document
        return Now(
            self._judged,
            document,
            marks,
            marks.point,
            self.result,
            mouse_here=self._mouse_here,
            answers=tuple(bench.latest.get(k) for k in range(len(document.fits))),
            previous=self._previous,
            edits=bench.edit_log.edits,
        )

    @property
    def working(self) -> bool:
        """True while long work is under way or about to begin."""
        return self._works.working

    @property
    def result(self) -> Any:
        """The result of the long work so far: a tuple if it has several pieces."""
        return self._works.result

    def take(self, frame: Frame | None) -> None:
        """Ask the view for the scene of a frame, here or on another thread, and begin the long work it
        needs. Of scenes made on another thread only the latest is shown."""
        self._judged = self.workbench.verdict
        self._notice_gesture()
        self._follow_needs(frame)
        self._asked = self._now()
        if not self.kind.in_background:
            self._make_now(frame)
            return
        view, now, memory = self.view, self._asked, self.memory.copy()

        def work(beat: Beat) -> Generator[float, None, Made]:
            yield 0.0
            return view, frame, now, memory, self._made(view, frame, now, memory)

        self._making.start(work)

    def _made(self, view: View, frame: Frame | None, now: Now, memory: ViewMemory) -> Scene:
        """Return the scene of a frame, or a message why there is none. Called on any thread."""
        if frame is None:
            return view.without_fit(self.workbench.failure, now, memory)
        return view.scene(frame, now, memory)

    def _notice_gesture(self) -> None:
        """Let the axes shrink only while no mouse button is down."""
        self.memory.in_gesture, self.memory.held_back = _mouse_is_down(), False

    def _make_now(self, frame: Frame | None) -> None:
        """Make the scene of a frame in this call and show it."""
        self._notice_gesture()
        now = self._now()
        self._shown = frame, now
        self._show(self._made(self.view, frame, now, self.memory))

    def _on_made(self, made: Made) -> None:
        """Show a scene that was made on another thread, with the memory it was made with."""
        view, frame, now, self.memory, scene = made
        self._shown = frame, now
        if view == self.view:
            self._show(scene)
        else:  # it has been turned while the scene was made
            self._make_now(frame)
        self.point_out()  # the mouse may have moved meanwhile

    def _show(self, scene: Scene) -> None:
        """Show a scene with its controls, its tooltip and the marks on it."""
        if self.memory.held_back:
            self._until_released.start()
        self.bar.show_scene(scene)
        self.sheet.show_scene(scene)
        self._show_tip()
        self._show_marks()
        self._make_room()

    def _look_for_release(self) -> None:
        """Let the axes shrink once the mouse button is up."""
        if not _mouse_is_down():
            self._until_released.stop()
            self.take(self.taken)

    def _show_failure(self, sentence: str) -> None:
        """Show why there is nothing to see; another choice may help."""
        self._show(replace(message(sentence), picks=self.scene.picks, lines=self.scene.lines))

    def point_out(self) -> None:
        """Show the marks; a view that follows the point gets a new scene for it."""
        frame, now = self._shown
        if self.kind.hovers_in_background and self._asked.marks != self.marks:
            self.take(frame)
        elif self.kind.follows_point and now.marks != self.marks and not self.kind.hovers_in_background:
            self._make_now(frame)
        self._show_marks()

    def _show_marks(self) -> None:
        self.sheet.show_marks(replace(self.marks, pointed=self._pointed))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """Give a list, which scrolls, enough height for readable type; in a lecture hall its type is as large
        as that of the panels."""
        if self.scrolls:
            sheet = self.sheet
            most = 1.25  # Then rows have type as large as the panels', of which they have 0.75 at least.
            style = screen_style(sheet).with_type(min(max(1.0, type_scale(sheet)), most))
            height = self.scene.root.height(room_in_points(sheet).width(), style)
            sheet.setMinimumHeight(max(ceil(height / POINTS_PER_PIXEL), LOW))

    def minimumSizeHint(self) -> QSize:
        """Return the size for one row of switches; further rows take their height from the sheet, unless that
        has a height of its own because it scrolls."""
        return super().minimumSizeHint() + QSize(0, 0 if self.scrolls else LOW - LOWEST)

    def catch_up(self) -> None:
        """Take the latest frame, and a new verdict or new answers of other fits, if there are any."""
        super().catch_up()
        new_answers = self.kind.all_fits and self._now().answers != self._asked.answers
        if self._judged is not self.workbench.verdict or new_answers:
            self.take(self.taken)

    # What the user does ---------------------------------------------------------------------------------
    def set_switch(self, name: str, value: Any) -> None:
        """Set a switch, and the toggle of the canvas that it is linked with; show the scene that follows."""
        self.view = self.view.replace(**{name: value})
        session, toggle = self.workbench.session, self.kind.on_canvas.get(name, "")
        if toggle in session.document.workspace.toggles and value != (toggle in session.look.shown):
            session.toggle(toggle)
        if name in self.kind.instant:
            self._make_now(self._shown[0])
        else:
            self.take(self.taken)
        self.switched.emit()

    def set_view(self, view: View) -> None:
        """Set all switches as in a view, except those that are toggles of the canvas."""
        for field in fields(view):
            value = getattr(view, field.name)
            if field.name not in self.kind.on_canvas and value != getattr(self.view, field.name):
                self._put(field.name, value)

    def _on_pointed(self, hit: Hit | None) -> None:
        """Highlight the part under the mouse in all views, and show its explanation."""
        self._pointed, self._mouse_here = hit or Hit(), hit is not None
        self._show_tip()
        self.workbench.hover(*(self._pointed.points or (None,)))
        self._show_marks()

    def _show_tip(self) -> None:
        self.sheet.setToolTip(plain(self._pointed.tip or self.scene.tip))

    def _on_clicked(self, hit: Hit) -> None:
        self._gesture = object()
        self._do(self.view.on_click(hit, self._now()), self._gesture)

    def _on_dragged(self, hit: Hit | None) -> None:
        if hit is not None:
            self._do(self.view.on_drag(hit, self._now()), self._gesture)

    def _on_switched(self, name: str, value: Any, gesture: object) -> None:
        self._remember(name, value, gesture)
        self.set_switch(name, value)

    def _on_typed(self, line: TextField, text: str) -> None:
        """Carry out the intent of a typed text, or show why it cannot be used."""
        try:
            self._do(self.view.on_typed(line, text, self._now()))
        except BadInput as problem:
            self.bar.refuse(str(problem))

    def _do(self, intent: Intent | None, gesture: object = None) -> None:
        """Carry out the intent of a click, a key or a menu; changes of one gesture are one step of undo."""
        session = self.workbench.session
        match intent:
            case SelectPoints(points):
                session.adjust(selection=points)
            case Set(switch, value):
                self._remember(switch, value, gesture)
                self._put(switch, value)
            case ChangeDocument(step, document):
                session.replace(step, document, gesture=gesture)
            case GoTo(step):
                if session.look.mode == "watch":
                    session.adjust(step=step)
            case Glide(field, _to, _seconds):
                self._gliding = intent, getattr(self.view, field), perf_counter()
                self._clock.start()
            case Several(intents):
                for one in intents:
                    self._do(one, gesture)
            case Copy(text):
                QGuiApplication.clipboard().setText(text)
            case Restore(document):
                session.go_to(document)

    def _put(self, switch: str, value: Any) -> None:
        """Set a switch and show its value in the bar."""
        self.bar.show_value(switch, value)
        self.set_switch(switch, value)

    def _remember(self, switch: str, value: Any, gesture: object) -> None:
        """Make the change of a switch a step of undo, in a view that wants it."""
        before = getattr(self.view, switch)
        labels = {parameter.name: parameter.label for parameter in self.kind.parameters()}
        if self.kind.undoable and switch in labels and value != before:
            self.workbench.session.note(
                f"change {labels[switch]} of {self.title}",
                partial(self._put, switch, before),
                partial(self._put, switch, value),
                gesture,
            )

    def _glide_on(self) -> None:
        """Move the number that glides to where it is by now."""
        if self._gliding is None:
            self._clock.stop()
            return
        glide, start, began = self._gliding
        done = min(1.0, (perf_counter() - began) / glide.seconds)
        smooth = done * done * (3.0 - 2.0 * done)
        if done == 1.0:
            self._gliding = None
        self.set_switch(glide.field, start + (glide.to - start) * smooth)

    # Following the session ------------------------------------------------------------------------------
    def _on_state(self, old: State, new: State) -> None:
        before, self._edit = self._edit, self._edit_now()
        if self._edit != before and old.document is not new.document:
            # The results of points that came as a whole, or of another fit, are not the previous ones.
            same = (old.document.origin, old.document.active) == (new.document.origin, new.document.active)
            self._previous = self._result_of(old.document) if same else None
        super()._on_state(old, new)
        self._follow_canvas()
        if self.isVisible() and old.document is not new.document and self.kind.computes:
            self.take(self.taken)

    def _edit_now(self) -> tuple[object, int, int]:
        """Return a key that is equal within one edit: a drag is one edit, and so is undoing it."""
        session = self.workbench.session
        return session.history, len(session.history), session.document.active

    def _result_of(self, document: Document) -> Frame | None:
        """Return the latest frame, if it shows that document."""
        frame = self.workbench.frame
        if frame is None or frame.data is not document.data:
            return None
        return frame if frame.request.fits[frame.fit] == document.fit else None

    def _follow_canvas(self) -> None:
        """Set the switches that are toggles of the canvas as these are."""
        state = self.workbench.session.state
        for switch, toggle in self.kind.on_canvas.items():
            shown = toggle in state.look.shown
            if toggle in state.document.workspace.toggles and shown != getattr(self.view, switch):
                self._do(Set(switch, shown))

    # Shown and hidden -----------------------------------------------------------------------------------
    def _needs(self, frame: Frame | None) -> Needed | tuple[Needed | None, ...] | None:
        """Return the long work that the view needs for the present document; None if it is not offered."""
        document = self.workbench.session.document
        offered = document.data.domain in self.kind.domains
        return self.view.needs(document, frame) if offered else None

    def _follow_needs(self, frame: Frame | None) -> None:
        """Do the long work that the view needs for the present document."""
        self._works.follow(self._needs(frame))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.kind.computes:
            self.take(self.taken)
        else:
            self._follow_needs(self.taken)

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop all work. A gliding value is at its end when the view is shown again."""
        self._until_released.stop()
        self._works.rest()
        if self._gliding is not None:
            glide, self._gliding = self._gliding[0], None
            self.view = self.view.replace(**{glide.field: glide.to})
        if self._making.busy:
            self._making.cancel()
            self._seen = (None, None)  # to be taken again when it is seen
        super().hideEvent(event)


def _mouse_is_down() -> bool:
    return QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton


def widget_of(view: type[View]) -> type[SceneView]:
    """Return the widget class that shows a view: a `SceneView` with the name, title and pace of that view."""
    pause = view.pause or (IN_BACKGROUND if view.in_background else BETWEEN_FRAMES)
    facts = {"kind": view, "name": view.name, "title": view.title, "scrolls": view.scrolls, "pause": pause}
    return type(view.__name__, (SceneView,), facts)
