"""Data sets for regression: noisy points of a known function of one input, y = f(x) + noise.

f is the method `truth`, which the canvas can draw next to the fit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.params import real
from kernelviz.engine.datasets.base import CurveDataSet, noise_in_y, points


@dataclass(frozen=True)
class Sine(CurveDataSet):
    """f(x) = sin(πx) for |x| <= 2"""

    name = "sine"
    title = "Sine"
    summary_line = "Two turns of a sine wave: smooth, and a periodic kernel knows how it goes on."
    family = "Smooth curves"
    place = 1

    n: int = points(60)
    noise: float = noise_in_y(0.15)

    def truth(self, x: Array) -> Array:
        return np.sin(np.pi * x)


@dataclass(frozen=True)
class Sinc(CurveDataSet):
    """f(x) = sin(πx)/(πx) for |x| <= 4"""

    name = "sinc"
    title = "Sinc"
    summary_line = "A peak with ripples that die away: the usual test of support vector regression."
    family = "Smooth curves"
    place = 2
    reach = 4.0

    n: int = points(80)
    noise: float = noise_in_y(0.05)

    def truth(self, x: Array) -> Array:
        return np.asarray(np.sinc(x))


@dataclass(frozen=True)
class Step(CurveDataSet):
    """f(x) = -1 for x < 0, +1 from there on, |x| <= 2"""

    name = "step"
    title = "Step"
    summary_line = "A jump from -1 to +1: smooth functions round it off or overshoot on both sides."
    family = "Curves that are hard"
    place = 4

    n: int = points(60)

    def truth(self, x: Array) -> Array:
        return np.where(x < 0, -1.0, 1.0)


@dataclass(frozen=True)
class Cubic(CurveDataSet):
    """f(x) = x³/2 - x for |x| <= 2"""

    name = "cubic"
    title = "Cubic"
    summary_line = "A cubic polynomial: degree 3 fits it, a higher degree fits the noise."
    family = "Smooth curves"
    place = 3

    n: int = points(20)
    noise: float = noise_in_y(0.3)

    def truth(self, x: Array) -> Array:
        return 0.5 * x**3 - x


@dataclass(frozen=True)
class Outliers(CurveDataSet):
    """f(x) = sin(πx/2) for |x| <= 2; a share of the points lies 2 to 4 above it"""

    name = "outliers"
    title = "Outliers"
    summary_line = (
        "A sine with some points thrown far up: squares are drawn to them, absolute values are not."
    )
    family = "Curves that are hard"
    place = 5

    n: int = points(60)
    share: float = real(0.1, low=0.0, high=0.5, label="share", help="Share of the points that are thrown up")

    def truth(self, x: Array) -> Array:
        return np.sin(0.5 * np.pi * x)

    def draw(self, rng: np.random.Generator) -> Data:
        around = super().draw(rng)
        thrown = np.zeros(self.n)
        thrown[rng.permutation(self.n)[: round(self.share * self.n)]] = 1.0
        return Data.regression(around.X, around.y + thrown * rng.uniform(2.0, 4.0, self.n), around.columns)


@dataclass(frozen=True)
class Gap(CurveDataSet):
    """f(x) = sin(πx) for gap/2 <= |x| <= 2"""

    name = "gap"
    title = "Gap"
    summary_line = "A sine without any points around 0: there a Gaussian process says that it does not know."
    family = "Curves that are hard"
    place = 6

    n: int = points(40)
    gap: float = real(1.2, low=0.0, high=3.5, label="gap", help="Empty stretch around 0")

    def truth(self, x: Array) -> Array:
        return np.sin(np.pi * x)

    def inputs(self, rng: np.random.Generator, n: int) -> Array:
        side = np.where(rng.uniform(size=n) < 0.5, -1.0, 1.0)
        return np.asarray(side * rng.uniform(0.5 * self.gap, self.reach, n))
