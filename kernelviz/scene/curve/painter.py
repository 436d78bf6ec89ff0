"""The curve's painter: points, the curve through them and what belongs to it, between two axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from kernelviz.engine.core.generators import finished
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.models.sampling import LineSample
from kernelviz.runtime.messages import Frame
from kernelviz.scene.curve.layers import NAMES, LineLayer, WeightLayer, fit_entries, fit_ink, layer
from kernelviz.scene.curve.layers import PENS as CURVE_PENS
from kernelviz.scene.curve.picture import CurvePicture, picture_of_fit
from kernelviz.scene.figure.figure import NO_WORDS, Captions, Drawing, Figure
from kernelviz.scene.figure.legend import Entry
from kernelviz.scene.layers import Layer
from kernelviz.scene.plane import painter as plane
from kernelviz.scene.plane.picture import Picture
from kernelviz.scene.workspace_painter import Decoration, Painter, Subject, changed_points
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces.curve import Curve
from kernelviz.session.workspaces.registry import workspace_of

# Layers that belong to a single fit, and could not be told apart.
OF_ONE = ("band", "rings", "bumps", "terms", "residuals", "draws", "prior", "raised", "marks", "curve")
EVERYTHING = frozenset(Curve.toggles)


class CurvePainter(Painter[CurvePicture]):
    """Paints the curve. The curves of several fits are laid over each other."""

    lays_over = True
    behind = ("band", "grid", "bumps", "prior", "draws", "terms", "residuals", "truth", "raised", "curve")
    legend = (*NAMES, "band", "terms", *plane.PAINTER.legend)

    def picture(self, subject: Subject, view: ViewRange, nodes: tuple[int, int]) -> CurvePicture:
        data, model, shown = subject.data, subject.model, subject.look.shown
        assert model is not None
        sample = finished(workspace_of(data).sampling(data, view, subject.source).sample(model))
        changed, held_out = subject.changed, subject.held_out
        return picture_of_fit(model, sample, view, shown=shown, changed=changed, held_out=held_out)

    def figure(self, subject: Subject, captions: Captions = NO_WORDS) -> Figure:
        if subject.model is None:
            return plane.PAINTER.figure(subject, captions)
        return super().figure(subject, captions)

    def picture_of_frame(self, frame: Frame, components: tuple[int, int] = (0, 1)) -> CurvePicture:
        sample: LineSample = frame.sample
        line, changed = sample.line, changed_points(frame)
        view = ViewRange(line.left, line.right, line.bottom, line.top)
        picture = picture_of_fit(frame.model, sample, view, shown=EVERYTHING, changed=changed)
        picture = replace(picture, fit=frame.fit)
        _ = picture.curve  # computed here, so that the window need not
        return picture

    def points(self, picture: CurvePicture) -> Picture:
        return picture.points

    def layer(self, picture: CurvePicture, name: str) -> Layer | None:
        return layer(picture, name)

    def pointed(self, picture: CurvePicture, points: tuple[int, ...], shown: frozenset[str]) -> Layer | None:
        """Return the bumps of points under the mouse, or the weights of all targets in the value there."""
        inside = [i for i in points if i < len(picture.points.points)]
        if not inside:
            return None
        if "weights" in shown and (weights := picture.target_weights(inside[-1])) is not None:
            return WeightLayer(picture.points.points, weights)
        return LineLayer([(picture.bump(inside), CURVE_PENS["bump"])]) if "bumps" in shown else None

    # Several fits ----------------------------------------------------------------------------------------
    def beside(self, decoration: Decoration[CurvePicture]) -> Layer | None:
        """Return the curves of the other fits, as far as they belong to the same document."""
        frame = decoration.frame
        curves = [
            (other.picture.curve, fit_ink(k))
            for k, other in sorted(decoration.others.items())
            if other is not None and other.frame is not None and frame is not None
            if k != frame.fit and other.frame.request.fits == frame.request.fits
        ]
        return LineLayer(curves) if curves else None

    def explained(
        self, decoration: Decoration[CurvePicture], layers: Mapping[str, Layer]
    ) -> tuple[Entry, ...]:
        frame = decoration.frame
        if frame is None or len(frame.request.fits) == 1:
            return self.entries(layers, decoration.in_run)
        failed = {k for k, other in decoration.others.items() if other is None} - {frame.fit}
        named = fit_entries(frame.request.fits, frame.fit, failed)
        rest = {name: each for name, each in layers.items() if name != "curve"}
        return (*named, *self.entries(rest, decoration.in_run))

    def several(
        self, figures: Sequence[Figure], fits: Sequence[Fit], legend: tuple[Entry, ...]
    ) -> Sequence[Figure]:
        """Return one figure with the points and the curve of each fit, and all their captions."""
        first = figures[0]

        def make(view: ViewRange, columns: int, rows: int) -> Drawing:
            drawings = [figure.make(view, columns, rows) for figure in figures]
            shared = {name: each for name, each in drawings[0].layers.items() if name not in OF_ONE}
            below: dict[str, Layer] = {}
            below.update((name, shared.pop(name)) for name in ("grid", "truth") if name in shared)
            curves: dict[str, Layer] = {}
            for k, drawing in enumerate(drawings):
                if isinstance(curve := drawing.layers.get("curve"), LineLayer):
                    curves[f"curve {k}"] = LineLayer([(lines, fit_ink(k)) for lines, _ in curve.groups])
            entries = (*fit_entries(fits), *self.entries({**below, **shared}))
            return Drawing(view, {**below, **curves, **shared}, entries if drawings[0].entries else ())

        captions = " — ".join(figure.captions.caption for figure in figures)
        return [replace(first, make=make, captions=replace(first.captions, formula="", caption=captions))]


PAINTER = CurvePainter()
