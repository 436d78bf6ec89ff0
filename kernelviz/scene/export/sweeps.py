"""The frames of films and of figures that play: over one or two parameters, or over the steps of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.method import Change
from kernelviz.engine.selection.grid import GridAxis, asked_axes
from kernelviz.runtime.jobs import Beat
from kernelviz.runtime.runs import model_after
from kernelviz.scene.export.composition import captions_of
from kernelviz.scene.export.films import run_of, step_caption
from kernelviz.scene.wording import shown
from kernelviz.session.figure_options import FigureOptions
from kernelviz.session.state import State


@dataclass(frozen=True, eq=False)
class FrameFit:
    """The model of one fit in a frame, its caption, and what the last step of a run changed."""

    state: State
    model: Model
    caption: str
    change: Change | None = None


@dataclass(frozen=True, eq=False)
class FrameSweep:
    """The frames of a sweep, each with a model of every fit; the first parameter runs fastest.

    sliders: the names of the parameters, and their values in words."""

    sliders: tuple[tuple[str, tuple[str, ...]], ...]
    frames: list[list[FrameFit]]


def axes_of(state: State, texts: Sequence[str], most: int) -> tuple[GridAxis, ...]:
    """Return the parameters of texts such as "gamma=0.01:100:60"; BadInput for more frames than there may
    be."""
    axes = asked_axes(state.document.fit, texts)
    count = prod(len(axis.values) for axis in axes)
    if count > most:
        raise BadInput(f"A sweep has at most {most:,} frames here, not {count:,}.")
    return axes


def states_along(state: State, axes: Sequence[GridAxis]) -> list[State]:
    """Return the state with every combination of the values, the first parameter running fastest."""
    found = []
    for values in product(*(axis.values for axis in reversed(axes))):
        document = state.document
        for axis, value in zip(reversed(axes), values, strict=True):
            document = document.turned(axis.knob, value)
        found.append(replace(state, document=document))
    return found


def sweep_of(state: State, texts: Sequence[str], most: int, options: FigureOptions, beat: Beat) -> FrameSweep:
    """Return the frames over one or two parameters, or without any those of a run, thinned to at most
    `most`."""
    if not texts:
        return _run(state, most, beat)
    axes = axes_of(state, texts, most)
    latest: dict[int, Model] = {}  # The model of each fit in the frame before.
    frames = []
    for turned in states_along(state, axes):
        turned.document.require_workspace()
        shots = []
        for k, own in enumerate(turned.each_fit()):
            document = own.document
            model = latest[k] = model_after(document.data, document.fit, latest.get(k), beat)
            caption = captions_of(model, options, held_out=document.test_data).caption
            shots.append(FrameFit(own, model, caption))
        frames.append(shots)
    sliders = tuple((axis.knob.parameter.label or axis.key, tuple(map(shown, axis.values))) for axis in axes)
    return FrameSweep(sliders, frames)


def _run(state: State, most: int, beat: Beat) -> FrameSweep:
    """Return the frames of a run of all fits."""
    if not any(fit.algorithm.watchable for fit in state.document.fits):
        title = state.document.algorithm.title
        raise BadInput(f"{title} is solved in one step: sweep a parameter, as in gamma=0.1:10:30.")
    run = run_of(state, most, beat)
    frames = [
        [
            FrameFit(own, iterate.model, step_caption(own, iterate), iterate.change)
            for own, iterate in zip(state.each_fit(), moment, strict=True)
        ]
        for moment in run
    ]
    steps = tuple(str(max(iterate.step for iterate in moment)) for moment in run)
    return FrameSweep((("step", steps),), frames)
