"""The base of data sets: declared parameters (n, noise, seed, …) and one method that draws the points.

A data set is a distribution: it can draw fresh points to test on, and some know the densities of their
classes, the smallest error that any classifier can have, or the function that their targets were drawn
around."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.params import Declared, integer, random_seed, real


@dataclass(frozen=True)
class DataSet(Declared):
    """A toy data set; the same parameters give the same points on every machine.

    A subclass declares its parameters and implements `make`. Most draw at random and are `SeededDataSet`s."""

    # The workspace that offers it: the plane's are inputs in one or two columns with classes.
    shown_in: ClassVar[str] = "plane"

    @abstractmethod
    def make(self) -> Data:
        """Draw the points."""

    def fresh(self, count: int, which: int = 0) -> Data | None:
        """Return other points of the same distribution, always the same ones, or None if none is known.
        which: the number of the sample; samples of different numbers are independent."""
        return None

    def class_densities(self, X: Array) -> tuple[Array, Array] | None:
        """Return the densities of − and of + at every row of X, each times the share of its class, or None
        where they are not known."""
        return None

    def bayes_error(self) -> float | None:
        """Return the smallest error that any classifier can have, ∫ min(density of −, density of +), or None
        where the densities are not known."""
        return None

    def truth(self, x: Array) -> Array | None:
        """Return the function of one input that the targets were drawn around, or None if there is none."""
        return None


def points(default: int, low: int = 2) -> Any:
    """Declare n, the number of points, with a default and the smallest number that makes sense."""
    return integer(
        default, low=low, high=5000, soft=(max(low, 10), 500), label="n", help="Number of points in all"
    )


def noise_of(default: float, help: str = "Standard deviation of the noise added to each coordinate") -> Any:
    """Declare the noise level."""
    return real(default, low=0.0, high=5.0, soft=(0.0, 1.0), label="noise", help=help)


@dataclass(frozen=True)
class SeededDataSet(DataSet):
    """A data set drawn at random from a declared seed (PCG64, the same stream everywhere).

        @dataclass(frozen=True)
        class Coins(SeededDataSet):
            name, title, family = "coins", "Coins", "For a line"
            summary_line = "Two normal clouds."
            n: int = points(80)

            def draw(self, rng):
                plus, minus = shares(self.n)
                return two_classes(1 + rng.standard_normal((plus, 2)), rng.standard_normal((minus, 2)))

    A subclass may declare `n` with another number of points, and parameters of its own, which come between n
    and the seed."""

    n: int = points(100)
    seed: int = random_seed("Another seed, other points", last=True)

    def make(self) -> Data:
        return self.draw(self._stream())

    @abstractmethod
    def draw(self, rng: np.random.Generator) -> Data:
        """Draw the points with this generator."""

    def fresh(self, count: int, which: int = 0) -> Data | None:
        fresh = 1  # The stream of a seed that fresh points are drawn from.
        stream = self._stream(fresh, which) if which else self._stream(fresh)
        return self.draw_fresh(replace(self, n=count), stream)

    def draw_fresh(self, larger: Self, rng: np.random.Generator) -> Data:
        """Draw other points of the same distribution with this generator. larger: the same data set with
        as many points as wanted. Values that a data set draws once and keeps, such as centres, stay."""
        return larger.draw(rng)

    def _stream(self, *which: int) -> np.random.Generator:
        """Return the stream of the seed, or another one that belongs to it."""
        return np.random.Generator(np.random.PCG64([self.seed, *which] if which else self.seed))


@dataclass(frozen=True)
class GaussianClasses(SeededDataSet):
    """A data set of two classes of the same size, each a mixture of Gaussian clouds of one width."""

    @abstractmethod
    def clouds(self) -> tuple[Array, Array, float]:
        """Return the centres of −, the centres of +, and the standard deviation around them."""

    def class_densities(self, X: Array) -> tuple[Array, Array] | None:
        minus, plus, spread = self.clouds()
        if spread == 0.0:
            return None
        return _mixture(X, minus, spread), _mixture(X, plus, spread)

    def bayes_error(self) -> float | None:
        """Integrate by the trapezoidal rule, as far as eight standard deviations around the centres."""
        minus, plus, spread = self.clouds()
        if spread == 0.0:
            return None
        centres = np.concatenate([minus, plus])
        low, high = centres.min(axis=0) - 8.0 * spread, centres.max(axis=0) + 8.0 * spread
        integration = 500  # Nodes along each axis of a numerical integral.
        x1, x2 = (np.linspace(a, b, integration) for a, b in zip(low, high, strict=True))
        nodes = np.stack(np.meshgrid(x1, x2), axis=-1).reshape(-1, 2)
        least = np.minimum(_mixture(nodes, minus, spread), _mixture(nodes, plus, spread))
        inner = np.trapezoid(least.reshape(len(x2), len(x1)), x1, axis=1)
        return float(np.trapezoid(inner, x2))


def _mixture(X: Array, centres: Array, spread: float) -> Array:
    """Return half the density of a mixture of equal Gaussian clouds in the plane."""
    found = np.zeros(len(X))
    for centre in centres:
        found += np.exp(-np.square(X - centre).sum(axis=1) / (2.0 * spread**2))
    return found / (len(centres) * 4.0 * np.pi * spread**2)


def noise_in_y(default: float) -> Any:
    """Declare the noise level of a curve."""
    return noise_of(default, "Standard deviation of the noise added to y")


@dataclass(frozen=True)
class CurveDataSet(SeededDataSet):
    """y = f(x) + noise at inputs drawn at random, for regression on a line.

    A subclass defines f by `truth`, and may declare `noise` with another level."""

    shown_in = "curve"
    reach: ClassVar[float] = 2.0  # The inputs are uniform from -reach to +reach.

    noise: float = noise_in_y(0.1)

    @abstractmethod
    def truth(self, x: Array) -> Array:
        """Return f(x), elementwise."""

    def inputs(self, rng: np.random.Generator, n: int) -> Array:
        """Draw the inputs."""
        return rng.uniform(-self.reach, self.reach, n)

    def draw(self, rng: np.random.Generator) -> Data:
        x = self.inputs(rng, self.n)
        y = self.truth(x) + self.noise * rng.standard_normal(self.n)
        return Data.regression(x[:, None], y, ["x"])


def shares(n: int, classes: int = 2) -> list[int]:
    """Return n split as evenly as possible, the earlier classes taking the remainder."""
    return [(n + classes - 1 - k) // classes for k in range(classes)]


def two_classes(plus: Array, minus: Array, columns: Sequence[str] = ()) -> Data:
    """Return points of the classes + and -, each (m, 2) or (m, 1), alternating."""
    return with_labels([plus, minus], ["+", "-"], columns)


def with_labels(groups: Sequence[Array], names: Sequence[str], columns: Sequence[str] = ()) -> Data:
    """Return points of several classes in turn, so that an algorithm that sweeps in order meets all of
    them."""
    order, labels = _in_turn(groups, names)
    return signed(Data.labelled(np.concatenate(groups)[order], labels, columns))


def strings_of(groups: Sequence[Sequence[str]], names: Sequence[str]) -> Data:
    """Return strings of several classes in turn."""
    order, labels = _in_turn(groups, names)
    texts = [text for group in groups for text in group]
    return signed(Data.labelled([texts[i] for i in order], labels, ["text"]))


def _in_turn(groups: Sequence[Sequence[Any] | Array], names: Sequence[str]) -> tuple[Indices, list[str]]:
    """Return the order in which the members of the groups come in turn, and their names in it."""
    rank = np.concatenate([np.arange(len(group)) for group in groups])
    order = np.argsort(rank, kind="stable")
    labels = [name for group, name in zip(groups, names, strict=True) for _ in range(len(group))]
    return order, [labels[i] for i in order]


def signed(data: Data) -> Data:
    """Return the data with -1 and +1 as the labels that - and + stand for."""
    return replace(data, labels=(-1.0, 1.0)) if data.class_names == ("-", "+") else data


def in_disc(rng: np.random.Generator, n: int, radius: float) -> Array:
    """Return n points uniform in the disc of that radius around the origin, (n, 2)."""
    turn = rng.uniform(0.0, 2 * np.pi, n)
    r = radius * np.sqrt(rng.uniform(0.0, 1.0, n))
    return np.column_stack([r * np.cos(turn), r * np.sin(turn)])
