"""Figures of many fits: one fit over one or two of its parameters, several fits, several data sets and views,
as rows and columns.

>>> sheet = states_of([state], ["gamma=0.1,1,10", "C=1,10,100"])
>>> sheet.across, sheet.down
(('γ = 0.1', 'γ = 1', 'γ = 10'), ('C = 1', 'C = 10', 'C = 100'))"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import product
from pathlib import Path
from typing import BinaryIO

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Declared
from kernelviz.engine.models.base import Model, Status
from kernelviz.engine.selection.grid import GridAxis, asked_axes
from kernelviz.runtime.jobs import interruptible
from kernelviz.scene.export.composition import (
    Composition,
    Rendered,
    render_state,
    with_legend_of,
    write_figure,
)
from kernelviz.scene.export.files import FORMATS, about_room, ensure_application
from kernelviz.scene.export.options import Options
from kernelviz.scene.export.sheet import PanelSheet
from kernelviz.scene.figure.captions import NO_WORDS, Captions
from kernelviz.scene.figure.figure import check_own_words, common_legend
from kernelviz.scene.figure.text import marked
from kernelviz.scene.nodes import Node
from kernelviz.scene.panels import FigurePanel
from kernelviz.scene.wording import fit_names, readable, shortened, shown
from kernelviz.scene.workspace_painter import painter_of
from kernelviz.session.figure_options import FigureOptions
from kernelviz.session.grids import MOST_PANELS
from kernelviz.session.state import MOST_FITS, State


@dataclass(frozen=True, eq=False)
class PanelStates:
    """A state for each panel, row by row, what the columns and rows are called, and how the names of files of
    single panels end."""

    states: tuple[State, ...]
    across: tuple[str, ...]
    down: tuple[str, ...]
    endings: tuple[str, ...]


def is_sheet(states: Sequence[State], grid: Sequence[str]) -> bool:
    """Return True if states are drawn as rows and columns: for a grid of parameters, several data sets, or
    more fits than the window shows."""
    return bool(grid) or len(states) > 1 or len(states[0].document.fits) > MOST_FITS


def states_of(states: Sequence[State], grid: Sequence[str] = ()) -> PanelStates:
    """Return the panels of one state for each data set, with the fits of each, over the values in texts such
    as "gamma=0.1,1,10" and "C=1,10,100".

    The first of parameters, fits and data sets goes across, the second one down. BadInput for three of them,
    for more than 36 panels, or for values that a fit does not have."""
    if len({len(state.document.fits) for state in states}) > 1:
        raise BadInput("The sources have different numbers of fits: name the fits that all of them get.")
    each = [_alone(own) for state in states for own in state.each_fit()]
    axes = asked_axes(each[0].document.fit, grid) if grid else ()
    # What goes across, and what goes down: the names of columns or rows, and those in files.
    ways = [
        (
            tuple(f"{_label(axis)} = {shown(value)}" for value in axis.values),
            [f"{axis.key}-{shown(value)}" for value in axis.values],
        )
        for axis in axes
    ]
    fits = states[0].document.fits
    if len(fits) > 1:
        ways.append((tuple(fit_names(fits)), [f"fit-{k + 1}" for k in range(len(fits))]))
    if len(states) > 1:
        named = tuple(
            shortened(state.document.origin or f"data {k + 1}", 48) for k, state in enumerate(states)
        )
        ways.append((named, [f"source-{k + 1}" for k in range(len(states))]))
    if len(ways) > 2:
        raise BadInput(
            "A figure has rows and columns: draw two of a first parameter, a second one, several fits and "
            "several sources, not more."
        )
    (across, ends), (down, further) = (*ways, ((), [""]), ((), [""]))[:2]
    count = len(ends) * len(further)
    if count > MOST_PANELS:
        raise BadInput(f"A figure has room for {MOST_PANELS} panels, not for {count:,}.")
    every = tuple(turned for state in each for turned in _over(state, grid))
    endings = tuple("-".join(filter(None, (end, more))) for more in further for end in ends)
    return PanelStates(every, across or ("",), down, endings)


def _alone(state: State) -> State:
    """Return the state with its active fit only."""
    return replace(state, document=replace(state.document, fits=(state.document.fit,), active=0))


def _label(axis: GridAxis) -> str:
    return axis.knob.parameter.label or axis.key


def _over(state: State, grid: Sequence[str]) -> Iterator[State]:
    """Yield the state with every combination of the values, the first parameter running fastest."""
    axes = asked_axes(state.document.fit, grid) if grid else ()
    for values in product(*(axis.values for axis in reversed(axes))):
        document = state.document
        for axis, value in zip(reversed(axes), values, strict=True):
            document = document.turned(axis.knob, value)
        yield replace(state, document=document)


@dataclass(frozen=True, eq=False)
class SheetFigure:
    """The figure of many fits: computed when it is asked for, so it can be passed to another thread."""

    panels: PanelStates
    views: Sequence[FigurePanel] = ()

    @cached_property
    def compositions(self) -> tuple[Composition, ...]:
        """Each panel's state with its model; with frames if views are drawn."""
        of = Composition.computed if self.views else Composition.of_state
        return tuple(map(of, self.panels.states))

    @cached_property
    def models(self) -> list[Model]:
        """The model of each panel, as far as it has one."""
        return [model for own in self.compositions if (model := own.model) is not None]

    def node(self, options: FigureOptions) -> Node:
        """Return the panels in rows and columns. Views are rows below the canvas."""
        across, down = self.panels.across, self.panels.down
        figures = [own.plot(options, NO_WORDS) for own in self.compositions]
        check_own_words(figures)
        document = self.panels.states[0].document
        painter = painter_of(document.require_workspace())
        (settled,) = painter.together(figures[:1], document.fits, common_legend(figures))
        pairs = zip(self.compositions, figures, strict=True)
        notes = [_note(own.model) or painter.note(figure) for own, figure in pairs]
        cells: list[Node] = list(figures)
        if self.views:
            if down:
                raise BadInput("Views are the rows of a figure: draw one parameter, fit or source across.")
            scenes = [[own.scene_of(v).root for v in own.worked_out(self.views)] for own in self.compositions]
            cells = [
                *(cells if options.canvas else ()),
                *(cell for row in zip(*scenes, strict=True) for cell in row),
            ]
            notes = notes if options.canvas else []
            down = (*(("",) if options.canvas else ()), *(view.title for view in self.views))
            if len(cells) > MOST_PANELS:
                raise BadInput(f"A figure has room for {MOST_PANELS} panels, not for {len(cells):,}.")
        titles = options.panel_words(len(cells))
        corners = [" ".join(filter(None, (letter, marked(title)))) for letter, title in titles]
        if not down:  # titles stand where the names would
            across = tuple(marked(title) or name for name, (_, title) in zip(across, titles, strict=True))
            corners = [letter for letter, _ in titles]
        return PanelSheet(cells, across, down, corners, notes, self._words(options), settled.legend or ())

    def _words(self, options: FigureOptions) -> Captions:
        """Return heading and caption: what all panels have in common."""
        models, title, own = self.models, marked(options.heading), marked(options.caption_text)
        if not models or own or not options.caption:
            return Captions(title, caption=own if options.caption else "")
        parts = [{readable(part) for part in kind} for kind in _kinds(models)]
        said = [names.pop() if len(names) == 1 else _without_values(names) for names in parts]
        sizes = {model.problem.n for model in models}
        facts = [*filter(None, said), *(f"n = {n}" for n in sizes if len(sizes) == 1)]
        return Captions(title, caption=" · ".join(facts))


