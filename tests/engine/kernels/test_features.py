"""Explicit feature maps."""

from __future__ import annotations

import numpy as np
import pytest

from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.fits.parsing import kernel
from kernelviz.engine.kernels.features import (
    FeatureMap,
    exponential_coefficients,
    monomials,
    scaled,
    stacked,
    tensor,
)

X = np.random.default_rng(0).standard_normal((6, 3))


def test_monomials_satisfy_the_multinomial_theorem() -> None:
    coefficients = np.array([0.5, 0.0, 2.0, 1.0])
    phi = monomials(coefficients, 3)
    t = X @ X.T
    np.testing.assert_allclose(phi(X) @ phi(X).T, 0.5 + 2 * t**2 + t**3, rtol=1e-12)
    assert phi.q == 1 + 6 + 10


def test_names_show_weights_and_powers() -> None:
    phi = monomials(np.array([4.0, 1.0, 1.0]), 2)
    assert phi.names == ("2", "x_1", "x_2", "x_1^{2}", r"\sqrt{2}\, x_1 x_2", "x_2^{2}")
    assert stacked([phi, scaled(phi, 0.25)]).names[6:8] == ("1", r"0.5\, x_1")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("0.5*polynomial(degree=2, c=1)", ("0.707", "x_1", "x_2", r"0.707\, x_1^{2}", "x_1 x_2")),
        (
            "linear*polynomial(degree=2, c=1)",
            ("x_1", r"\sqrt{2}\, x_1^{2}", r"\sqrt{2}\, x_1 x_2", "x_1^{3}"),
        ),
    ],
)
def test_products_of_monomials_are_monomials(text: str, names: tuple[str, ...]) -> None:
    phi = kernel(text).feature_map(2)
    assert phi.names[: len(names)] == names


def test_the_feature_map_of_nothing_is_empty() -> None:
    phi = monomials(np.zeros(3), 2)
    assert phi(X[:, :2]).shape == (6, 0)


def test_an_unknown_part_makes_the_whole_unknown() -> None:
    phi = monomials(np.array([0.0, 1.0]), 2)
    assert stacked([phi, None]) is None
    assert tensor([phi, None]) is None
    assert scaled(None, 2.0) is None


def test_a_tensor_product_too_large_to_write_out_is_declined() -> None:
    phi = monomials(np.ones(11), 3)
    assert phi is not None
    assert tensor([phi, phi, phi]) is None


def test_exponential_coefficients_add_up_to_the_exponential() -> None:
    assert exponential_coefficients(1.5, 40).sum() == pytest.approx(np.exp(1.5), rel=1e-14)


def test_inputs_are_checked() -> None:
    phi = FeatureMap(("x_1",), lambda A: A)
    with pytest.raises(BadInput, match="row 1"):
        phi([[np.nan]])
