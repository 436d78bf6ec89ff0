"""A lesson on paper: the same file as a worksheet in Markdown, with boxes to tick and room to write.

Prose after a prediction may give its answer away, so it is among the solutions."""

from __future__ import annotations

from collections.abc import Iterator

from kernelviz.session.lessons.lesson import Lesson, Prediction, Stage, Step, Task

ROOM = 3  # Empty lines to write on.


def worksheet(lesson: Lesson, solutions: bool = False) -> str:
    """Return the worksheet of a lesson as Markdown, with a page of solutions if asked for."""
    lines = [f"# {lesson.title}", "", f"*{lesson.minutes} minutes.* Name: " + "_" * 30, "", lesson.intro, ""]
    for number, step in enumerate(lesson.steps, 1):
        lines += [f"## {number}. {step.title}", "", *_step(step)]
    if solutions:
        lines += ["---", "", "# Solutions", ""]
        for number, step in enumerate(lesson.steps, 1):
            lines += _solution(number, step)
    return "\n".join(lines).rstrip() + "\n"


def _step(step: Step) -> Iterator[str]:
    visible = step.before_answer()
    for part in step.parts:
        match part:
            case str() if part in visible:
                yield from (part, "")
            case Stage():
                yield from (*_stage(part), "")
            case Prediction():
                yield from (f"**Predict.** {part.ask}", "")
                yield from (f"- ☐ {letter.upper()}: {text}" for letter, text in part.choices.items())
                yield from ("", "Because:", *_room())
                if part.reveal:
                    yield from ("Then:", "", "```", *(action.text for action in part.reveal), "```", "")
            case Task():
                yield from (f"☐ **Do.** {part.say}", "", "What I did and saw:", *_room())


def _room() -> list[str]:
    return ["", *["_" * 60, ""] * ROOM]


def _stage(stage: Stage) -> Iterator[str]:
    """Yield what to set up, as one would on the command line."""
    points = f"`{stage.data}`" if stage.data else f"{len(stage.rows)} points"
    yield f"> Start with {points}" + (f", tested on `{stage.test}`" if stage.test else "") + "."
    for row in stage.rows:
        yield f">   - {', '.join(v if isinstance(v, str) else f'{v:g}' for v in row)}"
    for fit in stage.fits:
        yield f"> Fit `{fit}`."
    for name, index in stage.points:
        yield f"> Point *{name}* is number {index + 1} in the table."


def _solution(number: int, step: Step) -> Iterator[str]:
    yield from (f"## {number}. {step.title}", "")
    if (prediction := step.prediction) is not None:
        right = prediction.answer
        yield from (f"{right.upper()}: {prediction.choices[right]}", "")
        for letter, reason in (prediction.why or {}).items():
            yield from (f"- {letter.upper()}: {reason}", "")
    for part in step.parts[len(step.before_answer()) :]:
        if isinstance(part, str):
            yield from (part, "")
    if (task := step.task) is not None:
        yield from (f"{task.say} One way:", "", "```", *(action.text for action in task.do), "```", "")
