"""Data sets of two classes with a shape in the plane or on a line, one of them with a category column."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.params import integer, real
from kernelviz.engine.datasets.base import (
    DataSet,
    SeededDataSet,
    in_disc,
    noise_of,
    points,
    shares,
    signed,
    two_classes,
)

# The square has twice the area of the unit disc, so that half of its points are in the disc.
HALF_SIDE = float(np.sqrt(np.pi / 2))


@dataclass(frozen=True)
class ThreePoints(DataSet):
    """(0, -1) and (1, -1) are -, (1, 1) is +: small enough to calculate everything by hand."""

    name = "three_points"
    title = "Three points"
    summary_line = "Three points whose kernel values one can work out by hand."
    family = "For a line"
    place = 0

    def make(self) -> Data:
        return signed(Data.labelled([[0.0, -1.0], [1.0, 1.0], [1.0, -1.0]], ["-", "+", "-"]))


@dataclass(frozen=True)
class Xor(SeededDataSet):
    """Clouds around (±1, ±1); + where exactly one of the two coordinates is positive."""

    name = "xor"
    title = "XOR"
    summary_line = "Four clouds on the corners of a square, opposite corners alike."
    family = "For a curve"
    place = 4

    noise: float = noise_of(0.35)

    def draw(self, rng: np.random.Generator) -> Data:
        def cloud(count: int, sign: int) -> Array:
            first = np.where(np.arange(count) % 2 == 0, 1.0, -1.0)
            corners = np.column_stack([first, sign * first])
            return corners + self.noise * rng.standard_normal((count, 2))

        plus, minus = shares(self.n)
        return two_classes(cloud(plus, -1), cloud(minus, +1))


@dataclass(frozen=True)
class XorLine(SeededDataSet):
    """+ uniform on |x1| <= 1 - gap/2, - uniform on 1 + gap/2 <= |x1| <= 2; x2, if any, is only jitter."""

    name = "xor_line"
    title = "XOR on a line"
    summary_line = "One input decides: - at both ends, + between. Adding x² makes it a straight cut."
    family = "For a curve"
    place = 5

    n: int = points(40)
    gap: float = real(0.4, low=0.0, high=1.5, label="gap", help="Empty stretch between the classes")
    jitter: float = real(
        0.0, low=0.0, high=1.0, label="jitter", help="Standard deviation of x2, which says nothing"
    )
    inputs: int = integer(
        2,
        low=1,
        high=2,
        label="inputs",
        help="1 leaves out x2, so that x² can be its height",
        silent=True,
        last=True,
    )

    def draw(self, rng: np.random.Generator) -> Data:
        def off_the_line(x: Array) -> Array:
            if self.inputs == 1:
                return x[:, None]
            return np.column_stack([x, self.jitter * rng.standard_normal(len(x))])

        plus, minus = shares(self.n)
        edge = 0.5 * self.gap
        middle = rng.uniform(edge - 1.0, 1.0 - edge, plus)
        ends = np.where(np.arange(minus) % 2 == 0, 1.0, -1.0) * rng.uniform(1.0 + edge, 2.0, minus)
        return two_classes(off_the_line(middle), off_the_line(ends))


@dataclass(frozen=True)
class Moons(SeededDataSet):
    """Two interleaved half circles of radius 1.2, turned about their common centre."""

    name = "moons"
    title = "Moons"
    summary_line = "Two half circles that reach into each other."
    family = "For a curve"
    place = 2

    n: int = points(120)
    noise: float = noise_of(0.15)

    def draw(self, rng: np.random.Generator) -> Data:
        upper, lower = (np.linspace(0.0, np.pi, count) for count in shares(self.n))
        plus = 1.2 * np.column_stack([np.cos(upper) - 0.5, np.sin(upper) - 0.25])
        minus = 1.2 * np.column_stack([0.5 - np.cos(lower), 0.25 - np.sin(lower)])
        return two_classes(
            plus + self.noise * rng.standard_normal(plus.shape),
            minus + self.noise * rng.standard_normal(minus.shape),
        )


@dataclass(frozen=True)
class Rings(SeededDataSet):
    """+ uniform in a disc of radius 0.7, - on a ring of radius 1.6, both blurred by noise."""

    name = "rings"
    title = "Rings (bull's eye)"
    summary_line = "A disc of + inside a ring of -: no line separates them, a circle does."
    family = "For a curve"
    place = 1

    n: int = points(120)
    noise: float = noise_of(0.12)

    def draw(self, rng: np.random.Generator) -> Data:
        inner, outer = shares(self.n)
        turn = rng.uniform(0.0, 2 * np.pi, outer)
        disc = in_disc(rng, inner, 0.7)
        ring = 1.6 * np.column_stack([np.cos(turn), np.sin(turn)])
        return two_classes(
            disc + self.noise * rng.standard_normal((inner, 2)),
            ring + self.noise * rng.standard_normal((outer, 2)),
        )


@dataclass(frozen=True)
class Spirals(SeededDataSet):
    """r = 2t at angle 2π · turns · t for t from 0.1 to 1; the other class is the same, turned by half."""

    name = "spirals"
    title = "Spirals"
    summary_line = "Two arms wound around each other: needs a narrow kernel."
    family = "For a curve"
    place = 6

    n: int = points(160)
    turns: float = real(1.25, low=0.1, high=5.0, soft=(0.25, 3.0), help="Number of turns of each arm")
    noise: float = noise_of(0.05)

    def draw(self, rng: np.random.Generator) -> Data:
        arms = []
        for side, count in zip((1.0, -1.0), shares(self.n), strict=True):
            # Equal steps in t² spread the points evenly along the arm.
            t = np.sqrt(np.linspace(0.01, 1.0, count))
            turn = 2 * np.pi * self.turns * t
            arm = side * 2.0 * t[:, None] * np.column_stack([np.cos(turn), np.sin(turn)])
            arms.append(arm + self.noise * rng.standard_normal(arm.shape))
        return two_classes(*arms)


@dataclass(frozen=True)
class Checkerboard(SeededDataSet):
    """Uniform on [-2, 2]²; + on the fields whose row and column add up to an even number."""

    name = "checkerboard"
    title = "Checkerboard"
    summary_line = "XOR many times over: the classes alternate from field to field."
    family = "For a curve"
    place = 7

    n: int = points(200)
    cells: int = integer(3, low=2, high=10, soft=(2, 6), label="fields", help="Fields along each side")
    noise: float = noise_of(0.0, "Shifts the points after they are labelled: blurs the fields")

    def draw(self, rng: np.random.Generator) -> Data:
        fields = np.stack(np.meshgrid(np.arange(self.cells), np.arange(self.cells)), axis=-1).reshape(-1, 2)
        side = 4.0 / self.cells

        def on(parity: int, count: int) -> Array:
            mine = fields[fields.sum(axis=1) % 2 == parity]
            corner = mine[rng.integers(len(mine), size=count)]
            place = side * (corner + rng.uniform(0.0, 1.0, (count, 2))) - 2.0
            return np.asarray(place + self.noise * rng.standard_normal((count, 2)))

        plus, minus = shares(self.n)
        return two_classes(on(0, plus), on(1, minus))


@dataclass(frozen=True)
class CircleInSquare(SeededDataSet):
    """Uniform in a square; + where x1² + x2² <= 1, - otherwise. Noise comes after labelling."""

    name = "circle_in_square"
    title = "Circle in a square"
    summary_line = "Uniform points, + inside the unit circle: a straight cut once x1² + x2² is a feature."
    family = "For a curve"
    place = 3

    n: int = points(150)
    noise: float = noise_of(0.0, "Shifts the points after they are labelled: blurs the circle")

    def draw(self, rng: np.random.Generator) -> Data:
        inside, outside = shares(self.n)
        disc, rest = in_disc(rng, inside, 1.0), np.empty((0, 2))
        while len(rest) < outside:  # uniform in the square without the disc, by rejection
            drawn = rng.uniform(-HALF_SIDE, HALF_SIDE, (2 * outside + 10, 2))
            rest = np.concatenate([rest, drawn[np.square(drawn).sum(axis=1) > 1.0]])
        rest = rest[:outside]
        return two_classes(
            disc + self.noise * rng.standard_normal(disc.shape),
            rest + self.noise * rng.standard_normal(rest.shape),
        )


@dataclass(frozen=True)
class Colours(SeededDataSet):
    """Points of three colours in a square, each with a straight boundary that is turned from colour to
    colour."""

    name = "colours"
    title = "Colours"
    summary_line = "Three colours, each with a boundary of its own that is turned from one to the next."
    family = "Categories"
    place = 41
    shown_in = "categories"

    n: int = points(150, low=10)
    turn: float = real(45.0, low=0.0, high=90.0, help="Degrees by which the boundary turns between colours")
    noise: float = noise_of(0.3, "Standard deviation of the noise added to the distance from the boundary")

    def draw(self, rng: np.random.Generator) -> Data:
        colours = ("blue", "green", "red")
        codes = np.arange(self.n) % len(colours)
        X = rng.uniform(-1.5, 1.5, (self.n, 2))
        angle = np.deg2rad(self.turn) * codes
        distance = (
            X[:, 0] * np.cos(angle) + X[:, 1] * np.sin(angle) + self.noise * rng.standard_normal(self.n)
        )
        labels = np.where(distance > np.median(distance), "+", "-")
        data = Data.labelled(np.column_stack([X, codes]), labels, ["x1", "x2", "colour"])
        return signed(data).with_categories(colours)
