"""A frame of the curve made ready for the screen, on any thread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from PySide6.QtGui import QImage

from kernelviz.drawing.curve.layers import BEHIND, LineLayer, fit_ink, layer, pointed
from kernelviz.drawing.curve.legend import NAMES, entries, fit_entries
from kernelviz.drawing.curve.picture import CurvePicture, picture_of_fit
from kernelviz.drawing.figure.backdrop import Target, painted
from kernelviz.drawing.figure.layer import Layer
from kernelviz.drawing.figure.legend import Entry
from kernelviz.drawing.figure.rings import Rings
from kernelviz.drawing.plane import layers as of_points
from kernelviz.drawing.plane.picture import Picture
from kernelviz.engine.arrays import Array
from kernelviz.engine.data import Data
from kernelviz.engine.line import LineSample
from kernelviz.runtime.messages import Frame
from kernelviz.session.state import ViewRange
from kernelviz.session.workspaces.curve import Curve

__all__ = ["Decoration", "Decorator"]

EVERYTHING = frozenset(Curve.toggles)


@dataclass(frozen=True, eq=False)
class Decoration:
    """A frame as a picture; what of it is shown, and so computed, is decided when it is drawn."""

    frame: Frame
    picture: CurvePicture
    others: Mapping[int, Decoration | None] = field(default_factory=dict)
    """The last of the other fits, as they come in; None for one that has failed."""
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
