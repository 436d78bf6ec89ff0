"""Fit a model to data, polished to full precision.

    model = fit_data(data, "rbf(gamma=1)", "soft-margin-svm(C=10)")

A small problem is solved once more with a much smaller tolerance (`polished`), so that its numbers agree with
a calculation by hand to all digits shown."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import replace

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.algorithms.dual_svm import FINEST, SupportVectorMachine, converged
from kernelviz.engine.algorithms.objectives import NEGATIVE, OPEN
from kernelviz.engine.algorithms.several_classes import OneVsOne, OneVsRest
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.generators import finished
from kernelviz.engine.fits.parsing import algorithm as as_algorithm
from kernelviz.engine.fits.parsing import kernel as as_kernel
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.models.base import Model, Status
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.engine.models.problem import Problem, compute_gram
from kernelviz.engine.models.several_classes import MultiClassModel
from kernelviz.engine.solvers.duality import closed

MOST_POLISHED = 400  # More points are not solved by hand.


def can_be_polished(model: Model) -> bool:
    """Return True if a smaller tolerance can improve the numbers of a model.

    That is a support vector machine of few points, or with an open duality gap, that has converged at the
    default tolerance; one that the user has chosen stays."""
    if isinstance(model, MultiClassModel):
        return any(can_be_polished(pair.model) for pair in model.pairs)
    algorithm = model.algorithm
    return (
        isinstance(model, KernelModel)
        and isinstance(algorithm, SupportVectorMachine)
        and model.converged
        and model.violation is not None
        and model.violation > 0.0
        and (model.problem.n <= MOST_POLISHED or _open(model))
        and algorithm.tol == algorithm.parameter("tol").default
    )


def polished(model: Model) -> Generator[None, None, Model]:
    """Return the model solved to FINEST, or as far as digits reach; the model itself if that is no better.
    Yields where it may be abandoned."""
    if not can_be_polished(model):
        return model
    if isinstance(model, MultiClassModel):
        pairs = model.pairs
        for k, pair in enumerate(pairs):
            better = replace(pair, model=(yield from polished(pair.model)))
            pairs = (*pairs[:k], better, *pairs[k + 1 :])
        return replace(model, pairs=pairs, iterations=sum(pair.model.iterations for pair in pairs))
    algorithm, found = model.algorithm, model
    assert isinstance(algorithm, SupportVectorMachine)
    for iterate in algorithm.replace(tol=FINEST).solve(model.problem, model):
        found = iterate.model
        yield
    assert isinstance(model, KernelModel)
    assert isinstance(found, KernelModel)
    if found.violation is None or found.violation >= (model.violation or 0.0) or found.message == NEGATIVE:
        return _judged(replace(model, memory=found.memory))  # which it has taken from the model
    result = replace(
        found,
        algorithm=algorithm,
        status=model.status,
        message=converged(found.violation, model.accepted or 0.0, None not in found.objectives),
        accepted=model.accepted,
        iterations=model.iterations + found.iterations,
    )
    return _judged(result)


def _judged(model: KernelModel) -> KernelModel:
    """Return the model, not converged if small KKT violations have left the duality gap open."""
    return replace(model, status=Status.LIMIT, message=OPEN) if _open(model) else model


def _open(model: KernelModel) -> bool:
    """Return True if both objectives are known and too far apart, unless the kernel may be indefinite."""
    primal, dual = model.objectives
    if primal is None or dual is None or not model.problem.kernel.positive_definite:
        return False
    return not closed(primal - dual, primal)


def algorithm_for(data: Data, algorithm: str | Algorithm) -> Algorithm:
    """Return the algorithm, or one-vs-one or one-vs-rest around it if the data have more classes than it
    handles."""
    chosen = as_algorithm(algorithm)
    if chosen.votes_on(data.task):
        return OneVsRest(binary=chosen) if chosen.against_the_rest else OneVsOne(binary=chosen)
    return chosen


def learning(algorithm: str | Algorithm, multiclass: str | None) -> Algorithm:
    """Return the algorithm that learns several classes so: "one-vs-one", "one-vs-rest", or None as it
    says."""
    chosen = as_algorithm(algorithm)
    if multiclass is None:
        return chosen
    if not chosen.votes_on(Task.CLASSES):
        raise BadInput(f"{chosen.name} does not learn several classes by two at a time.")
    return chosen.replace(multiclass=multiclass)


def fit_data(
    data: Data,
    kernel: str | Kernel,
    algorithm: str | Algorithm,
    start: Model | None = None,
    progress: Callable[[float], object] = lambda share: None,
) -> Model:
    """Fit to data that are already checked; a small problem is solved to all its digits.

    `progress` is called with the share done for inputs that take long to compare."""
    problem, chosen = Problem(data, as_kernel(kernel, data.X)), algorithm_for(data, algorithm)
    if problem.kernel.slow and chosen.uses_kernel:
        chosen.check(problem)
        for share in compute_gram(problem, start.problem if start else None):
            progress(share)
    return in_full(chosen.fit(problem, start))


def with_remark(model: Model, remark: str) -> Model:
    """Return the model with a remark about its data before its message."""
    return replace(model, message=f"{remark} {model.message}") if remark else model


def in_full(model: Model) -> Model:
    """Return the model polished, without interruption."""
    return finished(polished(model))
