"""The curve's painter: points, the curve through them and what belongs to it, between two axes.

The curves of several fits are laid over each other in one plot, where those of the plane stand side by
side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from kernelviz.engine.analysis.functions import bump_between_points, target_weights, terms_of_a_sum
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.generators import finished
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.engine.models.sampling import LineSample, followed
from kernelviz.runtime.messages import Frame
from kernelviz.scene.curve.layers import (
    LAYER_NAMES,
    PENS,
    BandLayer,
    WeightLayer,
    fit_entries,
    fit_ink,
    term_ink,
)
from kernelviz.scene.curve.polylines import area, bumps_of, outlines, straightened, within
from kernelviz.scene.figure.captions import NO_WORDS, Captions
from kernelviz.scene.figure.figure import Drawing, Figure, lettered
from kernelviz.scene.figure.glyphs import rings_of
from kernelviz.scene.figure.legend import Entry
from kernelviz.scene.layers import Layer, Polylines
from kernelviz.scene.plane import painter as plane
from kernelviz.scene.plane.picture import Picture
from kernelviz.scene.wording import fit_names, readable, shortened
from kernelviz.scene.workspace_painter import Decoration, Painter, Subject, changed_points
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces.registry import workspace_of


@dataclass(frozen=True, eq=False, kw_only=True)
class CurvePicture(Picture):
    """A fitted model along the view, with its points: the curve, its band, bumps, residuals, draws and
    terms, each computed when it is first asked for."""

    model: Model
    sample: LineSample
    fit: int = 0  # Which of several fits it shows.

    @classmethod
    def of_model(cls, model: Model, sample: LineSample, view: ViewRange, **contents: Any) -> Self:
        """Return the picture of a fitted model, sampled along the view, with other fields as given."""
        own: dict[str, Any] = {"model": model, "rings": rings_of(model), "marks": model.marks()}
        return cls.of_data(model.problem.data, view, sample=sample, **own, **contents)

    def layer(self, name: str) -> Layer | None:
        if name == "band":
            return self.band
        if name == "terms":
            groups = [(lines, term_ink(k)) for k, lines in enumerate(self.terms.values())]
            return Polylines(groups, [f"term {shortened(term)}" for term in self.terms])
        if name in LAYER_NAMES:
            ink = fit_ink(self.fit) if name == "curve" and self.fit else PENS[name]
            return Polylines([(getattr(self, name), ink)], [LAYER_NAMES[name]], joined=True)
        return super().layer(name)

    def pointed(self, points: tuple[int, ...], shown: frozenset[str]) -> Layer | None:
        """Return the bumps of points under the mouse, or the weights of all targets in the value there."""
        inside = [i for i in points if i < len(self.points)]
        if not inside:
            return None
        if "weights" in shown and (weights := self.target_weights(inside[-1])) is not None:
            return WeightLayer(self.points, weights)
        return Polylines([(self.bump(inside), PENS["bump"])]) if "bumps" in shown else None

    def inside(self, x: Array, y: Array) -> list[Array]:
        """Return the visible pieces of a curve."""
        return self._seen(np.column_stack([x, y]))

    def _seen(self, xy: Array) -> list[Array]:
        return within(xy, self.view.bottom, self.view.top)

    @cached_property
    def curve(self) -> list[Array]:
        """The visible pieces of the fitted curve."""
        return self._seen(self._straightened(self.sample.s))

    def _straightened(self, y: Array) -> Array:
        """Return a curve over the nodes, with as few vertices as it needs."""
        view = self.view
        return straightened(
            np.column_stack([self.sample.x, y]), view.right - view.left, view.top - view.bottom
        )

    @cached_property
    def band(self) -> BandLayer | None:
        """The tube s ± ε inside which a residual costs nothing, or s ± 2 standard deviations; None for a
        fit without either."""
        x, s = self.sample.x, self.sample.s
        epsilon = self.model.tube
        sd = self.model.deviation(x[:, None]) if epsilon is None else np.full(len(x), 0.5 * epsilon)
        if sd is None:
            return None
        name = "s(x) ± 2 sd" if epsilon is None else "s(x) ± ε"
        lower, upper = self._straightened(s - 2.0 * sd), self._straightened(s + 2.0 * sd)
        edges = [*self._seen(lower), *self._seen(upper)]
        return BandLayer(name, area(lower, upper, self.view.bottom, self.view.top), edges)

    @cached_property
    def truth(self) -> list[Array]:
        """The function from which the targets were drawn, where it is known."""
        line = self.sample.line
        if (origin := line.origin) is None or origin.truth(np.zeros(1)) is None:
            return []
        return self.inside(*followed(line, lambda x: np.asarray(origin.truth(x)), line.nodes()))

    @cached_property
    def draws(self) -> list[Array]:
        """Functions drawn from the posterior."""
        return self._drawn(prior=False)

    @cached_property
    def prior(self) -> list[Array]:
        """Functions drawn from the prior."""
        return self._drawn(prior=True)

    def _drawn(self, prior: bool) -> list[Array]:
        """Return random functions at places that do not depend on the data: otherwise they would jump during
        a drag."""
        nodes_of_draws = 161  # Each needs the factor of a matrix with this number of rows.
        x = self.sample.line.nodes(count=nodes_of_draws)
        draws, seed = 6, 0  # Functions drawn, always with the same random numbers.
        drawn = self.model.draws(x[:, None], draws, seed, prior=prior)
        return [] if drawn is None else [piece for y in drawn for piece in self.inside(x, y)]

    @cached_property
    def bumps(self) -> list[Array]:
        """βᵢ K(xᵢ, x) for every point, from the level b up."""
        level = self.model.b or 0.0
        drawn = outlines(self.model, self.sample.line, level)
        return self.inside(drawn[:, 0], level + drawn[:, 1])

    def bump(self, points: Sequence[int]) -> list[Array]:
        """Return the bumps of single points, as finely as the curve."""
        x, level = self.sample.x, self.model.b or 0.0
        return [piece for bump in bumps_of(self.model, x, points) for piece in self.inside(x, level + bump)]

    def target_weights(self, point: int) -> Array | None:
        """Return the weights w of the targets in s(x) = Σᵢ wᵢ yᵢ at a point; None where s is not such a sum
        or has no value."""
        weights = target_weights(self.model, self.model.problem.X[[point]])
        return None if weights is None or np.isnan(weights).any() else weights[0]

    @cached_property
    def terms(self) -> dict[str, list[Array]]:
        """The summands of the kernel as curves, by their names."""
        x = self.sample.x
        terms = terms_of_a_sum(self.model, x[:, None])
        return {readable(part): self.inside(x, values) for part, values in terms}

    @cached_property
    def raised(self) -> list[Array]:
        """s + u, with a bump u that is orthogonal to all points; nothing where there is none."""
        bump, x = bump_between_points(self.model.algorithm, self.model.problem), self.sample.x
        if bump is None or not isinstance(self.model, KernelModel):
            return []
        return self.inside(x, self.sample.s + bump(x[:, None]))

    @cached_property
    def residuals(self) -> list[Array]:
        """Vertical lines from every point to the curve."""
        view, at = self.view, self.points
        seen = np.flatnonzero((at[:, 0] >= view.left) & (at[:, 0] <= view.right))
        scores = self.model.training_scores
        return [piece for i in seen for piece in self.inside(at[[i, i], 0], np.array([at[i, 1], scores[i]]))]


class CurvePainter(Painter[CurvePicture]):
    """Paints the curve. The curves of several fits are laid over each other."""

    lays_over = True
    behind = ("band", "grid", "bumps", "prior", "draws", "terms", "residuals", "truth", "raised", "curve")
    legend = (*LAYER_NAMES, "band", "terms", *plane.PAINTER.legend)

    def picture(self, subject: Subject, view: ViewRange, nodes: tuple[int, int]) -> CurvePicture:
        data, model = subject.data, subject.model
        assert model is not None
        sample = finished(workspace_of(data).sampling(data, view, subject.source).sample(model))
        picture = CurvePicture.of_model(model, sample, view)
        return picture.with_changed(subject.changed).with_held_out(subject.held_out)

    def figure(self, subject: Subject, captions: Captions = NO_WORDS) -> Figure:
        if subject.model is None:
            return plane.PAINTER.figure(subject, captions)
        return super().figure(subject, captions)

    def picture_of_frame(self, frame: Frame, components: tuple[int, int] = (0, 1)) -> CurvePicture:
        sample: LineSample = frame.sample
        line = sample.line
        view = ViewRange(line.left, line.right, line.bottom, line.top)
        picture = CurvePicture.of_model(frame.model, sample, view, fit=frame.fit)
        picture = picture.with_changed(changed_points(frame))
        _ = picture.curve  # computed here, so that the window need not
        return picture

    # Several fits ----------------------------------------------------------------------------------------
    def other_fits(self, decoration: Decoration[CurvePicture]) -> Layer | None:
        """Return the curves of the other fits, as far as they belong to the same document."""
        frame = decoration.frame
        curves = [
            (other.picture.curve, fit_ink(k))
            for k, other in sorted(decoration.others.items())
            if other is not None and other.frame is not None and frame is not None
            if k != frame.fit and other.frame.request.fits == frame.request.fits
        ]
        return Polylines(curves) if curves else None

    def explained(
        self, decoration: Decoration[CurvePicture], layers: Mapping[str, Layer], run: bool
    ) -> tuple[Entry, ...]:
        frame = decoration.frame
        if frame is None or len(frame.request.fits) == 1:
            return self.entries(layers, run)
        failed = {k for k, other in decoration.others.items() if other is None} - {frame.fit}
        named = fit_entries(frame.request.fits, frame.fit, failed)
        rest = {name: each for name, each in layers.items() if name != "curve"}
        return (*named, *self.entries(rest, run))

    def several(
        self, figures: Sequence[Figure], fits: Sequence[Fit], legend: tuple[Entry, ...]
    ) -> Sequence[Figure]:
        """Return one figure with the points and the curve of each fit, and all their captions."""
        first = figures[0]

        # Layers that belong to a single fit, because those of several would look alike.
        of_one = (
            "band",
            "rings",
            "bumps",
            "terms",
            "residuals",
            "draws",
            "prior",
            "raised",
            "marks",
            "curve",
        )

        def make(view: ViewRange, columns: int, rows: int) -> Drawing:
            drawings = [figure.make(view, columns, rows) for figure in figures]
            shared = {name: each for name, each in drawings[0].layers.items() if name not in of_one}
            below: dict[str, Layer] = {}
            below.update((name, shared.pop(name)) for name in ("grid", "truth") if name in shared)
            curves: dict[str, Layer] = {}
            for k, drawing in enumerate(drawings):
                if isinstance(curve := drawing.layers.get("curve"), Polylines):
                    curves[f"curve {k}"] = Polylines([(lines, fit_ink(k)) for lines, _ in curve.groups])
            entries = (*fit_entries(fits), *self.entries({**below, **shared}))
            return Drawing({**below, **curves, **shared}, entries if drawings[0].entries else ())

        captions = " — ".join(lettered(figures, fit_names(fits))) if first.captions.caption else ""
        return [replace(first, make=make, captions=replace(first.captions, formula="", caption=captions))]


PAINTER = CurvePainter()
