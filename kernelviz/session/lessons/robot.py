"""The robot: does a lesson as a student would and reports everything that does not hold.

It needs no window. For each step it opens the stage, reveals the prediction and does the task, and evaluates
the checks before and after. The tests run it over our lessons; `kernelviz lesson check FILE` runs it."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

from kernelviz.engine.core.errors import BadInput
from kernelviz.session.lessons.actions import after
from kernelviz.session.lessons.facts import REFUSED, StateFacts
from kernelviz.session.lessons.lesson import Do, Lesson, LessonStep, LessonTask, Part, Prediction, Stage
from kernelviz.session.lessons.state import LessonState

FORMULA = re.compile(r"\$([^$]+)\$")


@dataclass(frozen=True)
class LessonProblem:
    """A fault in a lesson, and its line."""

    line: int
    sentence: str


def examine(lesson: Lesson) -> list[LessonProblem]:
    """Do a lesson from the first step to the last; return the faults, in the order of the file."""
    problems = [*_formulas(lesson), *_hidden_controls(lesson)]
    state: LessonState | None = None
    for index, step in enumerate(lesson.steps):
        part: LessonStep | Part = step
        try:
            begun = None if step.stage is not None else state
            if begun is not None and begun.fingerprint != lesson.start(index).fingerprint:
                problems.append(
                    LessonProblem(step.line, "Going back to this step does not give the same state.")
                )
            for part in step.parts if step.stage is not None or state is not None else ():
                if isinstance(part, Stage):
                    state = part.state()
                    facts = StateFacts(state)
                    for k, fit in enumerate(state.document.fits):
                        if facts.value("status", k) == REFUSED:
                            problems.append(
                                LessonProblem(part.line, f"{fit} cannot be fitted to these data.")
                            )
                if isinstance(part, Stage | str):
                    continue
                assert state is not None  # the first step has a stage, before its other blocks
                if isinstance(part, Prediction):
                    revealed = after(part.reveal, state)
                    problems += _prediction(part, state, revealed)
                    state = revealed
                elif isinstance(part, LessonTask):
                    done = after(part.do, state)
                    problems += _task(part, state, done)
                    state = done
                elif isinstance(part, Do):
                    problems += _lines(part, state)
                    state = after(part.actions, state)
        except BadInput as problem:  # until the next stage the steps after it would all be wrong
            problems.append(LessonProblem(step.line if isinstance(part, str) else part.line, str(problem)))
            state = None
    return sorted(problems, key=lambda problem: problem.line)


def pictures(lesson: Lesson) -> Iterator[tuple[str, LessonState]]:
    """Yield (name, state) of every step for the eye of the writer: as it begins, once its prediction is
    revealed, and as it ends."""
    for index, step in enumerate(lesson.steps):
        plan = step.plan(lesson.start(index))
        moments = {"start": lesson.start(index), "end": plan.end}
        if step.prediction is not None and step.task is not None:
            moments["revealed"] = plan.start_of(step.task)
        for moment, state in moments.items():
            yield f"{lesson.name}-{index + 1}-{moment}", state


def _prediction(prediction: Prediction, state: LessonState, revealed: LessonState) -> Iterator[LessonProblem]:
    holds = prediction.true.holds(StateFacts(revealed), StateFacts(state))
    if not holds:
        wrong = "is not true" if holds is False else "cannot be answered"
        yield LessonProblem(prediction.line, f"{prediction.true.text} {wrong} after the reveal.")


def _lines(do: Do, state: LessonState) -> Iterator[LessonProblem]:
    """Yield the checks that do not hold after the lines before them."""
    begin = StateFacts(state)
    for k, line, check in do.checks:
        holds = check.holds(StateFacts(after(do.actions[:k], state)), begin)
        if not holds:
            wrong = "is not true" if holds is False else "cannot be answered"
            when = f"after “{do.actions[k - 1].text}”" if k else "before anything is done"
            yield LessonProblem(line, f"{check.text} {wrong} {when}.")


def _task(task: LessonTask, state: LessonState, done: LessonState) -> Iterator[LessonProblem]:
    start, end = StateFacts(state), StateFacts(done)
    already, reason = task.judged(start, start)
    if already:
        yield LessonProblem(task.line, f"{task.check.text} is true before anything is done.")
    elif task.misses and not reason:
        yield LessonProblem(task.line, "None of the reasons under miss holds before anything is done.")
    if not task.judged(end, start)[0]:
        yield LessonProblem(task.line, f"{task.check.text} is not true after the do.")


# Controls ----------------------------------------------------------------------------------------------
def _hidden_controls(lesson: Lesson) -> Iterator[LessonProblem]:
    """Yield the tasks that need a control which the lesson folds away."""
    tasks = [step.task for step in lesson.steps if step.task is not None] if lesson.shows else []
    for task in tasks:
        for action in task.do:
            control = action.control
            if control and not {control, control.partition(".")[0]} & set(lesson.shows):
                yield LessonProblem(task.line, f"{action.text!r} needs {control}, which is not among shows.")


# Formulas ----------------------------------------------------------------------------------------------
def _formulas(lesson: Lesson) -> Iterator[LessonProblem]:
    """Yield the formulas that cannot be typeset."""
    for line, text in _texts(lesson):
        for latex in FORMULA.findall(text):
            if not typesets(latex):
                yield LessonProblem(line, f"The formula ${latex}$ cannot be typeset.")


def _texts(lesson: Lesson) -> Iterator[tuple[int, str]]:
    """Yield (line, text) of everything a student reads."""
    yield 1, lesson.intro
    for step in lesson.steps:
        yield step.line, step.title
        for part in step.parts:
            match part:
                case str():
                    yield step.line, part
                case Prediction():
                    yield part.line, " ".join([part.ask, *part.choices.values(), *(part.why or {}).values()])
                case LessonTask():
                    sentences = [part.say, *part.hints, *(sentence for _, sentence in part.misses)]
                    yield part.line, " ".join(sentences)


def typesets(latex: str) -> bool:
    """Return True if a formula can be typeset."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # ziamath's own use of importlib.resources
        import ziamath
    try:
        return bool(ziamath.Latex(latex).svg().startswith("<svg"))
    except Exception:  # the parsers raise many kinds
        return False
