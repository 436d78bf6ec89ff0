"""A figure of a session: the canvas with one or several fits, insight views next to it, captions.

>>> render_state(state, "moons.pdf", Options(width=1600))

`Composition` has a state and what is known about it, so that a window can export what it shows without
computing it again; `render_state` is for scripts and the command line, which know nothing yet."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, BinaryIO, NamedTuple, Self

from kernelviz.engine.analysis.remarks import about_flatness
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.models.base import Model, Status
from kernelviz.engine.models.method import Change
from kernelviz.engine.numbers.of_fit import on_held_out
from kernelviz.runtime.jobs import interruptible
from kernelviz.runtime.messages import Failure, Frame, Verdict
from kernelviz.runtime.pipeline import active_answers
from kernelviz.runtime.runs import model_at
from kernelviz.scene.export.arrangement import FigureLayout
from kernelviz.scene.export.files import FORMATS, about_room, as_bytes, ensure_application, save
from kernelviz.scene.export.options import Options
from kernelviz.scene.figure.captions import NO_WORDS, Captioned, Captions
from kernelviz.scene.figure.figure import Figure, check_own_words
from kernelviz.scene.figure.legend import Entry
from kernelviz.scene.figure.own_words import OwnWords
from kernelviz.scene.figure.text import marked
from kernelviz.scene.formula import too_long
from kernelviz.scene.nodes import Node
from kernelviz.scene.panels import FigurePanel
from kernelviz.scene.view import Scene
from kernelviz.scene.wording import errors_in_words, readable
from kernelviz.scene.workspace_painter import Subject, painter_of
from kernelviz.session.figure_options import NOWHERE, OUTSIDE, FigureOptions
from kernelviz.session.files.kviz import FIGURE, dumps
from kernelviz.session.state import State

USUAL_OPTIONS = FigureOptions()


# Models and figures of a single fit ---------------------------------------------------------------------
def fitted(state: State) -> tuple[Model, Change | None]:
    """Return the model of the active fit: the optimum and None, or in watch mode the model at the step shown
    and what that step changed."""
    document, look = state.document, state.look
    document.require_workspace()
    return model_at(document.data, document.fit, look.step if look.mode == "watch" else None)


def captions_of(
    model: Model, options: FigureOptions = USUAL_OPTIONS, note: str = "", held_out: Data | None = None
) -> Captions:
    """Return the captions of a model: the kernel's formula, and a note or the parameters and errors."""
    kernel = model.problem.kernel
    formula = f"{kernel.latex_name} = {kernel.latex}" if options.formula and kernel.latex else ""
    if not model.algorithm.uses_kernel or too_long(formula):
        formula = ""
    title, own = marked(options.heading), marked(options.caption_text)
    if not options.caption or own:
        return Captions(title, formula, own if options.caption else "")
    brief = Captions(title, caption=" · ".join(_parts(model)))
    return Captions(title, formula, note or _caption(model, held_out), brief=None if note else brief)


def _caption(model: Model, held_out: Data | None) -> str:
    """Return kernel, algorithm and numbers of a model in one line."""
    numbers: dict[str, Any] = model.numbers
    facts = [f"n = {model.problem.n}"]
    vectors = numbers.get("support_vectors")
    if model.status is Status.NOT_SEPARABLE:
        vectors, numbers = None, {}  # numbers of a model that is not drawn
    if vectors is not None and vectors < model.problem.n:
        facts.append(f"{vectors} support vectors")
    facts += errors_in_words(numbers, None if held_out is None else on_held_out(model, held_out))
    parts = [*_parts(model), ", ".join(facts)]
    if model.status not in (Status.CONVERGED, Status.RUNNING):
        parts.append(str(model.status))
    if flat := about_flatness(model):
        first = flat.partition(". ")[0]
        parts.append(first[0].lower() + first[1:])
    return " · ".join(parts)


def _parts(model: Model) -> list[str]:
    """Return the names of the kernel, if it is used, and of the algorithm."""
    kernel = readable(model.problem.kernel) if model.algorithm.uses_kernel else ""
    longest_expression = 240  # Characters of a kernel in a caption.
    # A long one would leave no room for the plot; the session in the file has all of it.
    kernel = kernel if len(kernel) <= longest_expression else f"{kernel[:longest_expression]}…"
    return [*filter(None, (kernel, readable(model.algorithm)))]


