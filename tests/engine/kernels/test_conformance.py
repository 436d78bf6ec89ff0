"""Every kernel of the registry keeps the promises of its base class; nothing to add for a new one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fields.field import field
from kernelviz.engine.fits import registry
from kernelviz.engine.fits.expressions import parse_kernel
from kernelviz.engine.kernels.base import Kernel
from kernelviz.engine.kernels.vectors import RadialKernel
from tests.strategies import declared, ends, points

KERNELS = {name: cls for name, cls in registry.kernels().items() if cls.domain == "vectors"}
every_kernel = pytest.mark.parametrize("cls", KERNELS.values(), ids=KERNELS)
FINITE = {name: cls for name, cls in KERNELS.items() if cls().feature_map(2) is not None}
SPECTRAL = {
    name: cls
    for name, cls in KERNELS.items()
    if cls().frequencies(2, 1, np.random.default_rng(0)) is not None
}


def cloud(n: int, p: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((n, p))


def naive_field(kernel: Kernel, a: np.ndarray, w: np.ndarray, x1: np.ndarray, x2: np.ndarray) -> np.ndarray:
    return np.array([[kernel.gram(np.array([[u, v]]), a)[0] @ w for u in x1] for v in x2])


@every_kernel
@settings(max_examples=25)
@given(data=st.data())
def test_the_gram_matrix_is_exactly_symmetric_with_the_claimed_diagonal(
    cls: type[Kernel], data: st.DataObject
) -> None:
    kernel, X = data.draw(declared(cls, soft=True)), data.draw(points())
    K = kernel(X)
    assert (K == K.T).all()
    np.testing.assert_allclose(kernel.diagonal(X), np.diag(K), rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("cls", [c for c in KERNELS.values() if c.stationary and c.bounded])
@settings(max_examples=25)
@given(data=st.data())
def test_a_bounded_stationary_kernel_of_a_point_with_itself_is_one(
    cls: type[Kernel], data: st.DataObject
) -> None:
    """That is why `Algorithm.check` need not look for values too small to compute with."""
    kernel, X = data.draw(declared(cls, soft=True)), data.draw(points())
    assert (np.diag(kernel(X)) == 1.0).all()


@pytest.mark.parametrize("p", [1, 2, 3])
@pytest.mark.parametrize("cls", [c for c in KERNELS.values() if issubclass(c, RadialKernel)])
def test_a_moved_point_has_the_same_row_as_before_to_the_last_digit(cls: type[Kernel], p: int) -> None:
    kernel, X = cls(), cloud(30, p)
    together = kernel.gram(X, X)
    for i in range(len(X)):
        assert (kernel.gram(X[i : i + 1], X)[0] == together[i]).all()


@every_kernel
@settings(max_examples=25)
@given(data=st.data())
def test_the_gram_matrix_is_positive_semi_definite_where_that_is_claimed(
    cls: type[Kernel], data: st.DataObject
) -> None:
    kernel, X = data.draw(declared(cls, soft=True)), data.draw(points((2, 12)))
    if kernel.positive_definite:
        eigenvalues = np.linalg.eigvalsh(kernel(X))
        assert eigenvalues[0] >= -1e-12 * len(X) * max(eigenvalues[-1], 1e-300)


@every_kernel
def test_exactly_stationary_kernels_are_unchanged_when_all_points_are_shifted(cls) -> None:
    kernel, X = cls(), cloud(20, 1)
    change = np.abs(kernel(X + 3.25) - kernel(X)).max()
    assert change < 1e-12 if kernel.stationary else change > 0.01


@pytest.mark.parametrize("cls", [c for c in KERNELS.values() if not c.positive_definite])
def test_a_kernel_that_does_not_claim_definiteness_has_a_counter_example(cls: type[Kernel]) -> None:
    assert np.linalg.eigvalsh(cls()(cloud(30, 2)))[0] < -0.1


@every_kernel
@pytest.mark.parametrize("p", [1, 2, 3, 7, 20])
def test_a_rectangular_gram_matrix_is_a_block_of_the_square_one(cls: type[Kernel], p: int) -> None:
    kernel, X = cls(), cloud(300, p)
    K = kernel(X)
    np.testing.assert_allclose(kernel(X[:7], X), K[:7], rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(kernel(X[:1], X), K[:1], rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(kernel(X, X[:5]), K[:, :5], rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(kernel.gram(X, X), K, rtol=1e-12, atol=1e-14)


@every_kernel
def test_at_the_ends_of_all_ranges_values_are_finite_or_refused_in_one_sentence(cls: type[Kernel]) -> None:
    names = [p.name for p in cls.parameters()]
    grid = np.linspace(-2, 2, 5)
    for corner in product(*map(ends, cls.parameters())):
        kernel = cls(**dict(zip(names, corner, strict=True)))
        for size in (1e-9, 1.0, 1e3, 1e139):
            X = size * cloud(6, 2)
            assert np.isfinite(field(kernel, X, np.ones(6), size * grid, size * grid)).all()
            with np.errstate(over="ignore", invalid="ignore"):
                largest = np.abs(kernel.gram(X, X)).max()
            if largest <= 1e100:
                assert np.isfinite(kernel(X)).all()
                assert np.isfinite(kernel.diagonal(X)).all()
            else:
                with pytest.raises(BadInput, match="too large"):
                    kernel(X)


@every_kernel
@settings(max_examples=50)
@given(data=st.data())
def test_the_printed_expression_parses_back_to_an_equal_kernel(
    cls: type[Kernel], data: st.DataObject
) -> None:
    kernel = data.draw(declared(cls))
    assert parse_kernel(str(kernel)) == kernel


@every_kernel
@settings(max_examples=15)
@given(data=st.data())
def test_the_field_equals_the_naive_sum(cls: type[Kernel], data: st.DataObject) -> None:
    kernel, a = data.draw(declared(cls, soft=True)), data.draw(points((1, 8)))
    w = np.random.default_rng(1).standard_normal(len(a))
    x1, x2 = np.linspace(-3, 2, 7), np.linspace(-2, 4, 5)
    expected = naive_field(kernel, a, w, x1, x2)
    found = field(kernel, a, w, x1, x2)
    assert found.shape == (5, 7)
    # Where all contributions are far smaller than their largest possible size, that size counts.
    size = max(np.abs(expected).max(), 1e-6 * np.abs(w).sum() * kernel.diagonal(a).max())
    assert np.abs(found - expected).max() <= 1e-9 * size + 1e-300


@every_kernel
def test_the_field_on_a_fine_grid_equals_the_direct_sum(cls: type[Kernel]) -> None:
    kernel, a = cls(), cloud(25, 2)
    w = np.random.default_rng(1).standard_normal(25)
    x1, x2 = np.linspace(-3, 3, 90), np.linspace(-3, 3, 80)
    nodes = np.stack(np.meshgrid(x1, x2), axis=-1).reshape(-1, 2)
    expected = (kernel.gram(nodes, a) @ w).reshape(80, 90)
    assert np.abs(field(kernel, a, w, x1, x2) - expected).max() <= 1e-9 * np.abs(expected).max()


@pytest.mark.parametrize("cls", FINITE.values(), ids=FINITE)
@settings(max_examples=15)
@given(data=st.data(), p=st.integers(1, 4))
def test_explicit_features_reproduce_the_kernel(cls: type[Kernel], data: st.DataObject, p: int) -> None:
    kernel, X = data.draw(declared(cls, soft=True)), data.draw(points((1, 6), p, size=2.0))
    phi = kernel.feature_map(p)
    features = phi(X)
    assert features.shape == (len(X), phi.q)
    K = kernel(X)
    np.testing.assert_allclose(features @ features.T, K, rtol=1e-9, atol=1e-12 * np.abs(K).max() + 1e-300)


@pytest.mark.parametrize("cls", SPECTRAL.values(), ids=SPECTRAL)
def test_random_cosines_approach_the_kernel_as_one_over_the_root_of_their_number(cls: type[Kernel]) -> None:
    X, kernel = cloud(12, 2), cls()
    K = kernel(X)
    K = K / np.diag(K)[0]
    differences = (X[:, None] - X[None]).reshape(-1, 2)

    def error(q: int) -> float:
        total = 0.0
        for seed in range(20):
            w = kernel.frequencies(2, q, np.random.default_rng(seed))
            assert w.shape == (q, 2)
            total += np.mean((np.cos(differences @ w.T).mean(axis=1) - K.ravel()) ** 2)
        return float(np.sqrt(total / 20))

    coarse, fine = error(50), error(50 * 16)
    assert 2.5 < coarse / fine < 6.5  # four times smaller for sixteen times as many
    assert fine < 0.05


@every_kernel
def test_the_median_heuristic_follows_the_scale_of_the_data_and_survives_degenerate_data(
    cls: type[Kernel],
) -> None:
    X = cloud(60, 2)
    kernel = cls().scaled_to(X)
    assert type(kernel) is cls
    if kernel != cls():
        for size in (7.0, 1e-10, 1e10):  # atoms in metres, budgets in pounds
            np.testing.assert_allclose(cls().scaled_to(size * X)(size * X), kernel(X), rtol=1e-6)
    for degenerate in (X[:1], np.zeros((5, 2)), np.empty((0, 2))):
        assert cls().scaled_to(degenerate) == cls()


@every_kernel
def test_what_is_shown_about_a_kernel_is_there(cls: type[Kernel]) -> None:
    kernel = cls()
    assert cls.title
    assert cls.summary_line.endswith(".")
    assert cls.__doc__
    assert "x" in kernel.latex
    assert "'" in kernel.latex
    assert all(p.label and p.help for p in cls.parameters())


@every_kernel
def test_rows_of_different_length_cannot_be_compared(cls: type[Kernel]) -> None:
    with pytest.raises(BadInput, match="columns"):
        cls()(cloud(3, 2), cloud(3, 3))


@every_kernel
def test_empty_input_gives_an_empty_matrix(cls: type[Kernel]) -> None:
    kernel = cls()
    assert kernel(np.empty((0, 2))).shape == (0, 0)
    assert kernel(np.empty((0, 2)), cloud(3, 2)).shape == (0, 3)
    assert field(kernel, np.empty((0, 2)), np.empty(0), np.arange(3.0), np.arange(2.0)).shape == (2, 3)


@every_kernel
def test_it_serves_as_a_kernel_of_scikit_learn(cls: type[Kernel]) -> None:
    from sklearn.svm import SVC

    X = cloud(40, 2)
    z = np.where(X[:, 0] * X[:, 1] > 0, 1, -1)
    machine = SVC(kernel=cls(), C=1.0).fit(X, z)
    by_hand = cls()(X, X[machine.support_]) @ machine.dual_coef_[0] + machine.intercept_
    np.testing.assert_allclose(machine.decision_function(X), by_hand, rtol=1e-7, atol=1e-9)


@every_kernel
@settings(max_examples=25)
@given(data=st.data())
def test_a_quicker_way_to_the_rows_gives_the_same_rows(cls: type[Kernel], data: st.DataObject) -> None:
    kernel, X = data.draw(declared(cls)), data.draw(points((2, 12)))
    quick = kernel.rows_of(X)
    if quick is not None:
        make, places = quick.make, np.arange(len(X))[::-2]
        expected = kernel.gram(X[places], X)
        np.testing.assert_allclose(make(places), expected, rtol=1e-11, atol=1e-100)
        np.testing.assert_allclose(make(len(X) - 1), expected[0], rtol=1e-11, atol=1e-100)
