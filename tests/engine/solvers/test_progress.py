"""The perceptrons against rational arithmetic on the same Gram matrix."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import kernelviz

KERNELS = [
    "rbf(gamma=0.5)",
    "rbf(gamma=8)",
    "rbf(gamma=60)",
    "rbf(gamma=200)",
    "linear",
    "laplacian(gamma=9)",
]


def by_hand(K: np.ndarray, z: np.ndarray, step: float, sweeps: int) -> tuple[list[int], int, float]:
    """(beta, mistakes, training error) without rounding."""
    columns = [[Fraction(float(value)) for value in column] for column in K.T]
    beta = [0] * len(z)

    def wrong(i: int) -> bool:
        s = sum((b * k for b, k in zip(beta, columns[i], strict=True) if b), sum(beta) * Fraction(step))
        return z[i] * s <= 0

    mistakes = 0
    for _ in range(sweeps):
        before = mistakes
        for i in range(len(z)):
            if wrong(i):
                beta[i] += int(z[i])
                mistakes += 1
        if mistakes == before:
            break
    return beta, mistakes, float(np.mean([wrong(i) for i in range(len(z))]))


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("seed", range(8))
def test_every_mistake_is_one_of_exact_arithmetic(seed: int, kernel: str) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.choice([3, 8, 16]))
    X = rng.normal(size=(n, 2)) if seed % 2 else rng.integers(-2, 3, size=(n, 2)).astype(float)
    z = np.where(rng.uniform(size=n) < 0.5, 1.0, -1.0)
    z[:2] = 1.0, -1.0
    for algorithm, sweeps in (("perceptron(sweeps=20)", 20), ("online-perceptron(passes=3)", 3)):
        model = kernelviz.fit(X, z, kernel, algorithm)
        K = model.problem.gram
        step = float(K.diagonal().max()) if sweeps == 20 else 0.0
        found = model.beta.tolist(), model.iterations, model.summary()["training_error"]
        assert found == by_hand(K, z, step, sweeps)


def test_a_narrow_kernel_is_not_lost_beside_the_offset() -> None:
    # Point 1 (s = 0): β₁ = 1, b = 1. Point 2: s = 1 + e⁻³⁶, wrong: β₂ = -1, b = 0.
    # Point 3: s = e⁻⁶⁴ - e⁻¹⁰⁰ > 0. Second sweep: no mistake.
    model = kernelviz.fit([[0, 0], [3, 0], [0, 4]], [1, -1, 1], "rbf(gamma=4)", "perceptron")
    assert model.iterations == 2
    assert model.converged
    assert model.summary()["training_error"] == 0.0
