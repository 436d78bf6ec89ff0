"""The numbers and residuals of a fit against hand calculations and definitions."""

from __future__ import annotations

from fractions import Fraction
from operator import mul
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Ridge as LinearRidge
from sklearn.metrics import r2_score
from sklearn.neighbors import KNeighborsRegressor

import kernelviz
from kernelviz.api import fit
from kernelviz.engine.algorithms.perceptron import Perceptron
from kernelviz.engine.analysis.points import PointRole, point_table
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.losses import ABSOLUTE_ERROR, HINGE, SQUARED_ERROR, epsilon_insensitive, huber
from kernelviz.engine.fits.held_out import fresh
from kernelviz.engine.fits.parsing import dataset
from kernelviz.engine.kernels.dot_products import Linear, Sigmoid
from kernelviz.engine.models.base import Status
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.numbers.bounds import BOUNDS
from kernelviz.engine.numbers.of_fit import NAMES, norm_of, on_held_out, residual_table

LINEAR = Linear()


def expansion(weights: list[float], b: float, box: Array | None = None, **rest: object) -> KernelModel:
    """s(x) = b + sum beta_i x_i·x on (0, 0) -, (2, 0) +, (0, 4) +, (3, 0) -."""
    data = Data.labelled([[0, 0], [2, 0], [0, 4], [3, 0]], [-1, 1, 1, -1])
    return KernelModel(
        Problem(data, LINEAR),
        Perceptron(),
        Status.CONVERGED,
        "",
        7,
        weights=np.array(weights),
        offset=b,
        box=box,
        **rest,  # type: ignore[arg-type]
    )


def test_they_match_a_calculation_by_hand() -> None:
    # w = 1·(2, 0) + ½·(0, 4) = (2, 2); s = -1, 3, 7, 5; z s = 1, 3, 7, -5
    numbers = expansion([0, 1, 0.5, 0], -1).summary()
    assert numbers["training_error"] == 0.25
    assert numbers["hinge_loss"] == pytest.approx(6 / 4)
    assert numbers["norm"] == pytest.approx(np.sqrt(8))
    assert numbers["margin"] == pytest.approx(-5 / np.sqrt(8))
    assert numbers["support_vectors"] == 2
    assert numbers["iterations"] == 7


def test_a_score_that_is_zero_everywhere_has_no_error() -> None:
    assert expansion([0, 0, 0, 0], 0.0).summary()["training_error"] is None


def test_without_a_norm_there_is_no_margin() -> None:
    numbers = expansion([0, 0, 0, 0], 1.0).summary()
    assert numbers["norm"] == 0.0
    assert numbers["margin"] is None


def test_free_and_bounded_are_told_apart_by_the_box() -> None:
    numbers = expansion([0, 1, 0.5, 0], -1, np.full(4, 1.0)).summary()
    assert (numbers["free"], numbers["bounded"]) == (1, 1)


def test_a_weight_of_zero_is_not_bounded_even_by_a_box_of_zero() -> None:
    numbers = expansion([0, 1, 0.5, 0], -1, np.array([0.0, 1.0, 1.0, 1.0])).summary()
    assert (numbers["free"], numbers["bounded"]) == (1, 1)


def test_without_a_box_nothing_is_free_or_bounded() -> None:
    numbers = expansion([0, 1, 0.5, 0], -1).summary()
    assert numbers["free"] is None
    assert numbers["bounded"] is None


def test_the_gap_is_primal_minus_dual_and_rounding_is_no_gap() -> None:
    assert expansion([0] * 4, 1.0, objectives=(3.0, 2.5)).summary()["duality_gap"] == 0.5
    assert expansion([0] * 4, 1.0, objectives=(1.0, 1.0 + 1e-15)).summary()["duality_gap"] == 0.0
    assert expansion([0] * 4, 1.0, objectives=(1e9, 1e9 + 1e-5)).summary()["duality_gap"] == 0.0
    assert expansion([0] * 4, 1.0, objectives=(1.0, 1.01)).summary()["duality_gap"] is None
    assert expansion([0] * 4, 1.0).summary()["duality_gap"] is None


