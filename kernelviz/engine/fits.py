"""What is fitted: a kernel and an algorithm, written `rbf(gamma=1) ; soft-margin-svm(C=10)`."""

from __future__ import annotations

import dataclasses
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, Self

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.api import algorithm, kernel
from kernelviz.engine.data import Data
from kernelviz.engine.errors import BadInput
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.problem import Problem

__all__ = ["Fit", "parse_fit"]


@dataclass(frozen=True)
class Fit:
    """A kernel and the algorithm that uses it."""

    kernel: Kernel
    algorithm: Algorithm

    def replace(self, **changes: Any) -> Self:
        return dataclasses.replace(self, **changes)

    def suits(self, data: Data) -> bool:
        """Whether the kernel compares such inputs and the algorithm learns such targets."""
        return self.kernel.domain == data.domain and self.algorithm.learns(data.task, data.domain)

    def improved(self, data: Data) -> Generator[float, None, Fit]:
        """The fit whose parameters the algorithm finds better for these data. Yields the share done."""
        problem = Problem(data, self.kernel)
        self.algorithm.check(problem)
        kernel, algorithm = yield from self.algorithm.improved(problem)
        return Fit(kernel, algorithm)

    def __str__(self) -> str:
        return f"{self.kernel} ; {self.algorithm}"


def parse_fit(text: str) -> Fit:
    """ "KERNEL ; ALGORITHM" as a fit."""
    first, found, second = text.partition(";")
    if not found or not first.strip() or not second.strip():
        raise BadInput(
            f"A fit is a kernel and an algorithm, as in 'rbf(gamma=1) ; ridge(lam=0.1)', not {text!r}."
        )
    return Fit(kernel(first.strip()), algorithm(second.strip()))
