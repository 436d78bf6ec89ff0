"""Single kernels against scikit-learn and against the identities of the lecture."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise as pairwise_in_order
from math import comb

import numpy as np
import pytest
from sklearn.gaussian_process import kernels as gp
from sklearn.metrics import pairwise

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fields.field import field
from kernelviz.engine.fits.parsing import kernel
from kernelviz.engine.kernels.dot_products import Exponential
from kernelviz.engine.kernels.features import exponential_coefficients, monomials
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.kernels.vectors import decay

X = np.random.default_rng(3).standard_normal((30, 2))
Y = np.random.default_rng(4).standard_normal((20, 2))


def axiswise(k: gp.Kernel) -> Callable[[Array, Array], Array]:
    return lambda A, B: k(A[:, :1], B[:, :1]) * k(A[:, 1:], B[:, 1:])


def product_of(f: Callable[[Array], float]) -> Callable[[Array, Array], Array]:
    return lambda A, B: np.array([[f(a) * f(b) for b in B] for a in A])


REFERENCES: dict[str, Callable[[Array, Array], Array]] = {
    "linear": pairwise.linear_kernel,
    "polynomial(degree=4, gamma=0.7, c=1.3)": lambda A, B: pairwise.polynomial_kernel(A, B, 4, 0.7, 1.3),
    "homogeneous(degree=3, gamma=2)": lambda A, B: pairwise.polynomial_kernel(A, B, 3, 2.0, 0.0),
    "rbf(gamma=0.8)": lambda A, B: pairwise.rbf_kernel(A, B, 0.8),
    "rbf(sigma=0.6)": gp.RBF(0.6),
    "rbf(l=0.6)": gp.RBF(0.6),
    "rbf(variance=0.36)": gp.RBF(0.6),
    "laplacian(gamma=0.8)": lambda A, B: pairwise.laplacian_kernel(A, B, 0.8),
    "sigmoid(gamma=0.8, c=-0.3)": lambda A, B: pairwise.sigmoid_kernel(A, B, 0.8, -0.3),
    "ard(l1=0.5, l2=2)": gp.RBF([0.5, 2.0]),
    "rational_quadratic(l=0.7, alpha=2.5)": gp.RationalQuadratic(0.7, 2.5),
    "rational_quadratic(l=0.7, alpha=1)": gp.RationalQuadratic(0.7, 1.0),
    "rational_quadratic(l=0.7, alpha=0.5)": gp.RationalQuadratic(0.7, 0.5),
    "rational_quadratic(l=0.7, alpha=2)": gp.RationalQuadratic(0.7, 2.0),
    "periodic(period=1.7, l=0.9)": axiswise(gp.ExpSineSquared(0.9, 1.7)),
    "matern32(l=0.7)": gp.Matern(0.7, nu=1.5),
    "matern52(l=0.7)": gp.Matern(0.7, nu=2.5),
    "exponential(gamma=0.7)": lambda A, B: np.exp(0.7 * A @ B.T),
    "power_series(degree=4)": lambda A, B: sum((A @ B.T) ** m for m in range(5)),
    "weight(f=gaussian, gamma=0.7)": product_of(lambda x: np.exp(-0.7 * x @ x)),
    "weight(f=norm, gamma=0.7)": product_of(lambda x: np.sqrt(0.7 * x @ x)),
    "weight(f=inverse-norm, gamma=0.7)": product_of(lambda x: 1 / np.sqrt(1 + 0.7 * x @ x)),
    "weight(f=sum, gamma=0.7)": product_of(lambda x: np.sqrt(0.7) * (x[0] + x[1])),
    "weight(f=one, gamma=0.7)": product_of(lambda x: 1.0),
    "rbf(gamma=2) + 0.5*polynomial(degree=3, c=1)": lambda A, B: (
        pairwise.rbf_kernel(A, B, 2) + 0.5 * pairwise.polynomial_kernel(A, B, 3, 1, 1)
    ),
    "3*rbf(gamma=2)*linear": lambda A, B: 3 * pairwise.rbf_kernel(A, B, 2) * pairwise.linear_kernel(A, B),
}


@pytest.mark.parametrize("expression", REFERENCES)
def test_values_agree_with_scikit_learn(expression: str) -> None:
    ours = kernel(expression)
    np.testing.assert_allclose(ours(X), REFERENCES[expression](X, X), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(ours(X, Y), REFERENCES[expression](X, Y), rtol=1e-9, atol=1e-12)


def test_which_kernels_have_finitely_many_features_and_which_a_spectrum() -> None:
    from tests.engine.kernels.test_conformance import FINITE, SPECTRAL

    finite = {"linear", "homogeneous", "polynomial", "power_series", "weight"}
    stationary = {"rbf", "ard", "laplacian", "matern32", "matern52", "rational_quadratic", "periodic"}
    neither = {"exponential", "sigmoid"}
    # Of the kernels of the lecture: one that is added may have either.
    lecture = finite | stationary | neither
    assert lecture & set(FINITE) == finite
    assert lecture & set(SPECTRAL) == stationary


def test_the_shifted_square_is_the_sum_of_square_and_inner_product() -> None:
    shifted = kernel("polynomial(degree=2, c=0.5)")(X) - 0.25
    np.testing.assert_allclose(shifted, kernel("homogeneous(degree=2) + linear")(X), atol=1e-12)


def test_a_damped_exponential_is_the_gaussian() -> None:
    damped = kernel("weight(f=gaussian, gamma=0.7)*exponential(gamma=1.4)")
    np.testing.assert_allclose(damped(X), kernel("rbf(gamma=0.7)")(X), rtol=1e-10)


@pytest.mark.parametrize(
    "expression", ["rbf(gamma=0.5)", "exponential(gamma=0.5)", "2*rbf(gamma=0.3)*linear"]
)
def test_taylor_sums_reach_the_kernel(expression: str) -> None:
    k, A = kernel(expression), X / 2
    K = k(A)
    errors = []
    for degree in (1, 2, 4, 8, 30):
        phi = k.taylor_features(2, degree)
        errors.append(np.abs(phi(A) @ phi(A).T - K).max() / np.abs(K).max())
    assert all(later < earlier for earlier, later in pairwise_in_order(errors))
    assert errors[-1] < 1e-12


def test_the_number_of_monomials_of_degree_at_most_d_is_p_plus_d_choose_d() -> None:
    for p in range(1, 5):
        for d in range(1, 6):
            phi = kernel(f"polynomial(degree={d})").feature_map(p)
            assert phi.q == comb(p + d, d)


@pytest.mark.parametrize("expression", ["polynomial(degree=3)", "power_series(degree=4) + linear", "rbf"])
def test_the_kernel_reproduces_functions_of_its_space(expression: str) -> None:
    """<f, K(x, ·)> = f(x) and |f|^2 = beta'K beta for f = sum_i beta_i K(x_i, ·)."""
    k, A, B = kernel(expression), X / 2, Y / 2
    phi = k.taylor_features(2, 40)
    beta = np.random.default_rng(0).standard_normal(len(A))
    w = phi(A).T @ beta
    np.testing.assert_allclose(phi(B) @ w, k(B, A) @ beta, rtol=1e-9, atol=1e-9)
    assert w @ w == pytest.approx(beta @ k(A) @ beta, rel=1e-9)


