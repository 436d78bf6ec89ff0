"""Stochastic steps of a linear function s(x) = w·phi(x) + b, for least squares and for the hinge loss.

w is known by the weights of the points, w = sum_i beta_i phi(x_i), or by itself on explicit features: the
same steps can be taken in both forms, and run side by side. Batches run through all points in a new random
order each time. Least squares moves w <- w - rate/|B| sum over the batch B of (s(x_i) - y_i) phi(x_i).

For the hinge loss (similar to Pegasos),

    minimise  P(w, b) = 1/n sum_i max(0, 1 - z_i s(x_i)) + lam |w|^2,

a step takes the points of a batch inside the margin, M = {i in B: z_i s(x_i) < 1}, and moves w <- (1 - 1/t) w
+ 1/(2 lam t |B|) sum over M of z_i phi(x_i), then back into the ball lam |w|^2 <= 1, which contains the
minimum. After each pass over all points b is set to its best value for the present w."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from math import ceil

import numpy as np

from kernelviz.engine.core.arrays import Array, Indices, read_only
from kernelviz.engine.models.base import Status
from kernelviz.engine.models.method import Change
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.solvers.linear.bases import balanced


class DualWalk:
    """w = sum_i beta_i phi(x_i), moved by rows of the Gram matrix; scores are kept up to date."""

    def __init__(self, K: Array) -> None:
        self.K = K
        self.beta = np.zeros(len(K))
        self.b = 0.0
        self._h = np.zeros(len(K))

    def refresh(self) -> None:
        """Compute the scores from the weights: over many steps rounding adds up."""
        self._h = self.K @ self.beta

    def at(self, rows: Indices) -> Array:
        """Return w·phi(x_i) for some points."""
        return self._h[rows]

    def everywhere(self) -> Array:
        """Return w·phi(x_i) for all points."""
        return self._h

    def norm2(self) -> float:
        """Return |w|²."""
        return float(self.beta @ self._h)

    def shrink(self, factor: float) -> None:
        """Set w <- factor w."""
        self.beta *= factor
        self._h *= factor

    def push(self, rows: Indices, amounts: Array) -> None:
        """Set w <- w + sum of amounts_i phi(x_i)."""
        self.beta[rows] += amounts
        self._h += amounts @ self.K[rows]

    def norm2_of(self, beta: Array) -> float:
        """Return |sum_i beta_i phi(x_i)|² for any weights."""
        return float(beta @ self.K @ beta)


class PrimalWalk:
    """w itself, on explicit features Phi: the cost of a step depends on its batch, not on the number of
    points.

    It has the methods of `DualWalk`."""

    def __init__(self, Phi: Array) -> None:
        self.Phi = Phi
        self.beta = np.zeros(len(Phi))
        self.b = 0.0
        self.w = np.zeros(Phi.shape[1])

    def at(self, rows: Indices) -> Array:
        return np.asarray(self.Phi[rows] @ self.w)

    def everywhere(self) -> Array:
        return np.asarray(self.Phi @ self.w)

    def norm2(self) -> float:
        return float(self.w @ self.w)

    def shrink(self, factor: float) -> None:
        self.beta *= factor
        self.w *= factor

    def push(self, rows: Indices, amounts: Array) -> None:
        self.beta[rows] += amounts
        self.w += amounts @ self.Phi[rows]

    def norm2_of(self, beta: Array) -> float:
        w = beta @ self.Phi
        return float(w @ w)


def batches(n: int, batch: int, epochs: int, seed: int) -> Iterator[Indices]:
    """Yield the minibatches of each epoch: all points once, in an order drawn with the seed."""
    rng = np.random.Generator(np.random.PCG64(seed))
    for _ in range(epochs):
        order = rng.permutation(n)
        for begin in range(0, n, batch):
            yield order[begin : begin + batch]


def runaway(y: Array) -> float:
    """Return the error beyond which a run is given up."""
    runaway = 1e6  # Times the largest target: errors that large only grow.
    return runaway * max(float(np.abs(y).max()), 1e-100)


def descend(walk: DualWalk | PrimalWalk, y: Array, batch: Indices, rate: float, bias: bool) -> float:
    """Take one step of least squares in place, w <- w - rate/|B| sum over the batch B of (s(x_i) - y_i)
    phi(x_i); return the largest error of the batch before it."""
    with np.errstate(over="ignore", invalid="ignore"):
        errors = walk.at(batch) + walk.b - y[batch]
        change = rate / len(batch) * errors
        walk.push(batch, -change)
        if bias:
            walk.b -= float(change.sum())
        return float(np.abs(errors).max())


@dataclass(frozen=True, eq=False)
class SideBySide:
    """The course of both runs, the first entry before any step: half the mean squared error, and the
    multiplications spent.

    A step costs n for each of its points in the dual; in the primal q for its score and q for its part of
    the step."""

    features: int
    dual: Array
    primal: Array
    dual_cost: Array
    primal_cost: Array
    difference: float  # The largest difference between the scores of the two, at any point and step.


def compare_descents(
    problem: Problem, rate: float, batch: int, epochs: int, bias: bool, seed: int
) -> Generator[float, None, SideBySide | None]:
    """Run the descent in the dual and the same in explicit features, yielding the share done after each step.

    None if the kernel has no finite list of features. The settings are the parameters of kernel-sgd."""
    X, y = problem.X, problem.y
    phi = problem.kernel.feature_map(X.shape[1]) if isinstance(X, np.ndarray) else None
    if phi is None:
        return None
    dual, primal = DualWalk(problem.gram), PrimalWalk(phi(X))
    rows, difference, visited = [], 0.0, 0

    def note() -> None:
        nonlocal difference
        dual.refresh()
        one, two = (walk.everywhere() + walk.b for walk in (dual, primal))
        difference = max(difference, float(np.abs(one - two).max()))
        losses = (0.5 * float(np.square(y - s).mean()) for s in (one, two))
        rows.append((*losses, visited * problem.n, visited * 2 * phi.q))

    note()
    most_steps = 2000
    for count, points in enumerate(batches(problem.n, batch, epochs, seed)):
        largest, _ = (descend(walk, y, points, rate, bias) for walk in (dual, primal))
        visited += len(points)
        if not largest <= runaway(y):  # where the run of the algorithm itself ends
            break
        with np.errstate(over="ignore", invalid="ignore"):
            note()
        if not np.isfinite(rows[-1]).all():
            rows.pop()
            break
        if count + 1 == most_steps:
            break
        yield (count + 1) / most_steps
    one, two, cost, other = (read_only(column) for column in np.array(rows, dtype=np.float64).T)
    return SideBySide(phi.q, one, two, cost, other, difference)


@dataclass(frozen=True, eq=False)
class SubgradientStep:
    """A step's number, its batch, and the points of it that were inside the margin."""

    number: int
    batch: Indices
    inside: Indices


