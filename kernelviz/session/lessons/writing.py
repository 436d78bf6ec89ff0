"""Writing lessons: the block of a stage for what is on screen, and a lesson recorded while the user works.

The user's actions become lines of `do`, and these a lesson to be finished."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Declared, number
from kernelviz.engine.fits.expressions import parse_dataset
from kernelviz.engine.fits.held_out import HeldOut
from kernelviz.session.lessons.actions import (
    MOST_ACTIONS,
    Action,
    Choose,
    EditPoints,
    SetParameter,
    ShowLayer,
    ShowView,
    Watch,
    after,
    parse_actions,
)
from kernelviz.session.lessons.blocks import MOST_ROWS
from kernelviz.session.lessons.facts import StateFacts, vocabulary
from kernelviz.session.lessons.language import parse_check
from kernelviz.session.lessons.lesson import FRESH
from kernelviz.session.lessons.state import LessonState
from kernelviz.session.state import LETTERS, Document
from kernelviz.session.view_listing import switches_text

HEAD = """+++
format  = 1
title   = "A recorded lesson"
minutes = 5
shows   = [{shows}]
+++

Say here what the lesson is about.
"""
STEP = """
## Step {number}

{stage}"""
TASK = """
```task
say   = "Say here what to do."
check = {check}
do    = [{do}]
hint  = ["Say here what helps."]
```
"""


# The block of a stage ---------------------------------------------------------------------------------
def stage_block(state: LessonState) -> str:
    """Return the fenced block that opens a state: a data set by its expression, other points in rows."""
    document = state.document
    views = list(map(switches_text, state.open_views))
    lines = ["```stage"]
    if document.source and _is_expression(document.source):
        lines.append(f"data = {_quoted(document.source)}")
    else:
        lines.append(f"rows = {_listed(document)}")
    if (held := document.held_out) is not None:
        lines.append(f"test = {_test(document, held)}")
    fits = [_quoted(str(fit)) for fit in document.fits]
    lines.append(f"fit  = {fits[0]}" if len(fits) == 1 else f"fit  = [{', '.join(fits)}]")
    if views:
        lines.append(f"open = [{', '.join(map(_quoted, views))}]")
    if state.look is not None:
        usual = document.workspace.shown
        for key, names in (("show", state.look.shown - usual), ("hide", usual - state.look.shown)):
            if names:
                lines.append(f"{key} = [{', '.join(map(_quoted, sorted(names)))}]")
    if state.step is not None:
        lines.append(f"watch = {state.step}")
    return "\n".join([*lines, "```", ""])


def _test(document: Document, held: HeldOut) -> str:
    if held.moved or held.seed:
        raise BadInput("A stage cannot hold out these points: they were moved or drawn by hand.")
    if held.share is not None:
        return f"{held.share:g}"
    if held.source == document.source:
        return _quoted(FRESH)
    if not _is_expression(held.source):
        raise BadInput("Held-out points that come from a file cannot be written into a stage.")
    return _quoted(held.source)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _is_expression(source: str) -> bool:
    try:
        parse_dataset(source)
    except BadInput:
        return False
    return True


def _listed(document: Document) -> str:
    data = document.together
    if data.n > MOST_ROWS:
        raise BadInput(f"A stage lists at most {MOST_ROWS} points; use a data set for more.")
    if data.target is None:
        raise BadInput("A stage needs points with classes or with targets.")
    if data.domain == "objects":
        raise BadInput("A stage cannot list objects: their Gram matrix is not in it. Use a data set.")
    rows, codes = [], data.codes
    for k in range(data.n):
        inputs = [data.X[k]] if data.domain == "strings" else [float(v) for v in data.X[k]]
        last = float(data.target[k]) if codes is None else data.class_names[codes[k]]
        values = [_quoted(v) if isinstance(v, str) else repr(v) for v in (*inputs, last)]
        rows.append(f"[{', '.join(values)}]")
    return "[\n  " + ",\n  ".join(rows) + ",\n]"


# Lines -------------------------------------------------------------------------------------------------
def difference(old: LessonState, new: LessonState) -> list[str] | None:
    """Return the lines that lead from one state to another; None where no lines do."""
    try:
        lines = [*_data(old.document, new.document), *_fits(old.document, new.document)]
        lines += _seen(old, new)
        if new.step != old.step:
            lines.append("press live_mode" if new.step is None else f"watch to {new.step}")
        reached = after(parse_actions("\n".join(lines)), old) if lines else old
    except BadInput:
        return None
    return lines if reached.fingerprint == new.fingerprint else None


def _seen(old: LessonState, new: LessonState) -> Iterator[str]:
    """Yield how views were opened, set and closed, and which layers were shown or hidden."""
    yield from (f"close {view}" for view in sorted(old.views - new.views))
    for name in sorted(new.views):
        if (view := new.view(name)) is not None and view != old.view(name):
            given = switches_text(view)
            # A view that is opened is as it was; one that is set as usual again needs a switch in the text.
            again = name in old.views and given == name
            yield f"open {view if again else given}"
    if new.document.workspace is old.document.workspace:
        for layer in new.document.workspace.toggles:
            if new.layer(layer) != old.layer(layer):
                yield f"{'show' if new.layer(layer) else 'hide'} {layer}"


def _data(old: Document, new: Document) -> Iterator[str]:
    """Yield the actions on the points: another data set, or an edit of the present ones."""
    if new.data is old.data:
        return
    if new.source and new.source != old.source:
        before = parse_dataset(old.origin) if old.origin else None
        yield _assignment("data", before, parse_dataset(new.source))
        return
    was, now = _rows(old), _rows(new)
    if len(now) < len(was):
        left = iter(now)
        kept = next(left, None)
        gone = []
        for k, row in enumerate(was, 1):
            if row == kept:
                kept = next(left, None)
            else:
                gone.append(str(k))
        yield f"remove {' '.join(gone)}"
    for k, (place, target) in enumerate(now if len(now) >= len(was) else (), 1):
        x_y = place if isinstance(place, str) else f"({', '.join(map(number, place))})"
        if k > len(was):
            sign = {1.0: "+ ", -1.0: "- "}.get(target, "") if new.workspace.has_classes else ""
            yield f"add {sign}{x_y}"
            continue
        if place != was[k - 1][0]:
            yield f"retype {k} {place}" if isinstance(place, str) else f"move {k} {x_y}"
        if target != was[k - 1][1] and new.workspace.has_classes:
            yield f"flip {k}"


def _rows(document: Document) -> list[tuple[str | tuple[float, ...], float]]:
    """Return (text or position, target) of each point."""
    data = document.data
    targets = np.zeros(data.n) if data.target is None else data.target
    places = data.X if not data.has_numbers else map(tuple, document.workspace.positions(data).tolist())
    return list(zip(places, targets.tolist(), strict=True))


def _fits(old: Document, new: Document) -> Iterator[str]:
    """Yield the actions on the fits: closed, added, changed, another one made active."""
    fits, active = list(old.fits), old.active
    while len(fits) > len(new.fits):
        gone = next((k for k, fit in enumerate(new.fits) if fit != fits[k]), len(new.fits))
        yield from ["press next_fit"] * ((gone - active) % len(fits))
        yield "press close_fit"
        del fits[gone]
        active = min(gone, len(fits) - 1)
    while len(fits) < len(new.fits):
        yield "press add_fit"
        fits.append(fits[active])
        active = len(fits) - 1
    for k, (was, now) in enumerate(zip(fits, new.fits, strict=True)):
        fit = f"{LETTERS[k]}." if len(fits) > 1 else ""
        active = active if was == now else k
        if was.kernel != now.kernel:
            yield fit + _assignment("kernel", was.kernel, now.kernel)
        if was.algorithm != now.algorithm:
            yield fit + _assignment("algorithm", was.algorithm, now.algorithm)
    yield from ["press next_fit"] * ((new.active - active) % len(fits))


def _assignment(whose: str, old: Declared | None, new: Declared) -> str:
    """Return the line that sets the one parameter that differs, or all of a kernel, algorithm or data set."""
    if type(old) is type(new) and new.name:
        was, now = old.values(), new.values()
        changed = [name for name in now if now[name] != was[name]]
        if len(changed) == 1:
            value = now[changed[0]]
            return f"{whose}.{changed[0]} = {value if isinstance(value, str) else number(value)}"
    return f"{whose} = {new}"


# A lesson ----------------------------------------------------------------------------------------------
@dataclass
class _RecordedStep:
    start: LessonState
    end: LessonState
    lines: list[str] = field(default_factory=list)


class Recording:
    """A lesson written by doing it. What no line can do, such as opening a file, begins another step."""

    def __init__(self, start: LessonState) -> None:
        self._steps = [_RecordedStep(start, start)]

    def follow(self, state: LessonState) -> None:
        """Add the actions since the last state; a later value of a parameter replaces the earlier one."""
        step = self._steps[-1]
        lines = difference(step.end, state)
        if lines is None or len(step.lines) + len(lines) > MOST_ACTIONS:
            self._steps.append(_RecordedStep(state, state))
            return
        for line in lines:
            if step.lines and _target(line) and _target(line) == _target(step.lines[-1]):
                step.lines.pop()
            step.lines.append(line)
        step.end = state

    def lesson(self) -> str:
        """Return the text of the lesson; BadInput where a stage cannot be written down."""
        actions = [parse_actions("\n".join(step.lines)) if step.lines else () for step in self._steps]
        controls = dict.fromkeys(action.control for some in actions for action in some)
        shows = ", ".join(json.dumps(name) for name in (*filter(None, controls), "status"))
        text = HEAD.format(shows=shows)
        for k, (step, done) in enumerate(zip(self._steps, actions, strict=True), 1):
            text += STEP.format(number=k, stage=stage_block(step.start))
            if done:
                check = _check(done, step.start, step.end)
                do = ", ".join(_quoted(line) for line in step.lines)
                text += TASK.format(check=_quoted(check), do=do)
        return text


def _target(line: str) -> str:
    """Return the target of a line that a later line of the same kind makes superfluous, or an empty text."""
    words = line.split()
    if words[0] in ("move", "retype"):
        return " ".join(words[:2])
    return words[0] if words[0] == "watch" or words[1] == "=" else ""


def _check(done: tuple[Action, ...], start: LessonState, end: LessonState) -> str:
    """Return a check that is false before the actions and true after them, if there is a simple one."""
    before, now = StateFacts(start), StateFacts(end)
    for action in reversed(done):
        for text in _sentences(action, end):
            check = parse_check(text, vocabulary())
            if check.holds(now, before) and not check.holds(before, before):
                return text
    return "n != before(n)"  # for the writer to replace: `lesson check` says that it is wrong


def _sentences(action: Action, end: LessonState) -> Iterator[str]:
    """Yield checks that may be true because an action was done."""
    data = end.document.data
    match action:
        case SetParameter(fit=fit, whose=whose, parameter=parameter, value=value):
            name = f"{whose}.{parameter}" if fit is None else f"{LETTERS[fit]}.{whose}.{parameter}"
            yield _equality(name, value)
        case Choose(control=whose):
            prefix = "" if action.fit is None else f"{LETTERS[action.fit]}."
            found = StateFacts(end).value(whose, action.fit)
            yield f"{prefix}{whose} == {found!r}"
        case EditPoints(verb="add" | "remove"):
            yield f"n == {data.n}"
        case EditPoints(verb="move", which=(which,), place=(x, y)):
            yield f"abs(point({which}).x - {x:.3g}) < 0.1 and abs(point({which}).y - {y:.3g}) < 0.1"
        case EditPoints(verb="flip"):
            yield f"n_plus == {int(np.count_nonzero(data.y > 0))}"
        case EditPoints(verb="retype", which=(which,)):
            yield f"K({which}, {which}) != before(K({which}, {which}))"
        case ShowView(view=view, shown=shown):
            yield f"view.{view}" if shown else f"not view.{view}"
            if (made := end.view(view)) is not None:
                for p in made.parameters():
                    yield _equality(f"view.{view}.{p.name}", getattr(made, p.name))
        case ShowLayer(layer=layer, shown=shown):
            yield f"layer.{layer}" if shown else f"not layer.{layer}"
        case Watch(step=step) if step is not None:
            yield f"step == {step}"
        case _:
            last = len(end.document.fits) - 1
            yield f"{LETTERS[last]}.kernel == {StateFacts(end).value('kernel', last)!r}"


def _equality(name: str, value: float | bool | str) -> str:
    if isinstance(value, bool):
        return name if value else f"not {name}"
    return f"{name} == {value!r}" if isinstance(value, str) else f"{name} == {number(value)}"