def test_a_sum_stacks_features_and_a_product_multiplies_them() -> None:
    one, two = kernel("linear"), kernel("homogeneous(degree=2)")
    phi, psi = one.feature_map(2), two.feature_map(2)
    both, times = (one + two).feature_map(2), (one * two).feature_map(2)
    assert both.names == phi.names + psi.names
    np.testing.assert_array_equal(both(X), np.hstack([phi(X), psi(X)]))
    assert times.q == phi.q * psi.q
    np.testing.assert_allclose(times(X) @ times(X).T, (one * two)(X))


def test_features_are_named_as_the_lecture_writes_them() -> None:
    phi = kernel("homogeneous(degree=2)").feature_map(2)
    assert phi.names == ("x_1^{2}", r"\sqrt{2}\, x_1 x_2", "x_2^{2}")


def test_a_feature_map_that_would_be_huge_is_not_written_out() -> None:
    assert kernel("polynomial(degree=10)").feature_map(50) is None
    assert monomials(exponential_coefficients(1.0, 30), 30) is None


def test_the_width_of_the_gaussian_has_four_names() -> None:
    widths = {view.name for view in Gaussian.parameter("gamma").views}
    assert widths == {"sigma", "l", "variance"}
    for view in Gaussian.parameter("gamma").views:
        for gamma in (1e-4, 0.5, 1.0, 37.0):
            assert view.to_canonical(view.from_canonical(gamma)) == pytest.approx(gamma, rel=1e-12)
    for name in ("sigma", "l", "length_scale", "length-scale", "variance"):
        assert Gaussian.resolve(name, 1) == ("gamma", 0.5)