def test_an_indefinite_kernel_in_use_leaves_no_duality_gap() -> None:
    data = dataset("rings(n=30)")
    numbers = fit(data, kernel="sigmoid", algorithm="soft-margin-svm(C=1)").summary()
    assert numbers["duality_gap"] is None
    assert numbers["dual_objective"] is not None
    unused = fit(data, kernel="sigmoid", algorithm="feature-map(model=hinge)").summary()
    assert unused["duality_gap"] is not None


def test_a_negative_square_under_an_indefinite_kernel_is_no_norm() -> None:
    data = Data.labelled([[0.1], [2.0]], [-1, 1])
    problem = Problem(data, kernelviz.kernel("sigmoid(gamma=1, c=-1)"))
    weights = np.linalg.eigh(problem.gram)[1][:, 0]
    assert weights @ problem.gram @ weights < 0
    model = KernelModel(problem, Perceptron(), Status.CONVERGED, "", 0, weights=weights, offset=0.0)
    assert model.summary()["norm"] is None
    assert model.summary()["margin"] is None


@pytest.mark.parametrize(
    ("square", "kernel", "norm"),
    [
        (4.0, Linear(), 2.0),
        (4.0, Sigmoid(), 2.0),
        (-1e-18, Linear(), 0.0),
        (-1e-18, Sigmoid(), None),
        (0.0, Sigmoid(), 0.0),
        (float("inf"), Linear(), None),
        (None, Linear(), None),
    ],
)
def test_the_norm_is_the_root_of_its_square_where_that_means_something(
    square: float | None, kernel: object, norm: float | None
) -> None:
    model = SimpleNamespace(squared_norm=square, norm_doubt=0.0, problem=SimpleNamespace(kernel=kernel))
    assert norm_of(model) == norm  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "name", ["soft-margin-svm(C=1)", "perceptron", "nearest-neighbours", "random-features"]
)
@pytest.mark.parametrize("source", ["rings(n=40)", "blobs(n=30, classes=3)"])
def test_every_model_has_exactly_these_numbers_all_finite_or_none(name: str, source: str) -> None:
    numbers = fit(dataset(source), algorithm=name).summary()
    assert tuple(numbers) == (*NAMES, *((*BOUNDS, "roc_area") if source.startswith("rings") else ()))
    assert all(value is None or np.isfinite(value) for value in numbers.values())
    assert numbers["training_error"] is not None


def test_more_than_two_classes_count_wrong_predictions() -> None:
    data = dataset("blobs(n=60, classes=3, noise=1.2)")
    model = fit(data, algorithm="soft-margin-svm(C=1)")
    assert model.summary()["training_error"] == np.mean(model.codes(data.X) != data.y)
    assert model.summary()["hinge_loss"] is None
    assert model.summary()["support_vectors"] == len(model.support) > 0


def test_an_algorithm_that_ignores_labels_makes_no_mistakes() -> None:
    numbers = fit(dataset("rings(n=40)"), algorithm="one-class-svm").summary()
    assert numbers["training_error"] is None
    assert numbers["margin"] is None
    assert numbers["support_vectors"]


def test_soft_margin_numbers_agree_with_their_definitions() -> None:
    data = dataset("gaussians(n=60, seed=3)")
    model = fit(data, kernel="rbf(gamma=0.5)", algorithm="soft-margin-svm(C=2, tol=1e-8)")
    numbers, beta = model.summary(), model.beta
    K = kernelviz.kernel("rbf(gamma=0.5)")(data.X)
    product = data.z * model.score(data.X)
    square = beta @ K @ beta
    hinge = np.maximum(0, 1 - product)
    assert numbers["norm"] == pytest.approx(np.sqrt(square))
    assert numbers["hinge_loss"] == pytest.approx(hinge.mean())
    assert numbers["margin"] == pytest.approx(product.min() / np.sqrt(square))
    assert numbers["primal_objective"] == pytest.approx(square / 2 + 2 * hinge.sum())
    assert numbers["dual_objective"] == pytest.approx(np.abs(beta).sum() - square / 2)
    assert numbers["bounded"] == np.count_nonzero(np.abs(beta) == 2)
    assert numbers["free"] + numbers["bounded"] == numbers["support_vectors"]


