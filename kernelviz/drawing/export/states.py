"""From a session's state to its figure, and to the frames of a film."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any, TypeAlias

import numpy as np
from PySide6.QtGui import QImage

from kernelviz.drawing.export.arrangement import Arrangement
from kernelviz.drawing.export.files import as_image, ensure_application, save
from kernelviz.drawing.export.options import Options
from kernelviz.drawing.figure.figure import Captions
from kernelviz.drawing.formula import too_long
from kernelviz.drawing.painters import Figure, common_legend, painter_of
from kernelviz.drawing.wording import errors_told, in_short
from kernelviz.engine.algorithms.base import Algorithm, Iterate
from kernelviz.engine.analysis.remarks import about_flatness
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.solve import algorithm_for, in_full
from kernelviz.engine.models.base import Change, Model, Status
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.numbers.of_fit import on_held_out
from kernelviz.runtime.jobs import Beat, interruptible
from kernelviz.session.files.kviz import dumps
from kernelviz.session.state import LETTERS, State
from kernelviz.session.workspaces.base import Workspace
from kernelviz.session.workspaces.registry import workspace_of

LONGEST_RUN = 50_000  # Steps after which a run to be filmed is cut; it has shown what it can show.


# Weights of all steps kept of a run: a long one of many points is thinned out on the way.
ENTRIES = 10_000_000
LONGEST_EXPRESSION = 240  # Characters of a kernel in a caption.


Moment: TypeAlias = tuple[Iterate, ...]  # Where the run of each fit stands.


@dataclass(frozen=True)
class Words:
    """Which words go around the plot."""

    title: str = ""
    formula: bool = True
    caption: bool = True


EVERYTHING_SAID = Words()


def _go_on() -> None:
    """A beat that never stops anything."""


def checked_workspace(data: Data) -> Workspace:
    """The workspace of the data; BadInput if none can show them."""
    workspace = workspace_of(data)
    if problem := workspace.refusal(data):
        raise BadInput(problem)
    return workspace


def fitted(state: State) -> Model:
    """The model the state shows: the optimum, or in watch mode the step it stands at."""
    return fitted_with_change(state)[0]


def fitted_with_change(state: State) -> tuple[Model, Change | None]:
    """The model, and in watch mode what its last step has changed."""
    document, look = state.document, state.look
    checked_workspace(document.data)
    algorithm, problem = _posed(state)
    if look.mode == "live":
        return in_full(algorithm.fit(problem)), None
    algorithm.check(problem)
    steps = algorithm.steps(problem)
    iterate = next(steps)
    for later in islice(steps, look.step):
        iterate = later
    return iterate.model, iterate.change


def _posed(state: State) -> tuple[Algorithm, Problem]:
    document = state.document
    problem = Problem(document.data, document.kernel)
    return algorithm_for(document.data, document.algorithm), problem


def captions_of(
    model: Model, words: Words = EVERYTHING_SAID, note: str = "", held_out: Data | None = None
) -> Captions:
    """Formula and parameters of a model in words, and how it does on points it is not fitted to."""
    kernel = model.problem.kernel
    formula = f"{kernel.latex_name} = {kernel.latex}" if words.formula and kernel.latex else ""
    if not model.algorithm.uses_kernel or too_long(formula):
        formula = ""
    return Captions(words.title, formula, note or _caption(model, held_out) if words.caption else "")


def _caption(model: Model, held_out: Data | None) -> str:
    numbers: dict[str, Any] = model.numbers
    told = [f"n = {model.problem.n}"]
    vectors = numbers.get("support_vectors")
    if model.status is Status.NOT_SEPARABLE:
        vectors, numbers = None, {}  # numbers of a model that is not shown
    if vectors is not None and vectors < model.problem.n:
        told.append(f"{vectors} support vectors")
    told += errors_told(numbers, None if held_out is None else on_held_out(model, held_out))
    expressions = [_shortened(in_short(model.problem.kernel))] if model.algorithm.uses_kernel else []
    parts = [*expressions, in_short(model.algorithm), ", ".join(told)]
    if model.status not in (Status.CONVERGED, Status.RUNNING):
        parts.append(str(model.status))
    if flat := about_flatness(model):
        first = flat.partition(". ")[0]
        parts.append(first[0].lower() + first[1:])
    return " · ".join(parts)


def _shortened(expression: str) -> str:
    """An expression that leaves room for the plot; the session in the file has all of it."""
    return expression if len(expression) <= LONGEST_EXPRESSION else f"{expression[:LONGEST_EXPRESSION]}…"


def figure_of(
    state: State,
    model: Model,
    words: Words = EVERYTHING_SAID,
    note: str = "",
    change: Change | None = None,
    captions: Captions | None = None,
) -> Figure:
    """The figure of a fitted state, with what its last step has changed; where no separating model exists,
    only the points are drawn."""
    test = _test_of(state)
    captions = captions or captions_of(model, words, note, test)
    painter = painter_of(checked_workspace(model.problem.data))
    if model.status is Status.NOT_SEPARABLE:
        return painter.figure_of_data(model.problem.data, state.look, captions, model.problem.kernel)
    changed = change.points if change is not None else ()
    return painter.figure_of_model(model, state.look, captions, changed, test, state.document.origin)


def _test_of(state: State) -> Data | None:
    """The points the state's models are not fitted to."""
    held = state.document.held_out
    return held.data if held is not None else None


