"""The words' painter: the map of the strings between two axes. Figures lie as the map on screen does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtGui import QPainter, QPen

from kernelviz.engine.analysis.kernel_pca import COMPONENTS, ComponentMap, Components, kernel_pca
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.models.problem import Problem
from kernelviz.runtime.messages import Frame
from kernelviz.scene.figure.colours import blend
from kernelviz.scene.figure.figure import NO_WORDS, Captions, Figure, side_by_side
from kernelviz.scene.figure.legend import Entry, swatch
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.figure.style import Style
from kernelviz.scene.layers import Coordinates, Layer
from kernelviz.scene.plane import layers as of_points
from kernelviz.scene.plane import painter as plane
from kernelviz.scene.plane.picture import Picture
from kernelviz.scene.wording import fit_names
from kernelviz.scene.words.labels import LabelLayer, PointedLabels
from kernelviz.scene.words.picture import (
    LastMap,
    MapPicture,
    axes_of,
    percent,
    picture_of_fit,
    picture_of_strings,
    told,
)
from kernelviz.scene.workspace_painter import Decoration, Painter, Subject, changed_points
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces.registry import usual_fit
from kernelviz.session.workspaces.words import Words

EVERYTHING = frozenset(Words.toggles)
OF_SCORES = " of the training scores"  # How the entry ends with the share of the scores that the map shows.
FAINTEST = 0.05  # Share of a score as which smaller ones are coloured too.


@dataclass(frozen=True, eq=False)
class FadedLayer(Layer):
    """The field, as strong as the share of the training scores it shows."""

    layer: Layer
    share: float

    @property
    def strength(self) -> float:
        return max(FAINTEST, self.share)

    @property
    def entries(self) -> tuple[Entry, ...]:
        colours = swatch(self._minus, self._plus, edge=_fine)
        return (Entry(f"{percent(self.share)}{OF_SCORES}", colours, kind="share"),)

    def _minus(self, style: Style) -> str:
        return blend(style.theme.paper, style.theme.negative_field, self.strength)

    def _plus(self, style: Style) -> str:
        return blend(style.theme.paper, style.theme.positive_field, self.strength)

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        painter.save()
        painter.setOpacity(self.strength * painter.opacity())
        self.layer.draw(axes, painter, stamps)
        painter.restore()


def _fine(style: Style) -> QPen:
    return pen(style.theme.soft_ink, 0.4 * style.strokes)


class WordsPainter(Painter[MapPicture]):
    """Paints the map."""

    behind = ("field", "grid", "boundary", "labels")
    legend = (*(name for name in plane.PAINTER.legend if name != "field"), "field")

    def __init__(self) -> None:
        self.last = LastMap()

    def picture(self, subject: Subject, view: ViewRange, nodes: tuple[int, int]) -> MapPicture:
        return self._on_map(subject, self._chart_of(subject), view)

    def _chart_of(self, subject: Subject) -> ComponentMap:
        """Return the map of a model, or of strings without one, which lie where the kernel puts them."""
        if subject.model is not None:
            return self.chart(subject.model.problem, subject.look.components)
        kernel = subject.kernel or usual_fit(subject.data).kernel
        return self.chart(Problem(subject.data, kernel), subject.look.components)

    def _on_map(
        self, subject: Subject, chart: ComponentMap, view: ViewRange, nodes: tuple[int, int] = (0, 0)
    ) -> MapPicture:
        model, shown = subject.model, subject.look.shown
        if model is None:
            return picture_of_strings(chart.pca.problem, chart, view, shown, None)
        changed, held_out = subject.changed, subject.held_out
        return picture_of_fit(model, chart, view, shown=shown, changed=changed, held_out=held_out)

    def picture_of_frame(self, frame: Frame, components: tuple[int, int] = (0, 1)) -> MapPicture:
        sampling = frame.request.sampling
        pca = self.last.follow(frame.sample, moving=not frame.request.discrete, fit=frame.fit)
        assert isinstance(sampling, Components)
        view = ViewRange(sampling.left, sampling.right, sampling.bottom, sampling.top)
        return picture_of_fit(
            frame.model,
            ComponentMap(pca, components),
            view,
            shown=EVERYTHING,
            changed=changed_points(frame),
            held_out=frame.request.held_out,
        )

    def chart(self, problem: Problem, pair: tuple[int, int]) -> ComponentMap:
        """Return the map of two components, turned as the one drawn last."""
        return ComponentMap(self.last.follow(kernel_pca(problem, COMPONENTS)), pair)

    def picture_of_strings(self, problem: Problem, pair: tuple[int, int], view: ViewRange) -> MapPicture:
        """Return the strings where the kernel puts them, for data that cannot be fitted."""
        return picture_of_strings(problem, self.chart(problem, pair), view, EVERYTHING, None)

    def points(self, picture: MapPicture) -> Picture:
        return picture.points

    def layer(self, picture: MapPicture, name: str) -> Layer | None:
        points = picture.points
        if name == "labels":
            first = [*points.rings.mistakes.tolist(), *points.rings.points.tolist()]
            return LabelLayer(picture.texts, points.points, first)
        found = of_points.layer(points, name)
        if name == "field" and found is not None and picture.slope is not None:
            return FadedLayer(found, picture.slope.share)
        return found

    def pointed(self, picture: MapPicture, points: tuple[int, ...], shown: frozenset[str]) -> Layer | None:
        """Return the labels of strings under the mouse."""
        rows = [i for i in points if i < len(picture.texts)]
        return PointedLabels([picture.texts[i] for i in rows], picture.points.points[rows]) if rows else None

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
        figure = self.framed(subject, captions, partial(self._on_map, subject, chart))
        return replace(figure, columns=axes_of(chart), unit=chart.reach)

    def together(
        self, figures: Sequence[Figure], fits: Sequence[Fit], legend: tuple[Entry, ...] | None = None
    ) -> Sequence[Figure]:
        """Return the figures of all fits. The shares of the scores differ from frame to frame of a film: its
        legend has one of them, without the number."""
        if legend is not None:
            parts = [Entry(f"part{OF_SCORES}", x.draw) for x in legend if x.text.endswith(OF_SCORES)]
            legend = (*(x for x in legend if not x.text.endswith(OF_SCORES)), *parts[:1])
        return super().together(figures, fits, legend)

    def several(
        self, figures: Sequence[Figure], fits: Sequence[Fit], legend: tuple[Entry, ...]
    ) -> Sequence[Figure]:
        """Return figures side by side, each with its own map. The share of the scores is written next to
        the name of the fit: legends of different lengths would not leave the plots alike."""
        shared = [entry for entry in legend if not entry.text.endswith(OF_SCORES)]
        names, found = fit_names(fits), []
        for k, figure in enumerate(figures):
            own = [entry for entry in figure.own_entries() if entry.text.endswith(OF_SCORES)]
            names[k] = " · ".join([names[k], *(entry.text for entry in own)])
            parts = [Entry(f"part{OF_SCORES}", entry.draw) for entry in own]
            found.append(figure.with_legend((*shared, *parts)))
        return side_by_side(found, names)


PAINTER = WordsPainter()