def figure_of(
    state: State,
    model: Model,
    options: FigureOptions = USUAL_OPTIONS,
    change: Change | None = None,
    captions: Captions | None = None,
) -> Figure:
    """Return the figure of the active fit, with the points that the last step changed in frames.

    Where the classes are not separable there is no model to draw, only the points."""
    document = state.document
    test = document.test_data
    captions = captions or captions_of(model, options, held_out=test)
    subject = Subject(model.problem.data, state.look, None, model.problem.kernel)
    if model.status is not Status.NOT_SEPARABLE:
        changed = change.points if change is not None else ()
        subject = replace(subject, model=model, changed=changed, held_out=test, source=document.origin)
    figure = painter_of(document.require_workspace()).figure(subject, captions)
    return replace(figure, own=OwnWords.of(options))


def with_legend_of(options: FigureOptions, state: State) -> State:
    """Return the state with the legend that is asked for, or without one; by default it is as it was."""
    return state if options.legend == OUTSIDE else state.with_legend(options.legend != NOWHERE)


# Figures of all fits ------------------------------------------------------------------------------------
def for_each_fit(state: State, options: FigureOptions) -> FigureOptions:
    """Return the options of the figure of each fit: an author's caption is that of several fits together."""
    own = len(state.document.fits) > 1 and options.caption_text
    return options.replace(caption=False) if own else options


def words_around(state: State, options: FigureOptions) -> Captions:
    """Return the words around the figures of all fits: those of a single fit are in its own figure."""
    own = len(state.document.fits) > 1 and options.caption
    return Captions(marked(options.heading), caption=marked(options.caption_text) if own else "")


def plots_of(
    state: State, figures: Sequence[Figure], words: Captions, legend: tuple[Entry, ...] | None = None
) -> Sequence[Figure]:
    """Return the plots of all fits, each with its figure, or one for all of them.

    legend: the legend of a whole film, which all its frames share."""
    painter = painter_of(state.document.require_workspace())
    plots = painter.together(figures, state.document.fits, legend)
    if len(plots) == 1 < len(figures) and words.caption:
        return [replace(plots[0], captions=replace(plots[0].captions, caption=words.caption))]
    return plots


def on_one_sheet(plots: Sequence[Figure], words: Captions, titles: Sequence[tuple[str, str]]) -> Node:
    """Return the plots side by side, under their letters and titles."""
    titled = any(map(any, titles))
    return FigureLayout.of_plots(plots, words, titles) if titled or len(plots) > 1 else plots[0]


def film_frame(
    state: State, figures: Sequence[Figure], options: FigureOptions, legend: tuple[Entry, ...] | None = None
) -> Node:
    """Return the figures of all fits as a frame of a film.

    legend: that of the whole film, which all its frames share."""
    words = words_around(state, options)
    plots = plots_of(state, figures, words, legend)
    return on_one_sheet(plots, words, options.panel_words(len(plots)))


