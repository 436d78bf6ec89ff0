"""Data sets of Gaussian clouds: separable, overlapping, and mixtures.

Where the densities of both classes are known, so is the Bayes error ∫ min(density of −, density of +)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.params import integer, real
from kernelviz.engine.datasets.base import (
    GaussianClasses,
    SeededDataSet,
    noise_of,
    points,
    shares,
    two_classes,
    with_labels,
)

NORMAL = np.array([0.8, 0.6])  # Unit normal of the line through the origin that the clouds keep away from.


@dataclass(frozen=True)
class Gaussians(GaussianClasses):
    """N(+m, s² I) against N(-m, s² I) with |2m| = distance and s = noise."""

    name = "gaussians"
    title = "Two Gaussians"
    summary_line = (
        "Two round clouds that overlap: every boundary makes mistakes, and a straight line is best."
    )
    family = "For a line"
    place = 1

    distance: float = real(2.0, low=0.0, high=10.0, soft=(0.0, 5.0), help="Distance between the two means")
    noise: float = real(0.7, low=0.0, high=5.0, soft=(0.0, 2.0), help="Standard deviation of each cloud")

    def clouds(self) -> tuple[Array, Array, float]:
        mean = 0.5 * self.distance * np.array([[0.8, 0.6]])
        return -mean, mean, self.noise

    def draw(self, rng: np.random.Generator) -> Data:
        mean = 0.5 * self.distance * np.array([0.8, 0.6])
        plus, minus = shares(self.n)
        return two_classes(
            self.noise * rng.standard_normal((plus, 2)) + mean,
            self.noise * rng.standard_normal((minus, 2)) - mean,
        )


@dataclass(frozen=True)
class Blobs(SeededDataSet):
    """One Gaussian cloud per class, the centres evenly on a circle of radius 1.5."""

    name = "blobs"
    title = "Blobs"
    summary_line = "One cloud for each of two or more classes."
    family = "Several classes"
    place = 2

    n: int = points(120, low=8)
    classes: int = integer(3, low=2, high=8, help="Number of classes")
    noise: float = noise_of(0.45)

    def draw(self, rng: np.random.Generator) -> Data:
        return self._around(rng.uniform(), rng)

    def draw_fresh(self, larger: Self, rng: np.random.Generator) -> Data:
        return larger._around(self._stream().uniform(), rng)

    def _around(self, start: float, rng: np.random.Generator) -> Data:
        """Return clouds around centres of which the first is that part of a turn away from the x1 axis."""
        turn = 2 * np.pi * (np.arange(self.classes) / self.classes + start)
        centres = 1.5 * np.column_stack([np.cos(turn), np.sin(turn)])
        clouds = [
            centre + self.noise * rng.standard_normal((count, 2))
            for centre, count in zip(centres, shares(self.n, self.classes), strict=True)
        ]
        names = ["+", "-"] if self.classes == 2 else list("ABCDEFGH"[: self.classes])
        return with_labels(clouds, names)


@dataclass(frozen=True)
class Mixture(GaussianClasses):
    """A class has centres from N(±(1/2, -1/2), I); its points are N(one of its centres, variance I)."""

    name = "mixture"
    title = "Mixture (ESL)"
    summary_line = (
        "Two classes of many small clouds each: the best boundary is crooked, and even it makes mistakes."
    )
    family = "For a curve"
    place = 8

    n: int = points(200)
    centres: int = integer(10, low=1, high=50, soft=(1, 20), help="Centres of each class")
    variance: float = real(0.2, low=0.0, high=5.0, soft=(0.0, 1.0), help="Variance around each centre")

    def clouds(self) -> tuple[Array, Array, float]:
        (plus, _), (minus, _) = self._clouds(self._stream())
        return minus, plus, float(np.sqrt(self.variance))

    def draw(self, rng: np.random.Generator) -> Data:
        (_, plus), (_, minus) = self._clouds(rng)
        return two_classes(plus, minus)

    def draw_fresh(self, larger: Self, rng: np.random.Generator) -> Data:
        (around_plus, _), (around_minus, _) = self._clouds(self._stream())
        plus, minus = shares(larger.n)
        return two_classes(self._around(around_plus, plus, rng), self._around(around_minus, minus, rng))

    def _clouds(self, rng: np.random.Generator) -> list[tuple[Array, Array]]:
        """Return for + and for -: the centres and the points around them."""
        clouds = []
        for side, count in zip((1.0, -1.0), shares(self.n), strict=True):
            centres = side * np.array([0.5, -0.5]) + rng.standard_normal((self.centres, 2))
            clouds.append((centres, self._around(centres, count, rng)))
        return clouds

    def _around(self, centres: Array, count: int, rng: np.random.Generator) -> Array:
        chosen = centres[rng.integers(len(centres), size=count)]
        return np.asarray(chosen + np.sqrt(self.variance) * rng.standard_normal((count, 2)))


@dataclass(frozen=True)
class BarelySeparable(SeededDataSet):
    """Two clouds with an empty strip of width `gap` along a slanted line between them."""

    name = "barely_separable"
    title = "Barely separable"
    summary_line = "A line separates the classes, with hardly any room: the hard margin is small."
    family = "For a line"
    place = 2

    n: int = points(80)
    gap: float = real(0.15, low=1e-3, high=3.0, soft=(0.01, 1.0), help="Width of the empty strip")

    def draw(self, rng: np.random.Generator) -> Data:
        return two_classes(*clouds_apart(rng, self.n, self.gap))


def clouds_apart(rng: np.random.Generator, n: int, gap: float) -> tuple[Array, Array]:
    """Return (plus, minus): every point at least gap/2 from the line on its own side, the nearest exactly
    there."""
    along = np.array([-NORMAL[1], NORMAL[0]])
    sides = []
    for side, count in zip((1.0, -1.0), shares(n), strict=True):
        distance = np.abs(rng.standard_normal(count)) * 0.7
        distance += 0.5 * gap - distance.min()
        sides.append(side * distance[:, None] * NORMAL + 0.8 * rng.standard_normal((count, 1)) * along)
    return sides[0], sides[1]


@dataclass(frozen=True)
class JustNotSeparable(SeededDataSet):
    """Like barely_separable, but one + sits in the middle of the three - points nearest to the line.

    It is a convex combination of - points, so no line can cut it off."""

    name = "just_not_separable"
    title = "Just not separable"
    summary_line = "A single + among the - is enough: the hard margin has no solution, a soft one does."
    family = "For a line"
    place = 3

    n: int = points(80, low=8)
    gap: float = real(0.15, low=1e-3, high=3.0, soft=(0.01, 1.0), help="Width of the strip between the rest")

    def draw(self, rng: np.random.Generator) -> Data:
        plus, minus = clouds_apart(rng, self.n, self.gap)
        nearest = np.argsort(-(minus @ NORMAL), kind="stable")[:3]
        plus[np.argmin(plus @ NORMAL)] = minus[nearest].mean(axis=0)
        return two_classes(plus, minus)


@dataclass(frozen=True)
class Returning(SeededDataSet):
    """Whole numbers of earlier visits (mean about 3) and ages in tens of years; 1 with the probability
    1/(1 + exp(-t)), t = 0.45 visits - 0.9 (age - 3.5) - 1.2."""

    name = "returning"
    title = "Returning or not"
    summary_line = "Counts of visits, ages, and an outcome 0 or 1 that depends on them and on chance."
    family = "For a line"
    place = 4

    n: int = points(200)

    def draw(self, rng: np.random.Generator) -> Data:
        visits = np.minimum(np.floor(rng.exponential(3.5, self.n)), 9.0)
        age = np.minimum(18.0 + np.floor(rng.gamma(2.0, 8.0, self.n)), 80.0) / 10.0
        X = np.column_stack([visits, age])
        outcome = rng.uniform(size=self.n) < self._chance(X)
        outcome[:2] = False, True  # both outcomes occur, however few points there are
        return Data.labelled(X, outcome.astype(int), ["visits", "age/10"])

    def class_densities(self, X: Array) -> tuple[Array, Array]:
        """Return the probabilities of 0 and 1 where the inputs are X: their ratio decides."""
        chance = self._chance(X)
        return 1.0 - chance, chance

    def bayes_error(self) -> float:
        """Sum over all inputs, whose two numbers are independent of each other."""
        visits, years = np.arange(10.0), np.arange(63.0)
        beyond = np.exp(-visits / 3.5)  # the probability of at least this number
        t = years / 8.0
        older = (1.0 + t) * np.exp(-t)  # of a gamma distribution with shape 2
        chances = [np.append(-np.diff(tail), tail[-1]) for tail in (beyond, older)]
        X = np.stack(np.meshgrid(visits, (18.0 + years) / 10.0, indexing="ij"), axis=-1).reshape(-1, 2)
        chance = self._chance(X)
        return float(np.outer(*chances).ravel() @ np.minimum(chance, 1.0 - chance))

    def _chance(self, X: Array) -> Array:
        """Return the probability of outcome 1 at each row of X."""
        return np.asarray(1.0 / (1.0 + np.exp(-(0.45 * X[:, 0] - 0.9 * (X[:, 1] - 3.5) - 1.2))))
