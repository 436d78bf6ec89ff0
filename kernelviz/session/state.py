"""What the user is working on: a document (undoable) and how it is looked at (not undoable). All frozen."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.api import algorithm, dataset, kernel
from kernelviz.engine.data import Data
from kernelviz.engine.errors import BadInput
from kernelviz.engine.fits import Fit
from kernelviz.engine.kernels.base import Kernel

__all__ = [
    "TOGGLES",
    "Document",
    "Look",
    "State",
    "ViewRange",
    "fitting_view",
    "including",
    "shows",
    "start_up",
]

TOGGLES = {
    "field": ("Field", True),
    "levels": ("Level contours", True),
    "boundary": ("Boundary s = 0", True),
    "margins": ("Margins s = ±1", True),
    "points": ("Points", True),
    "rings": ("Support vector rings", True),
    "slack": ("Slack lines", False),
    "marks": ("Algorithm's own marks", True),
    "legend": ("Legend", True),
    "grid": ("Grid lines", False),
    "equal_aspect": ("Equal aspect", True),
}
"""What can be shown or hidden on the canvas: name -> (menu text, shown by default)."""

MOST_FITS = 4
AIR = 0.18
UNLIKE = 0.01
"""The share of one axis' span below which the other has a scale of its own."""
BEYOND = 0.05
"""The share of the view left free beyond a point it has been grown for."""
LOST = 0.25
"""The share of the view below which points are lost in it."""

START_DATA = "rings(n=120, seed=1)"
START_KERNEL = "rbf(gamma=1)"
START_ALGORITHM = "soft-margin-svm(C=10)"


@dataclass(frozen=True)
class ViewRange:
    """The rectangle of the plane on screen."""

    left: float = -2.0
    right: float = 2.0
    bottom: float = -2.0
    top: float = 2.0


@dataclass(frozen=True, eq=False)
class Document:
    """Everything undo restores: points, and one to four fits of them, of which one is active."""

    data: Data
    fits: tuple[Fit, ...]
    active: int = 0
    source: str = ""
    """The data set expression the points came from, a file's name, or empty once edited by hand."""
    standardised: bool = False
    """Whether the coordinates were scaled to mean 0 and variance 1 on loading."""

    @classmethod
    def of(
        cls, data: Data, kernel: Kernel, algorithm: Algorithm, source: str = "", standardised: bool = False
    ) -> Self:
        """A document with a single fit."""
        return cls(data, (Fit(kernel, algorithm),), 0, source, standardised)

    @property
    def fit(self) -> Fit:
        """The active fit, which the panels edit."""
        return self.fits[self.active]

    @property
    def kernel(self) -> Kernel:
        return self.fit.kernel

    @property
    def algorithm(self) -> Algorithm:
        return self.fit.algorithm

    def replace(self, **changes: Any) -> Self:
        """The document with other parts; a `kernel` or an `algorithm` is the active fit's."""
        own = {name: changes.pop(name) for name in ("kernel", "algorithm") if name in changes}
        made = dataclasses.replace(self, **changes)
        if not own:
            return made
        fits = list(made.fits)
        fits[made.active] = made.fit.replace(**own)
        return dataclasses.replace(made, fits=tuple(fits))

    def with_fit(self, fit: Fit) -> Self:
        """One fit more, which is active then."""
        if len(self.fits) >= MOST_FITS:
            raise BadInput(f"There is room for {MOST_FITS} fits; close one first.")
        return dataclasses.replace(self, fits=(*self.fits, fit), active=len(self.fits))

    def without_fit(self, index: int) -> Self:
        """One fit less; of the last one nothing is taken away."""
        if len(self.fits) == 1:
            raise BadInput("The last fit stays.")
        fits = self.fits[:index] + self.fits[index + 1 :]
        active = self.active - (index < self.active)
        return dataclasses.replace(self, fits=fits, active=min(active, len(fits) - 1))


@dataclass(frozen=True)
class Look:
    """How the document is shown; changing it is no step of undo."""

    view: ViewRange = ViewRange()
    shown: frozenset[str] = field(
        default_factory=lambda: frozenset(name for name, (_, on) in TOGGLES.items() if on)
    )
    mode: Literal["live", "watch"] = "live"
    step: int = 0
    """The position of the playback in watch mode."""
    selection: tuple[int, ...] = ()

    def replace(self, **changes: Any) -> Self:
        return dataclasses.replace(self, **changes)


@dataclass(frozen=True, eq=False)
class State:
    """Document and look together."""

    document: Document
    look: Look = Look()


def fitting_view(data: Data) -> ViewRange:
    """A rectangle around the points with some air; the default one for no points or a single spot."""
    if data.n == 0 or data.X.shape[1] < 2:
        return ViewRange()
    low, high = data.X[:, :2].min(axis=0), data.X[:, :2].max(axis=0)
    span = float(max(high - low))
    reach = float(max(abs(low).max(), abs(high).max()))
    if span <= 1e-9 * reach or span == 0.0:  # a single spot, up to rounding
        span = max(1.0, reach)
    left, bottom = (float(a - _air(a, b, span)) for a, b in zip(low, high, strict=True))
    right, top = (float(b + _air(a, b, span)) for a, b in zip(low, high, strict=True))
    return ViewRange(left, right, bottom, top)


def _air(low: float, high: float, span: float) -> float:
    """The room beside the points along one axis, the same for both unless their scales differ widely."""
    own = high - low
    return AIR * (own if 0.0 < own < UNLIKE * span else span)


def including(view: ViewRange, x: float, y: float) -> ViewRange:
    """The view, grown with some air where the point (x, y) lies beyond its edge."""
    air_x, air_y = BEYOND * (view.right - view.left), BEYOND * (view.top - view.bottom)
    return ViewRange(
        view.left if x >= view.left else x - air_x,
        view.right if x <= view.right else x + air_x,
        view.bottom if y >= view.bottom else y - air_y,
        view.top if y <= view.top else y + air_y,
    )


def shows(view: ViewRange, data: Data) -> bool:
    """Whether all points are in the view, and not lost in it."""
    if data.n == 0 or data.X.shape[1] < 2:
        return True
    (left, bottom), (right, top) = data.X[:, :2].min(axis=0), data.X[:, :2].max(axis=0)
    inside = view.left <= left and right <= view.right and view.bottom <= bottom and top <= view.top
    ideal = fitting_view(data)
    across = max(ideal.right - ideal.left, ideal.top - ideal.bottom)
    return bool(inside and across > LOST * min(view.right - view.left, view.top - view.bottom))


def start_up() -> State:
    """The fitted example a newcomer sees first."""
    data = dataset(START_DATA)
    document = Document.of(data, kernel(START_KERNEL), algorithm(START_ALGORITHM), START_DATA)
    return State(document, Look(view=fitting_view(data)))