def test_the_median_heuristic_is_one_over_the_median_squared_distance() -> None:
    from scipy.spatial.distance import pdist

    expected = 1 / np.median(pdist(X) ** 2)
    found = kernel("rbf").scaled_to(X)
    assert found.gamma == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", ["rational_quadratic", "matern32", "matern52"])
def test_the_median_heuristic_gives_every_length_scale_the_width_of_the_gaussian(name: str) -> None:
    gaussian = kernel("rbf").scaled_to(X)
    assert kernel(name).scaled_to(X).values()["l"] == pytest.approx(1 / np.sqrt(2 * gaussian.gamma))


def test_the_median_heuristic_of_the_laplacian_adds_up_coordinate_distances() -> None:
    from scipy.spatial.distance import pdist

    found = kernel("laplacian").scaled_to(X).values()["gamma"]
    assert found == pytest.approx(1 / np.median(pdist(X, "cityblock")), rel=1e-12)


def test_the_median_heuristic_takes_the_mean_of_two_middle_distances() -> None:
    four = np.array([[0.0], [1.0], [3.0], [7.0]])  # squared distances 1, 4, 9, 16, 36, 49
    assert kernel("rbf").scaled_to(four) == Gaussian(1 / 12.5)
    assert kernel("rbf").scaled_to(four[:3]) == Gaussian(1 / 4)


def test_where_most_points_coincide_the_median_heuristic_looks_at_those_that_do_not() -> None:
    few_apart = np.array([[0.0, 0.0]] * 9 + [[0.25, 0.0]])
    assert kernel("rbf").scaled_to(few_apart) == Gaussian(16.0)
    some_coincide = np.array([[0.0], [0.0], [1.0], [3.0]])  # squared distances 0, 1, 1, 4, 9, 9
    assert kernel("rbf").scaled_to(some_coincide) == Gaussian(1 / 2.5)


def test_the_median_heuristic_of_the_anisotropic_gaussian_follows_the_spread_of_each_column() -> None:
    wide = X * [1.0, 5.0]
    lengths = kernel("ard").scaled_to(wide).values()
    gaussian = kernel("rbf").scaled_to(wide)
    assert lengths["l2"] / lengths["l1"] == pytest.approx(wide[:, 1].std() / wide[:, 0].std())
    # Together they are as wide as the Gaussian: the mean of their squares is its squared width.
    assert (lengths["l1"] ** 2 + lengths["l2"] ** 2) / 2 == pytest.approx(1 / (2 * gaussian.gamma))


def test_a_column_that_never_changes_leaves_its_length_scale_alone() -> None:
    flat = np.column_stack([X[:, 0], np.zeros(len(X))])
    scaled = kernel("ard(l1=3, l2=3)").scaled_to(flat).values()
    assert scaled["l2"] == 3
    assert scaled["l1"] != 3
    assert kernel("ard(l1=3, l2=3)").scaled_to(X[:, :1]).values()["l2"] == 3


@pytest.mark.parametrize(
    "expression",
    [
        "rbf(gamma=0.3)",
        "ard(l1=0.5, l2=2)",
        "laplacian(gamma=0.4)",
        "matern32(l=2)",
        "matern52(l=0.6)",
        "rational_quadratic(l=2, alpha=0.7)",
        "periodic(period=2.5, l=0.5)",
    ],
)
def test_random_cosines_reproduce_a_kernel_of_any_width(expression: str) -> None:
    k, A = kernel(expression), X[:8]
    w = k.frequencies(2, 40_000, np.random.default_rng(0))
    assert np.abs(np.cos((A[:, None] - A) @ w.T).mean(axis=-1) - k(A)).max() < 0.02


def test_the_median_heuristic_of_many_points_uses_a_sample() -> None:
    many = np.random.default_rng(0).standard_normal((30_000, 2))
    found = kernel("rbf").scaled_to(many)
    assert found.gamma == pytest.approx(1 / (2 * 2 * np.log(2)), rel=0.1)  # |x-x'|^2 is 2 chi^2_2


