"""The actions of a lesson on the state: the lines of `do` and `reveal`, which need no window.

    kernel.gamma = 20            a parameter of the kernel, the algorithm or the data set
    B.kernel.gamma = 20          the same of fit B, which becomes active; without a letter, of the active fit
    kernel = rbf(gamma=1)        another kernel, or another algorithm
    data = moons(n=80)           other points
    add + (0, 1)                 a point of class + or -; `add (0, 1)` where points have no classes
    move p (0, 1)                a point by the name of the stage, or by its number
    remove p 3 5-9               one or several points; likewise `flip p`
    retype 2 sentence            another text for a string
    open gram                    an insight view, with `large` in the place of the canvas; `close gram`
    open gram(face=spectrum)     a view with its switches, here all others as usual
    show slack                   a layer of the canvas; `hide slack`
    select p                     some points are selected, all others are not
    press median_width           a command of the menus, one of PRESSES
    watch to 12                  a run up to a step; `watch to end`

Each line is parsed to a frozen action, which returns the state afterwards.
"""

from __future__ import annotations

import dataclasses
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.generators import finished
from kernelviz.engine.core.params import Declared, nearest
from kernelviz.engine.fits.expressions import parse_algorithm, parse_dataset, parse_kernel
from kernelviz.engine.kernels.base import Kernel
from kernelviz.session.lessons.facts import vocabulary
from kernelviz.session.lessons.language import LETTERS, Pointer
from kernelviz.session.lessons.state import (
    LAST_STEP,
    LAYERS,
    LessonState,
    find_parameter,
)
from kernelviz.session.state import Document
from kernelviz.session.view_listing import parse_view
from kernelviz.session.workspaces.words import WordsWorkspace

MOST_ACTIONS = 50  # Lines of one `do`.

D = TypeVar("D", bound=Declared)
ASSIGNMENT = re.compile(
    rf"(?:(?P<fit>[{LETTERS}])\.)?(?P<whose>\w+)(?:\.(?P<parameter>\w+))?\s*=(?!=)\s*(?P<value>.+)"
)
PLACE = r"\(\s*(?P<x>[^,()\s]+)\s*,\s*(?P<y>[^,()\s]+)\s*\)"
EDITS: Mapping[str, tuple[re.Pattern[str], str]] = {  # What follows each verb, and how the line should read.
    "add": (re.compile(rf"(?P<side>[-+−]?)\s*{PLACE}"), "add + (0, 1)"),
    "move": (re.compile(rf"(?P<which>\S+)\s+{PLACE}"), "move p (0, 1)"),
    "remove": (re.compile(r"(?P<which>.+)"), "remove p 3 5-9"),
    "flip": (re.compile(r"(?P<which>.+)"), "flip p"),
    "retype": (re.compile(r"(?P<which>\S+)\s+(?P<letters>.*)"), "retype 2 sentence"),
}


@dataclass(frozen=True)
class Action(ABC):
    """One line of a `do`. text: as it was written."""

    text: str

    @abstractmethod
    def applied(self, state: LessonState) -> LessonState:
        """Return the state afterwards, or raise BadInput where the action cannot be done."""

    @property
    def control(self) -> str:
        """Return the control it needs, by its name under `shows`; empty if that is always visible."""
        return "canvas"


