"""How the curve is painted: figures of one or several fits, and frames prepared for the screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from PySide6.QtGui import QImage

from kernelviz.drawing.curve.layers import BEHIND, LineLayer, fit_ink, layer, layers, pointed
from kernelviz.drawing.curve.legend import NAMES, entries, fit_entries
from kernelviz.drawing.curve.picture import CurvePicture, picture_of_fit
from kernelviz.drawing.figure.figure import NO_WORDS, AxesFigure, Captions, Drawing
from kernelviz.drawing.figure.layer import Layer
from kernelviz.drawing.figure.legend import Entry
from kernelviz.drawing.figure.prepared_frame import Target, painted
from kernelviz.drawing.figure.rings import Rings
from kernelviz.drawing.painters import Painter
from kernelviz.drawing.plane import layers as of_points
from kernelviz.drawing.plane.figure import figure_between_axes
from kernelviz.drawing.plane.picture import Picture, picture_of_data
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.generators import finished
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.sampling import LineSample
from kernelviz.runtime.messages import Frame
from kernelviz.session.view import Look, ViewRange
from kernelviz.session.workspaces.curve import Curve
from kernelviz.session.workspaces.registry import workspace_of

# What belongs to a single fit, and would not be told apart.
OF_ONE = ("band", "rings", "bumps", "terms", "residuals", "draws", "prior", "raised", "marks")
SHARED = (NAMES["truth"], "held out")  # What the legend says of all of them.


def laid_over(figures: Sequence[AxesFigure], fits: Sequence[Fit]) -> AxesFigure:
    """One figure with the points and the curve of each fit, and all their captions."""
    first = figures[0]

    def make(view: ViewRange, columns: int, rows: int) -> Drawing:
        drawings = [figure.make(view, columns, rows) for figure in figures]
        curves = {}
        for k, drawing in enumerate(drawings):
            if isinstance(curve := drawing.layers.get("curve"), LineLayer):
                curves[f"curve {k}"] = LineLayer([(lines, fit_ink(k)) for lines, _ in curve.groups])
        below = {name: layer for name, layer in drawings[0].layers.items() if name in ("grid", "truth")}
        above = {
            name: layer
            for name, layer in drawings[0].layers.items()
            if name not in (*below, *OF_ONE, "curve")
        }
        own = [entry for entry in drawings[0].entries if entry.text in SHARED]
        told = fit_entries(fits)
        return Drawing(view, {**below, **curves, **above}, (*told, *own) if drawings[0].entries else ())

    captions = replace(first.captions, formula="", caption=" — ".join(f.captions.caption for f in figures))
    return replace(first, make=make, captions=captions)


EVERYTHING = frozenset(Curve.toggles)


@dataclass(frozen=True, eq=False)
class Decoration:
    """A frame as a picture; what of it is shown, and so computed, is decided when it is drawn."""

    frame: Frame
    picture: CurvePicture
    # The last of the other fits, as they come in; None for one that has failed.
    others: Mapping[int, Decoration | None] = field(default_factory=dict)
    _images: dict[Target, QImage] = field(default_factory=dict)

    def layer(self, name: str) -> Layer | None:
        return layer(self.picture, name) or of_points.layers(self.picture.points).get(name)

    def beside(self) -> Layer | None:
        curves = [(other.picture.curve, fit_ink(k)) for k, other in self._others()]
        return LineLayer(curves) if curves else None

    def _others(self) -> list[tuple[int, Decoration]]:
        """Those that belong to the same document still."""
        fits = self.frame.request.fits
        known = ((k, d) for k, d in sorted(self.others.items()) if d is not None)
        return [(k, d) for k, d in known if k != self.frame.fit and d.frame.request.fits == fits]

    def pointed(self, points: tuple[int, ...], shown: frozenset[str]) -> Layer | None:
        inside = [i for i in points if i < len(self.picture.points.points)]
        return pointed(self.picture, inside) if inside and "bumps" in shown else None

    @property
    def data(self) -> Data:
        return self.frame.data

    @property
    def ringed(self) -> tuple[Array, Rings]:
        return self.picture.points.points, self.picture.points.rings

    def entries(self, points: Picture, shown: frozenset[str]) -> tuple[Entry, ...]:
        own = self.picture.points
        told = entries(self.picture, replace(points, rings=own.rings, marks=own.marks, shown=shown))
        fits = self.frame.request.fits
        if len(fits) == 1:
            return told
        failed = {k for k, other in self.others.items() if other is None} - {self.frame.fit}
        named = fit_entries(fits, self.frame.fit, failed)
        return (*named, *(entry for entry in told if entry.text != NAMES["curve"]))

    def backdrop(self, target: Target) -> QImage:
        """What lies behind the points, painted once for every target."""
        if target not in self._images:
            self._images.clear()
            self._images[target] = painted(target, BEHIND, self.layer)
        return self._images[target]


class Decorator:
    """Decorates frames. The canvas says what it will need so that the worker can have it ready."""

    behind = BEHIND

    def __init__(self) -> None:
        self.target: Target | None = None
        self._others: dict[int, Decoration | None] = {}

    def put_beside(self, fit: int, decoration: Decoration | None) -> None:
        """Lay the curve of another fit over that of the active one; None if it has failed."""
        self._others[fit] = decoration

    def __call__(self, frame: Frame) -> Decoration:
        sample: LineSample = frame.sample
        line = sample.line
        view = ViewRange(line.left, line.right, line.bottom, line.top)
        changed = frame.change.points if frame.request.step is not None and frame.change is not None else ()
        picture = picture_of_fit(frame.model, sample, view, shown=EVERYTHING, changed=changed)
        made = Decoration(frame, replace(picture, fit=frame.fit), self._others)
        if frame.fit != frame.request.active:
            _ = made.picture.curve
            return made
        _ = made.picture.points.rings.groups  # found here, so that the window need not
        target = self.target
        if target is not None and target.view == view:
            made.backdrop(target)
        return made


class CurvePainter(Painter):
    """Points, the curve through them and what belongs to it, between two axes."""

    def figure_of_model(
        self,
        model: Model,
        look: Look,
        captions: Captions = NO_WORDS,
        changed: tuple[int, ...] = (),
        held_out: Data | None = None,
        source: str = "",
    ) -> AxesFigure:
        workspace, data = workspace_of(model.problem.data), model.problem.data

        @lru_cache(maxsize=2)  # a large figure is painted in bands, each of the same drawing
        def make(view: ViewRange, columns: int, rows: int) -> Drawing:
            sample = finished(workspace.sampling(data, view, source).sample(model))
            picture = picture_of_fit(
                model, sample, view, shown=look.shown, changed=changed, held_out=held_out
            )
            explained = entries(picture, picture.points) if "legend" in look.shown else ()
            return Drawing(view, layers(picture), explained)

        return figure_between_axes(make, data, look, captions)

    def figure_of_data(
        self, data: Data, look: Look, captions: Captions = NO_WORDS, kernel: Kernel | None = None
    ) -> AxesFigure:
        def make(view: ViewRange, columns: int, rows: int) -> Drawing:
            return Drawing(view, of_points.layers(picture_of_data(data, view, shown=look.shown)))

        return figure_between_axes(make, data, look, captions)

    def several(
        self, figures: Sequence[AxesFigure], fits: Sequence[Fit], legend: tuple[Entry, ...]
    ) -> Sequence[AxesFigure]:
        return [laid_over(figures, fits)]

    def decorator(self) -> Decorator:
        return Decorator()


PAINTER = CurvePainter()
