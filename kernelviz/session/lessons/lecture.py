"""A lecture: stops that are shown one after the other, and the presses of a key that lead through each."""

from __future__ import annotations

from dataclasses import dataclass

from kernelviz.engine.core.errors import BadInput
from kernelviz.session.lessons.actions import Action, ShowView, after
from kernelviz.session.lessons.lesson import Do, Lesson, LessonStep, Prediction, Stage
from kernelviz.session.lessons.state import LessonState


@dataclass(frozen=True)
class LecturePress:
    """One press of Page Down, which reveals the answer to a question or does a line."""

    actions: tuple[Action, ...]
    reveals: Prediction | None = None


def presses(step: LessonStep) -> tuple[LecturePress, ...]:
    """Return the presses of a stop in order."""
    found: list[LecturePress] = []
    for part in step.parts:
        if isinstance(part, Prediction):
            found.append(LecturePress(part.reveal, part))
        elif isinstance(part, Do):
            found += (LecturePress((action,)) for action in part.actions)
    return tuple(found)


@dataclass(frozen=True)
class Missing(Stage):
    """The stage of a stop whose file cannot be read: the others can be shown."""

    problem: str = ""

    def state(self) -> LessonState:
        raise BadInput(self.problem)


@dataclass(frozen=True)
class Lecture(Lesson):
    """A lecture, whose steps are called stops. sections: the line of the `##` that each was read from, which
    the steps of a lesson in it share."""

    sections: tuple[int, ...] = ()
    text: str = ""

    def states(self, index: int) -> tuple[LessonState, ...]:
        """Return the states of a stop: as it begins, and after each press; BadInput names file and line."""
        step = self.steps[index]
        try:
            states = [self.start(index)]
            for press in presses(step):
                states.append(after(press.actions, states[-1]))
        except BadInput as problem:
            raise BadInput(f"{self.path.name}, “{step.title}”: {problem}") from None
        return tuple(states)

    def large(self, index: int, press: int) -> str:
        """Return the enlarged view after some presses of a stop; empty if there is none."""
        stage, name = self.steps[index].stage, ""
        if stage is not None and stage.large:
            name = stage.views[0]
        for done in presses(self.steps[index])[:press]:
            for action in done.actions:
                if isinstance(action, ShowView) and (action.large or action.view == name):
                    name = action.view if action.large else ""
        return name

    def hidden(self, index: int) -> frozenset[str]:
        """Return the parts of the window, and the single controls, that are hidden at a stop."""
        stages = (step.stage for step in reversed(self.steps[: index + 1]))
        return frozenset(next((stage.hidden for stage in stages if stage is not None), ()))


def notes(step: LessonStep) -> str:
    """Return the notes for the speaker, as Markdown."""
    return "\n\n".join(part for part in step.parts if isinstance(part, str))
