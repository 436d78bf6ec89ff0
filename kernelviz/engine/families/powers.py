"""What the polynomial kernels share: a degree, and powers without a call to pow."""

from __future__ import annotations

from typing import Any

from kernelviz.engine.arrays import Array
from kernelviz.engine.params import integer, real

__all__ = ["degree", "inner_scale", "power"]


def degree(default: int, help: str) -> Any:
    """A declared degree."""
    return integer(default, low=1, high=10, soft=(1, 10), label="d", help=help, simpler="smaller")


def inner_scale() -> Any:
    """A declared factor of the inner product, not printed while it is one."""
    return real(
        1.0,
        low=1e-6,
        high=1e6,
        soft=(1e-2, 1e2),
        scale="log",
        label="γ",
        help="Factor of the inner product",
        silent=True,
        simpler="smaller",
    )


def power(base: Array, exponent: int) -> Array:
    """base^exponent by repeated squaring: exact sign, and many times faster than pow."""
    result = base if exponent % 2 else None
    square = base
    while exponent := exponent // 2:
        square = square * square
        if exponent % 2:
            result = square if result is None else result * square
    return base**0 if result is None else result
