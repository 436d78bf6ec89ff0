"""What is drawn of a curve: line, band, tube, bumps and points, clipped to the view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from kernelviz.engine.analysis.functions import bump_beside, target_weights, terms_of_a_sum
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.engine.models.sampling import LineSample, followed
from kernelviz.scene.curve.parts import bumps_of, outlines
from kernelviz.scene.figure.glyphs import rings_of
from kernelviz.scene.plane.picture import Picture, picture_of_data, touched, with_held_out
from kernelviz.scene.wording import readable
from kernelviz.session.view import ViewRange

STRAIGHT = 1e-4  # Shares of the view's height that no eye sees.
FEW = 16  # Vertices that are not worth looking at.
ROUNDS, WORTH = 6, 0.9  # How often they are looked at: as long as more than a tenth of them goes.
FAR = 1e6  # Times the height of the view: what is farther off leaves it as steeply to the eye.


def within(xy: Array, low: float, high: float) -> list[Array]:
    """Return the pieces of a polyline between two heights, cut where it crosses them. It is broken at
    undefined values."""
    y = xy[:, 1]
    if y.min(initial=low) >= low and y.max(initial=high) <= high:
        return [xy] if len(xy) > 1 else []
    reach = FAR * (high - low)
    xy = _crossed(_crossed(np.column_stack([xy[:, 0], np.clip(y, low - reach, high + reach)]), low), high)
    inside = (xy[:, 1] >= low) & (xy[:, 1] <= high)  # NaN compares false
    turns = [0, *(np.flatnonzero(np.diff(inside)) + 1).tolist(), len(xy)]
    first = 0 if inside[0] else 1
    pieces = zip(turns[first::2], turns[first + 1 :: 2], strict=False)
    return [xy[begin:end] for begin, end in pieces if end - begin > 1]


def straightened(xy: Array, width: float, height: float) -> Array:
    """Return the same polyline to the eye with fewer vertices: every second one that lies on the chord of its
    neighbours is dropped, several times over. A thick pen costs by the vertex."""
    for _ in range(ROUNDS):
        before = len(xy)
        if before < FEW:
            break
        unit = xy / (width, height)
        left, here, right = unit[:-2:2], unit[1:-1:2], unit[2::2]
        share = (here[:, 0] - left[:, 0]) / np.maximum(right[:, 0] - left[:, 0], 1e-300)
        off = np.abs(here[:, 1] - left[:, 1] - share * (right[:, 1] - left[:, 1]))
        kept = np.ones(before, dtype=bool)
        kept[1:-1:2] = ~(off < STRAIGHT)
        xy = xy[kept]
        if len(xy) > WORTH * before:
            break
    return xy


def area(lower: Array, upper: Array, low: float, high: float) -> Array:
    """Return the outline of the area between two curves, cut off at two heights."""
    there, back = (_cut_off(edge[np.isfinite(edge[:, 1])], low, high) for edge in (lower, upper))
    return np.concatenate([there, back[::-1]])


def _cut_off(xy: Array, low: float, high: float) -> Array:
    """Return a curve that runs along a height where it would cross it."""
    xy = _crossed(_crossed(xy, low), high)
    return np.column_stack([xy[:, 0], np.clip(xy[:, 1], low, high)])


def _crossed(xy: Array, level: float) -> Array:
    """Return the rows with one more wherever a polyline crosses a level."""
    off = xy[:, 1] - level
    with np.errstate(over="ignore", invalid="ignore"):
        cross = np.flatnonzero(off[:-1] * off[1:] < 0)
        if not len(cross):
            return xy
        share = off[cross] / (off[cross] - off[cross + 1])
        at = xy[cross] + share[:, None] * (xy[cross + 1] - xy[cross])
    at[:, 1] = level
    return np.insert(xy, cross + 1, at, axis=0)


DRAWS, SEED = 6, 0  # Functions drawn, always with the same random numbers.
NODES_OF_DRAWS = 161  # Each needs the factor of a matrix of so many rows.


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
    fit: int = 0  # Which of several fits it shows.

    @property
    def view(self) -> ViewRange:
        return self.points.view

    def inside(self, x: Array, y: Array) -> list[Array]:
        """Return the visible pieces of a curve."""
        return self._seen(np.column_stack([x, y]))

    def _seen(self, xy: Array) -> list[Array]:
        return within(xy, self.view.bottom, self.view.top)

    @cached_property
    def curve(self) -> list[Array]:
        return self._seen(self._straightened(self.sample.s))

    def _straightened(self, y: Array) -> Array:
        """Return a curve over the nodes with as few of them as it needs."""
        view = self.view
        return straightened(
            np.column_stack([self.sample.x, y]), view.right - view.left, view.top - view.bottom
        )

    @cached_property
    def band(self) -> Band | None:
        """Return the tube s ± ε inside which a residual costs nothing, or s ± 2 standard deviations."""
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
        """Return the function from which the targets were drawn, where it is known."""
        line = self.sample.line
        if (origin := line.origin) is None or origin.truth(np.zeros(1)) is None:
            return []
        return self.inside(*followed(line, lambda x: np.asarray(origin.truth(x)), line.nodes()))

    @cached_property
    def draws(self) -> list[Array]:
        """Return functions drawn from the posterior."""
        return self._drawn(prior=False)

    @cached_property
    def prior(self) -> list[Array]:
        """Return functions drawn from the prior."""
        return self._drawn(prior=True)

    def _drawn(self, prior: bool) -> list[Array]:
        """Return random functions, at the same places whatever the data: otherwise they would jump during a
        drag."""
        x = self.sample.line.nodes(count=NODES_OF_DRAWS)
        drawn = self.model.draws(x[:, None], DRAWS, SEED, prior=prior)
        return [] if drawn is None else [piece for y in drawn for piece in self.inside(x, y)]

    @cached_property
    def bumps(self) -> list[Array]:
        """Return beta_i K(x_i, x) for every point, from the level b up."""
        level = self.model.b or 0.0
        drawn = outlines(self.model, self.sample.line, level)
        return self.inside(drawn[:, 0], level + drawn[:, 1])

    def bump(self, points: Sequence[int]) -> list[Array]:
        """Return the bumps of single points, as finely as the curve."""
        x, level = self.sample.x, self.model.b or 0.0
        return [piece for bump in bumps_of(self.model, x, points) for piece in self.inside(x, level + bump)]

    def target_weights(self, point: int) -> Array | None:
        """Return how much each target weighs in s(x) at a point, s(x) = Σᵢ wᵢ yᵢ; None where s is no such
        sum."""
        weights = target_weights(self.model, self.model.problem.X[[point]])
        return None if weights is None else weights[0]

    @cached_property
    def terms(self) -> dict[str, list[Array]]:
        """Return the summands of the kernel as curves, by their names."""
        x = self.sample.x
        terms = terms_of_a_sum(self.model, x[:, None])
        return {readable(part): self.inside(x, values) for part, values in terms}

    @cached_property
    def raised(self) -> list[Array]:
        """Return s + u, with a bump u that is orthogonal to all points."""
        bump, x = bump_beside(self.model.algorithm, self.model.problem), self.sample.x
        if bump is None or not isinstance(self.model, KernelModel):
            return []
        return self.inside(x, self.sample.s + bump(x[:, None]))

    @cached_property
    def residuals(self) -> list[Array]:
        """Return vertical lines from every point to the curve."""
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
    """Return the picture of a fitted model along the view, with frames around the points that its last step
    changed."""
    points = picture_of_data(model.problem.data, view, shown=shown)
    points = replace(points, rings=rings_of(model), marks=model.marks())
    return CurvePicture(model, sample, with_held_out(touched(points, changed), held_out))
