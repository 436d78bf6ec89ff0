"""The smallest constrained problem: a quadratic function of the plane, and one straight constraint.

It shows what a Lagrange multiplier is: at the optimum the gradients of f and g are parallel, ∇f = ±λ∇g, and λ
= 0 where the constraint g ≥ 0 is inactive."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.core.arrays import Array

CENTRE = np.array([0.5, 0.25])  # Where f has its optimum without a constraint.
CURVATURE = np.array([1.0, 2.0])  # Of f along the two axes.


@dataclass(frozen=True)
class ConstrainedOptimum:
    """The optimum of f(x) = ±½ Σ_j a_j (x_j - c_j)² where g(x) = u·x - t ≥ 0, or where g(x) = 0.

    f has a minimum with the sign +, a maximum with -. At the optimum ∇f = λ∇g for a minimum and ∇f = -λ∇g for
    a maximum; λ ≥ 0 unless the constraint is an equality. With an inequality λ g = 0: either the constraint
    is active, g = 0, or λ = 0."""

    angle: float  # Direction of u = ∇g in degrees, from the first axis.
    t: float  # Distance of the line g = 0 from the origin along u.
    maximum: bool = False
    equality: bool = False

    @property
    def normal(self) -> Array:
        """∇g, which points into the allowed side and has length 1."""
        return np.array([np.cos(np.radians(self.angle)), np.sin(np.radians(self.angle))])

    @property
    def sign(self) -> float:
        return -1.0 if self.maximum else 1.0

    def f(self, x: Array) -> Array:
        """Return f of the rows of x."""
        return np.asarray(0.5 * self.sign * ((x - CENTRE) ** 2 @ CURVATURE))

    def gradient(self, x: Array) -> Array:
        """Return ∇f at the rows of x."""
        return np.asarray(self.sign * (x - CENTRE) * CURVATURE)

    def g(self, x: Array) -> Array:
        """Return g of the rows of x."""
        return np.asarray(x @ self.normal - self.t)

    @property
    def multiplier(self) -> float:
        """λ: 0 where the constraint is inactive. From a(x - c) = λu and u·x = t it is (t - u·c)/Σ u²/a."""
        u = self.normal
        found = float((self.t - u @ CENTRE) / (u**2 @ (1.0 / CURVATURE)))
        return found if self.equality else max(0.0, found)

    @property
    def place(self) -> Array:
        """The optimum, x = c + λu/a."""
        return np.asarray(CENTRE + self.multiplier * self.normal / CURVATURE)

    @property
    def active(self) -> bool:
        """Whether the optimum lies on g = 0 because of the constraint."""
        return self.equality or self.multiplier > 0.0
