"""A linear model on explicit features, by logistic loss, least squares or hinge loss.

    logistic   sum_i ln(1 + exp(-z_i s_i)) + lam/2 |w|^2     (LogisticRegression, C = 1/lam)
    ridge      sum_i (z_i - s_i)^2 + lam |w|^2               (Ridge, alpha = lam)
    hinge      1/n sum_i max(0, 1 - z_i s_i) + lam |w|^2     (linear SVC, C = 1/(2 n lam))

with s = w·phi(x) + b and b without penalty. Least squares can also be had without b.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernelviz.engine.algorithms.ridge import NEARLY_SINGULAR, ROUNDING
from kernelviz.engine.algorithms.soft_margin import SoftMarginSVM
from kernelviz.engine.core.arrays import Array, read_only
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.params import choice
from kernelviz.engine.kernels.dot_products import Linear
from kernelviz.engine.models.base import Change, Status
from kernelviz.engine.models.features import FeatureModel
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.solvers.linear import logistic, subgradient
from kernelviz.engine.solvers.linear.bases import Basis, DualBasis, PrimalBasis
from kernelviz.engine.solvers.linear.descent import PrimalWalk

EXACT = 3000  # Up to so many points the hinge loss is minimised exactly, beyond by subgradient steps.

EPOCHS = 30

# Of the targets: of smaller residuals nothing is known as well as `ROUNDING` asks.
LAST_DIGITS = 1e-14 / ROUNDING


def loss_choice() -> Any:
    """Declare the loss."""
    return choice(
        "logistic",
        ("logistic", "ridge", "hinge"),
        label="model",
        help="Loss of the linear model: logistic, squared (ridge) or hinge (widest margin)",
    )


@dataclass(frozen=True, eq=False)
class LinearFit:
    """The current w and b of a fit, with the numbers that a frame shows."""

    step: int  # The number of the frame.
    iterations: int  # What the model counts: Newton steps, pairs, batches.
    w: Array
    b: float
    status: Status
    message: str
    objectives: tuple[float | None, float | None]
    change: Change | None
    done: bool
    dual: Array | None = None
    box: Array | None = None
    violation: float | None = None
    memory: Any = None


def linear_fits(
    Phi: Array,
    z: Array,
    model: str,
    lam: float,
    start: FeatureModel | None,
    watched: bool,
    offset: bool = True,
) -> Iterator[LinearFit]:
    """Yield the fit step by step; `watched` asks for instructive steps rather than the fastest ones.

    offset: False leaves out b, which only least squares can do without."""
    if model == "logistic":
        return _logistic(Phi, z, lam, start)
    if model == "ridge":
        return _ridge(Phi, z, lam, offset)
    if len(z) <= EXACT:
        return _exact_hinge(Phi, z, lam, start, watched)
    return _approximate_hinge(Phi, z, lam)


def _basis(Phi: Array) -> PrimalBasis | DualBasis:
    """Return the smaller of the two systems: features if they are fewer than points, else inner products."""
    n, q = Phi.shape
    return PrimalBasis(Phi) if q <= n else DualBasis(Phi @ Phi.T)


def _weights(basis: Basis, Phi: Array, c: Array) -> Array:
    return c if isinstance(basis, PrimalBasis) else np.asarray(c @ Phi)


def _logistic(Phi: Array, z: Array, lam: float, start: FeatureModel | None) -> Iterator[LinearFit]:
    basis = _basis(Phi)
    dual = isinstance(basis, DualBasis)
    for state in logistic.minimise_logistic_loss(basis, z, lam, _warm(basis, start)):
        status, message = logistic.ending(True, state, state.known)
        change, objectives = logistic.newton_change(state), (state.objective if state.known else None, None)
        w = _weights(basis, Phi, state.c)
        yield LinearFit(
            state.step,
            state.step,
            w,
            state.b,
            status,
            message,
            objectives,
            change,
            state.done,
            memory=state.c if dual else None,
        )


def _warm(basis: Basis, start: FeatureModel | None) -> tuple[Array, float] | None:
    """Return the coefficients of an earlier fit in the same basis; points added since then start at zero."""
    if start is None:
        return None
    if isinstance(basis, PrimalBasis):
        return (start.weights, start.offset) if len(start.weights) == basis.size else None
    if not isinstance(start.memory, np.ndarray) or len(start.memory) > basis.size:
        return None
    return np.pad(start.memory, (0, basis.size - len(start.memory))), start.offset


def _ridge(Phi: Array, z: Array, lam: float, offset: bool) -> Iterator[LinearFit]:
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
                A, right = basis.K.copy(), z
            A.flat[:: basis.size + 1] += lam
            c, b = np.asarray(np.linalg.solve(A, right), dtype=np.float64), 0.0
    except np.linalg.LinAlgError:
        c, b = np.zeros(basis.size), float(z.mean()) if offset else 0.0
    w = _weights(basis, Phi, c)
    residual = z - Phi @ w - b
    value = float(residual @ residual + lam * w @ w)
    change = Change("one linear system", kind="closed form")
    status, message = Status.CONVERGED, "Solved exactly: one linear system."
    if not _stationary(Phi, z, residual, lam * w, offset):
        status, message = Status.LIMIT, NEARLY_SINGULAR
    yield LinearFit(1, 1, w, b, status, message, (value, None), change, True)


def _stationary(Phi: Array, z: Array, residual: Array, penalty: Array, offset: bool) -> bool:
    """Return True if F'r = lam w and sum r = 0 hold, up to rounding, with F the centred features.
    Without an offset F is the features as they are, and the sum of r is free.
    Residuals that are only the last digits of z are not known any better."""
    F = Phi - Phi.mean(axis=0) if offset else Phi
    size = np.abs(F).T @ np.maximum(np.abs(residual), LAST_DIGITS * np.abs(z)) + np.abs(penalty)
    off = np.abs(F.T @ residual - penalty)
    total = abs(float(residual.sum())) if offset else 0.0
    balanced = total <= ROUNDING * len(residual) * max(1.0, np.abs(residual).max())
    return balanced and bool(off.max(initial=0.0) <= ROUNDING * size.max(initial=0.0))


def _exact_hinge(
    Phi: Array, z: Array, lam: float, start: FeatureModel | None, watched: bool
) -> Iterator[LinearFit]:
    """Return the soft-margin machine with the linear kernel of the features, C = 1/(2 n lam)."""
    machine = SoftMarginSVM(C=1.0 / (2.0 * len(z) * lam), tol=1e-6)
    problem = Problem(Data.labelled(read_only(Phi), z), Linear())
    earlier = start.memory if start is not None and isinstance(start.memory, KernelModel) else None
    for iterate in machine.steps(problem) if watched else machine.solve(problem, earlier):
        inner = iterate.model
        assert isinstance(inner, KernelModel)
        primal, dual = (None if value is None else 2.0 * lam * value for value in inner.objectives)
        yield LinearFit(
            iterate.step,
            inner.iterations,
            np.asarray(inner.weights @ Phi),
            inner.offset,
            inner.status,
            inner.message,
            (primal, dual),
            iterate.change,
            iterate.done,
            inner.weights,
            inner.box,
            inner.violation,
            inner,
        )


def _approximate_hinge(Phi: Array, z: Array, lam: float) -> Iterator[LinearFit]:
    walk = PrimalWalk(Phi)
    batch, number = max(1, len(z) // 100), 0
    for step in subgradient.subgradient_steps(walk, z, lam, EPOCHS, batch, seed=0):
        number = step.number
        if number % 100 == 0:
            value = subgradient.objective(walk, z, lam)
            message = f"Step {number}: objective {value:.6g}."
            change = Change(message, kind="batch")
            yield LinearFit(
                number, number, walk.w.copy(), walk.b, Status.RUNNING, message, (value, None), change, False
            )
    values = subgradient.objective(walk, z, lam), subgradient.lower_bound(walk, z, lam)
    status, message = subgradient.ending(number, *values)
    change = Change(message, kind="end")
    yield LinearFit(number + 1, number, walk.w, walk.b, status, message, values, change, True, dual=walk.beta)
