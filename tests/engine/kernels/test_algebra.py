"""Closure rules."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import REAL
from kernelviz.engine.fields.field import field
from kernelviz.engine.fits import registry
from kernelviz.engine.fits.expressions import parse_kernel
from kernelviz.engine.fits.parsing import kernel
from kernelviz.engine.kernels.base import DEEPEST, MOST_PARTS, Kernel, Product, Scaled, Sum
from tests.strategies import kernels, points

X = np.random.default_rng(5).standard_normal((20, 2))


@settings(max_examples=60)
@given(k=kernels(), A=points((2, 10)))
def test_compositions_are_symmetric_and_as_definite_as_their_parts(k: Kernel, A: np.ndarray) -> None:
    if np.abs(k.gram(A, A)).max() > 1e100:
        with pytest.raises(BadInput, match="too large"):
            k(A)
        return
    K = k(A)
    assert (K == K.T).all()
    np.testing.assert_allclose(k.diagonal(A), np.diag(K), rtol=1e-12, atol=1e-300)
    if k.positive_definite:
        eigenvalues = np.linalg.eigvalsh(K)
        assert eigenvalues[0] >= -1e-12 * len(A) * max(eigenvalues[-1], 1e-300)


@settings(max_examples=150)
@given(k=kernels(soft=False, leaves=8))
def test_compositions_print_and_parse_back(k: Kernel) -> None:
    assert parse_kernel(str(k)) == k
    assert str(parse_kernel(str(k))) == str(k)


@settings(max_examples=40)
@given(k=kernels(), A=points((1, 6)), seed=st.integers(0, 100))
def test_the_field_of_a_composition_equals_the_direct_sum(k: Kernel, A: np.ndarray, seed: int) -> None:
    w = np.random.default_rng(seed).standard_normal(len(A))
    x1, x2 = np.linspace(-3, 2, 9), np.linspace(-2, 3, 6)
    nodes = np.stack(np.meshgrid(x1, x2), axis=-1).reshape(-1, 2)
    terms = k.gram(nodes, A) * w
    size = np.abs(terms).max()
    within_reach = np.abs(w).sum() * max(1.0, np.abs(k.diagonal(np.vstack([A, nodes]))).max())
    if size < 1e90:
        expected = terms.sum(axis=1).reshape(6, 9)
        assert np.abs(field(k, A, w, x1, x2) - expected).max() <= 1e-9 * size + 1e-82 * within_reach


def test_a_field_far_below_what_its_weights_could_reach_is_zero() -> None:
    k = kernel("ard(l1=0.03, l2=0.03)*laplacian(gamma=1000)")
    A, x1, x2 = np.array([[0.0, 0.5]]), np.array([0.1, 0.125, 0.2, 0.5]), np.array([0.5])
    exact = k.gram(np.stack([x1, np.full(4, 0.5)], axis=1), A)[:, 0]
    found = field(k, A, np.ones(1), x1, x2)[0]
    np.testing.assert_allclose(found[:2], exact[:2], rtol=1e-9)
    assert (found[2:] == 0.0).all()
    assert ((exact[2:] > 0.0) & (exact[2:] < 1e-85)).all()


def test_sums_and_products_are_kept_flat_with_the_number_in_front() -> None:
    a, b, c = kernel("rbf"), kernel("linear"), kernel("periodic")
    assert (a + b) + c == a + (b + c) == Sum((a, b, c))
    assert (a * b) * c == a * (b * c) == Product((a, b, c))
    assert 2 * (a * (3 * b)) == Scaled(Product((a, b)), 6.0) == a * 6 * b
    assert sum([a, b, c]) == Sum((a, b, c))


def test_values_follow_the_rules() -> None:
    a, b = kernel("rbf"), kernel("polynomial")
    np.testing.assert_allclose((a + b)(X), a(X) + b(X))
    np.testing.assert_allclose((a * b)(X), a(X) * b(X))
    np.testing.assert_allclose((0.5 * a)(X), 0.5 * a(X))
    np.testing.assert_allclose((kernel("weight(f=norm)") * a)(X), a(X) * np.outer(*[np.hypot(*X.T)] * 2))


@pytest.mark.parametrize("wrong", [-1, -0.5, float("nan"), float("inf")])
def test_only_a_finite_number_that_is_not_negative_may_scale(wrong: float) -> None:
    with pytest.raises(BadInput):
        wrong * kernel("rbf")


@pytest.mark.parametrize("wrong", ["rbf", None, True, 1.5])
def test_only_a_kernel_can_be_added_to_a_kernel(wrong: object) -> None:
    with pytest.raises(BadInput, match="added"):
        kernel("rbf") + wrong


@pytest.mark.parametrize("other", [True, "2", None, [1.0], np.ones(2)])
def test_a_kernel_is_multiplied_with_kernels_and_numbers_only(other: object) -> None:
    with pytest.raises(BadInput, match="multiplied with a kernel or a number"):
        kernel("rbf") * other


@pytest.mark.parametrize(("kind", "name"), [(Sum, "sum"), (Product, "product")])
def test_one_kernel_alone_is_neither_sum_nor_product(kind: type[Sum | Product], name: str) -> None:
    for parts in ((), (kernel("rbf"),)):
        with pytest.raises(BadInput, match=f"A {name} needs at least two kernels"):
            kind(parts)


def test_compositions_are_flat_however_they_are_made() -> None:
    rbf, linear = kernel("rbf"), kernel("linear")
    assert Sum((Sum((rbf, linear)), rbf)).parts == (rbf, linear, rbf)
    assert Product((rbf, Product((linear, rbf)))).parts == (rbf, linear, rbf)


def test_a_composition_with_the_sigmoid_claims_nothing() -> None:
    assert not (kernel("rbf") + 0.1 * kernel("sigmoid")).positive_definite
    assert (kernel("rbf") + kernel("linear")).positive_definite


def test_the_parts_can_be_exchanged() -> None:
    tree = kernel("rbf(gamma=1) + 2*linear")
    assert str(tree.with_parts((tree.parts[1], kernel("periodic")))) == "2*linear + periodic(period=1, l=1)"
    assert tree.parts[1].with_parts((kernel("rbf"),)) == kernel("2*rbf")


def test_the_median_heuristic_reaches_into_compositions() -> None:
    scaled = kernel("2*rbf*linear + matern32").scaled_to(X)
    assert scaled == 2 * kernel("rbf").scaled_to(X) * kernel("linear") + kernel("matern32").scaled_to(X)


@pytest.mark.parametrize("expression", ["rbf + 3*matern32", "rbf(gamma=2)*laplacian", "2*(rbf + ard)*rbf"])
def test_frequencies_of_compositions_reproduce_the_kernel(expression: str) -> None:
    k = kernel(expression)
    w = k.frequencies(2, 40_000, np.random.default_rng(0))
    K = k(X)
    approximation = np.cos((X[:, None] - X) @ w.T).mean(axis=-1) * K[0, 0]
    assert np.abs(approximation - K).max() < 0.03 * K[0, 0]
    assert (k + kernel("linear")).frequencies(2, 5, np.random.default_rng(0)) is None
    assert (k * kernel("linear")).frequencies(2, 5, np.random.default_rng(0)) is None


def test_formulas_put_sums_in_parentheses_and_show_values() -> None:
    k = kernel("0.5*(rbf(gamma=2) + linear)*linear")
    assert k.latex == r"0.5 \, \bigl(e^{-\gamma\,\lVert x - x'\rVert^2} + x \cdot x'\bigr) \, x \cdot x'"
    assert r"e^{-2\,\lVert" in k.latex_with_values()
    assert kernel("rbf(gamma=1e-6)").latex_with_values() == r"e^{-10^{-6}\,\lVert x - x'\rVert^2}"
    assert kernel("polynomial(degree=3, c=2)").latex_with_values() == r"\left(x \cdot x' + 2\right)^{3}"


@pytest.mark.parametrize(
    ("expression", "formula"),
    [
        ("40*weight(f=one)", r"40 \cdot 1"),
        (
            "matern32(l=1)",
            r"\left(1 + \sqrt{3}\,\lVert x - x'\rVert\right) e^{-\sqrt{3}\,\lVert x - x'\rVert}",
        ),
        (
            "rational_quadratic(l=1, alpha=1)",
            r"\left(1 + \frac{\lVert x - x'\rVert^2}{2}\right)^{-1}",
        ),
        (
            "rational_quadratic(l=3, alpha=1)",
            r"\left(1 + \frac{\lVert x - x'\rVert^2}{2 \cdot 3^2}\right)^{-1}",
        ),
        ("periodic(period=1, l=1)", r"e^{-2 \sum_j \sin^2 \pi (x_j - x_j')}"),
        ("ard(l1=1, l2=2)", r"e^{-\frac{(x_1 - x_1')^2}{2} - \frac{(x_2 - x_2')^2}{2 \cdot 2^2}}"),
        ("homogeneous(degree=1, gamma=1)", r"\left(x \cdot x'\right)"),
        ("power_series(degree=1)", r"\sum_{k=0}^{1} \left(x \cdot x'\right)^k"),
        ("polynomial(degree=2, c=0)", r"\left(x \cdot x'\right)^{2}"),
        ("sigmoid(gamma=1, c=-2)", r"\tanh\left(x \cdot x' - 2\right)"),
    ],
)
def test_ones_and_zeros_are_left_out_of_formulas_as_one_does_by_hand(expression: str, formula: str) -> None:
    assert kernel(expression).latex_with_values() == formula


def test_every_formula_can_be_typeset() -> None:
    with warnings.catch_warnings():
        # ziamath itself still uses a function of importlib.resources that is to go.
        warnings.simplefilter("ignore", DeprecationWarning)
        import ziamath

        for cls in registry.kernels().values():
            small = cls(**{p.name: p.low for p in cls.parameters() if p.kind is REAL})
            phi = small.feature_map(2)
            names = phi.names if phi else ()
            for formula in (small.latex, (small * (small + small)).latex_with_values(), *names[-2:]):
                assert ziamath.Latex(formula).svg().startswith("<svg")


def test_a_composition_has_a_limited_number_of_kernels_however_it_is_made() -> None:
    largest = sum([kernel("rbf")] * MOST_PARTS)
    assert len(largest.parts) == MOST_PARTS
    for too_large in (lambda: largest + kernel("linear"), lambda: largest * kernel("linear")):
        with pytest.raises(BadInput, match="made of 64 kernels at most"):
            too_large()


def test_a_composition_is_nested_to_a_limited_depth_however_it_is_made() -> None:
    deep = kernel("rbf")
    for _ in range(DEEPEST + 1):
        deep = kernel("rbf") + kernel("linear") * deep
    assert kernel(str(deep)) == deep
    with pytest.raises(BadInput, match="nested 12 deep at most"):
        2 * (kernel("rbf") + kernel("linear") * deep) * kernel("linear")


def test_the_largest_composition_can_be_written_and_read_again() -> None:
    part = kernel("polynomial(degree=10, gamma=0.00012345678901234567, c=0.00012345678901234567)")
    largest = sum([0.00012345678901234567 * part] * MOST_PARTS)
    assert kernel(str(largest)) == largest
