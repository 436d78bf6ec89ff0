"""Soft margins side by side are those of single fits, and their optimality is checked anew."""

from __future__ import annotations

import numpy as np
import pytest

import kernelviz
from kernelviz.engine.algorithms.soft_margin import SoftMarginSVM
from kernelviz.engine.core.data import Data
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.selection.folds import stratified
from kernelviz.engine.solvers.qp import many
from kernelviz.engine.solvers.qp.many import Climbed, climb

Chains = list[tuple[int, np.ndarray]]
PRICES = [0.01, 0.1, 1.0, 10.0, 100.0, 1000.0]


def duplicates() -> Data:
    moons = kernelviz.dataset("moons(n=30, noise=0.3)")
    return Data.labelled(np.tile(moons.X, (3, 1)), np.concatenate((moons.z, moons.z, -moons.z)))


def unbalanced() -> Data:
    gaussians = kernelviz.dataset("gaussians(n=120)")
    few = np.concatenate((np.flatnonzero(gaussians.z > 0)[:7], np.flatnonzero(gaussians.z < 0)))
    return gaussians.subset(few)


DATA = {
    "moons": lambda: kernelviz.dataset("moons(n=90, noise=0.3)"),
    "rings": lambda: kernelviz.dataset("rings(n=80)"),
    "xor": lambda: kernelviz.dataset("xor(n=60)"),
    "duplicates": duplicates,
    "unbalanced": unbalanced,
    "few": lambda: kernelviz.dataset("gaussians(n=10)"),
}
KERNELS = ["rbf(gamma=0.01)", "rbf(gamma=1)", "rbf(gamma=50)", "linear", "polynomial(degree=3)", "laplacian"]


def climbed(
    data: Data, kernels: list[str], prices: list[float], tol: float
) -> tuple[Climbed, np.ndarray, Chains]:
    """Every kernel without every fold, and without none."""
    K = np.stack([kernelviz.kernel(name)(data.X) for name in kernels])
    folds = [*stratified(data, 4), np.empty(0, dtype=np.intp)]
    inside = np.ones((len(kernels), len(folds), data.n), dtype=bool)
    for f, fold in enumerate(folds):
        inside[:, f, fold] = False
    which = np.repeat(np.arange(len(kernels)), len(folds))
    found = climb(K, data.z, which, inside.reshape(-1, data.n), prices, tol)
    masks = inside.reshape(-1, data.n)
    return found, K, [(int(k), np.flatnonzero(mask)) for k, mask in zip(which, masks, strict=True)]


def violation(K: np.ndarray, z: np.ndarray, b: np.ndarray, C: float) -> float:
    g, alpha = K @ b - z, b * z
    assert alpha.min() >= 0.0
    assert alpha.max() <= C
    assert abs(b.sum()) <= 1e-10 * np.abs(b).sum()
    grow, shrink = np.where(z > 0, alpha < C, alpha > 0), np.where(z > 0, alpha > 0, alpha < C)
    return float(g[shrink].max() - g[grow].min())


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("tol", [1e-3, 1e-6])
def test_every_solution_that_is_given_is_optimal_to_the_tolerance(name: str, tol: float) -> None:
    data = DATA[name]()
    found, K, chains = climbed(data, KERNELS, PRICES, tol)
    for q, (kernel, rest) in enumerate(chains):
        for c, C in enumerate(PRICES):
            if np.isnan(found.gaps[q, c]):
                continue
            b = found.weights[q, c]
            gap = violation(K[kernel][np.ix_(rest, rest)], data.z[rest], b[rest], C)
            assert gap <= tol + 1e-12 * C * data.n * np.abs(K[kernel]).max()
            assert not np.delete(b, rest).any()
            scores = K[kernel] @ b + found.offsets[q, c]
            np.testing.assert_allclose(found.scores[q, c], scores, atol=1e-9 * (1 + np.abs(b).sum()))


@pytest.mark.parametrize("name", DATA)
def test_scores_are_those_of_a_single_fit_also_of_points_left_out(name: str) -> None:
    data = DATA[name]()
    kernels = ["rbf(gamma=1)", "rbf(gamma=50)"]
    found, _, chains = climbed(data, kernels, PRICES, 1e-7)
    for q, (kernel, rest) in enumerate(chains):
        problem = Problem(data.subset(rest), kernelviz.kernel(kernels[kernel]))
        for c, C in enumerate(PRICES):
            if np.isnan(found.gaps[q, c]):
                continue
            model = SoftMarginSVM(C=C, tol=1e-7).fit(problem)
            np.testing.assert_allclose(found.scores[q, c], model.score(data.X), atol=1e-5)


def test_nearly_all_chains_get_to_the_top() -> None:
    """Also where the kernel is nearly singular and slack is dear; the few others are solved one by one."""
    stuck = total = 0
    for source in ("moons(n=120, noise=0.3)", "gaussians(n=120)", "rings(n=120)", "spirals(n=120)"):
        kernels = [f"rbf(gamma={gamma})" for gamma in (0.01, 0.3, 3, 100)]
        found, _, _ = climbed(kernelviz.dataset(source), kernels, PRICES, 1e-3)
        stuck += int(np.isnan(found.gaps).any(axis=1).sum())
        total += len(found.gaps)
    assert stuck <= 0.05 * total


@pytest.mark.parametrize("prices", [[1e4], [50.0, 50.0], [1e-6, 1e6]])
def test_a_chain_may_begin_at_any_price(prices: list[float]) -> None:
    data = kernelviz.dataset("rings(n=60)")
    found, K, chains = climbed(data, ["rbf(gamma=1)", "rbf(gamma=10)"], prices, 1e-3)
    assert np.isfinite(found.gaps).all()
    for q, (kernel, rest) in enumerate(chains):
        part = K[kernel][np.ix_(rest, rest)]
        for c, C in enumerate(prices):
            assert violation(part, data.z[rest], found.weights[q, c, rest], C) <= 1e-3 + 1e-12


def test_a_chain_that_gets_stuck_is_given_up_and_the_others_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    data = kernelviz.dataset("moons(n=60, noise=0.3)")
    monkeypatch.setattr(many, "ROUNDS", 0)
    found, _, _ = climbed(data, ["rbf(gamma=0.01)", "rbf(gamma=1)", "rbf(gamma=100)"], PRICES, 1e-3)
    given_up = np.isnan(found.gaps).any(axis=1)
    assert given_up.any()
    assert not given_up.all()
    assert np.isnan(found.weights[given_up, -1]).all()
