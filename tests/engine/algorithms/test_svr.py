"""Support vector regression against scikit-learn, linear programming and its own optimality conditions."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.svm import SVR, NuSVR

import kernelviz
from kernelviz.engine.algorithms.svr import NuSVR as OurNuSVR
from kernelviz.engine.algorithms.svr import SupportVectorRegression
from kernelviz.engine.analysis.points import PointRole, point_table
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.generators import finished
from kernelviz.engine.fits.expressions import parse_algorithm
from kernelviz.engine.fits.parsing import dataset
from kernelviz.engine.fits.solve import in_full
from kernelviz.engine.kernels.dot_products import Linear, Polynomial
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.solvers.qp import solve
from kernelviz.engine.solvers.qp.program import Optimality, feasible
from tests.campaign import Truth, claims, repeated
from tests.engine.algorithms.test_conformance import assert_sentence

SETS = ("sine(n=60)", "outliers(n=60)", "step(n=40, seed=3)", "cubic(n=20)")
every_set = pytest.mark.parametrize("source", SETS)


def violation(model: KernelModel, epsilon: float, C: float) -> float:
    """The largest KKT violation, from beta and b alone."""
    p, beta = model.problem, model.beta
    r = p.y - p.kernel(p.X) @ beta - model.b
    outside = np.sign(beta) * r - epsilon
    inside = np.maximum(np.abs(r) - epsilon, 0.0)
    bounded = np.abs(beta) >= C
    missed = np.where(bounded, np.maximum(-outside, 0.0), np.abs(outside))
    return float(np.where(beta == 0, inside, missed).max())


def dual_objective(p: Problem, beta: np.ndarray, epsilon: float = 0.0) -> float:
    return float(p.y @ beta - epsilon * np.abs(beta).sum() - 0.5 * beta @ p.gram @ beta)


def weights_of(theirs: SVR | NuSVR, n: int) -> np.ndarray:
    beta = np.zeros(n)
    beta[theirs.support_] = theirs.dual_coef_[0]
    return beta


@every_set
@pytest.mark.parametrize("C", [0.1, 10.0, 1000.0])
@pytest.mark.parametrize("epsilon", [0.0, 0.01, 0.1, 0.5])
def test_the_optimum_is_that_of_libsvm(source: str, C: float, epsilon: float) -> None:
    p = Problem(kernelviz.dataset(source), Gaussian(gamma=2.0))
    model = SupportVectorRegression(C, epsilon, tol=1e-8).fit(p)
    theirs = SVR(C=C, gamma=2.0, epsilon=epsilon, tol=1e-8).fit(p.X, p.y)
    assert model.converged, model.message
    best = dual_objective(p, weights_of(theirs, p.n), epsilon)
    assert dual_objective(p, model.beta, epsilon) >= best - 1e-6 * abs(best)
    # LIBSVM itself may stop a little short of the optimum, which lies between dual and primal.
    assert model.numbers["primal_objective"] == pytest.approx(model.numbers["dual_objective"], rel=1e-6)
    assert best <= model.numbers["primal_objective"] * (1 + 1e-6)
    assert violation(model, epsilon, C) <= 1e-7
    assert abs(model.beta.sum()) <= 1e-10 * np.abs(model.beta).sum() + 1e-12
    assert np.abs(model.beta).max() <= C


@every_set
@pytest.mark.parametrize("kernel", [Linear(), Polynomial(degree=3), Gaussian(30.0)], ids=str)
def test_the_conditions_hold_for_what_is_returned_with_any_kernel(source: str, kernel) -> None:
    for C, epsilon in ((0.1, 0.05), (10.0, 0.2), (1000.0, 0.01)):
        model = SupportVectorRegression(C, epsilon).fit(Problem(kernelviz.dataset(source), kernel))
        assert model.converged, model.message
        half_the_range = 0.5 * float(np.ptp(model.problem.y))
        assert violation(model, epsilon, C) <= 1.01e-3 * half_the_range


def test_no_tube_and_no_price_too_high_is_the_line_of_least_absolute_deviations() -> None:
    rng = np.random.default_rng(4)
    x, n = rng.uniform(-2, 2, 31), 31
    y = 0.7 * x - 0.3 + rng.standard_cauchy(n)
    # min sum t with -t <= y - a x - b <= t.
    rows = np.column_stack([x, np.ones(n)])
    A = np.block([[-rows, -np.eye(n)], [rows, -np.eye(n)]])
    free = [(None, None)] * 2 + [(0, None)] * n
    lad = linprog(np.r_[0, 0, np.ones(n)], A_ub=A, b_ub=np.r_[-y, y], bounds=free)
    model = kernelviz.fit(x[:, None], y, kernel="linear", algorithm="svr(C=1e6, epsilon=0, tol=1e-8)")
    assert np.abs(model.residuals).sum() == pytest.approx(lad.fun, rel=1e-6)
    slope, offset = lad.x[:2]
    np.testing.assert_allclose(model.score([[0.0], [1.0]]), [offset, offset + slope], atol=1e-4)


def test_inside_the_tube_points_have_no_weight_on_its_edge_they_are_free_outside_bounded() -> None:
    model = in_full(SupportVectorRegression(5.0, 0.1).fit(Problem(kernelviz.dataset("sine"), Gaussian(3.0))))
    table, r = point_table(model), np.abs(model.residuals)
    kinds = np.array(table.kind)
    assert (r[kinds == PointRole.NONE] <= 0.1 + 1e-8).all()
    np.testing.assert_allclose(r[kinds == PointRole.FREE], 0.1, atol=1e-8)
    assert (r[kinds == PointRole.BOUNDED] >= 0.1 - 1e-8).all()
    assert {*table.kind} == {PointRole.NONE, PointRole.FREE, PointRole.BOUNDED}
    assert all(table.state(i).endswith("holds") for i in range(model.problem.n))
    np.testing.assert_array_equal(model.alpha, np.abs(model.beta))
    numbers = model.numbers
    assert numbers["free"] + numbers["bounded"] == numbers["support_vectors"] == len(model.support)
    assert model.tube == 0.1


def test_a_weight_that_breaks_its_condition_is_said_to() -> None:
    model = SupportVectorRegression(5.0, 0.1, tol=1.0).fit(Problem(kernelviz.dataset("sine"), Gaussian(3.0)))
    table = point_table(model)
    assert table.residual.max() > 0
    assert table.residual.max() == pytest.approx(violation(model, 0.1, 5.0))


def test_dragging_a_point_within_the_tube_leaves_the_curve_alone() -> None:
    data = kernelviz.dataset("sine")
    algorithm = SupportVectorRegression(10.0, 0.3, tol=1e-8)
    model = algorithm.fit(Problem(data, Gaussian(3.0)))
    inside = int(np.flatnonzero(np.abs(model.residuals) < 0.1)[0])
    y = data.y.copy()
    y[inside] += 0.1
    moved = algorithm.fit(Problem(Data.regression(data.X, y), model.problem.kernel), model)
    x = np.linspace(-2, 2, 50)[:, None]
    np.testing.assert_allclose(moved.score(x), model.score(x), atol=1e-6)


@pytest.mark.parametrize("algorithm", ["svr(C=10, epsilon=0.1)", "nu-svr(C=10, nu=0.3)"])
@pytest.mark.parametrize("seed", range(4))
def test_a_drag_ends_where_a_cold_start_ends(algorithm: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    machine = parse_algorithm(algorithm).replace(tol=1e-7)
    data, kernel, model = kernelviz.dataset(f"outliers(n=50, seed={seed})"), Gaussian(2.0), None
    for k in range(12):
        X, y = data.X.copy(), data.y.copy()
        i = int(rng.integers(data.n))
        if k % 4 == 3:
            X, y = np.delete(X, i, axis=0), np.delete(y, i)
        elif k % 4 == 2:
            X, y = np.append(X, [[rng.uniform(-2, 2)]], axis=0), np.append(y, rng.normal())
        else:
            X[i] += 0.3 * rng.normal()
            y[i] += rng.normal()
        data = Data.regression(X, y)
        machine = machine.replace(C=machine.C * (1.3 if k % 3 else 0.5))
        model = machine.fit(Problem(data, kernel), model)
        cold = machine.fit(Problem(data, kernel))
        assert model.converged
        assert model.numbers["dual_objective"] == pytest.approx(cold.numbers["dual_objective"], rel=1e-6)


def test_steps_are_pairs_that_raise_the_dual_and_end_at_the_optimum() -> None:
    p = Problem(kernelviz.dataset("sine(n=30)"), Gaussian(3.0))
    machine = SupportVectorRegression(2.0, 0.1, tol=1e-6)
    frames = list(machine.steps(p))
    duals = [frame.objectives["dual"] for frame in frames]
    assert all(b >= a - 1e-12 for a, b in pairwise(duals))
    assert sum(frame.change.kind == "pair" for frame in frames) > 20
    for frame in frames[:-1]:
        assert abs(frame.model.beta.sum()) < 1e-9
        np.testing.assert_allclose(
            frame.model.known_scores - frame.model.b, p.gram @ frame.model.beta, atol=1e-9
        )
    assert duals[-1] == pytest.approx(machine.fit(p).numbers["dual_objective"], rel=1e-6)


@every_set
@pytest.mark.parametrize("nu", [0.05, 0.3, 0.8, 1.0])
def test_nu_svr_is_libsvms(source: str, nu: float) -> None:
    p = Problem(kernelviz.dataset(source), Gaussian(gamma=2.0))
    model = OurNuSVR(10.0, nu, tol=1e-8).fit(p)
    theirs = NuSVR(C=10.0, gamma=2.0, nu=nu, tol=1e-8).fit(p.X, p.y)
    assert model.converged, model.message
    assert dual_objective(p, model.beta) == pytest.approx(
        dual_objective(p, weights_of(theirs, p.n)), rel=1e-6
    )
    assert model.numbers["primal_objective"] == pytest.approx(model.numbers["dual_objective"], rel=1e-5)
    assert np.abs(model.beta).sum() <= 10.0 * nu * p.n * (1 + 1e-9)
    assert violation(model, model.tube, 10.0) <= 1e-6


def test_nu_bounds_the_points_outside_from_above_and_the_support_vectors_from_below() -> None:
    p = Problem(kernelviz.dataset("sine(n=100)"), Gaussian(gamma=2.0))
    for nu in (0.1, 0.3, 0.6):
        model = OurNuSVR(10.0, nu, tol=1e-8).fit(p)
        assert (np.abs(model.residuals) > model.tube + 1e-6).mean() <= nu <= len(model.support) / p.n


def test_the_tube_that_nu_svr_finds_gives_svr_the_same_curve() -> None:
    p = Problem(kernelviz.dataset("sine"), Gaussian(gamma=2.0))
    found = OurNuSVR(5.0, 0.3, tol=1e-9).fit(p)
    same = SupportVectorRegression(5.0, found.tube, tol=1e-9).fit(p)
    np.testing.assert_allclose(same.training_scores, found.training_scores, atol=1e-6)


@pytest.mark.parametrize(
    "algorithm", ["svr", "nu-svr", "ridge", "gaussian-process", "nadaraya-watson", "kernel-sgd"]
)
@pytest.mark.parametrize(
    ("X", "y"),
    [
        ([[0.3]], [2.0]),
        ([[0.0], [0.0], [1.0]], [1.0, -1.0, 0.5]),
        (np.linspace(-1, 1, 9)[:, None], np.full(9, 3.0)),
        (1e6 * np.linspace(-1, 1, 9)[:, None], np.sin(np.arange(9))),
        (np.linspace(-1, 1, 9)[:, None], 1e12 * np.sin(np.arange(9))),
    ],
    ids=["one point", "equal x", "constant y", "x scaled by 1e6", "y of 1e12"],
)
def test_bad_data_get_an_honest_answer_or_a_sentence(algorithm: str, X, y) -> None:
    data = Data.regression(X, y)
    for kernel in ("rbf(gamma=1)", "linear + rbf(gamma=1)", "polynomial(degree=2)"):
        try:
            model = kernelviz.fit(data, kernel=kernel, algorithm=algorithm)
        except BadInput as error:
            assert_sentence(error)
            continue
        assert np.isfinite(model.score(data.X)).all()
        assert all(v is None or np.isfinite(v) for v in model.summary().values())
        if algorithm == "svr" and model.converged:
            size = 1.0 + np.abs(data.y).max()
            assert violation(model, 0.1, 10.0) <= 1e-3 + 1e-12 * size


def test_of_one_point_svr_makes_a_constant() -> None:
    model = kernelviz.fit(Data.regression([[0.3]], [2.0]), algorithm="svr")
    assert model.score([[5.0]]) == pytest.approx([2.0])


def test_nan_is_refused_in_words() -> None:
    with pytest.raises(BadInput, match="finite"):
        Data.regression([[0.0], [1.0]], [0.0, np.nan])


@pytest.mark.parametrize("seed", [1059, 59, 159])
def test_a_refused_rescue_leaves_the_weights_and_their_gap_true(seed: int) -> None:
    data = kernelviz.dataset(f"sinc(n=30, seed={seed})")
    model = kernelviz.fit(data, None, "polynomial(degree=3)", "svr(C=1000, epsilon=0.2)")
    assert model.converged
    assert [*claims(model)] == []


def test_a_rescue_that_is_refused_leaves_every_weight_on_its_branch(monkeypatch) -> None:
    problem = Problem(kernelviz.dataset("sinc(n=30, seed=3)"), Polynomial(degree=3))
    machine = SupportVectorRegression(C=1000.0, epsilon=0.2)
    dual, point, _ = machine.begin(problem, None)
    finished(machine.optimise(dual, point, False))
    b, best = point.b.copy(), Optimality(dual, point).gap
    assert (b < 0).any()
    monkeypatch.setattr(solve._Interior, "on_bounds", lambda self: feasible(dual, 0.1 * b[::-1]))
    solve.interior_point(dual, point, 1e-3)
    np.testing.assert_array_equal(point.b, b)
    assert ((dual.lo <= b) & (b <= dual.hi)).all()
    assert Optimality(dual, point).gap == pytest.approx(best, abs=1e-9)


def test_after_a_smaller_c_and_a_wider_tube_the_offset_is_that_of_a_cold_start() -> None:
    data = Data.regression([[-0.3], [0.2], [-2.3], [-3.0]], [0.71, 0.7, -0.72, 0.91])
    before = kernelviz.fit(data, None, "laplacian(gamma=0.2)", "svr(C=1, epsilon=0.01)")
    warm = kernelviz.fit(data, None, "laplacian(gamma=0.2)", "svr(C=0.02, epsilon=0.05)", start=before)
    cold = kernelviz.fit(data, None, "laplacian(gamma=0.2)", "svr(C=0.02, epsilon=0.05)")
    assert [*claims(warm, cold)] == []
    assert warm.b == pytest.approx(cold.b, abs=1e-9)
    np.testing.assert_allclose(warm.training_scores, cold.training_scores, atol=1e-9)


def test_nu_svr_of_one_point_with_a_huge_kernel_passes_through_it() -> None:
    model = kernelviz.fit([[1184.7]], [0.83], "polynomial(degree=3)", "nu-svr", task="regression")
    assert model.converged
    assert model.score([[1184.7]]) == pytest.approx([0.83], abs=1e-12)
    assert model.training_scores == pytest.approx([0.83], abs=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_nu_svr_is_solved_where_alpha_and_alpha_star_cancel(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y = 10.0 ** rng.uniform(1.5, 2.5) * rng.normal(size=(3, 1)), rng.normal(size=3)
    model = kernelviz.fit(Data.regression(X, y), None, "polynomial(degree=3)", "nu-svr(C=10, nu=0.9)")
    assert model.converged
    assert [*claims(model)] == []


def test_weights_whose_dual_objective_exceeds_the_primal_have_not_converged() -> None:
    class Mistaken(SupportVectorRegression):
        def primal(self, problem, norm2, scores, found) -> float:
            return 0.99 * super().primal(problem, norm2, scores, found)

    model = Mistaken(C=10.0, epsilon=0.1).fit(Problem(kernelviz.dataset("sine"), Gaussian(2.0)))
    assert not model.converged
    assert "the dual objective is above the primal one" in model.message
    assert model.numbers["duality_gap"] is None


@pytest.mark.parametrize("C", [1e-8, 1e-4, 1e-2])
@pytest.mark.parametrize("kernel", [Linear(), Gaussian(3.0)], ids=str)
def test_a_constant_added_to_the_targets_leaves_the_norm_alone(C: float, kernel) -> None:
    data = kernelviz.dataset("sine(n=30)")
    machine = SupportVectorRegression(C, 0.05)
    norms = [
        machine.fit(Problem(Data.regression(data.X, data.y + shift), kernel)).numbers["norm"]
        for shift in (0.0, 1e6)
    ]
    assert norms[1] == pytest.approx(norms[0], rel=1e-6)


@pytest.mark.parametrize("y", [-0.0012590655321041203, 1e-12, 0.1, 3.0])
@pytest.mark.parametrize("n", [1, 4])
def test_targets_inside_the_tube_need_no_weights_and_are_solved(n: int, y: float) -> None:
    X = 149343.11452207607 * np.linspace(1.0, 2.0, n)[:, None]
    model = kernelviz.fit(X, np.full(n, y), "linear", "svr(C=10000, epsilon=0.1)", task="regression")
    assert not model.beta.any()
    assert model.message == "Converged: no KKT violation is left."
    assert model.converged


def test_nu_svr_of_one_point_has_no_weight_after_any_change_of_c() -> None:
    rng = np.random.default_rng(0)
    for kernel in ("linear", "rbf(gamma=1)", "polynomial(degree=2, gamma=1, c=0)"):
        for _ in range(80):
            data = Data.regression([[rng.normal()]], rng.normal(size=1) * 10.0 ** rng.integers(-4, 6))
            C, factor = 10.0 ** rng.integers(-3, 6), rng.choice([0.1, 3.0])
            before = kernelviz.fit(data, None, kernel, f"nu-svr(C={C}, nu=0.3)")
            warm = kernelviz.fit(data, None, kernel, f"nu-svr(C={C * factor}, nu=0.3)", start=before)
            assert warm.beta.tolist() == [0.0]
            assert warm.converged


@pytest.mark.parametrize("seed", [13, 158, 247, 261, 387, 417, 419, 456])
def test_a_warm_start_of_nu_svr_converges_as_a_cold_one_does(seed: int) -> None:
    # The weights are inherited from a problem a thousand times as large, and their sum with them.
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(3, 1))
    y = np.sin(2 * X[:, 0]) + 0.2 * rng.normal(size=3)
    large, small = Data.regression(X, y), Data.regression(X, 1e-3 * y)
    before = kernelviz.fit(large, None, "polynomial(degree=2)", "nu-svr(C=1, nu=0.3)")
    warm = kernelviz.fit(small, None, "polynomial(degree=2)", "nu-svr(C=0.001, nu=0.3)", start=before)
    assert warm.converged, warm.message
    assert [*claims(warm)] == []


def hostile_chain(seed: int, n: int = 12):
    """Warm fits of repeated points with targets of 1e-6, at prices that multiply the rounding of scores."""
    rng, data, model = np.random.default_rng(seed), repeated(seed, 1e-7 * (seed % 2)), None
    for k in range(n):
        if k % 4 == 0:
            gamma = 10 ** rng.uniform(-1, 1.9)
        C, epsilon = 10 ** rng.uniform(0, 6), 10 ** rng.uniform(-9, -6)
        machine = f"svr(C={C:.3g}, epsilon={epsilon:.3g})"
        model = kernelviz.fit(data, None, f"rbf(gamma={gamma:.3g})", machine, start=model)
        yield model


@pytest.mark.parametrize("seed", range(6))
def test_objectives_of_tiny_targets_are_shown_only_as_far_as_they_are_known(seed: int) -> None:
    models = [*hostile_chain(seed)]
    assert [claim for model in models for claim in claims(model)] == []
    assert any(model.converged and "not known" not in model.message for model in models)


@pytest.mark.parametrize("unit", 1.0 + 0.01 * np.arange(10))
def test_a_norm_that_is_all_rounding_is_0_for_a_curve_that_is_level(unit) -> None:
    """Weights of some thousand cancel, so that beta'K beta is 0 or 1e-5 of either sign."""
    x = [39.3366, -70.8059, -23.602, 39.3366, 15.7346, 39.3366, 94.4078, 125.8771, 7.8673]
    y = [-0.402, 0.6318, -0.3446, 0.0, 0.1149, -0.3446, 0.2872, 0.9763, 0.5169]
    X = unit * np.array(x)[:, None]
    model = kernelviz.fit(X, y, "linear", "nu-svr(C=4310, nu=0.523)", task="regression")
    assert model.converged
    assert np.ptp(model.score(X)) < 1e-6
    assert model.numbers["norm"] == 0.0