def parse_actions(text: str, points: tuple[str, ...] = ()) -> tuple[Action, ...]:
    """Return the actions of a text, one on each line. points: the names that the stage gives to points."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise BadInput("There is nothing to do here: write a line such as 'kernel.gamma = 20'.")
    if len(lines) > MOST_ACTIONS:
        raise BadInput(f"At most {MOST_ACTIONS} lines are done one after the other, not {len(lines)}.")
    return tuple(_parsed(line, points) for line in lines)


def after(actions: tuple[Action, ...], state: LessonState) -> LessonState:
    """Return the state after all actions."""
    for action in actions:
        state = action.applied(state)
    return state


def _parsed(line: str, points: tuple[str, ...]) -> Action:
    longest_line = 1000  # Characters.
    if len(line) > longest_line:
        raise BadInput(f"A line has at most {longest_line} characters; this one has {len(line)}.")
    verb, _, rest = line.partition(" ")
    if verb in VERBS:
        return VERBS[verb](line, rest.strip(), points)
    if (match := ASSIGNMENT.fullmatch(line)) is None:
        raise BadInput(f"{line!r} is not an action. {nearest(verb, [*VERBS, 'kernel.gamma = 1'])}")
    return _assignment(line, match)


# Parameters, kernels, algorithms, data -----------------------------------------------------------------


@dataclass(frozen=True)
class SetParameter(Action):
    """`kernel.gamma = 20`"""

    fit: int | None
    whose: str
    parameter: str
    value: float | bool | str

    def applied(self, state: LessonState) -> LessonState:
        document = state.document
        if self.whose == "data":
            made = _changed(parse_dataset(document.origin), self.parameter, self.value)
            return _with_data(state, str(made))
        k = _fit_number(document, self.fit)
        fit = document.fits[k]
        if self.whose == "algorithm":
            return _with_fit(state, k, algorithm=_changed(fit.algorithm, self.parameter, self.value))
        if (found := find_parameter(fit.kernel, self.parameter)) is None:
            raise BadInput(f"The kernel {fit.kernel} has no parameter {self.parameter!r}.")
        path, part, _ = found
        name, value = part.resolve(self.parameter, self.value)
        return _with_fit(state, k, kernel=fit.kernel.having((*path, name), value))

    @property
    def control(self) -> str:
        return f"{self.whose}.{self.parameter}"


@dataclass(frozen=True)
class Choose(Action):
    """`kernel = rbf(gamma=1)`, `algorithm = ridge(lam=0.1)`, `data = moons(n=80)`"""

    fit: int | None
    chosen: Kernel | Algorithm | str

    def applied(self, state: LessonState) -> LessonState:
        if isinstance(self.chosen, str):
            return _with_data(state, self.chosen)
        whose = "kernel" if isinstance(self.chosen, Kernel) else "algorithm"
        return _with_fit(state, _fit_number(state.document, self.fit), **{whose: self.chosen})

    @property
    def control(self) -> str:
        return self.text.partition("=")[0].strip().rpartition(".")[2]


def _assignment(line: str, match: re.Match[str]) -> Action:
    settable = ("kernel", "algorithm", "data")
    whose, parameter, value = match["whose"], match["parameter"], match["value"].strip()
    fit = None if match["fit"] is None else LETTERS.index(match["fit"])
    if whose not in settable:
        raise BadInput(f"There is nothing called {whose!r} to set. {nearest(whose, settable)}")
    if parameter is not None:
        known = [name for name in vocabulary().names if name.startswith(f"{whose}.")]
        if f"{whose}.{parameter}" not in known:
            hint = nearest(f"{whose}.{parameter}", known)
            raise BadInput(f"There is no parameter called {whose}.{parameter}. {hint}")
        return SetParameter(line, fit, whose, parameter, _value(value))
    if whose == "kernel":
        return Choose(line, fit, parse_kernel(value))
    if whose == "algorithm":
        return Choose(line, fit, parse_algorithm(value))
    return Choose(line, fit, str(parse_dataset(value)))


def _value(text: str) -> float | bool | str:
    if text in ("true", "false"):
        return text == "true"
    try:
        return float(text)
    except ValueError:
        return text


def _changed(declared: D, parameter: str, value: object) -> D:
    name, checked = declared.resolve(parameter, value)
    return declared.replace(**{name: checked})


def _fit_number(document: Document, fit: int | None) -> int:
    k = document.active if fit is None else fit
    if k >= len(document.fits):
        raise BadInput(f"There is no fit {LETTERS[k]} here.")
    return k


def _with_fit(state: LessonState, k: int, **changes: object) -> LessonState:
    """Return the state with a fit changed, which is then active, as when it is changed by hand."""
    document = state.document
    fits = list(document.fits)
    fits[k] = fits[k].replace(**changes)
    return state.replace(document=document.replace(fits=tuple(fits), active=k))


def _with_data(state: LessonState, source: str) -> LessonState:
    """Return the state with the points of a data set; named points are those in the same rows."""
    data = parse_dataset(source).make()
    document = state.document.with_other_points(data=data, source=source)
    state = state.replace(document=document, points=state.points)
    return state if state.look is None else state.with_look(view=document.workspace.extent(data))


# Points ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class EditPoints(Action):
    """`add + (0, 1)`, `move p (0, 1)`, `remove p 3 5-9`, `flip p`, `retype 2 sentence`"""

    verb: str
    which: tuple[Pointer, ...] = ()
    place: tuple[float, float] | None = None
    label: int = 1
    letters: str = ""

    def applied(self, state: LessonState) -> LessonState:
        data, workspace = state.document.data, state.document.workspace
        rows = [_row(state, which) for which in self.which]
        match self.verb:
            case "add":
                data = workspace.added(data, np.array([self.place]), self.label)
            case "move":
                data = workspace.placed(data, rows, np.array([self.place]))
            case "remove":
                data = workspace.removed(data, rows)
            case "flip":
                data = workspace.flipped(data, rows)
            case _ if isinstance(workspace, WordsWorkspace):
                data = workspace.retyped(data, rows[0], self.letters)
            case _:
                raise BadInput("Only strings can be typed again.")
        return state.replace(document=state.document.replace(data=data, source=""))


def _parse_edit(line: str, rest: str, points: tuple[str, ...]) -> Action:
    verb = line.partition(" ")[0]
    pattern, example = EDITS[verb]
    if (match := pattern.fullmatch(rest)) is None:
        raise BadInput(f"{line!r} should read like {example!r}.")
    found = match.groupdict()
    return EditPoints(
        line,
        verb,
        _pointers(found["which"], points) if "which" in found else (),
        _place(found["x"], found["y"]) if "x" in found else None,
        -1 if found.get("side") in ("-", "−") else 1,
        found.get("letters", "").strip(),
    )


def _row(state: LessonState, which: Pointer) -> int:
    if (row := state.row(which)) is None:
        raise BadInput(f"There is no point {which} here.")
    return row


def _pointers(text: str, points: tuple[str, ...]) -> tuple[Pointer, ...]:
    """Return the points of a list of names, numbers and ranges of numbers."""
    last_row = 10_000  # Numbers in a range of points.
    found: list[Pointer] = []
    for word in text.replace(",", " ").split():
        first, dash, last = word.partition("-")
        if word in points:
            found.append(word)
        elif first.isdecimal() and (last.isdecimal() or not dash) and len(word) < 12:
            found += range(int(first), min(int(last or first), int(first) + last_row) + 1)
        else:
            known = nearest(word, points) if points else "Points are counted from 1."
            raise BadInput(f"The stage names no point {word!r}. {known}")
    return tuple(found)


def _place(x: str, y: str) -> tuple[float, float]:
    try:
        place = float(x), float(y)
    except ValueError:
        raise BadInput(f"A place is two numbers, as in (0, 1), not ({x}, {y}).") from None
    if not np.isfinite(place).all():
        raise BadInput("A point needs finite coordinates.")
    return place


# Views, commands, watching -----------------------------------------------------------------------------
@dataclass(frozen=True)
class ShowView(Action):
    """`open gram`, `open gram large` and `close gram`"""

    view: str
    shown: bool
    large: bool = False  # It changes places with the canvas.
    as_set: str = ""  # With its switches, such as `gram(face=spectrum)`.

    def applied(self, state: LessonState) -> LessonState:
        if self.shown:
            return state.with_view(self.as_set or self.view)
        return state.replace(views=state.views - {self.view})

    @property
    def control(self) -> str:
        return self.view


@dataclass(frozen=True)
class ShowLayer(Action):
    """`show slack` and `hide slack`"""

    layer: str
    shown: bool

    def applied(self, state: LessonState) -> LessonState:
        return state.with_layer(self.layer, self.shown)

    @property
    def control(self) -> str:
        return f"layer.{self.layer}"


@dataclass(frozen=True)
class SelectRows(Action):
    """`select p`"""

    which: tuple[Pointer, ...]

    def applied(self, state: LessonState) -> LessonState:
        for which in self.which:
            _row(state, which)
        return state.with_selected(self.which)


@dataclass(frozen=True)
class Press(Action):
    """`press median_width`"""

    command: str

    def applied(self, state: LessonState) -> LessonState:
        return PRESSES[self.command](state)

    @property
    def control(self) -> str:
        return ""


@dataclass(frozen=True)
class Watch(Action):
    """`watch to 12`; the end is None here and the last step in the state."""

    step: int | None

    def applied(self, state: LessonState) -> LessonState:
        return state.replace(step=LAST_STEP if self.step is None else self.step)

    @property
    def control(self) -> str:
        return "watch"


def _parse_view(line: str, rest: str, points: tuple[str, ...]) -> Action:
    as_set = rest.removesuffix(" large")
    view = parse_view(as_set).name
    if line.startswith("open"):
        return ShowView(line, view, True, as_set != rest, as_set)
    if rest != view:
        raise BadInput(f"A view that is closed has neither size nor switches: write `close {view}`.")
    return ShowView(line, view, False)


def _parse_layer(line: str, rest: str, points: tuple[str, ...]) -> Action:
    if rest not in LAYERS:
        raise BadInput(f"There is no layer called {rest!r}. {nearest(rest, list(LAYERS))}")
    return ShowLayer(line, rest, line.startswith("show"))


def _parse_selection(line: str, rest: str, points: tuple[str, ...]) -> Action:
    return SelectRows(line, _pointers(rest, points))


def _parse_press(line: str, rest: str, points: tuple[str, ...]) -> Action:
    if rest not in PRESSES:
        raise BadInput(f"A lesson cannot press {rest!r}. {nearest(rest, list(PRESSES))}")
    return Press(line, rest)


def _parse_watch(line: str, rest: str, points: tuple[str, ...]) -> Action:
    match = re.fullmatch(r"to\s+(end|[0-9]{1,6})", rest)
    if match is None:
        raise BadInput(f"{line!r} should read like 'watch to 12' or 'watch to end'.")
    return Watch(line, None if match[1] == "end" else int(match[1]))


def _median_width(state: LessonState) -> LessonState:
    document = state.document
    return _with_fit(state, document.active, kernel=document.kernel.scaled_to(document.data.X))


def _improve(state: LessonState) -> LessonState:
    """Choose the parameters by the algorithm's own criterion, such as the likelihood."""
    document = state.document
    if not document.algorithm.improvement:
        raise BadInput(f"{document.algorithm.title} has no parameters of its own to improve.")
    better = finished(document.fit.improved(document.data))
    return _with_fit(state, document.active, kernel=better.kernel, algorithm=better.algorithm)


def _with_document(change: Callable[[Document], Document]) -> Callable[[LessonState], LessonState]:
    return lambda state: state.replace(document=change(state.document))


# Commands of the menus and panels that change the document, by the name they have there.
PRESSES: Mapping[str, Callable[[LessonState], LessonState]] = {
    "median_width": _median_width,
    "improve": _improve,
    "add_fit": _with_document(lambda document: document.with_fit(document.fit)),
    "close_fit": _with_document(lambda document: document.without_fit(document.active)),
    "next_fit": _with_document(
        lambda document: document.replace(active=(document.active + 1) % len(document.fits))
    ),
    "live_mode": lambda state: dataclasses.replace(state, step=None),
}
VERBS: Mapping[str, Callable[[str, str, tuple[str, ...]], Action]] = {
    **dict.fromkeys(EDITS, _parse_edit),
    "show": _parse_layer,
    "hide": _parse_layer,
    "select": _parse_selection,
    "open": _parse_view,
    "close": _parse_view,
    "press": _parse_press,
    "watch": _parse_watch,
}