def _kinds(models: Sequence[Model]) -> Iterator[Sequence[Declared]]:
    """Yield the kernels that are used, if all models use one, and the algorithms."""
    if all(model.algorithm.uses_kernel for model in models):
        yield [model.problem.kernel for model in models]
    yield [model.algorithm for model in models]


def _without_values(names: set[str]) -> str:
    """Return what names have in common without the values in brackets; an empty text if nothing."""
    plain = {re.sub(r" \([^()]*\)", "", name) for name in names}
    return plain.pop() if len(plain) == 1 else ""


def _note(model: Model | None) -> str:
    """Return how a fit ended, unless it ended well."""
    if model is None or model.status in (Status.CONVERGED, Status.RUNNING):
        return ""
    return str(model.status)


def render_states(
    states: Sequence[State],
    path: str | os.PathLike[str] | BinaryIO,
    options: Options,
    views: Sequence[FigurePanel] = (),
    format: str = FORMATS[0],
) -> Rendered:
    """Fit, and write the figure of one state or of many panels. A PNG contains the session of the first, as
    far as the window can show it, and the options."""
    if not is_sheet(states, options.grid):
        return render_state(states[0], path, options, views, format)
    ensure_application()
    states = [with_legend_of(options, state) for state in states]
    sheet = SheetFigure(states_of(states, options.grid), views)
    models: list[Model] = interruptible(partial(getattr, sheet, "models"))
    figure, document = sheet.node(options), states[0].document
    kept = replace(states[0], document=document.replace(fits=document.fits[:MOST_FITS]))
    write_figure(figure, kept, path, options, format)
    return Rendered(models, about_room(figure, options))


def render_each(states: Sequence[State], path: str, options: Options) -> None:
    """Write the figure of every panel into a file of its own, named after what stands above and beside it."""
    sheet, own = states_of(states, options.grid), options.replace(grid=())
    for state, ending in zip(sheet.states, sheet.endings, strict=True):
        if ending:  # or else the figure has a single panel
            file = Path(path)
            render_state(state, file.with_stem(f"{file.stem}-{ending.replace('−', '-')}"), own)