@pytest.mark.parametrize(
    ("data", "kernel", "algorithm"),
    [
        (repeated(1), "rbf(gamma=7.7)", "svr(C=700000, epsilon=2e-7)"),
        (kernelviz.dataset("moons(n=30, seed=2)"), "polynomial(degree=5, c=2)", "soft-margin-svm(C=1e8)"),
    ],
    ids=["svr", "soft margin"],
)
def test_an_objective_lost_in_rounding_is_not_shown_and_the_verdict_says_so(data, kernel, algorithm) -> None:
    """Nor is the other one, which alone would pass for the optimum, though it may be far from it."""
    model = kernelviz.fit(data, None, kernel, algorithm)
    assert model.converged
    assert "not known to five digits" in model.message
    names = ("primal_objective", "dual_objective", "duality_gap")
    assert [model.numbers[name] for name in names] == [None] * 3


@pytest.mark.parametrize("seed", [1, 4, 7, 8, 11])
def test_a_small_problem_at_a_high_price_has_its_duality_gap_closed(seed: int) -> None:
    for C in (1e3, 1e4, 1e5):
        truth = Truth(kernelviz.fit(repeated(seed), None, "rbf(gamma=2)", f"svr(C={C}, epsilon=3e-7)"))
        assert truth.primal - truth.dual <= 1e-3 * truth.dual


