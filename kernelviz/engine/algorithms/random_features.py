"""Random kitchen sinks: random cosines, then a linear model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.features import FeatureMap
from kernelviz.engine.marks import Mark
from kernelviz.engine.params import integer
from kernelviz.engine.problem import Problem
from kernelviz.engine.random_cosines import RandomCosines
from kernelviz.engine.solvers.linear_fits import loss_choice, penalty
from kernelviz.engine.solvers.linear_on_features import LinearOnFeatures

__all__ = ["RandomFeatures"]


@dataclass(frozen=True)
class RandomFeatures(LinearOnFeatures):
    """s(x) = b + Σ_j w_j sqrt(2/q) cos(ω_j·x + u_j), ω_j from the kernel's spectral density, u_j uniform."""

    name = "random-features"
    place = 7
    title = "Random features (kitchen sinks)"
    summary_line = "A linear model on random waves that stand in for the kernel."
    latex = (
        r"s(x) = b + \sqrt{\tfrac{2}{q}} \sum_{j=1}^{q} w_j \cos(\omega_j \cdot x + u_j),"
        r"\quad \omega_j \sim \hat K,\ u_j \sim U[0, 2\pi]"
    )

    q: int = integer(
        100, low=1, high=1000, scale="log", label="q", help="Number of random cosines", simpler="smaller"
    )
    model: str = loss_choice()
    lam: float = penalty()
    seed: int = integer(0, low=0, high=2**31 - 1, soft=(0, 100), label="seed", help="Draw other cosines")

    def map_for(self, problem: Problem) -> FeatureMap:
        rng = np.random.Generator(np.random.PCG64(self.seed))
        return RandomCosines.draw(problem.kernel, problem.X, self.q, rng)

    def loss(self) -> tuple[str, float]:
        return self.model, self.lam

    def feature_marks(self, features: FeatureMap) -> tuple[Mark, ...]:
        assert isinstance(features, RandomCosines)
        if features.frequencies.shape[1] != 2:
            return ()
        return (Mark("wave", features.frequencies, "random cosines", values=features.phases),)
