"""Fits that suit the user's data: the inputs that the kernel compares, its width, and the level of a curve.

Kernels and data sets of this program go with distances of about 1. Heights in cm or temperatures over 50
degrees do not, and at γ = 1 every point is then alone."""

from __future__ import annotations

from functools import cache
from math import ceil, floor, log, log10
from typing import Any, NamedTuple

import numpy as np

from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits import registry
from kernelviz.engine.fits.expressions import parse_kernel
from kernelviz.engine.fits.parsing import Fit
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.kernels.editing import walk

FEWEST, MOST = 5, 300  # Points by which distances are judged; the heuristic itself takes more.


def check_domain(kernel: Kernel, data: Data) -> None:
    """BadInput if a kernel compares other things than the points of some data: a session with such a fit
    could not be opened again."""
    if kernel.domain not in data.kernel_domains:
        raise BadInput(f"{kernel} compares {kernel.domain}, and the points are {data.domain}.")


class Width(NamedTuple):
    """A width of a kernel that is far from the distances of the points, and the one that suits them."""

    label: str
    value: float
    wanted: float
    narrow: bool

    def __str__(self) -> str:
        size = "narrow" if self.narrow else "wide"
        return f"{self.label} = {self.value:.4g} is far too {size} for these distances."


def unsuited_width(kernel: Kernel, data: Data) -> Width | None:
    """Return the first width of the kernel that is far from the distances of the points; None if all suit
    them."""
    far = 7.0  # Times the width of the median heuristic: K is exp(-49) at the median distance.
    X = _judged(kernel, data)
    if X is None:
        return None
    suited = kernel.scaled_to(X)
    for (_, part), (_, better) in zip(walk(kernel), walk(suited), strict=True):
        for name, exponent in _powers(part.name).items():
            value, wanted = part.values()[name], better.values()[name]
            times = log(value / wanted) / exponent
            if abs(times) > log(far):
                return Width(part.parameter(name).label, value, wanted, times < 0.0)
    return None


def _judged(kernel: Kernel, data: Data) -> Any:
    """Return the points by which the width of a kernel is judged; None for a few, for points that are no
    numbers, and for a kernel without a width."""
    if data.n < FEWEST or not data.has_numbers or kernel.domain not in data.kernel_domains:
        return None
    if not any(_powers(part.name) for _, part in walk(kernel)):
        return None
    return (data.numbers if kernel.domain == "vectors" else data.X)[:: -(-data.n // MOST)]


@cache
def _powers(kernel: str) -> dict[str, float]:
    """Return the widths of a base kernel by their names, each with the power of the distance that it grows
    with: -2 for the γ of a Gaussian, 1 for a length. They are found by the heuristic on three points."""
    kind = registry.kernels().get(kernel)
    if kind is None or kind.domain != "vectors":
        return {}
    points = np.array([[0.0, 0.0], [1.0, 0.5], [0.3, 2.0]])
    one, ten = (kind().scaled_to(scale * points).values() for scale in (1.0, 10.0))
    return {name: log10(ten[name] / one[name]) for name in one if one[name] != ten[name]}


def about_width(fit: Fit, data: Data) -> str:
    """Return a sentence about a chosen width that is far from the distances of the points, with the
    one that suits them; an empty text where all do."""
    width = unsuited_width(fit.kernel, data) if fit.algorithm.uses_kernel else None
    return "" if width is None else f"{width} The median heuristic gives {width.wanted:.3g}."


def suited(fit: Fit, data: Data) -> tuple[Fit, str]:
    """Return (fit, sentence): the fit with a width that suits the distances of the points, and a constant in
    its kernel where a curve has to level out near the mean of y and its algorithm has no b. The sentence says
    what was changed; it is empty when nothing was."""
    constant = "weight(f=one"  # As kernels are written; γ, which has no effect on it, follows.
    kernel, sentences = fit.kernel, []
    if fit.algorithm.uses_kernel and (width := unsuited_width(kernel, data)):
        kernel = kernel.scaled_to(data.numbers if kernel.domain == "vectors" else data.X)
        sentences.append(f"{width} It is set to {width.wanted:.3g} by the median heuristic.")
    level = _level(fit, data)
    if level and constant not in str(kernel):
        kernel = parse_kernel(f"{kernel} + {level}*{constant})")
        sentences.append(
            f"The constant {level} in the kernel keeps the curve near the mean of y away from points."
        )
    return fit.replace(kernel=kernel), " ".join(sentences)


def _level(fit: Fit, data: Data) -> int:
    """Return (mean y/sd y)², the variance of a constant in units of what varies, in one digit; 0 where the
    mean is no farther from 0 than the values from each other, or the algorithm fits an offset."""
    if data.task is not Task.REGRESSION or not data.has_numbers or fit.algorithm.has_offset:
        return 0
    if data.n < FEWEST or not 0.0 < (spread := float(data.y.std())) < np.inf:
        return 0
    times = (float(data.y.mean()) / spread) ** 2
    if not times > 1.0:
        return 0
    size = int(10.0 ** floor(log10(min(times, 1e6))))
    return ceil(min(times, 1e6) / size) * size