def test_the_anisotropic_gaussian_repeats_its_last_scale_for_further_columns() -> None:
    A = np.random.default_rng(0).standard_normal((5, 4))
    np.testing.assert_allclose(kernel("ard(l1=0.5, l2=2)")(A), gp.RBF([0.5, 2, 2, 2])(A))
    np.testing.assert_allclose(kernel("ard(l1=0.5, l2=2)")(A[:, :1]), gp.RBF(0.5)(A[:, :1]))


def test_overflow_of_the_exponential_is_refused_in_one_sentence() -> None:
    with pytest.raises(BadInput, match="too large to compute with"):
        kernel("exponential(gamma=100)")(3 * X)


def test_gaussian_rows_by_products_serve_near_points_only_and_never_exceed_one():
    X = np.repeat(np.random.default_rng(0).normal(size=(40, 2)), 2, axis=0) + 100.0
    K = Gaussian(gamma=30.0).rows_of(X).make(np.arange(80))
    assert K.max() <= 1.0
    np.testing.assert_allclose(K, Gaussian(gamma=30.0)(X), rtol=1e-11)
    assert Gaussian(gamma=1e6).rows_of(X) is None
    assert Gaussian(gamma=1.0).rows_of(X) is not None
    assert Gaussian(gamma=1.0).rows_of(np.vstack([X, [[300.0, 100.0]]])) is None  # one far point is enough


def test_decay_is_the_exponential_until_far_away_and_constant_beyond() -> None:
    u = np.array([0.0, 1.0, 299.0, 301.0, 1e30])
    for rate in (1.0, 2.0):
        np.testing.assert_allclose(decay(u.copy(), rate), np.exp(-np.minimum(rate * u, 300.0)), rtol=1e-12)


def test_further_columns_of_the_anisotropic_gaussian_share_the_mean_of_their_spreads() -> None:
    A = np.column_stack([X, 5 * X[::-1]])
    lengths = kernel("ard").scaled_to(A).values()
    spread = A.var(axis=0)
    assert lengths["l2"] / lengths["l1"] == pytest.approx(np.sqrt(spread[1:].mean() / spread[0]))


def test_a_weight_is_written_as_its_function_twice() -> None:
    assert kernel("weight(f=one)").latex == "1"
    assert kernel("weight(f=sum)").latex == r"\sqrt{\gamma}\,\sum_j x_j\, \sqrt{\gamma}\,\sum_j x_j'"
    assert (
        kernel("weight(f=gaussian)").latex
        == r"e^{-\gamma\,\lVert x\rVert^2}\, e^{-\gamma\,\lVert x'\rVert^2}"
    )


def test_whole_periods_leave_no_trace_however_many_they_are() -> None:
    k = kernel("periodic(period=1, l=0.5)")
    near = k([[0.25]], [[0.0]])
    for far in (1e6, 1e12, 1e15):
        np.testing.assert_allclose(k([[0.25]], [[far]]), near, rtol=1e-12)


def test_a_huge_factor_of_the_exponential_that_another_makes_up_for_is_not_cut_off() -> None:
    """x·x' is small although one of its terms is 400 and the other nearly -400."""
    k, points, weights = kernel("exponential"), np.array([[20.0, -20.0], [0.0, 0.0]]), np.ones(2)
    x1, x2 = np.array([0.0, 19.9, 20.0]), np.array([19.6, 19.65, 19.7])
    expected = np.exp(20 * (x1 - x2[:, None])) + 1
    np.testing.assert_allclose(field(k, points, weights, x1, x2), expected, rtol=1e-9)


def test_beyond_its_precision_the_exponential_stays_a_number() -> None:
    values = Exponential(gamma=2.0).of_inner_product(np.array([1.0, 1e3]))
    assert values[0] == pytest.approx(np.exp(2.0))
    assert np.isfinite(values).all()


def test_a_periodic_kernel_loses_no_digit_far_away():
    x = np.array([[1e6], [0.3], [-2.5], [1e6 + 0.7]])
    K = kernel("periodic(period=0.3, l=1)").gram(x, x)
    d = x.astype(np.longdouble) - x.T  # with 19 digits
    pi = np.arccos(np.longdouble(-1.0))
    np.testing.assert_allclose(K, np.exp(-2 * np.sin(pi * d / np.longdouble(0.3)) ** 2), rtol=0, atol=1e-11)
