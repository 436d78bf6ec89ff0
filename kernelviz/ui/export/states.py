"""From a session's state to its figure, and to the frames of a film."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np
from PySide6.QtGui import QImage

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.data import Data, Task
from kernelviz.engine.errors import BadInput
from kernelviz.engine.fitting import algorithm_for
from kernelviz.engine.model import Model, Status
from kernelviz.engine.problem import Problem
from kernelviz.session.files import dumps
from kernelviz.session.state import State
from kernelviz.ui.export.files import as_image, ensure_application, save
from kernelviz.ui.export.options import Options
from kernelviz.ui.figure.legend import Entry
from kernelviz.ui.figure.plane import Captions, PlaneFigure, figure_of_data, figure_of_model

__all__ = [
    "Words",
    "captions_of",
    "figure_of",
    "fitted",
    "render_state",
    "run_frames",
    "state_frames",
    "sweep",
]

LONGEST_RUN = 50_000
"""Steps after which a run to be filmed is cut; it has shown what it can show."""


@dataclass(frozen=True)
class Words:
    """Which words go around the plot."""

    title: str = ""
    formula: bool = True
    caption: bool = True


EVERYTHING_SAID = Words()


def check_plane(data: Data) -> None:
    """BadInput unless the data can be drawn as points in the plane."""
    if data.task is Task.REGRESSION:
        raise BadInput("Figures of the plane need classes; these data have real targets.")
    if not isinstance(data.X, np.ndarray):
        raise BadInput("Figures of the plane need two numbers for each point; these data are strings.")
    if data.X.shape[1] != 2:
        raise BadInput(
            f"Figures of the plane need two coordinates; these data have {data.X.shape[1]}. "
            "Choose two columns."
        )


def fitted(state: State) -> Model:
    """The model the state shows: the optimum, or in watch mode the step it stands at."""
    document, look = state.document, state.look
    check_plane(document.data)
    algorithm, problem = _posed(state)
    if look.mode == "live":
        return algorithm.fit(problem)
    algorithm.check(problem)
    steps = algorithm.steps(problem)
    first = next(steps)
    model = first.model
    for iterate in islice(steps, look.step):
        model = iterate.model
    return model


def _posed(state: State) -> tuple[Algorithm, Problem]:
    document = state.document
    problem = Problem(document.data, document.kernel)
    return algorithm_for(document.data, document.algorithm), problem


def captions_of(model: Model, words: Words = EVERYTHING_SAID, note: str = "") -> Captions:
    """Formula and parameters of a model in words."""
    kernel = model.problem.kernel
    formula = rf"K(x, x') = {kernel.latex}" if words.formula and kernel.latex else ""
    if not model.algorithm.uses_kernel:
        formula = ""
    return Captions(words.title, formula, note or _caption(model) if words.caption else "")


def _caption(model: Model) -> str:
    numbers: dict[str, Any] = model.summary()
    told = [f"n = {model.problem.n}"]
    vectors, error = numbers.get("support_vectors"), numbers.get("training_error")
    if model.status is Status.NOT_SEPARABLE:
        vectors = error = None  # numbers of a model that is not shown
    if vectors is not None and vectors < model.problem.n:
        told.append(f"{vectors} support vectors")
    if error is not None:
        told.append(f"training error {100 * error:.3g} %")
    expressions = [str(model.problem.kernel)] if model.algorithm.uses_kernel else []
    parts = [*expressions, str(model.algorithm), ", ".join(told)]
    if model.status not in (Status.CONVERGED, Status.RUNNING):
        parts.append(str(model.status))
    return " · ".join(parts)


def figure_of(state: State, model: Model, words: Words = EVERYTHING_SAID, note: str = "") -> PlaneFigure:
    """The figure of a fitted state; where no separating model exists, only the points are drawn."""
    look = state.look
    captions = captions_of(model, words, note)
    if model.status is Status.NOT_SEPARABLE:
        return figure_of_data(model.problem.data, look.view, shown=look.shown, captions=captions)
    return figure_of_model(model, look.view, shown=look.shown, captions=captions)


def render_state(
    state: State,
    path: str | os.PathLike[str],
    options: Options | None = None,
    words: Words = EVERYTHING_SAID,
) -> Model:
    """Fit and write the figure; a PNG carries the session. Returns the model, to ask how it ended."""
    ensure_application()
    model = fitted(state)
    save(figure_of(state, model, words), path, options or Options(), dumps(state))
    return model


def run_frames(
    state: State, options: Options, most: int, words: Words = EVERYTHING_SAID
) -> tuple[int, Iterator[QImage]]:
    """(count, frames) of the algorithm's run: its steps, thinned evenly to at most `most`."""
    ensure_application()
    check_plane(state.document.data)
    algorithm, problem = _posed(state)
    algorithm.check(problem)
    run = list(islice(algorithm.steps(problem), LONGEST_RUN))
    chosen = sorted({round(i) for i in np.linspace(0, len(run) - 1, min(most, len(run)))})

    def figures() -> Iterator[PlaneFigure]:
        for i in chosen:
            iterate = run[i]
            told = f"step {iterate.step}" + (f": {iterate.change.text}" if iterate.change else "")
            yield figure_of(state, iterate.model, words, told)

    legend = _common_legend(figures())
    return len(chosen), (as_image(replace(figure, legend=legend), options) for figure in figures())


def _common_legend(figures: Iterable[PlaneFigure]) -> tuple[Entry, ...]:
    """All entries any of the figures needs, so that a film's plot keeps its place; longest legends first."""
    found = sorted((figure.own_entries() for figure in figures), key=len, reverse=True)
    by_text = {entry.text: entry for legend in found for entry in legend}
    return tuple(by_text.values())


def state_frames(
    states: Sequence[State], options: Options, words: Words = EVERYTHING_SAID
) -> tuple[int, Iterator[QImage]]:
    """(count, frames) of a sweep: one fitted figure for each state, each started from the one before."""

    def frames() -> Iterator[QImage]:
        ensure_application()
        model: Model | None = None
        figures = []
        for state in states:
            check_plane(state.document.data)
            algorithm, problem = _posed(state)
            model = algorithm.fit(problem, model)
            figures.append(figure_of(state, model, words))
        legend = _common_legend(figures)
        yield from (as_image(replace(figure, legend=legend), options) for figure in figures)

    return len(states), frames()


def sweep(state: State, kernel_or_algorithm: str, parameter: str, values: Sequence[float]) -> list[State]:
    """The state with a parameter of its "kernel" or "algorithm" set to each of the values."""
    document = state.document
    declared = getattr(document, kernel_or_algorithm)
    return [
        replace(
            state, document=document.replace(**{kernel_or_algorithm: declared.replace(**{parameter: value})})
        )
        for value in values
    ]
