"""The words' painter: the map of the strings between two axes. Figures lie as the map on screen does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from kernelviz.engine.analysis.kernel_pca import COMPONENTS, ComponentMap, Components, kernel_pca
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.models.problem import Problem
from kernelviz.runtime.messages import Frame
from kernelviz.scene.figure.figure import NO_WORDS, Captions, Figure, side_by_side
from kernelviz.scene.figure.legend import Entry
from kernelviz.scene.layers import Layer
from kernelviz.scene.plane import painter as plane
from kernelviz.scene.wording import fit_names
from kernelviz.scene.words.picture import OF_SCORES, SHARE, LastMap, MapPicture, axes_of, told
from kernelviz.scene.workspace_painter import Decoration, Painter, Subject, changed_points
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces.registry import usual_fit
from kernelviz.session.workspaces.words import Words

EVERYTHING = frozenset(Words.toggles)


class WordsPainter(Painter[MapPicture]):
    """Paints the map."""

    behind = ("field", "grid", "boundary", "labels")
    legend = (*(name for name in plane.PAINTER.legend if name != "field"), "field")

    def __init__(self) -> None:
        self.last = LastMap()

    def picture(
        self, subject: Subject, view: ViewRange, nodes: tuple[int, int], chart: ComponentMap | None = None
    ) -> MapPicture:
        chart, model, shown = chart or self._chart_of(subject), subject.model, subject.look.shown
        if model is None:
            return MapPicture.of_strings(chart, view, shown=shown)
        picture = MapPicture.of_model(model, chart, view, shown=shown)
        return picture.with_changed(subject.changed).with_held_out(subject.held_out)

    def picture_of_frame(self, frame: Frame, components: tuple[int, int] = (0, 1)) -> MapPicture:
        request, part = frame.request, frame.request.sampling
        assert isinstance(part, Components)
        view = ViewRange(part.left, part.right, part.bottom, part.top)
        pca = self.last.follow(frame.sample, moving=not request.discrete, fit=frame.fit)
        picture = MapPicture.of_model(frame.model, ComponentMap(pca, components), view, shown=EVERYTHING)
        return picture.with_changed(changed_points(frame)).with_held_out(request.held_out)

    def picture_of_strings(self, problem: Problem, pair: tuple[int, int], view: ViewRange) -> MapPicture:
        """Return the strings where the kernel puts them, for data that cannot be fitted."""
        return MapPicture.of_strings(self.chart(problem, pair), view, shown=EVERYTHING)

    def chart(self, problem: Problem, pair: tuple[int, int]) -> ComponentMap:
        """Return the map of two components, turned as the one drawn last."""
        return ComponentMap(self.last.follow(kernel_pca(problem, COMPONENTS)), pair)

    def _chart_of(self, subject: Subject) -> ComponentMap:
        """Return the map of a model, or of strings without one, which lie where the kernel puts them."""
        if subject.model is not None:
            return self.chart(subject.model.problem, subject.look.components)
        kernel = subject.kernel or usual_fit(subject.data).kernel
        return self.chart(Problem(subject.data, kernel), subject.look.components)

    def explained(self, decoration: Decoration[MapPicture], layers: Mapping[str, Layer]) -> tuple[Entry, ...]:
        """Return the legend. The share of the scores differs from fit to fit: it is written below the map."""
        frame = decoration.frame
        several = frame is not None and len(frame.request.fits) > 1
        own = {k: v for k, v in layers.items() if not (several and k == "field")}
        return self.entries(own, decoration.in_run)

    # Figures ---------------------------------------------------------------------------------------------
    def figure(self, subject: Subject, captions: Captions = NO_WORDS) -> Figure:
        """Return the figure of a map, which is computed once; the caption says how much it shows."""
        chart, model = self._chart_of(subject), subject.model
        if model is not None and captions.caption:
            captions = replace(captions, caption=f"{captions.caption} · {told(chart, chart.slope(model))}")
        figure = self.framed(subject, captions, partial(self.picture, subject, chart=chart))
        return replace(figure, columns=axes_of(chart), unit=chart.reach)

    def together(
        self, figures: Sequence[Figure], fits: Sequence[Fit], legend: tuple[Entry, ...] | None = None
    ) -> Sequence[Figure]:
        """Return the figures of all fits. The shares of the scores differ from frame to frame of a film: its
        legend has one of them, without the number."""
        if legend is not None:
            shares, others = _shares(legend)
            legend = (*others, *shares[:1])
        return super().together(figures, fits, legend)

    def several(
        self, figures: Sequence[Figure], fits: Sequence[Fit], legend: tuple[Entry, ...]
    ) -> Sequence[Figure]:
        """Return figures side by side, each with its own map. The share of the scores is written next to
        the name of the fit: legends of different lengths would not leave the plots alike."""
        names, found = fit_names(fits), []
        for k, figure in enumerate(figures):
            own = figure.own_entries()
            names[k] = " · ".join([names[k], *(entry.text for entry in own if entry.kind == SHARE)])
            found.append(figure.with_legend((*_shares(legend)[1], *_shares(own)[0])))
        return side_by_side(found, names)


def _shares(legend: tuple[Entry, ...]) -> tuple[list[Entry], list[Entry]]:
    """Return the entries for shares of the scores, without their numbers, and the other entries."""
    shares = [replace(entry, text=f"part{OF_SCORES}") for entry in legend if entry.kind == SHARE]
    return shares, [entry for entry in legend if entry.kind != SHARE]


PAINTER = WordsPainter()
