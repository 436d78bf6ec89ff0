"""Widths: the names they go by, and the median heuristic."""

from __future__ import annotations

from functools import lru_cache
from math import sqrt
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np

from kernelviz.engine.arrays import Array
from kernelviz.engine.params import Parameter, View, real

if TYPE_CHECKING:
    from kernelviz.engine.kernels.base import VectorKernel

__all__ = [
    "GAUSSIAN_WIDTHS",
    "clipped",
    "inverse_squared_width",
    "length_scale",
    "typical_distance",
    "with_length_of",
]

K = TypeVar("K", bound="VectorKernel")

GAUSSIAN_WIDTHS = (
    View(
        "sigma",
        "σ",
        "Width: γ = 1/(2σ²); the sigma of kernlab (R) is γ itself",
        lambda s: 1 / (2 * s * s),
        lambda g: sqrt(1 / (2 * g)),
    ),
    View(
        "l",
        "ℓ",
        "Length-scale, the same as σ",
        lambda s: 1 / (2 * s * s),
        lambda g: sqrt(1 / (2 * g)),
        aliases=("length_scale",),
    ),
    View(
        "variance",
        "σ²",
        "Squared width, γ = 1/(2σ²); some notes give this the name γ",
        lambda v: 1 / (2 * v),
        lambda g: 1 / (2 * g),
    ),
)

MEDIAN_SAMPLE = 1000


def length_scale(help: str = "Distance over which K falls off", label: str = "ℓ") -> Any:
    """A declared length-scale."""
    return real(
        1.0, low=1e-15, high=1e15, soft=(0.03, 30), scale="log", label=label, help=help, simpler="larger"
    )


def inverse_squared_width(help: str, views: tuple[View, ...] = ()) -> Any:
    """A declared γ."""
    return real(
        1.0,
        low=1e-30,
        high=1e30,
        soft=(1e-3, 1e3),
        scale="log",
        label="γ",
        help=help,
        views=views,
        simpler="smaller",
    )


def typical_distance(X: Array, power: Literal[1, 2]) -> float | None:
    """The median over i < j of sum_k |x_ik - x_jk|^power, power 1 or 2; None when all points coincide.

    Of many points an even sample is enough."""
    rows = X[:: -(-len(X) // MEDIAN_SAMPLE)] if len(X) > MEDIAN_SAMPLE else X
    return _typical(rows.tobytes(), rows.shape, power)


@lru_cache(maxsize=8)  # the parts of a composition all ask for the same points
def _typical(content: bytes, shape: tuple[int, ...], power: Literal[1, 2]) -> float | None:
    rows = np.frombuffer(content).reshape(shape)
    between: Array = np.zeros((len(rows), len(rows)))
    with np.errstate(over="ignore"):
        for column in rows.T:
            apart = np.subtract.outer(column, column)
            between += np.abs(apart, out=apart) if power == 1 else np.power(apart, power, out=apart)
    distances = between[np.tri(len(rows), k=-1, dtype=bool)]
    median = _median(distances) if len(distances) else 0.0
    if median == 0.0 and distances.any():
        median = _median(distances[distances > 0])
    return median if 0.0 < median < np.inf else None


def _median(values: Array) -> float:
    """np.median without numpy.ma, whose import alone takes longer than everything else here."""
    half = len(values) // 2
    middle = (half,) if len(values) % 2 else (half - 1, half)
    return float(np.partition(values, middle)[list(middle)].mean())


def clipped(value: float, parameter: Parameter) -> float:
    """The value, moved inside the parameter's bounds."""
    return float(min(max(value, parameter.low), parameter.high))


def with_length_of(kernel: K, X: Any) -> K:
    """The kernel with its length-scale ℓ set to sqrt(median |x_i - x_j|² / 2), the Gaussian's."""
    median = typical_distance(kernel.checked(X), 2)
    return kernel if median is None else kernel.replace(l=clipped(sqrt(median / 2), kernel.parameter("l")))