def render_state(
    state: State,
    path: str | os.PathLike[str],
    options: Options | None = None,
    words: Words = EVERYTHING_SAID,
) -> list[Model]:
    """Fit and write the figure, several fits side by side or laid over each other; a PNG carries the session.
    Returns the models, to ask how they ended."""
    ensure_application()
    models, figures = [], []
    for shown in each_fit(state):
        model, change = interruptible(partial(fitted_with_change, shown))
        models.append(model)
        figures.append(figure_of(shown, model, words, change=change))
    save(on_one_sheet(state, figures), path, options or Options(), dumps(state))
    return models


def each_fit(state: State) -> list[State]:
    """The state as it is for each of its fits."""
    document = state.document
    return [replace(state, document=document.replace(active=k)) for k in range(len(document.fits))]


def on_one_sheet(
    state: State, figures: Sequence[Figure], legend: tuple[Any, ...] | None = None
) -> Arrangement:
    """The figures of all fits, side by side or laid over each other; the legend is that of a whole film."""
    painter = painter_of(checked_workspace(state.document.data))
    return Arrangement.of_fits(painter.together(figures, state.document.fits, legend))


def run_of(state: State, most: int, beat: Beat = _go_on) -> list[Moment]:
    """The runs of all fits in step, thinned evenly to at most `most` moments; who has ended stays there."""
    runs = [_run(shown, most, beat) for shown in each_fit(state)]
    longest = max(runs, key=lambda run: run[-1].step)
    return [tuple(_at(run, iterate.step) for run in runs) for iterate in longest]


def _at(run: list[Iterate], step: int) -> Iterate:
    """Where a run stands at a step, as far as it is kept."""
    return next((iterate for iterate in reversed(run) if iterate.step <= step), run[0])


def _run(state: State, most: int, beat: Beat) -> list[Iterate]:
    """The run of the active fit."""
    checked_workspace(state.document.data)
    algorithm, problem = _posed(state)
    algorithm.check(problem)
    run: list[Iterate] = []
    stride, room = 1, max(2 * most, ENTRIES // problem.n)
    iterate: Iterate | None = None
    for k, iterate in enumerate(islice(algorithm.steps(problem), LONGEST_RUN)):
        beat()
        if k % stride == 0:
            run.append(iterate)
        if len(run) > room:
            run, stride = run[::2], 2 * stride
    if iterate is not None and run[-1] is not iterate:
        run.append(iterate)
    chosen = sorted({round(i) for i in np.linspace(0, len(run) - 1, min(most, len(run)))})
    return [run[i] for i in chosen]


def figures_of_moment(
    state: State, moment: Moment, words: Words = EVERYTHING_SAID, longest: str = ""
) -> list[Figure]:
    """A figure for each fit, its caption saying what the step did; `longest` is that of a whole film."""
    figures = []
    for shown, iterate in zip(each_fit(state), moment, strict=True):
        captions = replace(captions_of(iterate.model, words, _told(shown, iterate)), longest=longest)
        figures.append(figure_of(shown, iterate.model, change=iterate.change, captions=captions))
    return figures


def _told(state: State, iterate: Iterate) -> str:
    """What the step of the active fit did, and of several fits which one that is."""
    document, step = state.document, f"step {iterate.step}"
    if len(document.fits) > 1:
        step = f"{LETTERS[document.active]}: {in_short(document.algorithm)}, {step}"
    return step + (f": {iterate.change.text}" if iterate.change else "")


def run_frames(
    state: State, options: Options, most: int, words: Words = EVERYTHING_SAID, beat: Beat = _go_on
) -> tuple[int, Iterator[QImage]]:
    """(count, frames) of the algorithms' runs."""
    ensure_application()
    run = interruptible(lambda: run_of(state, most, beat))
    told = (_told(*one) for moment in run for one in zip(each_fit(state), moment, strict=True))
    longest = max(told, key=len) if words.caption else ""

    def moments() -> Iterator[list[Figure]]:
        for moment in run:
            beat()
            yield figures_of_moment(state, moment, words, longest)

    legend = common_legend(figure for figures in moments() for figure in figures)
    return len(run), (as_image(on_one_sheet(state, figures, legend), options) for figures in moments())


def state_frames(
    states: Sequence[State], options: Options, words: Words = EVERYTHING_SAID, beat: Beat = _go_on
) -> tuple[int, Iterator[QImage]]:
    """(count, frames) of a sweep: the fitted figures of each state, each started from the one before. Every
    caption has the errors on the training and the held-out points."""

    def frames() -> Iterator[QImage]:
        ensure_application()
        shown = [each_fit(state) for state in states]
        models: list[list[Model]] = []
        for moment in shown:
            beat()
            before = models[-1] if models else [None] * len(moment)
            models.append([_followed(one, start) for one, start in zip(moment, before, strict=True)])
        told = [
            [captions_of(m, words, held_out=_test_of(s)) for m, s in zip(*one, strict=True)]
            for one in zip(models, shown, strict=True)
        ]
        longest = max((c.caption for captions in told for c in captions), key=len, default="")
        figures: deque[list[Figure]] = deque(
            [
                figure_of(state, model, words, captions=replace(captions, longest=longest))
                for state, model, captions in zip(*one, strict=True)
            ]
            for one in zip(shown, models, told, strict=True)
        )
        legend = common_legend(figure for moment in figures for figure in moment)
        for state in states:  # a figure remembers its last picture: let it go once it is painted
            beat()
            yield as_image(on_one_sheet(state, figures.popleft(), legend), options)

    return len(states), frames()


def _followed(state: State, start: Model | None) -> Model:
    """The model of the active fit, begun from the one before, or that one where nothing has changed."""
    checked_workspace(state.document.data)
    algorithm, problem = _posed(state)
    if start is not None and (start.algorithm, start.problem.kernel) == (algorithm, problem.kernel):
        return start
    return algorithm.fit(problem, start)
