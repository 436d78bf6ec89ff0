"""A lecture on paper: the picture and the notes of each stop, and the actions there."""

from __future__ import annotations

from collections.abc import Iterator

from kernelviz.engine.core.errors import BadInput
from kernelviz.scene.export.worksheet_items import WorksheetItem, done, lines
from kernelviz.session.lessons.lecture import Lecture
from kernelviz.session.lessons.lesson import Do, Prediction, Stage


def handout(lecture: Lecture) -> Iterator[WorksheetItem]:
    """Yield the items of the handout, stop by stop."""
    yield WorksheetItem("title", lecture.title)
    yield WorksheetItem("words", lecture.intro)
    for index in range(len(lecture.steps)):
        yield from _stop(lecture, index)


def _stop(lecture: Lecture, index: int) -> Iterator[WorksheetItem]:
    step = lecture.steps[index]
    yield WorksheetItem("heading", f"{index + 1}. {step.title}")
    try:
        plan = lecture.plan(index)
    except BadInput as problem:
        yield WorksheetItem("note", str(problem))
        return
    for part in step.parts:
        match part:
            case str():
                yield WorksheetItem("words", part)
            case Stage():
                yield WorksheetItem("figure", stage=part)
            case Prediction():
                yield WorksheetItem("lead", f"**{part.ask}**")
                for letter, text in part.choices.items():
                    yield WorksheetItem("words", f"{letter.upper()}: {text}")
                why = (part.why or {}).get(part.answer, "")
                yield WorksheetItem("words", f"*It is {part.answer.upper()}.* {why}")
                if part.reveal:
                    yield done(part.reveal, plan.start_of(part))
            case Do():
                yield done(part.actions, plan.start_of(part))


def markdown(lecture: Lecture, pictures: str = "") -> str:
    """Return the handout as Markdown. pictures: the folder with the picture of each stop, if there is one."""
    stops = 0
    found: list[str] = []
    for item in handout(lecture):
        found += lines(item)
        stops += item.kind == "heading"
        if item.kind == "figure" and pictures:
            found += [f"![]({pictures}/{stops:03}.png)", ""]
    return "\n".join(found).rstrip() + "\n"
