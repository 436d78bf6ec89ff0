"""The functions that scripts call. `kernelviz` imports this module when one of them is first used."""

from __future__ import annotations

from typing import Any

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.analysis.kernel_pca import PrincipalComponents
from kernelviz.engine.analysis.kernel_pca import kernel_pca as find_components
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import algorithm, dataset, kernel
from kernelviz.engine.fits.parsing import kernel as as_kernel
from kernelviz.engine.fits.posing import posed
from kernelviz.engine.fits.solve import fit_data, learning, with_remark
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
    missing: str | None = None,
    sample_weight: Any = None,
    class_weight: Any = None,
    multiclass: str | None = None,
) -> Model:
    """Fit an algorithm with a kernel to points, and return the model.

    X: the inputs, (n, p) rows of numbers or a list of strings; or a `Data`, which has the labels too. The
        columns of a data frame keep their names, and those of another one are found by them.
    z: a label for each point. Of two values the larger one is +1; more values make a model for each pair of
        classes, and the pairs vote. `predict` returns these values.
    kernel: an expression such as "rbf(gamma=1) + 0.5*linear", or a kernel. In "rbf(gamma=median)" γ is 1 over
        the median squared distance of the points, and "rbf(gamma=scale)" is scikit-learn's default.
    algorithm: an expression such as "ridge(lam=0.1)", or an algorithm.
    start: an earlier model to start from, which only makes the fit faster.
    task: "classification" or "regression". By default an algorithm that can do both takes measured numbers
        for regression, and so it takes floats of more than two values with one input each. Where it is not
        certain the message says which was taken.
    missing: "drop" leaves out the rows that lack a value; by default they are refused.
    sample_weight: how much the loss of each point counts, 0 or more; with 2 as if it were there twice. Soft
        margins, svr, logistic and ridge take weights. Errors are shares of the points, whatever they weigh.
    class_weight: a dictionary with a weight for each label, or "balanced", so that classes weigh the same.
    multiclass: "one-vs-one" or "one-vs-rest" for more than two classes: a model for each pair of them, or for
        each against the others, where the highest score wins. By default it is as the algorithm says, which
        is one-vs-one unless it was given.

    Input that cannot be used raises BadInput. A fit that does not converge, or classes that cannot be
    separated, raise nothing: `converged` is False, and `message` says what happened.

    >>> data = kernelviz.dataset("rings(n=200, seed=1)")
    >>> model = kernelviz.fit(data.X, data.z, kernel="rbf(gamma=1)", algorithm="soft-margin-svm(C=10)")
    >>> model.predict([[0.0, 0.0], [1.6, 0.0]])
    array([ 1., -1.])
    >>> model.support, model.alpha, model.b, model.summary()["margin"]"""
    if not isinstance(start, Model | None):
        raise BadInput(f"start must be an earlier model, not {start!r}.")
    algorithm = learning(algorithm, multiclass)
    data, remark = posed(X, z, algorithm, task, missing, (sample_weight, class_weight))
    return with_remark(fit_data(data, kernel, algorithm, start), remark)


def kernel_pca(X: Any, kernel: str | Kernel = "rbf(gamma=1)", components: int = 2) -> PrincipalComponents:
    """Return the first kernel principal components of points or strings.

    X: (n, p) rows of numbers, strings, or a `Data`, whose labels are ignored.
    components: how many are computed; those that follow explain less of the variance.

    In the result `projections` (n, components) has the coordinates of X, and `shares` the share of the
    variance along each component; `project` returns the coordinates of other inputs.

    >>> pca = kernelviz.kernel_pca(["banana", "bandana", "cabana"], kernel="spectrum(length=2)")
    >>> pca.projections, pca.shares, pca.project(["ananas"])"""
    if isinstance(components, bool) or not isinstance(components, int) or components < 1:
        raise BadInput(f"The number of components must be a whole number of at least 1, not {components!r}.")
    data = X if isinstance(X, Data) else Data.unlabelled(X)
    return find_components(Problem(data, as_kernel(kernel, data.X)), components)
