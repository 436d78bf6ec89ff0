"""The perceptrons: their mistakes, their bounds, and their ties against rational arithmetic."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.algorithms.perceptron import OnlinePerceptron, Perceptron
from kernelviz.engine.core.data import Data
from kernelviz.engine.kernels.dot_products import Linear
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.models.base import Status
from kernelviz.engine.models.problem import Problem

LINE = Problem(Data.labelled([[1.0, 0.0], [2.0, 0.0], [-1.0, 0.0]], [1, 1, -1]), Linear())


def test_it_follows_a_calculation_by_hand() -> None:
    # R² = 4. Point 1 (s = 0): β = (1, 0, 0), b = 4. Point 2: s = 6. Point 3: s = 3, wrong: β₃ = -1, b = 0.
    # Second sweep: s = (2, 4, -2), no mistake.
    frames = list(Perceptron().steps(LINE))
    texts = [f.change.text for f in frames if f.change]
    assert texts[1:3] == [
        "point 1 misclassified: α 0 -> 1, b 0 -> 4 (by R² = 4)",
        "point 3 misclassified: α 0 -> 1, b 4 -> 0 (by R² = 4)",
    ]
    assert [f.change.points for f in frames if f.change][1:3] == [(0,), (2,)]
    model = frames[-1].model
    assert model.beta.tolist() == [1.0, 0.0, -1.0]
    assert model.b == 0.0
    assert model.status is Status.CONVERGED
    assert model.iterations == 2


def test_an_earlier_frame_is_not_changed_by_later_steps() -> None:
    frames = list(Perceptron().steps(LINE))
    assert frames[0].model.beta.tolist() == [0.0, 0.0, 0.0]
    assert frames[1].model.training_scores.tolist() == [5.0, 6.0, 3.0]


def test_xor_is_not_separable_by_a_line_and_it_says_so() -> None:
    X = [[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]]
    data = Data.labelled(X, [1, 1, -1, -1])
    model = Perceptron(sweeps=50).fit(Problem(data, Linear()))
    assert model.status is Status.LIMIT
    assert "50 sweeps" in model.message
    assert Perceptron().fit(Problem(data, Gaussian())).converged


def test_coinciding_points_of_both_classes_are_called_not_separable() -> None:
    data = Data.labelled([[0.3, 0.1], [0.3, 0.1], [2.0, 0.0]], [1, -1, 1])
    model = Perceptron(sweeps=3).fit(Problem(data, Gaussian()))
    assert model.status is Status.NOT_SEPARABLE
    assert "Not separable" in model.message


def test_the_online_perceptron_has_no_offset_and_stops_after_its_passes() -> None:
    rng = np.random.default_rng(2)
    data = Data.labelled(rng.normal(size=(50, 2)), rng.choice([-1, 1], 50))
    one = OnlinePerceptron().fit(Problem(data, Gaussian()))
    two = OnlinePerceptron(passes=2).fit(Problem(data, Gaussian()))
    assert one.b == two.b == 0.0
    assert set(np.unique(one.alpha)) <= {0.0, 1.0}, "one pass meets every point once"
    assert one.iterations == one.alpha.sum()
    assert two.iterations >= one.iterations
    assert one.message.startswith(f"{one.iterations} mistakes in 1 pass")


@pytest.mark.parametrize("passes", [1, 5])
def test_a_stream_of_one_class_costs_one_mistake(passes: int) -> None:
    data = Data.labelled(np.random.default_rng(0).normal(size=(9, 2)), [1] * 9)
    model = OnlinePerceptron(passes=passes).fit(Problem(data, Gaussian()))
    assert model.iterations == 1
    assert model.converged  # with the first point all others are right too


def test_after_a_pass_that_leaves_no_mistake_a_further_one_is_not_asked_for() -> None:
    model = OnlinePerceptron().fit(LINE)
    assert model.numbers["training_error"] == 0.0
    assert model.status is Status.CONVERGED
    assert model.message == "1 mistake in 1 pass over the points; a further pass would find none."


@pytest.mark.parametrize("passes", [1, 2])
def test_a_stream_that_still_surprises_says_so(passes: int) -> None:
    # w = 1, then -1; in the second pass 0, then -2: every point is a mistake.
    data = Data.labelled([[1.0], [2.0]], [1, -1])
    model = OnlinePerceptron(passes=passes).fit(Problem(data, Linear()))
    assert model.status is Status.LIMIT
    assert model.message == (
        f"{2 * passes} mistakes in {passes} pass{'es' if passes > 1 else ''} over the points; "
        "a further pass may find more."
    )


def test_passes_end_with_the_first_that_finds_no_mistake() -> None:
    model = OnlinePerceptron(passes=50).fit(LINE)
    assert model.converged
    assert model.message == "1 mistake in 2 passes over the points, the last without any."


KERNELS = [
    "rbf(gamma=0.5)",
    "rbf(gamma=8)",
    "rbf(gamma=60)",
    "rbf(gamma=200)",
    "linear",
    "laplacian(gamma=9)",
]


def by_hand(K: np.ndarray, z: np.ndarray, step: float, sweeps: int) -> tuple[list[int], int, np.ndarray]:
    """(beta, mistakes, which points are wrong in the end) without rounding; s = 0 is a mistake."""
    columns = [[Fraction(float(value)) for value in column] for column in K.T]
    beta = [0] * len(z)

    def score(i: int) -> Fraction:
        return sum((b * k for b, k in zip(beta, columns[i], strict=True) if b), sum(beta) * Fraction(step))

    mistakes = 0
    for _ in range(sweeps):
        before = mistakes
        for i in range(len(z)):
            if z[i] * score(i) <= 0:
                beta[i] += int(z[i])
                mistakes += 1
        if mistakes == before:
            break
    return beta, mistakes, np.array([z[i] * score(i) <= 0 for i in range(len(z))])


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
        *learnt, wrong = by_hand(K, z, step, sweeps)
        assert [model.beta.tolist(), model.iterations] == learnt
        assert model.summary()["training_error"] == wrong.mean()


def test_a_narrow_kernel_is_not_lost_beside_the_offset() -> None:
    # Point 1 (s = 0): β₁ = 1, b = 1. Point 2: s = 1 + e⁻³⁶, wrong: β₂ = -1, b = 0.
    # Point 3: s = e⁻⁶⁴ - e⁻¹⁰⁰ > 0. Second sweep: no mistake.
    model = kernelviz.fit([[0, 0], [3, 0], [0, 4]], [1, -1, 1], "rbf(gamma=4)", "perceptron")
    assert model.iterations == 2
    assert model.converged
    assert model.summary()["training_error"] == 0.0
