"""Hypothesis strategies built from what classes declare; the conformance suites draw from nothing else."""

from __future__ import annotations

from functools import reduce
from operator import add, mul
from typing import Any, TypeVar

import numpy as np
from hypothesis import strategies as st

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.formulas import CONDITION, FORMULA
from kernelviz.engine.core.params import CHOICE, FLAG, INTEGER, REAL, Declared, Parameter
from kernelviz.engine.fits import registry
from kernelviz.engine.kernels.base import Kernel
from kernelviz.session.colour_sets import COLOUR_SETS, COLOURS

D = TypeVar("D", bound=Declared)


def values(parameter: Parameter, soft: bool = False) -> st.SearchStrategy[Any]:
    """Values a parameter accepts, or (soft) those its slider covers; the ends come up often."""
    low, high = parameter.soft if soft else (parameter.low, parameter.high)
    if parameter.kind is FLAG:
        return st.booleans()
    if parameter.kind is CHOICE:
        return st.sampled_from(parameter.options)
    if parameter.kind is COLOURS:
        return st.sampled_from((*COLOUR_SETS, "#1b5e20,#a0341b"))
    if parameter.kind in (FORMULA, CONDITION):
        return st.sampled_from(ends(parameter))
    if parameter.kind is INTEGER:
        return st.integers(int(max(low, -(2**31))), int(min(high, 2**31)))
    assert parameter.kind is REAL, f"there are no values for the kind {parameter.kind.name!r} here"
    low, high = max(low, -1e9), min(high, 1e9)
    if parameter.scale == "log" and low > 0:
        inside = st.floats(np.log(low), np.log(high)).map(lambda t: float(min(max(np.exp(t), low), high)))
    else:
        inside = st.floats(low, high)
    return st.one_of(st.sampled_from([low, high, parameter.default]), inside)


def ends(parameter: Parameter) -> tuple[Any, ...]:
    """The outermost values of a number, and all values of the other kinds."""
    if parameter.is_number:
        return parameter.low, parameter.high
    if parameter.kind is FLAG:
        return False, True
    if parameter.kind is COLOURS:
        return (*COLOUR_SETS, "#1b5e20,#a0341b")
    if parameter.kind in (FORMULA, CONDITION):
        x, y = parameter.options[0], parameter.options[-1]
        if parameter.kind is CONDITION:
            return f"{x} < {y}", f"not ({x} - 2*{y} >= 0)", f"0 < max({x}, {y}) and {x}*{y} <= 0"
        return "0", f"-{x}", f"sin({x}^2)/2 - min({x}, 0)"
    assert parameter.kind is CHOICE, f"there are no values for the kind {parameter.kind.name!r} here"
    return parameter.options


def declared(cls: type[D], soft: bool = False) -> st.SearchStrategy[D]:
    """Instances of a declared class."""
    return st.fixed_dictionaries({p.name: values(p, soft) for p in cls.parameters()}).map(
        lambda values: cls(**values)
    )


def base_kernels(soft: bool = False) -> st.SearchStrategy[Kernel]:
    """Any kernel of the registry that takes vectors."""
    vector = [cls for cls in registry.kernels().values() if cls.domain == "vectors"]
    return st.sampled_from(vector).flatmap(lambda cls: declared(cls, soft))


def kernels(soft: bool = True, leaves: int = 4) -> st.SearchStrategy[Kernel]:
    """Kernels and compositions of them by +, * and scaling."""
    return st.recursive(
        base_kernels(soft),
        lambda inner: st.one_of(
            st.lists(inner, min_size=2, max_size=3).map(lambda parts: reduce(add, parts)),
            st.lists(inner, min_size=2, max_size=3).map(lambda parts: reduce(mul, parts)),
            st.tuples(inner, st.floats(0, 100)).map(lambda pair: pair[0] * pair[1]),
        ),
        max_leaves=leaves,
    )


def points(
    rows: int | tuple[int, int] = (1, 12), columns: int = 2, size: float = 3.0
) -> st.SearchStrategy[Array]:
    """(n, p) rows in a box, repeats and zeros included."""
    low, high = (rows, rows) if isinstance(rows, int) else rows
    coordinate = st.one_of(st.floats(-size, size), st.sampled_from([0.0, 1.0, -1.0]))
    return st.integers(low, high).flatmap(
        lambda n: st.lists(
            st.lists(coordinate, min_size=columns, max_size=columns), min_size=n, max_size=n
        ).map(lambda X: np.array(X, dtype=np.float64).reshape(n, columns))
    )
