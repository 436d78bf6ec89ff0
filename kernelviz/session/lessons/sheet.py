"""A lesson on paper: the same file as a worksheet, with boxes to tick and room to write.

A worksheet is a list of items, written here as Markdown and by `scene/export/worksheet.py` as PDF.
Prose after a prediction may give its answer away, so it is among the solutions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from kernelviz.session.lessons.lesson import Lesson, Prediction, Stage, Step, Task

ROOM = 2  # Empty lines to write on.
BOX = "☐"

Kind = Literal["title", "heading", "words", "lead", "note", "box", "room", "code", "figure"]


@dataclass(frozen=True)
class Item:
    """A piece of a worksheet. A figure has the stage that it shows, all others a Markdown text.

    lead: words that stay with what follows; box: a text with a box to tick; room: lines to write on, after a
    word or two."""

    kind: Kind
    text: str = ""
    stage: Stage | None = None
    lines: int = ROOM  # To write on.


def questions(lesson: Lesson) -> Iterator[Item]:
    """Yield what a student gets: prose, figures, predictions and tasks."""
    yield Item("title", lesson.title)
    follows = f" Follows {', '.join(lesson.follows)} of the notes." if lesson.follows else ""
    yield Item("note", f"*{lesson.minutes} minutes.*{follows}")
    yield Item("room", "Name:", lines=1)
    yield Item("words", lesson.intro)
    for number, step in enumerate(lesson.steps, 1):
        yield Item("heading", f"{number}. {step.title}")
        yield from _step(step)


def solutions(lesson: Lesson) -> Iterator[Item]:
    """Yield the answers, what wrong answers overlook, and one way to do each task."""
    yield Item("title", f"Solutions: {lesson.title}")
    for number, step in enumerate(lesson.steps, 1):
        yield Item("heading", f"{number}. {step.title}")
        if (prediction := step.prediction) is not None:
            right = prediction.answer
            yield Item("words", f"**{right.upper()}:** {prediction.choices[right]}")
            for letter, reason in (prediction.why or {}).items():
                yield Item("words", f"- {letter.upper()}: {reason}")
        for part in step.parts[len(step.before_answer()) :]:
            if isinstance(part, str):
                yield Item("words", part)
        if (task := step.task) is not None:
            yield Item("lead", f"{task.say} One way:")
            yield Item("code", "\n".join(action.text for action in task.do))


def _step(step: Step) -> Iterator[Item]:
    visible = step.before_answer()
    for part in step.parts:
        match part:
            case str() if part in visible:
                yield Item("words", part)
            case Stage():
                yield Item("figure", stage=part)
                yield Item("note", _start(part))
            case Prediction():
                yield Item("lead", f"**Predict.** {part.ask}")
                for letter, text in part.choices.items():
                    yield Item("box", f"{letter.upper()}: {text}")
                yield Item("room", "Because:")
                if part.reveal:
                    yield Item("lead", "Then:")
                    yield Item("code", "\n".join(action.text for action in part.reveal))
            case Task():
                yield Item("box", f"**Do.** {part.say}")
                yield Item("room", "What I did and saw:")


def _start(stage: Stage) -> str:
    """Return what to set up, as one would on the command line."""
    points = f"`{stage.data}`" if stage.data else f"{len(stage.rows)} points"
    sentences = [f"Start with {points}" + (f", tested on `{stage.test}`" if stage.test else "") + "."]
    sentences += [f"Fit `{fit}`." for fit in stage.fits]
    sentences += [f"Point *{name}* is number {row + 1} in the table." for name, row in stage.points]
    rows = [f"- {', '.join(v if isinstance(v, str) else f'{v:g}' for v in row)}" for row in stage.rows]
    return "\n".join([" ".join(sentences), *rows])


def markdown(lesson: Lesson, with_solutions: bool = False) -> str:
    """Return the worksheet of a lesson as Markdown, with a page of solutions if asked for."""
    items = [*questions(lesson), *(solutions(lesson) if with_solutions else ())]
    return "\n".join(line for item in items for line in _lines(item)).rstrip() + "\n"


def _lines(item: Item) -> list[str]:
    """Return the lines of an item, an empty one last. A figure is what the note below it describes."""
    match item.kind:
        case "figure":
            return []
        case "title":
            return [f"# {item.text}", ""]
        case "heading":
            return [f"## {item.text}", ""]
        case "note":
            return [*(f"> {line}" for line in item.text.splitlines()), ""]
        case "box":
            return [f"- {BOX} {item.text}", ""]
        case "room":
            return [item.text, "", *["_" * 60, ""] * item.lines]
        case "code":
            return ["```", item.text, "```", ""]
    return [item.text, ""]
