"""A step that is being done: actions as a series of pictures, and whether the student has left the path.

All of this is computed away from the window's thread."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kernelviz.engine.core.data import Data, same_inputs
from kernelviz.engine.core.errors import BadInput
from kernelviz.session.lessons.actions import Action, EditPoints, SetParameter, Watch, after
from kernelviz.session.lessons.facts import StateFacts
from kernelviz.session.lessons.lesson import LessonTask, Plan
from kernelviz.session.lessons.state import LessonState
from kernelviz.session.state import Document

FRAMES, PACE, PAUSE = 24, 60, 350  # Pictures of a movement, milliseconds between them and between actions.


@dataclass(frozen=True, eq=False)
class Shot:
    """One picture of an action that is played. gesture: shared by the pictures of one step of undo."""

    state: LessonState
    name: str
    gesture: object
    wait: int  # Milliseconds until the next.


def leads_there(
    actions: tuple[Action, ...],
    here: LessonState,
    start: LessonState,
    task: LessonTask | None,
    facts: StateFacts | None,
) -> bool:
    """Return True if the actions, begun from the present state, do what they should."""
    if task is None:
        return here.fingerprint == start.fingerprint
    try:
        return bool(task.check.holds(StateFacts(after(actions, here)), facts))
    except BadInput:
        return False


def shots_of(actions: tuple[Action, ...], state: LessonState) -> Iterator[Shot]:
    """Yield the pictures of actions: parameters and points travel, the rest happens step by step."""
    for action in actions:
        gesture, end = object(), action.applied(state)
        for between in _between(action, state, end):
            yield Shot(between, action.text, gesture, PACE)
        yield Shot(end, action.text, gesture, PAUSE)
        state = end


def _between(action: Action, start: LessonState, end: LessonState) -> Iterator[LessonState]:
    """Yield the states on the way of an action that moves something."""
    shares = [(k + 1) / FRAMES for k in range(FRAMES - 1)]
    if isinstance(action, SetParameter) and isinstance(action.value, float):
        first = StateFacts(start).value(f"{action.whose}.{action.parameter}", action.fit)
        if isinstance(first, bool | str) or first is None:
            return
        last, known = action.value, None
        logarithmic = first > 0 and last > 0 and max(first, last) > 3 * min(first, last)
        for share in shares:
            value = first ** (1 - share) * last**share if logarithmic else first + share * (last - first)
            if first.is_integer() and last.is_integer() and not logarithmic:
                value = round(value)
            try:
                made = dataclasses.replace(action, value=value).applied(start)
            except BadInput:  # a parameter that takes whole numbers alone
                try:
                    made = dataclasses.replace(action, value=float(round(value))).applied(start)
                except BadInput:
                    continue
            if value != known:
                known = value
                yield made
    elif isinstance(action, EditPoints) and action.verb == "move" and action.place is not None:
        if (row := start.row(action.which[0])) is None:
            return
        here = np.asarray(start.document.workspace.positions(start.document.data)[row], float)
        for share in shares:
            x, y = (1 - share) * here + share * np.asarray(action.place)
            yield dataclasses.replace(action, place=(float(x), float(y))).applied(start)
    elif isinstance(action, Watch) and action.step is not None:
        first_step = start.step or 0
        steps = {round(first_step + share * (action.step - first_step)) for share in shares}
        for step in sorted(steps, reverse=action.step < first_step):
            yield end.replace(step=step)


def left_the_path(document: Document, plan: Plan, shows: tuple[str, ...]) -> bool:
    """Return True for a state that the step has no use for: another workspace, other points where it changes
    none, another kind of kernel or algorithm. Parameters and the controls that the lesson shows are free."""
    known = [state.document for state in (*plan.before, plan.end)]
    last = known[-1]
    if document.workspace is not last.workspace:
        return True
    free = {name.partition(".")[0] for name in shows}
    steady = "data" not in free and all(_same_points(other.data, last.data) for other in known)
    if steady and not _same_points(document.data, last.data):
        return True
    if {"kernel", "algorithm"} & set(shows):
        return False
    kinds = {_kinds(other) for other in known}
    return len(kinds) == 1 and _kinds(document) not in kinds


def _kinds(document: Document) -> tuple[object, ...]:
    return tuple((type(fit.kernel), type(fit.algorithm)) for fit in document.fits)


def _same_points(one: Data, other: Data) -> bool:
    if one is other:
        return True
    if one.n != other.n or one.domain != other.domain:
        return False
    if one.target is None or other.target is None:
        return one.target is other.target and same_inputs(one.X, other.X)
    return same_inputs(one.X, other.X) and bool(np.array_equal(one.target, other.target))
