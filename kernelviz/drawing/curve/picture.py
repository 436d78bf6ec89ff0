"""Everything one picture of the curve shows, in data coordinates: numpy only, made when asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from kernelviz.drawing.curve.clipping import area, straightened, within
from kernelviz.drawing.curve.parts import bumps_of, outlines
from kernelviz.drawing.figure.rings import rings_of
from kernelviz.drawing.plane.picture import Picture, picture_of_data, touched, with_held_out
from kernelviz.engine.analysis.representer import bump_beside, terms_of_a_sum
from kernelviz.engine.arrays import Array
from kernelviz.engine.data import Data
from kernelviz.engine.kernel_model import KernelModel
from kernelviz.engine.line import LineSample, followed
from kernelviz.engine.model import Model
from kernelviz.session.state import ViewRange

__all__ = ["CurvePicture", "picture_of_fit"]


DRAWS, SEED = 6, 0
"""Functions drawn, always with the same random numbers."""
NODES_OF_DRAWS = 161
"""Each needs the factor of a matrix of so many rows."""


@dataclass(frozen=True, eq=False)
class Band:
    """What lies around the curve: an area and its edges."""

    name: str
    outline: Array
    edges: list[Array]


@dataclass(frozen=True, eq=False)
class CurvePicture:
    """A fitted model along the view, with its points."""

    model: Model
    sample: LineSample
    points: Picture
    fit: int = 0
    """Which of several fits it shows."""

    @property
    def view(self) -> ViewRange:
        return self.points.view

    def inside(self, x: Array, y: Array) -> list[Array]:
        """What of a curve is seen."""
        return self._seen(np.column_stack([x, y]))

    def _seen(self, xy: Array) -> list[Array]:
        return within(xy, self.view.bottom, self.view.top)

    @cached_property
    def curve(self) -> list[Array]:
        return self._seen(self._straightened(self.sample.s))

    def _straightened(self, y: Array) -> Array:
        """A curve over the nodes with as few of them as it needs."""
        view = self.view
        return straightened(
            np.column_stack([self.sample.x, y]), view.right - view.left, view.top - view.bottom
        )

    @cached_property
    def band(self) -> Band | None:
        """The tube s ± ε inside which a residual costs nothing, or s ± 2 standard deviations."""
        x, s = self.sample.x, self.sample.s
        epsilon = self.model.tube
        sd = self.model.deviation(x[:, None]) if epsilon is None else np.full(len(x), 0.5 * epsilon)
        if sd is None:
            return None
        name = "s(x) ± 2 sd" if epsilon is None else "s(x) ± ε"
        lower, upper = self._straightened(s - 2.0 * sd), self._straightened(s + 2.0 * sd)
        edges = [*self._seen(lower), *self._seen(upper)]
        return Band(name, area(lower, upper, self.view.bottom, self.view.top), edges)

    @cached_property
    def truth(self) -> list[Array]:
        """The function the targets were drawn around, where it is known."""
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
        """The same places whatever the data, or the functions would jump about under a drag."""
        x = self.sample.line.nodes(count=NODES_OF_DRAWS)
        drawn = self.model.draws(x[:, None], DRAWS, SEED, prior=prior)
        return [] if drawn is None else [piece for y in drawn for piece in self.inside(x, y)]

    @cached_property
    def bumps(self) -> list[Array]:
        """beta_i K(x_i, x) for every point, from the level b up."""
        level = self.model.b or 0.0
        drawn = outlines(self.model, self.sample.line, level)
        return self.inside(drawn[:, 0], level + drawn[:, 1])

    def bump(self, points: Sequence[int]) -> list[Array]:
        """The same of single points, as finely as the curve."""
        x, level = self.sample.x, self.model.b or 0.0
        return [piece for bump in bumps_of(self.model, x, points) for piece in self.inside(x, level + bump)]

    @cached_property
    def terms(self) -> dict[str, list[Array]]:
        """The summands of the kernel as curves, by their expressions."""
        x = self.sample.x
        terms = terms_of_a_sum(self.model, x[:, None])
        return {str(part): self.inside(x, values) for part, values in terms}

    @cached_property
    def raised(self) -> list[Array]:
        """s + u, with a bump u that no point notices."""
        bump, x = bump_beside(self.model.algorithm, self.model.problem), self.sample.x
        if bump is None or not isinstance(self.model, KernelModel):
            return []
        return self.inside(x, self.sample.s + bump(x[:, None]))

    @cached_property
    def residuals(self) -> list[Array]:
        """From every point upright to the curve."""
        view, at = self.view, self.points.points
        seen = np.flatnonzero((at[:, 0] >= view.left) & (at[:, 0] <= view.right))
        scores = self.model.training_scores
        return [piece for i in seen for piece in self.inside(at[[i, i], 0], np.array([at[i, 1], scores[i]]))]


def picture_of_fit(
    model: Model,
    sample: LineSample,
    view: ViewRange,
    *,
    shown: frozenset[str],
    changed: tuple[int, ...] = (),
    held_out: Data | None = None,
) -> CurvePicture:
    """What a fitted model looks like along the view, with the points framed that its last step changed."""
    points = picture_of_data(model.problem.data, view, shown=shown)
    points = replace(points, rings=rings_of(model), marks=model.marks())
    return CurvePicture(model, sample, with_held_out(touched(points, changed), held_out))