def test_the_width_of_the_band_and_the_radius_give_the_margin_a_scale() -> None:
    data = Data.labelled([[3.0, 0.0], [9.0, 0.0], [1.0, 0.0], [-7.0, 4.0]], [1, 1, -1, -1])
    numbers = kernelviz.fit(data, None, "linear", "hard-margin-svm(tol=1e-8)").summary()
    # The boundary is x1 = 2, the band reaches to 3; the farthest point is (9, 0).
    assert numbers["margin_width"] == pytest.approx(1.0)
    assert numbers["margin_width"] == pytest.approx(numbers["margin"])
    assert numbers["radius"] == pytest.approx(9.0)
    soft = kernelviz.fit(data, None, "linear", "soft-margin-svm(C=0.01)").summary()
    assert soft["margin_width"] == pytest.approx(1.0 / soft["norm"])
    assert soft["margin_width"] > soft["margin"]


def test_a_norm_of_which_rounding_leaves_two_digits_is_not_shown() -> None:
    """Weights that sum to 170,000 cancel each other to a norm of 0.42035, of which doubles make 0.41984."""
    data = dataset("cubic(n=31, seed=221615)")
    model = fit(data, None, "polynomial(degree=5)", "nu-svr(C=6.68e3, nu=0.821)")
    X, beta = data.X.astype(np.longdouble), model.beta.astype(np.longdouble)
    norm = float(np.sqrt(beta @ (X @ X.T + 1) ** 5 @ beta))
    assert not beyond(model.numbers["norm"], norm, 1e-3)


@pytest.mark.parametrize("algorithm", ["squared-slack-svm(lam=1e-2)", "squared-slack-svm(lam=1e-8)"])
@pytest.mark.parametrize("place", [0.0, 300.0])
def test_norm_and_margin_have_the_digits_they_show_or_are_not_shown(algorithm: str, place: float) -> None:
    """Weights of 1e8 leave nothing of beta'K beta; w itself, not squared, keeps twice the digits."""
    data = dataset("moons(n=60, noise=0.3)")
    X = data.X + place
    model = fit(X, data.z, "linear", algorithm)
    shown = model.summary()
    if shown["norm"] is None:
        assert "1e-8" in algorithm or place
        assert shown["margin"] is shown["margin_width"] is None
    else:
        norm = np.linalg.norm(model.beta @ (X - X.mean(axis=0)))  # the weights of both classes have one sum
        assert shown["norm"] == pytest.approx(norm, rel=1e-3)
        assert shown["margin_width"] == pytest.approx(1 / norm, rel=1e-3)


@pytest.mark.parametrize("algorithm", ["logistic", "ridge", "prototype", "random-features(model=logistic)"])
def test_where_every_point_has_a_weight_none_is_called_a_support_vector(algorithm: str) -> None:
    model = fit(dataset("gaussians(n=30)"), kernel="rbf(gamma=1)", algorithm=algorithm)
    numbers = model.summary()
    assert numbers["support_vectors"] is numbers["free"] is numbers["bounded"] is None
    assert set(point_table(model).kind) == {PointRole.WEIGHTED}


@pytest.mark.parametrize(
    ("algorithm", "own"), [("logistic", "logistic"), ("squared-slack-svm", "squared hinge")]
)
def test_the_loss_is_the_algorithms_own_and_the_hinge_stands_beside_it(algorithm: str, own: str) -> None:
    model = fit(dataset("gaussians(n=30)"), kernel="rbf(gamma=1)", algorithm=algorithm)
    t = model.problem.z * model.training_scores
    assert model.algorithm.own_loss.name == own
    assert model.summary()["loss"] == pytest.approx(model.algorithm.own_loss.of(t).mean())
    assert model.summary()["hinge_loss"] == pytest.approx(np.maximum(0.0, 1.0 - t).mean())


def test_the_width_of_the_band_and_the_smallest_margin_are_two_numbers() -> None:
    numbers = fit(dataset("gaussians(n=40)"), kernel="linear", algorithm="soft-margin-svm(C=1)").summary()
    assert numbers["margin_width"] == pytest.approx(1.0 / numbers["norm"])
    assert numbers["margin"] < 0.0 < numbers["margin_width"]