def subgradient_steps(
    walk: DualWalk | PrimalWalk, z: Array, lam: float, epochs: int, batch: int, seed: int
) -> Iterator[SubgradientStep]:
    """Take the steps of the hinge loss, moving the walk in place; yields each with the points that it used.

    `walk` is at w = 0 before the first; after each pass over all points its b is the best for the
    present w."""
    in_an_epoch = ceil(len(z) / batch)
    for t, rows in enumerate(batches(len(z), batch, epochs, seed), start=1):
        inside = rows[z[rows] * (walk.at(rows) + walk.b) < 1.0]
        walk.shrink(1.0 - 1.0 / t)
        if len(inside):
            walk.push(inside, z[inside] / (2.0 * lam * t * len(rows)))
            # b has no penalty to pull it back: the step of the general, not the strongly convex case.
            walk.b += float(z[inside].sum()) / (len(rows) * np.sqrt(t))
        too_long = lam * walk.norm2()
        if too_long > 1.0:
            walk.shrink(1.0 / np.sqrt(too_long))
        if t % in_an_epoch == 0:
            walk.b = best_offset(walk.everywhere(), z)
        yield SubgradientStep(t, rows, inside)


def best_offset(h: Array, z: Array) -> float:
    """Return the b that minimises the hinge loss of h + b, the middle if there is an interval of them.

    The slope of the sum over b starts at minus the number of positive points and grows by one wherever a
    point's 1 - z(h + b) changes sign, at b = z - h."""
    turns = np.sort(z - h)
    rank = int(np.count_nonzero(z > 0))
    if rank == 0 or rank == len(z):
        return float(turns[0] if rank == 0 else turns[-1])
    return float(0.5 * (turns[rank - 1] + turns[rank]))


def hinge_objective(walk: DualWalk | PrimalWalk, z: Array, lam: float) -> float:
    """Return P(w, b) at the present state."""
    hinge = np.maximum(0.0, 1.0 - z * (walk.everywhere() + walk.b))
    return float(hinge.mean()) + lam * walk.norm2()


def hinge_lower_bound(walk: DualWalk | PrimalWalk, z: Array, lam: float) -> float:
    """Return a lower bound of P: the dual at a nearby feasible point.

    With C = 1/(2 n lam) the dual is 2 lam (sum alpha - 1/2 |w|^2) over 0 <= alpha <= C, sum beta = 0: the
    weights are clipped to the box and the heavier class is scaled down."""
    alpha = balanced(np.clip(z * walk.beta, 0.0, 1.0 / (2.0 * len(z) * lam)), z)
    return max(0.0, 2.0 * lam * (float(alpha.sum()) - 0.5 * walk.norm2_of(z * alpha)))


def hinge_ending(steps: int, value: float, bound: float | None) -> tuple[Status, str]:
    """Return a sentence on the distance to the minimum that the steps reached, certified by the dual.

    `bound` is None for an indefinite kernel, whose dual bounds nothing."""
    if bound is None:
        return Status.LIMIT, (
            f"Stopped after {steps} steps: with an indefinite kernel the distance to the minimum "
            "is not known."
        )
    # Relative distance from the minimum that counts as converged, for a method that only approaches it.
    close = 0.02
    if value <= bound * (1.0 + close):
        excess = value / bound - 1.0 if bound > 0 else 0.0
        # Rounded up: what is said to be the most must not be exceeded by a digit left out.
        most = max(ceil(1000.0 * excess), 1) / 10.0
        return Status.CONVERGED, f"{steps} steps: the objective is at most {most:g}% above its minimum."
    if value < 10.0 * bound:
        near = f"the objective may be {ceil(100.0 * (value / bound - 1.0))}% above its minimum"
    else:
        near = "the objective may be far above its minimum"
    return Status.LIMIT, f"Stopped after {steps} steps: {near}; more epochs bring it nearer."


def batch_change(step: SubgradientStep) -> Change:
    """Return the description of a step."""
    if len(step.inside) == 0:
        return Change("no point of the batch has z·s < 1: all weights shrink", kind="batch")
    shown = ", ".join(str(i + 1) for i in step.inside[:8]) + (", …" if len(step.inside) > 8 else "")
    noun, verb = ("point", "gains") if len(step.inside) == 1 else ("points", "gain")
    text = f"batch of {len(step.batch)}: {noun} {shown} with z·s < 1 {verb} weight"
    return Change(text, tuple(map(int, step.inside)), "batch")
