"""The same answer to all its digits: a solver that stopped at its tolerance goes on where it stood."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from kernelviz.engine.kernel_model import KernelModel
from kernelviz.engine.model import Model
from kernelviz.engine.multi_class_model import MultiClassModel
from kernelviz.engine.solvers.qp_svm import SupportVectorMachine, converged

__all__ = ["can_be_polished", "polished"]

FINEST = 1e-10
"""The KKT violation aimed at, as a share of the size of a score: hand calculations then agree to all digits
shown."""
MOST_POINTS = 400
"""More points than that nobody calculates by hand."""


def can_be_polished(model: Model) -> bool:
    """Whether a smaller tolerance can better the numbers. Who has chosen a tolerance gets what it gives."""
    if isinstance(model, MultiClassModel):
        return any(can_be_polished(pair.model) for pair in model.pairs)
    algorithm = model.algorithm
    return (
        isinstance(model, KernelModel)
        and isinstance(algorithm, SupportVectorMachine)
        and model.converged
        and model.violation is not None
        and model.violation > 0.0
        and model.problem.n <= MOST_POINTS
        and algorithm.values()["tol"] == type(algorithm)().values()["tol"]
    )


def polished(model: Model) -> Generator[None, None, Model]:
    """The model solved to FINEST, or as far as digits reach; itself where that is no better. Yields where it
    may be abandoned."""
    if not can_be_polished(model):
        return model
    if isinstance(model, MultiClassModel):
        pairs = model.pairs
        for k, pair in enumerate(pairs):
            better = replace(pair, model=(yield from polished(pair.model)))
            pairs = (*pairs[:k], better, *pairs[k + 1 :])
        return replace(model, pairs=pairs, iterations=sum(pair.model.iterations for pair in pairs))
    algorithm, found = model.algorithm, model
    for iterate in algorithm.replace(tol=FINEST).solve(model.problem, model):
        found = iterate.model
        yield
    assert isinstance(model, KernelModel)
    assert isinstance(found, KernelModel)
    if found.violation is None or found.violation >= (model.violation or 0.0):
        return replace(model, memory=found.memory)  # which it has taken from the model
    return replace(
        found,
        algorithm=algorithm,
        status=model.status,
        message=converged(found.violation, model.accepted or 0.0),
        accepted=model.accepted,
        iterations=model.iterations + found.iterations,
    )