def test_what_a_solver_leaves_of_zero_is_within_its_accuracy() -> None:
    model = fit(dataset("three_points"), kernel="linear", algorithm="soft-margin-svm(C=10)")
    assert abs(model.b) <= model.accuracy <= 1e-9
    assert model.summary()["loss"] <= model.accuracy


@pytest.mark.parametrize("kernel", ["rbf(gamma=2)", "rbf(gamma=30)"])
def test_on_the_margin_of_a_hard_margin_no_point_has_a_loss_that_rounding_made(kernel: str) -> None:
    model = kernelviz.fit(
        kernelviz.dataset("moons(n=60, noise=0.05)"), kernel=kernel, algorithm="hard-margin-svm"
    )
    assert HINGE.mean(model.problem.z * model.training_scores) > 0.0
    assert model.numbers["loss"] == model.numbers["hinge_loss"] == 0.0


def test_a_residual_of_the_size_of_the_penalty_is_no_rounding() -> None:
    model = kernelviz.fit(
        kernelviz.dataset("moons(n=60)"), kernel="rbf(gamma=30)", algorithm="ridge(lam=1e-8)"
    )
    assert 0.0 < model.numbers["loss"] < 1e-14


LINEAR_IN_Y = [
    "ridge(lam=0.1)",
    "ridge(lam=1e-4)",
    "gaussian-process(noise=0.02)",
    "nadaraya-watson",
    "feature-map(features=monomials, degree=5, model=ridge)",
]
DATA = kernelviz.dataset("sine(n=25)")
x = np.linspace(-2, 2, 40)[:, None]


def fitted(algorithm: str, data: Data = DATA):
    return kernelviz.fit(data, kernel="rbf(gamma=3)", algorithm=algorithm)


@pytest.mark.parametrize("algorithm", LINEAR_IN_Y)
def test_leaving_one_out_in_closed_form_is_leaving_it_out(algorithm: str) -> None:
    model = fitted(algorithm)
    table = residual_table(model)
    for i in range(DATA.n):
        without = fitted(algorithm, DATA.subset(np.arange(DATA.n) != i))
        assert table.left_out[i] == pytest.approx(DATA.y[i] - without.score(DATA.X[i : i + 1])[0], abs=1e-6)
        moved = np.sqrt(np.mean((without.score(DATA.X) - model.training_scores) ** 2))
        if algorithm != "nadaraya-watson":
            assert table.influence[i] == pytest.approx(moved, abs=1e-6)


def left_out_in_long_double(K: Array, lam: float, y: Array) -> Array:
    """β_i / (A⁻¹)_ii with A = K + lam I inverted by Gauss and Jordan."""
    n = len(K)
    A = np.hstack([K.astype(np.longdouble) + np.longdouble(lam) * np.eye(n), np.eye(n)])
    for i in range(n):
        A[i] /= A[i, i]
        others = np.arange(n) != i
        A[others] -= np.outer(A[others, i], A[i])
    inverse = A[:, n:]
    return np.asarray(inverse @ y / inverse.diagonal(), dtype=np.float64)


@pytest.mark.parametrize("kernel", ["matern32", "laplacian", "1000*rbf(gamma=100)"])
@pytest.mark.parametrize(
    ("algorithm", "lam"),
    [
        ("gaussian-process(noise=1e-10)", 1e-10),
        ("gaussian-process(noise=1e-9)", 1e-9),
        ("ridge(lam=1e-8)", 1e-8),
    ],
)
def test_leaving_one_out_keeps_its_digits_where_the_fit_all_but_interpolates(
    algorithm: str, lam: float, kernel: str
) -> None:
    model = kernelviz.fit(DATA, kernel=kernel, algorithm=algorithm)
    wanted = left_out_in_long_double(model.problem.gram, lam, DATA.y)
    assert residual_table(model).left_out == pytest.approx(wanted, rel=1e-6)


@pytest.mark.parametrize("algorithm", LINEAR_IN_Y)
def test_the_hat_matrix_gives_the_fit_of_any_targets(algorithm: str) -> None:
    H = fitted(algorithm).hat
    y = np.random.default_rng(1).normal(size=DATA.n)
    np.testing.assert_allclose(
        H @ y, fitted(algorithm, Data.regression(DATA.X, y)).training_scores, atol=1e-8
    )


