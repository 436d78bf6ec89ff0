"""A lecture that is being given: where it is, on and back by one visible step, and off its road and back."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from kernelviz.session.lessons.lecture import Lecture, LecturePress, presses
from kernelviz.session.lessons.lesson import LessonStep, Prediction
from kernelviz.session.lessons.state import LessonState
from kernelviz.session.state import Document, State
from kernelviz.ui.lessons.player import OpenNow, Player
from kernelviz.ui.workbench.workbench import Workbench

RETURN = "go back to the lecture"


@dataclass(frozen=True, eq=False)
class LecturePlace:
    """The place where a lecture was left. state: the one on screen, if it differed from what the lecture
    shows there."""

    index: int
    press: int
    state: LessonState | None = None


class Lecturer(QObject):
    """Leads through one lecture on a session. `on` and `back` go a visible step; while actions are played,
    `on` goes to their end. An edit leaves the road, and none is lost: `return_there` brings it back."""

    moved = Signal()  # Another stop, or another press of it, is shown.
    strayed = Signal(bool)  # The road is left, or reached again.
    ended = Signal()  # There is nothing after the last stop.

    def __init__(self, workbench: Workbench, views: OpenNow, parent: QObject) -> None:
        super().__init__(parent)
        self._session = workbench.session
        self.player = Player(workbench, views, self)
        self.lecture: Lecture | None = None
        self.index = self.press = 0
        self.off_road = self.resting = False  # Resting: the work from before is on the session.
        self.left: LecturePlace | None = None  # To return to.
        self._known: tuple[int, tuple[LessonState, ...]] = (-1, ())  # A stop, and its states.
        self._expected: Document | None = None
        self.player.applied.connect(self._on_applied)
        workbench.state_changed.connect(self._on_state)

    # Where we are ---------------------------------------------------------------------------------------
    @property
    def stop(self) -> LessonStep:
        assert self.lecture is not None
        return self.lecture.steps[self.index]

    @property
    def presses(self) -> tuple[LecturePress, ...]:
        return presses(self.stop)

    @property
    def question(self) -> tuple[Prediction, bool] | None:
        """Return the question to be seen, and whether its answer is; it waits for the lines before it."""
        for number, press in enumerate(self.presses if self.lecture is not None else ()):
            if press.reveals is not None and self.press >= number:
                return press.reveals, self.press > number
        return None

    # From stop to stop ----------------------------------------------------------------------------------
    def begin(self, lecture: Lecture, index: int = 0, press: int = 0) -> None:
        """Start a lecture, at its first stop or where it was left."""
        self.lecture, self.left, self._known = lecture, None, (-1, ())
        self.index = min(index, len(lecture.steps) - 1)
        self.press = min(press, len(self.presses))
        self._show()

    def replace(self, lecture: Lecture, index: int) -> None:
        """Go on with the changed lecture, at one of its stops."""
        self.begin(lecture, max(index, 0))

    def end(self) -> None:
        """Stop: nothing more is shown."""
        self.player.cancel()
        self.lecture = self.left = self._expected = None
        self._set_off_road(False)

    def on(self) -> None:
        """Do the next press, or go to the next stop; while something is played, show its end."""
        if self.lecture is None:
            return
        if self.player.playing:
            self._show()
        elif self.press < len(self.presses):
            self._leave()
            self.press += 1
            self._show(play=True)
        elif self.index + 1 < len(self.lecture.steps):
            self._leave()
            self.index, self.press = self.index + 1, 0
            self._show()
        else:
            self.ended.emit()

    def back(self) -> None:
        """Take the last press back, or go back to the end of the stop before."""
        if self.lecture is None or (self.press, self.index) == (0, 0):
            return
        self._leave()
        if self.press > 0:
            self.press -= 1
        else:
            self.index -= 1
            self.press = len(self.presses)
        self._show()

    def go_to(self, index: int) -> None:
        """Go to the beginning of a stop; `return_there` comes back."""
        if self.lecture is not None and 0 <= index < len(self.lecture.steps):
            self.left = self._here()
            self.index, self.press = index, 0
            self._show()

    def back_to_lecture(self) -> None:
        """Restore the state that the lecture shows here."""
        if self.lecture is not None:
            self._leave()
            self._show()

    def return_there(self) -> None:
        """Go back to where the lecture was left, by an edit or a jump."""
        if self.lecture is None or self.left is None:
            return
        place, self.left = self.left, None
        self.index, self.press = min(place.index, len(self.lecture.steps) - 1), place.press
        if place.state is None:
            self._show()
            return
        self.player.cancel()
        self.moved.emit()
        self.player.apply(place.state, "return to where I was", None, place.state.document)
        self._expected = None
        self._set_off_road(True)

    def _here(self) -> LecturePlace:
        return LecturePlace(self.index, self.press, self.player.now() if self.off_road else None)

    def _leave(self) -> None:
        """Keep the state made away from the lecture, before the lecture replaces it."""
        if self.off_road:
            self.left = self._here()

    # On the session -------------------------------------------------------------------------------------
    def _show(self, *, play: bool = False) -> None:
        """Show the state of this press. play: the way to it from the one before, if that has been shown."""
        lecture, index, press = self.lecture, self.index, self.press
        assert lecture is not None
        play = play and self._known[0] == index
        self.player.cancel()
        self.moved.emit()

        def use(states: tuple[LessonState, ...]) -> None:
            self._known = index, states
            actions = presses(lecture.steps[index])[press - 1].actions if play else ()
            if actions and not self.off_road:
                start = states[press - 1]
                self.player.play(actions, start, lambda here: here.fingerprint == start.fingerprint, RETURN)
            else:
                self.player.apply(
                    states[press], f"show “{lecture.steps[index].title}”", None, states[0].document
                )
                self.player.large_wanted.emit(lecture.large(index, press))

        if self._known[0] == index:
            use(self._known[1])
        else:
            self.player.compute(lambda: lecture.states(index), use)

    def _on_applied(self) -> None:
        self._expected = self._session.document
        self._set_off_road(False)

    def _on_state(self, old: State, new: State) -> None:
        """Notice an edit, and an undo that takes it back."""
        if (
            self.lecture is not None
            and not self.resting
            and not self.player.applying
            and new.document is not old.document
        ):
            self._set_off_road(new.document is not self._expected)

    def _set_off_road(self, on: bool) -> None:
        if on != self.off_road:
            self.off_road = on
            self.strayed.emit(on)