@pytest.mark.parametrize("seed", [80, 89, 142, 186])
def test_nu_svr_of_two_points_with_small_targets_converges(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(2, 1)) * 10 ** rng.uniform(-3, 3)
    y = 1e-6 * rng.normal(size=2) + (rng.random() < 0.3) * 10 ** rng.uniform(-6, 0)
    nu, C, model = rng.uniform(0.02, 1), 10 ** rng.uniform(-8, 8), None
    kernel = rng.choice(["linear", "rbf(gamma=1)", "rbf(gamma=0.01)", "laplacian(gamma=2)"])
    data = Data.regression(X, y)
    for _ in range(3):
        C = float(np.clip(C * 10 ** rng.normal(), 1e-8, 1e10))
        model = kernelviz.fit(data, None, str(kernel), f"nu-svr(C={C:.3g}, nu={nu:.3g})", start=model)
        assert model.converged, model.message
        assert [*claims(model)] == []


def test_a_weight_left_by_rounding_is_no_support_vector_and_does_not_move_b() -> None:
    X, y = np.array([[3.5, -1.9], [-2.6, 2.3], [0.8, -0.2]]), np.array([0.1, -0.4, 1.0])
    model = kernelviz.fit(X, y, "polynomial(degree=2)", "svr(C=0.576, epsilon=0.01)", task="regression")
    for C, epsilon in ((0.418, 0), (1, 0.2)):
        algorithm = f"svr(C={C}, epsilon={epsilon})"
        model = kernelviz.fit(X, y, "rbf(gamma=0.001)", algorithm, start=model, task="regression")
        cold = kernelviz.fit(X, y, "rbf(gamma=0.001)", algorithm, task="regression")
        assert model.support.tolist() == cold.support.tolist() == [1, 2]
        assert model.b == pytest.approx(cold.b, abs=1e-9)


