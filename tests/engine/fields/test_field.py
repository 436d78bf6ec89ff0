"""Fields on a grid: every route gives the direct sum, and refuses what has no field."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fields import field as fields
from kernelviz.engine.fields import interpolation
from kernelviz.engine.fields.field import FieldTerm, Sources, direct, field, nodes_of, terms
from kernelviz.engine.fields.interpolation import interpolated
from kernelviz.engine.fits.parsing import kernel
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.kernels.dot_products import Sigmoid

rng = np.random.default_rng(0)
POINTS = rng.standard_normal((60, 2))
WEIGHTS = rng.standard_normal(60)
X1, X2 = np.linspace(-3, 3, 110), np.linspace(-2, 4, 90)


def summed(
    k: Kernel, points: Array = POINTS, weights: Array = WEIGHTS, x1: Array = X1, x2: Array = X2
) -> Array:
    return np.asarray(k.gram(nodes_of(x1, x2), points) @ weights).reshape(len(x2), len(x1))


ROUTES = [
    "rbf(gamma=1000)",
    "rbf(gamma=0.001)",
    "laplacian(gamma=100)",
    "periodic(period=0.3, l=0.2)",
    "exponential(gamma=2)",
    "polynomial(degree=10)*polynomial(degree=10)",
    "rbf + 0.5*polynomial(degree=3) + 2*linear",
    "rbf*linear",
    "rbf(gamma=0.1)*polynomial(degree=10, gamma=0.1)",
    "(rbf + linear)*(periodic + polynomial)",
    "(rbf + linear + laplacian + weight)*(periodic + polynomial + rbf(gamma=3) + ard)",
    "exponential*rbf*linear",
    "rational_quadratic(l=2, alpha=0.7)",
    "rational_quadratic(l=0.05)",
    "sigmoid(gamma=0.1)",
    "sigmoid(gamma=30, c=2)",
    "rational_quadratic*linear + rbf",
    "(rational_quadratic + rbf)*(linear + periodic)",
    "matern32*linear",
    "(matern32 + rbf)*laplacian",
    "weight(f=norm)*rbf",
    "weight(f=norm)*weight(f=sum)*(matern52 + rbf)",
    "weight(f=inverse-norm)*sigmoid",
    "3*weight(f=one) + weight(f=gaussian)*exponential(gamma=2)",
]


@pytest.mark.parametrize("expression", ROUTES)
def test_every_route_gives_the_direct_sum(expression: str) -> None:
    k = kernel(expression)
    expected = summed(k)
    assert np.abs(field(k, POINTS, WEIGHTS, X1, X2) - expected).max() <= 1e-9 * np.abs(expected).max()


@pytest.mark.parametrize(
    "expression",
    [
        "rational_quadratic(l=0.1, alpha=0.5)",
        "rational_quadratic(l=0.3, alpha=1)",
        "rational_quadratic(l=0.7, alpha=3)",
        "rational_quadratic(l=3, alpha=30)",
        "matern32(l=0.2)",
        "matern52(l=2)",
        "weight(f=norm)*matern32 + 0.5*linear",
        "sigmoid(gamma=3, c=-1)",
    ],
)
@pytest.mark.parametrize("digits", [1, 9])
def test_many_points_on_a_usual_grid(expression: str, digits: int) -> None:
    k = kernel(expression)
    rng = np.random.default_rng(digits)
    points = rng.standard_normal((150, 2))
    weights = rng.standard_normal(150) * 10 ** rng.uniform(0, digits, 150)
    x1, x2 = np.linspace(-3, 3, 160), np.linspace(-2, 4, 140)
    expected = summed(k, points, weights, x1, x2)
    assert np.abs(field(k, points, weights, x1, x2) - expected).max() <= 1e-9 * np.abs(expected).max()


def test_the_structure_of_a_kernel_is_recognised() -> None:
    def shape(expression: str) -> list[tuple[int, int, int, int]]:
        return [
            (len(t.rank_one), len(t.polynomials), len(t.separable), len(t.others))
            for t in terms(kernel(expression))
        ]

    assert shape("rbf*linear + 2*polynomial") == [(0, 1, 1, 0), (0, 1, 0, 0)]
    assert shape("weight*(rbf + linear)") == [(1, 0, 1, 0), (1, 1, 0, 0)]
    assert shape("weight*(matern32 + linear)*rbf") == [(1, 0, 0, 2)]
    assert shape("3*matern32*linear") == [(0, 1, 0, 1)]
    assert len(shape("(rbf + linear + laplacian)*(ard + linear + rbf + periodic)")) == 12
    assert shape("(rbf + linear + laplacian + ard)*(ard + linear + rbf + periodic)*weight") == [(1, 0, 0, 2)]
    assert isinstance(terms(kernel("linear"))[0], FieldTerm)


def test_scales_multiply_through_nested_sums() -> None:
    assert [t.scale for t in terms(kernel("2*(3*rbf + linear)"))] == [6.0, 2.0]


def test_a_model_that_is_not_of_two_inputs_has_no_field() -> None:
    for columns in (1, 3):
        with pytest.raises(BadInput, match="two numeric inputs"):
            field(kernel("rbf"), np.zeros((4, columns)), np.ones(4), X1, X2)
    with pytest.raises(BadInput, match="two numeric inputs"):
        field(kernel("rbf"), np.zeros(4), np.ones(4), X1, X2)


def test_a_field_far_beyond_all_numbers_is_cut_off_not_poisoned() -> None:
    for expression in ("exponential(gamma=1000)", "polynomial(degree=10)*polynomial(degree=10)"):
        F = field(kernel(expression), POINTS, WEIGHTS, 1e30 * X1, 1e30 * X2)
        assert np.isfinite(F).all()
        assert np.abs(F).max() <= 1e100


def test_what_is_cut_off_keeps_its_sign_and_what_cancels_is_zero() -> None:
    most = 1e100
    a, x = np.ones((2, 2)), np.array([0.0, 2.0])
    for k in map(kernel, ("exponential(gamma=1000)", "exponential(gamma=1000)*matern32(l=1000)")):
        for sign in (-1.0, 1.0):
            F = field(k, a[:1], np.array([sign]), x, x)
            np.testing.assert_allclose(F, sign * np.array([[1, most], [most, most]]), rtol=1e-2)
            assert np.abs(F).max() <= most
        assert not field(k, a, np.array([1.0, -1.0]), x, x).any()


@pytest.mark.parametrize(
    "expression", ["rbf", "matern32", "rational_quadratic", "polynomial", "sigmoid", "weight"]
)
def test_no_points_give_a_field_of_zeros_and_no_nodes_an_empty_one(expression: str) -> None:
    k = kernel(expression)
    F = field(k, np.empty((0, 2)), np.empty(0), X1, X2)
    assert F.shape == (len(X2), len(X1))
    assert not F.any()
    assert field(k, POINTS, WEIGHTS, X1[:0], X2).shape == (len(X2), 0)
    assert field(k, POINTS, WEIGHTS, X1, X2[:0]).shape == (0, len(X1))


def test_the_exponential_keeps_its_value_where_one_axis_alone_would_overflow() -> None:
    a, w = np.array([[40.0, -40.0]]), np.ones(1)
    x = np.array([40.0, 40.5])
    F = field(kernel("exponential(gamma=1)"), a, w, x, x)
    np.testing.assert_allclose(np.diag(F), 1.0)
    F = field(kernel("exponential(gamma=1)*rbf(gamma=0.0001)"), a, w, x, x)
    d2 = (x - 40) ** 2 + ((x + 40) ** 2)[:, None]
    np.testing.assert_allclose(F, np.exp(40 * (x - x[:, None]) - 0.0001 * d2), rtol=1e-9)


def test_the_exponential_is_exact_where_it_underflows_along_one_axis_only() -> None:
    far, near = np.array([-40.0, 0.1]), np.array([0.5, 1.0])
    k, w = kernel("exponential(gamma=1)"), np.ones(1)
    F = field(k, np.array([[1.0, 40.0]]), w, near, far)
    np.testing.assert_allclose(F, np.exp(near + 40 * far[:, None]), rtol=1e-9, atol=1e-90)
    F = field(k, np.array([[40.0, 1.0]]), w, far, near)
    np.testing.assert_allclose(F, np.exp(40 * far + near[:, None]), rtol=1e-9, atol=1e-90)


def test_grids_of_a_single_line_and_uneven_grids_work() -> None:
    for k in map(kernel, ("rational_quadratic", "matern32", "rbf", "polynomial")):
        F = field(k, POINTS, WEIGHTS, np.array([0.3]), np.array([-1.0, 2.0, 0.5]))
        at = np.array([[0.3, -1.0], [0.3, 2.0], [0.3, 0.5]])
        np.testing.assert_allclose(F[:, 0], k.gram(at, POINTS) @ WEIGHTS, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    ("expression", "share"),
    [
        ("rational_quadratic(l=3, alpha=2)", 0.1),
        ("sigmoid(gamma=0.1)", 0.1),
        ("rational_quadratic(l=0.1, alpha=0.5)", 2.0),  # a square root: as fast as any other way
        ("matern32(l=0.3)", 2.0),  # not smooth where a point lies
        ("rbf + polynomial*rbf + laplacian*linear", 0.0),
        ("sigmoid(gamma=30, c=2)", 2.0),
    ],
)
def test_the_sum_node_by_node_is_the_last_resort(
    expression: str, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed = 0

    def counted(k: Kernel, sources: Sources, x1: np.ndarray, x2: np.ndarray) -> Array:
        nonlocal computed
        computed += len(x1) * len(x2)
        return direct(k, sources, x1, x2)

    monkeypatch.setattr(fields, "direct", counted)
    points = np.random.default_rng(0).standard_normal((200, 2))
    x = np.linspace(-3, 3, 200)
    field(kernel(expression), points, np.ones(200), x, x)
    assert computed <= share * len(x) ** 2
    assert (computed >= len(x) ** 2) == (share > 1)


@settings(max_examples=100, deadline=None)
@given(
    gamma=st.floats(-6, 6),
    c=st.floats(-1e3, 1e3),
    far=st.sampled_from([1.0, 1e6]),
    spread=st.floats(0, 8),
    seed=st.integers(0, 1000),
)
def test_the_sigmoid_is_exact_however_steep_and_however_the_weights_cancel(
    gamma: float, c: float, far: float, spread: float, seed: int
) -> None:
    k = Sigmoid(gamma=10**gamma, c=c)
    rng = np.random.default_rng(seed)
    points = rng.standard_normal((20, 2))
    points[0] *= far
    weights = rng.standard_normal(20) * 10.0 ** rng.uniform(-spread, spread, 20)
    expected = summed(k, points, weights)
    found = direct(k, Sources(points, weights), X1, X2)
    # Rounding of x·x' may move tanh by the digits its argument has lost.
    lost = 1e-15 * k.gamma * np.abs(nodes_of(X1, X2)) @ np.abs(points.T) @ np.abs(weights)
    assert (np.abs(found - expected).ravel() <= 1e-10 * np.abs(expected).max() + lost).all()


def test_a_faint_field_of_large_weights_keeps_its_digits() -> None:
    k, points = Sigmoid(gamma=1e-6), np.array([[1.0, 0.0], [0.0, 1.0]])
    F = direct(k, Sources(points, np.array([1.0, -1.0])), X1, X2)
    expected = np.tanh(1e-6 * X1) - np.tanh(1e-6 * X2)[:, None]
    np.testing.assert_allclose(F, expected, rtol=1e-12, atol=1e-20)


@pytest.mark.parametrize(
    "expression",
    [
        "sigmoid",
        "sigmoid(gamma=0.3, c=0.7)",
        "matern32(l=0.4)",
        "matern52(l=2)",
        "rational_quadratic(l=0.7, alpha=0.5)",
        "rational_quadratic(l=0.7, alpha=1)",
        "rational_quadratic(l=0.7, alpha=2)",
        "rational_quadratic(l=0.7, alpha=2.5)",
        "ard(l1=0.5, l2=2)*sigmoid",
        "periodic(period=1.7, l=0.9)",
        "linear + sigmoid",
        "weight",
    ],
)
def test_any_kernel_has_a_direct_sum(expression: str) -> None:
    k = kernel(expression)
    expected = summed(k)
    found = direct(k, Sources(POINTS, WEIGHTS), X1, X2)
    assert np.abs(found - expected).max() <= 1e-13 * np.abs(expected).max() * len(POINTS)


def test_the_foremost_points_are_those_with_the_largest_weights() -> None:
    sources = Sources(np.array([[0.0, 0], [1, 0], [2, 0]]), np.array([1.0, -3, 2]))
    assert sources.foremost(2).tolist() == [[1, 0], [2, 0]]


@pytest.mark.parametrize("gamma", [1e2, 1e3, 1e4, 1e5, 1e6])
@pytest.mark.parametrize("rest", ["linear", "polynomial(degree=2)", "rational_quadratic", "sigmoid"])
def test_bumps_narrower_than_the_grid_are_never_lost(gamma: float, rest: str) -> None:
    k = kernel(f"rbf(gamma={gamma})*{rest}")
    points = np.array([[X1[40], X2[40]], [X1[60], X2[5]]])
    F = field(k, points, np.array([1.0, -2.0]), X1, X2)
    expected = k(points) @ np.array([1.0, -2.0])
    np.testing.assert_allclose([F[40, 40], F[5, 60]], expected, rtol=1e-9)


@pytest.mark.parametrize(
    "expression", ["matern32(l=0.0001)", "matern32(l=0.001)", "matern52(l=0.003)", "rbf(gamma=100000)"]
)
def test_where_nothing_is_left_of_narrow_kernels_there_are_no_stripes(expression: str) -> None:
    k, points, weights = kernel(expression), np.array([[-0.5, 0.3], [0.6, -0.3]]), np.array([1.0, -1.0])
    x = np.linspace(-0.8, 0.8, 160)
    F = field(k, points, weights, x, x)
    true = summed(k, points, weights, x, x)
    assert (np.abs(true) < 1e-86).sum() > 10_000
    assert not F[np.abs(true) < 1e-86].any()
    assert np.array_equal(np.sign(F[np.abs(true) > 1e-84]), np.sign(true[np.abs(true) > 1e-84]))


def test_interpolation_is_exact_for_smooth_functions_and_declines_others() -> None:
    def smooth(u: np.ndarray, v: np.ndarray) -> np.ndarray:
        return np.cos(3 * u)[None, :] * np.exp(v / 2)[:, None]

    def cusped(u: np.ndarray, v: np.ndarray) -> np.ndarray:
        return np.abs(u - 0.2)[None, :] + 0 * v[:, None]

    def bump_between_the_nodes(u: np.ndarray, v: np.ndarray) -> np.ndarray:
        return np.where(np.isin(u, X1[60:-1]), 1.0, 0.5)[None, :] + 0 * v[:, None]

    found = interpolated(smooth, X1, X2, POINTS[:3])
    assert np.abs(found - smooth(X1, X2)).max() < 1e-9
    for x1, x2 in ((np.linspace(-3, 3, 12_000), X2[:1]), (X1[:1], np.linspace(-3, 3, 12_000))):
        line = interpolated(smooth, x1, x2, POINTS[:3])
        assert np.abs(line - smooth(x1, x2)).max() < 1e-9
    assert interpolated(cusped, X1, X2, POINTS[:3]) is None
    assert interpolated(bump_between_the_nodes, X1, X2, np.array([[-2.0, 0.0]])) is None
    assert interpolated(smooth, X1[:5], X2[:5], POINTS[:3]) is None  # not worth it


@pytest.mark.parametrize("unit", [-1e-9, 1e9])
@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("degrees", [interpolation.DEGREES, (24, 48), (24, 72)])
def test_interpolation_takes_a_higher_degree_where_the_lines_it_looked_at_promised_too_much(
    unit: float, swapped: bool, degrees: Sequence[int]
) -> None:
    asked = 0

    def steep_off_the_lines(u: np.ndarray, v: np.ndarray) -> np.ndarray:
        nonlocal asked
        asked += len(u) * len(v)
        if swapped:
            return unit * u**2 / (1.2 - v)[:, None]
        return unit * (v**2)[:, None] / (1.2 - u)

    x1, x2 = np.linspace(-1, 1, 110), np.linspace(-1, 1, 100)
    found = interpolated(steep_off_the_lines, x1, x2, np.zeros((2, 2)), degrees)
    if len(degrees) == 2:
        # Those of the lower degree are not computed again; besides two lines along each axis, and probes.
        assert asked <= (degrees[1] + 1) ** 2 + 4 * (degrees[1] + 1) + 100
    assert np.abs(found - steep_off_the_lines(x1, x2)).max() < 1e-9 * abs(unit)


def test_interpolation_asks_for_far_fewer_values_than_the_grid_has() -> None:
    asked = 0

    def counted(u: np.ndarray, v: np.ndarray) -> np.ndarray:
        nonlocal asked
        asked += len(u) * len(v)
        return 1 / (9 + (u**2)[None, :] + (v**2)[:, None])

    x = np.linspace(-2, 2, 300)
    assert interpolated(counted, x, x, POINTS[:8]) is not None
    assert asked < 300 * 300 / 20


@pytest.mark.parametrize("corner", [-1.0, 1.0])
@pytest.mark.parametrize(("steepness", "degree"), [(60.0, None), (0.5, 72)])
def test_a_few_lines_tell_which_degree_will_do_if_any(
    steepness: float, degree: int | None, corner: float
) -> None:
    asked = 0

    def steep_in_a_corner(u: np.ndarray, v: np.ndarray) -> np.ndarray:
        nonlocal asked
        asked += len(u) * len(v)
        d2 = (u - corner)[None, :] ** 2 + (v - corner)[:, None] ** 2
        return -1e-6 / (1 + 100 * steepness * d2)

    x = np.linspace(-1, 1, 250)
    found = interpolated(steep_in_a_corner, x, x, np.full((3, 2), 1.5 * corner))
    lines = 4 * (interpolation.DEGREES[-1] + 1)
    if degree is None:
        assert found is None
        assert asked == lines
    else:
        assert found is not None
        assert asked <= lines + (degree + 1) ** 2 + 100
