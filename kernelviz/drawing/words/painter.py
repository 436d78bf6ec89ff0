"""The words' painter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from kernelviz.drawing.figure.figure import NO_WORDS, AxesFigure, Captions, Drawing, MakeDrawing, side_by_side
from kernelviz.drawing.figure.legend import Entry
from kernelviz.drawing.painters import Painter
from kernelviz.drawing.wording import fit_names
from kernelviz.drawing.words.decoration import Decorator, LastMap
from kernelviz.drawing.words.layers import OF_SCORES, entries, layers
from kernelviz.drawing.words.picture import MapPicture, axes_of, picture_of_fit, picture_of_strings, told
from kernelviz.engine.analysis.kernel_pca import COMPONENTS, ComponentMap, kernel_pca
from kernelviz.engine.core.data import Data
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.problem import Problem
from kernelviz.session.view import Look, ViewRange, sane
from kernelviz.session.workspaces.registry import usual_fit, workspace_of


class WordsPainter(Painter):
    """The map of the strings between two axes. Figures lie as the map on screen does."""

    def __init__(self) -> None:
        self._last = LastMap()

    def figure_of_model(
        self,
        model: Model,
        look: Look,
        captions: Captions = NO_WORDS,
        changed: tuple[int, ...] = (),
        held_out: Data | None = None,
        source: str = "",
    ) -> AxesFigure:
        chart = self._chart(model.problem, look)
        if captions.caption:
            captions = replace(captions, caption=f"{captions.caption} · {told(chart, chart.slope(model))}")

        @lru_cache(maxsize=2)  # a large figure is painted in bands, each of the same drawing
        def make(view: ViewRange, columns: int, rows: int) -> Drawing:
            return _drawing(
                picture_of_fit(model, chart, view, shown=look.shown, changed=changed, held_out=held_out)
            )

        return _figure(make, model.problem.data, chart, look, captions)

    def figure_of_data(
        self, data: Data, look: Look, captions: Captions = NO_WORDS, kernel: Kernel | None = None
    ) -> AxesFigure:
        """Strings without a kernel lie where the usual one puts them."""
        problem = Problem(data, kernel or usual_fit(data).kernel)
        chart = self._chart(problem, look)

        def make(view: ViewRange, columns: int, rows: int) -> Drawing:
            return _drawing(picture_of_strings(problem, chart, view, look.shown, None))

        return _figure(make, data, chart, look, captions)

    def _chart(self, problem: Problem, look: Look) -> ComponentMap:
        return ComponentMap(self._last.follow(kernel_pca(problem, COMPONENTS)), look.components)

    def together(
        self, figures: Sequence[AxesFigure], fits: Sequence[Fit], legend: tuple[Entry, ...] | None = None
    ) -> Sequence[AxesFigure]:
        """The shares of a film differ from frame to frame: its legend has one of them, without the number."""
        if legend is not None:
            parts = [Entry(f"part{OF_SCORES}", x.draw) for x in legend if x.text.endswith(OF_SCORES)]
            legend = (*(x for x in legend if not x.text.endswith(OF_SCORES)), *parts[:1])
        return super().together(figures, fits, legend)

    def several(
        self, figures: Sequence[AxesFigure], fits: Sequence[Fit], legend: tuple[Entry, ...]
    ) -> Sequence[AxesFigure]:
        """Side by side, each with its own map; how much of the scores it shows is told with the name, as it
        would take the legends more or less room."""
        shared = [entry for entry in legend if not entry.text.endswith(OF_SCORES)]
        names, found = fit_names(fits), []
        for k, figure in enumerate(figures):
            own = [entry for entry in figure.own_entries() if entry.text.endswith(OF_SCORES)]
            names[k] = " · ".join([names[k], *(entry.text for entry in own)])
            parts = [Entry(f"part{OF_SCORES}", entry.draw) for entry in own]
            found.append(figure.with_legend((*shared, *parts)))
        return side_by_side(found, names)

    def decorator(self) -> Decorator:
        return Decorator(self._last)


def _figure(make: MakeDrawing, data: Data, chart: ComponentMap, look: Look, captions: Captions) -> AxesFigure:
    around = workspace_of(data).extent(data) if "equal_aspect" in look.shown else None
    typed = look.limits is not None
    view, axes = sane(look.limits or look.view), axes_of(chart)
    return AxesFigure(make, view, axes, captions, around, exact=typed, unit=chart.reach)


def _drawing(picture: MapPicture) -> Drawing:
    explained = entries(picture, picture.points) if "legend" in picture.points.shown else ()
    return Drawing(picture.view, layers(picture), explained)


PAINTER = WordsPainter()