def test_a_weight_of_rounding_size_is_0_without_a_tube_too() -> None:
    X, y = np.array([[1.5], [-0.2], [2.3], [0.9], [-2.2]]), np.array([0.1, 1.2, -1.1, -0.6, -0.8])
    model = kernelviz.fit(X, y, "rbf(gamma=1)", "svr(C=0.01, epsilon=0)", task="regression")
    assert model.support.tolist() == [0, 1, 2, 4]


@pytest.mark.parametrize(
    ("x", "y", "settings"),
    [
        (
            [3.549120100003054, -5.389468114908657],
            [0.6501298623856505, -0.07202141661247996],
            "C=1.15e+07, nu=0.833",
        ),
        (
            [120.32691347970102, 38.249508444432095],
            [0.15414269103236572, 0.0706917640517216],
            "C=5.49e+04, nu=0.258",
        ),
    ],
)
def test_nu_svr_is_not_called_converged_where_beta_does_not_sum_to_zero(x, y, settings) -> None:
    """The price of slack multiplies what is missing, in the duality gap."""
    data = Data.regression(np.array(x)[:, None], np.array(y))
    model = kernelviz.fit(data, None, "linear", f"nu-svr({settings})")
    uneven = abs(model.beta.sum()) > 1e-9 * np.abs(model.beta).sum()
    assert model.converged != uneven
    truth = Truth(model)
    assert not model.converged or truth.primal - truth.dual <= 1e-3 * truth.primal


def test_nu_svr_judges_rounding_by_the_weights_that_far_points_have() -> None:
    """A point far away has a large K(x, x), but may have a small weight."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20, 2))
    X[0] = 1e4
    model = kernelviz.fit(X, np.sin(X[:, 0]), "linear", "nu-svr(C=1e3, nu=0.3)", task="regression")
    assert model.converged, model.message
    truth = Truth(model)
    assert truth.primal - truth.dual <= 1e-6 * truth.primal
    shown = model.summary()
    assert shown["primal_objective"] == pytest.approx(float(truth.primal), rel=1e-6)


def test_nu_svr_of_large_kernel_values_has_weights_that_sum_to_zero() -> None:
    """Without a tube the two weights of a point have a common part, here 1e9 times their difference."""
    data = dataset("sine(n=18, seed=1)")
    model = kernelviz.fit(1e6 * data.X, data.y, "1e8*rbf", "nu-svr(C=10, nu=0.5)", task="regression")
    assert model.converged, model.message
    assert abs(model.beta.sum()) <= 1e-9 * np.abs(model.beta).sum()
    assert model.score(model.problem.X) == pytest.approx(data.y, abs=1e-6)