def test_degrees_of_freedom_go_from_n_to_none_as_lambda_grows() -> None:
    found = [fitted(f"ridge(lam={lam})").summary()["degrees_of_freedom"] for lam in (1e-8, 0.1, 1.0, 1e8)]
    assert found == sorted(found, reverse=True)
    assert found[0] > 15
    assert found[-1] < 1e-6
    H = residual_table(fitted("ridge(lam=0.1)"))
    assert H.degrees_of_freedom == pytest.approx(H.leverage.sum())


def test_of_very_many_points_nobody_waits_for_the_hat_matrix() -> None:
    assert fitted("ridge", kernelviz.dataset("sine(n=1200)")).hat is None


def test_a_fit_that_is_not_linear_in_y_has_residuals_alone() -> None:
    table = residual_table(fitted("svr(C=1, epsilon=0.1)"))
    assert table.leverage is None
    assert table.left_out is None
    np.testing.assert_array_equal(table.residual, DATA.y - fitted("svr(C=1, epsilon=0.1)").training_scores)
    assert residual_table(kernelviz.fit(kernelviz.dataset("rings"))) is None


def test_ridge_is_scikit_learns_and_so_are_neighbours() -> None:
    ridge = KernelRidge(alpha=0.1, kernel="rbf", gamma=3.0).fit(DATA.X, DATA.y)
    np.testing.assert_allclose(fitted("ridge(lam=0.1)").score(x), ridge.predict(x), atol=1e-9)
    for k in (1, 4, 25):
        theirs = KNeighborsRegressor(k).fit(DATA.X, DATA.y)
        np.testing.assert_allclose(fitted(f"nearest-neighbours(k={k})").score(x), theirs.predict(x))


@pytest.mark.parametrize("algorithm", ["feature-map(features=monomials, degree=7", "random-features(q=40"])
def test_a_linear_model_on_features_is_scikit_learns_ridge_on_them(algorithm: str) -> None:
    model = fitted(f"{algorithm}, model=ridge, lam=0.01)")
    theirs = LinearRidge(alpha=0.01, solver="svd").fit(model.features(DATA.X), DATA.y)
    np.testing.assert_allclose(model.score(x), theirs.predict(model.features(x)), atol=1e-6)


def test_the_summary_has_the_numbers_of_the_residuals() -> None:
    model = fitted("svr(C=1, epsilon=0.2)")
    found, r = model.summary(), DATA.y - model.score(DATA.X)
    assert found["mean_squared_error"] == pytest.approx((r**2).mean())
    assert found["mean_absolute_error"] == pytest.approx(np.abs(r).mean())
    assert found["epsilon_loss"] == found["loss"] == pytest.approx(np.maximum(0, np.abs(r) - 0.2).mean())
    assert found["r2"] == pytest.approx(r2_score(DATA.y, model.score(DATA.X)))
    assert found["log_marginal_likelihood"] is None
    assert fitted("ridge").summary()["epsilon_loss"] is None
    held = fresh("sine(n=25)", 200).data
    test = on_held_out(model, held).summary()["test_mean_squared_error"]
    assert test == pytest.approx(((held.y - model.score(held.X)) ** 2).mean())


def test_classes_have_no_numbers_of_residuals() -> None:
    assert "r2" not in kernelviz.fit(kernelviz.dataset("rings")).summary()


def test_of_targets_that_are_all_alike_no_variance_is_explained() -> None:
    assert fitted("ridge", Data.regression(DATA.X, np.full(25, 2.0))).summary()["r2"] is None


@pytest.mark.parametrize(
    "algorithm",
    [
        "ridge(lam=0.3)",
        "svr(C=2, epsilon=0.1)",
        "nu-svr(C=2, nu=0.4)",
        "gaussian-process",
        "random-features(model=ridge)",
    ],
)
def test_fit_and_complexity_add_up_to_what_is_minimised(algorithm: str) -> None:
    model = fitted(algorithm)
    fit, complexity = model.fit_and_complexity
    assert fit + complexity == pytest.approx(model.numbers["primal_objective"], rel=1e-6)
    assert min(fit, complexity) > 0