@dataclass(frozen=True)
class Composition:
    """A state with what is known about it: the frame on screen, the verdict on its points, why it has no
    fit.

    Whatever is missing is computed when the figure is made, so it can be passed to another thread and
    painted there. `figure` returns canvas and insight views with captions around them.

    >>> save(Composition.of_state(state).figure(options), "moons.pdf", options)"""

    state: State
    frame: Frame | None = None
    verdict: Verdict | None = None
    failure: Failure | None = None  # Why the state has no fit.
    together: tuple[Composition, ...] = ()  # One for each of several fits.

    @classmethod
    def of_state(cls, state: State) -> Composition:
        """Return the figure of all fits of a state, of which nothing is known yet."""
        if len(state.document.fits) == 1:
            return cls(state)
        return cls(state, together=tuple(map(cls, state.each_fit())))

    @classmethod
    def computed(cls, state: State) -> Composition:
        """Return the figure of all fits of a state, with the frames and the verdict that views show."""
        state.document.require_workspace()
        every = tuple(cls(own, *active_answers(own.request())) for own in state.each_fit())
        active = every[state.document.active]
        return replace(active, together=every) if len(every) > 1 else active

    @property
    def answers(self) -> tuple[Frame | Failure | None, ...]:
        """The frame of each fit, or why it has none; None for what is not computed yet."""
        return tuple(own.frame or own.failure for own in self.together or (self,))

    def with_legend(self, on: bool) -> Self:
        """Return the same figure with a legend, or without one."""
        together = tuple(own.with_legend(on) for own in self.together)
        return replace(self, state=self.state.with_legend(on), together=together)

    @property
    def model(self) -> Model | None:
        """The model that is drawn; None if there is none."""
        return self._fit[0]

    @cached_property
    def _fit(self) -> tuple[Model | None, Change | None]:
        """The model, and in watch mode what its last step changed."""
        if self.frame is not None:
            return self.frame.model, self.frame.change if self.state.look.mode == "watch" else None
        return (None, None) if self.failure else fitted(self.state)

    def figure(self, options: FigureOptions = USUAL_OPTIONS, panels: Sequence[FigurePanel] = ()) -> Node:
        """Return the canvas with its captions, or canvas and panels side by side with the captions around all
        of them."""
        if not options.canvas and not panels:
            raise BadInput("Choose the canvas or at least one panel.")
        if panels and self.frame is None and not self.failure:
            raise BadInput("The panels have no result to show yet. Wait for the fit, or leave them out.")
        words = self._captions(options)
        around = NO_WORDS if panels else words
        plots = self._plots(options, around) if options.canvas else []
        titles = options.panel_words(len(plots) + len(panels))
        canvas = on_one_sheet(plots, around, titles[: len(plots)]) if plots else None
        if canvas is not None and not panels:
            return canvas
        pictures = [self.scene_of(panel).root for panel in panels]
        return Captioned(FigureLayout(canvas, pictures, titles=titles[len(plots) :]), words)

    def scene_of(self, panel: FigurePanel) -> Scene:
        """Return the scene that a panel shows next to the canvas."""
        return panel.scene(self.frame, self.failure, self.verdict, self.answers)

    def worked_out(self, panels: Sequence[FigurePanel]) -> list[FigurePanel]:
        """Return panels with the results of the long work that their views need, which is done now."""
        return [panel.worked_out(self.state.document, self.frame) for panel in panels]

    def _plots(self, options: FigureOptions, words: Captions) -> Sequence[Figure]:
        """Return the plot, or those of all fits, each with its own caption."""
        if not self.together:
            figures = [self.plot(options, words)]
        else:
            each = for_each_fit(self.state, options.replace(formula=False))
            captions = [replace(words, caption=own._captions(each).caption) for own in self.together]
            figures = [own.plot(options, w) for own, w in zip(self.together, captions, strict=True)]
        plots = plots_of(self.state, figures, words)
        check_own_words([*figures, *plots])
        return plots

    def plot(self, options: FigureOptions, captions: Captions) -> Figure:
        """Return the plot of the active fit, or of the points alone."""
        if self.model is not None:
            return figure_of(self.state, self.model, options, self._fit[1], captions)
        document = self.state.document
        subject = Subject(document.data, self.state.look, kernel=document.kernel)
        figure = painter_of(document.require_workspace()).figure(subject, captions)
        return replace(figure, own=OwnWords.of(options))

    def _captions(self, options: FigureOptions) -> Captions:
        """Return what is written around everything; each of several fits has its own caption, unless the
        author has written one for all."""
        if self.together:
            return words_around(self.state, options)
        if self.model is None:
            own = marked(options.caption_text) or f"n = {self.state.document.data.n}"
            return Captions(marked(options.heading), "", own if options.caption else "")
        captions = captions_of(self.model, options, held_out=self.state.document.test_data)
        if self.state.look.mode == "watch" and captions.caption and not options.caption_text:
            step = self.state.look.step if self.frame is None else self.frame.step
            return replace(captions, caption=f"{captions.caption} · step {step}")
        return captions


class Rendered(NamedTuple):
    """The models of a figure, and a remark on what it had no room for, or an empty text."""

    models: list[Model]
    remark: str


def render_state(
    state: State,
    path: str | os.PathLike[str] | BinaryIO,
    options: Options,
    panels: Sequence[FigurePanel] = (),
    format: str = FORMATS[0],
) -> Rendered:
    """Fit, and write the figure of all fits with the panels next to it. A PNG contains the session and the
    options.

    path: a file by its name, or one that is open for bytes, which gets a figure of the format."""
    ensure_application()
    state = with_legend_of(options, state)
    made = interruptible(partial(Composition.computed, state)) if panels else Composition.of_state(state)
    models: list[Model] = [interruptible(partial(getattr, own, "model")) for own in made.together or (made,)]
    figure = made.figure(options, interruptible(partial(made.worked_out, panels)))
    write_figure(figure, state, path, options, format)
    return Rendered(models, about_room(figure, options))


def write_figure(
    figure: Node, state: State, path: str | os.PathLike[str] | BinaryIO, options: Options, format: str
) -> None:
    """Write a figure, as PNG with the session and the options, into a file of that name, or in a format into
    one that is open for bytes."""
    session = dumps(state, {FIGURE: options.carried()})
    if isinstance(path, str | os.PathLike):
        save(figure, path, options, session)
    else:
        path.write(as_bytes(figure, format, options, session))
