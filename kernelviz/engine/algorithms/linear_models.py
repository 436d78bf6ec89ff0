"""A linear model on explicit features, by logistic loss, least squares or hinge loss.

    logistic   sum_i ln(1 + exp(-z_i s_i)) + lam/2 |w|^2     (LogisticRegression, C = 1/lam)
    ridge      sum_i (z_i - s_i)^2 + lam |w|^2               (Ridge, alpha = lam)
    hinge      1/n sum_i max(0, 1 - z_i s_i) + lam |w|^2     (linear SVC, C = 1/(2 n lam))

with s = w·phi(x) + b and b without penalty. Least squares can also be had without b.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from kernelviz.engine.algorithms.base import Iterate
from kernelviz.engine.algorithms.ridge import NEARLY_SINGULAR, SOLVED_TO
from kernelviz.engine.algorithms.soft_margin import SoftMarginSVM
from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.core.cholesky import with_ridge
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.params import choice
from kernelviz.engine.kernels.dot_products import Linear
from kernelviz.engine.models.base import Status
from kernelviz.engine.models.features import FeatureModel
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.engine.models.method import Change
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.solvers.linear import descent, logistic
from kernelviz.engine.solvers.linear.bases import Basis, DualBasis, PrimalBasis
from kernelviz.engine.solvers.linear.descent import PrimalWalk


def loss_choice() -> Any:
    """Declare the loss."""
    return choice(
        "logistic",
        ("logistic", "ridge", "hinge"),
        label="model",
        help="Loss of the linear model: logistic, squared (ridge) or hinge (widest margin)",
    )


# Makes a model of status, message and iterations, and of whatever else a fit knows about it, by name.
MakeModel: TypeAlias = Callable[..., FeatureModel]


def linear_fit(
    model: MakeModel,
    Phi: Array,
    z: Array,
    loss: str,
    lam: float,
    start: FeatureModel | None,
    watched: bool,
    offset: bool,
) -> Iterator[Iterate]:
    """Yield the fit of z by features Phi, (n, q), step by step.

    loss: "logistic", "ridge" or "hinge". start: an earlier fit of the same kind. watched: True asks for
    instructive steps rather than the fastest ones. offset: False leaves out b, which only least squares can
    do without."""
    if loss == "logistic":
        return _logistic(model, Phi, z, lam, start)
    if loss == "ridge":
        return _ridge(model, Phi, z, lam, offset)
    exact = 3000  # Points up to which the hinge loss is minimised exactly, not by subgradient steps.
    if len(z) <= exact:
        return _exact_hinge(model, Phi, z, lam, start, watched)
    return _approximate_hinge(model, Phi, z, lam)


def _basis(Phi: Array) -> PrimalBasis | DualBasis:
    """Return the smaller of the two systems: features if they are fewer than points, else inner products."""
    n, q = Phi.shape
    return PrimalBasis(Phi) if q <= n else DualBasis(Phi @ Phi.T)


def _weights(basis: Basis, Phi: Array, c: Array) -> Array:
    return c if isinstance(basis, PrimalBasis) else np.asarray(c @ Phi)


def _logistic(
    model: MakeModel, Phi: Array, z: Array, lam: float, start: FeatureModel | None
) -> Iterator[Iterate]:
    """Yield Newton steps in the smaller of the two systems, that of the features or that of the points."""
    basis = _basis(Phi)
    for state in logistic.minimise_logistic_loss(basis, z, 1.0, lam, _warm(basis, start)):
        reached = model(
            *logistic.ending(True, state),
            state.step,
            weights=_weights(basis, Phi, state.c),
            offset=state.b,
            objectives=(state.objective if state.known else None, None),
            memory=state.c if isinstance(basis, DualBasis) else None,
        )
        yield Iterate(state.step, reached, logistic.newton_change(state), state.done)


def _warm(basis: Basis, start: FeatureModel | None) -> tuple[Array, float] | None:
    """Return the coefficients of an earlier fit in the same basis; points added since then start at zero."""
    if start is None:
        return None
    if isinstance(basis, PrimalBasis):
        return (start.weights, start.offset) if len(start.weights) == basis.size else None
    if not isinstance(start.memory, np.ndarray) or len(start.memory) > basis.size:
        return None
    return np.pad(start.memory, (0, basis.size - len(start.memory))), start.offset


def _ridge(model: MakeModel, Phi: Array, z: Array, lam: float, offset: bool) -> Iterator[Iterate]:
    basis = _basis(Phi)
    try:
        if offset:
            # The quadratic model of a Newton step from zero, with unit weights, is the problem itself.
            c, b = basis.weighted_ridge(np.ones(len(z)), z, np.zeros(len(z)), lam)
        else:
            # (F'F + lam I)⁻¹ F'z, or (FF' + lam I)⁻¹ z as the weights of the points.
            if isinstance(basis, PrimalBasis):
                A, right = Phi.T @ Phi, Phi.T @ z
            else:
                A, right = basis.K, z
            c, b = np.asarray(np.linalg.solve(with_ridge(A, lam), right), dtype=np.float64), 0.0
    except np.linalg.LinAlgError:
        c, b = np.zeros(basis.size), float(z.mean()) if offset else 0.0
    w = _weights(basis, Phi, c)
    residual = z - Phi @ w - b
    value = float(residual @ residual + lam * w @ w)
    status, message = Status.CONVERGED, "Solved exactly: one linear system."
    if not _stationary(Phi, z, residual, lam * w, offset):
        status, message = Status.LIMIT, NEARLY_SINGULAR
    solved = model(status, message, 1, weights=w, offset=b, objectives=(value, None))
    yield Iterate.in_closed_form(solved, "one linear system")


def _stationary(Phi: Array, z: Array, residual: Array, penalty: Array, offset: bool) -> bool:
    """Return True if F'r = lam w and sum r = 0 hold, up to rounding, with F the centred features.
    Without an offset F is the features as they are, and the sum of r is free.
    Residuals that are only the last digits of z are not known any better."""
    F = Phi - Phi.mean(axis=0) if offset else Phi
    # Of the targets: of smaller residuals nothing is known as well as `SOLVED_TO` asks.
    last_digits = 1e-14 / SOLVED_TO
    size = np.abs(F).T @ np.maximum(np.abs(residual), last_digits * np.abs(z)) + np.abs(penalty)
    off = np.abs(F.T @ residual - penalty)
    total = abs(float(residual.sum())) if offset else 0.0
    balanced = total <= SOLVED_TO * len(residual) * max(1.0, np.abs(residual).max())
    return balanced and bool(off.max(initial=0.0) <= SOLVED_TO * size.max(initial=0.0))


def _exact_hinge(
    model: MakeModel, Phi: Array, z: Array, lam: float, start: FeatureModel | None, watched: bool
) -> Iterator[Iterate]:
    """Yield the frames of the soft-margin machine with the linear kernel of the features, C = 1/(2 n lam)."""
    machine = SoftMarginSVM(C=1.0 / (2.0 * len(z) * lam), tol=1e-6)
    problem = Problem(Data.labelled(read_only(Phi), z), Linear())
    earlier = start.memory if start is not None and isinstance(start.memory, KernelModel) else None
    for iterate in machine.steps(problem) if watched else machine.solve(problem, earlier):
        inner = iterate.model
        assert isinstance(inner, KernelModel)
        reached = model(
            inner.status,
            inner.message,
            inner.iterations,
            weights=np.asarray(inner.weights @ Phi),
            offset=inner.offset,
            objectives=tuple(None if value is None else 2.0 * lam * value for value in inner.objectives),
            dual=inner.weights,
            box=inner.box,
            violation=inner.violation,
            memory=inner,
        )
        yield replace(iterate, model=reached)


def _approximate_hinge(model: MakeModel, Phi: Array, z: Array, lam: float) -> Iterator[Iterate]:
    """Yield a frame every hundred subgradient steps; the dual certifies how near the last one came."""
    walk = PrimalWalk(Phi)

    def reached(status: Status, message: str, number: int, **known: Any) -> FeatureModel:
        return model(status, message, number, weights=walk.w, offset=walk.b, **known)

    batch, number = max(1, len(z) // 100), 0
    epochs = 30
    for step in descent.subgradient_steps(walk, z, lam, epochs, batch, seed=0):
        number = step.number
        if number % 100 == 0:
            value = descent.hinge_objective(walk, z, lam)
            message = f"Step {number}: objective {value:.6g}."
            running = reached(Status.RUNNING, message, number, objectives=(value, None))
            yield Iterate(number, running, Change(message, kind="batch"))
    values = descent.hinge_objective(walk, z, lam), descent.hinge_lower_bound(walk, z, lam)
    final = reached(*descent.hinge_ending(number, *values), number, objectives=values, dual=walk.beta)
    yield Iterate(number + 1, final, Change(final.message, kind="end"), done=True)