def test_losses_of_the_residual() -> None:
    r = np.array([-2.0, -0.5, 0.0, 0.1, 3.0])
    np.testing.assert_allclose(SQUARED_ERROR.of(r), r**2)
    np.testing.assert_allclose(ABSOLUTE_ERROR.of(r), np.abs(r))
    np.testing.assert_allclose(epsilon_insensitive(0.5).of(r), [1.5, 0, 0, 0, 2.5])
    np.testing.assert_allclose(huber(1.0).of(r), [3.0, 0.25, 0.0, 0.01, 5.0])
    assert all(loss.of_residual for loss in (SQUARED_ERROR, ABSOLUTE_ERROR, huber()))


# Rounding ----------------------------------------------------------------------------------------------
def exact_scores(model: KernelModel, degree: int) -> list[Fraction]:
    """s(x_i) for (x·x' + 1)^degree by fractions, without rounding."""
    rows = [[Fraction(v) for v in row] for row in model.problem.X.tolist()]
    weights, b = [Fraction(w) for w in model.beta.tolist()], Fraction(model.b)
    return [
        b + sum(w * (sum(map(mul, row, x)) + 1) ** degree for w, x in zip(weights, rows, strict=True))
        for row in rows
    ]


def beyond(shown: float | None, true: float, share: float = 2e-3, least: float = 0.0) -> bool:
    """Whether a number that is shown has less than three digits in common with the true one."""
    return shown is not None and abs(shown - true) > share * max(abs(true), least)


@pytest.mark.parametrize(
    "algorithm",
    [
        "svr(C=10)",
        "svr(C=1e10)",
        "nu-svr",
        "ridge(lam=1e-8)",
        "gaussian-process",
        "gaussian-process(noise=1e-9)",
    ],
)
@pytest.mark.parametrize("scale", [1.0, 1e3, 1e5, 3e10])
@pytest.mark.parametrize("degree", [1, 3])
def test_numbers_of_residuals_that_rounding_may_change_are_not_shown(
    algorithm: str, scale: float, degree: int
) -> None:
    rng = np.random.default_rng(degree)
    X, y = scale * rng.normal(size=(12, 1)), rng.normal(size=12)
    model = fit(X, y, f"polynomial(degree={degree}, c=1)", algorithm, task="regression")
    shown, targets = model.summary(), [Fraction(v) for v in y.tolist()]
    r = [a - s for a, s in zip(targets, exact_scores(model, degree), strict=True)]
    mean, squares = sum(targets) / 12, sum(v * v for v in r)
    assert not beyond(shown["mean_squared_error"], float(squares / 12))
    assert not beyond(shown["mean_absolute_error"], float(sum(map(abs, r)) / 12))
    assert not beyond(shown["r2"], float(1 - squares / sum((v - mean) ** 2 for v in targets)), least=1.0)
    if scale == 1.0 and "C=1e10" not in algorithm:
        assert None not in (shown["r2"], shown["mean_absolute_error"])


@pytest.mark.parametrize("algorithm", ["soft-margin-svm(C=1e8)", "logistic(lam=1e-5)", "ridge", "nu-svm"])
@pytest.mark.parametrize("scale", [1.0, 8e2, 1.6e4, 1e7, 1e10])
@pytest.mark.parametrize("degree", [1, 2, 5])
def test_numbers_of_classes_that_rounding_may_change_are_not_shown(
    algorithm: str, scale: float, degree: int
) -> None:
    rng = np.random.default_rng(degree)
    X = scale * rng.normal(size=(12, 2))
    z = np.where(X[:, 0] + 0.5 * scale * rng.normal(size=12) > 0, 1.0, -1.0)
    try:
        model = fit(X, z, f"polynomial(degree={degree}, c=1)", algorithm)
    except BadInput:
        return  # K is too large to compute with
    shown, scores = model.summary(), exact_scores(model, degree)
    plus, minus = ([s for s, side in zip(scores, z, strict=True) if side == sign] for sign in (1, -1))
    area = sum((a > b) + 0.5 * (a == b) for a in plus for b in minus) / (len(plus) * len(minus))
    wrong = sum(side * s <= 0 for s, side in zip(scores, z.astype(int).tolist(), strict=True)) / 12
    hinge = sum(
        max(Fraction(0), 1 - side * s) for s, side in zip(scores, z.astype(int).tolist(), strict=True)
    )
    assert not beyond(shown["roc_area"], area, least=1.0)
    assert model.flat or not beyond(shown["training_error"], wrong)  # if flat, every point is a mistake
    assert not beyond(shown["hinge_loss"], float(hinge) / 12, least=1e-6)
    if scale == 1.0 and "svm" not in algorithm:
        assert None not in (shown["roc_area"], shown["training_error"], shown["hinge_loss"])


