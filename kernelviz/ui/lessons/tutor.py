"""A running lesson: its step, the stage on the session, and checks.

Checks are evaluated on a thread of their own once the picture is final and has rested for a third of a
second: dragging pays nothing for a lesson."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, Literal

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal

from kernelviz.runtime.jobs import Beat
from kernelviz.runtime.messages import Frame
from kernelviz.session.lessons.actions import Action
from kernelviz.session.lessons.facts import StateFacts
from kernelviz.session.lessons.lesson import Lesson, LessonStep, LessonTask, Part, Plan, Prediction
from kernelviz.session.lessons.playing import leads_there, left_the_path
from kernelviz.session.lessons.progress import LessonProgress
from kernelviz.session.lessons.state import LessonState
from kernelviz.session.state import Document, State
from kernelviz.ui.lessons.player import OpenNow, Player
from kernelviz.ui.workbench.workbench import Workbench

REST = 330  # Milliseconds without a change before a check is evaluated.


Light = Literal["waiting", "missed", "done"]


class Tutor(QObject):
    """Runs one lesson on a session. The panel shows its sentences; the window gives it the open views."""

    step_changed = Signal()  # Another step, or another part of it, must be shown.
    progressed = Signal()  # The progress has changed.
    light_changed = Signal(str, str)  # (Light, the sentence that goes with it)
    wandered = Signal(bool)  # The student has left the path of the lesson, or is back on it.

    def __init__(self, workbench: Workbench, views: OpenNow, parent: QObject) -> None:
        super().__init__(parent)
        self._workbench, self._session = workbench, workbench.session
        self.player = Player(workbench, views, self)
        self.player.applied.connect(self._on_applied)
        self.lesson: Lesson | None = None
        self.progress: LessonProgress | None = None
        self.hints = 0  # Hints of this step that have been shown.
        self.light: Light = "waiting"
        self.reason = ""
        self.off_path = False
        self.resting = False  # Something else than the lesson is on the session: nothing is judged.
        self._plan: Plan | None = None
        self._task_facts: StateFacts | None = None  # Used by the thread that evaluates checks alone.
        # The document that was judged last, and how it was seen; None for what the lesson itself shows.
        self._tried: Document | None = None
        self._seen: object = None
        self._clock = QElapsedTimer()
        self._rest = QTimer(self, singleShot=True, interval=REST)
        self._rest.timeout.connect(self._evaluate)
        self._checker = workbench.background("kernelviz-lesson-check", self)
        self._checker.done.connect(self._receive)
        workbench.state_changed.connect(self._on_state)
        for arrived in (
            workbench.frame_arrived,
            workbench.failed,
            workbench.other_fit_arrived,
            workbench.other_fit_failed,
        ):
            arrived.connect(self._on_answer)

    # Where we are ---------------------------------------------------------------------------------------
    @property
    def running(self) -> bool:
        return self.lesson is not None

    @property
    def index(self) -> int:
        return 0 if self.progress is None else self.progress.step - 1

    @property
    def step(self) -> LessonStep:
        assert self.lesson is not None
        return self.lesson.steps[self.index]

    @property
    def answer(self) -> str | None:
        """The letter chosen for the prediction of this step; empty if the answer was shown without one."""
        return None if self.progress is None else self.progress.answers.get(self.index + 1)

    @property
    def done(self) -> bool:
        """Return True if the task of this step has turned green."""
        return self.progress is not None and self.index + 1 in self.progress.green

    @property
    def ready(self) -> bool:
        """Return True while nothing is being prepared, played or checked."""
        busy = self.player.busy or self._checker.busy or self._rest.isActive()
        return self._plan is not None and not busy

    @property
    def open_prediction(self) -> Prediction | None:
        """The prediction that waits for an answer."""
        parts = self.shown_parts() if self.running else []
        return next((part for part in parts if isinstance(part, Prediction) and self.answer is None), None)

    def shown_parts(self) -> list[Part]:
        """Return the parts of the step to be seen: nothing behind an open question or an undone task."""
        shown: list[Part] = []
        for part in self.step.parts:
            shown.append(part)
            if isinstance(part, Prediction) and self.answer is None:
                break
            if isinstance(part, LessonTask) and not self.done:
                break
        return shown

    @property
    def steps_done(self) -> frozenset[int]:
        """The steps, counted from 1, whose task is done, or whose question is answered where no task is."""
        if self.lesson is None or self.progress is None:
            return frozenset()
        answered = (k for k in self.progress.answers if self.lesson.steps[k - 1].task is None)
        return self.progress.green | frozenset(answered)

    def actions_ahead(self) -> tuple[Action, ...]:
        """Return the actions of the open question or the task, whose controls and points are marked."""
        last = next(
            (part for part in reversed(self.shown_parts()) if isinstance(part, Prediction | LessonTask)), None
        )
        return () if last is None else last.do if isinstance(last, LessonTask) else last.reveal

    def _task(self) -> LessonTask | None:
        """Return the task of this step once it is its turn."""
        return next((part for part in self.shown_parts() if isinstance(part, LessonTask)), None)

    def now(self) -> LessonState:
        """Return the present state, as checks and actions see it."""
        return self.player.now()

    @property
    def views_wanted(self) -> frozenset[str]:
        """The views that are open where this part of the step begins."""
        return frozenset() if self._plan is None else self._entry(self._plan).views

    # From step to step ----------------------------------------------------------------------------------
    def begin(
        self, lesson: Lesson, progress: LessonProgress, points: tuple[tuple[str, int], ...] | None
    ) -> None:
        """Start a lesson at the step the progress names.

        points: the rows of named points if the session is within the step already, otherwise None."""
        self.lesson, self.progress = lesson, progress
        self._clock.start()
        if points is not None:
            self.player.name_points(points)
        self._enter(apply=points is None)

    def go_to(self, step: int) -> None:
        """Go to a step, counted from 1."""
        if self.progress is None or self.lesson is None or not 1 <= step <= len(self.lesson.steps):
            return
        self._count_time()
        self._set_progress(self.progress.at_step(step))
        self._enter(apply=True)

    def end(self) -> None:
        """Stop: nothing more is shown or evaluated."""
        self.player.cancel()
        self._count_time()
        self._rest.stop()
        self._checker.cancel()
        self.lesson = self.progress = self._plan = None

    def back_to_lesson(self) -> None:
        """Restore the state that this part of the step begins with."""
        self.player.stop()
        if self._plan is not None:
            self._apply_entry(self._plan)

    def _enter(self, *, apply: bool) -> None:
        done_before = "You have done this before. The start of the step is on screen again."
        self.player.stop()
        self.hints, self._plan, self._tried, self._seen = 0, None, None, None
        self._show_light(*(("done", done_before) if self.done else ("waiting", "")))
        self._show_wandered(False)
        self.step_changed.emit()
        lesson, index = self.lesson, self.index
        assert lesson is not None
        self.player.compute(lambda: lesson.plan(index), lambda plan: self._use_plan(plan, apply))

    def _use_plan(self, plan: Plan, apply: bool) -> None:
        self._plan = plan
        task = self.step.task
        self._task_facts = None if task is None else StateFacts(plan.start_of(task))
        if apply:
            self._apply_entry(plan)
        else:
            self._tried = self._session.document  # as it was left: no new try
            self._rest.start()

    def _entry(self, plan: Plan) -> LessonState:
        """Return where the student begins: before the open question, or before the task."""
        where = self.open_prediction or self._task()
        return plan.end if where is None else plan.start_of(where)

    def _apply_entry(self, plan: Plan) -> None:
        first = (*plan.before, plan.end)[0].document
        self.player.apply(self._entry(plan), f"begin “{self.step.title}”", None, first)
        if (stage := self.step.stage) is not None:
            self.player.large_wanted.emit(stage.views[0] if stage.large else "")
        if (prediction := self.step.prediction) is not None and self.answer is not None:
            self.player.enlarge(prediction.reveal)

    # The session ----------------------------------------------------------------------------------------
    def _on_applied(self) -> None:
        self._tried, self._seen = self._session.document, None  # the student's own tries come after it
        self._rest.start()

    def _on_state(self, old: State, new: State) -> None:
        if self.lesson is None:
            return
        if old.document is new.document:  # the view or the step of a run, which the canvas changes too
            self._rest.start()
        else:
            self._rest.stop()

    def _on_answer(self, _: object) -> None:
        if self.lesson is not None and not self.player.playing and self._workbench.up_to_date:
            self._rest.start()

    def look_again(self) -> None:
        """Evaluate the check soon: something that the session does not hold has changed."""
        if self.lesson is not None:
            self._rest.start()

    # Predictions, hints, actions ------------------------------------------------------------------------
    def choose(self, letter: str) -> None:
        """Answer the open prediction and reveal it; an empty letter reveals it without an answer."""
        prediction = self.open_prediction
        if prediction is not None and letter in ("", *prediction.choices) and self.progress is not None:
            self._set_progress(self.progress.answered(letter, letter == prediction.answer))
            self.step_changed.emit()
            if self._plan is not None and prediction.reveal:
                self._play(prediction.reveal, self._plan.start_of(prediction), None)

    def give_hint(self) -> None:
        """Show one more hint."""
        task = self._task()
        if task is not None and self.hints < len(task.hints):
            self.hints += 1
            self.step_changed.emit()

    def show_me(self) -> None:
        """Play one way to do the task: from here if that leads there, otherwise from its start."""
        task = self._task()
        if task is not None and self._plan is not None:
            self._play(task.do, self._plan.start_of(task), task)

    def _play(self, actions: tuple[Action, ...], start: LessonState, task: LessonTask | None) -> None:
        """task: its check decides whether the actions can start from the present state."""
        facts, back = self._task_facts, "go back to the lesson"
        self.player.play(actions, start, lambda here: leads_there(actions, here, start, task, facts), back)

    # Checks ---------------------------------------------------------------------------------------------
    def _evaluate(self) -> None:
        """Ask whether the task is done, if the picture is final."""
        if self.lesson is None or self._plan is None or self.player.playing or self.resting:
            return
        self._show_wandered(left_the_path(self._session.document, self._plan, self.lesson.shows))
        task, facts = self._task(), self._task_facts
        if task is None or self.done or facts is None or not self._workbench.up_to_date:
            return
        state, index, latest = self.now(), self.index, self._workbench.latest
        answers = (latest.get(k) for k in range(len(state.document.fits)))
        models = tuple(answer.model if isinstance(answer, Frame) else None for answer in answers)

        def work(beat: Beat) -> Generator[float, None, Any]:
            yield 0.0
            holds, reason = task.judged(StateFacts(state, models), facts)
            return lambda: self._use_verdict(index, state, holds, reason)

        self._checker.start(work)

    def _use_verdict(self, index: int, state: LessonState, holds: bool, reason: str) -> None:
        if self.progress is None or index != self.index or state.document is not self._session.document:
            return
        if holds:
            self._set_progress(self.progress.turned_green())
            self._show_light("done", "")
            self.step_changed.emit()
            return
        seen = state.on_screen
        if state.document is not self._tried or self._seen not in (None, seen):
            self._set_progress(self.progress.tried())
            self._show_light("missed", reason)
        self._tried, self._seen = state.document, seen

    # ----------------------------------------------------------------------------------------------------
    def _receive(self, use: Callable[[], None]) -> None:
        use()

    def _show_light(self, light: Light, reason: str) -> None:
        self.light, self.reason = light, reason
        self.light_changed.emit(light, reason)

    def _show_wandered(self, off_path: bool) -> None:
        if off_path != self.off_path:
            self.off_path = off_path
            self.wandered.emit(off_path)

    def _set_progress(self, progress: LessonProgress) -> None:
        if progress != self.progress:
            self.progress = progress
            self.progressed.emit()

    def _count_time(self) -> None:
        longest_visit = 20.0  # Minutes that count for one step; a student who is away longer is not learning.
        if self.progress is not None and self._clock.isValid():
            minutes = min(self._clock.restart() / 60_000, longest_visit)
            self._set_progress(self.progress.after_minutes(minutes))
