"""Kernels and held-out points in scripts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.params import number
from kernelviz.engine.kernels.base import Kernel, Product, Scaled, Sum
from kernelviz.session.scripts.text import inputs, vector, wrapped

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


def kernel_function(kernel: Kernel) -> tuple[list[str], list[str]]:
    """Return (imports, lines) that define the function K(A, B)."""
    expression = numpy_expression(kernel)
    if expression is None:
        return ["import kernelviz"], [f'K = kernelviz.kernel("{kernel}")']
    imports = ["from scipy.spatial.distance import cdist"] if "cdist" in expression else []
    if isinstance(kernel, Sum):
        first, *others = (numpy_expression(term) for term in kernel.parts)
        result = ["    return (", f"        {first}", *(f"        + {other}" for other in others), "    )"]
    else:
        result = [f"    return {expression}"]
    return imports, ["def K(A, B):", *result, ""]


def log_kernel_function(kernel: Kernel) -> tuple[list[str], list[str]]:
    """Return (imports, lines) that define log_K(A, B), the logarithm of K up to a constant.

    It is the exponent where K is an exponential, so it never underflows; otherwise it is at least -690."""
    plain = kernel.inner if isinstance(kernel, Scaled) else kernel
    expression = "" if plain.parts else numpy_expression(plain) or ""
    if not expression.startswith("np.exp("):
        imports, lines = kernel_function(kernel)
        return imports, [*lines, "def log_K(A, B):", "    return np.log(np.maximum(K(A, B), 1e-300))", ""]
    imports, _ = kernel_function(plain)
    return imports, ["def log_K(A, B):", f"    return {expression.removeprefix('np.exp(')[:-1]}", ""]


SIGNS = (("-", "+"), ("-1", "1"))  # Names of classes that are written as z = ±1.
NOTE = "# Held out: not fitted, to measure the error on unseen data."
SQUARES = 'print("held-out mean squared error", np.mean((y_held - {score}(X_held)) ** 2))'


def held_out_data(held: Data) -> list[str]:
    """Return lines that define `held_out` for kernelviz, after those that define `data`."""
    columns = repr(list(held.columns))
    lines = [NOTE, *inputs("X_held", held)]
    if held.target is None:
        return [*lines, f"held_out = kernelviz.Data.unlabelled(X_held, {columns})"]
    if held.task is Task.REGRESSION:
        made = f"held_out = kernelviz.Data.regression(X_held, y_held, {columns})"
        return [*lines, *vector("y_held", held.y), made]
    if held.class_names in SIGNS:
        lines += vector("z_held", held.z)
        lines.append("labels_held = [data.class_names[int(z > 0)] for z in z_held]")
    else:
        lines += wrapped("labels_held = [", map(repr, held.class_of_each), "]")
    return [*lines, f"held_out = kernelviz.Data.labelled(X_held, labels_held, {columns})"]


def held_out_error(held: Data, algorithm: Algorithm) -> list[str]:
    """Return lines that print the held-out error, after those of `held_out_data` and the fit."""
    if held.target is None or algorithm.ignores_labels:
        return []
    if held.task is Task.REGRESSION:
        return [SQUARES.format(score="model.score")]
    if held.task is Task.CLASSES:
        return [
            "found = [data.class_names[int(code)] for code in model.codes(X_held)]",
            'print("held-out error", np.mean(np.array(found) != labels_held))',
        ]
    signs = "z_held = np.where(np.array(labels_held) == data.class_names[1], 1, -1)"
    error = 'print("held-out error", np.mean(z_held * model.score(X_held) <= 0))'
    return [error] if held.class_names in SIGNS else [signs, error]


def sklearn_held_out(held: Data, algorithm: Algorithm, names: tuple[str, ...], voting: bool) -> list[str]:
    """Return lines with the held-out points and their error by `score`. names: the classes of the fit."""
    if held.target is None or algorithm.ignores_labels:
        return []
    if held.task is Task.REGRESSION:
        return [NOTE, *inputs("X_held", held), *vector("y_held", held.y), SQUARES.format(score="score")]
    if not voting:
        error = 'print("held-out error", np.mean(z_held * score(X_held) <= 0))'
        return [NOTE, *inputs("X_held", held), *vector("z_held", held.z), error]
    # A class that is not among those fitted is never found.
    codes = [str(names.index(name)) if name in names else "-1" for name in held.class_of_each]
    error = 'print("held-out error", np.mean(score(X_held).argmax(axis=1) != y_held))'
    return [NOTE, *inputs("X_held", held), *wrapped("y_held = np.array([", codes, "])"), error]
