"""Kernels in scripts: by the name scikit-learn has for them, in numpy, or taken from kernelviz."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kernelviz.engine.core.params import number
from kernelviz.engine.kernels.base import Kernel, Product, Scaled, Sum

# Kernels scikit-learn has, as arguments of its estimators.
BUILT_IN: Mapping[str, Callable[[Any], dict[str, Any]]] = {
    "linear": lambda k: {"kernel": "linear"},
    "rbf": lambda k: {"kernel": "rbf", "gamma": k.gamma},
    "polynomial": lambda k: {"kernel": "poly", "degree": k.degree, "gamma": k.gamma, "coef0": k.c},
    "homogeneous": lambda k: {"kernel": "poly", "degree": k.degree, "gamma": k.gamma, "coef0": 0},
    "sigmoid": lambda k: {"kernel": "sigmoid", "gamma": k.gamma, "coef0": k.c},
}


def _times(factor: float) -> str:
    return "" if factor == 1 else f"{number(factor)} * "


# K(A, B) in numpy, by the kernel's name. A kernel that is missing here is taken from kernelviz itself.
EXPRESSIONS: Mapping[str, Callable[[Any], str]] = {
    "linear": lambda k: "A @ B.T",
    "polynomial": lambda k: f"({_times(k.gamma)}A @ B.T + {number(k.c)}) ** {k.degree}",
    "homogeneous": lambda k: f"({_times(k.gamma)}A @ B.T) ** {k.degree}",
    "power_series": lambda k: f"sum((A @ B.T) ** d for d in range({k.degree + 1}))",
    "exponential": lambda k: f"np.exp({_times(k.gamma)}A @ B.T)",
    "sigmoid": lambda k: f"np.tanh({_times(k.gamma)}A @ B.T + {number(k.c)})",
    "rbf": lambda k: f'np.exp(-{_times(k.gamma)}cdist(A, B, "sqeuclidean"))',
    "laplacian": lambda k: f'np.exp(-{_times(k.gamma)}cdist(A, B, "cityblock"))',
    "rational_quadratic": lambda k: (
        f'(1 + cdist(A, B, "sqeuclidean") / {number(2 * k.alpha * k.l**2)}) ** -{number(k.alpha)}'
    ),
    "periodic": lambda k: (
        f"np.exp(-{number(2 / k.l**2)} * "
        f"(np.sin(np.pi * (A[:, None] - B[None]) / {number(k.period)}) ** 2).sum(axis=2))"
    ),
    "matern32": lambda k: f"(lambda r: (1 + r) * np.exp(-r))(3**0.5 * cdist(A, B) / {number(k.l)})",
    "matern52": lambda k: (
        f"(lambda r: (1 + r + r**2 / 3) * np.exp(-r))(5**0.5 * cdist(A, B) / {number(k.l)})"
    ),
}


def numpy_expression(kernel: Kernel) -> str | None:
    """Return K(A, B) as one expression of numpy and cdist, or None for a kernel that is not in
    EXPRESSIONS."""
    if isinstance(kernel, Scaled):
        inner = numpy_expression(kernel.inner)
        return inner and f"{number(kernel.scale)} * ({inner})"
    if isinstance(kernel, Sum | Product):
        parts = [numpy_expression(part) for part in kernel.parts]
        if any(part is None for part in parts):
            return None
        if isinstance(kernel, Sum):
            return " + ".join(str(part) for part in parts)
        return " * ".join(f"({part})" for part in parts)
    write = EXPRESSIONS.get(kernel.name)
    return write(kernel) if write else None


def kernel_function(kernel: Kernel) -> list[str]:
    """Return the lines that define the function K(A, B)."""
    expression = numpy_expression(kernel)
    if expression is None:
        return [f'K = kernelviz.kernel("{kernel}")']
    if not isinstance(kernel, Sum):
        return ["def K(A, B):", f"    return {expression}", ""]
    first, *others = (numpy_expression(term) for term in kernel.parts)
    added = [f"        + {other}" for other in others]
    return ["def K(A, B):", "    return (", f"        {first}", *added, "    )", ""]


def log_kernel_function(kernel: Kernel) -> list[str]:
    """Return the lines that define log_K(A, B), the logarithm of K up to a constant.

    It is the exponent where K is an exponential, so it never underflows; otherwise it is at least -690."""
    plain = kernel.inner if isinstance(kernel, Scaled) else kernel
    expression = "" if plain.parts else numpy_expression(plain) or ""
    if expression.startswith("np.exp("):
        return ["def log_K(A, B):", f"    return {expression.removeprefix('np.exp(')[:-1]}", ""]
    logarithm = "    return np.log(np.maximum(K(A, B), 1e-300))"
    return [*kernel_function(kernel), "def log_K(A, B):", logarithm, ""]