@pytest.mark.parametrize("algorithm", ["ridge(lam=0.1)", "ridge(lam=1e-8)", "gaussian-process(noise=1e-9)"])
@pytest.mark.parametrize(("scale", "degree"), [(1.0, 2), (38.0, 4), (1e6, 1), (7e7, 3)])
def test_an_objective_of_least_squares_is_shown_if_rounding_leaves_five_digits(
    algorithm: str, scale: float, degree: int
) -> None:
    rng = np.random.default_rng(degree)
    X, y = scale * rng.normal(size=(10, 1)), rng.normal(size=10)
    model = fit(X, y, f"polynomial(degree={degree}, c=1)", algorithm, task="regression")
    scores, (loss, penalty) = exact_scores(model, degree), model.algorithm.prices
    squares = sum((Fraction(a) - s) ** 2 for a, s in zip(y.tolist(), scores, strict=True))
    norm2 = sum(Fraction(w) * s for w, s in zip(model.beta.tolist(), scores, strict=True))
    true = float(Fraction(loss.value) * squares + Fraction(penalty.value) * norm2)
    shown = model.summary()
    assert not beyond(shown["primal_objective"], true, share=2e-5)
    assert shown["primal_objective"] is not None or "not known to five digits" in model.message
    assert model.converged or shown.get("log_marginal_likelihood") is None


@pytest.mark.parametrize("n", [2, 3, 18, 40])
@pytest.mark.parametrize("algorithm", ["ridge", "svr", "nadaraya-watson"])
def test_constant_targets_have_no_share_explained(algorithm, n) -> None:
    x = np.linspace(0.0, 1.0, n)[:, None]
    for y in (0.1, 3.7, 996.3):
        model = fit(x, np.full(n, y), "rbf(gamma=1)", algorithm, task="regression")
        assert model.summary()["r2"] is None


@pytest.mark.parametrize("lam", [1e-8, 1e-9, 1e-10])
def test_small_residuals_of_near_interpolation_keep_their_digits(lam) -> None:
    x = np.sort(np.random.default_rng(0).uniform(-3, 3, 20))[:, None]
    model = fit(x, (np.sin(x[:, 0]) + 2) * 1e6, "laplacian(gamma=1)", f"ridge(lam={lam})", task="regression")
    residuals = lam * np.abs(model.beta)  # of ridge: y - K beta = lam beta
    assert model.summary()["mean_absolute_error"] == pytest.approx(residuals.mean(), rel=1e-3)
    assert model.summary()["mean_squared_error"] == pytest.approx(np.square(residuals).mean(), rel=1e-3)


@pytest.mark.parametrize("C", [0.096, 0.098, 0.1, 0.114, 0.122, 0.13])
def test_iris_plants_on_the_line_of_the_soft_margin_count_as_mistakes(C) -> None:
    """By exact arithmetic: at C = 0.1 w = (25/21, 20/21), b = -52/7, and the three plants at (4.8, 1.8) have
    the score 0."""
    data = dataset("iris")
    model = fit(data.X, data.z, "linear", f"soft-margin-svm(C={C})")
    if C == 0.1:
        assert model.b == pytest.approx(-52 / 7, abs=1e-13)
    on_the_line = np.abs(model.training_scores) < 1e-12
    assert on_the_line.any()
    assert model.mistakes[on_the_line].all()
    assert model.training_error == 0.07


