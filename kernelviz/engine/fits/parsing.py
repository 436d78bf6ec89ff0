"""The few functions a script needs. Everything heavy is imported when first called."""

from __future__ import annotations

import dataclasses
from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.models.problem import Problem

if TYPE_CHECKING:
    from kernelviz.engine.analysis.kernel_pca import KernelPCA
    from kernelviz.engine.models.base import Model

def kernel(expression: str | Kernel) -> Kernel:
    """The kernel an expression stands for: `kernel("rbf(gamma=1) + 0.5*linear")`."""
    from kernelviz.engine.fits.expressions import parse_kernel
    from kernelviz.engine.kernels.base import Kernel

    if isinstance(expression, str):
        return parse_kernel(expression)
    if isinstance(expression, Kernel):
        return expression
    raise BadInput(
        f"A kernel is an expression such as 'rbf(gamma=1)' or a kernel object, not {expression!r}."
    )


def algorithm(expression: str | Algorithm) -> Algorithm:
    """The algorithm an expression stands for: `algorithm("soft-margin-svm(C=10)")`."""
    from kernelviz.engine.algorithms.base import Algorithm
    from kernelviz.engine.fits.expressions import parse_algorithm

    if isinstance(expression, str):
        return parse_algorithm(expression)
    if isinstance(expression, Algorithm):
        return expression
    raise BadInput(
        f"An algorithm is an expression such as 'ridge(lam=0.1)' or an algorithm object, not {expression!r}."
    )


def dataset(expression: str) -> Data:
    """The points of a data set expression: `dataset("rings(n=200, seed=1)")`."""
    from kernelviz.engine.fits.expressions import parse_dataset

    return parse_dataset(expression).make()


def fit(
    X: Any,
    z: Any = None,
    kernel: str | Kernel = "rbf(gamma=1)",
    algorithm: str | Algorithm = "soft-margin-svm(C=10)",
    start: Model | None = None,
    *,
    task: str | None = None,
) -> Model:
    """Fit an algorithm with a kernel to labelled points.

    X: (n, p) rows, or a `Data`. z: labels, any two values, the larger being +1 (more than two make a
    one-vs-one model); `predict` answers with them. By an algorithm that knows regression, measured numbers
    make one, and so do floats of more than two values for one input each. task: "classification" or
    "regression", where that is not what is meant. start: an earlier model to start from, which only makes it
    faster."""
    from kernelviz.engine.fits.solve import fit_data, pose
    from kernelviz.engine.models.base import Model

    if not isinstance(start, Model | None):
        raise BadInput(f"A start is an earlier model, not {start!r}.")
    return fit_data(pose(X, z, algorithm, task), kernel, algorithm, start)


def kernel_pca(X: Any, kernel: str | Kernel = "rbf(gamma=1)", components: int = 2) -> KernelPCA:
    """Kernel principal components of points or strings, most spread first, as many as there are.

    X: (n, p) rows, strings, or a `Data`. Its `projections` are the places of X along them, `shares` what each
    shows of the variance; `project` has the places of other inputs."""
    from kernelviz.engine.fits.solve import components_of

    return components_of(X, kernel, components)


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
