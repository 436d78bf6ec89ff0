"""A lesson as it is once read: steps with prose, a stage, a prediction and a task. All frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.expressions import parse_dataset
from kernelviz.engine.fits.held_out import HeldOut, fresh, other, set_aside
from kernelviz.engine.fits.parsing import Fit
from kernelviz.session.files import kviz
from kernelviz.session.lessons.actions import Action, after
from kernelviz.session.lessons.language import Check, Facts
from kernelviz.session.lessons.state import LessonState
from kernelviz.session.state import Document
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces.registry import usual_fit

FRESH = "fresh"  # Held-out points that are drawn from the data set itself.
Row = tuple[float | str, ...]


@dataclass(frozen=True)
class Stage:
    """Where a step begins: data, held-out points, fits, open views, names for some points.

    data: a data set expression, or empty with `rows` in its place: (x, y, class), (x, y) or (text, class).
    test: a share, "fresh", a data set expression, or empty."""

    line: int
    data: str = ""
    rows: tuple[Row, ...] = ()
    test: str = ""
    fits: tuple[Fit, ...] = ()
    views: tuple[str, ...] = ()
    points: tuple[tuple[str, int], ...] = ()
    step: int | None = None  # At which step of its run the algorithm is shown; None shows the solution.
    large: bool = False  # The first of the views changes places with the canvas.
    file: Path | None = None  # A session, or a picture that has one in it, in the place of all data.
    layers: tuple[tuple[str, bool], ...] = ()  # Layers shown or hidden unlike by default.
    as_set: tuple[str, ...] = ()  # Views with their switches, such as `gram(face=spectrum)`.
    hidden: tuple[str, ...] = ()  # Of a lecture: parts of the window, and controls such as "kernel.gamma".
    view: ViewRange | None = None  # The part of the plane that is seen, if not all points.
    follows: tuple[str, ...] = ()  # The claims that one sees here.

    def state(self) -> LessonState:
        """Return the state that the stage opens, or raise BadInput where its parts do not go together."""
        state = self._made() if self.file is None else self._opened(self.file)
        for view in self.as_set:
            state = state.with_view(view)
        for name, on in self.layers:
            state = state.with_layer(name, on)
        return state if self.view is None else state.with_look(view=self.view)

    def _opened(self, file: Path) -> LessonState:
        """Return the state of a session file, with the views of the stage."""
        saved, _ = kviz.load(file)
        step = self.step
        if step is None and saved.look.mode == "watch":
            step = saved.look.step
        return LessonState(saved.document, self.points, frozenset(self.views), step, saved.look)

    def _made(self) -> LessonState:
        data = parse_dataset(self.data).make() if self.data else _typed(self.rows)
        held = None
        if self.test:
            data, held = self._held_out(data)
        for name, row in self.points:
            if row >= data.n:
                raise BadInput(f"The point {name} would be number {row + 1}; there are {data.n} points.")
        fits = self.fits or (usual_fit(data),)
        document = Document(data, fits, source=self.data, held_out=held)
        document.require_workspace()
        return LessonState(document, self.points, frozenset(self.views), self.step)

    def _held_out(self, data: Data) -> tuple[Data, HeldOut]:
        if self.test == FRESH:
            return data, fresh(self.data)
        try:
            share = float(self.test)
        except ValueError:
            return data, other(parse_dataset(self.test).make(), data, self.test)
        return set_aside(data, share)


def _typed(rows: tuple[Row, ...]) -> Data:
    """Return the data of rows that the stage lists."""
    *inputs, last = zip(*rows, strict=True)
    if all(isinstance(text, str) for text in inputs[0]):
        return Data.labelled(list(inputs[0]), list(last), ("text",))
    points = [list(row) for row in zip(*inputs, strict=True)]
    if all(isinstance(label, str) for label in last):
        return Data.labelled(points, list(last))
    return Data.regression(points, list(last), ("x",))


@dataclass(frozen=True)
class Prediction:
    """A question asked before something happens. reveal: the actions that then happen; true: a check that
    they did."""

    line: int
    ask: str
    choices: Mapping[str, str]  # By letter, a to d.
    answer: str
    true: Check
    reveal: tuple[Action, ...] = ()
    why: Mapping[str, str] | None = None  # An explanation of each choice, by letter.
    follows: tuple[str, ...] = ()  # The claims that one sees here.


@dataclass(frozen=True)
class LessonTask:
    """A task for the student. check: true once it is done; do: one way to do it; miss: what is still
    wrong."""

    line: int
    say: str
    check: Check
    do: tuple[Action, ...]
    hints: tuple[str, ...] = ()
    misses: tuple[tuple[Check, str], ...] = ()
    follows: tuple[str, ...] = ()  # The claims that one sees here.

    def judged(self, now: Facts, before: Facts) -> tuple[bool, str]:
        """Return True if it is done, otherwise a sentence on what is still wrong. before: the state it began
        in."""
        if self.check.holds(now, before):
            return True, ""
        return False, next((reason for check, reason in self.misses if check.holds(now, before)), "")


@dataclass(frozen=True)
class Do:
    """The demonstration of a lecturer, an action for each press. checks: (presses before it, its line,
    check)."""

    line: int
    actions: tuple[Action, ...]
    checks: tuple[tuple[int, int, Check], ...] = ()


Part = str | Stage | Prediction | LessonTask | Do  # A text is prose, as Markdown.


@dataclass(frozen=True)
class LessonStep:
    """Prose and blocks in the order of the file: at most one block of each kind, the stage first."""

    title: str
    line: int
    parts: tuple[Part, ...]

    @property
    def stage(self) -> Stage | None:
        """Return the stage of the step, if it has one."""
        return next((part for part in self.parts if isinstance(part, Stage)), None)

    @property
    def prediction(self) -> Prediction | None:
        """Return the prediction of the step, if it has one."""
        return next((part for part in self.parts if isinstance(part, Prediction)), None)

    @property
    def task(self) -> LessonTask | None:
        """Return the task of the step, if it has one."""
        return next((part for part in self.parts if isinstance(part, LessonTask)), None)

    def before_answer(self) -> tuple[Part, ...]:
        """Return the parts to show until the prediction is answered: what follows may give it away."""
        if self.prediction is None:
            return self.parts
        return self.parts[: self.parts.index(self.prediction) + 1]

    def plan(self, state: LessonState) -> Plan:
        """Return the states that the step leads through from a state, once all is revealed and done."""
        before = []
        for part in self.parts:
            if isinstance(part, Stage):
                state = part.state()
            before.append(state)
            if isinstance(part, Prediction):
                state = after(part.reveal, state)
            elif isinstance(part, LessonTask):
                state = after(part.do, state)
            elif isinstance(part, Do):
                state = after(part.actions, state)
        return Plan(self, tuple(before), state)


@dataclass(frozen=True, eq=False)
class Plan:
    """The states of a step that do not depend on the student: before each of its parts, and at its end."""

    step: LessonStep
    before: tuple[LessonState, ...]
    end: LessonState

    def start_of(self, part: Part) -> LessonState:
        """Return the state in which a part begins."""
        return self.before[self.step.parts.index(part)]


@dataclass(frozen=True)
class Lesson:
    """A lesson. version: changes with every change of the text, so that answers are not mixed up."""

    name: str
    path: Path
    version: str
    title: str
    intro: str
    steps: tuple[LessonStep, ...]
    minutes: int = 5
    mentions: tuple[str, ...] = ()  # Claims that the front matter names.
    comes_after: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()
    chapter: str = ""

    @property
    def shown_claims(self) -> tuple[str, ...]:
        """The claims that a prediction or a task lets one see."""
        blocks = [block for step in self.steps for block in (step.prediction, step.task) if block is not None]
        return tuple(dict.fromkeys(claim for block in blocks for claim in block.follows))

    @property
    def follows(self) -> tuple[str, ...]:
        """The claims of the notes that the lesson is about."""
        return tuple(dict.fromkeys((*self.mentions, *self.shown_claims)))

    def start(self, index: int) -> LessonState:
        """Return the state in which a step begins: its stage, or the state that the steps since the last
        stage lead to.

        It is the same whatever a student has done before, so that going back and forth changes nothing."""
        stage = self.steps[index].stage
        if stage is not None:
            return stage.state()
        return self.steps[index - 1].plan(self.start(index - 1)).end

    def plan(self, index: int) -> Plan:
        """Return the states of a step; BadInput names file and line."""
        try:
            return self.steps[index].plan(self.start(index))
        except BadInput as problem:
            raise BadInput(f"{self.path}, line {self.steps[index].line}: {problem}") from None
