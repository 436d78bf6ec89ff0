"""A frame of the map made ready for the screen, on any thread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from PySide6.QtGui import QImage

from kernelviz.drawing.figure.layer import Layer
from kernelviz.drawing.figure.legend import Entry
from kernelviz.drawing.figure.prepared_frame import Target, painted
from kernelviz.drawing.figure.rings import Rings
from kernelviz.drawing.plane.legend import entries as of_points_and_lines
from kernelviz.drawing.plane.picture import Picture
from kernelviz.drawing.words.labels import PointedLabels
from kernelviz.drawing.words.layers import BEHIND, entries, layers
from kernelviz.drawing.words.picture import MapPicture, picture_of_fit, picture_of_strings
from kernelviz.engine.analysis.kernel_pca import COMPONENTS, ComponentMap, Components, KernelPCA, kernel_pca
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.engine.models.problem import Problem
from kernelviz.runtime.messages import Frame
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces.words import Words

EVERYTHING = frozenset(Words.toggles)


MOST = 8  # Maps that are remembered, of so many fits or kernels.


class LastMap:
    """The components as they were drawn last, which the next ones follow; of each fit its own."""

    def __init__(self) -> None:
        # By the number of a fit, or for figures by the kernel; the one drawn last at the end.
        self._last: dict[int | str, KernelPCA] = {}

    def follow(self, pca: KernelPCA, moving: bool = False, fit: int | None = None) -> KernelPCA:
        """The components as they are to be drawn: with the signs of the last, the most spread first. While a
        number of the kernel is moving they keep the last order too.

        fit: which of several it is; otherwise the one with this kernel. What has not been drawn yet follows
        what was drawn last, of such a kernel if there is one."""
        kernel, seen = pca.problem.kernel, tuple(self._last.items())[::-1]
        own = (
            fit if fit is not None else next((k for k, x in seen if x.problem.kernel == kernel), str(kernel))
        )
        alike = next((x for _, x in seen if type(x.problem.kernel) is type(kernel)), None)
        last = self._last.pop(own, None) or alike or next((x for _, x in seen), None)
        if last is not None and _much_the_same(last.problem, pca.problem):
            pca = pca.following(last, keep_order=moving and _only_moved(last.problem, pca.problem))
        self._last[own] = pca
        for oldest in list(self._last)[:-MOST]:
            del self._last[oldest]
        return pca


def _much_the_same(before: Problem, now: Problem) -> bool:
    """Whether most strings are the same, so that a map turned over would be seen as that."""
    if before.X is now.X:
        return True
    common = set(before.X) & set(now.X)
    return 2 * len(common) > max(len(set(before.X)), len(set(now.X)))


def _only_moved(before: Problem, now: Problem) -> bool:
    return type(before.kernel) is type(now.kernel) and before.X == now.X


@dataclass(frozen=True, eq=False)
class Decoration:
    """A picture with everything in it; what is shown of it is decided when it is drawn."""

    frame: Frame | None  # None of strings that have no fit.
    picture: MapPicture
    _images: dict[Target, QImage] = field(default_factory=dict)

    @property
    def data(self) -> Data:
        return self.picture.map.pca.problem.data

    @cached_property
    def layers(self) -> Mapping[str, Layer]:
        return layers(self.picture)

    def layer(self, name: str) -> Layer | None:
        return self.layers.get(name)

    def beside(self) -> Layer | None:
        return None

    def pointed(self, points: tuple[int, ...], shown: frozenset[str]) -> Layer | None:
        texts, places = self.picture.texts, self.picture.points.points
        rows = [i for i in points if i < len(texts)]
        return PointedLabels([texts[i] for i in rows], places[rows], self.picture.view) if rows else None

    @property
    def ringed(self) -> tuple[Array, Rings]:
        return self.picture.points.points, self.picture.points.rings

    def entries(self, points: Picture, shown: frozenset[str]) -> tuple[Entry, ...]:
        own = replace(self.picture.points, shown=shown)
        if self.frame is not None and len(self.frame.request.fits) > 1:
            return of_points_and_lines(own)  # how much of the score is seen differs, and is told below
        return entries(self.picture, own)

    def backdrop(self, target: Target) -> QImage:
        """What lies behind the points, painted once for every target."""
        if target not in self._images:
            self._images.clear()
            self._images[target] = painted(target, BEHIND, self.layer, self.picture.points.unit)
        return self._images[target]


class Decorator:
    """Decorates frames. The canvas says what it will need, and which components to show."""

    behind = BEHIND

    def __init__(self, last: LastMap) -> None:
        self.target: Target | None = None
        self.pair = (0, 1)
        self._last = last

    def __call__(self, frame: Frame) -> Decoration:
        sampling = frame.request.sampling
        pca = self._last.follow(frame.sample, moving=not frame.request.discrete, fit=frame.fit)
        assert isinstance(sampling, Components)
        view = ViewRange(sampling.left, sampling.right, sampling.bottom, sampling.top)
        changed = frame.change.points if frame.request.step is not None and frame.change is not None else ()
        chart = ComponentMap(pca, self.pair)
        made = Decoration(
            frame,
            picture_of_fit(
                frame.model, chart, view, shown=EVERYTHING, changed=changed, held_out=frame.request.held_out
            ),
        )
        _ = made.picture.points.rings.groups  # found here, so that the window need not
        target = self.target
        if target is not None and target.view == view:
            made.backdrop(target)
        return made

    def without_fit(self, problem: Problem, view: ViewRange) -> Decoration:
        """The strings where the kernel puts them, as of one class."""
        pca = self._last.follow(kernel_pca(problem, COMPONENTS))
        chart = ComponentMap(pca, self.pair)
        return Decoration(None, picture_of_strings(problem, chart, view, EVERYTHING, None))
