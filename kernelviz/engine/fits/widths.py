"""Widths that are computed from the points, by a word in an expression: `rbf(gamma=median)`.

    median    the number that the median heuristic (`Kernel.scaled_to`) finds for the points: γ = 1/median of
              |x_i - x_j|² over all pairs for the Gaussian. A length-scale l is that of the same Gaussian,
              γ = 1/(2l²): the median distance over √2.
    scale     γ = 1/(p v), v the variance of all numbers in the p columns; 1 if they are all equal. It is the
              default of scikit-learn's SVC.

Other names for γ, such as sigma, take numbers only, since `sigma=median` would seem to be the median distance
itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import REAL, Declared, Viewed
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.kernels.vectors import clipped

WORDS = MEDIAN, VARIANCE = "median", "scale"
SOME_POINTS = np.array([[0.0, 0.0], [1.0, 0.5], [0.3, 2.0]])  # Any will do that have different distances.


class LaterPoints:
    """A placeholder for points that come later: words for widths are kept until then."""


def is_width(value: Any) -> bool:
    """Return True for a word that means a width."""
    return value in WORDS


def width_of(cls: type[Declared], key: str, word: str) -> tuple[str, str]:
    """Return (parameter, word) for `key=word`; BadInput unless that is a width of the kernel."""
    known = [p.name for p in cls.parameters()]
    target, value = (key, None) if key in known else cls.resolve(key, 1.0)
    kernel = cls()
    assert isinstance(kernel, Kernel)
    widths = [] if kernel.domain != "vectors" else [p for p in known if _found(kernel, p, word, SOME_POINTS)]
    named = key if isinstance(value, Viewed) else target
    if named not in widths:
        where = f"only {' and '.join(widths)} can be {word}" if widths else "it has no width to choose so"
        raise BadInput(f"{cls.name} needs a number for {named}: {where}.")
    return target, word


def with_widths(kernel: Kernel, words: Mapping[str, str], X: Any) -> Kernel:
    """Return the kernel with some parameters set to the widths that suit X, by their names and words."""
    name, word = next(iter(words.items()))
    if X is None:
        raise BadInput(f"{name}={word} needs points to be computed from, and there are none here.")
    if isinstance(X, LaterPoints):
        return kernel.replace(
            **{name: Viewed(getattr(kernel, name), name, word) for name, word in words.items()}
        )
    found = {name: _found(kernel, name, word, X) for name, word in words.items()}
    if None in found.values():
        raise BadInput(f"{name}={word} needs at least two points at different places.")
    return kernel.replace(**found)


def _found(kernel: Kernel, name: str, word: str, X: Any) -> float | None:
    """Return the value of a parameter for a word, or None if there is none."""
    if kernel.parameter(name).kind is not REAL or not len(X):
        return None
    if word == VARIANCE:
        return _scale(kernel, X) if name == "gamma" else None
    # Where the median heuristic finds nothing, what it returns depends on the value before.
    ends = kernel.parameter(name).soft
    low, high = (kernel.replace(**{name: end}).scaled_to(X).values()[name] for end in ends)
    return float(low) if low == high else None


def _scale(kernel: Kernel, X: Any) -> float:
    """Return 1/(p v), or 1 for points that do not vary."""
    points = kernel.checked(X)
    variance = float(points.var())
    return clipped(1.0 / (points.shape[1] * variance) if variance else 1.0, kernel.parameter("gamma"))
