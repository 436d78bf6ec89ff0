"""What a sweep can turn: every number of the kernel, of its parts, and of the algorithm."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from kernelviz.engine.errors import BadInput
from kernelviz.engine.fits import Fit
from kernelviz.engine.params import Declared, Parameter
from kernelviz.session.composition import Path, at, replaced, walk
from kernelviz.session.state import Document, State

__all__ = ["Knob", "knobs"]

DIGITS = 4
"""Significant digits of a swept value: captions must stay readable."""
DECADES = 2
"""How far a logarithmic sweep goes by default, to both sides of the present value."""


@dataclass(frozen=True)
class Knob:
    """One number that can be turned."""

    whose: str
    """ "kernel" or "algorithm"."""
    part: Path
    parameter: Parameter
    owner: str
    value: float

    @property
    def text(self) -> str:
        return f"{self.parameter.label}  –  {self.owner}"

    @property
    def key(self) -> tuple[str, Path, str]:
        """What makes it the same knob after its value or its neighbours have changed."""
        return self.whose, self.part, self.parameter.name

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
        return (round(low), round(high)) if p.kind == "integer" else (_short(low), _short(high))

    def values(self, start: float, end: float, count: int) -> list[float]:
        """`count` values from start to end, evenly on the parameter's scale; whole ones without repeats."""
        for limit in (start, end):
            self.parameter.check(limit, self.owner)
        if start == end:
            raise BadInput("A sweep needs two different ends.")
        spaced = np.geomspace if self.logarithmic and min(start, end) > 0 else np.linspace
        found = spaced(start, end, count).tolist()
        if self.parameter.kind == "integer":
            return list(dict.fromkeys(round(value) for value in found))
        low, high = sorted((start, end))
        return [min(max(_short(value), low), high) for value in found]

    def turned(self, fit: Fit, value: float) -> Fit:
        """The fit with this number at a value."""
        change = {self.parameter.name: value}
        if self.whose == "algorithm":
            return fit.replace(algorithm=fit.algorithm.replace(**change))
        node = at(fit.kernel, self.part)
        assert node is not None
        return fit.replace(kernel=replaced(fit.kernel, self.part, node.replace(**change)))

    def states(self, state: State, values: Iterable[float]) -> list[State]:
        """The state at each of the values."""
        fits = (self.turned(state.document.fit, value) for value in values)
        turned = (state.document.replace(kernel=fit.kernel, algorithm=fit.algorithm) for fit in fits)
        return [replace(state, document=document) for document in turned]

    def span(self, count: int) -> list[float]:
        """Values over all of the usual range, and as far as the present one if it lies beyond."""
        low, high = self.parameter.soft
        low, high = (
            max(min(low, self.value), self.parameter.low),
            min(max(high, self.value), self.parameter.high),
        )
        return self.values(low, high, count)


def _short(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def knobs(document: Document) -> list[Knob]:
    """Everything that can be turned, the technical parameters last."""
    found = []
    if document.algorithm.uses_kernel:
        for path, node in walk(document.kernel):
            found += _of("kernel", path, node)
    found += _of("algorithm", (), document.algorithm)
    return sorted(found, key=lambda knob: knob.parameter.silent)


def _of(whose: str, part: Path, declared: Declared) -> list[Knob]:
    return [
        Knob(whose, part, p, declared.title, getattr(declared, p.name))
        for p in declared.parameters()
        if p.kind in ("real", "integer")
    ]
