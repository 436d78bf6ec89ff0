"""The map of strings: where the kernel puts them, what of the score is a function of the map, and its
painter.

Strings have no coordinates, so they lie along two components of kernel PCA. The part of the score that
these two show is drawn as a field, as strong as its share. Components are followed from frame to frame, so
that the map does not turn over; figures lie as the map on screen does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

import numpy as np
from PySide6.QtGui import QPainter

from kernelviz.engine.analysis.kernel_pca import (
    COMPONENTS_OFFERED,
    ComponentMap,
    Components,
    PrincipalComponents,
    Slope,
    kernel_pca,
)
from kernelviz.engine.core.data import Data
from kernelviz.engine.fields.contours import quick_contours
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.problem import Problem
from kernelviz.runtime.messages import Frame
from kernelviz.scene.figure.captions import NO_WORDS, Captions
from kernelviz.scene.figure.colours import blend
from kernelviz.scene.figure.figure import Figure, side_by_side
from kernelviz.scene.figure.glyphs import glyph_sizes, rings_of
from kernelviz.scene.figure.legend import Entry, swatch
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.style import Style
from kernelviz.scene.layers import Coordinates, Layer, Shades
from kernelviz.scene.plane import painter as plane
from kernelviz.scene.plane.picture import Picture
from kernelviz.scene.wording import fit_names
from kernelviz.scene.words.labels import LabelLayer, PointedLabels
from kernelviz.scene.workspace_painter import Decoration, Painter, Subject, changed_points
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces.registry import usual_fit, workspace_of

SHARE = "share"  # The kind of the entry with the share of the scores that the map shows, and how it ends.
OF_SCORES = " of the training scores"


def percent(share: float) -> str:
    """Return a share such as "58 %"; 0 % and 100 % are only for exactly none and all."""
    whole = round(100 * share)
    if whole == 0 and share > 0.0:
        return "less than 1\u202f%"
    return f"{whole}\u202f%" if whole < 100 or share > 1.0 - 1e-9 else "more than 99\u202f%"


def ranked(pca: PrincipalComponents) -> list[int]:
    """Return the rank of every component, the most spread first: they may stand in the order of an earlier
    map."""
    order = np.argsort(-pca.eigenvalues, kind="stable")
    ranks = np.empty(len(order), dtype=int)
    ranks[order] = np.arange(1, len(order) + 1)
    return [int(rank) for rank in ranks]


def axes_of(chart: ComponentMap) -> tuple[str, str]:
    """Return the names of the axes, with the share of the variance along each."""
    ranks = ranked(chart.pca)
    across, up = (
        f"component {ranks[c]} ({percent(share)})" if c < len(ranks) else f"component {c + 1} (none)"
        for c, share in zip(chart.pair, chart.shares, strict=True)
    )
    return across, up


def about_map(chart: ComponentMap, slope: Slope | None) -> str:
    """Return a sentence on how much the map shows."""
    of_scores = "" if slope is None else f", {percent(slope.share)}{OF_SCORES}"
    return f"map: {percent(chart.share)} of the kernel's variance{of_scores}"


@dataclass(frozen=True, eq=False)
class FadedLayer(Layer):
    """The field, as strong as the share of the training scores it shows."""

    layer: Layer
    share: float

    @property
    def colouring(self) -> Shades | None:
        return self.layer.colouring

    def in_unit(self, unit: float) -> Layer:
        return replace(self, layer=self.layer.in_unit(unit))

    @property
    def strength(self) -> float:
        """The opacity of the field."""
        faintest = 0.05  # Share of a score as which smaller ones are coloured too.
        return max(faintest, self.share)

    @property
    def entries(self) -> tuple[Entry, ...]:
        colours = swatch(self._tint("negative_field"), self._tint("positive_field"))
        return (Entry(f"{percent(self.share)}{OF_SCORES}", colours, kind=SHARE),)

    def _tint(self, role: str) -> Callable[[Style], str]:
        return lambda style: blend(style.theme.paper, getattr(style.theme, role), self.strength)

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        painter.setOpacity(self.strength * painter.opacity())
        self.layer.draw(axes, painter, stamps)


@dataclass(frozen=True, eq=False, kw_only=True)
class MapPicture(Picture):
    """Strings on the map, and the part of the score that is a function of the map.

    The field is the slope of the scores over the map. The boundary is drawn only where it is the whole
    score."""

    map: ComponentMap
    texts: tuple[str, ...]
    slope: Slope | None = None

    @classmethod
    def of_strings(cls, chart: ComponentMap, view: ViewRange, **contents: Any) -> Self:
        """Return the picture of only the strings, with other fields as given."""
        data = chart.pca.problem.data
        classes, axes = workspace_of(data).groups(data), axes_of(chart)
        own: dict[str, Any] = {"map": chart, "texts": data.X, "columns": axes, "unit": chart.reach}
        own["sizes"] = glyph_sizes(data.weights)
        return cls(view, chart.places, classes, data.class_names, **own, **contents)

    @classmethod
    def of_model(cls, model: Model, chart: ComponentMap, view: ViewRange, **contents: Any) -> Self:
        """Return the picture of a fitted model on the map, with other fields as given."""
        slope = chart.slope(model)
        picture = cls.of_strings(chart, view, rings=rings_of(model), slope=slope, **contents)
        if slope is None:
            return picture
        x, y = np.array([view.left, view.right]), np.array([view.bottom, view.top])
        lines = quick_contours(x, y, slope.at(x, y), (0.0,)) if slope.whole else ()
        nodes = 48  # Cells per axis, for the colours of a slope.
        centres = (np.arange(nodes) + 0.5) / nodes
        x, y = x[0] + centres * (x[1] - x[0]), y[0] + centres * (y[1] - y[0])
        return replace(picture, x1=x, x2=y, F=slope.at(x, y), lines=lines)

    def with_held_out(self, data: Data | None) -> Self:
        if data is None or not data.n:
            return self
        classes = workspace_of(data).groups(data)
        return replace(self, held_out=self.map.place(data.X), held_out_classes=classes)

    def layer(self, name: str) -> Layer | None:
        if name == "labels":
            first = [*self.rings.mistakes.tolist(), *self.rings.points.tolist()]
            return LabelLayer(self.texts, self.points, first)
        found = super().layer(name)
        if name == "field" and found is not None and self.slope is not None:
            return FadedLayer(found, self.slope.share)
        return found

    def pointed(self, points: tuple[int, ...], shown: frozenset[str]) -> Layer | None:
        """Return the labels of strings under the mouse."""
        rows = [i for i in points if i < len(self.texts)]
        return PointedLabels([self.texts[i] for i in rows], self.points[rows]) if rows else None


class LastMap:
    """The components as they were drawn last, for each fit, which the next ones follow."""

    def __init__(self) -> None:
        # By the number of a fit, or for figures by the kernel; the one drawn last at the end.
        self._last: dict[int | str, PrincipalComponents] = {}

    def follow(
        self, pca: PrincipalComponents, moving: bool = False, fit: int | None = None
    ) -> PrincipalComponents:
        """Return the components to draw: with the signs of the last, the most spread first. While a parameter
        of the kernel is moving they keep the last order too.

        fit: which of several it is; otherwise the one with this kernel. A fit that has not been drawn yet
        follows the one drawn last, with a kernel of the same kind if there is one."""
        kernel, seen = pca.problem.kernel, tuple(self._last.items())[::-1]
        own = (
            fit if fit is not None else next((k for k, x in seen if x.problem.kernel == kernel), str(kernel))
        )
        alike = next((x for _, x in seen if type(x.problem.kernel) is type(kernel)), None)
        last = self._last.pop(own, None) or alike or next((x for _, x in seen), None)
        if last is not None:
            old, new = set(last.problem.X), set(pca.problem.X)
            # With mostly the same strings one would notice a map that is turned over.
            if last.problem.X is pca.problem.X or 2 * len(old & new) > max(len(old), len(new)):
                same_kind = type(last.problem.kernel) is type(kernel) and last.problem.X == pca.problem.X
                pca = pca.following(last, keep_order=moving and same_kind)
        self._last[own] = pca
        most_maps = 8  # The number of maps remembered, one for each fit or kernel.
        for oldest in list(self._last)[:-most_maps]:
            del self._last[oldest]
        return pca


class WordsPainter(Painter[MapPicture]):
    """Paints the map. It remembers the components drawn last, which the next ones follow."""

    behind = ("field", "grid", "boundary", "labels")
    legend = (*(name for name in plane.PAINTER.legend if name != "field"), "field")

    def __init__(self) -> None:
        self.last = LastMap()

    def picture(
        self, subject: Subject, view: ViewRange, nodes: tuple[int, int], chart: ComponentMap | None = None
    ) -> MapPicture:
        chart, model = chart or self._chart_of(subject), subject.model
        if model is None:
            return MapPicture.of_strings(chart, view)
        picture = MapPicture.of_model(model, chart, view)
        return picture.with_changed(subject.changed).with_held_out(subject.held_out)

    def picture_of_frame(self, frame: Frame, components: tuple[int, int] = (0, 1)) -> MapPicture:
        request, part = frame.request, frame.request.sampling
        assert isinstance(part, Components)
        view = ViewRange(part.left, part.right, part.bottom, part.top)
        pca = self.last.follow(frame.sample, moving=not request.discrete, fit=frame.fit)
        picture = MapPicture.of_model(frame.model, ComponentMap(pca, components), view)
        return picture.with_changed(changed_points(frame)).with_held_out(request.held_out)

    def picture_of_strings(self, problem: Problem, pair: tuple[int, int], view: ViewRange) -> MapPicture:
        """Return the strings where the kernel puts them, for data that cannot be fitted."""
        return MapPicture.of_strings(self.chart(problem, pair), view)

    def chart(self, problem: Problem, pair: tuple[int, int]) -> ComponentMap:
        """Return the map of two components, turned as the one drawn last."""
        return ComponentMap(self.last.follow(kernel_pca(problem, COMPONENTS_OFFERED)), pair)

    def _chart_of(self, subject: Subject) -> ComponentMap:
        """Return the map of a model, or of strings without one, which lie where the kernel puts them."""
        if subject.model is not None:
            return self.chart(subject.model.problem, subject.look.components)
        kernel = subject.kernel or usual_fit(subject.data).kernel
        return self.chart(Problem(subject.data, kernel), subject.look.components)

    def explained(
        self, decoration: Decoration[MapPicture], layers: Mapping[str, Layer], run: bool
    ) -> tuple[Entry, ...]:
        """Return the legend. The share of the scores differs from fit to fit: it is written below the map."""
        frame = decoration.frame
        several = frame is not None and len(frame.request.fits) > 1
        own = {k: v for k, v in layers.items() if not (several and k == "field")}
        return self.entries(own, run)

    # Figures ---------------------------------------------------------------------------------------------
    def figure(self, subject: Subject, captions: Captions = NO_WORDS) -> Figure:
        """Return the figure of a map, which is computed once; the caption says how much it shows."""
        chart, model = self._chart_of(subject), subject.model
        if model is not None and captions.caption:
            captions = replace(
                captions, caption=f"{captions.caption} · {about_map(chart, chart.slope(model))}"
            )
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

    def note(self, figure: Figure) -> str:
        return " · ".join(entry.text for entry in figure.own_entries() if entry.kind == SHARE)


def _shares(legend: tuple[Entry, ...]) -> tuple[list[Entry], list[Entry]]:
    """Return the entries for shares of the scores, without their numbers, and the other entries."""
    shares = [replace(entry, text=f"part{OF_SCORES}") for entry in legend if entry.kind == SHARE]
    return shares, [entry for entry in legend if entry.kind != SHARE]


PAINTER = WordsPainter()
