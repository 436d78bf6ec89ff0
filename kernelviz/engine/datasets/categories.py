"""Data sets with a category column."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.core.data import Data
from kernelviz.engine.core.params import real
from kernelviz.engine.datasets.base import SeededDataSet, noise_of, points, signed

COLOURS = ("blue", "green", "red")


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
        codes = np.arange(self.n) % len(COLOURS)
        X = rng.uniform(-1.5, 1.5, (self.n, 2))
        angle = np.deg2rad(self.turn) * codes
        distance = (
            X[:, 0] * np.cos(angle) + X[:, 1] * np.sin(angle) + self.noise * rng.standard_normal(self.n)
        )
        labels = np.where(distance > np.median(distance), "+", "-")
        data = Data.labelled(np.column_stack([X, codes]), labels, ["x1", "x2", "colour"])
        return signed(data).with_categories(COLOURS)
