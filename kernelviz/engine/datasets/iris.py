"""Iris: 150 flowers of three species, two of their four measurements.

The table is part of the source, in millimetres, for use without a network or scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.core.data import Data
from kernelviz.engine.core.params import choice
from kernelviz.engine.datasets.base import DataSet, with_labels

MEASUREMENTS = ("sepal_length", "sepal_width", "petal_length", "petal_width")
SPECIES = {
    "all": ("setosa", "versicolor", "virginica"),
    "setosa_versicolor": ("setosa", "versicolor"),
    "setosa_virginica": ("setosa", "virginica"),
    "versicolor_virginica": ("versicolor", "virginica"),
}

# Millimetres, one row per measurement in the order above, fifty flowers of each species.
FLOWERS = {
    "setosa": """
        51 49 47 46 50 54 46 50 44 49 54 48 48 43 58 57 54 51 57 51 54 51 46 51 48
        50 50 52 52 47 48 54 52 55 49 50 55 49 44 51 50 45 44 50 51 48 51 46 53 50
        35 30 32 31 36 39 34 34 29 31 37 34 30 30 40 44 39 35 38 38 34 37 36 33 34
        30 34 35 34 32 31 34 41 42 31 32 35 36 30 34 35 23 32 35 38 30 38 32 37 33
        14 14 13 15 14 17 14 15 14 15 15 16 14 11 12 15 13 14 17 15 17 15 10 17 19
        16 16 15 14 16 16 15 15 14 15 12 13 14 13 15 13 13 13 16 19 14 16 14 15 14
        2 2 2 2 2 4 3 2 2 1 2 2 1 1 2 4 4 3 3 3 2 4 2 5 2
        2 4 2 2 2 2 4 1 2 2 2 2 1 2 2 3 3 2 6 4 3 2 2 2 2
    """,
    "versicolor": """
        70 64 69 55 65 57 63 49 66 52 50 59 60 61 56 67 56 58 62 56 59 61 63 61 64
        66 68 67 60 57 55 55 58 60 54 60 67 63 56 55 55 61 58 50 56 57 57 62 51 57
        32 32 31 23 28 28 33 24 29 27 20 30 22 29 29 31 30 27 22 25 32 28 25 28 29
        30 28 30 29 26 24 24 27 27 30 34 31 23 30 25 26 30 26 23 27 30 29 29 25 28
        47 45 49 40 46 45 47 33 46 39 35 42 40 47 36 44 45 41 45 39 48 40 49 47 43
        44 48 50 45 35 38 37 39 51 45 45 47 44 41 40 44 46 40 33 42 42 42 43 30 41
        14 15 15 13 15 13 16 10 13 14 10 15 10 14 13 14 15 10 15 11 18 13 15 12 13
        14 14 17 15 10 11 10 12 16 15 16 15 13 13 13 12 14 12 10 13 12 13 13 11 13
    """,
    "virginica": """
        63 58 71 63 65 76 49 73 67 72 65 64 68 57 58 64 65 77 77 60 69 56 77 63 67
        72 62 61 64 72 74 79 64 63 61 77 63 64 60 69 67 69 58 68 67 67 63 65 62 59
        33 27 30 29 30 30 25 29 25 36 32 27 30 25 28 32 30 38 26 22 32 28 28 27 33
        32 28 30 28 30 28 38 28 28 26 30 34 31 30 31 31 31 27 32 33 30 25 30 34 30
        60 51 59 56 58 66 45 63 58 61 51 53 55 50 51 53 55 67 69 50 57 49 67 49 57
        60 48 49 56 58 61 64 56 51 56 61 56 55 48 54 56 51 51 59 57 52 50 52 54 51
        25 19 21 18 22 21 17 18 18 25 20 19 21 20 24 23 18 22 23 15 23 20 20 18 21
        18 18 18 21 16 19 20 22 15 14 23 24 18 18 21 24 23 19 23 25 23 19 20 23 18
    """,
}


@dataclass(frozen=True)
class Iris(DataSet):
    """Fisher's and Anderson's measurements in centimetres, as they are."""

    name = "iris"
    title = "Iris"
    summary_line = "Real flowers: one species apart, two that overlap."
    family = "Several classes"
    place = 3

    first: str = choice("petal_length", MEASUREMENTS, label="across", help="Measurement drawn as x1")
    second: str = choice("petal_width", MEASUREMENTS, label="up", help="Measurement drawn as x2")
    classes: str = choice("versicolor_virginica", tuple(SPECIES), label="species", help="Which species")

    def make(self) -> Data:
        chosen = [MEASUREMENTS.index(self.first), MEASUREMENTS.index(self.second)]
        species = SPECIES[self.classes]
        tables = [np.array(FLOWERS[s].split(), dtype=np.float64).reshape(4, 50) for s in species]
        names = [f"{name.replace('_', ' ')} (cm)" for name in (self.first, self.second)]
        return with_labels([table[chosen].T / 10.0 for table in tables], species, names)
