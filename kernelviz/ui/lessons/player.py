"""Puts the states of a lesson or a lecture on the session, and plays actions there so that they are seen.

States are computed on a thread of their own."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, QTimer, Signal

from kernelviz.engine.core.data import Data
from kernelviz.runtime.jobs import Beat
from kernelviz.runtime.messages import END
from kernelviz.session.lessons import playing
from kernelviz.session.lessons.actions import Action, ShowView
from kernelviz.session.lessons.playing import Shot, shots_of
from kernelviz.session.lessons.state import LAST_STEP, LessonState, followed
from kernelviz.session.state import Document, State
from kernelviz.session.view import shows
from kernelviz.session.view_listing import SetView
from kernelviz.ui.workbench.workbench import Workbench

T = TypeVar("T")
OpenNow = Callable[[], Mapping[str, SetView]]  # Returns the insight views that are open, by name.


class Player(QObject):
    """Shows states, and the way from one to the next. The window opens the views it requests."""

    applied = Signal()  # A state has been put on the session.
    playing_changed = Signal(bool)
    view_wanted = Signal(str, bool)  # (insight view, open or closed)
    switches_wanted = Signal(object)  # A view with its switches, a `SetView`.
    large_wanted = Signal(str)  # The view that takes the place of the canvas; none if empty.
    failed = Signal(str)  # Why a state cannot be computed.

    def __init__(self, workbench: Workbench, views: OpenNow, parent: QObject) -> None:
        """views: returns the insight views that are open, as they are set."""
        super().__init__(parent)
        self._workbench, self._session, self._views = workbench, workbench.session, views
        self.applying = False  # The session is being changed by the player, and not by the user.
        self._points: WeakKeyDictionary[Data, tuple[tuple[str, int], ...]] = WeakKeyDictionary()
        self._shots: list[Shot] = []
        self._views_played: frozenset[str] = frozenset()  # Those that are open in the played actions.
        self._actions_played: tuple[Action, ...] = ()
        self._next_shot = QTimer(self, singleShot=True)
        self._next_shot.timeout.connect(self._play_shot)
        self._planner = workbench.background("kernelviz-lesson", self)
        self._planner.done.connect(self._receive)
        self._planner.failed.connect(self.failed)
        workbench.state_changed.connect(self._on_state)

    @property
    def playing(self) -> bool:
        """Return True while actions are played."""
        return bool(self._shots)

    @property
    def busy(self) -> bool:
        """Return True while actions are played or states computed."""
        return self.playing or self._planner.busy

    def now(self) -> LessonState:
        """Return the present state, as checks and actions see it."""
        points = self._points.get(self._session.document.data, ())
        return present_state(self._workbench, self._views(), points)

    def name_points(self, points: tuple[tuple[str, int], ...]) -> None:
        """Give names to rows of the points that are on the session."""
        self._points[self._session.document.data] = points

    def compute(self, work: Callable[[], T], use: Callable[[T], None]) -> None:
        """Do some work on the thread and use its result, in place of all work requested before."""

        def job(beat: Beat) -> Generator[float, None, Any]:
            yield 0.0
            result = work()
            return lambda: use(result)

        self._planner.cancel()
        self._planner.start(job)

    def _receive(self, use: Callable[[], None]) -> None:
        use()

    def cancel(self) -> None:
        """Stop playing, and drop the states that are being computed."""
        self.stop()
        self._planner.cancel()

    # States ---------------------------------------------------------------------------------------------
    def apply(self, state: LessonState, name: str, gesture: object, first: Document | None = None) -> None:
        """Put a state on the session. name, gesture: of the step of undo. first: the document that a step
        begins with, if one enters it: the step is looked at as if it had been done from its beginning."""
        session, document = self._session, state.document
        if first is not None:
            self._workbench.freeze(False)
        workspace, data = document.workspace, document.data
        moved = data is not session.document.data and workspace.movable
        self._points[data] = state.points
        self.applying = True
        try:
            if document is not session.document:
                session.replace(name, document, gesture=gesture)
            changes: dict[str, Any] = {"mode": "live" if state.step is None else "watch"}
            changes["step"] = 0 if state.step is None else END if state.step >= LAST_STEP else state.step
            if first is not None:
                look = workspace.look(first.data if first.workspace is workspace else data)
                changes |= {"view": look.view, "shown": look.shown, "selection": ()}
                if (saved := state.look) is not None:
                    changes |= {"view": saved.view, "shown": saved.shown, "limits": saved.limits}
                    changes |= {"components": saved.components, "legend": saved.legend}
                    changes |= {"selection": saved.selection}
            elif state.look is not None:
                changes |= {"shown": state.look.shown, "selection": state.look.selection}
            view = changes.get("view", session.look.view)
            chosen = first is not None and state.look is not None  # by the writer, and points may lie outside
            if moved and not chosen and not shows(view, workspace.positions(data)):
                changes["view"] = workspace.extent(data)
            session.adjust(**changes)
        finally:
            self.applying = False
        self.applied.emit()
        seen = self._views().keys()
        for view in (seen & self._views_played if first is None else seen) - state.views:
            self.view_wanted.emit(view, False)
        for view in state.views - seen:
            self.view_wanted.emit(view, True)
        for view in state.views if first is not None else dict(state.switches).keys() & state.views:
            self.switches_wanted.emit(state.view(view))

    def enlarge(self, actions: Iterable[Action]) -> None:
        """Enlarge the view that one of these actions opens large."""
        for action in actions:
            if isinstance(action, ShowView) and action.large:
                self.large_wanted.emit(action.view)

    def _on_state(self, old: State, new: State) -> None:
        """Follow named points through an edit, and stop playing if it is the user's."""
        before, data = old.document.data, new.document.data
        if data is not before and data not in self._points and (points := self._points.get(before)):
            self._points[data] = followed(points, before, data)
        if new.document is not old.document and not self.applying:
            self.stop()

    # Actions --------------------------------------------------------------------------------------------
    def play(
        self,
        actions: tuple[Action, ...],
        start: LessonState,
        leads_there: Callable[[LessonState], bool],
        back: str,
    ) -> None:
        """Play actions: from the present state if that leads where it should, otherwise from their start.

        back: the name of the step of undo that goes to their start."""
        self.stop()
        here = self.now()

        def work() -> tuple[LessonState, list[Shot]]:
            begin = here if leads_there(here) else start
            shots = list(shots_of(actions, begin))
            if begin is start and start.fingerprint != here.fingerprint:
                shots.insert(0, Shot(start, back, None, playing.PAUSE))
            return begin, shots

        def begin_playing(worked_out: tuple[LessonState, list[Shot]]) -> None:
            begin, shots = worked_out
            if here.document is self._session.document and shots:
                self._shots, self._views_played, self._actions_played = shots, begin.views, actions
                self.playing_changed.emit(True)
                self._play_shot()

        self.compute(work, begin_playing)

    def _play_shot(self) -> None:
        if not self._shots:
            return
        shot = self._shots[0]
        self.apply(shot.state, shot.name, shot.gesture)
        self._views_played = shot.state.views
        self._shots.pop(0)
        if self._shots:
            self._next_shot.start(shot.wait)
        else:
            self.enlarge(self._actions_played)
            self.playing_changed.emit(False)

    def stop(self) -> None:
        """Leave the actions that are being played where they are."""
        self._next_shot.stop()
        if self._shots:
            self._shots = []
            self.playing_changed.emit(False)


def present_state(
    workbench: Workbench, views: Mapping[str, SetView], points: tuple[tuple[str, int], ...] = ()
) -> LessonState:
    """Return the state of the session, as checks and actions see it. views: those that are open."""
    document, look, frame = workbench.session.document, workbench.session.look, workbench.frame
    step = None if look.mode == "live" else look.step if frame is None else frame.step
    return LessonState(document, points, frozenset(views), step, look, tuple(views.items()))
