"""What can be turned: every number of the kernel, of its parts, and of the algorithm."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kernelviz.engine.fits import Fit
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.params import Declared, Parameter
from kernelviz.engine.ranges import short, spaced

__all__ = ["DASH", "Knob", "knobs"]

DASH = "  –  "
"""Between a number and its owner."""
DECADES = 2
"""How far a logarithmic sweep goes by default, to both sides of the present value."""


@dataclass(frozen=True)
class Knob:
    """One number that can be turned."""

    whose: str
    """ "kernel" or "algorithm"."""
    part: tuple[int, ...]
    """Which part of the kernel, by the indices from the whole."""
    parameter: Parameter
    owner: str
    value: float
    name: str = ""
    """What its owner is called in expressions."""

    @property
    def text(self) -> str:
        return f"{self.parameter.label}{DASH}{self.owner}"

    @property
    def key(self) -> tuple[str, tuple[int, ...], str]:
        """What makes it the same knob after its value or its neighbours have changed."""
        return self.whose, self.part, self.parameter.name

    def called(self, whose: str) -> bool:
        """Whether that is a name of its owner."""
        return whose.replace("-", "_") in (self.name.replace("-", "_"), self.whose)

    @property
    def logarithmic(self) -> bool:
        return self.parameter.scale == "log"

    def usual(self) -> tuple[float, float]:
        """Where a sweep begins and ends if nobody says otherwise."""
        p = self.parameter
        if self.logarithmic and self.value > 0:
            low, high = self.value / 10**DECADES, self.value * 10**DECADES
        else:
            low, high = p.soft
        low, high = max(low, p.low), min(high, p.high)
        return (round(low), round(high)) if p.kind == "integer" else (short(low), short(high))

    def values(self, start: float, end: float, count: int) -> list[float]:
        """`count` values from start to end, evenly on the parameter's scale; whole ones without repeats."""
        return spaced(self.parameter, self.owner, start, end, count, self.parameter.scale)

    def turned(self, fit: Fit, value: float) -> Fit:
        """The fit with this number at a value."""
        change = {self.parameter.name: value}
        if self.whose == "algorithm":
            return fit.replace(algorithm=fit.algorithm.replace(**change))
        return fit.replace(kernel=fit.kernel.having((*self.part, self.parameter.name), value))

    def span(self, count: int) -> list[float]:
        """Values over all of the usual range, and as far as the present one if it lies beyond."""
        low, high = self.parameter.soft
        low, high = (
            max(min(low, self.value), self.parameter.low),
            min(max(high, self.value), self.parameter.high),
        )
        return self.values(low, high, count)


def knobs(fit: Fit) -> list[Knob]:
    """Everything that can be turned, the technical parameters last."""
    found = []
    if fit.algorithm.uses_kernel:
        for part, kernel in _parts(fit.kernel):
            found += _of("kernel", part, kernel)
    found += _of("algorithm", (), fit.algorithm)
    return sorted(found, key=lambda knob: knob.parameter.silent)


def _parts(kernel: Kernel, part: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Kernel]]:
    """The kernel and all it is made of, parents first."""
    yield part, kernel
    for k, inner in enumerate(kernel.parts):
        yield from _parts(inner, (*part, k))


def _of(whose: str, part: tuple[int, ...], declared: Declared) -> list[Knob]:
    return [
        Knob(whose, part, p, declared.title, getattr(declared, p.name), declared.name)
        for p in declared.parameters()
        if p.kind in ("real", "integer")
    ]
