"""A lesson on paper: the same file as a worksheet, with boxes to tick and room to write.

A worksheet is a list of items, written here as Markdown and by `worksheet.py` as PDF. Prose after a
prediction may give its answer away, so it is among the solutions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from kernelviz.engine.fits.expressions import parse_dataset
from kernelviz.scene.insight import view_class
from kernelviz.scene.wording import readable, shown
from kernelviz.session.lessons.actions import (
    Action,
    Choose,
    EditPoints,
    Press,
    SelectRows,
    SetParameter,
    ShowLayer,
    ShowView,
    Watch,
)
from kernelviz.session.lessons.language import LETTERS, Pointer
from kernelviz.session.lessons.lesson import FRESH, Lesson, LessonTask, Plan, Prediction, Stage
from kernelviz.session.lessons.state import LAYERS, VIEWS, LessonState, find_parameter
from kernelviz.session.view_listing import parse_view

ROOM = 2  # Empty lines to write on.

Kind = Literal["title", "heading", "words", "lead", "note", "box", "room", "figure"]


@dataclass(frozen=True)
class WorksheetItem:
    """A piece of a worksheet. A figure has the stage that it shows, all others a Markdown text.

    lead: words that stay with what follows; box: a text with a box to tick; room: lines to write on, after a
    word or two; with_next: they stay on the page of what follows."""

    kind: Kind
    text: str = ""
    stage: Stage | None = None
    lines: int = ROOM  # To write on.
    with_next: bool = False


def questions(lesson: Lesson) -> Iterator[WorksheetItem]:
    """Yield the items for students: prose, figures, predictions and tasks."""
    yield WorksheetItem("title", lesson.title)
    follows = f" Follows {', '.join(lesson.follows)} of the notes." if lesson.follows else ""
    yield WorksheetItem("note", f"*{lesson.minutes} minutes.*{follows}")
    yield WorksheetItem("room", "Name:", lines=1)
    yield WorksheetItem("words", lesson.intro)
    for index, step in enumerate(lesson.steps):
        yield WorksheetItem("heading", f"{index + 1}. {step.title}")
        yield from _step(lesson.plan(index))


def solutions(lesson: Lesson) -> Iterator[WorksheetItem]:
    """Yield the answers, what wrong answers overlook, and one way to do each task."""
    yield WorksheetItem("title", f"Solutions: {lesson.title}")
    for index, step in enumerate(lesson.steps):
        yield WorksheetItem("heading", f"{index + 1}. {step.title}")
        if (prediction := step.prediction) is not None:
            right = prediction.answer
            yield WorksheetItem("words", f"**{right.upper()}:** {prediction.choices[right]}")
            for letter, reason in (prediction.why or {}).items():
                yield WorksheetItem("words", f"- {letter.upper()}: {reason}")
        for part in step.parts[len(step.before_answer()) :]:
            if isinstance(part, str):
                yield WorksheetItem("words", part)
        if (task := step.task) is not None:
            yield WorksheetItem("lead", f"{task.say} One way:")
            yield done(task.do, lesson.plan(index).start_of(task))


def _step(plan: Plan) -> Iterator[WorksheetItem]:
    """Yield the items of a step that are shown before its prediction is answered."""
    visible = plan.step.before_answer()
    for part in plan.step.parts:
        match part:
            case str() if part in visible:
                yield WorksheetItem("words", part)
            case Stage():
                yield WorksheetItem("figure", stage=part)
                yield WorksheetItem("note", _start(part))
            case Prediction():
                yield WorksheetItem("lead", f"**Predict.** {part.ask}")
                for letter, text in part.choices.items():
                    yield WorksheetItem("box", f"{letter.upper()}: {text}")
                yield WorksheetItem("room", "Because:", with_next=bool(part.reveal))
                if part.reveal:
                    yield WorksheetItem("lead", "Then:")
                    yield done(part.reveal, plan.start_of(part))
            case LessonTask():
                yield WorksheetItem("box", f"**Do.** {part.say}")
                yield WorksheetItem("room", "What I did and saw:")


def _start(stage: Stage) -> str:
    """Return what to set up: data, fits, and the points that have a name or are listed."""
    points = f"Data: {_data(stage.data)}" if stage.data else f"Data: {len(stage.rows)} points"
    if stage.test:
        share = stage.test.replace(".", "", 1).isdecimal()
        test = "fresh points" if stage.test == FRESH else stage.test if share else _data(stage.test)
        points += f", with {100 * float(test):g} % held out" if share else f", tested on {test}"
    sentences = [f"{points}."]
    sentences += [f"Fit: {readable(fit.kernel)}; {readable(fit.algorithm)}." for fit in stage.fits]
    sentences += [f"Point *{name}* is number {row + 1} in the table." for name, row in stage.points]
    rows = [f"- {', '.join(v if isinstance(v, str) else f'{v:g}' for v in row)}" for row in stage.rows]
    return "\n".join([" ".join(sentences), *rows])


def _data(expression: str) -> str:
    """Return a data set in words."""
    return readable(parse_dataset(expression))


# Actions in words --------------------------------------------------------------------------------------
def done(actions: Iterable[Action], state: LessonState) -> WorksheetItem:
    """Return a list of the actions, beginning at a state."""
    found = []
    for action in actions:
        found.append(f"- {in_words(action, state)}")
        state = action.applied(state)
    return WorksheetItem("words", "\n".join(found))


def in_words(action: Action, state: LessonState) -> str:
    """Return a sentence that says what to do in the window. state: the state before the action."""
    document = state.document
    fit = action.fit if isinstance(action, SetParameter | Choose) else None
    where = "" if fit is None or len(document.fits) == 1 else f" of fit {LETTERS[fit]}"
    match action:
        case SetParameter(whose=whose, parameter=name, value=value):
            chosen = document.fits[document.active if fit is None else fit]
            owner = parse_dataset(document.origin) if whose == "data" else getattr(chosen, whose)
            found = find_parameter(owner, name)
            assert found is not None  # as the action is applied next
            labels = {found[2].name: found[2].label}
            labels |= {alias: view.label for view in found[2].views for alias in view.names}
            label = labels[name]
            if isinstance(value, bool):
                return f"Switch *{label}*{where} {'on' if value else 'off'}."
            return f"Set {label}{where} to {value if isinstance(value, str) else shown(value)}."
        case Choose(chosen=chosen):
            made = parse_dataset(chosen) if isinstance(chosen, str) else chosen
            kind = {"data": "data set"}.get(action.control, action.control)
            return f"Choose the {kind}{where}: {readable(made)}."
        case EditPoints(verb=verb, which=which, place=place):
            at = "" if place is None else f"({shown(place[0])}, {shown(place[1])})"
            kind = f" of class {'+' if action.label > 0 else '−'}" if document.workspace.has_classes else ""
            return {
                "add": f"Add a point{kind} at {at}.",
                "move": f"Drag {_pointed(which)} to {at}.",
                "remove": f"Remove {_pointed(which)}.",
                "flip": f"Change the class of {_pointed(which)}.",
                "retype": f"Change {_pointed(which)} to “{action.letters}”.",
            }[verb]
        case ShowView(view=view, shown=True, as_set=as_set):
            return " ".join([f"Open *{VIEWS[view]}*.", *_switches(as_set)])
        case ShowView(view=view):
            return f"Close *{VIEWS[view]}*."
        case SelectRows(which=which):
            return f"Select {_pointed(which)}."
        case ShowLayer(layer=layer, shown=on):
            return f"{'Show' if on else 'Hide'} *{LAYERS[layer]}*."
        case Watch(step=step):
            return f"Watch the run {'to its end' if step is None else f'up to step {step}'}."
        case Press(command=command):
            return {
                "median_width": "Choose *Width by median heuristic* in the *Kernel* menu.",
                "improve": f"Press *{document.algorithm.improvement}*.",
                "add_fit": "Add a fit.",
                "close_fit": "Close the fit.",
                "next_fit": "Go to the next fit.",
                "live_mode": "Go back to *Live*.",
            }[command]
    return action.text


def _switches(text: str) -> Iterator[str]:
    """Yield how the switches of a view are set, for those that are not as usual."""
    given = parse_view(text)
    declared = {p.name: p for p in view_class(given.name).parameters()} if given.parameters() else {}
    for name, parameter in declared.items():
        value = getattr(given, name)
        if value == parameter.default:
            continue
        if isinstance(value, bool):
            yield f"{'Tick' if value else 'Untick'} *{parameter.label}*."
        else:
            yield f"Set *{parameter.label}* to {value if isinstance(value, str) else shown(value)}."


def _pointed(which: tuple[Pointer, ...]) -> str:
    """Return points by their names or numbers, such as "p", "point 3" or "points 1, 2, 5"."""
    names = ", ".join(map(str, which))
    if all(isinstance(pointer, str) for pointer in which):
        return names
    return f"points {names}" if len(which) > 1 else f"point {names}"


# Markdown ----------------------------------------------------------------------------------------------
def markdown(lesson: Lesson, with_solutions: bool = False) -> str:
    """Return the worksheet of a lesson as Markdown, with a page of solutions if requested."""
    items = [*questions(lesson), *(solutions(lesson) if with_solutions else ())]
    return "\n".join(line for item in items for line in lines(item)).rstrip() + "\n"


def lines(item: WorksheetItem) -> list[str]:
    """Return the lines of an item, an empty one last. A figure has none: the note below describes it."""
    box = "☐"
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
            return [f"- {box} {item.text}", ""]
        case "room":
            return [item.text, "", *["_" * 60, ""] * item.lines]
    return [item.text, ""]
