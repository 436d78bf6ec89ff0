"""The playback bar: live or step by step, and the buttons that step through an algorithm.

The session has the mode and the step; the bar sets them and shows the frames that arrive. While it plays, the
next step is requested only when the last one has been shown, so that a slow step slows the film down."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from kernelviz.runtime.messages import END, Frame
from kernelviz.scene.icons import icon
from kernelviz.session.state import State
from kernelviz.ui.widgets.buttons import ToolButton
from kernelviz.ui.widgets.controls import Segments
from kernelviz.ui.widgets.focus import return_focus
from kernelviz.ui.widgets.labels import Elided, Label
from kernelviz.ui.widgets.layouts import column, row
from kernelviz.ui.widgets.scale import Scale
from kernelviz.ui.widgets.slider import Slider
from kernelviz.ui.workbench.workbench import Workbench

SPEEDS = Scale(1, 1000, 1, 1000, log=True, whole=True)  # Steps per second.
SPACING = 4


class PlaybackBar(QWidget):
    """Sets the mode and the step of the session; shows the step reached and what it did.

    In live mode the solution follows every change. In watch mode the buttons go through the steps of the
    algorithm, one at a time, as a film, or straight to the end."""

    def __init__(self, workbench: Workbench) -> None:
        usual_speed = 10
        super().__init__()
        self.workbench = workbench
        self._speed = usual_speed
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._advance)
        self.mode = Segments({"live": "Live", "watch": "Watch"})
        self.buttons = {
            "restart": _button("restart", "Back to the first step (R)", self.restart),
            "step_back": _button("step-back", "One step back (Left)", self.step_back),
            "play_pause": _button("play", "Play or pause (Space)", self.play_pause),
            "step_forward": _button("step-forward", "One step (Right)", self.step_forward),
            "run_to_end": _button("run-to-end", "All steps (End)", self.run_to_end),
        }
        self.counter = Label()
        self.explanation = Elided()
        self.speed = Slider(SPEEDS)
        self.speed.show_value(self._speed)
        self.speed.setAccessibleName("Speed in steps per second")
        self.speed.setToolTip("Steps per second")
        self.mode.buttons["live"].setToolTip("Show the solution while you edit (L)")
        self._buttons_shown: tuple[object, ...] = ()
        self._lay_out()
        self._size_buttons()
        self.mode.chosen.connect(self._on_mode)
        self.speed.picked.connect(self._on_speed)
        workbench.state_changed.connect(self._on_state)
        workbench.frame_arrived.connect(self._on_frame)
        workbench.failed.connect(self._on_failed)
        self._show()

    def _lay_out(self) -> None:
        """Put the mode, the buttons and the speed in a row, above the description of the step."""
        self._speed_label = Label("Speed", role="muted")
        self._speed_label.setBuddy(self.speed)
        self.speed.setMinimumWidth(48)
        self.speed.setMaximumWidth(110)
        buttons = row(self.mode, *self.buttons.values(), (None, 1), self._speed_label, self.speed)
        buttons.setSpacing(SPACING)
        buttons.insertSpacing(1, 8)
        below = row(self.counter, (self.explanation, 1), spacing=8)
        column(buttons, below, on=self, spacing=2, margins=(10, 6, 10, 6))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # The slider has a label where there is room for one, and always a tooltip.
        needed = self.minimumSizeHint().width() + self._labelled
        self._speed_label.setVisible(event.size().width() >= needed)

    @property
    def _labelled(self) -> int:
        """The width that the label of the slider takes."""
        return self._speed_label.sizeHint().width() + SPACING

    def minimumSizeHint(self) -> QSize:
        """Return the size needed without the label of the slider, which a small window leaves out."""
        hint = super().minimumSizeHint()
        if self._speed_label.isHidden():
            return hint
        return hint - QSize(self._labelled, 0)

    # Where we are -------------------------------------------------------------------------------------
    @property
    def watching(self) -> bool:
        """True in step-by-step mode."""
        return self.workbench.session.look.mode == "watch"

    @property
    def watchable(self) -> bool:
        """True if the algorithm has steps to show."""
        return self.workbench.session.document.algorithm.watchable

    @property
    def playing(self) -> bool:
        """True while steps follow each other, one by one or straight to the end."""
        return self._timer.isActive() or self._running_to_end

    @property
    def _running_to_end(self) -> bool:
        """True while the algorithm runs to its end."""
        return self.watching and self.workbench.session.look.step == END and not self.finished

    @property
    def _frame(self) -> Frame | None:
        """The watched frame on screen, if it belongs to the present document."""
        frame, document = self.workbench.frame, self.workbench.session.document
        if frame is None or frame.request.step is None or not self.watching:
            return None
        request = frame.request
        same = (
            request.data is document.data
            and request.kernel is document.kernel
            and request.algorithm is document.algorithm
        )
        return frame if same else None

    @property
    def _frames(self) -> list[Frame]:
        """That frame and those of further fits, which are at the same step."""
        frame, latest = self._frame, self.workbench.latest.values()
        if frame is None:
            return []
        others = (f for f in latest if isinstance(f, Frame) and f.request.step is not None)
        return [frame, *(other for other in others if other.fit != frame.fit)]

    @property
    def position(self) -> int:
        """The requested step, or the one reached on the way to the end."""
        step = self.workbench.session.look.step
        reached = max((frame.step for frame in self._frames), default=0)
        if step == END:
            return reached
        return min(step, reached) if self.finished else step

    @property
    def finished(self) -> bool:
        """True if every fit has ended at the present step."""
        frames, step = self._frames, self.workbench.session.look.step
        return bool(frames) and all(frame.finished and step >= frame.step for frame in frames)

    # Commands -----------------------------------------------------------------------------------------
    def restart(self) -> None:
        """Go back to the first step."""
        if self.watchable:
            self.workbench.session.adjust(mode="watch", step=0)

    def step_back(self) -> None:
        """Go one step back."""
        if self.watching and self.watchable:
            self.pause()
            self.workbench.session.adjust(step=max(0, self.position - 1))

    def step_forward(self) -> None:
        """Go one step forward; from live mode, to the first step."""
        if not self.watchable:
            return
        self.pause()
        if not self.watching:
            self.restart()
        elif not self.finished:
            self.workbench.session.adjust(step=self.position + 1)

    def run_to_end(self) -> None:
        """Run the algorithm to its end."""
        if self.watchable:
            self._timer.stop()
            self.workbench.session.adjust(mode="watch", step=END)

    def play_pause(self) -> None:
        """Play the steps, or pause; after the last step, start again."""
        if self.playing:
            self.pause()
        elif self.watchable:
            if not self.watching or self.finished:
                self.restart()
            self._timer.start(self._interval)
            self._show()

    def pause(self) -> None:
        """Stop at the present step."""
        running = self._running_to_end
        position = self.position
        self._timer.stop()
        if running:
            self.workbench.session.adjust(step=position)
        self._show()

    # Playing ------------------------------------------------------------------------------------------
    @property
    def _interval(self) -> int:
        """The milliseconds between two steps of a film."""
        tick = 16  # Milliseconds: no playback needs to be smoother than the screen.
        return max(tick, round(1000 / self._speed))

    def _advance(self) -> None:
        """Ask for the next step of a film, or several where it is faster than the screen."""
        if not self.workbench.up_to_date:
            return  # every frame is shown before the next is requested
        if self.finished or self.workbench.failure is not None or not self.watching or not self.watchable:
            self.pause()
            return
        steps = max(1, round(self._speed * self._interval / 1000))
        self.workbench.session.adjust(step=self.position + steps)

    def _on_speed(self, speed: int, _: object) -> None:
        """Play at another speed."""
        self._speed = speed
        if self._timer.isActive():
            self._timer.setInterval(self._interval)
        self.speed.setToolTip(f"{speed} steps per second")

    def _on_mode(self, mode: str) -> None:
        """Go to live or to watch mode, at the first step."""
        self._timer.stop()
        self.workbench.session.adjust(mode=mode, step=0)
        return_focus(self)

    # Showing ------------------------------------------------------------------------------------------
    def _on_state(self, old: State, new: State) -> None:
        """Follow the mode and the step; in live mode the bar depends on nothing but the algorithm."""
        if new.look.mode != "watch":
            self._timer.stop()
        live = old.look.mode == new.look.mode == "live"
        if not live or old.document.algorithm is not new.document.algorithm:
            self._show()

    def _on_frame(self, frame: Frame) -> None:
        """Show the step that has arrived; stop after the last."""
        if self.watching:
            if self.finished:
                self._timer.stop()
            self._show()

    def _on_failed(self, _: object) -> None:
        """Stop playing: there is nothing to show."""
        self._timer.stop()
        self._show()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "buttons"):
            self._size_buttons()

    def _size_buttons(self) -> None:
        """Make icons as large as the type."""
        side = round(1.5 * self.fontInfo().pixelSize())
        for button in self.buttons.values():
            button.setIconSize(QSize(side, side))

    def _show(self) -> None:
        """Show the mode, the step and what it did, and enable the buttons that can be used."""
        watching = self.watching and self.watchable
        self.mode.show_option("watch" if watching else "live")
        self._show_buttons(watching)
        frame = self._frame if watching else None
        self.counter.setText("" if not watching else f"step {frame.step if frame else self.position}")
        self.counter.setVisible(watching)
        if not self.watchable:
            explanation = self._why_not()
        elif not watching:
            explanation = "The solution follows every change."
        elif frame is None:
            explanation = ""
        else:
            explanation = frame.change.text if frame.change is not None else frame.model.message
        self.explanation.set_text(explanation)

    def _show_buttons(self, watching: bool) -> None:
        """Enable the buttons that can do something now, with the reason as a tooltip where none can."""
        done, behind = watching and self.finished, watching and self.position > 0
        shown = (self._why_not(), done, behind, self.playing)
        if shown == self._buttons_shown:
            return
        self._buttons_shown = shown
        why = "" if self.watchable else self._why_not()
        for name, button in self.buttons.items():
            button.setToolTip(why or button.property("help"))
            forward = name in ("step_forward", "run_to_end")
            possible = not done if forward else name == "play_pause" or behind
            button.setEnabled(self.watchable and possible)
        watch = self.mode.buttons["watch"]
        watch.setEnabled(self.watchable)
        watch.setToolTip(why or "Watch the algorithm step by step")
        play, name = self.buttons["play_pause"], "Pause" if self.playing else "Play"
        if play.accessibleName() != name:
            play.setIcon(icon(name.lower()))
            play.setAccessibleName(name)

    def _why_not(self) -> str:
        """Return why the algorithm has no steps to watch."""
        title = self.workbench.session.document.algorithm.title
        return f"{title} finds its solution in one step: there is nothing to watch."


def _button(picture: str, help: str, do: Callable[[], None]) -> ToolButton:
    """Return a button that returns the focus to the canvas after use."""
    button = ToolButton(picture, help.partition(" (")[0], help, do)
    button.setProperty("help", help)
    button.clicked.connect(lambda: return_focus(button))  # also after a press by key
    return button