@pytest.mark.parametrize("algorithm", ["soft-margin-svm(C=0.5)", "nu-svm(nu=0.4)"])
def test_points_of_a_lattice_on_the_line_count_as_mistakes(algorithm) -> None:
    found = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 8, (30, 2)) / 2.0
        z = np.where(X.sum(axis=1) + 0.5 * rng.normal(size=30) > np.median(X.sum(axis=1)), 1.0, -1.0)
        model = fit(X, z, "linear", algorithm)
        if model.converged and model.mistakes is not None:
            on_the_line = np.abs(model.training_scores) < 1e-9
            found += int(on_the_line.sum())
            assert model.mistakes[on_the_line].all()
    assert found > 10


@pytest.mark.parametrize("algorithm", ["svr(C=5, epsilon=0.1)", "svr(C=5, epsilon=0.1, tol=1e-10)"])
def test_with_every_point_in_the_tube_or_on_its_edge_the_loss_is_0(algorithm) -> None:
    model = fit(dataset("gap(n=30, seed=1)"), None, "matern32(l=0.5)", algorithm)
    assert model.numbers["bounded"] == 0
    assert model.numbers["loss"] == model.numbers["epsilon_loss"] == 0.0


def test_with_a_tube_as_narrow_as_rounding_the_loss_is_not_known() -> None:
    data = dataset("sine(n=20)")
    shifted = Data.regression(data.X, data.y + 1e6)
    model = fit(shifted, None, "rbf(gamma=30)", "svr(C=1e4, epsilon=1e-10)")
    assert model.numbers["loss"] is None


def test_the_hinge_loss_of_small_scores_is_known_next_to_large_ones() -> None:
    X, z = [[0.0, 0.0], [-2.0, 2.0], [0.0, 2.0]], [1, -1, 1]
    model = fit(X, z, "polynomial(degree=7, gamma=6, c=0.5)", "online-perceptron")
    assert model.score(X) == pytest.approx([2.0**-7, -6.2594e11, 2.0**-7], rel=1e-4)
    numbers = model.summary()
    assert numbers["hinge_loss"] == pytest.approx((1 - 2.0**-7) * 2 / 3, rel=1e-12)
    assert numbers["margin"] == pytest.approx(2.0**-7 / numbers["norm"], rel=1e-12)


def test_the_hinge_loss_is_never_below_the_training_error() -> None:
    data = dataset("iris")
    numbers = fit(data.X, data.z, "exponential(gamma=2)", "perceptron").summary()
    assert numbers["training_error"] > 0
    assert numbers["hinge_loss"] >= numbers["training_error"]
    assert numbers["margin"] < 0


@pytest.mark.parametrize("step", [1e-3, 1e-5, 1e-6, 1e-8, 1e-9])
@pytest.mark.parametrize("algorithm", ["svr(C=1, epsilon={})", "nadaraya-watson", "nearest-neighbours(k=3)"])
def test_targets_that_hardly_differ_are_not_said_to_be_explained(algorithm, step) -> None:
    x = np.arange(8.0)[:, None]
    y = 1e6 + step * np.array([1, -1, 1, 1, -1, -1, 1, -1.0])
    model = fit(x, y, algorithm=algorithm.format(2 * step), task="regression")
    r, numbers = y - model.score(x), model.summary()
    if numbers["r2"] is not None:
        assert numbers["r2"] == pytest.approx(1 - np.square(r).mean() / y.var(), abs=1e-3)
    if numbers["mean_absolute_error"] is not None:
        assert numbers["mean_absolute_error"] == pytest.approx(np.abs(r).mean(), rel=1e-2)
    assert step < 1e-5 or None not in (numbers["r2"], numbers["mean_absolute_error"])


def test_a_norm_with_some_digits_left_is_not_written_as_zero() -> None:
    x, y = 71024.50341585377, [505702.2987648812, 505702.304093396, 505702.293345456]
    X = [[-x, -x], [x, x], [0.38497642843120655, -0.27911392632581367]]
    model = fit(X, y, "homogeneous(degree=4, gamma=1e-06)", "gaussian-process(noise=37.8)", task="regression")
    assert model.converged
    assert model.squared_norm == pytest.approx(0.0049682**2, rel=1e-2)
    assert model.summary()["norm"] is None
