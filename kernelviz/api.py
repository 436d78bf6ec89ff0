"""The functions that scripts call. `kernelviz` imports this module when one of them is first used."""

from __future__ import annotations

from typing import Any

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.analysis.kernel_pca import KernelPCA
from kernelviz.engine.analysis.kernel_pca import kernel_pca as find_components
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import algorithm, dataset, kernel
from kernelviz.engine.fits.parsing import kernel as as_kernel
from kernelviz.engine.fits.solve import fit_data, pose
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.problem import Problem

__all__ = ["algorithm", "dataset", "fit", "kernel", "kernel_pca"]


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

    X: (n, p) rows, or a `Data`. z: labels of any two values, the larger of which is +1, or of more values,
    which make a one-vs-one model; `predict` returns these values. With an algorithm that can do regression,
    measured numbers are taken for quantities, and so are floats of more than two values with one input each.
    kernel: an expression; in "rbf(gamma=median)" γ is 1 over the median squared distance of the points.
    task: "classification" or "regression", to decide this yourself. start: an earlier model to start from,
    which only makes the fit faster.

    >>> model = kernelviz.fit(X, z, kernel="rbf(gamma=1)", algorithm="soft-margin-svm(C=10)")
    >>> model.predict(X), model.alpha, model.b, model.summary()"""
    if not isinstance(start, Model | None):
        raise BadInput(f"start must be an earlier model, not {start!r}.")
    return fit_data(pose(X, z, algorithm, task), kernel, algorithm, start)


def kernel_pca(X: Any, kernel: str | Kernel = "rbf(gamma=1)", components: int = 2) -> KernelPCA:
    """Return the first kernel principal components of points or strings.

    X: (n, p) rows, strings, or a `Data`. `projections` has the coordinates of X along the components,
    `shares` the share of the variance of each; `project` returns the coordinates of other inputs."""
    if isinstance(components, bool) or not isinstance(components, int) or components < 1:
        raise BadInput(f"The number of components must be a whole number of at least 1, not {components!r}.")
    data = X if isinstance(X, Data) else Data.unlabelled(X)
    return find_components(Problem(data, as_kernel(kernel, data.X)), components)
