"""Chains of warm starts across kernels, scales and boxes: "converged" is true of the weights themselves.

Everything is recomputed from the weights and the kernel alone, and shares no code with the solvers."""

from __future__ import annotations

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.models.base import Model

TOL = 1e-3


def violation(model: Model) -> float:
    """The largest KKT violation, from the definition."""
    problem, beta = model.problem, model.beta
    z = np.ones(problem.n) if model.algorithm.ignores_labels else problem.z
    slope = problem.kernel(problem.X) @ beta
    if model.algorithm.name == "squared-slack-svm":
        slope = slope + model.algorithm.lam * beta
    if model.algorithm.name not in ("nu-svm", "one-class-svm"):
        slope = slope - z
    alpha, box = beta * z, np.inf if model.box is None else model.box
    grow = np.where(z > 0, alpha < box, alpha > 0)
    shrink = np.where(z > 0, alpha > 0, alpha < box)
    sides = [z > 0, z < 0] if model.algorithm.name == "nu-svm" else [np.ones(problem.n, dtype=bool)]
    return max(
        float(slope[shrink & side].max(initial=-np.inf) - slope[grow & side].min(initial=np.inf))
        for side in sides
    )


def is_what_it_says(model: Model) -> None:
    """Where it claims to have converged, its conditions and scores follow from its weights."""
    if not model.converged:
        return
    K = model.problem.kernel(model.problem.X)
    tol = TOL * float(np.abs(K.diagonal()).max()) if model.algorithm.name == "one-class-svm" else TOL
    assert violation(model) <= 1.5 * tol, model
    np.testing.assert_allclose(model.training_scores, K @ model.beta + model.b, rtol=1e-6, atol=tol)


def drawn_kernel(rng: np.random.Generator) -> str:
    return str(
        rng.choice(
            [
                f"rbf(gamma={10 ** rng.uniform(-4, 2):.4g})",
                "linear",
                f"polynomial(degree={rng.integers(2, 7)})",
                f"polynomial(degree={rng.integers(2, 7)}, gamma={10 ** rng.uniform(-1, 1):.3g}, c=3)",
                f"{10 ** rng.uniform(-3, 6):.3g}*rbf(gamma=0.3) + polynomial(degree=2)",
                f"sigmoid(gamma={10 ** rng.uniform(-2, 0.5):.3g})",
            ]
        )
    )


def drawn_machine(rng: np.random.Generator, family: str) -> str:
    size, share = 10 ** rng.uniform(-8, 6), rng.uniform(0.02, 0.6)
    parameter = {"soft-margin-svm": f"C={size:.4g}", "squared-slack-svm": f"lam={size:.4g}"}
    return f"{family}({parameter.get(family, '' if family == 'hard-margin-svm' else f'nu={share:.3g}')})"


def drawn_data(rng: np.random.Generator) -> Data:
    n, seed = int(rng.choice([8, 40, 60])), int(rng.integers(1000))
    data = kernelviz.dataset(f"{rng.choice(['moons', 'rings', 'xor', 'spirals'])}(n={n}, seed={seed})")
    scale, shift = [(1.0, 0.0), (100.0, 300.0), (1.0, 300.0), (0.01, 0.0)][int(rng.integers(4))]
    return Data.labelled(scale * data.X + shift, data.z)


def moved(data: Data, i: int, x: np.ndarray) -> Data:
    X = data.X.copy()
    X[i] = x
    return Data.labelled(X, data.z)


@pytest.mark.parametrize(
    "family", ["soft-margin-svm", "squared-slack-svm", "nu-svm", "one-class-svm", "hard-margin-svm"]
)
@pytest.mark.parametrize("seed", range(12))
def test_after_any_chain_of_changes_a_converged_machine_is_what_it_says(seed, family):
    rng = np.random.default_rng(seed)
    data, kernel, machine = drawn_data(rng), drawn_kernel(rng), drawn_machine(rng, family)
    home, model = data, None
    for _ in range(6):
        try:
            model = kernelviz.fit(data, None, kernel, machine, start=model)
        except BadInput:
            continue  # an indefinite kernel without a solution, or numbers too large to compute with
        else:
            is_what_it_says(model)
        finally:
            change, i = rng.integers(4), int(rng.integers(data.n))
            if change == 0:
                kernel = drawn_kernel(rng)
            elif change == 1:
                machine = drawn_machine(rng, family)
            else:
                data = moved(data, i, 1000.0 * data.X[i]) if change == 2 else home


def test_a_kernel_of_quite_another_scale_ends_at_the_solution():
    moons = kernelviz.dataset("moons(n=60, noise=0.1)")
    data = Data.labelled(100.0 * moons.X + 300.0, moons.z)
    model = kernelviz.fit(data, None, "rbf(gamma=0.0001)", "soft-margin-svm(C=10)")
    model = kernelviz.fit(data, None, "polynomial(degree=3)", "soft-margin-svm(C=10)", start=model)
    assert model.converged
    is_what_it_says(model)
    assert model.summary()["training_error"] == np.mean(data.z * model.score(data.X) <= 0)


def test_lambda_from_one_end_of_its_range_to_the_other_ends_at_the_solution():
    data = kernelviz.dataset("moons(n=60, noise=0.5)")
    model = None
    for lam in (1e-8, 1e8, 1e-8, 1e6, 1e-6):
        model = kernelviz.fit(
            data, None, "polynomial(degree=3)", f"squared-slack-svm(lam={lam})", start=model
        )
        assert model.converged
        is_what_it_says(model)


@pytest.mark.parametrize("degree", [3, 4, 6])
def test_a_point_may_go_a_thousand_times_as_far_and_come_back(degree):
    home = kernelviz.dataset("moons(n=60, noise=0.2)")
    away, kernel = moved(home, 7, 1000.0 * home.X[7]), f"polynomial(degree={degree})"
    model = None
    for data in (home, away, home, away, home):
        model = kernelviz.fit(data, None, kernel, "soft-margin-svm(C=10)", start=model)
        is_what_it_says(model)
    assert model.converged


def test_a_box_made_for_an_indefinite_kernel_does_not_outlive_it():
    data = kernelviz.dataset("moons(n=60, noise=0.1)")
    machine = "squared-slack-svm(lam=1)"
    model = kernelviz.fit(data, None, "sigmoid(gamma=1) + 1000000000*rbf(gamma=5)", machine)
    warm = kernelviz.fit(data, None, "rbf(gamma=5)", machine, start=model)
    cold = kernelviz.fit(data, None, "rbf(gamma=5)", machine)
    assert warm.converged
    np.testing.assert_allclose(warm.beta, cold.beta, atol=1e-3)


@pytest.mark.parametrize("seed", range(3))
def test_a_hard_margin_goes_over_to_an_indefinite_kernel_and_back_without_a_warning(seed):
    data, model = kernelviz.dataset(f"moons(n=60, noise=0.1, seed={seed})"), None
    statuses = []
    for kernel in ("rbf(gamma=3)", "sigmoid(gamma=0.3)", "rbf(gamma=3)"):
        model = kernelviz.fit(data, None, kernel, "hard-margin-svm", start=model)
        statuses.append(model.converged)
    assert statuses == [True, False, True]
