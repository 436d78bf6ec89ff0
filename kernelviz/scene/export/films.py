"""The frames of films: a run of the algorithms, or a sweep of one number.

A film is the number of its frames and an iterator that paints them one by one, which `film_formats` writes.
All frames share one legend and keep room for the longest caption, so that nothing moves but what is shown."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from PySide6.QtGui import QImage

from kernelviz.engine.algorithms.base import Iterate
from kernelviz.engine.models.base import Model
from kernelviz.runtime.jobs import Beat, interruptible
from kernelviz.runtime.runs import filmed_run, model_after
from kernelviz.scene.export.composition import (
    USUAL_OPTIONS,
    captions_of,
    figure_of,
    film_frame,
    for_each_fit,
    with_legend_of,
)
from kernelviz.scene.export.files import as_image, ensure_application
from kernelviz.scene.export.options import Options
from kernelviz.scene.figure.captions import Captions
from kernelviz.scene.figure.figure import Figure, check_own_words, common_legend
from kernelviz.scene.wording import readable
from kernelviz.session.figure_options import FigureOptions
from kernelviz.session.state import State

Moment: TypeAlias = tuple[Iterate, ...]  # The step that each fit has reached.
Film: TypeAlias = tuple[int, Iterator[QImage]]  # The number of frames, and the frames.


def _go_on() -> None:
    """Do nothing: a beat that never stops the work."""


# A run --------------------------------------------------------------------------------------------------
def run_of(state: State, most: int, beat: Beat = _go_on) -> list[Moment]:
    """Return the runs of all fits in step, thinned evenly to at most `most` moments.

    A run that has ended stays at its last step."""
    runs = []
    for own in state.each_fit():
        own.document.require_workspace()
        runs.append(filmed_run(own.document.data, own.document.fit, most, beat))
    longest = max(runs, key=lambda run: run[-1].step)
    return [tuple(_at(run, iterate.step) for run in runs) for iterate in longest]


def _at(run: list[Iterate], step: int) -> Iterate:
    """Return the last kept iterate of a run up to a step."""
    return next((iterate for iterate in reversed(run) if iterate.step <= step), run[0])


def figures_of_moment(
    state: State, moment: Moment, options: FigureOptions = USUAL_OPTIONS, longest: str = ""
) -> list[Figure]:
    """Return a figure for each fit, with a caption about the step.

    longest: the longest caption of the film, for which all frames keep room."""
    figures, each = [], for_each_fit(state, options)
    for own, iterate in zip(state.each_fit(), moment, strict=True):
        captions = captions_of(iterate.model, each, step_caption(own, iterate))
        captions = replace(captions, others=(longest,))
        figures.append(figure_of(own, iterate.model, options, iterate.change, captions))
    return figures


def step_caption(state: State, iterate: Iterate) -> str:
    """Describe the step of the active fit; with several fits, name the fit too."""
    document, step = state.document, f"step {iterate.step}"
    if len(document.fits) > 1:
        step = f"{readable(document.algorithm)}, {step}"
    return step + (f": {iterate.change.text}" if iterate.change else "")


def run_frames(state: State, options: Options, most: int, beat: Beat = _go_on) -> Film:
    """Return a film of the algorithms at work, with at most `most` frames.

    A longer run is thinned evenly; its first and last step are always among the frames."""
    ensure_application()
    state = with_legend_of(options, state)
    run = interruptible(lambda: run_of(state, most, beat))
    longest = ""
    if options.caption and not options.caption_text:
        pairs = (pair for moment in run for pair in zip(state.each_fit(), moment, strict=True))
        longest = max((step_caption(*pair) for pair in pairs), key=len)

    def moments() -> Iterator[list[Figure]]:
        for moment in run:
            beat()
            yield figures_of_moment(state, moment, options, longest)

    check_own_words(next(moments()))
    legend = common_legend(figure for figures in moments() for figure in figures)
    return len(run), (as_image(film_frame(state, figures, options, legend), options) for figures in moments())


# A sweep ------------------------------------------------------------------------------------------------
def state_frames(states: Sequence[State], options: Options, beat: Beat = _go_on) -> Film:
    """Return a film with a frame for each state; every fit is started from the one before.

    All frames have room for the longest caption, and share one legend, so that only the content moves. The
    captions have the errors on the training and the held-out points."""

    def frames() -> Iterator[QImage]:
        ensure_application()
        shots: list[list[tuple[State, Model, Captions]]] = []
        latest: dict[int, Model] = {}  # The model of each fit in the state before.
        for state in states:
            beat()
            shots.append([])
            each = for_each_fit(state, options)
            state = with_legend_of(options, state)
            state.document.require_workspace()
            for k, own in enumerate(state.each_fit()):
                document = own.document
                model = latest[k] = model_after(document.data, document.fit, latest.get(k), beat)
                shots[-1].append((own, model, captions_of(model, each, held_out=document.test_data)))
        longest = max((words.caption for shot in shots for *_, words in shot), key=len, default="")
        figures: deque[list[Figure]] = deque(
            [
                figure_of(own, model, options, captions=replace(words, others=(longest,)))
                for own, model, words in shot
            ]
            for shot in shots
        )
        check_own_words(figures[0])
        legend = common_legend(figure for frame in figures for figure in frame)
        for state in states:  # a figure keeps its last picture: drop it once it is painted
            beat()
            yield as_image(film_frame(state, figures.popleft(), options, legend), options)

    return len(states), frames()
