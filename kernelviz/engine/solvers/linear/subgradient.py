"""Hinge-loss minimisation by stochastic subgradient steps (similar to Pegasos).

    minimise  P(w, b) = 1/n sum_i max(0, 1 - z_i s(x_i)) + lam |w|^2

A step takes the points of a batch B inside the margin, M = {i in B: z_i s(x_i) < 1}, and moves w <- (1 -
1/t) w + 1/(2 lam t |B|) sum over M of z_i phi(x_i), then back into the ball lam |w|^2 <= 1, which contains
the minimum. Batches run through all points in a new random order each time; whenever they have, b is set
to its best value for the present w."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

import numpy as np

from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.models.base import Change, Status
from kernelviz.engine.solvers.linear.bases import balanced
from kernelviz.engine.solvers.linear.descent import DualWalk, PrimalWalk, batches

# Relative distance from the minimum that counts as converged, for a method that only approaches it.
CLOSE = 0.02


@dataclass(frozen=True, eq=False)
class Step:
    """A step's number, its batch, and the points of it that were inside the margin."""

    number: int
    batch: Indices
    inside: Indices


def subgradient_steps(
    walk: DualWalk | PrimalWalk, z: Array, lam: float, epochs: int, batch: int, seed: int
) -> Iterator[Step]:
    """Take the steps, in place."""
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
        yield Step(t, rows, inside)


def best_offset(h: Array, z: Array) -> float:
    """Return the b that minimises the hinge loss of h + b, the middle if there is an interval of them.

    The slope of the sum over b starts at minus the number of positive points and grows by one wherever a
    point's 1 - z(h + b) changes sign, at b = z - h."""
    turns = np.sort(z - h)
    rank = int(np.count_nonzero(z > 0))
    if rank == 0 or rank == len(z):
        return float(turns[0] if rank == 0 else turns[-1])
    return float(0.5 * (turns[rank - 1] + turns[rank]))


def objective(walk: DualWalk | PrimalWalk, z: Array, lam: float) -> float:
    """Return P(w, b) at the present state."""
    hinge = np.maximum(0.0, 1.0 - z * (walk.everywhere() + walk.b))
    return float(hinge.mean()) + lam * walk.norm2()


def lower_bound(walk: DualWalk | PrimalWalk, z: Array, lam: float) -> float:
    """Return a lower bound of P: the dual at a nearby feasible point.

    With C = 1/(2 n lam) the dual is 2 lam (sum alpha - 1/2 |w|^2) over 0 <= alpha <= C, sum beta = 0: the
    weights are clipped to the box and the heavier class is scaled down."""
    alpha = balanced(np.clip(z * walk.beta, 0.0, 1.0 / (2.0 * len(z) * lam)), z)
    return max(0.0, 2.0 * lam * (float(alpha.sum()) - 0.5 * walk.norm2_of(z * alpha)))


def ending(steps: int, value: float, bound: float | None) -> tuple[Status, str]:
    """Return how near the minimum the steps came, certified by the dual.

    `bound` is None for an indefinite kernel, whose dual bounds nothing."""
    if bound is None:
        return Status.LIMIT, (
            f"Stopped after {steps} steps: with an indefinite kernel the distance to the minimum "
            "is not known."
        )
    if value <= bound * (1.0 + CLOSE):
        excess = value / bound - 1.0 if bound > 0 else 0.0
        # Rounded up: what is said to be the most must not be exceeded by a digit left out.
        most = max(ceil(1000.0 * excess), 1) / 10.0
        return Status.CONVERGED, f"{steps} steps: the objective is at most {most:g}% above its minimum."
    if value < 10.0 * bound:
        near = f"the objective may be {ceil(100.0 * (value / bound - 1.0))}% above its minimum"
    else:
        near = "the objective may be far above its minimum"
    return Status.LIMIT, f"Stopped after {steps} steps: {near}; more epochs bring it nearer."


def batch_change(step: Step) -> Change:
    """Return the description of a step."""
    if len(step.inside) == 0:
        return Change("no point of the batch inside the margin: all weights shrink", kind="batch")
    shown = ", ".join(str(i + 1) for i in step.inside[:8]) + (", …" if len(step.inside) > 8 else "")
    noun, verb = ("point", "gains") if len(step.inside) == 1 else ("points", "gain")
    text = f"batch of {len(step.batch)}: {noun} {shown} inside the margin {verb} weight"
    return Change(text, tuple(map(int, step.inside)), "batch")
