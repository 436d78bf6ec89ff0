"""Kernels, algorithms, data sets and fits from text; a fit is written `rbf(gamma=1) ; ridge(lam=0.1)`."""

from __future__ import annotations

import dataclasses
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, Self

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.expressions import parse_algorithm, parse_dataset, parse_kernel
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.models.problem import Problem


def kernel(expression: str | Kernel, X: Any = None) -> Kernel:
    """Return the kernel an expression stands for.

    X: points, for expressions such as "rbf(gamma=median)", where γ is 1 over their median squared distance,
    "matern32(l=median)", where l belongs to the same Gaussian, γ = 1/(2l²), or "rbf(gamma=scale)", where γ
    is 1 over their variance times the number of columns, as in scikit-learn.

    A kernel is a function of two lists of inputs, which returns their matrix K(xᵢ, x'ⱼ). Kernels can be
    added, multiplied and scaled; scikit-learn takes them as they are.

    >>> k = kernelviz.kernel("rbf(gamma=1) + 0.5*linear")
    >>> k([[0.0, 0.0], [1.0, 0.0]]).shape
    (2, 2)
    >>> SVC(kernel=k).fit(X, z)"""
    if isinstance(expression, str):
        return parse_kernel(expression, X)
    if isinstance(expression, Kernel):
        return expression
    raise BadInput(
        f"A kernel is an expression such as 'rbf(gamma=1)' or a kernel object, not {expression!r}."
    )


def algorithm(expression: str | Algorithm) -> Algorithm:
    """Return the algorithm an expression stands for; its parameters are attributes.

    >>> kernelviz.algorithm("soft-margin-svm(C=10)").C
    10.0"""
    if isinstance(expression, str):
        return parse_algorithm(expression)
    if isinstance(expression, Algorithm):
        return expression
    raise BadInput(
        f"An algorithm is an expression such as 'ridge(lam=0.1)' or an algorithm object, not {expression!r}."
    )


def dataset(expression: str) -> Data:
    """Return the points of a data set; the same expression always gives the same points.

    >>> data = kernelviz.dataset("rings(n=200, seed=1)")
    >>> data.X.shape, data.z.shape
    ((200, 2), (200,))"""
    return parse_dataset(expression).make()


@dataclass(frozen=True)
class Fit:
    """A kernel and the algorithm that uses it; `str(fit)` is the text that `parse_fit` reads."""

    kernel: Kernel
    algorithm: Algorithm

    def replace(self, **changes: Any) -> Self:
        """Return a copy with another kernel or another algorithm."""
        return dataclasses.replace(self, **changes)

    def suits(self, data: Data) -> bool:
        """Return True if the kernel compares such inputs and the algorithm learns such targets."""
        return self.kernel.domain in data.kernel_domains and self.algorithm.learns(data.task, data.domain)

    def improved(self, data: Data) -> Generator[float, None, Fit]:
        """Return the fit with the better parameters that the algorithm finds for these data; yields the share
        done."""
        problem = Problem(data, self.kernel)
        self.algorithm.check(problem)
        kernel, algorithm = yield from self.algorithm.improved(problem)
        return Fit(kernel, algorithm)

    def __str__(self) -> str:
        return f"{self.kernel} ; {self.algorithm}"


def parse_fit(text: str, X: Any = None) -> Fit:
    """Return the fit that "KERNEL ; ALGORITHM" stands for.

    X: the points that `gamma=median` adapts to."""
    first, found, second = text.partition(";")
    if not found or not first.strip() or not second.strip():
        raise BadInput(
            f"A fit is a kernel and an algorithm, as in 'rbf(gamma=1) ; ridge(lam=0.1)', not {text!r}."
        )
    return Fit(kernel(first.strip(), X), algorithm(second.strip()))
