"""Mercer's sum: a Gram matrix after m terms λⱼvⱼvⱼ′, and ridge regression on the first m eigenfunctions.

The eigenvectors are those of K itself, uncentred. At the points √λⱼvⱼ are features whose inner products are
K; regression on the first m of them comes close to kernel ridge as m grows."""

from __future__ import annotations

import numpy as np

from kernelviz.engine.algorithms.gaussian_process import GaussianProcess
from kernelviz.engine.algorithms.ridge import Ridge
from kernelviz.engine.analysis.gram import MercerSum
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Task
from kernelviz.engine.models.base import Model, Status
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.scene.landscape import can_be_drawn, dashed, landscape
from kernelviz.scene.nodes import Node
from kernelviz.scene.view import Memory
from kernelviz.scene.wording import named, shown

MOST_POINTS = 400  # Of more points all eigenvectors take too long.
LAM = 0.1  # Regularisation of the regression where the fit is no ridge.
LISTED = 4  # Features of a point that are written out.


def penalty_of(model: Model) -> float:
    """Return λ of a ridge or of a Gaussian process, or else LAM."""
    how = model.algorithm
    return how.lam if isinstance(how, Ridge) else how.noise if isinstance(how, GaussianProcess) else LAM


def regression(model: Model, found: MercerSum, m: int, memory: Memory) -> Node | None:
    """Return ridge on the first m eigenfunctions as a landscape, with kernel ridge dashed; None where there
    is nothing to regress on or the inputs are no places."""
    problem, data = model.problem, model.problem.data
    if data.task not in (Task.TWO_CLASSES, Task.REGRESSION) or not can_be_drawn(data):
        return None

    def fitted(terms: int) -> KernelModel:
        weights = found.ridge(problem.y, penalty_of(model), terms)
        return KernelModel(problem, model.algorithm, Status.CONVERGED, "", 1, weights, 0.0)

    some = memory.keep("regression", (found, penalty_of(model), m), lambda: fitted(m))
    every = memory.keep("ridge", (found, penalty_of(model)), lambda: fitted(len(found.values)))
    off = float(np.sqrt(np.mean((some.training_scores - every.training_scores) ** 2)))
    return landscape(
        some,
        data,
        f"ridge on {m} eigenfunctions; on all, dashed: {shown(off, 2)} apart",
        memory,
        part="regression",
        below=dashed(every, data, memory, "ridge"),
    )


def caption(model: Model, found: MercerSum, m: int, pair: tuple[int, int] | None) -> str:
    """Return how much of K is left, or for a pair of points the product of their features."""
    if pair is None:
        return (
            f"{m} of {len(found.values)} terms λⱼvⱼvⱼ′ of K, uncentred: {100 * found.error(m):.2g} % of K is "
            "left. The rows of √λⱼvⱼ are features of the points."
        )
    data, (i, j) = model.problem.data, pair
    F = found.features(m)
    features = f"{named(data, i)} {_listed(F[i])}, {named(data, j)} {_listed(F[j])}"
    exact = shown(float(model.problem.gram[i, j]), 3)
    return f"√λⱼvⱼ of {features}: their product is {shown(float(F[i] @ F[j]), 3)}, K = {exact}"


def _listed(features: Array) -> str:
    texts = [shown(value, 2) for value in features[:LISTED].tolist()]
    return f"({', '.join(texts)}{', …' if len(features) > LISTED else ''})"
